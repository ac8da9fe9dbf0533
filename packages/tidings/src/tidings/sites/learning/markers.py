"""Markers of a layout, and delimiters of a main text without a container.

Markers are pieces of source that all pages with a layout have. They are a cheap fingerprint.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from tidings.sites.learning.lesson import Lesson
from tidings.sites.templates.rule import LONGEST, MAIN, Rule

_TAG: Final = re.compile(r"<(?:!--[^<>]{3,120}-->|[a-zA-Z][^<>]{6,300}>)")
_ANY_TAG: Final = re.compile(r"<(?:!--[^<>]{3,120}-->|/?[a-zA-Z][^<>]{0,300}>)")
_IN_A_ROW: Final = 3
#: Least share of pages with a delimiter.
_LEAST_PAGES: Final = 0.4
#: A link to another article, which changes from day to day.
_STORY: Final = re.compile(
    r"\s(?:href|src)\s*=\s*[\"']?[^\"'>\s]*?(?:\d|-[^\"'>\s-]+-[^\"'>\s-]+-|[^\"'>\s]{48})", re.IGNORECASE
)
_NAMED: Final = re.compile(r"\s(?:id|class)\s*=", re.IGNORECASE)
_NUMBERS: Final = re.compile(r"\d{3}")
_MOST: Final = 5
#: Margins for the search range of markers, relative to the pages learned from.
_FURTHER: Final = 2
_MORE: Final = 4096
#: Most words between a delimiter and the text.
_WORDS_BETWEEN: Final = 40


def markers(lessons: Sequence[Lesson]) -> tuple[tuple[str, ...], int]:
    """Return start tags that all pages of a layout have, and the number of bytes at the start of a page in which they
    occur. A template is skipped quickly on pages without them.
    """
    if len(lessons) < 2:
        return (), 0
    shared: set[str] | None = None
    for lesson in lessons:
        own = {tag for tag in _tags(lesson) if _NAMED.search(tag) and not _NUMBERS.search(tag)}
        shared = own if shared is None else shared & own
    candidates = sorted(shared or (), key=lambda tag: max(lesson.page.source.find(tag) for lesson in lessons))
    step = max(1, len(candidates) // (3 * _MOST))
    chosen = tuple(candidates[::step][:_MOST])
    furthest = max((_place(lesson, tag) for lesson in lessons for tag in chosen), default=0)
    return chosen, _FURTHER * furthest + _MORE


def _place(lesson: Lesson, tag: str) -> int:
    return lesson.data.find(tag.encode(lesson.encoding, "replace")) + len(tag)


def _tags(lesson: Lesson) -> list[str]:
    cached = lesson.__dict__.get("_tags_found")
    if cached is None:
        cached = lesson.__dict__["_tags_found"] = _TAG.findall(lesson.page.source)
    return list(cached)


def delimited(lessons: Sequence[Lesson]) -> list[Rule]:
    """Return a main text rule by delimiters: unique tags with attributes, or comments."""
    counted = [Counter(_tags(lesson)) for lesson in lessons]
    once = [row for row in _frequent(counted) if all(counts[row] < 2 for counts in counted) and len(row) <= LONGEST]
    return _between(lessons, once, once)


def delimited_by_rows(lessons: Sequence[Lesson]) -> list[Rule]:
    """Return a main text rule by delimiters: any tag sequences that are rare enough.

    The left delimiter is unique on its page. The right one may occur before the text, because the first match after it
    counts.
    """
    counted = [_rows(lesson) for lesson in lessons]
    often = _frequent(counted)
    return _between(lessons, [row for row in often if all(counts[row] < 2 for counts in counted)], often)


def _frequent(counted: Sequence[Counter[str]]) -> list[str]:
    """Return the tag sequences that occur on most pages and contain no link to another article. `counted` has the tag
    sequences of each page.
    """
    pages = Counter(row for row_counts in counted for row in row_counts)
    return [row for row, count in pages.items() if count >= _least_pages(len(counted)) and not names_a_story(row)]


def names_a_story(row: str) -> bool:
    """Return whether a tag sequence contains a link to another article. Such links change, so delimiters must not
    contain them.
    """
    return _STORY.search(row) is not None


def _least_pages(pages: int) -> float:
    """Return the number of pages, of a given total, on which a delimiter has to occur."""
    return max(min(pages, 2), _LEAST_PAGES * pages)


def _between(lessons: Sequence[Lesson], before: Sequence[str], behind: Sequence[str]) -> list[Rule]:
    left, near = _nearest(lessons, before, None)
    right, near = _nearest(near, behind, left) if left else ("", near)
    return [Rule(MAIN, left=left, right=right)] if right and len(near) >= _least_pages(len(lessons)) else []


def _rows(lesson: Lesson) -> Counter[str]:
    """Return the tag sequences of a page with their counts: single tags and comments, and up to three of them without
    text in between.
    """
    cached: Counter[str] | None = lesson.__dict__.get("_rows")
    if cached is None:
        source = lesson.page.source
        spans = [match.span() for match in _ANY_TAG.finditer(source)]
        cached = Counter()
        for place, (start, end) in enumerate(spans):
            previous_end = end
            cached[source[start:end]] += 1
            for further, until in spans[place + 1 : place + _IN_A_ROW]:
                if until - start > LONGEST or source[previous_end:further].strip():
                    break
                cached[source[start:until]] += 1
                previous_end = until
        lesson.__dict__["_rows"] = cached
    return cached


def _nearest(lessons: Sequence[Lesson], rows: Sequence[str], left_delimiter: str | None) -> tuple[str, list[Lesson]]:
    """Return the tag sequence that is nearest to the article's text on most pages, and the pages on which it is. It
    precedes the text, or follows it if `left_delimiter` is given. Pages where it is elsewhere have another layout.
    """
    best: tuple[int, float, int, str] = (0, 0.0, 0, "")
    pages: list[Lesson] = []
    edges = [_edge(lesson, before=left_delimiter is None) for lesson in lessons]
    for row in rows:
        near: list[Lesson] = []
        words_apart = 0
        for lesson, (place, words) in zip(lessons, edges, strict=True):
            source = lesson.page.source
            begin = source.find(left_delimiter) + len(left_delimiter) if left_delimiter is not None else 0
            at = source.find(row, begin)
            row_end = at + len(row)
            if at < 0 or ((row_end > place) if left_delimiter is None else (at < place)):
                continue
            runs = int(lesson.page.runs.start.searchsorted(row_end if left_delimiter is None else at))
            between = abs(int(lesson.words_before[runs]) - words)
            if between <= _WORDS_BETWEEN:
                near.append(lesson)
                words_apart += between
        rank = (-len(near), words_apart / max(len(near), 1), len(row), row)
        if near and rank < best:
            best, pages = rank, near
    return best[3], pages


def _edge(lesson: Lesson, *, before: bool) -> tuple[int, int]:
    """Return the source offset at which the article's text begins (`before`) or ends, and the number of visible words
    before that offset.
    """
    runs = lesson.page.runs
    chosen = lesson.chosen.nonzero()[0]
    if not len(chosen):
        return 0, 0
    if before:
        return int(runs.start[chosen[0]]), int(lesson.words_before[chosen[0]])
    return int(runs.end[chosen[-1]]), int(lesson.words_before[chosen[-1] + 1])


#: It stands on so many pages, as a share of them.
