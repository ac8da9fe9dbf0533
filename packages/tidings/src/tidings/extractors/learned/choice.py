"""From chances to a choice: the blocks with which the expected F measure is largest.

With chances p and words w, a set of blocks has the expected F of (1+β²)·Σpw / (Σw + β²·Σ pw of all). The best set is
always those above some chance, so one sorted pass finds it. The threshold is thus the page's own: high where the model
is sure of a lot, low where it is sure of nothing (Ye, Chai, Lee and Chieu 2012, optimising F-measures).

That holds if blocks go wrong one by one. They go wrong together: the teasers under a short story are all taken or all
left, and outweigh it; the last sections of a long one are too. So the shorter a story is expected to be, the surer its
blocks have to be, and those of a long one less so.
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
    """What to do in doubt."""

    PRECISION = "precision"  # leave it out: rather miss a paragraph than show somebody else's
    BALANCED = "balanced"
    RECALL = "recall"  # keep it: rather show too much than lose a paragraph


#: How many times as important recall is as precision (the β of the F measure).
_BETA: Final = {Preference.PRECISION: 0.5, Preference.BALANCED: 1.0, Preference.RECALL: 2.0}
_STORY: Final = (THRESHOLDS.middling_words, THRESHOLDS.long_words)


def choose(
    probability: NDArray[np.float64], words: Ints, preference: Preference, *, is_story: bool = False
) -> tuple[Bools, float]:
    """Return the blocks to select, and the expected F measure of the best selection.

    The blocks of a story are selected with care: a short story needs surer blocks.
    """
    weight = _BETA[preference] ** 2
    return selection.choose(probability, words, weight, _STORY if is_story else None)
