"""Scheffé's test: which of several means differ, after an analysis of variance (N-EXT 5.3, eq. 5.13 and 5.14)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from tidings_lab.statistics.anova import Anova, Group, anova, upper_tail


@dataclass(frozen=True, slots=True)
class Pair:
    """Two groups, by index, and whether their means differ."""

    first: int
    second: int
    f: float
    critical: float
    p: float

    @property
    def differs(self) -> bool:
        """Return whether the means differ significantly."""
        return self.f > self.critical


def pair_f(mean: float, other: float, ms_within: float, size: int, other_size: int) -> float:
    """Return the F value of two means (eq. 5.14); NaN if there is neither difference nor variance."""
    spread = ms_within * (1 / size + 1 / other_size)
    if not spread:
        return math.inf if mean != other else math.nan
    return (mean - other) ** 2 / spread


def scheffe(groups: Sequence[Group] | Anova, alpha: float = 0.05) -> tuple[Pair, ...]:
    """Compare all pairs of groups, each F against (k - 1) times the F table (eq. 5.13).

    Raises:
        ValueError: the groups cannot be analysed.
    """
    table = groups if isinstance(groups, Anova) else anova(groups)
    critical = table.df_among * table.f_table(alpha)
    return tuple(_pair(table, first, second, critical) for first, second in combinations(range(len(table.means)), 2))


def _pair(table: Anova, first: int, second: int, critical: float) -> Pair:
    f = pair_f(table.means[first], table.means[second], table.ms_within, table.sizes[first], table.sizes[second])
    p = 1.0 if math.isnan(f) else upper_tail(f / table.df_among, table.df_among, table.df_within)
    return Pair(first, second, f, critical, p)
