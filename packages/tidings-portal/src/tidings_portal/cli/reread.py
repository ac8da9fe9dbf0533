"""`tidings reread`: read stored pages again with another recipe."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from tidings.cli.output import print_table
from tidings_portal.cli.recipe_options import find_recipe, only
from tidings_portal.cli.store_options import StoreOption, open_store


def reread(
    recipe: Annotated[str, typer.Option("--recipe", metavar="NAME|FILE", help="By which to read.")],
    query: Annotated[str, typer.Option("--query", help="Only articles that this search finds.")] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="At most so many articles.")] = 1000,
    take: Annotated[bool, typer.Option("--take", help="Keep what was read as a new version of each article.")] = False,
    show: Annotated[int, typer.Option("--show", min=0, help="Of what changed, list so many.")] = 20,
    where: StoreOption = None,
) -> None:
    """Read what the store has kept again by a recipe, and show what would change; `--take` keeps it.

    Earlier versions stay: `tidings read NUMBER --version 1`.

    For example:

      tidings reread --recipe n-ext --query 'site:harbour.example'
      tidings reread --recipe n-ext --query 'site:harbour.example' --take
    """
    from tidings_portal.watch import rereading

    with open_store(where) as kept:
        chosen = find_recipe(kept, recipe)
        found = list(rereading.reread(kept, chosen, only(query), limit))
        changed = [one for one in found if one.is_changed]
        rows = [
            (
                str(one.headline.id),
                f"{one.agreement:.2f}",
                *(len(one.before.words), len(one.after.words), len(one.before.images), len(one.after.images)),
                one.headline.title,
            )
            for one in sorted(changed, key=lambda one: one.agreement)[:show]
        ]
        if rows:
            print_table(("article", "agreement", "words", "then", "pictures", "then", "title"), rows)
        mean = sum(one.agreement for one in found) / len(found) if found else 1.0
        typer.echo(
            f"{len(found):,} articles read by {chosen.name}, {len(changed):,} of them otherwise; mean agreement"
            f" {mean:.3f}",
            err=True,
        )
        if take:
            number = rereading.take(kept, changed, datetime.now(UTC)) if changed else 0
            typer.echo(f"{number:,} have a new version", err=True)
        elif changed:
            typer.echo("nothing was kept; with --take it is", err=True)
    if not found:
        raise typer.Exit(1)
