"""From chances to a choice: the blocks with which the expected F measure is largest.

With chances p and words w, a set of blocks has the expected F of (1+β²)·Σpw / (Σw + β²·Σ pw of all). The best set is
always those above some chance, so one sorted pass finds it. The threshold is thus the page's own: high where the model
is sure of a lot, low where it is sure of nothing (Ye, Chai, Lee and Chieu 2012, optimising F-measures).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.page.columns import Bools, Ints


class Preference(StrEnum):
    """What to do in doubt."""

    PRECISION = "precision"  # leave it out: rather miss a paragraph than show somebody else's
    BALANCED = "balanced"
    RECALL = "recall"  # keep it: rather show too much than lose a paragraph


#: How many times as important recall is as precision (the β of the F measure).
_BETA: Final = {Preference.PRECISION: 0.5, Preference.BALANCED: 1.0, Preference.RECALL: 2.0}


def choose(chance: NDArray[np.float64], words: Ints, preference: Preference) -> tuple[Bools, float]:
    """Which blocks to take, and the F measure to be expected of them."""
    chosen = np.zeros(len(chance), np.bool_)
    if not len(chance):
        return chosen, 0.0
    weight = _BETA[preference] ** 2
    order = (-chance).argsort(kind="stable")
    likely = chance * words
    expected = (1 + weight) * likely[order].cumsum() / (words[order].cumsum() + weight * likely.sum() + 1e-9)
    most = int(expected.argmax())
    chosen[order[: most + 1]] = True
    return chosen, float(expected[most])
