"""Paired tests of two extractors on the same pages.

| test | question | assumptions |
| --- | --- | --- |
| `bootstrap_difference` | what is the interval of the mean difference? | none; resamples whole sites if given |
| `permutation_test` | how probable is such a difference by chance? | both signs are equally probable |
| `wilcoxon_test` | the same by ranks, so that a few pages do not dominate | as above |
| `t_test` | the same by the normal distribution | many pages |

Sources: Efron and Tibshirani 1993 (chapters 13 and 15); Wilcoxon 1945. All tests are two-sided. If sites are given, the
pages of a site are resampled, or change sign, together, because they are correlated.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import needs
from tidings_lab.statistics.bootstrap import AT_ONCE, RESAMPLES, Interval, grouped, interval

Floats = NDArray[np.float64]
Scores = Sequence[float] | Floats
Sites = Sequence[Hashable] | None
PERMUTATIONS: Final = 10_000
_EXACT: Final = 13  # up to this number of groups all combinations of signs are tried (8,192)


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """The result of a test: the mean difference (first minus second) and its p-value."""

    difference: float
    statistic: float
    p: float


def differences(first: Scores, second: Scores) -> Floats:
    """Return the differences by page, the first minus the second.

    Raises:
        ValueError: the two sequences differ in length, or are empty.
    """
    first_scores, second_scores = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if first_scores.shape != second_scores.shape or not first_scores.size:
        raise ValueError(
            f"paired tests need two scores for each page, not {first_scores.size} and {second_scores.size}"
        )
    return first_scores - second_scores


def bootstrap_difference(
    first: Scores,
    second: Scores,
    sites: Sites = None,
    *,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """Return the mean difference and its interval; an extractor is better if the interval excludes 0."""
    return interval(differences(first, second), sites, level=level, resamples=resamples, seed=seed)


def permutation_test(
    first: Scores, second: Scores, sites: Sites = None, *, permutations: int = PERMUTATIONS, seed: int = 0
) -> TestOutcome:
    """Run a sign-flipping permutation test by page or by site; exact for few groups, else with random signs."""
    gaps = differences(first, second)
    sums, _ = grouped(gaps, sites)
    sums = sums[sums != 0]  # a tie has no sign
    observed = abs(float(sums.sum()))
    if not len(sums):
        return TestOutcome(0.0, 0.0, 1.0)
    exact = len(sums) <= _EXACT
    hits = drawn = 0
    for signs in _all_signs(len(sums)) if exact else _random_signs(len(sums), permutations, seed):
        # Tolerance for rounding: the last digits of a sum depend on its order.
        hits += int((np.abs(signs @ sums) >= observed * (1 - 1e-9)).sum())
        drawn += len(signs)
    # A random test counts the observed signs as one of the draws, so that p is never 0.
    p = hits / drawn if exact else (hits + 1) / (drawn + 1)
    return TestOutcome(float(gaps.mean()), float(gaps.mean()), p)


def wilcoxon_test(first: Scores, second: Scores) -> TestOutcome:
    """Run Wilcoxon's signed-rank test; pages with equal scores do not count.

    Raises:
        MissingExtra: SciPy is not installed.
    """
    gaps = differences(first, second)
    if not gaps.any():
        return TestOutcome(0.0, 0.0, 1.0)
    result = _scipy_stats().wilcoxon(gaps[gaps != 0])
    return TestOutcome(float(gaps.mean()), float(result.statistic), float(result.pvalue))


def t_test(first: Scores, second: Scores) -> TestOutcome:
    """Run the paired t-test.

    Raises:
        MissingExtra: SciPy is not installed.
        ValueError: there is only one page.
    """
    gaps = differences(first, second)
    if len(gaps) < 2:
        raise ValueError("a t-test needs two pages or more")
    mean = float(gaps.mean())
    if (gaps == gaps[0]).all():  # no variance: the difference is the same on every page
        return TestOutcome(mean, float(np.copysign(np.inf, mean)) if mean else 0.0, 0.0 if mean else 1.0)
    t = mean / (float(gaps.std(ddof=1)) / len(gaps) ** 0.5)
    return TestOutcome(mean, t, float(2 * _scipy_stats().t.sf(abs(t), len(gaps) - 1)))


def _all_signs(count: int) -> list[Floats]:
    numbers = np.arange(2**count)[:, None] >> np.arange(count)
    return [np.where(numbers & 1, 1.0, -1.0)]


def _random_signs(count: int, permutations: int, seed: int) -> Iterator[Floats]:
    random = np.random.default_rng(seed)
    rows = max(1, AT_ONCE // count)
    for done in range(0, permutations, rows):
        yield np.where(random.random((min(rows, permutations - done), count)) < 0.5, 1.0, -1.0)


def _scipy_stats() -> Any:
    with needs("a test of significance", "lab"):
        from scipy import stats
    return stats
