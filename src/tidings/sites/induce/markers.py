"""Pieces of source that all pages of one make have: a cheap fingerprint, and delimiters for a text without a name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from tidings.sites.lesson import Lesson
from tidings.sites.rule import LONGEST, MAIN, Rule

_TAG: Final = re.compile(r"<(?:!--[^<>]{3,120}-->|[a-zA-Z][^<>]{6,300}>)")
_ANY_TAG: Final = re.compile(r"<(?:!--[^<>]{3,120}-->|/?[a-zA-Z][^<>]{0,300}>)")
_IN_A_ROW: Final = 3
#: Delimiters stand on so many of the pages.
_LEAST_PAGES: Final = 0.4
#: The address of another story, as on pages of the same day; tomorrow it is another.
_STORY: Final = re.compile(
    r"\s(?:href|src)\s*=\s*[\"']?[^\"'>\s]*?(?:\d|-[^\"'>\s-]+-[^\"'>\s-]+-|[^\"'>\s]{48})", re.IGNORECASE
)
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


def delimited(lessons: Sequence[Lesson]) -> list[Rule]:
    """The main text by what stands before and behind it: tags with attributes, and comments, that stand once."""
    counted = [Counter(_tags(lesson)) for lesson in lessons]
    once = [row for row in _often(counted) if all(one[row] < 2 for one in counted) and len(row) <= LONGEST]
    return _between(lessons, once, once)


def delimited_by_rows(lessons: Sequence[Lesson]) -> list[Rule]:
    """The same by any tags, or a few of them in a row.

    What stands before the text stands once on a page. What stands behind it may have stood before: the first that
    follows counts.
    """
    counted = [_rows(lesson) for lesson in lessons]
    often = _often(counted)
    return _between(lessons, [row for row in often if all(one[row] < 2 for one in counted)], often)


def _often(counted: Sequence[Counter[str]]) -> list[str]:
    """What stands on most pages."""
    pages = Counter(row for one in counted for row in one)
    return [row for row, count in pages.items() if count >= _wanted(len(counted)) and not names_a_story(row)]


def names_a_story(row: str) -> bool:
    """Whether there is the address of another story in some tags: it will not stand there for long."""
    return _STORY.search(row) is not None


def _wanted(pages: int) -> float:
    """On how many of some pages a delimiter has to stand."""
    return max(min(pages, 2), _LEAST_PAGES * pages)


def _between(lessons: Sequence[Lesson], before: Sequence[str], behind: Sequence[str]) -> list[Rule]:
    left, near = _nearest(lessons, before, None)
    right, near = _nearest(near, behind, left) if left else ("", near)
    return [Rule(MAIN, left=left, right=right)] if right and len(near) >= _wanted(len(lessons)) else []


def _rows(lesson: Lesson) -> Counter[str]:
    """Tags and comments of a page, and up to three of them in a row, with how often each stands on it."""
    kept: Counter[str] | None = lesson.__dict__.get("_rows")
    if kept is None:
        source = lesson.page.source
        spans = [match.span() for match in _ANY_TAG.finditer(source)]
        kept = Counter()
        for place, (start, end) in enumerate(spans):
            behind = end
            kept[source[start:end]] += 1
            for further, until in spans[place + 1 : place + _IN_A_ROW]:
                if until - start > LONGEST or source[behind:further].strip():
                    break
                kept[source[start:until]] += 1
                behind = until
        lesson.__dict__["_rows"] = kept
    return kept


def _nearest(lessons: Sequence[Lesson], rows: Sequence[str], left: str | None) -> tuple[str, list[Lesson]]:
    """The row of tags that stands near the text on most pages, and with the fewest words between; and those pages.

    It stands before the text, or behind it if the left one is told. Pages on which it stands elsewhere are of another
    make.
    """
    best: tuple[int, float, int, str] = (0, 0.0, 0, "")
    pages: list[Lesson] = []
    edges = [_edge(lesson, before=left is None) for lesson in lessons]
    for row in rows:
        near: list[Lesson] = []
        apart = 0
        for lesson, (place, words) in zip(lessons, edges, strict=True):
            source = lesson.page.source
            begin = source.find(left) + len(left) if left is not None else 0
            at = source.find(row, begin)
            behind = at + len(row)
            if at < 0 or ((behind > place) if left is None else (at < place)):
                continue
            runs = int(lesson.page.runs.start.searchsorted(behind if left is None else at))
            between = abs(int(lesson.words_before[runs]) - words)
            if between <= _WORDS_BETWEEN:
                near.append(lesson)
                apart += between
        found = (-len(near), apart / max(len(near), 1), len(row), row)
        if near and found < best:
            best, pages = found, near
    return best[3], pages


def _edge(lesson: Lesson, *, before: bool) -> tuple[int, int]:
    """Where in the source the chosen text begins or ends, and how many words stand before."""
    runs = lesson.page.runs
    chosen = lesson.chosen.nonzero()[0]
    if not len(chosen):
        return 0, 0
    if before:
        return int(runs.start[chosen[0]]), int(lesson.words_before[chosen[0]])
    return int(runs.end[chosen[-1]]), int(lesson.words_before[chosen[-1] + 1])
