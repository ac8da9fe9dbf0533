"""Content code blurring: text that remains text after blurring the page like frosted glass.

Source: Gottron 2008, "Content Code Blurring: a new approach to content extraction"; DANA thesis 3.3.1.3 and Algorithm
7. A vector has 1 for each unit of content and 0 for each unit of code. It is blurred with Gaussian weights until it is
stable; each value is then the share of content around its position. Content with a value above the threshold is the
main content. Outside the page there is neither content nor code: near the ends the weights are normalised to sum to 1.

- CCB: the units are characters without white space.
- ACCB: the same without the tags of links, so that text with many links does not count as code. (Thesis 3.3.1.3:
  "anchor-tags are ignored"; 4.6.1.1 and the glossary of the thesis say that link text is removed too. Here it stays.)
- TCCB: the units are tokens, tags and words.

Sources of the parameters: the ranges of ACCB and TCCB are from the thesis (tables 4.4 to 4.6). The thesis gives no
threshold, stop criterion, width of the Gaussian or range for CCB. A sweep on half of the sites of wcxb-dev (thresholds
0.5 to 0.75, largest changes 0.01 to 0.25, widths range/3 and range/2, ranges 20 to 80, one choice for all four) chose
threshold 0.5 (content outweighs code), a stop at a change of 0.02, width range/2, and range 40. (A threshold of 0.75,
which others use, costs at least 0.03 of word F1 there; removing link text for ACCB gains 0.01.)

The thesis says that a greater range raises recall and lowers precision. On our pages it is the other way round; in the
thesis's own table 4.4, too, recall is lower for TCCB-25 than for TCCB-18 on nine of ten sites.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from tidings.charts import Profile
from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.extractors.published.bte import Floats, PageTokens, counted_tags, tokens
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints, sums
from tidings.page.counts import code_points

_LINK: Final = tags.NUMBERS["a"]
#: The maximal number of blurring rounds. With the defaults no page of wcxb-dev needs more than 13.
_ROUNDS: Final = 32


@dataclass(frozen=True, slots=True, eq=False)
class Vector:
    """A content code vector, which divides a page into cells: the share of content in each cell, and the cell of each
    word.
    """

    tokens: PageTokens
    content: Floats
    cell: Ints


def weights(reach: int) -> Floats:
    """Return the weights of a Gaussian filter that covers `reach` neighbours on either side; they sum to 1."""
    offset = np.arange(-reach, reach + 1)
    bell = np.exp(-2 * (offset / reach) ** 2)  # a standard deviation of half the reach
    shares: Floats = bell / bell.sum()
    return shares


def blur(content: Floats, weight: Floats, stable: float, rounds: int = _ROUNDS) -> Floats:
    """Blur a vector repeatedly: replace each value by the weighted mean of its neighbourhood.

    Args:
        content: the values.
        weight: the weights of the neighbourhood, the value itself in the middle.
        stable: stop when no value changes by more than this.
        rounds: the maximal number of repetitions.
    """
    size, reach = len(content), len(weight) // 2
    inside = np.convolve(np.ones(size), weight)[reach : reach + size] if size else content
    for _ in range(rounds if size else 0):
        blurred = np.convolve(content, weight)[reach : reach + size] / inside
        change = float(np.abs(blurred - content).max())
        content = blurred
        if change <= stable:
            break
    return content


@dataclass(frozen=True, slots=True)
class _Blurring(ABC):
    """Base of all variants: blur a content code vector, and select words whose value is above a threshold."""

    unit: ClassVar[str]

    reach: int  # neighbours on either side: the range of the publication
    threshold: float
    stable: float  # stop if no value changes by more

    @abstractmethod
    def vector(self, page: Page) -> Vector:
        """Return the content code vector of a page."""

    def weights(self) -> Floats:
        """Return the filter weights of one round, in cells of the vector."""
        return weights(self.reach)

    def __call__(self, page: Page, /) -> Spans:
        """Return the words whose blurred value is above the threshold."""
        vector, blurred = self._blurred(page)
        return vector.tokens.spans(page, blurred[vector.cell] > self.threshold)

    def score(self, page: Page, /) -> Floats:
        """Return for each block the mean share of content around its words."""
        vector, blurred = self._blurred(page)
        return vector.tokens.block_means(page, blurred[vector.cell])

    def picture(self, page: Page, /) -> Profile:
        """Return the data of figure 3.8: the content code vector before and after blurring."""
        vector, blurred = self._blurred(page)
        return Profile(
            type(self).__name__,
            self.unit,
            "share of content",
            (("at first", vector.content), ("blurred", blurred)),
            kind="curve",
            thresholds=(("threshold", self.threshold),),
            chosen=blurred > self.threshold,
        )

    def _blurred(self, page: Page) -> tuple[Vector, Floats]:
        if self.reach < 1:
            raise BadParameter(f"reach is {self.reach}; a value is blurred with at least one neighbour on each side")
        if not 0 <= self.threshold <= 1:
            raise BadParameter(f"threshold is {self.threshold}; a share of content lies between 0 and 1")
        vector = self.vector(page)
        return vector, blur(vector.content, self.weights(), self.stable)


@dataclass(frozen=True, slots=True)
class _ByCharacter(_Blurring):
    """Base of variants that count characters, grouped into cells of `grain` characters (a grain of 1 is exactly
    Algorithm 7).

    A cell much narrower than the Gaussian loses nothing, and the time shrinks with the square of the grain.
    """

    unit: ClassVar[str] = "character"

    grain: int

    def code(self, page: Page) -> Bools:
        """Return which tags count as code."""
        return counted_tags(page)

    def weights(self) -> Floats:
        return weights(max(round(self.reach / self.grain), 1))

    def vector(self, page: Page) -> Vector:
        """Return the content code vector of the characters of tags and of visible text, without white space."""
        if self.grain < 1:
            raise BadParameter(f"grain is {self.grain}; a cell has at least one character")
        runs, cut, row = page.runs, page.cut, tokens(page)
        blanks_before = sums(code_points(cut.source) == ord(" "))
        blanks = blanks_before[cut.tag_end] - blanks_before[cut.tag_start]
        code = sums((cut.tag_end - cut.tag_start - blanks) * self.code(page))
        text = sums(page.text_codes > ord(" "))
        visible = np.flatnonzero(~runs.hidden)
        length = text[runs.text_end[visible]] - text[runs.text_start[visible]]
        # Code that is further from content than the blur can reach has no effect.
        far = 2 * self.reach * _ROUNDS
        gap = np.minimum(np.diff(code[page.piece[visible]], prepend=0, append=code[-1]), far)
        before = sums(length)
        start = np.cumsum(gap[:-1]) + before[:-1]  # of each run, in the stream of code and text
        size = int(gap.sum() + before[-1])

        edges = np.arange(0, size + self.grain, self.grain)
        counts = np.stack((before[:-1], before[1:]), 1).ravel()
        places = np.stack((start, start + length), 1).ravel()
        reached = np.interp(edges, places, counts) if len(places) else np.zeros(len(edges))
        run = row.word_run
        word = start[np.searchsorted(visible, run)] + text[row.word_at] - text[runs.text_start[run]]
        return Vector(row, np.diff(reached) / self.grain, word // self.grain)


@checked
@dataclass(frozen=True, slots=True)
class CCB(_ByCharacter):
    """Text with more text than markup around it, counted by character."""

    reach: int = 40
    threshold: float = 0.5
    stable: float = 0.02
    grain: int = 8  # with 1 word F1 on half of the sites of wcxb-dev differs by 0.0003


@checked
@dataclass(frozen=True, slots=True)
class ACCB(_ByCharacter):
    """CCB without the tags of links."""

    reach: int = 40  # thesis, table 4.4
    threshold: float = 0.5
    stable: float = 0.02
    grain: int = 8  # with 1 word F1 on half of the sites of wcxb-dev differs by 0.0003

    def code(self, page: Page) -> Bools:
        """Return all tags except those of links."""
        return np.asarray(counted_tags(page) & (np.abs(page.cut.codes) != _LINK))


@dataclass(frozen=True, slots=True)
class _ByToken(_Blurring):
    """Base of variants that count tags and words."""

    unit: ClassVar[str] = "token"

    def vector(self, page: Page) -> Vector:
        row = tokens(page)
        return Vector(row, (~row.is_tag()).astype(np.float64), row.place)


@checked
@dataclass(frozen=True, slots=True)
class TCCB18(_ByToken):
    """Words with more words than tags around them, within 18 tokens on either side."""

    reach: int = 18  # thesis, table 4.4
    threshold: float = 0.5
    stable: float = 0.02


@checked
@dataclass(frozen=True, slots=True)
class TCCB25(_ByToken):
    """Words with more words than tags around them, within 25 tokens on either side."""

    reach: int = 25  # thesis, table 4.4
    threshold: float = 0.5
    stable: float = 0.02
