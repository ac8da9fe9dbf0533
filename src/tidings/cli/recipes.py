"""`tidings recipes` and `tidings reread`: by which recipes sources are read, and the past read again by another."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.output import Form, ListFormat, Output, coloured, plain, print_table, write_list
from tidings.cli.stored import Where, opened
from tidings.errors import BadRecipe, InputError

if TYPE_CHECKING:
    from tidings.news.recipes.catalogue import RecipeCatalogue
    from tidings.news.recipes.recipe import Recipe
    from tidings.news.store import Store
    from tidings.news.store.records_of_articles import Only
    from tidings.news.watch.rereading import RecipeComparison


def recipes(
    name: Annotated[str, typer.Argument(metavar="[NAME|FILE]", help="Show this one; a file is checked.")] = "",
    form: Form = ListFormat.TABLE,
    output: Output = None,
    where: Where = None,
) -> None:
    """List the recipes by which sources can be read, or show one: a file to begin your own with.

    For example:

      tidings recipes
      tidings recipes lbnest > mine.toml
      tidings add --recipe mine.toml
    """
    from pathlib import Path

    from tidings.news.recipes.catalogue import RecipeCatalogue
    from tidings.news.recipes.loader import read_recipe

    with opened(where) as kept:
        known = RecipeCatalogue(kept)
        if name.endswith(".toml"):
            path = Path(name)
            text = path.read_text(encoding="utf-8")
            found = read_recipe(text, path.stem, known.recipe, folder=path.resolve().parent)
            typer.echo(f"{plain(found.name)} can be used: {plain(found.summary)}")
            return
        if name:
            typer.echo(known.text(name), nl=False)
            return
        rows = [_recipe_row(known, one) for one in known.names()]
    headings = ("name", "links", "extractor", "pictures", "stories", "what it is")
    write_list([dict(zip(headings, map(str, row), strict=True)) for row in rows], form, output, headings, rows)


def _recipe_row(known: RecipeCatalogue, name: str) -> tuple[object, ...]:
    try:
        recipe = known.recipe(name)
    except BadRecipe as error:
        return (name, "", "", "", "", coloured(str(error), "red"))
    return (name, recipe.links, recipe.extractor, recipe.pictures, recipe.grouping.method, recipe.summary)


def reread(
    recipe: Annotated[str, typer.Option("--recipe", metavar="NAME|FILE", help="By which to read.")],
    query: Annotated[str, typer.Option("--query", help="Only articles that this search finds.")] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="At most so many articles.")] = 1000,
    take: Annotated[bool, typer.Option("--take", help="Keep what was read as a new version of each article.")] = False,
    show: Annotated[int, typer.Option("--show", min=0, help="Of what changed, list so many.")] = 20,
    where: Where = None,
) -> None:
    """Read what the store has kept again by a recipe, and show what would change; `--take` keeps it.

    Earlier versions stay: `tidings read NUMBER --version 1`.

    For example:

      tidings reread --recipe n-ext --query 'site:harbour.example'
      tidings reread --recipe n-ext --query 'site:harbour.example' --take
    """
    from tidings.news.watch import rereading

    with opened(where) as kept:
        chosen = _named(kept, recipe)
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


def compare_in_store(where: str | None, names: list[str], day: str, query: str, limit: int) -> None:
    """Two recipes on the same news of a store, as a table."""
    from tidings.news.watch.rereading import compare_recipes

    if len(names) != 2:
        raise InputError("name two recipes to compare: --recipe default --recipe lbnest")
    with opened(where) as kept:
        first, second = (_named(kept, name) for name in names)
        found = compare_recipes(kept, first, second, only(query, day), limit)
    if not found.articles:
        typer.echo("no page of that day is kept in the store", err=True)
        raise typer.Exit(1)
    _show(found)


def only(query: str, day: str = "") -> Only:
    """Which articles are asked for: those of a search, of a day."""
    from tidings.news.store import parse
    from tidings.news.store.records_of_articles import Only

    if not day:
        return Only(query=parse(query) if query else None, muted=True)
    try:
        begin = datetime.fromisoformat(day).replace(tzinfo=UTC)
    except ValueError:
        raise InputError(f"{day!r} is no day; write 2026-11-17") from None
    return Only(query=parse(query) if query else None, muted=True, since=begin, until=begin + timedelta(days=1))


def _named(kept: Store, said: str) -> Recipe:
    from tidings.news.recipes.catalogue import RecipeCatalogue

    return RecipeCatalogue(kept).named(said, datetime.now(UTC))


def _show(found: RecipeComparison) -> None:
    rows: list[tuple[object, ...]] = [
        (one.name, one.words, one.pictures, one.stories, f"{1000 * one.seconds / found.articles:.1f}")
        for one in (found.first, found.second)
    ]
    print_table(("recipe", "words", "pictures", "stories", "ms an article"), rows)
    if found.unlike:
        rows = [(str(one.id), f"{score:.2f}", mine, theirs, one.title) for one, score, mine, theirs in found.unlike]
        print_table(("article", "agreement", found.first.name, found.second.name, "title"), rows)
    typer.echo(
        f"{found.articles:,} articles: agreement of the words {found.agreement:.3f}, {found.same:,} the same;"
        f" pairs of articles in one story {found.together:.3f}",
        err=True,
    )
