"""The rule of two shallow text features, words and link density: `shallow-2`.

Source: Kohlschütter, Fankhauser and Nejdl 2010 ("Boilerplate detection using shallow text features"); DANA thesis
3.3.2.1. Two decision trees decide by the link density and the number of words (or the text density) of a block and its
neighbours. The branches are those of the publication's program, boilerpipe.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.parameters import checked
from tidings.extractors.published.shallow_features import basic_features, text_density, with_neighbours
from tidings.page import Page, Spans
from tidings.page.columns import Bools

Floats = NDArray[np.float64]


class ShallowRule(Enum):
    """The two decision trees of the publication, named after the feature used in addition to link density."""

    WORDS = "number of words"  # boilerpipe: NumWordsRulesClassifier
    DENSITY = "text density"  # boilerpipe: DensityRulesClassifier


def decide(columns: dict[str, Floats], rule: ShallowRule) -> Bools:
    """Return which blocks are content by one of the published decision trees (branches as in boilerpipe)."""
    few_links = columns["link_density"] <= 0.333333
    after_text = columns["prev_link_density"] <= 0.555556
    if rule is ShallowRule.WORDS:
        words, previous, following = (columns[f"{place}words"] for place in ("", "prev_", "next_"))
        return few_links & np.where(
            after_text,
            (words > 16) | (following > 15) | (previous > 4),
            (words > 40) | (following > 17),
        )
    density, previous, following = (columns[f"{place}text_density"] for place in ("", "prev_", "next_"))
    return few_links & np.where(
        after_text,
        np.where(density <= 9, (following > 10) | (previous > 4), following > 0),
        following > 11,
    )


@checked
@dataclass(frozen=True, slots=True)
class Shallow2:
    """Blocks with words and few links, or next to such blocks."""

    rule: ShallowRule = ShallowRule.WORDS  # the two features that the thesis names are number of words and link density

    def __call__(self, page: Page, /) -> Spans:
        """Return the blocks that the published rule labels as content."""
        return page.shown(Spans.of_blocks(page, self._decide(page))) & page.scope

    def score(self, page: Page, /) -> Floats:
        """Return 1 for each block that is content, 0 for the others."""
        return self._decide(page).astype(np.float64)

    def _decide(self, page: Page) -> Bools:
        own = basic_features(page) if self.rule is ShallowRule.WORDS else basic_features(page) | text_density(page)
        return decide(with_neighbours(page, own), self.rule) & ~page.blocks.hidden
