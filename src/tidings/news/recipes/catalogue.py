"""The recipes that there are: those that come with Tidings, and those that somebody has put into the store.

The store keeps the text of a recipe, so that all who watch it, on whatever machine, and the portal know it by its name.
A source whose recipe cannot be used goes on with the default, and says why.
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
from tidings.news.recipes.loader import LONGEST, read_recipe
from tidings.news.recipes.recipe import DEFAULT_RECIPE, Recipe
from tidings.news.store import Store

SPACE: Final = "recipes"
_ENDING: Final = ".toml"


@dataclass(frozen=True, slots=True)
class RecipeChoice:
    """A recipe, and why it is the default instead of the one that was asked for; empty where it is that one."""

    recipe: Recipe
    problem: str = ""


def shipped_names() -> tuple[str, ...]:
    """The names of the recipes that come with Tidings, the default first."""
    found = (one.name for one in (files(__package__) / "shipped").iterdir() if one.name.endswith(_ENDING))
    return tuple(
        sorted((name.removesuffix(_ENDING) for name in found), key=lambda name: (name != DEFAULT_RECIPE, name))
    )


def shipped_text(name: str) -> str:
    """The file of a recipe that comes with Tidings."""
    return (files(__package__) / "shipped" / f"{name}{_ENDING}").read_text(encoding="utf-8")


@cache
def shipped(name: str, above: tuple[str, ...] = ()) -> Recipe:
    """A recipe that comes with Tidings.

    Raises:
        BadRecipe: there is none of that name.
    """
    if name not in shipped_names():
        raise BadRecipe(name, 0, f"there is no such recipe; {did_you_mean(name, shipped_names())}")
    return read_recipe(shipped_text(name), name, shipped, above=above)


class RecipeCatalogue:
    """The recipes of a store, and those that come with Tidings."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[tuple[str, bytes], Recipe] = {}

    def names(self) -> tuple[str, ...]:
        """All names: the shipped ones first."""
        return (*shipped_names(), *self._store.states(SPACE))

    def text(self, name: str) -> str:
        """The file of a recipe.

        Raises:
            BadRecipe: there is none of that name.
        """
        if name in shipped_names():
            return shipped_text(name)
        return str(self._kept(name)["text"])

    def recipe(self, name: str, above: tuple[str, ...] = ()) -> Recipe:
        """A recipe by its name.

        Raises:
            BadRecipe: there is none of that name, or it cannot be used.
        """
        if not name or name in shipped_names():
            return shipped(name or DEFAULT_RECIPE)
        kept = self._kept(name)
        key = (name, json.dumps(kept).encode())
        if key not in self._known:
            folder = Path(kept["folder"]) if kept.get("folder") else None
            found = read_recipe(kept["text"], name, self.recipe, folder=folder, above=above)
            if above:  # read for another: whether it stands on itself is to be asked anew
                return found
            self._known[key] = found
        return self._known[key]

    def choose(self, name: str) -> RecipeChoice:
        """A recipe by its name; the default and the reason, where it cannot be used."""
        try:
            return RecipeChoice(self.recipe(name))
        except BadRecipe as error:
            return RecipeChoice(shipped(DEFAULT_RECIPE), str(error))

    def keep(self, path: Path, at: datetime) -> Recipe:
        """Put a file into the store, under the name of the file; one of that name is replaced.

        Raises:
            BadRecipe: it cannot be used, or is called as one that comes with Tidings.
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
        found = read_recipe(text, name, self.recipe, folder=folder)
        value = json.dumps({"text": text, "folder": str(folder)}, ensure_ascii=False).encode()
        self._store.save_state(name, value, at, version=None, space=SPACE)
        return found

    def named(self, said: str, at: datetime) -> Recipe:
        """What somebody names: a recipe by its name, or a file, which is put into the store.

        Raises:
            BadRecipe: there is none, or it cannot be used.
        """
        if said.endswith(_ENDING) or "/" in said:
            return self.keep(Path(said).expanduser(), at)
        return self.recipe(said)

    def _kept(self, name: str) -> Mapping[str, str]:
        state = self._store.load_state(name, SPACE)
        if state is None:
            advice = did_you_mean(name, self.names())
            raise BadRecipe(name, 0, f"there is no such recipe; {advice}, or name a file: mine{_ENDING}")
        try:
            told = json.loads(state.value)
            return {"text": str(told["text"]), "folder": str(told.get("folder", ""))}
        except (ValueError, KeyError, AttributeError, TypeError):
            raise BadRecipe(
                name, 0, f"it is damaged in the store; add its file again: --recipe {name}{_ENDING}"
            ) from None
