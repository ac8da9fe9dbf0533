"""`tidings recipes`: list the recipes, or show or check one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.output import Form, ListFormat, Output, coloured, plain, write_list
from tidings.errors import BadRecipe
from tidings_portal.cli.store_options import StoreOption, open_store

if TYPE_CHECKING:
    from tidings_portal.recipes.catalogue import RecipeCatalogue


def recipes(
    name: Annotated[str, typer.Argument(metavar="[NAME|FILE]", help="Show this recipe, or check this file.")] = "",
    form: Form = ListFormat.TABLE,
    output: Output = None,
    where: StoreOption = None,
) -> None:
    """List the recipes, or print one as a template for your own.

    For example:

      tidings recipes
      tidings recipes lbnest > mine.toml
      tidings add --recipe mine.toml
    """
    from pathlib import Path

    from tidings_portal.recipes.catalogue import RecipeCatalogue
    from tidings_portal.recipes.loader import read_recipe

    with open_store(where) as store:
        catalogue = RecipeCatalogue(store)
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


def _recipe_row(catalogue: RecipeCatalogue, name: str) -> tuple[object, ...]:
    try:
        recipe = catalogue.recipe(name)
    except BadRecipe as error:
        return (name, "", "", "", "", coloured(str(error), "red"))
    return (name, recipe.links, recipe.extractor, recipe.pictures, recipe.grouping.method, recipe.summary)
