"""`tidings compare-recipes`: compare two recipes on the pages of the store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.output import print_table
from tidings_portal.cli.recipe_options import find_recipe, only
from tidings_portal.cli.store_options import StoreOption, open_store

if TYPE_CHECKING:
    from tidings_portal.watch.rereading import RecipeComparison


def compare_recipes(
    first: Annotated[str, typer.Argument(metavar="RECIPE", help="The name or the file of a recipe.")],
    second: Annotated[str, typer.Argument(metavar="RECIPE", help="The recipe to compare it with.")],
    day: Annotated[str, typer.Option("--day", metavar="DAY", help="Only articles of this day, as 2026-11-17.")] = "",
    query: Annotated[str, typer.Option("--query", help="Only articles that this search finds.")] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="The highest number of articles.")] = 500,
    where: StoreOption = None,
) -> None:
    """Read stored pages with two recipes and compare the results: words, pictures, stories, time and agreement.

    Nothing is changed in the store.

    For example:

      tidings compare-recipes default lbnest --day 2026-11-17
    """
    from tidings_portal.watch import rereading

    with open_store(where) as store:
        recipes = find_recipe(store, first), find_recipe(store, second)
        comparison = rereading.compare_recipes(store, *recipes, only(query, day), limit)
    if not comparison.articles:
        typer.echo("the store has no page of that day", err=True)
        raise typer.Exit(1)
    _show(comparison)


def _show(comparison: RecipeComparison) -> None:
    rows: list[tuple[object, ...]] = [
        (one.name, one.words, one.pictures, one.stories, f"{1000 * one.seconds / comparison.articles:.1f}")
        for one in (comparison.first, comparison.second)
    ]
    print_table(("recipe", "words", "pictures", "stories", "ms per article"), rows)
    if comparison.unlike:
        rows = [
            (str(one.id), f"{score:.2f}", mine, theirs, one.title) for one, score, mine, theirs in comparison.unlike
        ]
        print_table(("article", "agreement", comparison.first.name, comparison.second.name, "title"), rows)
    typer.echo(
        f"{comparison.articles:,} articles: word agreement {comparison.agreement:.3f}, {comparison.same:,} identical;"
        f" pairs of articles in one story {comparison.together:.3f}",
        err=True,
    )
