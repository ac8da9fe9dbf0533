"""Maximum-scoring subsequences of a row of numbers: the best one, and the best disjoint ones.

Source: DANA thesis 3.3.1.4, eq. 3.5 and Algorithm 8. Ruzzo and Tompa 1999 ("A linear time algorithm for finding all
maximal scoring subsequences"): the maximal subsequences are the greatest, then the greatest to the left of it, to the
right of it, and so on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.page.columns import Ints

Floats = NDArray[np.float64]


class Stretch(NamedTuple):
    """A contiguous range of a sequence of scores, from `start` to `end` (exclusive), and the sum of its scores."""

    start: int
    end: int
    total: float


def greatest(scores: Floats) -> Stretch | None:
    """Return the stretch of numbers with the greatest sum; None if no number is above 0.

    Algorithm 8 as two running values: the prefix sum, and its minimum so far. Of equal stretches the one that ends
    first wins, then the one that begins last, so that no stretch begins with a part that adds nothing.
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
    """Return all maximal stretches in order, in linear time (Ruzzo and Tompa 1999).

    Neighbours of equal sign are joined first, because no maximal stretch begins or ends between them.
    """
    borders = _signs(scores)
    sums = np.add.reduceat(scores, borders[:-1]).tolist() if len(scores) else []
    places = borders.tolist()
    # Candidates: prefix sum before each and at its end, first and last position, and the nearest earlier candidate
    # with a lower prefix sum.
    before_sums: list[float] = []
    end_sums: list[float] = []
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
            at = len(before_sums) - 1
            while at >= 0 and before_sums[at] >= low:
                at = lower[at]
            if at < 0 or end_sums[at] >= high:
                break
            low, first = before_sums[at], start[at]  # merge all candidates from that one on
            for column in (before_sums, end_sums, start, end, lower):
                del column[at:]
        before_sums.append(low)
        end_sums.append(high)
        start.append(first)
        end.append(places[place + 1])
        lower.append(at)
    return [
        Stretch(*ends)
        for ends in zip(start, end, (b - a for a, b in zip(before_sums, end_sums, strict=True)), strict=True)
    ]


def best(scores: Floats, count: int) -> list[Stretch]:
    """Return the `count` disjoint ranges of scores with the largest sums, in the order of the sequence."""
    if count == 1:
        stretch = greatest(scores)
        return [] if stretch is None else [stretch]
    ranked = sorted(maximal(scores), key=lambda stretch: -stretch.total)  # of equals the first
    return sorted(ranked[:count])


def _signs(scores: Floats) -> Ints:
    """Return the positions at which the sign of a number differs from that of the previous one, and the length."""
    above = scores > 0
    changes = np.flatnonzero(above[1:] != above[:-1]) + 1
    return np.concatenate(((0,), changes, (len(scores),))).astype(np.int64)
