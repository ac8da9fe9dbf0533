"""From chances to a choice: the blocks with which the expected F measure is largest.

With chances p and words w, a set of blocks has the expected F of (1+β²)·Σpw / (Σw + β²·Σ pw of all). The best set is
always those above some chance, so one sorted pass finds it. The threshold is thus the page's own: high where the model
is sure of a lot, low where it is sure of nothing (Ye, Chai, Lee and Chieu 2012, optimising F-measures).

That holds if blocks go wrong one by one. They go wrong together: the teasers under a short story are all taken or all
left, and outweigh it; the last sections of a long one are too. So the shorter a story is expected to be, the surer its
blocks have to be, and those of a long one less so.
"""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.core import choices
from tidings.page.columns import Bools, Ints


class Preference(StrEnum):
    """What to do in doubt."""

    PRECISION = "precision"  # leave it out: rather miss a paragraph than show somebody else's
    BALANCED = "balanced"
    RECALL = "recall"  # keep it: rather show too much than lose a paragraph


#: How many times as important recall is as precision (the β of the F measure).
_BETA: Final = {Preference.PRECISION: 0.5, Preference.BALANCED: 1.0, Preference.RECALL: 2.0}


#: The odds of a story's blocks are taken times the root of its words by these: of a quarter of them half, of a long one
#: two thirds more. Chosen by folds of sites on six corpora, and on the segments of trafilatura-eval; 400 to 800 words
#: do nearly as well.
_MIDDLING: Final = 500.0
_LONG: Final = 1350.0


#: As the core is told of the usual preference: what recall weighs, and the words of a story.
BALANCED: Final = (_BETA[Preference.BALANCED] ** 2, _MIDDLING, _LONG)


def choose(
    chance: NDArray[np.float64], words: Ints, preference: Preference, *, is_story: bool = False
) -> tuple[Bools, float]:
    """Which blocks to take, and the F measure that the chances promise; of a story with care, as long as it is."""
    weight = _BETA[preference] ** 2
    told = choices.choose(chance, words, weight, (_MIDDLING, _LONG) if is_story else None)
    return _chosen(chance, words, weight, is_story=is_story) if told is None else told


def _chosen(chance: NDArray[np.float64], words: Ints, weight: float, *, is_story: bool) -> tuple[Bools, float]:
    chosen = np.zeros(len(chance), np.bool_)
    if not len(chance):
        return chosen, 0.0
    order = (-chance).argsort(kind="stable")
    likely, taken = chance * words, words[order].cumsum()
    in_all = float(likely.sum())
    expected = (1 + weight) * likely[order].cumsum() / (taken + weight * in_all + 1e-9)
    most = int(expected.argmax())
    best = float(expected[most])
    if is_story:
        odds = math.sqrt(min(in_all, _LONG) / _MIDDLING)
        likely = likely * odds / (1 - (1 - odds) * chance)
        most = int((likely[order].cumsum() / (taken + weight * float(likely.sum()) + 1e-9)).argmax())
    chosen[order[: most + 1]] = True
    return chosen, best
