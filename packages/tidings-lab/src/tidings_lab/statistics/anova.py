"""One-way analysis of variance: whether the means of several groups differ (N-EXT 5.3, eq. 5.5–5.12).

N-EXT uses it for its similarity measures (6.2) and its numbers of threads (fig. 6.3). It does not show which means
differ; Scheffé's test does (`scheffe`). Paired scores, as of two extractors on the same pages, are compared more
sharply by `permutation_test`. The values of the F distribution replace the F table that N-EXT cites [63].
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tidings.errors import needs


def upper_tail(value: float, among: int, within: int) -> float:
    """Return the probability of an F value at least this large by chance.

    Raises:
        MissingExtra: SciPy is not installed.
    """
    with needs("a test of significance", "lab"):
        from scipy.special import fdtrc
    return float(fdtrc(among, within, value))


def critical_value(among: int, within: int, alpha: float = 0.05) -> float:
    """Return the F value that chance exceeds with probability alpha: the entry of an F table.

    Raises:
        MissingExtra: SciPy is not installed.
    """
    with needs("a test of significance", "lab"):
        from scipy.special import fdtri
    return float(fdtri(among, within, 1 - alpha))


Group = Sequence[float] | NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Anova:
    """The result of an analysis of variance, with the means and sizes of its groups."""

    ss_among: float
    ss_within: float
    df_among: int
    df_within: int
    means: tuple[float, ...]
    sizes: tuple[int, ...]

    @property
    def ms_among(self) -> float:
        """Return the mean square among groups (eq. 5.10)."""
        return self.ss_among / self.df_among

    @property
    def ms_within(self) -> float:
        """Return the mean square within groups (eq. 5.11)."""
        return self.ss_within / self.df_within

    @property
    def f(self) -> float:
        """Return the F value (eq. 5.12); infinite if only groups differ, NaN if nothing varies."""
        if not self.ss_within:
            return math.inf if self.ss_among else math.nan
        return self.ms_among / self.ms_within

    @property
    def p(self) -> float:
        """Return the probability of an F value at least this large if all means are equal; 1 if nothing varies."""
        return 1.0 if math.isnan(self.f) else upper_tail(self.f, self.df_among, self.df_within)

    def f_table(self, alpha: float = 0.05) -> float:
        """Return the F value that chance exceeds with probability alpha."""
        return critical_value(self.df_among, self.df_within, alpha)

    def significant(self, alpha: float = 0.05) -> bool:
        """Return whether at least two of the means differ."""
        return self.f > self.f_table(alpha)


def anova(groups: Sequence[Group]) -> Anova:
    """Compare the means of two or more groups.

    Raises:
        ValueError: there are fewer than two groups, an empty group, or only one value per group.
    """
    columns = [np.asarray(group, np.float64) for group in groups]
    if len(columns) < 2 or not all(len(column) for column in columns):
        raise ValueError(f"an analysis of variance needs two groups or more with something in each, not {len(columns)}")
    values = np.concatenate(columns)
    if len(values) == len(columns):
        raise ValueError("with one value a group nothing varies within groups: measure each group twice or more")
    if not np.isfinite(values).all():
        raise ValueError("a value is not a finite number")
    # Computed from deviations, because the printed equations (squares of sums) lose all digits of scores near 1. A
    # group of equal values has no spread, whatever the rounding error of its mean.
    means = [float(column[0]) if (column == column[0]).all() else float(column.mean()) for column in columns]
    grand = means[0] if (values == values[0]).all() else float(values.mean())
    return Anova(
        ss_among=sum(len(column) * (mean - grand) ** 2 for column, mean in zip(columns, means, strict=True)),
        ss_within=sum(float(((column - mean) ** 2).sum()) for column, mean in zip(columns, means, strict=True)),
        df_among=len(columns) - 1,
        df_within=len(values) - len(columns),
        means=tuple(means),
        sizes=tuple(len(column) for column in columns),
    )
