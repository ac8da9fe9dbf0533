"""What all verbs share: the database, and how texts and keys are made fit for both databases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Final

from tidings.addresses import site_of
from tidings.article.characters import legal
from tidings.errors import BadQuery
from tidings.news.store.database import Database
from tidings.text import base_language

#: Bytes of a key as it is; PostgreSQL indexes at most 2,700.
_LONGEST_KEY: Final = 600
_LARGEST: Final = (1 << 63) - 1


class Verbs:
    """Some of the store's verbs."""

    def __init__(self, database: Database) -> None:
        self.database = database


def clean(text: str) -> str:
    """A text that both databases can hold: NULs go, half characters become U+FFFD."""
    return text if text.isascii() and text.isprintable() else legal(text)


def key(text: str) -> str:
    """A text to look something up by: as it is, or where it is long its beginning and a digest."""
    fit = clean(text)
    data = fit.encode()
    if len(data) <= _LONGEST_KEY:
        return fit
    return f"{fit[:60]}…{blake2b(data, digest_size=16).hexdigest()}"


def spoken_in(column: str, language: str | Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The condition that a column holds a language, or one of some, as SQL with its values."""
    wanted = (language,) if isinstance(language, str) else tuple(language)
    values = tuple(dict.fromkeys(map(base_language, wanted)))
    marks = ", ".join("?" * len(values))
    return (f"{column} = ?", values) if len(values) == 1 else (f"{column} IN ({marks})", values)


def host(address: str) -> str:
    """The site of an address, to look something up by; empty where there is none."""
    return key(site_of(address))


def known(number: int) -> bool:
    """Whether a number can be the number of anything; those that come from outside may be absurd."""
    return 0 < number <= _LARGEST


def possible(numbers: Iterable[int]) -> list[int]:
    """Those that can be the numbers of something."""
    return [number for number in numbers if known(number)]


def place_of(cursor: str | None) -> int:
    """The place that a cursor points at; without one, behind the last.

    Raises:
        BadQuery: no list has given out this cursor.
    """
    if cursor is None:
        return _LARGEST
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) <= 19 and int(cursor) <= _LARGEST):
        raise BadQuery(cursor[:100], 0, "this is no cursor; begin the list anew")
    return int(cursor)
