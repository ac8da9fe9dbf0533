"""Delimiters that cut off the beginning and the end of a main text container.

A byline above the article, or a list of other articles below, often begins with a tag or a short text that is the same
on several pages. Of all sequences of tags, with or without the text after them, the one is chosen that cuts off most of
the text that was not selected, and next to none of the selected text, over all pages.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from tidings.page.columns import Bools, Ints, sums
from tidings.sites.learning.lesson import Lesson
from tidings.sites.learning.markers import _ANY_TAG, _IN_A_ROW, _LEAST_PAGES, _NUMBERS, names_a_story
from tidings.sites.templates.rule import LONGEST, Rule

_LONGEST_TEXT, _MOST_WORDS = 60, 5
#: A delimiter needs an attribute, a comment or text: plain paragraph ends may occur anywhere in other articles.
_SAYS_SOMETHING: Final = re.compile(r"=|<!--|>\s*[^\s<\d][^<]{2}")
#: Least text that a delimiter must cut off, as a share of the selected words, and most selected words that it may
#: lose (also limited to a quarter of what it cuts off), because errors on single pages are outvoted.
_WORTH: Final = 0.004
_MAY_COST: Final = 0.02


class Container(NamedTuple):
    """The element of a page that contains the article."""

    lesson: Lesson
    element: int
    noise: Bools  # runs that other rules remove

    @property
    def source(self) -> str:
        """Return the source between the element's tags, limited to the part in which delimiters are searched."""
        elements = self.lesson.page.elements
        return self.lesson.page.source[int(elements.start[self.element]) + 1 : int(elements.end[self.element])]

    @property
    def texts(self) -> list[str]:
        """Return the texts of the element's runs."""
        page, elements = self.lesson.page, self.lesson.page.elements
        runs = slice(int(elements.first[self.element]), int(elements.last[self.element]))
        begins, ends = page.runs.text_start[runs].tolist(), page.runs.text_end[runs].tolist()
        return [page.text[begin:end].strip() for begin, end in zip(begins, ends, strict=True)]

    @property
    def start(self) -> int:
        """Return the source offset at which the element's content begins."""
        return int(self.lesson.page.elements.start[self.element]) + 1


class _Cuts(NamedTuple):
    """The candidate delimiters in a container: the source offset of the first occurrence of each tag sequence, and
    cumulative counts of article words and other words before each run of text.
    """

    places: dict[str, int]  # offsets in the page's source
    runs: Ints  # offsets of the runs
    first: int  # the first run of the container
    chosen: Ints
    other: Ints

    def before(self, right: str) -> _Cuts:
        """Return the candidate delimiters that end before the delimiter `right`."""
        end = self.places.get(right)
        if end is None:
            return self
        return self._replace(places={row: place for row, place in self.places.items() if place + len(row) <= end})


def trimmed(rule: Rule, containers: Sequence[Container]) -> Rule:
    """Return a rule for an element with delimiters added that cut off text before and after the article inside the
    element, if there is enough of such text.
    """
    pages = Counter(text for container in containers for text in set(container.texts))
    repeated = frozenset(text for text, count in pages.items() if count >= max(2, _LEAST_PAGES * len(containers)))
    cuts = [_cuts(container, repeated) for container in containers]
    total = sum(int(container.chosen[-1]) for container in cuts)
    right = _best(cuts, total, from_here=True)
    before = [container.before(right) for container in cuts] if right else cuts
    left = _best(before, total, from_here=False)
    return replace(rule, left=left, right=right)


def trimmed_range(rule: Rule, container: Container) -> tuple[int, int]:
    """Return the offsets of the article in a container, as trimmed by a rule."""
    source, start = container.source, container.start
    begin = source.find(rule.left) if rule.left else -1
    begin = begin + len(rule.left) if begin >= 0 else 0
    end = source.find(rule.right, begin) if rule.right else -1
    return start + begin, start + (end if end >= 0 else len(source))


def _best(cuts: Sequence[_Cuts], total: int, *, from_here: bool) -> str:
    """Return the tag sequence at which to cut so that most text outside the article is removed; empty if too little
    would be.

    Args:
        cuts: the candidates in each container.
        total: the number of article words in all containers.
        from_here: whether the text from the tag sequence on is removed, instead of the text up to it.
    """
    saved: dict[str, int] = defaultdict(int)
    lost: dict[str, int] = defaultdict(int)
    pages: dict[str, int] = defaultdict(int)
    for cut in cuts:
        rows = list(cut.places)
        places = np.array([cut.places[row] + (0 if from_here else len(row)) for row in rows])
        at = np.clip(cut.runs.searchsorted(places) - cut.first, 0, len(cut.other) - 1)
        other, chosen = cut.other[at], cut.chosen[at]
        if from_here:
            other, chosen = cut.other[-1] - other, cut.chosen[-1] - chosen
        for row, more, less in zip(rows, other.tolist(), chosen.tolist(), strict=True):
            saved[row] += more
            lost[row] += less
            pages[row] += 1
    least_pages = max(2, _LEAST_PAGES * len(cuts))
    worth = [
        (more, pages[row], -len(row), row)
        for row, more in saved.items()
        if pages[row] >= least_pages and more >= _WORTH * total and lost[row] <= min(_MAY_COST * total, more / 4)
    ]
    return max(worth)[3] if worth else ""


def _cuts(container: Container, repeated: frozenset[str]) -> _Cuts:
    lesson, element = container.lesson, container.element
    first, last = (int(column[element]) for column in (lesson.page.elements.first, lesson.page.elements.last))
    runs = slice(first, last)
    words = lesson.visible_words[runs] * ~container.noise[runs]
    # Text on several pages is not part of an article, even if it was selected.
    chosen = lesson.chosen[runs] & np.array([text not in repeated for text in container.texts], np.bool_)
    places: dict[str, int] = {}
    for row, place in _announcements(container.source):
        places.setdefault(row, container.start + place)
    return _Cuts(places, lesson.page.runs.start, first, sums(words * chosen), sums(words * ~chosen))


def _announcements(source: str) -> Iterator[tuple[str, int]]:
    """Yield distinctive tags, sequences of tags, and tags with the text after them."""
    spans = [match.span() for match in _ANY_TAG.finditer(source)]
    for place, (start, end) in enumerate(spans):
        until = spans[place + 1][0] if place + 1 < len(spans) else len(source)
        ends = [end]
        for further, closed in spans[place + 1 : place + _IN_A_ROW]:
            if source[ends[-1] : further].strip():
                break
            ends.append(closed)
        # A longer line is a current headline.
        if until - end <= _LONGEST_TEXT and 0 < source[end:until].count(" ") + 1 <= _MOST_WORDS:
            ends.append(until)
        for stop in ends:
            row = source[start:stop]
            is_temporary = _NUMBERS.search(row) or names_a_story(row)
            if len(row) <= LONGEST and _SAYS_SOMETHING.search(row) and not is_temporary:
                yield row, start
