"""What stands before and behind the story in its container, cut off at what announces it.

A byline above, a list of other stories below: often nothing but their first tag, or a line of text that is the same on
several pages, tells where they begin. Of all rows of tags, and tags with the text that follows them, the one is taken
that cuts off most of what was not chosen and next to nothing of what was, over all pages.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from tidings.page.columns import Bools, Ints, sums
from tidings.sites.induce.markers import names_a_story
from tidings.sites.lesson import Lesson
from tidings.sites.rule import LONGEST, Rule

_TAG: Final = re.compile(r"<(?:!--[^<>]{3,120}-->|/?[a-zA-Z][^<>]{0,300}>)")
_IN_A_ROW: Final = 3
_LONGEST_TEXT, _MOST_WORDS = 60, 5
#: What says nothing but that a paragraph ends may stand anywhere in the next story: an attribute, a comment or a text
#: has to be in it.
_SAYS_SOMETHING: Final = re.compile(r"=|<!--|>\s*[^\s<\d][^<]{2}")
_NUMBERS: Final = re.compile(r"\d{3}")
#: It stands on so many pages, as a share of them.
_LEAST_PAGES: Final = 0.4
#: Worth a search if it cuts off so much, as a share of the chosen words; it may cost so much of them, and a quarter of
#: what it cuts off: what one page alone got wrong is outvoted.
_WORTH: Final = 0.004
_MAY_COST: Final = 0.02


class Container(NamedTuple):
    """The element of a page that holds the story."""

    lesson: Lesson
    element: int
    noise: Bools  # runs that other rules cut out

    @property
    def source(self) -> str:
        """Its source, without its own tags as far as that matters here."""
        elements = self.lesson.page.elements
        return self.lesson.page.source[int(elements.start[self.element]) + 1 : int(elements.end[self.element])]

    @property
    def texts(self) -> list[str]:
        """The texts of its runs."""
        page, elements = self.lesson.page, self.lesson.page.elements
        runs = slice(int(elements.first[self.element]), int(elements.last[self.element]))
        begins, ends = page.runs.text_start[runs].tolist(), page.runs.text_end[runs].tolist()
        return [page.text[begin:end].strip() for begin, end in zip(begins, ends, strict=True)]

    @property
    def start(self) -> int:
        """Where that begins on the page."""
        return int(self.lesson.page.elements.start[self.element]) + 1


class _Cuts(NamedTuple):
    """Where rows stand first in a container, and how many words there are before each run of it."""

    places: dict[str, int]  # in the source of the page
    runs: Ints  # where the runs begin
    first: int  # the first run of the container
    chosen: Ints
    other: Ints

    def before(self, right: str) -> _Cuts:
        """The same without the rows that stand from another on: they are cut off with it."""
        end = self.places.get(right)
        if end is None:
            return self
        return self._replace(places={row: place for row, place in self.places.items() if place + len(row) <= end})


def trimmed(rule: Rule, containers: Sequence[Container]) -> Rule:
    """The rule with what cuts off the end and the beginning of its element, where that is worth it."""
    pages = Counter(text for one in containers for text in set(one.texts))
    repeated = frozenset(text for text, count in pages.items() if count >= max(2, _LEAST_PAGES * len(containers)))
    cuts = [_cuts(one, repeated) for one in containers]
    total = sum(int(one.chosen[-1]) for one in cuts)
    right = _best(cuts, total, from_here=True)
    before = [one.before(right) for one in cuts] if right else cuts
    left = _best(before, total, from_here=False)
    return replace(rule, left=left, right=right)


def behind(rule: Rule, container: Container) -> tuple[int, int]:
    """Where on the page the story begins and ends in a container when the rule has cut it."""
    source, start = container.source, container.start
    begin = source.find(rule.left) if rule.left else -1
    begin = begin + len(rule.left) if begin >= 0 else 0
    end = source.find(rule.right, begin) if rule.right else -1
    return start + begin, start + (end if end >= 0 else len(source))


def _best(cuts: Sequence[_Cuts], total: int, *, from_here: bool) -> str:
    """The row that cuts off most; none if that is little."""
    saved: dict[str, int] = defaultdict(int)
    lost: dict[str, int] = defaultdict(int)
    pages: dict[str, int] = defaultdict(int)
    for one in cuts:
        rows = list(one.places)
        places = np.array([one.places[row] + (0 if from_here else len(row)) for row in rows])
        at = np.clip(one.runs.searchsorted(places) - one.first, 0, len(one.other) - 1)
        other, chosen = one.other[at], one.chosen[at]
        if from_here:
            other, chosen = one.other[-1] - other, one.chosen[-1] - chosen
        for row, more, less in zip(rows, other.tolist(), chosen.tolist(), strict=True):
            saved[row] += more
            lost[row] += less
            pages[row] += 1
    wanted = max(2, _LEAST_PAGES * len(cuts))
    worth = [
        (more, pages[row], -len(row), row)
        for row, more in saved.items()
        if pages[row] >= wanted and more >= _WORTH * total and lost[row] <= min(_MAY_COST * total, more / 4)
    ]
    return max(worth)[3] if worth else ""


def _cuts(container: Container, repeated: frozenset[str]) -> _Cuts:
    lesson, element = container.lesson, container.element
    first, last = (int(column[element]) for column in (lesson.page.elements.first, lesson.page.elements.last))
    runs = slice(first, last)
    words = lesson.visible_words[runs] * ~container.noise[runs]
    # What stands on several pages is no part of a story, chosen or not.
    chosen = lesson.chosen[runs] & np.array([text not in repeated for text in container.texts], np.bool_)
    places: dict[str, int] = {}
    for row, place in _rows(container.source):
        places.setdefault(row, container.start + place)
    return _Cuts(places, lesson.page.runs.start, first, sums(words * chosen), sums(words * ~chosen))


def _rows(source: str) -> Iterator[tuple[str, int]]:
    """Tags with the text behind them, and tags in a row, that say something."""
    spans = [match.span() for match in _TAG.finditer(source)]
    for place, (start, end) in enumerate(spans):
        until = spans[place + 1][0] if place + 1 < len(spans) else len(source)
        ends = [end]
        for further, closed in spans[place + 1 : place + _IN_A_ROW]:
            if source[ends[-1] : further].strip():
                break
            ends.append(closed)
        # A line of more words is a headline of the day.
        if until - end <= _LONGEST_TEXT and 0 < source[end:until].count(" ") + 1 <= _MOST_WORDS:
            ends.append(until)
        for stop in ends:
            row = source[start:stop]
            passing = _NUMBERS.search(row) or names_a_story(row)
            if len(row) <= LONGEST and _SAYS_SOMETHING.search(row) and not passing:
                yield row, start
