r"""The query language of search, and its parser.

    query   := part (["AND" | "OR"] part)*       AND binds tighter than OR; side by side is AND
    part    := ("NOT" | "-") part | "(" query ")" | [field ":"] what
    what    := word["*"] | '"' words '"' ["*"]
    field   := title | text | author                         words there
             | source | site | lang | category | topic | story | is  a property
             | on | since | until | after | before           a day, 2024-03-05; or a month, 2024-03; or a year

AND, OR and NOT are operators in capitals only. In quotes `\"` is a quote. A `field:` with an unknown name is
an error, because silently searching elsewhere misleads.

Parsing needs neither database nor clock, and is linear in the length of the query, which is bounded. `parse` makes a
tree that is the same for both databases; `str` turns it into a query again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NoReturn

from tidings.errors import BadQuery, did_you_mean
from tidings_portal.store.search_words import search_words


class SearchedField(StrEnum):
    """The field of an article to search in."""

    TITLE = "title"
    AUTHOR = "author"
    TEXT = "text"


class Property(StrEnum):
    """A property of an article other than its words."""

    SOURCE = "source"
    SITE = "site"
    LANGUAGE = "lang"
    CATEGORY = "category"
    TOPIC = "topic"
    STORY = "story"
    IS = "is"  # a mark of the user


@dataclass(frozen=True, slots=True)
class SearchedWords:
    """Words in order. A single word that is not `exact` also matches by its stem."""

    text: str
    field: SearchedField | None = None  # None: in any of them
    exact: bool = False  # written in quotes
    prefix: bool = False  # the last word is a prefix

    def __str__(self) -> str:
        where = "" if self.field is None else f"{self.field}:"
        written = quoted(self.text) if self.exact else self.text
        return f"{where}{written}{'*' if self.prefix else ''}"


@dataclass(frozen=True, slots=True)
class Is:
    """A condition on a property of an article, such as its language."""

    name: Property
    value: str
    reader: str = ""  # the user key, for marks

    def __str__(self) -> str:
        return f"{self.name}:{quoted(self.value)}"


@dataclass(frozen=True, slots=True)
class DayRange:
    """A range of days in UTC, both ends included. None is open."""

    first: date | None = None
    last: date | None = None

    def __str__(self) -> str:
        if self.first is not None and self.first == self.last:
            return f"on:{self.first.isoformat()}"
        parts = [f"since:{self.first.isoformat()}"] if self.first is not None else []
        parts += [f"until:{self.last.isoformat()}"] if self.last is not None else []
        return " ".join(parts) if len(parts) == 1 else f"({' '.join(parts)})"

    def moments(self) -> tuple[datetime | None, datetime | None]:
        """Return the first and last moment of the range."""
        begin = None if self.first is None else datetime.combine(self.first, time.min, UTC)
        end = None if self.last is None else datetime.combine(self.last, time.max, UTC)
        return begin, end


@dataclass(frozen=True, slots=True)
class And:
    """A conjunction."""

    parts: tuple[Query, ...]

    def __str__(self) -> str:
        return "(" + " ".join(map(str, self.parts)) + ")"


@dataclass(frozen=True, slots=True)
class Or:
    """A disjunction."""

    parts: tuple[Query, ...]

    def __str__(self) -> str:
        return "(" + " OR ".join(map(str, self.parts)) + ")"


@dataclass(frozen=True, slots=True)
class Not:
    """A negation."""

    part: Query

    def __str__(self) -> str:
        return f"NOT {self.part}"


Query = SearchedWords | Is | DayRange | And | Or | Not


def both(*queries: Query | None) -> Query | None:
    """Return the conjunction of queries; None stands for no condition."""
    parts = tuple(query for query in queries if query is not None)
    return parts[0] if len(parts) == 1 else And(parts) if parts else None


def positive(query: Query) -> Iterator[SearchedWords]:
    """Yield the words to highlight in results: those that are not under a NOT."""
    match query:
        case SearchedWords():
            yield query
        case And(parts) | Or(parts):
            for part in parts:
                yield from positive(part)
        case _:
            return


def quoted(text: str) -> str:
    """Return a text in quotes, as the query language writes it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


#: The marks that a user can set on an article, and their tables.
READER_TABLES: Final[Mapping[str, str]] = MappingProxyType(
    {"hidden": "hidden", "saved": "saved", "labelled": "label", "noted": "note"}
)
#: People type less; a program can send several queries.
LONGEST_QUERY: Final = 4_000
MOST_TERMS: Final = 200
DEEPEST: Final = 40

DAYS: Final = ("on", "since", "until", "after", "before")
FIELDS: Final[Mapping[str, SearchedField | Property]] = MappingProxyType(
    {field.value: field for field in (*SearchedField, *Property)}
    | {"body": SearchedField.TEXT, "language": Property.LANGUAGE, "by": SearchedField.AUTHOR}
)
_NAMES: Final = (*FIELDS, *DAYS)

_TOKEN: Final = re.compile(
    r"""\s*(?:
      (?P<open>\()
    | (?P<close>\))
    | (?P<quoted>"(?:[^"\\]|\\.)*")(?P<more>\*?)
    | (?P<unclosed>")
    | (?P<minus>-(?=[^\s)]))
    | (?P<field>[A-Za-z]+):(?=[^\s)])
    | (?P<word>[^\s()"]+)
    )""",
    re.VERBOSE | re.DOTALL,
)
# Years of four digits with a day before and after.
_DAY: Final = re.compile(r"([1-9]\d{3})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", re.ASCII)
# A surrogate, which neither database accepts.
_HALF: Final = re.compile(r"[\ud800-\udfff]")
# A URL scheme before a colon, not a field.
_SCHEMES: Final = frozenset({"http", "https"})


def parse(text: str) -> Query:
    """Return the tree of a query.

    Raises:
        BadQuery: the query is invalid; the message gives the position and a remedy.
    """
    if len(text) > LONGEST_QUERY:
        raise BadQuery(text, LONGEST_QUERY, f"a query has at most {LONGEST_QUERY:,} characters; this has {len(text):,}")
    text = _HALF.sub("\ufffd", text)  # as in stored articles
    tokens = _tokens(text)
    if not tokens:
        raise BadQuery(text, 0, "the query is empty; type a word to search for")
    query = _QueryParser(text, tokens).whole()
    if query is None:
        raise BadQuery(text, 0, "there is no letter and no digit in this query; type a word to search for")
    return query


@dataclass(frozen=True, slots=True)
class _QueryToken:
    kind: str
    text: str
    at: int
    prefix: bool = False


def _tokens(text: str) -> list[_QueryToken]:
    tokens: list[_QueryToken] = []
    place, end = 0, len(text.rstrip())
    while place < end:
        match = _TOKEN.match(text, place)
        if match is None or match.lastgroup is None:  # every character except white space starts a token
            raise BadQuery(text, place, "this cannot be read")
        kind = "quoted" if match["quoted"] is not None else match.lastgroup
        at = match.start(kind)
        if kind == "unclosed":
            raise BadQuery(text, at, "this quote is never closed; close it, or leave it out")
        if kind == "field" and match["field"].lower() in _SCHEMES:
            address = re.compile(r"[^\s()\"]+").match(text, at)
            tokens.append(_QueryToken("word", address[0] if address else match["field"], at))
            place = address.end() if address else match.end()
            continue
        if kind == "quoted":
            tokens.append(
                _QueryToken(kind, re.sub(r"\\(.)", r"\1", match[kind][1:-1], flags=re.DOTALL), at, bool(match["more"]))
            )
        else:
            tokens.append(_QueryToken(kind, match[kind], at))
        place = match.end()
    return tokens


class _QueryParser:
    """A recursive descent parser with limited depth."""

    def __init__(self, text: str, tokens: list[_QueryToken]) -> None:
        self.text = text
        self.tokens = tokens
        self.place = 0
        self.terms = 0

    def whole(self) -> Query | None:
        query = self.either(0)
        if (rest := self.peek()) is not None:
            self.refuse(rest, "this bracket closes nothing; leave it out, or open one before")
        return query

    def either(self, depth: int) -> Query | None:
        parts = [self.all_of(depth)]
        while self.operator("OR"):
            parts.append(self.all_of(depth))
        return _flattened(Or, parts)

    def all_of(self, depth: int) -> Query | None:
        parts = [self.part(depth)]
        while (token := self.peek()) is not None and token.kind != "close" and not _says(token, "OR"):
            self.operator("AND")
            parts.append(self.part(depth))
        return _flattened(And, parts)

    def part(self, depth: int) -> Query | None:
        token = self.take()
        if depth >= DEEPEST:
            self.refuse(token, f"brackets and NOTs go at most {DEEPEST} deep; write it flatter")
        if token.kind == "minus" or _says(token, "NOT"):
            inner = self.part(depth + 1)
            return None if inner is None else Not(inner)
        if token.kind == "open":
            inner = self.either(depth + 1)
            if (closing := self.peek()) is None or closing.kind != "close":
                self.refuse(token, "this bracket is never closed; close it, or leave it out")
            self.place += 1
            return inner
        if token.kind == "close":
            self.refuse(token, "there is nothing to search for before this bracket")
        if _says(token, "AND", "OR"):
            self.refuse(
                token, f'{token.text} stands between two words; write "{token.text}" in quotes to search for it'
            )
        self.terms += 1
        if self.terms > MOST_TERMS:
            self.refuse(token, f"a query has at most {MOST_TERMS} words and phrases; ask for less at a time")
        return self.fielded(token) if token.kind == "field" else self.words(token, None)

    def fielded(self, field: _QueryToken) -> Query | None:
        name = field.text.lower()
        if name not in _NAMES:
            near = did_you_mean(name, _NAMES)
            self.refuse(
                field, f"there is no field {field.text!r} (to search for the words, put them in quotes); {near}"
            )
        value = self.take()
        if value.kind not in ("word", "quoted", "field"):
            self.refuse(value, f"after {field.text}: comes a word or something in quotes")
        if value.kind == "field":  # `title:a:b`
            self.refuse(value, f"one field is enough: write {field.text}:word")
        if name in DAYS:
            return self.days(name, value)
        target = FIELDS[name]
        if isinstance(target, SearchedField):
            words = self.words(value, target)
            if words is None:
                self.refuse(value, "there is no letter and no digit in this")
            return words
        return self.property(target, value)

    def property(self, name: Property, value: _QueryToken) -> Query:
        text = value.text.strip()
        if not text:
            self.refuse(value, f"{name}: of what?")
        if name is Property.STORY and not (text.isascii() and text.isdigit() and len(text) <= 18):
            self.refuse(value, "a story is named by its number, as in story:12")
        if name is Property.IS and text.lower() not in READER_TABLES:
            self.refuse(value, "after is: comes hidden, saved, labelled or noted")
        return Is(name, text.lower() if name is Property.IS else text)

    def words(self, token: _QueryToken, field: SearchedField | None) -> Query | None:
        exact = token.kind == "quoted"
        text = " ".join(token.text.split())
        prefix = token.prefix
        if not exact and text.endswith("*"):
            text, prefix = text.rstrip("*"), True
        if not search_words(text):
            return None
        return SearchedWords(text, field, exact, prefix)

    def days(self, name: str, value: _QueryToken) -> Query:
        match = _DAY.fullmatch(value.text.strip())
        try:
            first, last = _span(match) if match and match[1] != "9999" else (None, None)
        except (ValueError, OverflowError):
            first = last = None
        if first is None or last is None:
            self.refuse(value, f"{value.text!r} is no day; write {name}:2024-03-05, or a month, or a year")
        match name:
            case "since":
                return DayRange(first, None)
            case "until":
                return DayRange(None, last)
            case "after":
                return DayRange(last + timedelta(1), None)
            case "before":
                return DayRange(None, first - timedelta(1))
            case _:
                return DayRange(first, last) if first == last else And((DayRange(first, None), DayRange(None, last)))

    def peek(self) -> _QueryToken | None:
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def take(self) -> _QueryToken:
        token = self.peek()
        if token is None:
            raise BadQuery(self.text, len(self.text), "a word is missing at the end")
        self.place += 1
        return token

    def operator(self, name: str) -> bool:
        token = self.peek()
        if token is None or not _says(token, name):
            return False
        self.place += 1
        return True

    def refuse(self, token: _QueryToken, reason: str) -> NoReturn:
        raise BadQuery(self.text, token.at, reason)


def _says(token: _QueryToken, *operators: str) -> bool:
    return token.kind == "word" and token.text in operators


def _flattened(kind: type[And | Or], parts: list[Query | None]) -> Query | None:
    """Return a conjunction or disjunction without nested ones of the same kind; None and single parts are unwrapped."""
    flat: list[Query] = []
    for part in parts:
        if part is None:
            continue
        flat += part.parts if isinstance(part, kind) else (part,)
    return None if not flat else flat[0] if len(flat) == 1 else kind(tuple(flat))


def _span(match: re.Match[str]) -> tuple[date, date]:
    """Return the first and last day of a year, month or day."""
    year, month, day = (int(part) if part else None for part in match.groups())
    first = date(year or 0, month or 1, day or 1)
    if day is not None:
        return first, first
    following = date(first.year + 1, 1, 1) if month is None or month == 12 else date(first.year, month + 1, 1)
    return first, following - timedelta(1)
