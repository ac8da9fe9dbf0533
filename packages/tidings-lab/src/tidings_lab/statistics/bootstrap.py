"""Bootstrap confidence intervals of a mean (Efron and Tibshirani 1993, chapters 13 and 14).

Pages of one site share a template, so they succeed and fail together. If sites are given, whole sites are resampled
instead of pages (cluster bootstrap), which gives intervals of the correct width. The same seed gives the same interval.

- `percentile`: the middle 95 % of the means of resamples.
- `bca`: the same, corrected for bias and skew (acceleration by the jackknife over sites). This is the default.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Method = Literal["bca", "percentile"]
RESAMPLES: Final = 2000
AT_ONCE: Final = 2_000_000  # numbers drawn at a time: 16 MB


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its confidence interval."""

    mean: float
    low: float
    high: float
    level: float = 0.95

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"

    @property
    def signed(self) -> str:
        """Return the interval of a difference as text, with signs."""
        return f"{self.mean:+.3f} [{self.low:+.3f}, {self.high:+.3f}]"


def interval(
    values: Sequence[float] | Floats,
    sites: Sequence[Hashable] | None = None,
    *,
    level: float = 0.95,
    method: Method = "bca",
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """Return the mean of values with its confidence interval; the interval of a single value or site has no width.

    Raises:
        ValueError: there are no values, or not one site per value.
    """
    sums, sizes = grouped(values, sites)
    mean = float(sums.sum() / sizes.sum())
    means = resampled_means(sums, sizes, resamples, seed)
    tail = (1 - level) / 2
    ends = (tail, 1 - tail) if method == "percentile" else _corrected(means, sums, sizes, mean, tail)
    low, high = np.quantile(means, ends)
    return Interval(mean, float(low), float(high), level)


def grouped(values: Sequence[float] | Floats, sites: Sequence[Hashable] | None) -> tuple[Floats, Floats]:
    """Return sum and number of the values of each site; without sites each value is its own group."""
    column = np.asarray(values, np.float64)
    if not len(column):
        raise ValueError("there are no values to take a mean of")
    if sites is None:
        return column, np.ones(len(column))
    if len(sites) != len(column):
        raise ValueError(f"{len(column)} values but {len(sites)} sites: each value needs one")
    numbers: dict[Hashable, int] = {}
    place = np.array([numbers.setdefault(site, len(numbers)) for site in sites])
    return np.bincount(place, column).astype(np.float64), np.bincount(place).astype(np.float64)


def resampled_means(sums: Floats, sizes: Floats, resamples: int, seed: int) -> Floats:
    """Return the means of bootstrap resamples that draw whole sites.

    Args:
        sums: the sum of the values of each site.
        sizes: the number of values of each site.
        resamples: the number of resamples.
        seed: selects the sites.
    """
    random = np.random.default_rng(seed)
    count = len(sums)
    rows = max(1, AT_ONCE // count)
    means = []
    for done in range(0, resamples, rows):
        drawn = random.integers(0, count, (min(rows, resamples - done), count))
        means.append(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1))
    return np.concatenate(means)


def _corrected(means: Floats, sums: Floats, sizes: Floats, mean: float, tail: float) -> tuple[float, float]:
    """Return the two quantile levels of the confidence interval after BCa correction (eq. 14.10, 14.14 and 14.15).

    Args:
        means: the resampled means.
        sums: the sum of the values of each site.
        sizes: the number of values of each site.
        mean: the mean of all values.
        tail: the uncorrected lower level, such as 0.025.
    """
    if len(sums) < 2 or means.min() == means.max():
        return tail, 1 - tail
    normal = NormalDist()
    # Ties count half, so that scores of 0 and 1 cause no bias.
    below = float((means < mean).mean() + (means == mean).mean() / 2)
    bias = normal.inv_cdf(min(max(below, 1 / len(means)), 1 - 1 / len(means)))
    without = (sums.sum() - sums) / (sizes.sum() - sizes)
    deviations = without.mean() - without
    spread = float((deviations**2).sum()) ** 1.5
    skew = float((deviations**3).sum()) / (6 * spread) if spread else 0.0

    def corrected(share: float) -> float:
        place = bias + normal.inv_cdf(share)
        return normal.cdf(bias + place / (1 - skew * place)) if skew * place < 1 else share

    return corrected(tail), corrected(1 - tail)
