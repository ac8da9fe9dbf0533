"""How sure a difference is: intervals by bootstrap, paired tests, analysis of variance with Scheffé's test.

How sure a mean is: bootstrap intervals (Efron and Tibshirani 1993, chapters 13 and 14).

Pages of one site share a template, so they succeed and fail together. Where sites are given, whole sites are drawn, not
pages (the cluster bootstrap); the interval is then as wide as it ought to be. The same seed gives the same interval.

- `percentile`: the middle 95 % of the means of resamples.
- `bca`: the same, corrected for bias and for skew (acceleration by the jackknife over sites). The default.

Is one extractor better than another on the same pages? Paired tests on per-page scores.

| test | asks | assumes |
| --- | --- | --- |
| `bootstrap_difference` | between what the mean difference lies | nothing; whole sites drawn where given |
| `permutation_test` | how often chance gives as large a difference | without one, both signs are as likely |
| `wilcoxon_test` | the same by ranks, so that a few pages do not decide | the same |
| `t_test` | the same by the normal distribution | many pages |

Efron and Tibshirani 1993 (chapters 13 and 15); Wilcoxon 1945. All are two-sided. Where sites are given, the pages of a
site are drawn or change sign together: they fail together too.

The F distribution: what N-EXT reads from its F table [63], to as many digits as wanted.

One-way analysis of variance: do the means of several groups differ at all (N-EXT 5.3, eq. 5.5–5.12)?

N-EXT uses it for its similarity measures (6.2) and its numbers of threads (fig. 6.3). It does not say which means
differ: that is Scheffé's test (`scheffe`). Groups of paired scores, as of two extractors on the same
pages, are compared more sharply by `permutation_test` and its like.

Scheffé's test: which of several means differ, after an analysis of variance (N-EXT 5.3, eq. 5.13 and 5.14).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from tidings.errors import needs

Floats = NDArray[np.float64]
Method = Literal["bca", "percentile"]

RESAMPLES: Final = 2000
_AT_ONCE: Final = 2_000_000  # numbers drawn at a time: 16 MB


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and between what it lies."""

    mean: float
    low: float
    high: float
    level: float = 0.95

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"

    @property
    def signed(self) -> str:
        """The same of a difference, with its sign."""
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
    """The mean of values and its confidence interval; a single value or site gives an interval of no width.

    Raises:
        ValueError: there are no values, or not one site for each.
    """
    sums, sizes = grouped(values, sites)
    mean = float(sums.sum() / sizes.sum())
    means = resampled_means(sums, sizes, resamples, seed)
    tail = (1 - level) / 2
    ends = (tail, 1 - tail) if method == "percentile" else _corrected(means, sums, sizes, mean, tail)
    low, high = np.quantile(means, ends)
    return Interval(mean, float(low), float(high), level)


def grouped(values: Sequence[float] | Floats, sites: Sequence[Hashable] | None) -> tuple[Floats, Floats]:
    """Sum and number of the values of each site; without sites every value is one of its own."""
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
    """Means of so many resamples of whole groups."""
    random = np.random.default_rng(seed)
    count = len(sums)
    rows = max(1, _AT_ONCE // count)
    means = []
    for done in range(0, resamples, rows):
        drawn = random.integers(0, count, (min(rows, resamples - done), count))
        means.append(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1))
    return np.concatenate(means)


def _corrected(means: Floats, sums: Floats, sizes: Floats, mean: float, tail: float) -> tuple[float, float]:
    """The quantiles to read instead of the plain ones (eq. 14.10, 14.14 and 14.15)."""
    if len(sums) < 2 or means.min() == means.max():
        return tail, 1 - tail
    normal = NormalDist()
    # Ties count half, so that scores of 0 and 1 are no bias.
    below = float((means < mean).mean() + (means == mean).mean() / 2)
    bias = normal.inv_cdf(min(max(below, 1 / len(means)), 1 - 1 / len(means)))
    without = (sums.sum() - sums) / (sizes.sum() - sizes)
    off = without.mean() - without
    spread = float((off**2).sum()) ** 1.5
    skew = float((off**3).sum()) / (6 * spread) if spread else 0.0

    def moved(share: float) -> float:
        place = bias + normal.inv_cdf(share)
        return normal.cdf(bias + place / (1 - skew * place)) if skew * place < 1 else share

    return moved(tail), moved(1 - tail)


Scores = Sequence[float] | Floats
Sites = Sequence[Hashable] | None

PERMUTATIONS: Final = 10_000
_EXACT: Final = 13  # up to so many groups all signs are tried: 8,192 of them


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """The outcome of a test: the mean difference (first minus second), and how likely it is by chance."""

    difference: float
    statistic: float
    p: float


def differences(first: Scores, second: Scores) -> Floats:
    """Page by page, the first minus the second.

    Raises:
        ValueError: the two are not of the same pages, or there are none.
    """
    one, other = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if one.shape != other.shape or not one.size:
        raise ValueError(f"paired tests need two scores for each page, not {one.size} and {other.size}")
    return one - other


def bootstrap_difference(
    first: Scores,
    second: Scores,
    sites: Sites = None,
    *,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """The mean difference and its interval: one extractor is better where 0 lies outside."""
    return interval(differences(first, second), sites, level=level, resamples=resamples, seed=seed)


def permutation_test(
    first: Scores, second: Scores, sites: Sites = None, *, permutations: int = PERMUTATIONS, seed: int = 0
) -> TestOutcome:
    """Chance signs for each page, or for each site; all of them where there are few, else so many drawn."""
    gaps = differences(first, second)
    sums, _ = grouped(gaps, sites)
    sums = sums[sums != 0]  # a tie has no sign
    observed = abs(float(sums.sum()))
    if not len(sums):
        return TestOutcome(0.0, 0.0, 1.0)
    exact = len(sums) <= _EXACT
    hits = drawn = 0
    for signs in _all_signs(len(sums)) if exact else _random_signs(len(sums), permutations, seed):
        # The last digits of a sum depend on its order; so far off is still the same sum.
        hits += int((np.abs(signs @ sums) >= observed * (1 - 1e-9)).sum())
        drawn += len(signs)
    # A drawn test counts the observed signs among those drawn, so that p is never 0.
    p = hits / drawn if exact else (hits + 1) / (drawn + 1)
    return TestOutcome(float(gaps.mean()), float(gaps.mean()), p)


def wilcoxon_test(first: Scores, second: Scores) -> TestOutcome:
    """Wilcoxon's signed-rank test; pages on which both are equal do not count.

    Raises:
        MissingExtra: SciPy is not installed.
    """
    gaps = differences(first, second)
    if not gaps.any():
        return TestOutcome(0.0, 0.0, 1.0)
    found = _scipy_stats().wilcoxon(gaps[gaps != 0])
    return TestOutcome(float(gaps.mean()), float(found.statistic), float(found.pvalue))


def t_test(first: Scores, second: Scores) -> TestOutcome:
    """The paired t-test.

    Raises:
        MissingExtra: SciPy is not installed.
        ValueError: there is only one page.
    """
    gaps = differences(first, second)
    if len(gaps) < 2:
        raise ValueError("a t-test needs two pages or more")
    mean = float(gaps.mean())
    if (gaps == gaps[0]).all():  # nothing varies: there is a difference on every page, or none
        return TestOutcome(mean, float(np.copysign(np.inf, mean)) if mean else 0.0, 0.0 if mean else 1.0)
    t = mean / (float(gaps.std(ddof=1)) / len(gaps) ** 0.5)
    return TestOutcome(mean, t, float(2 * _scipy_stats().t.sf(abs(t), len(gaps) - 1)))


def _all_signs(count: int) -> list[Floats]:
    numbers = np.arange(2**count)[:, None] >> np.arange(count)
    return [np.where(numbers & 1, 1.0, -1.0)]


def _random_signs(count: int, permutations: int, seed: int) -> Iterator[Floats]:
    random = np.random.default_rng(seed)
    rows = max(1, _AT_ONCE // count)
    for done in range(0, permutations, rows):
        yield np.where(random.random((min(rows, permutations - done), count)) < 0.5, 1.0, -1.0)


def _scipy_stats() -> Any:
    with needs("a test of significance", "lab"):
        from scipy import stats
    return stats


def upper_tail(value: float, among: int, within: int) -> float:
    """How likely an F so large is by chance.

    Raises:
        MissingExtra: SciPy is not installed.
    """
    with needs("a test of significance", "lab"):
        from scipy.special import fdtrc
    return float(fdtrc(among, within, value))


def critical_value(among: int, within: int, alpha: float = 0.05) -> float:
    """The F that chance exceeds with probability alpha: the entry of an F table.

    Raises:
        MissingExtra: SciPy is not installed.
    """
    with needs("a test of significance", "lab"):
        from scipy.special import fdtri
    return float(fdtri(among, within, 1 - alpha))


Group = Sequence[float] | NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Anova:
    """The table of an analysis of variance, and the means and sizes of its groups."""

    ss_among: float
    ss_within: float
    df_among: int
    df_within: int
    means: tuple[float, ...]
    sizes: tuple[int, ...]

    @property
    def ms_among(self) -> float:
        """Eq. 5.10."""
        return self.ss_among / self.df_among

    @property
    def ms_within(self) -> float:
        """Eq. 5.11."""
        return self.ss_within / self.df_within

    @property
    def f(self) -> float:
        """Eq. 5.12; infinite where groups that do not vary differ, not a number where nothing varies at all."""
        if not self.ss_within:
            return math.inf if self.ss_among else math.nan
        return self.ms_among / self.ms_within

    @property
    def p(self) -> float:
        """How likely so large an F is if all groups are alike; 1 where nothing varies at all."""
        return 1.0 if math.isnan(self.f) else upper_tail(self.f, self.df_among, self.df_within)

    def f_table(self, alpha: float = 0.05) -> float:
        """The F that chance exceeds with probability alpha."""
        return critical_value(self.df_among, self.df_within, alpha)

    def significant(self, alpha: float = 0.05) -> bool:
        """Whether at least two of the means differ."""
        return self.f > self.f_table(alpha)


def anova(groups: Sequence[Group]) -> Anova:
    """Compare the means of two or more groups.

    Raises:
        ValueError: fewer than two groups, a group with nothing in it, or nothing that could vary within groups.
    """
    columns = [np.asarray(group, np.float64) for group in groups]
    if len(columns) < 2 or not all(len(column) for column in columns):
        raise ValueError(f"an analysis of variance needs two groups or more with something in each, not {len(columns)}")
    values = np.concatenate(columns)
    if len(values) == len(columns):
        raise ValueError("with one value a group nothing varies within groups: measure each group twice or more")
    if not np.isfinite(values).all():
        raise ValueError("a value is not a finite number")
    # Around the means, not by squares of sums: the equations as printed lose all digits of scores near 1. A group that
    # does not vary has no spread, whatever the last digit of its mean.
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


@dataclass(frozen=True, slots=True)
class Pair:
    """Two groups, by their places, and whether their means differ."""

    first: int
    second: int
    f: float
    critical: float
    p: float

    @property
    def differs(self) -> bool:
        """Whether the means differ significantly."""
        return self.f > self.critical


def pair_f(mean: float, other: float, ms_within: float, size: int, other_size: int) -> float:
    """F of two means (eq. 5.14); not a number where there is neither difference nor variance."""
    spread = ms_within * (1 / size + 1 / other_size)
    if not spread:
        return math.inf if mean != other else math.nan
    return (mean - other) ** 2 / spread


def scheffe(groups: Sequence[Group] | Anova, alpha: float = 0.05) -> tuple[Pair, ...]:
    """All pairs of groups compared, each F against (k - 1) times the F table (eq. 5.13).

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
