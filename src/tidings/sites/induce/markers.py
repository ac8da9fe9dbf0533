"""Pieces of source that all pages of one make have: a cheap fingerprint, and delimiters for a text without a name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from tidings.sites.lesson import Lesson
from tidings.sites.rule import LONGEST, MAIN, Rule

_TAG: Final = re.compile(r"<(?:!--[^<>]{3,120}-->|[a-zA-Z][^<>]{6,300}>)")
_NAMED: Final = re.compile(r"\s(?:id|class)\s*=", re.IGNORECASE)
_NUMBERS: Final = re.compile(r"\d{3}")
_MOST: Final = 5
#: How much further into a page than on those learned from something is looked for.
_FURTHER: Final = 2
_MORE: Final = 4096
#: A delimiter this far from the text takes too much along.
_WORDS_BETWEEN: Final = 40


def markers(lessons: Sequence[Lesson]) -> tuple[tuple[str, ...], int]:
    """Start tags with a name that every page has, early in the source, so that they are quickly found.

    And how far to look for them, in bytes.
    """
    if len(lessons) < 2:
        return (), 0
    shared: set[str] | None = None
    for lesson in lessons:
        own = {tag for tag in _tags(lesson) if _NAMED.search(tag) and not _NUMBERS.search(tag)}
        shared = own if shared is None else shared & own
    found = sorted(shared or (), key=lambda tag: max(lesson.page.source.find(tag) for lesson in lessons))
    step = max(1, len(found) // (3 * _MOST))
    chosen = tuple(found[::step][:_MOST])
    furthest = max((_place(lesson, tag) for lesson in lessons for tag in chosen), default=0)
    return chosen, _FURTHER * furthest + _MORE


def _place(lesson: Lesson, tag: str) -> int:
    return lesson.data.find(tag.encode(lesson.encoding, "replace")) + len(tag)


def _tags(lesson: Lesson) -> list[str]:
    found = lesson.__dict__.get("_tags_found")
    if found is None:
        found = lesson.__dict__["_tags_found"] = _TAG.findall(lesson.page.source)
    return list(found)


def delimited(lessons: Sequence[Lesson]) -> Rule | None:
    """The main text by what stands before and behind it on all pages: tags and comments that each page has once."""
    once: set[str] | None = None
    for lesson in lessons:
        counted = Counter(_tags(lesson))
        own = {tag for tag, count in counted.items() if count == 1 and len(tag) <= LONGEST}
        once = own if once is None else once & own
    if not once:
        return None
    left = _nearest(lessons, once, before=True)
    right = _nearest(lessons, once, before=False)
    return Rule(MAIN, left=left, right=right) if left and right else None


def _nearest(lessons: Sequence[Lesson], once: set[str], *, before: bool) -> str | None:
    """The tag with the fewest words between it and the text, over all pages."""
    best: tuple[float, str] | None = None
    edges = [_edge(lesson, before=before) for lesson in lessons]
    for tag in once:
        apart = 0.0
        for lesson, (place, words) in zip(lessons, edges, strict=True):
            at = lesson.page.source.find(tag)
            behind = at + len(tag)
            if (behind > place) if before else (at < place):
                break
            runs = int(lesson.page.runs.start.searchsorted(behind if before else at))
            apart += abs(int(lesson.words_before[runs]) - words)
        else:
            if best is None or (apart, len(tag)) < (best[0], len(best[1])):
                best = (apart, tag)
    if best is None or best[0] > _WORDS_BETWEEN * len(lessons):
        return None
    return best[1]


def _edge(lesson: Lesson, *, before: bool) -> tuple[int, int]:
    """Where in the source the chosen text begins or ends, and how many words stand before."""
    runs = lesson.page.runs
    chosen = lesson.chosen.nonzero()[0]
    if not len(chosen):
        return 0, 0
    if before:
        return int(runs.start[chosen[0]]), int(lesson.words_before[chosen[0]])
    return int(runs.end[chosen[-1]]), int(lesson.words_before[chosen[-1] + 1])
