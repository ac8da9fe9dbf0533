"""The store that commands work on: where it is, and lengths of time as people write them."""

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

if TYPE_CHECKING:
    from tidings.news.store import Store
    from tidings.news.store.records_of_work import Source

Where = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="FILE",
        help="The store: a file, or postgresql://…; else TIDINGS_STORE, else news.tidings in your data folder.",
    ),
]

_LENGTH: Final = re.compile(r"(\d{1,6})\s*(s|sec|m|min|h|d|w)?", re.IGNORECASE)
_UNITS: Final = {"s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400, "w": 604_800}


def place(where: str | None) -> str:
    """Where the store is; the folder it lies in by default is made."""
    configured = state.config.values.get("store") if state.config is not None else None
    if named := where or os.environ.get("TIDINGS_STORE") or configured:
        return str(named)
    from tidings.sites.place import data_folder

    folder = data_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the folder {folder} cannot be made: {error}; name a file with --store") from error
    return str(folder / "news.tidings")


@contextmanager
def opened(where: str | None) -> Iterator[Store]:
    """The store, open."""
    from tidings.news import store

    with store.open(place(where)) as kept:
        yield kept


def length(said: str | None) -> timedelta | None:
    """A length of time: `90` or `90m` are minutes, `2h`, `1d`, `1w`."""
    if said is None:
        return None
    match = _LENGTH.fullmatch(said.strip())
    if match is None or not int(match[1]):
        raise InputError(f"{said!r} is no length of time; write 30m, 2h, 1d or 1w")
    return timedelta(seconds=int(match[1]) * _UNITS[(match[2] or "m").lower()])


def source(kept: Store, named: str) -> Source:
    """A source by its number or its address.

    Raises:
        InputError: there is none.
    """
    found = kept.source(int(named)) if named.isascii() and named.isdigit() else kept.source_at(named)
    if found is None:
        known = tuple(one.told.address for one in kept.sources())
        advice = did_you_mean(named, known) if 0 < len(known) <= 20 else "`tidings list` shows those there are"
        raise InputError(f"there is no source {named!r}; {advice}")
    return found


def recipe_name(where: str | None, said: str) -> str:
    """The name of the recipe that somebody names; a file is put into the store.

    Raises:
        BadRecipe: there is none, or it cannot be used.
    """
    if not said:
        return ""
    from tidings.news.recipes import RecipeCatalogue

    with opened(where) as kept:
        return RecipeCatalogue(kept).named(said, datetime.now(UTC)).name


def plain(text: str) -> str:
    """A text from elsewhere for a terminal: nothing in it moves the cursor."""
    return "".join(sign if sign.isprintable() else " " for sign in text)
