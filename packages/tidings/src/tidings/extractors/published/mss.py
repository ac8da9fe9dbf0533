"""MSS, maximum subsequence segmentation: the token sequence with the greatest sum of naive Bayes scores.

Source: Pasternack and Roth 2009 ("Extracting article text from the web with maximum subsequence segmentation"); DANA
thesis 3.3.1.4 (NB scoring). The probability p of a token to be content depends on the trigram that begins with it and
on the tag around it (`trained.trigrams`). Its score is p - 0.5, and Algorithm 8 finds the best subsequence of the page
(`subsequences`). Single errors matter little, because only the sum counts.

One subsequence also contains the text between the paragraphs of an article. With `k` above 1 the k best disjoint
subsequences are selected (Ruzzo and Tompa 1999), which suits forums and product lists: `mss-k`. The weights are trained
by `tidings lab train mss`; their model card is in docs/explanation/trainable-extractors.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.charts import Profile
from tidings.errors import BadParameter
from tidings.extractors.model_files import read
from tidings.extractors.parameters import checked
from tidings.extractors.published.subsequences import best
from tidings.extractors.published.trained.trigrams import TokenRow, TrigramBayes, token_row
from tidings.page import Page, Spans
from tidings.page.columns import Bools

Floats = NDArray[np.float64]
NAME: Final = "mss"


@checked
@dataclass(frozen=True, slots=True)
class MSS:
    """The one stretch of tags and words that a naive Bayes classifier rates highest as content."""

    k: int = 1  # number of stretches, at most
    share: float = 0.0  # share of the best stretch's sum that other stretches need
    model: str = ""  # a model file (`tidings lab train mss`); empty for the built-in model

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the stretches with the greatest sums."""
        row, probability = self._probabilities(page)
        return row.tokens.spans(page, self._inside(probability)[row.tokens.place])

    def score(self, page: Page, /) -> Floats:
        """Return for each block the mean probability of its words."""
        row, probability = self._probabilities(page)
        return row.tokens.block_means(page, probability[row.tokens.place])

    def picture(self, page: Page, /) -> Profile:
        """Return the data of a figure: the cumulative scores by token; the content is the longest climb."""
        _, probability = self._probabilities(page)
        curve = np.cumsum(probability - 0.5)
        return Profile(
            "MSS", "token", "sum of p - 0.5", (("sum", curve),), kind="curve", chosen=self._inside(probability)
        )

    def _probabilities(self, page: Page) -> tuple[TokenRow, Floats]:
        row = token_row(page)
        return row, read(TrigramBayes, NAME, self.model).probabilities(row)

    def _inside(self, probability: Floats) -> Bools:
        """Return which tokens are in a stretch with one of the greatest sums."""
        if self.k < 1 or not 0 <= self.share <= 1:
            raise BadParameter(f"k is {self.k}, share {self.share}; there is one stretch at least, and share is 0 to 1")
        inside = np.zeros(len(probability), np.bool_)
        stretches = best(probability - 0.5, self.k)
        least = self.share * max((stretch.total for stretch in stretches), default=0.0)
        for stretch in stretches:
            if stretch.total >= least:
                inside[stretch.start : stretch.end] = True
        return inside


@checked
@dataclass(frozen=True, slots=True)
class MSSK(MSS):
    """MSS with up to twenty stretches that have at least a tenth of the best one's sum.

    The values were chosen on half of the sites of wcxb-dev. In cross-validation with five folds of sites they gain
    0.007 of word F1 on articles, and 0.06 on all pages.
    """

    k: int = 20
    share: float = 0.1
