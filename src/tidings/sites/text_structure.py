"""Lists and tables, for the text of a fragment: signs before items, and rows of a table on lines of their own.

The rules are those of `article.plain`, `article.lists` and `article.tables`, for tags that are closed in order.
All else is `Unclear`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from tidings.article import Item
from tidings.article.plain import MAX_NESTING, marker
from tidings.sites.plain_tags import (
    BOX,
    CAPTION,
    HEADING,
    HEADINGS,
    ITEM,
    LIST,
    NUMBERED,
    QUOTE,
    SORTS,
    TABLE,
)


class Unclear(Exception):  # no failure: the fragment goes another way
    """Tags of which the text alone is not quickly told."""


class _Around(NamedTuple):
    """What stands around a text."""

    lists: int = 0
    counter: list[int] | None = None  # of the innermost list, if it has numbers
    item: int = 0
    sign: str = ""  # before the text that begins the item
    apart: bool = False  # in a heading or a caption


@dataclass(slots=True)
class _Table:
    """A table that is open."""

    first: int  # text
    rows: list[list[tuple[int, int]]] = field(default_factory=list)  # of each cell the first text, and that behind
    headed: bool = False  # has a header cell
    structured: bool = False  # holds a table, a heading, a quotation or a figure
    listed: bool = False  # holds a list

    def take_in(self, name: str, sort: int, texts: int) -> None:
        """A start tag in the table, behind so many texts."""
        if name == "tr":
            self.rows.append([])
        elif name in _CELLS:
            self.rows[-1].append((texts, texts))
            self.headed = self.headed or name == "th"
        self.structured = self.structured or name in STRUCTURED
        self.listed = self.listed or sort in (LIST, NUMBERED)


_CELLS: Final = ("td", "th")
_IN_TABLES: Final = frozenset((*_CELLS, "table"))  # at the end of which there is something to do
_GROUPS: Final = ("tbody", "thead", "tfoot")
_OUTSIDE_CELLS: Final = frozenset(("table", "tr", *_GROUPS))
#: What each part of a table stands in.
_STANDS_IN: Final = dict.fromkeys(_GROUPS, ("table",)) | {"tr": ("table", *_GROUPS), "td": ("tr",), "th": ("tr",)}
#: What is closed by a tag that is not its own end tag.
_CLOSED_BY: Final = {
    **dict.fromkeys(_CELLS, _CELLS),
    "tr": (*_CELLS, "tr"),
    "/tr": _CELLS,
    **dict.fromkeys(_GROUPS, (*_CELLS, "tr", *_GROUPS)),
    **dict.fromkeys(("/tbody", "/thead", "/tfoot"), (*_CELLS, "tr")),
    "/table": (*_CELLS, "tr", *_GROUPS),
    **dict.fromkeys(("/ul", "/ol", "/menu"), ("li",)),
}
#: What no table of data holds.
STRUCTURED: Final = frozenset(("table", "figure", "figcaption", "blockquote", *HEADINGS))
_MAY_TELL: Final = frozenset(name for name, sort in SORTS.items() if sort in (ITEM, LIST, NUMBERED, TABLE))
#: Attributes with which a tag says something of its list or table.
_TELLING: Final = ("start", "reversed", "value", "role")
#: What is deeper is no page that somebody wrote.
_DEEPEST: Final = 200


class Structure:
    """The elements that are open, and what they do to the texts in them."""

    __slots__ = ("_around", "_begun", "_items", "_tables", "put_in", "signs", "stack")

    def __init__(self) -> None:
        self.signs: dict[int, str] = {}  # of texts that begin an item
        self.put_in: dict[int, int] = {}  # characters of a text that stand on no page: what is between cells and rows
        self.stack: list[tuple[str, _Around]] = []  # elements that are open, with what stands around them
        self._around = _Around()
        self._tables: list[_Table] = []
        self._items = 0
        self._begun = 0  # the last item that a text began

    def check(self, names: Sequence[str], attributed: Sequence[str], small: str) -> None:
        """See that no tag says something of its list or table that has to be looked at closely; `small` is all said.

        Raises:
            Unclear: one does.
        """
        words = [word for word in _TELLING if word in small]
        if words:
            for name, one in zip(names, attributed, strict=True):
                if one and name in _MAY_TELL and any(word in one.lower() for word in words):
                    raise Unclear

    def text(self, place: int) -> None:
        """A text is about to be added as that of a place."""
        stack = self.stack
        if stack:
            if stack[-1][0] in _OUTSIDE_CELLS:
                raise Unclear  # a browser moves it out of the table
            if self._around.item > self._begun:
                self._begun = self._around.item
                self.signs[place] = self._around.sign

    def tag(self, name: str, found: list[str]) -> None:
        """A tag that parts texts; an end tag begins with `/`. Of boxes only those in something else are told."""
        stack = self.stack
        if not name.islower():
            name = name.lower()
        if name[0] == "/":
            if stack:
                bare = name[1:]
                if stack[-1][0] == bare and bare not in _IN_TABLES:  # as nearly all
                    self._around = stack.pop()[1]
                else:
                    self._close(name, bare, found)
        elif (sort := SORTS[name]) != BOX:
            self._begin(name, sort, found)
        elif stack[-1][0] in _OUTSIDE_CELLS or len(stack) > _DEEPEST:
            raise Unclear
        else:
            stack.append((name, self._around))

    def _begin(self, name: str, sort: int, found: list[str]) -> None:
        """A start tag, but no box."""
        stack = self.stack
        if name in _CLOSED_BY:
            self._make_room(name, found)
        around = stack[-1][0] if stack else ""
        wanted = _STANDS_IN.get(name)
        if around in _OUTSIDE_CELLS if wanted is None else around not in wanted:
            raise Unclear
        if sort == ITEM:
            if around == "li":
                self._pop(found)
            elif _is_in_item(stack):
                raise Unclear
        if len(stack) > _DEEPEST:
            raise Unclear
        stack.append((name, self._around))
        self._enter(name, sort, len(found))

    def end(self, found: list[str]) -> None:
        """All ends.

        Raises:
            Unclear: something is still open.
        """
        self._make_room("/ul", found)
        if self.stack:
            raise Unclear

    def _enter(self, name: str, sort: int, texts: int) -> None:
        """What is different inside an element."""
        around = self._around
        if sort in (HEADING, CAPTION, QUOTE):
            if around.item:
                raise Unclear
            self._around = around._replace(apart=around.apart or sort != QUOTE)
        elif sort in (LIST, NUMBERED):
            _, _, item, sign, apart = around
            self._around = _Around(around.lists + 1, [0] if sort == NUMBERED else None, item, sign, apart)
        elif sort == ITEM:
            if around.apart:
                raise Unclear
            self._items += 1
            number = None
            if around.counter is not None:
                around.counter[0] += 1
                number = around.counter[0]
            self._around = _Around(around.lists, around.counter, self._items, _sign(around.lists, number))
        if self._tables:
            self._tables[-1].take_in(name, sort, texts)
        if name == "table":
            self._tables.append(_Table(texts))

    def _make_room(self, name: str, found: list[str]) -> None:
        """Close what a tag closes, though it has an end tag of its own."""
        closed = _CLOSED_BY.get(name, ())
        while self.stack and self.stack[-1][0] in closed:
            self._pop(found)

    def _close(self, name: str, bare: str, found: list[str]) -> None:
        if self.stack[-1][0] != bare:
            self._make_room(name, found)
            if not self.stack or self.stack[-1][0] != bare:
                if bare in _STANDS_IN and self._is_closed(bare):
                    return
                raise Unclear
        self._pop(found)

    def _is_closed(self, part: str) -> bool:
        """Whether no such part of the innermost table is open, so that its end tag ends nothing."""
        names = [name for name, _ in self.stack]
        return part not in names[-names[::-1].index("table") - 1 :] if "table" in names else True

    def _pop(self, found: list[str]) -> None:
        name, self._around = self.stack.pop()
        if name in _CELLS:
            cells = self._tables[-1].rows[-1]
            cells[-1] = (cells[-1][0], len(found))
        elif name == "table":
            self._end(self._tables.pop(), found)

    def _end(self, table: _Table, found: list[str]) -> None:
        """A table ends: if it is one of data, its texts are made one."""
        rows = [row for row in table.rows if row]
        if table.structured or max(map(len, rows), default=0) < 2 or (len(rows) < 2 and not table.headed):
            return
        if table.listed or any(last - first > 1 for row in rows for first, last in row):
            if table.headed:
                raise Unclear
            return
        if self._around != _Around() or next(reversed(self.signs), -1) >= table.first:
            raise Unclear
        said = [[" ".join(found[first].split()) if last > first else "" for first, last in row] for row in rows]
        text = "\n".join([" | ".join(row) for row in said if any(row)])
        if text:
            self.put_in[table.first] = len(text) - sum(map(len, found[table.first :]))
            found[table.first :] = [text]


@lru_cache(maxsize=1024)
def _sign(lists: int, number: int | None) -> str:
    """What stands before an item in so many lists."""
    indent = "  " * (min(max(lists, 1), MAX_NESTING) - 1)
    return indent + marker(Item(number is not None, number))


def _is_in_item(stack: Sequence[tuple[str, _Around]]) -> bool:
    """Whether an item of a list is open, and neither a list nor a cell in it."""
    for name, _ in reversed(stack):
        if name == "li":
            return True
        if name in _CELLS or SORTS.get(name) in (LIST, NUMBERED):
            return False
    return False
