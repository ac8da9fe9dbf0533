"""Elements found in the bytes of a page by string search.

Nothing is parsed: the rarest piece of text is searched for, and only the tag around it is looked at. The end of an
element is found by counting start and end tags of its name (hybrid paper, algorithm 1).
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import Final, TypeAlias

from tidings.sites.anchor import Anchor, Condition

#: A longer start tag is passed over: what it says of its element is not what a rule was made of.
_LONGEST_TAG: Final = 8192
_NAME: Final = re.compile(rb"<([a-zA-Z][^\s/>]*)")
#: Start tags that are remembered, and how long they are at most.
_MOST_KNOWN, _LONGEST_KNOWN = 256, 400


#: A piece of the source, or a start tag in it: where it begins, and the place behind it. Plain, for many are made.
Range: TypeAlias = tuple[int, int]


class Finder:
    """Looks for the elements that an anchor tells, in pages of one encoding."""

    __slots__ = ("_ends", "_from_start", "_known", "_needle", "_nesting", "_pattern", "_written", "anchor")

    def __init__(self, anchor: Anchor, encoding: str, starts: str = "") -> None:
        self.anchor = anchor
        name = anchor.tag.encode("ascii", "replace")
        conditions = [one for one in anchor.conditions if one.value]
        pattern = b"<" + (b"(?i:" + re.escape(name) + b")" if name else rb"[a-zA-Z][^\s/>]*+") + rb"(?=[\s/>])"
        pattern += b"".join(_lookahead(one, encoding) for one in conditions) + rb"[^>]*+>"
        self._written = pattern
        self._pattern: re.Pattern[bytes] | None = None  # made when it is used: the core does without
        self._needle = self.needle_of(anchor, encoding, starts)
        self._from_start = self._needle.startswith(b"<")
        self._nesting = _nesting(anchor.tag) if anchor.tag else None
        self._ends = b"</" + (name or b"*") + b">"
        self._known: dict[bytes, bool] = {}  # start tags that were looked at

    @staticmethod
    def needle_of(anchor: Anchor, encoding: str, starts: str = "") -> bytes:
        """What is searched for: how the start tag begins, if that is told, else the longest value of a condition."""
        values = (one.value.encode(encoding, "replace") for one in anchor.conditions if one.value)
        return starts.encode(encoding, "replace") or max(values, key=len, default=b"")

    def openings(self, data: bytes, start: int, end: int, most: int = 1_000_000) -> list[Range]:
        """The start tags of such elements between two places, in order; no more than so many."""
        needle = self._needle
        if not needle:
            named = islice(self._made().finditer(data, start, end), most)
            return [one.span() for one in named]
        found: list[Range] = []
        place = data.find(needle, start, end)
        while place >= 0:
            opened, behind = self._around(data, place, start, end)
            if behind <= place:  # no tag is around it
                place = data.find(needle, place + 1, end)
                continue
            if self._fits(data[opened:behind]):
                found.append((opened, behind))
                if len(found) >= most:
                    break
            place = data.find(needle, behind, end)
        return found

    def alone(self, data: bytes, start: int, end: int) -> list[Range]:
        """The start tag of the only such element between two places; another with it if there is one.

        Searched for from the end, which Python does in half the time.
        """
        needle = self._needle
        if not needle:
            return self.openings(data, start, end, 2)
        found: list[Range] = []
        place = data.rfind(needle, start, end)
        while place >= 0:
            opened, behind = self._around(data, place, start, end)
            if behind <= place:  # no tag is around it
                place = data.rfind(needle, start, place + len(needle) - 1)
                continue
            if self._fits(data[opened:behind]):
                found.insert(0, (opened, behind))
                if len(found) > 1:
                    break
            place = data.rfind(needle, start, opened)
        return found

    def _around(self, data: bytes, place: int, start: int, end: int) -> Range:
        """The start tag around a place where the needle stands; it ends before the place if there is none."""
        opened = place
        if not self._from_start:
            opened = data.rfind(b"<", start if place - start < _LONGEST_TAG else place - _LONGEST_TAG, place)
            if opened < 0:
                return 0, 0
        return opened, data.find(b">", opened, end if end - opened < _LONGEST_TAG else opened + _LONGEST_TAG) + 1

    def _made(self) -> re.Pattern[bytes]:
        """The pattern of such start tags."""
        if self._pattern is None:
            self._pattern = re.compile(self._written)
        return self._pattern

    def _fits(self, tag: bytes) -> bool:
        """Whether a start tag is one that the anchor tells."""
        # The pages of a site have the same tags again and again.
        fits = self._known.get(tag)
        if fits is None:
            fits = self._made().match(tag) is not None
            if len(tag) <= _LONGEST_KNOWN:
                if len(self._known) >= _MOST_KNOWN:
                    self._known.clear()
                self._known[tag] = fits
        return fits

    def first(self, data: bytes, start: int, end: int) -> Range | None:
        """The first start tag of the anchor's name between two places that is not in a script or a comment."""
        for tag in _nesting(self.anchor.tag).finditer(data, start, end):
            if tag.lastindex == _BEGINS:
                at = tag.start()
                behind = data.find(b">", at, end)
                return (at, behind + 1) if behind >= 0 else None
        return None

    def closing(self, data: bytes, opening: Range, end: int) -> Range | None:
        """The end tag of the element that a start tag opens. Tags in scripts and comments do not count.

        None if there are never as many end tags as start tags. A cell or a row of a table needs none: it ends where the
        next begins, or its table ends.
        """
        start = opening[1]
        at = data.find(b"<", start, end)
        if at >= 0 and data.startswith(self._ends, at) and at + len(self._ends) <= end:  # no tag is in it
            return at, at + len(self._ends)
        name = self.anchor.tag or _name(data, opening)
        if name in _OF_TABLES:
            return _closing_of_table(name, data, start, end)
        depth = 1
        for tag in (self._nesting or _nesting(name)).finditer(data, start, end):
            which = tag.lastindex
            if which == _ENDS:
                depth -= 1
                if not depth:
                    at = tag.start()
                    behind = data.find(b">", at, end)
                    return at, behind + 1 if behind >= 0 else end
            elif which == _BEGINS:
                depth += 1
        return None


def _closing_of_table(name: str, data: bytes, start: int, end: int) -> Range | None:
    """The end of a cell or row: its end tag, or where the tag stands that ends it without one."""
    depth = 1
    own = _in_table(name)
    for tag in own.finditer(data, start, end):
        which = tag.lastindex
        at = tag.start()
        if which == _BEGINS:
            depth += 1
        elif which == _ENDS:
            depth -= 1
            if not depth:
                return at, at
        elif which == _NEXT and depth == 1:
            if data[at + 1 : at + 2] == b"/" and data[at + 2 : at + 2 + len(name)].lower() == name.encode():
                behind = data.find(b">", at, end)
                return at, behind + 1 if behind >= 0 else end
            return at, at
    return (end, end) if depth == 1 else None


@lru_cache(maxsize=2048)
def finder(anchor: Anchor, encoding: str) -> Finder:
    """The finder of an anchor; those used last are kept."""
    return Finder(anchor, encoding)


def _lookahead(condition: Condition, encoding: str) -> bytes:
    """That an attribute of the tag meets a condition, with its value in quotes of either sort or in none."""
    value = re.escape(condition.value.encode(encoding, "replace"))
    name = re.escape(condition.name.encode("ascii", "replace"))

    def between(other: bytes) -> bytes:
        if condition.how == "is":
            return value
        if condition.how == "word":
            return rb"(?:" + other + rb"*\s)?" + value + rb"(?:\s" + other + rb"*+)?"
        return (other + b"*?" if condition.how == "holds" else b"") + value + other + b"*+"

    forms = b'"' + between(b'[^">]') + b'"|' + b"'" + between(b"[^'>]") + b"'|" + between(rb"[^\s>\"']") + rb"(?=[\s>])"
    return rb"(?=[^>]*?[\s/](?i:" + name + rb")\s*+=\s*+(?:" + forms + rb"))"


#: The groups of `_nesting`, and the one that `_in_table` has besides.
_ENDS, _BEGINS, _NEXT = 1, 2, 3
#: Tags that end a cell or a row, start tags and end tags alike.
_OF_TABLES: Final = {
    **dict.fromkeys(("td", "th"), ("td", "th", "tr", "tbody", "thead", "tfoot")),
    "tr": ("tr", "tbody", "thead", "tfoot"),
}


@lru_cache(maxsize=256)
def _nesting(tag: str) -> re.Pattern[bytes]:
    """Start and end tags of a name, and what they do not count in: comments, scripts and styles."""
    return _tags_of(tag)


@lru_cache(maxsize=8)
def _in_table(tag: str) -> re.Pattern[bytes]:
    """Start and end tags of tables, and the tags that end a cell or a row."""
    others = b"|".join(_in_any_case(name) for name in _OF_TABLES[tag])
    return _tags_of("table", rb"/?+(?:" + others + rb")(?=[\s/>])()|")


def _tags_of(tag: str, others: bytes = b"") -> re.Pattern[bytes]:
    """What is never closed goes to the end, as in a browser; so no place is looked at twice.

    Every way through begins with a character or a set of them, which is told at once: four in five tags are of no
    concern.
    """
    name = _in_any_case(tag)
    raw = b"|".join(
        one + rb"\b[^<]*+(?:<(?!/" + one + rb"\b)[^<]*+)*+" for one in map(_in_any_case, ("script", "style"))
    )
    comment = rb"!--[^-]*+(?:-(?!->)[^-]*+)*+"
    own = rb"/" + name + rb"(?=[\s/>])()|" + name + rb"(?=[\s/>])()|"
    return re.compile(b"<(?:" + own + others + raw + b"|" + comment + b")")


def _in_any_case(name: str) -> bytes:
    """A pattern for a name in small and large letters; made of sets, which are quicker than a flag."""
    both = ((char.lower(), char.upper()) for char in name)
    return b"".join(
        re.escape(low.encode("ascii", "replace")) if low == up else f"[{low}{up}]".encode("ascii", "replace")
        for low, up in both
    )


def _name(data: bytes, opening: Range) -> str:
    found = _NAME.match(data, opening[0])
    return found[1].decode("ascii", "replace").lower() if found else "*"
