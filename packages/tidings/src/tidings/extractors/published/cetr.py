"""CETR, content extraction via tag ratios: lines with much text for each tag.

Weninger, Hsu 2008, "Text extraction from the web via text-to-tag ratio"; Weninger, Hsu, Han 2010, "CETR: content
extraction via tag ratios"; DANA thesis 3.3.3.1 and Algorithm 9. The tag ratio of a line of the source is the number of
its characters outside tags over the number of its tags (over 1 where it has none). The row of ratios is smoothed with a
Gaussian, so that short lines between long ones count as those, and divided into content and the rest:

- CETR-TM: content is what reaches a share of the standard deviation.
- CETR-KM: k-means with k = 3; the cluster nearest to the origin is not content.
- CETR: each line is a point of two dimensions, its smoothed ratio and how much the ratio changes behind it (the mean
  of the next three against its own, smoothed too). k-means with k = 3, one centre held at the origin; what
  belongs to that one is not content.

Lines are those of the source; scripts, styles and comments count nothing in them. Long ones are broken every 65
characters, as the publication does against pages that are all one line (worth 0.03 of word F1 on half of the sites of
wcxb-dev); lines with neither text nor tag are left out. White space counts as
one character, and not at all at the beginning of a line. A word belongs to the line it begins in.

Where our numbers come from: 65 characters, k = 3, three lines for the change: Weninger et al. 2010. The width of the
Gaussian is the standard deviation of the ratios, as a public implementation reads the paper; on half of the sites of
wcxb-dev it is within 0.001 of word F1 of the best fixed width (24 lines) and better than 1 to 8. The share for CETR-TM
is swept there (0.5, 0.75, 1).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.charts import Profile
from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.extractors.published.bte import Floats, PageTokens, counted_tags, tokens
from tidings.page import Page, Spans
from tidings.page.columns import Bools, Ints
from tidings.page.counts import code_points

#: Lines to either side of the Gaussian at most. Lines of 65 characters have a standard deviation under 33.
_WIDEST: Final = 128
#: Rounds of k-means at most, for linear time. The pages of wcxb-dev need 10 on average, 99 of 100 at most 34.
_ROUNDS: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """The tag ratio of each line of a page, and the line in which each visible word begins."""

    tokens: PageTokens
    ratio: Floats
    word_line: Ints


def tag_ratios(characters: Ints, tags: Ints) -> Floats:
    """Return characters outside tags over tags, line by line (Algorithm 9)."""
    ratios: Floats = characters / np.maximum(tags, 1)
    return ratios


def histogram(page: Page, line_length: int | None) -> Histogram:
    """Count characters and tags of each line of the source."""
    runs, row = page.runs, tokens(page)
    codes = code_points(page.source)
    white = codes <= ord(" ")
    space = white & (codes != ord("\n"))
    space[1:] &= ~white[:-1]  # the first of several counts, and none that begins a line
    space[:1] = False
    beside = np.concatenate(((False,), space, (False,)))  # whether white space counts before each place, and at the end
    breaks = np.flatnonzero(codes == ord("\n"))

    shown = np.flatnonzero(~runs.hidden)
    # White space beside a run is outside it in our columns, but inside the line.
    start = runs.start[shown] - beside[runs.start[shown]]
    end = runs.end[shown] + beside[runs.end[shown] + 1]
    size = end - start
    place = np.repeat(start - np.cumsum(size) + size, size) + np.arange(size.sum())
    place = place[~white[place] | space[place]]
    tag = page.cut.tag_start[counted_tags(page)]
    word = page.source_of_text[row.word_at]

    characters, tags, words = (_line_begin(places, breaks, line_length) for places in (place, tag, word))
    line = np.unique(np.concatenate((characters[np.diff(characters, prepend=-1) > 0], tags, words)))
    ratio = tag_ratios(_count(characters, line), _count(tags, line))
    return Histogram(row, ratio, np.searchsorted(line, words))


def _line_begin(places: Ints, breaks: Ints, line_length: int | None) -> Ints:
    """Return where in the source the line begins in which each place lies."""
    begin = np.concatenate(((0,), breaks + 1))[np.searchsorted(breaks, places)]
    return begin if line_length is None else places - (places - begin) % line_length


def _count(begins: Ints, line: Ints) -> Ints:
    """Return how many of some places, by the beginnings of their lines, are in each line."""
    return np.searchsorted(begins, line, side="right") - np.searchsorted(begins, line, side="left")


def smooth(ratio: Floats, sigma: float) -> Floats:
    """Convolve with a Gaussian as wide as `sigma`, reaching one standard deviation to either side."""
    if sigma < 1e-6 or not len(ratio):
        return ratio
    reach = min(int(np.ceil(sigma)), _WIDEST)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    return np.convolve(ratio, kernel / kernel.sum())[reach : reach + len(ratio)]


def change(smoothed: Floats, lines: int) -> Floats:
    """Return how much the mean of the next `lines` lines differs from a line's own value; nothing behind the last
    one.
    """
    if lines < 1:
        raise BadParameter(f"lines is {lines}; the change is measured over at least one line")
    before = np.concatenate(((0.0,), np.cumsum(smoothed)))
    first = np.arange(1, len(smoothed))
    last = np.minimum(first + lines, len(smoothed))
    slope = np.zeros_like(smoothed)
    slope[:-1] = np.abs((before[last] - before[first]) / (last - first) - smoothed[:-1])
    return slope


def clusters(points: Floats, k: int, hold_origin: bool) -> tuple[Ints, Floats]:
    """k-means: the cluster of each point, and the centres. The first centre starts at the origin, or stays there.

    The others start evenly spaced on the way to the farthest corner, so that the result is always the same.
    """
    if k < 2:
        raise BadParameter(f"k is {k}; content and the rest are at least two clusters")
    centres = np.outer(np.arange(k) / (k - 1), points.max(axis=0, initial=0.0))
    nearest = np.zeros(len(points), np.int64)
    for _ in range(_ROUNDS):
        distance = ((points[:, None, :] - centres) ** 2).sum(axis=2)
        nearest = distance.argmin(axis=1)
        count = np.bincount(nearest, minlength=k)
        moved = centres.copy()
        for axis in range(points.shape[1]):
            total = np.bincount(nearest, points[:, axis], minlength=k)
            moved[:, axis] = np.where(count, total / np.maximum(count, 1), centres[:, axis])
        if hold_origin:
            moved[0] = 0.0
        if np.array_equal(moved, centres):
            break
        centres = moved
    return nearest, centres


@dataclass(frozen=True, slots=True)
class _TagRatios(ABC):
    """What the forms share: the smoothed tag ratios of the lines, and the words of those that are content."""

    line_length: int | None  # where long lines are broken; None: nowhere
    sigma: float | None  # width of the Gaussian in lines; None: the standard deviation of the ratios

    @abstractmethod
    def content(self, ratio: Floats, smoothed: Floats) -> Bools:
        """Return which lines are content."""

    def __call__(self, page: Page, /) -> Spans:
        """Return the words of the lines that are content."""
        found, smoothed = self._smoothed(page)
        return found.tokens.spans(page, self.content(found.ratio, smoothed)[found.word_line])

    def score(self, page: Page, /) -> Floats:
        """For each block the mean smoothed tag ratio of its words' lines."""
        found, smoothed = self._smoothed(page)
        return found.tokens.block_means(page, smoothed[found.word_line])

    def picture(self, page: Page, /) -> Profile:
        """Figure 3.10: the tag ratio of each line, and smoothed."""
        found, smoothed = self._smoothed(page)
        chosen = self.content(found.ratio, smoothed)
        series = (("tag ratio", found.ratio), ("smoothed", smoothed))
        return Profile("CETR", "line", "characters for each tag", series, chosen=chosen)

    def _smoothed(self, page: Page) -> tuple[Histogram, Floats]:
        if self.line_length is not None and self.line_length < 1:
            raise BadParameter(f"line_length is {self.line_length}; a line has at least one character")
        if self.sigma is not None and self.sigma < 0:
            raise BadParameter(f"sigma is {self.sigma}; it is a number of lines, 0 or more")
        found = histogram(page, self.line_length)
        return found, smooth(found.ratio, self._width(found.ratio))

    def _width(self, values: Floats) -> float:
        if self.sigma is not None:
            return self.sigma
        return float(values.std()) if len(values) else 0.0


@checked
@dataclass(frozen=True, slots=True)
class CETR(_TagRatios):
    """Lines with much text for each tag, or beside such lines: clusters of ratio and change."""

    line_length: int | None = 65
    sigma: float | None = None
    k: int = 3
    lines: int = 3  # over which the change is measured

    def content(self, ratio: Floats, smoothed: Floats) -> Bools:
        """Return the lines outside the cluster at the origin."""
        del ratio
        slope = change(smoothed, self.lines)
        points = np.stack((smoothed, smooth(slope, self._width(slope))), axis=1)
        return np.asarray(clusters(points, self.k, hold_origin=True)[0] > 0)


@checked
@dataclass(frozen=True, slots=True)
class CETRKM(_TagRatios):
    """Lines with much text for each tag: clusters of the ratio alone."""

    line_length: int | None = 65
    sigma: float | None = None
    k: int = 3

    def content(self, ratio: Floats, smoothed: Floats) -> Bools:
        """Return the lines outside the cluster nearest to the origin."""
        del ratio
        nearest, centres = clusters(smoothed[:, None], self.k, hold_origin=False)
        return np.asarray(nearest != centres[:, 0].argmin())


@checked
@dataclass(frozen=True, slots=True)
class CETRTM(_TagRatios):
    """Lines with much text for each tag: a threshold from the standard deviation."""

    line_length: int | None = 65
    sigma: float | None = None
    share: float = 0.75  # of the standard deviation

    def content(self, ratio: Floats, smoothed: Floats) -> Bools:
        """Return the lines that reach the threshold."""
        limit = self.share * float(ratio.std()) if len(ratio) else 0.0
        return np.asarray((smoothed >= limit) & (smoothed > 0))
