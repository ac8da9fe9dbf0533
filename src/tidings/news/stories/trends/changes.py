"""Abrupt changes of a trend: steps that chance does not explain and that are not this trend's daily bread.

The thesis wants them detected and says no more (DANA thesis 6.6.5). Here a step from one period to the next is abrupt
if it is larger than three of its own standard errors, so that few documents do not make one; and larger than three
times the usual step of this trend, measured by the median of all its steps, so that a restless trend is not all marks.
A period with fewer than ten documents neither is marked nor compared with.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tidings.news.stories.trends.finder import TrendPoint

_ERRORS: Final = 3.0
_USUAL: Final = 3.0
_FEWEST: Final = 10


@dataclass(frozen=True, slots=True)
class TrendChange:
    """A step up or down between two periods."""

    period: str  # in which it is seen first
    before: float
    after: float

    @property
    def step(self) -> float:
        """How large it is; negative where the trend falls."""
        return self.after - self.before


def abrupt_changes(points: Sequence[TrendPoint]) -> tuple[TrendChange, ...]:
    """The abrupt changes of a trend, in their order."""
    told = [point for point in points if point.documents >= _FEWEST]
    steps = [(one, other, abs(other.mean - one.mean)) for one, other in pairwise(told)]
    if not steps:
        return ()
    usual = median(size for _, _, size in steps)
    return tuple(
        TrendChange(other.period, one.mean, other.mean)
        for one, other, size in steps
        if size > _USUAL * usual and size > _ERRORS * math.hypot(one.error, other.error) and size > 0
    )
