"""The stretch of a row of numbers with the greatest sum, and the best disjoint ones.

DANA thesis 3.3.1.4, eq. 3.5 and Algorithm 8. Ruzzo and Tompa 1999 ("A linear time algorithm for finding all maximal
scoring subsequences"): the maximal ones are the greatest, then the greatest left of it, right of it, and so on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.page.columns import Ints

Floats = NDArray[np.float64]


class Stretch(NamedTuple):
    """The places start … end - 1 of a row, and their sum."""

    start: int
    end: int
    total: float


def greatest(scores: Floats) -> Stretch | None:
    """The stretch with the greatest sum; None if no number is above 0.

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
    """All maximal stretches in their order, in linear time (Ruzzo and Tompa 1999).

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
    """The so many best disjoint stretches, in the order of the row."""
    if count == 1:
        found = greatest(scores)
        return [] if found is None else [found]
    ranked = sorted(maximal(scores), key=lambda stretch: -stretch.total)  # of equals the first
    return sorted(ranked[:count])


def _signs(scores: Floats) -> Ints:
    """Where numbers of another sign begin, and the end."""
    above = scores > 0
    changes = np.flatnonzero(above[1:] != above[:-1]) + 1
    return np.concatenate(((0,), changes, (len(scores),))).astype(np.int64)
