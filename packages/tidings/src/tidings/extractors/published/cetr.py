"""CETR, content extraction via tag ratios: lines with much text per tag.

Source: Weninger, Hsu 2008, "Text extraction from the web via text-to-tag ratio"; Weninger, Hsu, Han 2010, "CETR:
content extraction via tag ratios"; DANA thesis 3.3.3.1 and Algorithm 9. The tag ratio of a source line is the number of
its characters outside tags divided by the number of its tags (at least 1). The ratios are smoothed with a Gaussian, so
that short lines between long ones resemble them, and divided into content and the rest:

- CETR-TM: content reaches a share of the standard deviation.
- CETR-KM: k-means with k = 3; the cluster nearest to the origin is not content.
- CETR: each line is a point with two coordinates, its smoothed ratio and the change of the ratio after it (the mean of
  the next three lines minus its own value, also smoothed). k-means with k = 3 and one centre fixed at the origin; the
  cluster of that centre is not content.

Lines are those of the source without scripts, styles and comments. Long lines are broken every 65 characters, as in the
publication for pages that consist of one line (worth 0.03 of word F1 on half of the sites of wcxb-dev). Lines with
neither text nor tag are dropped. White space counts as one character, and not at all at the beginning of a line. A word
belongs to the line in which it begins.

Sources of the parameters: 65 characters, k = 3 and three lines for the change: Weninger et al. 2010. The width of the
Gaussian is the standard deviation of the ratios, as in a public implementation; on half of the sites of wcxb-dev it is
within 0.001 of word F1 of the best fixed width (24 lines) and better than 1 to 8. The share for CETR-TM was chosen
there (0.5, 0.75, 1).
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

#: The maximal reach of the Gaussian in lines. Lines of 65 characters have a standard deviation below 33.
_WIDEST: Final = 128
#: The maximal number of k-means iterations, for linear time. Pages of wcxb-dev need 10 on average, 99 % at most 34.
_ROUNDS: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """The tag ratio of each line of a page, and the line of each visible word."""

    tokens: PageTokens
    ratio: Floats
    word_line: Ints


def tag_ratios(characters: Ints, tags: Ints) -> Floats:
    """Return characters outside tags divided by tags, for each line (Algorithm 9)."""
    ratios: Floats = characters / np.maximum(tags, 1)
    return ratios


def histogram(page: Page, line_length: int | None) -> Histogram:
    """Count characters and tags of each line of the source."""
    runs, row = page.runs, tokens(page)
    codes = code_points(page.source)
    white = codes <= ord(" ")
    space = white & (codes != ord("\n"))
    space[1:] &= ~white[:-1]  # only the first of several counts, and none at the beginning of a line
    space[:1] = False
    beside = np.concatenate(((False,), space, (False,)))  # whether white space counts before each position
    breaks = np.flatnonzero(codes == ord("\n"))

    visible = np.flatnonzero(~runs.hidden)
    # White space next to a run is outside the run in our columns, but inside the line.
    start = runs.start[visible] - beside[runs.start[visible]]
    end = runs.end[visible] + beside[runs.end[visible] + 1]
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
    """Return the start of the line of each source position.

    Args:
        places: the positions.
        breaks: the positions of the line breaks.
        line_length: the length at which long lines are broken; None for no limit.
    """
    begin = np.concatenate(((0,), breaks + 1))[np.searchsorted(breaks, places)]
    return begin if line_length is None else places - (places - begin) % line_length


def _count(begins: Ints, line: Ints) -> Ints:
    """Return how many positions are in each line, given where lines begin.

    Args:
        begins: the sorted starts of the lines that contain the positions.
        line: the start of each line.
    """
    return np.searchsorted(begins, line, side="right") - np.searchsorted(begins, line, side="left")


def smooth(ratio: Floats, sigma: float) -> Floats:
    """Convolve with a Gaussian of width `sigma`, cut off at one standard deviation on either side."""
    if sigma < 1e-6 or not len(ratio):
        return ratio
    reach = min(int(np.ceil(sigma)), _WIDEST)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    return np.convolve(ratio, kernel / kernel.sum())[reach : reach + len(ratio)]


def change(smoothed: Floats, lines: int) -> Floats:
    """Return for each line how much the tag ratio rises: the mean of the next `lines` lines minus its own value.

    The last line has 0.
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
    """Cluster points by k-means; return the cluster of each point and the centres.

    The first centre starts at the origin, and stays there with `hold_origin`. The others start evenly spaced on the way
    to the farthest corner, so that the result is deterministic.
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
    """Base of all variants: smoothed tag ratios of lines, and the words of lines that are content."""

    line_length: int | None  # long lines are broken at this length; None: never
    sigma: float | None  # width of the Gaussian in lines; None: the standard deviation of the ratios

    @abstractmethod
    def content(self, ratio: Floats, smoothed: Floats) -> Bools:
        """Return which lines are content."""

    def __call__(self, page: Page, /) -> Spans:
        """Return the words of the lines that are content."""
        lines, smoothed = self._smoothed(page)
        return lines.tokens.spans(page, self.content(lines.ratio, smoothed)[lines.word_line])

    def score(self, page: Page, /) -> Floats:
        """Return for each block the mean smoothed tag ratio of the lines of its words."""
        lines, smoothed = self._smoothed(page)
        return lines.tokens.block_means(page, smoothed[lines.word_line])

    def picture(self, page: Page, /) -> Profile:
        """Return the data of figure 3.10: the tag ratio of each line, raw and smoothed."""
        lines, smoothed = self._smoothed(page)
        chosen = self.content(lines.ratio, smoothed)
        series = (("tag ratio", lines.ratio), ("smoothed", smoothed))
        return Profile("CETR", "line", "characters for each tag", series, chosen=chosen)

    def _smoothed(self, page: Page) -> tuple[Histogram, Floats]:
        if self.line_length is not None and self.line_length < 1:
            raise BadParameter(f"line_length is {self.line_length}; a line has at least one character")
        if self.sigma is not None and self.sigma < 0:
            raise BadParameter(f"sigma is {self.sigma}; it is a number of lines, 0 or more")
        lines = histogram(page, self.line_length)
        return lines, smooth(lines.ratio, self._width(lines.ratio))

    def _width(self, values: Floats) -> float:
        if self.sigma is not None:
            return self.sigma
        return float(values.std()) if len(values) else 0.0


@checked
@dataclass(frozen=True, slots=True)
class CETR(_TagRatios):
    """Lines with much text per tag, or next to such lines: clusters by tag ratio and by its change."""

    line_length: int | None = 65
    sigma: float | None = None
    k: int = 3
    lines: int = 3  # number of lines over which the change is measured

    def content(self, ratio: Floats, smoothed: Floats) -> Bools:
        """Return the lines outside the cluster that stays at the origin (ratio and change of 0)."""
        del ratio
        slope = change(smoothed, self.lines)
        points = np.stack((smoothed, smooth(slope, self._width(slope))), axis=1)
        return np.asarray(clusters(points, self.k, hold_origin=True)[0] > 0)


@checked
@dataclass(frozen=True, slots=True)
class CETRKM(_TagRatios):
    """Lines with much text per tag: clusters by tag ratio alone."""

    line_length: int | None = 65
    sigma: float | None = None
    k: int = 3

    def content(self, ratio: Floats, smoothed: Floats) -> Bools:
        """Return the lines outside the cluster nearest to a ratio of 0."""
        del ratio
        nearest, centres = clusters(smoothed[:, None], self.k, hold_origin=False)
        return np.asarray(nearest != centres[:, 0].argmin())


@checked
@dataclass(frozen=True, slots=True)
class CETRTM(_TagRatios):
    """Lines with much text per tag: a threshold relative to the standard deviation."""

    line_length: int | None = 65
    sigma: float | None = None
    share: float = 0.75  # of the standard deviation

    def content(self, ratio: Floats, smoothed: Floats) -> Bools:
        """Return the lines whose smoothed ratio reaches the threshold."""
        limit = self.share * float(ratio.std()) if len(ratio) else 0.0
        return np.asarray((smoothed >= limit) & (smoothed > 0))
