"""Options of commands that work on a store, and how such commands open it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tidings.cli.state import state
from tidings.errors import InputError, did_you_mean
from tidings.text.patterns import late_pattern

if TYPE_CHECKING:
    from tidings.cli.fetch_options import FetchOptions
    from tidings.fetch import Live
    from tidings_portal.store import Store
    from tidings_portal.store.records_of_work import Source

StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="FILE",
        help="The store: a file, or postgresql://…; else TIDINGS_STORE, else news.tidings in your data folder.",
    ),
]

_DURATION: Final = late_pattern(r"(\d{1,6})\s*(s|sec|m|min|h|d|w)?", re.IGNORECASE)
_UNITS: Final = {"s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400, "w": 604_800}


def store_path(option: str | None) -> str:
    """Return the path or URL of the store. Creates the data folder if the store is in it."""
    configured = state.config.values.get("store") if state.config is not None else None
    if named := option or os.environ.get("TIDINGS_STORE") or configured:
        return str(named)
    from tidings.sites.storage.default_paths import data_folder

    folder = data_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the folder {folder} cannot be made: {error}; name a file with --store") from error
    return str(folder / "news.tidings")


@contextmanager
def open_store(option: str | None) -> Iterator[Store]:
    """Open the store that the option names, and close it at the end."""
    from tidings_portal import store

    with store.open(store_path(option)) as opened:
        yield opened


def parse_duration(text: str | None) -> timedelta | None:
    """Return a duration: `90` and `90m` are minutes; `2h`, `1d` and `1w` are hours, days and weeks.

    Raises:
        InputError: the text is no duration.
    """
    if text is None:
        return None
    match = _DURATION.fullmatch(text.strip())
    if match is None or not int(match[1]):
        raise InputError(f"{text!r} is not a duration; write 30m, 2h, 1d or 1w")
    return timedelta(seconds=int(match[1]) * _UNITS[(match[2] or "m").lower()])


def find_source(store: Store, name: str) -> Source:
    """Return a source by its number or its URL.

    Raises:
        InputError: no source has that number or URL.
    """
    result = store.source(int(name)) if name.isascii() and name.isdigit() else store.source_at(name)
    if result is None:
        urls = tuple(source.settings.address for source in store.sources())
        advice = did_you_mean(name, urls) if 0 < len(urls) <= 20 else "`tidings list` shows all sources"
        raise InputError(f"there is no source {name!r}; {advice}")
    return result


def recipe_name(option: str | None, recipe: str) -> str:
    """Return the name of a recipe; a recipe that is a file is saved in the store first.

    Raises:
        BadRecipe: there is no recipe of that name, or the file is no valid recipe.
    """
    if not recipe:
        return ""
    from tidings_portal.recipes.catalogue import RecipeCatalogue

    with open_store(option) as store:
        return RecipeCatalogue(store).named(recipe, datetime.now(UTC)).name


def shared_live(web: FetchOptions, store: Store) -> Live:
    """Create an HTTP client that shares its rate limits with other processes of the same store."""
    from tidings_portal.watch.host_states import StoredHostStates

    return web.live(StoredHostStates(store))


def is_file_store(path: str) -> bool:
    """Return whether a store is a file rather than a database server."""
    return "://" not in path


def display_store(path: str) -> str:
    """Return the path or URL of a store without its password."""
    from tidings.urls import without_credentials

    return without_credentials(path)
