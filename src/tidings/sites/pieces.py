"""Where the pieces that rules are about stand in the bytes of a page (hybrid paper, section 5).

An element is found by its start tag, and its end by counting; noise inside it is cut out the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tidings.sites.compiled import Compiled, Cutter
from tidings.sites.rule import MAIN
from tidings.sites.search import Finder, Range

_FAR: Final = 20_000  # bytes between the two delimiters of a field
MOST: Final = 1000  # elements that one rule tells


class Doubt(Exception):
    """Why the rules of a template are not to be trusted on a page."""


class OtherMake(Doubt):
    """The page is built otherwise. A few searches tell it, before anything is cut out."""


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
