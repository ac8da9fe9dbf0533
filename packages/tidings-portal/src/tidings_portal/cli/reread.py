"""`tidings reread`: read stored pages again with another recipe."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from tidings.cli.output import print_table
from tidings_portal.cli.recipe_options import find_recipe, only
from tidings_portal.cli.store_options import StoreOption, open_store


def reread(
    recipe: Annotated[str, typer.Option("--recipe", metavar="NAME|FILE", help="The recipe to use.")],
    query: Annotated[str, typer.Option("--query", help="Only articles that this search finds.")] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="Most articles to read.")] = 1000,
    save: Annotated[bool, typer.Option("--save", "--take", help="Save changed articles as new versions.")] = False,
    show: Annotated[int, typer.Option("--show", min=0, help="Most changed articles to list.")] = 20,
    where: StoreOption = None,
) -> None:
    """Extract stored pages again with another recipe, and show what changes; `--save` saves it.

    Earlier versions stay: `tidings read NUMBER --version 1`.

    For example:

      tidings reread --recipe n-ext --query 'site:harbour.example'
      tidings reread --recipe n-ext --query 'site:harbour.example' --save
    """
    from tidings_portal.watch import rereading

    with open_store(where) as store:
        selected = find_recipe(store, recipe)
        results = list(rereading.reread(store, selected, only(query), limit))
        changed = [one for one in results if one.is_changed]
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
            print_table(("article", "agreement", "words", "new", "pictures", "new", "title"), rows)
        mean = sum(one.agreement for one in results) / len(results) if results else 1.0
        typer.echo(
            f"{len(results):,} articles extracted with {selected.name}, {len(changed):,} of them changed; agreement"
            f" {mean:.3f}",
            err=True,
        )
        if save:
            number = rereading.take(store, changed, datetime.now(UTC)) if changed else 0
            typer.echo(f"{number:,} got a new version", err=True)
        elif changed:
            typer.echo("nothing was saved; add --save", err=True)
    if not results:
        raise typer.Exit(1)
