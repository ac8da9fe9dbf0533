"""The catalogue of recipes: those that come with Tidings, and those in the store.

The store has the text of a recipe, so that all watchers and the portal, on any machine, know it by name. A source with
an unusable recipe continues with the default and reports the reason.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from tidings.errors import BadRecipe, did_you_mean
from tidings_portal.recipes.loader import LONGEST, read_recipe
from tidings_portal.recipes.recipe import DEFAULT_RECIPE, Recipe
from tidings_portal.store import Store

SPACE: Final = "recipes"
_ENDING: Final = ".toml"


@dataclass(frozen=True, slots=True)
class RecipeChoice:
    """A recipe, with the reason if it is the default instead of the requested recipe."""

    recipe: Recipe
    problem: str = ""


def shipped_names() -> tuple[str, ...]:
    """Return the names of the shipped recipes, the default first."""
    names = (file.name for file in (files(__package__) / "shipped").iterdir() if file.name.endswith(_ENDING))
    return tuple(
        sorted((name.removesuffix(_ENDING) for name in names), key=lambda name: (name != DEFAULT_RECIPE, name))
    )


def shipped_text(name: str) -> str:
    """Return the TOML text of a shipped recipe."""
    return (files(__package__) / "shipped" / f"{name}{_ENDING}").read_text(encoding="utf-8")


@cache
def shipped(name: str, above: tuple[str, ...] = ()) -> Recipe:
    """Return a shipped recipe.

    Raises:
        BadRecipe: no recipe has this name.
    """
    if name not in shipped_names():
        raise BadRecipe(name, 0, f"there is no such recipe; {did_you_mean(name, shipped_names())}")
    return read_recipe(shipped_text(name), name, shipped, above=above)


class RecipeCatalogue:
    """The shipped recipes and those of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[tuple[str, bytes], Recipe] = {}

    def names(self) -> tuple[str, ...]:
        """Return all names, shipped ones first."""
        return (*shipped_names(), *self._store.states(SPACE))

    def text(self, name: str) -> str:
        """Return the TOML text of a recipe.

        Raises:
            BadRecipe: no recipe has this name.
        """
        if name in shipped_names():
            return shipped_text(name)
        return str(self._stored(name)["text"])

    def recipe(self, name: str, above: tuple[str, ...] = ()) -> Recipe:
        """Return a recipe by its name.

        Raises:
            BadRecipe: no recipe has this name, or it is unusable.
        """
        if not name or name in shipped_names():
            return shipped(name or DEFAULT_RECIPE)
        stored = self._stored(name)
        key = (name, json.dumps(stored).encode())
        if key not in self._known:
            folder = Path(stored["folder"]) if stored.get("folder") else None
            recipe = read_recipe(stored["text"], name, self.recipe, folder=folder, above=above)
            if above:  # a base recipe: check again for a cycle
                return recipe
            self._known[key] = recipe
        return self._known[key]

    def choose(self, name: str) -> RecipeChoice:
        """Return a recipe by its name, or the default recipe and the reason why the requested one cannot be used."""
        try:
            return RecipeChoice(self.recipe(name))
        except BadRecipe as error:
            return RecipeChoice(shipped(DEFAULT_RECIPE), str(error))

    def keep(self, path: Path, at: datetime) -> Recipe:
        """Store a file as a recipe under its file name. An existing recipe of this name is replaced.

        Raises:
            BadRecipe: it is unusable, or has the name of a shipped recipe.
        """
        name = path.name.removesuffix(_ENDING)
        if name in shipped_names():
            raise BadRecipe(name, 0, "a recipe of that name comes with Tidings; call the file otherwise")
        try:
            with path.open(encoding="utf-8") as file:
                text = file.read(LONGEST + 1)
        except (OSError, UnicodeDecodeError) as error:
            raise BadRecipe(name, 0, f"{path} cannot be read: {error}") from None
        folder = path.resolve().parent
        recipe = read_recipe(text, name, self.recipe, folder=folder)
        value = json.dumps({"text": text, "folder": str(folder)}, ensure_ascii=False).encode()
        self._store.save_state(name, value, at, version=None, space=SPACE)
        return recipe

    def named(self, reference: str, at: datetime) -> Recipe:
        """Return a recipe by its name or its file. A recipe from a file is stored first.

        Raises:
            BadRecipe: there is none, or it is unusable.
        """
        if reference.endswith(_ENDING) or "/" in reference:
            return self.keep(Path(reference).expanduser(), at)
        return self.recipe(reference)

    def _stored(self, name: str) -> Mapping[str, str]:
        state = self._store.load_state(name, SPACE)
        if state is None:
            advice = did_you_mean(name, self.names())
            raise BadRecipe(name, 0, f"there is no such recipe; {advice}, or name a file: mine{_ENDING}")
        try:
            fields = json.loads(state.value)
            return {"text": str(fields["text"]), "folder": str(fields.get("folder", ""))}
        except (ValueError, KeyError, AttributeError, TypeError):
            raise BadRecipe(
                name, 0, f"it is damaged in the store; add its file again: --recipe {name}{_ENDING}"
            ) from None
