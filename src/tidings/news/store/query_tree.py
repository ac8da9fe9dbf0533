"""What a search query means: a small tree, the same for both databases. `query.parse` makes it, `str` writes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from enum import StrEnum


class SearchedField(StrEnum):
    """The part of an article in which words are searched for."""

    TITLE = "title"
    AUTHOR = "author"
    TEXT = "text"


class Property(StrEnum):
    """What an article is, rather than what it says."""

    SOURCE = "source"
    SITE = "site"
    LANGUAGE = "lang"
    CATEGORY = "category"
    STORY = "story"


@dataclass(frozen=True, slots=True)
class SearchedWords:
    """Words in this order. A single one that is not `exact` is also found by its stem."""

    text: str
    field: SearchedField | None = None  # None: in any of them
    exact: bool = False  # it stood in quotes
    prefix: bool = False  # the last word may go on

    def __str__(self) -> str:
        where = "" if self.field is None else f"{self.field}:"
        written = quoted(self.text) if self.exact else self.text
        return f"{where}{written}{'*' if self.prefix else ''}"


@dataclass(frozen=True, slots=True)
class Is:
    """An article has a property."""

    name: Property
    value: str

    def __str__(self) -> str:
        return f"{self.name}:{quoted(self.value)}"


@dataclass(frozen=True, slots=True)
class DayRange:
    """An article is of the days from `first` up to `last`, in universal time; None is open."""

    first: date | None = None
    last: date | None = None

    def __str__(self) -> str:
        if self.first is not None and self.first == self.last:
            return f"on:{self.first.isoformat()}"
        parts = [f"since:{self.first.isoformat()}"] if self.first is not None else []
        parts += [f"until:{self.last.isoformat()}"] if self.last is not None else []
        return " ".join(parts) if len(parts) == 1 else f"({' '.join(parts)})"

    def moments(self) -> tuple[datetime | None, datetime | None]:
        """The first moment of the days, and the last."""
        begin = None if self.first is None else datetime.combine(self.first, time.min, UTC)
        end = None if self.last is None else datetime.combine(self.last, time.max, UTC)
        return begin, end


@dataclass(frozen=True, slots=True)
class And:
    """All of several."""

    parts: tuple[Query, ...]

    def __str__(self) -> str:
        return "(" + " ".join(map(str, self.parts)) + ")"


@dataclass(frozen=True, slots=True)
class Or:
    """Any of several."""

    parts: tuple[Query, ...]

    def __str__(self) -> str:
        return "(" + " OR ".join(map(str, self.parts)) + ")"


@dataclass(frozen=True, slots=True)
class Not:
    """What a query does not find."""

    part: Query

    def __str__(self) -> str:
        return f"NOT {self.part}"


Query = SearchedWords | Is | DayRange | And | Or | Not


def both(*queries: Query | None) -> Query | None:
    """What all of some queries find; those that are None ask for nothing."""
    given = tuple(query for query in queries if query is not None)
    return given[0] if len(given) == 1 else And(given) if given else None


def positive(query: Query) -> Iterator[SearchedWords]:
    """The words that a found article can be shown by: those that are not under a NOT."""
    match query:
        case SearchedWords():
            yield query
        case And(parts) | Or(parts):
            for part in parts:
                yield from positive(part)
        case _:
            return


def quoted(text: str) -> str:
    """In quotes, as the query language writes them."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
