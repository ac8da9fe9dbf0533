"""`tidings recipes`: list the recipes, show or check one, or fit one to marked articles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.output import Form, ListFormat, Output, coloured, plain, write_list
from tidings.errors import BadRecipe, InputError
from tidings_portal.cli.store_options import StoreOption, open_store

if TYPE_CHECKING:
    from tidings_portal.recipes.catalogue import RecipeCatalogue


def recipes(
    name: Annotated[
        str, typer.Argument(metavar="[NAME|FILE|fit]", help="Show this recipe, check this file, or fit a recipe.")
    ] = "",
    marked: Annotated[
        Path | None,
        typer.Argument(
            metavar="[MARKED]",
            help="With fit: JSON lines with event, title and text; optionally language, topic and page (a file).",
        ),
    ] = None,
    base: Annotated[str, typer.Option("--base", help="With fit: the recipe to start from.")] = "lbnest",
    form: Form = ListFormat.TABLE,
    output: Output = None,
    where: StoreOption = None,
) -> None:
    """List the recipes, or print one as a template for your own.

    For example:

      tidings recipes
      tidings recipes lbnest > mine.toml
      tidings add --recipe mine.toml
      tidings recipes fit day.jsonl > mine.toml
    """
    from tidings_portal.recipes.catalogue import RecipeCatalogue
    from tidings_portal.recipes.loader import read_recipe

    with open_store(where) as store:
        catalogue = RecipeCatalogue(store)
        if name == "fit":
            typer.echo(_fit(catalogue, marked, base), nl=False)
            return
        if name.endswith(".toml"):
            path = Path(name)
            text = path.read_text(encoding="utf-8")
            recipe = read_recipe(text, path.stem, catalogue.recipe, folder=path.resolve().parent)
            typer.echo(f"{plain(recipe.name)} is valid: {plain(recipe.summary)}")
            return
        if name:
            typer.echo(catalogue.text(name), nl=False)
            return
        rows = [_recipe_row(catalogue, name) for name in catalogue.names()]
    headings = ("name", "links", "extractor", "pictures", "stories", "description")
    write_list([dict(zip(headings, map(str, row), strict=True)) for row in rows], form, output, headings, rows)


def _fit(catalogue: RecipeCatalogue, marked: Path | None, base: str) -> str:
    """Return the text of a recipe that is fitted to marked articles; print its scores."""
    from tidings_portal.recipes import fitting

    if marked is None:
        raise InputError("name the file of marked articles: tidings recipes fit day.jsonl")
    articles = fitting.read_marked(marked)
    recipe = catalogue.recipe(base)
    grouping = fitting.fit_grouping(articles, recipe.grouping)
    extractor = fitting.fit_extractor(articles, recipe.extractor)
    before = fitting.pair_score(recipe.grouping, fitting.halves(articles)[1])
    fitted, held_out = grouping.fitted, grouping.held_out
    for text, score in (("fitted half", fitted), ("held-out half", held_out), (f"{base} on the held-out half", before)):
        typer.echo(f"{text}: pair precision {score.precision:.3f}, recall {score.recall:.3f}", err=True)
    if held_out.f1 < before.f1:
        raise InputError(f"no setting is better than that of {base}; mark more events, or use {base}")
    return fitting.recipe_text(base, marked.name, grouping, extractor)


def _recipe_row(catalogue: RecipeCatalogue, name: str) -> tuple[object, ...]:
    try:
        recipe = catalogue.recipe(name)
    except BadRecipe as error:
        return (name, "", "", "", "", coloured(str(error), "red"))
    return (name, recipe.links, recipe.extractor, recipe.pictures, recipe.grouping.method, recipe.summary)
