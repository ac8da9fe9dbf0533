"""Selection of blocks by maximal expected F measure.

With probabilities p and words w, a set of blocks has the expected F measure (1+β²)·Σpw / (Σw + β²·Σpw of all blocks).
The best set always consists of the blocks above some probability, so one sorted pass finds it. The threshold thus
depends on the page: high if the model is sure of many blocks, low if it is sure of none (Ye, Chai, Lee and Chieu 2012,
optimising F-measures).

The formula assumes independent errors. Errors of neighbouring blocks are correlated: the teasers under a short story
are selected all or not at all, and outweigh it; so are the last sections of a long story. Therefore the blocks of a
short story need a higher probability and those of a long story a lower one.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.core import selection
from tidings.extractors.learned.thresholds import THRESHOLDS
from tidings.page.columns import Bools, Ints


class Preference(StrEnum):
    """Whether to prefer precision (leave uncertain blocks out) or recall (include them)."""

    PRECISION = "precision"  # leave uncertain blocks out
    BALANCED = "balanced"
    RECALL = "recall"  # include uncertain blocks


#: How many times as important recall is as precision (the β of the F measure).
_BETA: Final = {Preference.PRECISION: 0.5, Preference.BALANCED: 1.0, Preference.RECALL: 2.0}
_STORY: Final = (THRESHOLDS.middling_words, THRESHOLDS.long_words)


def choose(
    probability: NDArray[np.float64], words: Ints, preference: Preference, *, is_story: bool = False
) -> tuple[Bools, float]:
    """Select the blocks with the greatest expected F measure; return which are selected, and that measure.

    With `is_story` the threshold depends on the expected length: short stories need surer blocks.

    Args:
        probability: the probability of each block to be content.
        words: the number of words of each block.
        preference: whether precision or recall weighs more in the F measure.
        is_story: whether the page is a story.
    """
    weight = _BETA[preference] ** 2
    return selection.choose(probability, words, weight, _STORY if is_story else None)
