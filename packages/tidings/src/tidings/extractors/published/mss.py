"""MSS: a naive Bayes classifier scores every token, and the stretch with the greatest sum is the content.

Pasternack and Roth 2009 ("Extracting article text from the web with maximum subsequence segmentation"); DANA thesis
3.3.1.4 (NB scoring). A token's chance p to be content comes from the trigram it begins and the tag around it
(`trained.trigrams`); its score is p - 0.5, and Algorithm 8 finds the best stretch of the page (`trained.subsequence`).
Local mistakes do not matter much, as only the sum counts.

One stretch holds what an article has between its paragraphs, too. With `k` above 1 the k best disjoint ones are taken
(Ruzzo and Tompa 1999), of which a forum or a list of products has many: `mss-k`.

Learned with `tidings_lab.learners.published`; the weights that come with Tidings are in its model card
(docs/explanation/trainable-extractors.md).

The stretch of a row of numbers with the greatest sum, and the best disjoint ones.

DANA thesis 3.3.1.4, eq. 3.5 and Algorithm 8. Ruzzo and Tompa 1999 ("A linear time algorithm for finding all maximal
scoring subsequences"): the maximal ones are the greatest, then the greatest left of it, right of it, and so on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.charts import Profile
from tidings.errors import BadParameter
from tidings.extractors.model_files import read
from tidings.extractors.parameters import checked
from tidings.extractors.published.trained.trigrams import TokenRow, TrigramBayes, token_row
from tidings.page import Page, Spans
from tidings.page.columns import Bools, Ints

Floats = NDArray[np.float64]


class Stretch(NamedTuple):
    """The places start … end - 1 of a row, and their sum."""

    start: int
    end: int
    total: float


def greatest(scores: Floats) -> Stretch | None:
    """Return the stretch with the greatest sum; None if no number is above 0.

    Algorithm 8 as two running figures: what is summed up to each place, and the least of it so far. Of equals the one
    that ends first, and of those the one that begins last, so that no stretch has a part that adds nothing before it.
    """
    if not len(scores) or scores.max() <= 0:
        return None
    before = np.concatenate(((0.0,), np.cumsum(scores)))
    least = np.minimum.accumulate(before[:-1])
    gain = before[1:] - least
    last = int(np.argmax(gain))
    start = int(np.flatnonzero(before[: last + 1] == least[last])[-1])
    return Stretch(start, last + 1, float(gain[last]))


def maximal(scores: Floats) -> list[Stretch]:
    """Return all maximal stretches in their order, in linear time (Ruzzo and Tompa 1999).

    Neighbours of one sign go together first: no maximal stretch begins or ends between them.
    """
    borders = _signs(scores)
    sums = np.add.reduceat(scores, borders[:-1]).tolist() if len(scores) else []
    places = borders.tolist()
    # Candidates: what is summed before each and up to its end, first and last place, and the nearest candidate before
    # it that begins lower.
    left: list[float] = []
    right: list[float] = []
    start: list[int] = []
    end: list[int] = []
    lower: list[int] = []
    total = 0.0
    for place, score in enumerate(sums):
        before, total = total, total + score
        if score <= 0:
            continue
        low, high, first = before, total, places[place]
        while True:
            at = len(left) - 1
            while at >= 0 and left[at] >= low:
                at = lower[at]
            if at < 0 or right[at] >= high:
                break
            low, first = left[at], start[at]  # all from that candidate on are one with this
            for kept in (left, right, start, end, lower):
                del kept[at:]
        left.append(low)
        right.append(high)
        start.append(first)
        end.append(places[place + 1])
        lower.append(at)
    return [Stretch(*one) for one in zip(start, end, (b - a for a, b in zip(left, right, strict=True)), strict=True)]


def best(scores: Floats, count: int) -> list[Stretch]:
    """Return the so many best disjoint stretches, in the order of the row."""
    if count == 1:
        found = greatest(scores)
        return [] if found is None else [found]
    ranked = sorted(maximal(scores), key=lambda stretch: -stretch.total)  # of equals the first
    return sorted(ranked[:count])


def _signs(scores: Floats) -> Ints:
    """Return where numbers of another sign begin, and the end."""
    above = scores > 0
    changes = np.flatnonzero(above[1:] != above[:-1]) + 1
    return np.concatenate(((0,), changes, (len(scores),))).astype(np.int64)


NAME: Final = "mss"


@checked
@dataclass(frozen=True, slots=True)
class MSS:
    """The one stretch of tags and words that a naive Bayes classifier takes most for content."""

    k: int = 1  # stretches at most
    share: float = 0.0  # of the best stretch's sum that another must have
    model: str = ""  # a file of one's own weights (`tidings lab train mss`); empty: those that come with Tidings

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the best stretches."""
        row, chance = self._chances(page)
        return row.tokens.spans(page, self._inside(chance)[row.tokens.place])

    def score(self, page: Page, /) -> Floats:
        """For each block the mean chance of its words."""
        row, chance = self._chances(page)
        return row.tokens.block_means(page, chance[row.tokens.place])

    def picture(self, page: Page, /) -> Profile:
        """What the scores sum up to, token by token: the content is the longest climb."""
        _, chance = self._chances(page)
        curve = np.cumsum(chance - 0.5)
        return Profile("MSS", "token", "sum of p - 0.5", (("sum", curve),), kind="curve", chosen=self._inside(chance))

    def _chances(self, page: Page) -> tuple[TokenRow, Floats]:
        row = token_row(page)
        return row, read(TrigramBayes, NAME, self.model).chances(row)

    def _inside(self, chance: Floats) -> Bools:
        """Return which tokens are in one of the best stretches."""
        if self.k < 1 or not 0 <= self.share <= 1:
            raise BadParameter(f"k is {self.k}, share {self.share}; there is one stretch at least, and share is 0 to 1")
        inside = np.zeros(len(chance), np.bool_)
        found = best(chance - 0.5, self.k)
        least = self.share * max((stretch.total for stretch in found), default=0.0)
        for stretch in found:
            if stretch.total >= least:
                inside[stretch.start : stretch.end] = True
        return inside


@checked
@dataclass(frozen=True, slots=True)
class MSSK(MSS):
    """MSS with up to twenty stretches that have at least a tenth of the best one's sum.

    Chosen on half of the sites of wcxb-dev. Over five folds of sites that is worth 0.007 of word F1 on articles, and
    0.06 over all pages.
    """

    k: int = 20
    share: float = 0.1
