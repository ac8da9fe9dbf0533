"""R2L, DANA, DANAg and AdDANAg: content against code, by source line.

Source: Mohammadzadeh, Gottron, Schweiggert, Nakhaeizadeh; DANA thesis, chapter 4. Count content and code characters of
each line, smooth the difference, take the regions of lines with more content than code, start at the region with most
content, and extend it over gaps up to a maximal width.

- R2L (4.3): content is right-to-left characters, code is ASCII; selects only the right-to-left characters.
- DANA (4.4): the same regions, but all their text.
- DANAg (4.5): content is all text, for any language.
- AdDANAg (4.6): DANAg with normalised links, for pages with many links.

The thesis finds best gaps from 3 to 160 and leaves a gap that adapts to the page to future work (4.4.2). Here `adapt`
selects the smallest gap with which the main regions contain a given share of all content above the axis; 0.8 was the
best of nine shares on half of the sites.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Final

import numpy as np

from tidings.charts import Profile
from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints, sums
from tidings.page.counts import Codes
from tidings.page.lines import Lines

_LINK: Final = tags.NUMBERS["a"]
#: Length of `<a>` and of `<a></a>`, the bare tags of a link (thesis 4.6.1.3).
_BARE_OPEN, _BARE = 3, 7


class Smoothing(Enum):
    """How the smoothed plot is computed from content minus code."""

    NEIGHBOURS = "eq. 4.2"  # the sum over the line and its two neighbours
    NONE = "eq. 4.6"  # the line alone; better on heavily structured pages (thesis 4.5.2)


class LinkFilter(Enum):
    """How links are normalised before counting (thesis 4.6.1)."""

    NONE = "no filter"
    FILTER_1 = "links removed"  # as in ACCB, with their text
    FILTER_2 = "attributes removed"
    FILTER_3 = "code as long as the link's text"  # AdDANAg


@dataclass(frozen=True, slots=True, eq=False)
class Diagram:
    """The data of the thesis's figures: content above the axis, code below, and the smoothed plot."""

    lines: Lines
    content: Ints  # T1
    code: Ints  # T2
    smoothed: Ints  # diff
    regions: list[tuple[int, int]]  # the main content: first and last line of each region

    @property
    def chosen(self) -> Bools:
        """Return whether each line belongs to the main content."""
        lines = np.zeros(len(self.lines), np.bool_)
        for first, last in self.regions:
            lines[first : last + 1] = True
        return lines


def smooth(content: Ints, code: Ints, smoothing: Smoothing = Smoothing.NEIGHBOURS) -> Ints:
    """Return content minus code for each line, by default summed with both neighbours (eq. 4.2 or 4.6)."""
    difference = content - code
    if smoothing is Smoothing.NONE or not len(difference):
        return difference
    total = difference.copy()
    total[1:] += difference[:-1]
    total[:-1] += difference[1:]
    return total


def regions(smoothed: Ints) -> list[tuple[int, int]]:
    """Return the ranges (first and last line) of consecutive lines with more content than code (eq. 4.3)."""
    above = np.zeros(len(smoothed) + 2, np.bool_)
    np.greater(smoothed, 0, out=above[1:-1])
    edges = np.flatnonzero(above[1:] != above[:-1])
    return list(zip(edges[0::2].tolist(), (edges[1::2] - 1).tolist(), strict=True))


def distance(before: tuple[int, int], after: tuple[int, int]) -> int:
    """Return the distance of two regions of lines (eq. 4.4); `before` comes first."""
    return after[0] - before[1] + 1


def main_regions(candidates: list[tuple[int, int]], content: Ints, gap: int) -> list[tuple[int, int]]:
    """Return the region with most content, joined with neighbouring regions that are near enough (Algorithm 1).

    Args:
        candidates: the regions as first and last line.
        content: the amount of content of each line.
        gap: the largest distance of regions that are joined.
    """
    if not candidates:
        return []
    before = sums(content)
    sizes = [int(before[last + 1] - before[first]) for first, last in candidates]
    lowest = highest = sizes.index(max(sizes))
    while lowest > 0 and distance(candidates[lowest - 1], candidates[lowest]) <= gap:
        lowest -= 1
    while highest < len(candidates) - 1 and distance(candidates[highest], candidates[highest + 1]) <= gap:
        highest += 1
    return candidates[lowest : highest + 1]


def adapted_gap(candidates: list[tuple[int, int]], content: Ints, share: float) -> int:
    """Return the smallest gap with which the joined regions contain a given share of all content.

    The gap is 0 for a single region.

    Args:
        candidates: the regions as first and last line.
        content: the amount of content of each line.
        share: the share of all content that is enough.
    """
    if len(candidates) < 2:
        return 0
    before = sums(content)

    def size(ranges: list[tuple[int, int]]) -> int:
        return sum(int(before[last + 1] - before[first]) for first, last in ranges)

    def is_enough(gap: int) -> bool:
        return size(main_regions(candidates, content, gap)) >= required

    required = share * size(candidates)
    gaps = sorted({distance(first, second) for first, second in pairwise(candidates)})
    return gaps[bisect_left(gaps, True, hi=len(gaps) - 1, key=is_enough)]  # wider gaps never contain less


#: Hebrew to Arabic Extended-A, the presentation forms, and the right-to-left blocks of the first supplementary plane.
_RIGHT_TO_LEFT: Final = (
    (0x0590, 0x08FF),
    (0xFB1D, 0xFDFF),
    (0xFE70, 0xFEFE),
    (0x10800, 0x10FFF),
    (0x1E800, 0x1EFFE),
)
#: Joiners and direction marks inside right-to-left words belong to no script.
_MARKS: Final = ((0x200B, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069))
#: Bits of the character table: right-to-left scripts, ASCII, characters allowed between two right-to-left ones.
_RIGHT_TO_LEFT_BIT, _ASCII_BIT, _BETWEEN_BIT = 1, 2, 4
_KINDS: Final = np.zeros(0x1F000, np.uint8)
for _first, _last in _RIGHT_TO_LEFT:
    _KINDS[_first : _last + 1] = _RIGHT_TO_LEFT_BIT
_KINDS[:128] |= _ASCII_BIT
for _first, _last in ((0, 32), *_MARKS):
    _KINDS[_first : _last + 1] |= _BETWEEN_BIT


def right_to_left(codes: Codes) -> Bools:
    """Return which code points belong to right-to-left scripts."""
    return np.asarray(_KINDS.take(codes, mode="clip") & _RIGHT_TO_LEFT_BIT).view(np.bool_)


@dataclass(frozen=True, slots=True)
class _Family(ABC):
    """Base of the four methods: smoothing and Algorithm 1."""

    gap: int
    smoothing: Smoothing
    line_length: int
    adapt: float

    @abstractmethod
    def counts(self, page: Page, lines: Lines, careful: bool) -> tuple[Ints, Ints]:
        """Return content (T1) and code (T2) of each line (first phase); if `careful`, hidden text is not content."""

    def _choose(self, page: Page, careful: bool) -> Diagram:
        if self.gap < 0:
            raise BadParameter(f"gap is {self.gap}; it is a number of lines, 0 or more")
        if not 0 <= self.adapt <= 1:
            raise BadParameter(f"adapt is {self.adapt}; it is a share of the content, from 0 (the gap as it is) to 1")
        lines = page.lines(self.line_length)
        content, code = self.counts(page, lines, careful)
        smoothed = smooth(content, code, self.smoothing)
        candidates = regions(smoothed)
        gap = adapted_gap(candidates, content, self.adapt) if self.adapt else self.gap
        return Diagram(lines, content, code, smoothed, main_regions(candidates, content, gap))

    def panels(self, page: Page, title: str) -> tuple[Profile, Profile]:
        """Return two profiles: content above and code below the axis, and the smoothed plot (thesis, figures 4.3 and
        4.4).
        """
        diagram = self.diagram(page)
        x, chosen = "line of the source, scripts and comments taken out", diagram.chosen
        content, code = diagram.content.astype(np.float64), -diagram.code.astype(np.float64)
        sizes = (("content (T1)", content), ("code (T2)", code))
        smoothed = diagram.smoothed.astype(np.float64)
        parts = (("content", np.maximum(smoothed, 0)), ("code", np.minimum(smoothed, 0)))
        return (
            Profile(title, x, "characters in the line", sizes, chosen=chosen),
            Profile("Smoothed", x, "smoothed difference", parts, chosen=chosen),
        )

    def picture(self, page: Page, /) -> Profile:
        """Return content above and code below the axis, and the smoothed plot (thesis, figures 4.3 and 4.4)."""
        diagram = self.diagram(page)
        series = (("content", diagram.content), ("code", -diagram.code), ("smoothed", diagram.smoothed))
        drawn = tuple((name, values.astype(np.float64)) for name, values in series)
        return Profile("Content against code, line by line", "line", "characters", drawn, chosen=diagram.chosen)

    def __call__(self, page: Page, /) -> Spans:
        """Return the text that all four phases select."""
        return self.extract(page, self._lines(page)[1])

    def diagram(self, page: Page) -> Diagram:
        """Return the results of phases one to three."""
        return self._lines(page)[0]

    def _lines(self, page: Page) -> tuple[Diagram, Spans]:
        """Return the data of all lines, and the visible text of those that are main content."""
        for careful in (False, True):
            diagram = self._choose(page, careful)
            chosen = page.limited(Spans.of(diagram.lines.text_ranges(diagram.regions), len(page.text)))
            visible = page.shown(chosen)
            # Otherwise most of the region is hidden, so count visible text only.
            if visible is chosen or 2 * visible.characters >= chosen.characters:
                break
        return diagram, visible

    def extract(self, page: Page, spans: Spans) -> Spans:  # noqa: ARG002  # a phase that R2L and Filter 1 refine
        """Return the text of main content lines (fourth phase)."""
        return spans


@dataclass(frozen=True, slots=True)
class _ByScript(_Family):
    """Content and code distinguished by the characters alone (4.3.2)."""

    def counts(self, page: Page, lines: Lines, careful: bool) -> tuple[Ints, Ints]:
        if not careful:
            kinds = _KINDS.take(page.text_codes, mode="clip")
            content = lines.text_sums(sums(kinds & _RIGHT_TO_LEFT_BIT))
            return content, lines.text_sums(sums(kinds // _ASCII_BIT & 1)) + lines.code_sums()
        codes = page.text_codes
        content = lines.text_sums(sums(right_to_left(codes) & page.visible.mask()))
        code = lines.text_sums(sums(codes < 128)) + lines.code_sums()
        return content, code


@checked
@dataclass(frozen=True, slots=True)
class R2L(_ByScript):
    """Right-to-left characters in lines where they outnumber ASCII, without any other text."""

    gap: int = 8  # thesis 4.3.4
    smoothing: Smoothing = Smoothing.NEIGHBOURS
    line_length: int = 80  # the thesis gives no figure
    adapt: float = 0.0

    def extract(self, page: Page, spans: Spans) -> Spans:
        """Return only right-to-left characters and the white space between them (4.3.5)."""
        if not spans:
            return spans
        first, last = int(spans.starts[0]), int(spans.ends[-1])
        kinds = _KINDS.take(page.text_codes[first:last], mode="clip")
        selected = kinds & _RIGHT_TO_LEFT_BIT
        selected[1:-1] |= (kinds[1:-1] // _BETWEEN_BIT) & selected[:-2] & selected[2:]
        mask = selected.view(np.bool_)
        return Spans.of_mask(mask if len(spans) == 1 else mask & spans.mask_of(first, last), first, spans.size)


@checked
@dataclass(frozen=True, slots=True)
class DANA(_ByScript):
    """All text of the lines where right-to-left characters outnumber ASCII."""

    gap: int = 20  # thesis 4.4
    smoothing: Smoothing = Smoothing.NEIGHBOURS
    line_length: int = 80
    adapt: float = 0.0


@checked
@dataclass(frozen=True, slots=True)
class AdaptiveDANA(DANA):
    """DANA with a gap that adapts to each page, so that it covers most right-to-left text."""

    adapt: float = 0.8


@dataclass(frozen=True, slots=True)
class _ByMarkup(_Family):
    """Content and code distinguished by the markup (4.5.1), with normalised links (4.6.1)."""

    links: LinkFilter

    def counts(self, page: Page, lines: Lines, careful: bool) -> tuple[Ints, Ints]:  # noqa: ARG002  # always careful
        runs = page.runs
        visible, counted = ~runs.hidden, np.ones(len(runs), np.bool_)
        if self.links is LinkFilter.FILTER_1:
            visible &= ~runs.in_link
            counted = ~runs.in_link
        content = lines.run_sums(runs.text_start, visible)
        code = lines.code_sums() if self.links is LinkFilter.NONE else lines.code_sums(self.even_links(page, lines))
        text = lines.run_sums(lines.run_from[:-1], counted)
        return content, code + text - content  # eq. 4.5

    def even_links(self, page: Page, lines: Lines) -> Ints:
        """Return the length of each tag after links are normalised."""
        runs = page.runs
        weights = np.diff(lines.tag_start)
        link = np.flatnonzero(page.elements.tag == _LINK)
        opening, closing = page.opened[link], page.closed[link]
        if self.links is LinkFilter.FILTER_1:
            steps = np.zeros(len(weights) + 2, np.int64)
            np.add.at(steps, opening, 1)
            np.add.at(steps, closing + 1, -1)
            weights[np.cumsum(steps[:-2]) > 0] = 0
        elif self.links is LinkFilter.FILTER_2:
            weights[opening] = np.minimum(weights[opening], _BARE_OPEN)
        else:
            # `<a ___>text</a>`: as much code as text, but at least the bare tags.
            text = sums(runs.chars * ~runs.hidden)
            last, first = (np.searchsorted(page.piece, at, side="right") for at in (closing, opening))
            length = text[last] - text[first]
            weights[opening] = np.where(weights[opening] > 0, np.maximum(length, _BARE) - (_BARE - _BARE_OPEN), 0)
        return weights

    def extract(self, page: Page, spans: Spans) -> Spans:
        """Return all text of main content lines; Filter 1 has removed links with their text."""
        if self.links is LinkFilter.FILTER_1:
            return spans - Spans.of_runs(page, page.runs.in_link)
        return spans


@checked
@dataclass(frozen=True, slots=True)
class DANAg(_ByMarkup):
    """Lines with more text than markup, around the largest such region; any language."""

    gap: int = 20  # thesis 4.4, also for DANAg
    smoothing: Smoothing = Smoothing.NEIGHBOURS
    line_length: int = 80
    adapt: float = 0.0
    links: LinkFilter = LinkFilter.NONE


@checked
@dataclass(frozen=True, slots=True)
class AdDANAg(_ByMarkup):
    """DANAg after links are normalised, so that link-rich text counts as text."""

    gap: int = 20
    smoothing: Smoothing = Smoothing.NEIGHBOURS
    line_length: int = 80
    adapt: float = 0.0
    links: LinkFilter = LinkFilter.FILTER_3


@checked
@dataclass(frozen=True, slots=True)
class AdaptiveAdDANAg(AdDANAg):
    """AdDANAg with a gap that adapts to each page, so that it covers most of its text."""

    adapt: float = 0.8
