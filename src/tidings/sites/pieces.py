"""Where the pieces that rules are about stand in the bytes of a page (hybrid paper, section 5).

An element is found by its start tag, and its end by counting; noise inside it is cut out the same way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import chain
from math import ceil
from typing import Final

from tidings.core.rules import CutPage, Fragments
from tidings.sites.compiled import MOST, SHARE_OF_MARKERS, Compiled, Cutter
from tidings.sites.fragment_text import FinishedText
from tidings.sites.rule import MAIN, Way
from tidings.sites.search import Finder, Range

_FAR: Final = 20_000  # bytes between the two delimiters of a field
HEAD: Final = 8192  # bytes in which the address that others are relative to is looked for
_STYLES: Final = (b"<style", b"<STYLE")
#: A style sheet right behind one of these is none for a reader with scripts.
_AROUND_STYLES: Final = ((b"<noscript", b"</noscript"), (b"<!--", b"-->"))
_BEFORE: Final = 200
#: The language that the root element declares, among the first bytes of a page.
_DECLARED: Final = re.compile(rb"""<html\b[^>]{0,999}?\slang\s*=\s*["']?([a-z]{2})(?![a-z])""", re.IGNORECASE)
_ROOT: Final = 4096
_UNSIGNED: Final = 2**64 - 1


class Doubt(Exception):
    """Why the rules of a template are not to be trusted on a page."""


class OtherMake(Doubt):
    """The page is built otherwise. A few searches tell it, before anything is cut out."""


class PageRanges:
    """Where everything that a template's rules are about stands in the bytes of a page.

    Args:
        has_base: there may be a `<base>`.
        language: that the root element declares.
        numbers: from `at` on of each rule for a field the ranges where its pieces stand, with their count before them;
            or, where the core has told what they say, their count below zero and of each twice its end among what is
            said, one more if it is an address of which nothing has to be changed. Then ranges of the main text, noise
            left out, in the order of the page, and of style sheets without their end tags.
        said: what the core has told, that of fields from `first` on.
        text: what the main text says, if the core has told it.
        rows: where among the numbers the blocks begin, if it has told of them.
    """

    __slots__ = ("at", "first", "has_base", "language", "numbers", "rows", "said", "text")

    def __init__(
        self,
        has_base: bool,
        language: str,
        numbers: list[int],
        at: int = 0,
        said: str = "",
        first: int = 0,
        text: FinishedText | None = None,
        rows: int = 0,
    ) -> None:
        self.has_base, self.language = has_base, language
        self.numbers, self.at = numbers, at
        self.said, self.first = said, first
        self.text, self.rows = text, rows

    def main(self, ready: Compiled) -> list[Range]:
        """Where the main text stands."""
        return several(self.numbers, self._behind_fields(ready))[0]

    def styles(self, ready: Compiled) -> list[Range]:
        """Where style sheets stand."""
        return several(self.numbers, several(self.numbers, self._behind_fields(ready))[1])[0]

    def _behind_fields(self, ready: Compiled) -> int:
        at = self.at
        for _ in ready.fields:
            count = self.numbers[at]
            at += 1 + max(2 * count, -count)
        return at


def page_ranges(
    ready: Compiled, data: bytes, fragments: Fragments | None = None, origin: str | None = None
) -> PageRanges:
    """Where the pieces stand that rules are about; given what the core must know for it, what the main text says too.

    And its blocks, given how addresses begin that those of the page are relative to.

    Raises:
        OtherMake: the rules do not fit the page.
    """
    if ready.rules is not None and (found := ready.rules.cut(data, fragments, origin)) is not None:
        return _read(ready, found)
    return searched_ranges(ready, data)


def searched_ranges(ready: Compiled, data: bytes) -> PageRanges:
    """The same in Python."""
    if ready.markers and not is_of_this_make(ready.markers, data, ready.template.expected.reach or len(data)):
        raise OtherMake(_OTHER_MAKE)
    main = main_pieces(ready, data)
    has_base = data.find(b"<base", 0, HEAD) >= 0 or data.find(b"<BASE", 0, HEAD) >= 0
    every = (*(field_ranges(one, data) for one in ready.fields), main, _style_sheets(data))
    numbers = [number for ranges in every for number in (len(ranges), *chain(*ranges))]
    return PageRanges(has_base, declared_language(data), numbers)


_OTHER_MAKE: Final = "the page is built otherwise than those that were learned from"
#: Numbers before those of the fields (`core/src/boundary/cut.rs`).
_HEAD_NUMBERS: Final = 13


def _read(ready: Compiled, cut: CutPage) -> PageRanges:
    """What the core says, whose numbers of doubts are those of `core/src/cut.rs`."""
    found, said = cut
    _, _, blocks, end, size, linked, latin, sample, begin, rows, doubt, told = found[: _HEAD_NUMBERS - 1]
    if doubt:
        raise OtherMake(_doubt(doubt, ready.cutters[told]))
    text = None
    if blocks >= 0:
        hashes = tuple([number & _UNSIGNED for number in found[len(found) - blocks :]])
        text = FinishedText(said[:end], size, linked, latin / sample if sample else 1.0, said[end:begin], hashes)
    return PageRanges(bool(told), _language(found[_HEAD_NUMBERS - 1]), found, _HEAD_NUMBERS, said, begin, text, rows)


@cache
def _language(letters: int) -> str:
    """A language as the core tells it: its two letters as one number."""
    return letters.to_bytes(2, "big").decode("ascii") if letters else ""


def declared_language(data: bytes) -> str:
    """The language that the root element of a page declares."""
    found = _DECLARED.search(data, 0, _ROOT)
    return found[1].decode("ascii") if found else ""


def several(found: list[int], at: int) -> tuple[list[Range], int]:
    """Ranges with their count before them, and the place behind them."""
    count = found[at]
    if not count:
        return [], at + 1
    behind = at + 1 + 2 * count
    return list(zip(found[at + 1 : behind : 2], found[at + 2 : behind : 2], strict=True)), behind


def _doubt(number: int, one: Cutter) -> str:
    rule = one.rule
    what = str(rule.anchor) if rule.anchor else repr(rule.left)
    return {
        1: _OTHER_MAKE,
        2: f"no match for {what}",
        3: "no match for any rule of the main text",
        4: f"two matches for {what}",
        5: f"two matches for {rule.inside}",
        6: f"{what} is never closed",
        7: "style sheets hide text of the article by what is around it",
    }[number]


def is_of_this_make(markers: Sequence[bytes], data: bytes, reach: int) -> bool:
    """Whether a page has enough of the markers; no more of them are looked for than tell."""
    wanted = ceil(SHARE_OF_MARKERS * len(markers))
    behind = 0
    for place, marker in enumerate(markers):
        # They mostly stand in the order in which they were learned.
        at = data.find(marker, behind, reach)
        if at < 0 and behind:
            at = data.find(marker, 0, min(reach, behind + len(marker)))
        if at >= 0:
            behind = at
            wanted -= 1
            if not wanted:
                return True
        elif wanted > len(markers) - place - 1:
            return False
    return False


def _style_sheets(data: bytes) -> list[Range]:
    """The style sheets that stand on a page, found by their tags alone."""
    found = []
    for name in _STYLES:
        place = data.find(name)
        while place >= 0:
            end = data.find(b"</" + name[1:], place)
            end = len(data) if end < 0 else end
            before = data[max(place - _BEFORE, 0) : place]
            if all(before.rfind(begins) <= before.rfind(ends) for begins, ends in _AROUND_STYLES):
                found.append((place, end))
            place = data.find(name, end)
    return found


def field_ranges(one: Cutter, data: bytes) -> list[Range]:
    """Where the pieces of a field stand: start tags, if an attribute is asked for."""
    rule = one.rule
    if one.way in (Way.ADDRESS, Way.CONSTANT):
        return []
    end = min(rule.reach or len(data), len(data))
    if rule.attribute and one.find is not None:
        return one.find.openings(data, 0, end, one.most)
    try:
        return ranges_of(one, data, alone=False, end=end, most=one.most)
    except Doubt:
        return []


def main_pieces(ready: Compiled, data: bytes) -> list[Range]:
    """The ranges of the source that the main text stands in, noise left out, in the order of the page.

    Raises:
        OtherMake: a rule matches nothing, or more than once.
    """
    found: list[Range] = []
    several = ready.template.several
    for place, one in enumerate(ready.main):
        ranges = ranges_of(one, data, alone=not several)
        if one.find is not None and (one.left or one.right):
            ranges = [_trimmed(one, data, *found) for found in ranges]
        if several and ranges:
            found = ranges
            break
        # The first rule holds most of the text; without a lesser one, a page may do.
        if not ranges and not several and not place:
            raise OtherMake(f"no match for {one.rule.anchor or repr(one.rule.left)}")
        found += ranges
    if not found:
        raise OtherMake("no match for any rule of the main text")
    found = _disjoint(found)
    noise = [
        inner
        for one in ready.noise
        for start, end in found
        for inner in ranges_of(one, data, alone=False, start=start, end=end)
    ]
    return _without(found, noise) if noise else found


def ranges_of(
    one: Cutter, data: bytes, *, alone: bool, start: int = 0, end: int | None = None, most: int = MOST
) -> list[Range]:
    """Where the pieces that a rule is about stand, with the tags of their elements if those mean something alone.

    No more than so many are looked for.

    Raises:
        OtherMake: `alone` was asked for and there are two, or one that is never closed.
    """
    end = len(data) if end is None else end
    if one.inside is not None:
        around = _only(one.inside, data, start, end)
        closed = one.inside.closing(data, around, end) if around else None
        if around is None or closed is None:
            return []
        start, end = around[1], closed[0]
    if one.find is None:
        return _all_between(one, data, start, end, alone=alone)
    if one.path:
        return _at_path(one, data, start, end)
    if alone and not one.rule.each:
        openings = one.find.alone(data, start, end)
        if len(openings) > 1:
            raise OtherMake(f"two matches for {one.rule.anchor}")
    else:
        openings = one.find.openings(data, start, end, most)
    ranges = _closed(one, one.find, data, openings, end, alone=alone)
    if not ranges and openings and most == 1:  # one behind it may be closed
        return _closed(one, one.find, data, one.find.openings(data, start, end, MOST), end, alone=False)[:1]
    return ranges


def _at_path(one: Cutter, data: bytes, start: int, end: int) -> list[Range]:
    """The element at the end of a path."""
    opening = closed = (start, start)
    for find, number in one.path:
        behind = start
        for _ in range(number):
            first = find.first(data, behind, end)
            last = find.closing(data, first, end) if first else None
            if first is None or last is None:
                return []
            opening, closed = first, last
            behind = closed[1]
        start, end = opening[1], closed[0]
    return [(opening[1], closed[0]) if one.bare else (opening[0], closed[1])]


def _trimmed(one: Cutter, data: bytes, start: int, end: int) -> Range:
    """An element without what stands in it up to the left delimiter of its rule, and from the right one on."""
    if one.left and (place := data.find(one.left, start, end)) >= 0:
        start = place + len(one.left)
    if one.right and (place := data.find(one.right, start, end)) >= 0:
        end = place
    return start, end


def _closed(one: Cutter, find: Finder, data: bytes, openings: Sequence[Range], end: int, *, alone: bool) -> list[Range]:
    """The elements that start tags open; of those that are in each other the outer."""
    ranges: list[Range] = []
    behind = -1
    for opening in openings:
        if opening[0] < behind:
            continue  # in the one before
        closed = find.closing(data, opening, end)
        if closed is not None:
            found = (opening[1], closed[0]) if one.bare else (opening[0], closed[1])
            ranges.append(found)
            behind = found[1]
        elif alone:
            raise OtherMake(f"{one.rule.anchor} is never closed")
    return ranges


def _only(find: Finder, data: bytes, start: int, end: int) -> Range | None:
    found = find.alone(data, start, end)
    if len(found) > 1:
        raise OtherMake(f"two matches for {find.anchor}")
    return found[0] if found else None


def between(one: Cutter, data: bytes, start: int, end: int) -> Range | None:
    """Where what stands between the first left delimiter of a rule and the right one that follows begins and ends."""
    left = one.left
    place = data.find(left, start, end) if left else -1
    if place < 0:
        return None
    begin = place + len(left)
    if end - begin > _FAR and one.rule.field != MAIN:
        end = begin + _FAR
    behind = data.find(one.right, begin, end)
    return (begin, behind) if behind >= 0 else None


def _all_between(one: Cutter, data: bytes, start: int, end: int, *, alone: bool) -> list[Range]:
    """What stands between the delimiters of a rule, each time if it is about several."""
    found: list[Range] = []
    inner = between(one, data, start, end)
    while inner is not None:
        found.append(inner)
        if not one.rule.each:
            if alone and data.find(one.left, inner[1], end) >= 0:
                raise OtherMake(f"two matches for {one.rule.left!r}")
            break
        inner = between(one, data, inner[1], end)
    return found


def _disjoint(ranges: Sequence[Range]) -> list[Range]:
    """Ranges in order; one inside another counts once."""
    kept: list[Range] = []
    for start, end in sorted(ranges):
        if kept and start < kept[-1][1]:
            before, until = kept[-1]
            kept[-1] = (before, max(until, end))
        else:
            kept.append((start, end))
    return kept


def _without(ranges: Sequence[Range], noise: Sequence[Range]) -> list[Range]:
    noise = _disjoint(noise)
    kept: list[Range] = []
    for start, end in ranges:
        at = start
        for out_start, out_end in noise:
            if start <= out_start < end:
                if out_start > at:
                    kept.append((at, out_start))
                at = max(at, out_end)
        if end > at:
            kept.append((at, end))
    return kept


def decoded(data: bytes, ranges: Sequence[Range], encoding: str) -> list[str]:
    """The pieces as text.

    Raises:
        UnicodeDecodeError: they are in another encoding.
    """
    return [data[start:end].decode(encoding) for start, end in ranges]
