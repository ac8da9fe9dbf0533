"""Elements found in the bytes of a page by string search.

Nothing is parsed: the rarest piece of text is searched for, and only the tag around it is looked at. The end of an
element is found by counting start and end tags of its name (hybrid paper, algorithm 1).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from tidings.sites.anchor import Anchor, Condition

#: A longer start tag is passed over: what it says of its element is not what a rule was made of.
_LONGEST_TAG: Final = 8192
_NAME: Final = re.compile(rb"<([a-zA-Z][^\s/>]*)")
#: What tags do not count in, as most pages write it; `_nesting` knows the other ways.
_PASSED_OVER: Final = ((b"<script", b"</script"), (b"<style", b"</style"), (b"<!--", b"-->"))


class Opening(NamedTuple):
    """A start tag: the place of its `<`, and the place behind its `>`."""

    start: int
    end: int


class Range(NamedTuple):
    """A piece of the source."""

    start: int
    end: int


class Finder:
    """Looks for the elements that an anchor tells, in pages of one encoding."""

    __slots__ = ("_closes", "_needle", "_opens", "_pattern", "anchor")

    def __init__(self, anchor: Anchor, encoding: str, starts: str = "") -> None:
        self.anchor = anchor
        name = anchor.tag.encode("ascii", "replace")
        conditions = [one for one in anchor.conditions if one.value]
        pattern = b"<" + (b"(?i:" + re.escape(name) + b")" if name else rb"[a-zA-Z][^\s/>]*+") + rb"(?=[\s/>])"
        pattern += b"".join(_lookahead(one, encoding) for one in conditions) + rb"[^>]*+>"
        self._pattern = re.compile(pattern)
        self._needle = max((one.value.encode(encoding, "replace") for one in conditions), key=len, default=b"")
        self._opens, self._closes = b"<" + name, b"</" + name
        if starts:
            self._needle = starts.encode(encoding, "replace")

    def openings(self, data: bytes, start: int, end: int, most: int = 1_000_000) -> list[Opening]:
        """The start tags of such elements between two places, in order; no more than so many."""
        needle, match = self._needle, self._pattern.match
        found: list[Opening] = []
        if not needle:
            for named in self._pattern.finditer(data, start, end):
                found.append(Opening(*named.span()))
                if len(found) >= most:
                    break
            return found
        from_start = needle.startswith(b"<")
        place = data.find(needle, start, end)
        while place >= 0:
            opened = place if from_start else data.rfind(b"<", max(start, place - _LONGEST_TAG), place)
            tag = match(data, opened, min(end, opened + _LONGEST_TAG)) if opened >= 0 else None
            if tag is not None and tag.end() > place:
                found.append(Opening(opened, tag.end()))
                if len(found) >= most:
                    break
                place = tag.end()
            else:
                place += 1
            place = data.find(needle, place, end)
        return found

    def closing(self, data: bytes, opening: Opening, end: int) -> Range | None:
        """The end tag of the element that a start tag opens. Tags in scripts and comments do not count.

        None if there are never as many end tags as start tags.
        """
        tag = self.anchor.tag or _name(data, opening)
        # Counting alone is for pages that write the name as the rule does, and names that begin no other.
        quick = len(self._opens) > len("<td") and data.startswith(self._opens, opening.start)
        at = self._counted(data, opening.end, end) if quick else None
        if at is None:
            at = _looked_at(data, opening.end, tag, end)
        if at is None:
            return None
        behind = data.find(b">", at, end)
        return Range(at, behind + 1 if behind >= 0 else end)

    def _counted(self, data: bytes, start: int, end: int) -> int | None:
        """The place of the end tag by counting alone; None where something in between could be miscounted."""
        opens, closes = self._opens, self._closes
        find, count = data.find, data.count
        depth, place = 1, start
        while depth:
            closed = find(closes, place, end)
            if closed < 0:
                return None
            depth += count(opens, place, closed) - 1
            place = closed + len(closes)
        at = place - len(closes)
        for begins, ends in _PASSED_OVER:
            inner = find(begins, start, at)
            while inner >= 0:
                behind = find(ends, inner, end)
                behind = end if behind < 0 else behind
                if find(opens, inner, behind) >= 0 or find(closes, inner, behind) >= 0:
                    return None
                inner = find(begins, behind, at)
        return at


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


@lru_cache(maxsize=256)
def _nesting(tag: str) -> re.Pattern[bytes]:
    name = re.escape(tag.encode("ascii", "replace"))
    return re.compile(
        rb"<(?:(?P<close>/)?(?i:"
        + name
        # What is never closed goes to the end, as in a browser; so no place is looked at twice.
        + rb")(?=[\s/>])|(?i:script|style)\b(?:.*?</(?i:script|style)|.*)|!--(?:.*?-->|.*))",
        re.DOTALL,
    )


def _looked_at(data: bytes, start: int, tag: str, end: int) -> int | None:
    """The place of the end tag, tag by tag."""
    depth = 1
    for match in _nesting(tag).finditer(data, start, end):
        if match.end() - match.start() > len(tag) + 2:
            continue  # a script, a style or a comment
        depth += -1 if match["close"] else 1
        if not depth:
            return match.start()
    return None


def _name(data: bytes, opening: Opening) -> str:
    found = _NAME.match(data, opening.start)
    return found[1].decode("ascii", "replace").lower() if found else "*"
