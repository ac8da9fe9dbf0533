"""Analysis of variance, Scheffé's test, intervals and paired tests: the thesis's figures, and SciPy's."""

from __future__ import annotations

import math
import sys
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.errors import MissingExtra
from tidings_lab.statistics.anova import anova
from tidings_lab.statistics.bootstrap import interval
from tidings_lab.statistics.paired_tests import bootstrap_difference, permutation_test, t_test, wilcoxon_test
from tidings_lab.statistics.scheffe import pair_f, scheffe

# N-EXT, figure B.6.
SCORES = [[7, 4, 6, 8, 6, 6, 2, 9], [5, 5, 3, 4, 4, 7, 2, 2], [2, 4, 7, 1, 2, 1, 5, 5]]

VALUES = st.lists(st.integers(0, 20).map(lambda number: number / 20), min_size=2, max_size=12)
GROUPS = st.lists(VALUES, min_size=2, max_size=5)
#: No group without spread: there F is infinite or none, and libraries differ on how to say so.
VARYING = GROUPS.filter(lambda groups: any(len(set(group)) > 1 for group in groups))


def test_analysis_of_variance_of_n_ext() -> None:
    """Figure B.6."""
    table = anova(SCORES)
    assert (table.ss_among + table.ss_within, table.ss_among, table.ss_within) == pytest.approx(
        (117.96, 30.08, 87.88), abs=0.01
    )
    assert (table.df_among, table.df_within) == (2, 21)
    assert (table.ms_among, table.ms_within) == pytest.approx((15.04, 4.18), abs=0.01)
    assert table.f == pytest.approx(3.59, abs=0.005)
    assert table.f_table() == pytest.approx(3.4668, abs=0.0001)
    assert table.means == pytest.approx((6, 4, 3.375))
    assert table.significant()
    assert not table.significant(alpha=0.01)
    assert table.p < 0.05


def test_scheffe_with_the_printed_inputs_of_n_ext() -> None:
    """Figure B.7 takes 3 for the third mean, where the data of figure B.6 give 3.375."""
    found = [pair_f(one, other, 4.18, 8, 8) for one, other in combinations((6, 4, 3), 2)]
    assert found == pytest.approx([3.83, 8.61, 0.96], abs=0.005)


def test_scheffe_with_the_data_of_n_ext_finds_no_pair() -> None:
    """SPEC 3: 3.824, 6.587, 0.373 against 6.934. So the thesis's conclusion hangs on its slip."""
    pairs = scheffe(SCORES)
    assert [(pair.first, pair.second) for pair in pairs] == [(0, 1), (0, 2), (1, 2)]
    assert [pair.f for pair in pairs] == pytest.approx([3.824, 6.587, 0.373], abs=0.0006)
    assert [pair.critical for pair in pairs] == pytest.approx([6.934] * 3, abs=0.0006)
    assert not any(pair.differs for pair in pairs)
    assert pairs == scheffe(anova(SCORES))


@given(VARYING)
def test_analysis_of_variance_agrees_with_scipy(groups: list[list[float]]) -> None:
    from scipy.stats import f_oneway

    table, theirs = anova(groups), f_oneway(*groups)
    assert table.f == pytest.approx(theirs.statistic, rel=1e-9, abs=1e-12)
    assert table.p == pytest.approx(theirs.pvalue, rel=1e-9, abs=1e-12)


@given(VARYING)
def test_scheffe_agrees_with_scikit_posthocs(groups: list[list[float]]) -> None:
    from scikit_posthocs import posthoc_scheffe

    theirs = posthoc_scheffe(groups).to_numpy()
    for pair in scheffe(groups):
        assert pair.p == pytest.approx(theirs[pair.first, pair.second], rel=1e-9, abs=1e-12)
        if abs(pair.p - 0.05) > 1e-9:
            assert pair.differs == (pair.p < 0.05)


def test_groups_that_do_not_vary() -> None:
    table = anova([[0.1, 0.1, 0.1], [0.3, 0.3, 0.3]])
    assert (table.f, table.p, table.significant()) == (math.inf, 0.0, True)
    assert [pair.differs for pair in scheffe(table)] == [True]
    table = anova([[0.1, 0.1], [0.1, 0.1, 0.1]])
    assert math.isnan(table.f)
    assert (table.p, table.significant()) == (1.0, False)
    assert [(pair.p, pair.differs) for pair in scheffe(table)] == [(1.0, False)]


def test_scores_near_one_keep_their_digits() -> None:
    """The equations as printed subtract squares of sums; with values far from zero nothing of F would be left."""
    groups = [[1e8 + value for value in group] for group in SCORES]
    assert anova(groups).f == pytest.approx(anova(SCORES).f, rel=1e-6)


@pytest.mark.parametrize(
    ("groups", "reason"),
    [([], "two groups"), ([[1.0, 2.0]], "two groups"), ([[1.0], []], "something in each"), ([[1.0], [2.0]], "twice")],
)
def test_what_cannot_be_analysed(groups: list[list[float]], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        anova(groups)


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        anova([[1.0, math.nan], [2.0, 3.0]])


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("scipy", "scipy.special"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=r"tidings\[lab\]"):
        anova(SCORES).f_table()
    with pytest.raises(MissingExtra, match=r"tidings\[lab\]"):
        scheffe(SCORES)
    with pytest.raises(MissingExtra, match=r"tidings\[lab\]"):
        t_test([1.0, 2.0], [1.0, 3.0])


# Intervals.


def test_an_interval_is_the_same_each_time_and_holds_the_mean() -> None:
    values = np.random.default_rng(1).random(200)
    one = interval(values)
    assert one == interval(values)
    assert one != interval(values, seed=1)
    assert one.low < one.mean < one.high
    assert one.mean == pytest.approx(values.mean())
    assert interval(values, level=0.5).high < one.high
    assert str(interval([0.5, 0.5])) == "0.500 [0.500, 0.500]"


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_intervals_agree_with_scipy(method: str) -> None:
    """Of skewed scores, as those of pages are: most near 1, a few at 0."""
    from scipy.stats import bootstrap

    values = 1 - np.random.default_rng(2).exponential(0.1, 80)
    ours = interval(values, method="bca" if method == "bca" else "percentile", resamples=20_000)
    name = "BCa" if method == "bca" else method
    theirs = bootstrap(
        (values,), np.mean, n_resamples=20_000, method=name, rng=np.random.default_rng(3)
    ).confidence_interval
    width = theirs.high - theirs.low
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.03 * width)


def test_the_corrected_interval_leans_with_the_skew() -> None:
    values = 1 - np.random.default_rng(2).exponential(0.1, 80)
    plain, corrected = interval(values, method="percentile"), interval(values)
    assert corrected.low < plain.low
    assert corrected.high < plain.high


def test_an_interval_covers_the_truth_as_often_as_it_says() -> None:
    random = np.random.default_rng(5)
    hits = sum(
        between.low <= 0.5 <= between.high
        for between in (interval(random.random(40), resamples=400, seed=trial) for trial in range(300))
    )
    assert 0.90 <= hits / 300 <= 0.99


def test_pages_that_fail_together_make_a_wider_interval() -> None:
    """Ten sites of twenty pages, all alike within a site: there are ten observations, not two hundred."""
    sites = np.repeat(np.arange(10), 20)
    values = np.random.default_rng(6).random(10)[sites]
    by_page, by_site = interval(values), interval(values, sites.tolist())
    assert by_site.mean == pytest.approx(by_page.mean)
    assert by_site.high - by_site.low > 3 * (by_page.high - by_page.low)
    means = values[::20]
    assert (by_site.low, by_site.high) == pytest.approx((interval(means).low, interval(means).high))


def test_sites_of_unequal_size_keep_the_mean_of_pages() -> None:
    assert interval([1.0, 1.0, 1.0, 0.0], ["a", "a", "a", "b"]).mean == 0.75


@given(st.lists(st.sampled_from([0.0, 0.3, 1.0]), min_size=1, max_size=30), st.integers(1, 5))
def test_an_interval_stays_among_the_values(values: list[float], sites: int) -> None:
    names = [number % sites for number in range(len(values))]
    for between in (interval(values, resamples=100), interval(values, names, resamples=100)):
        assert min(values) - 1e-9 <= between.low <= between.high <= max(values) + 1e-9


def test_many_pages_fit_into_memory_a_part_at_a_time() -> None:
    values = np.random.default_rng(7).random(30_000)
    between = interval(values, resamples=200, method="percentile")
    assert between.high - between.low == pytest.approx(2 * 1.96 * math.sqrt(1 / 12 / 30_000), rel=0.25)


def test_intervals_of_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="no values"):
        interval([])
    with pytest.raises(ValueError, match="3 values but 2 sites"):
        interval([1.0, 2.0, 3.0], ["a", "b"])


# Paired tests.

FIRST = [0.91, 0.84, 0.77, 0.95, 0.62, 0.88, 0.79, 0.93, 0.70, 0.86]
SECOND = [0.88, 0.80, 0.78, 0.90, 0.60, 0.81, 0.79, 0.85, 0.66, 0.80]


def test_paired_tests_agree_with_scipy() -> None:
    from scipy.stats import permutation_test as scipy_permutation
    from scipy.stats import ttest_rel, wilcoxon

    theirs = ttest_rel(FIRST, SECOND)
    assert t_test(FIRST, SECOND).p == pytest.approx(theirs.pvalue)
    assert t_test(FIRST, SECOND).statistic == pytest.approx(theirs.statistic)
    gaps = np.subtract(FIRST, SECOND)
    assert wilcoxon_test(FIRST, SECOND).p == pytest.approx(wilcoxon(gaps[gaps != 0]).pvalue)
    exact = scipy_permutation((gaps,), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert permutation_test(FIRST, SECOND).p == pytest.approx(exact.pvalue)


def test_a_drawn_permutation_test_is_near_the_exact_one() -> None:
    random = np.random.default_rng(8)
    first = random.random(40)
    second = first - random.normal(0.02, 0.08, 40)
    assert permutation_test(first, second).p == pytest.approx(t_test(first, second).p, abs=0.02)
    assert permutation_test(first, second) == permutation_test(first, second)
    assert permutation_test(first, first - 0.5).p == pytest.approx(1 / 10_001)


def test_the_order_of_the_two_turns_the_sign_alone() -> None:
    for test in (permutation_test, wilcoxon_test, t_test):
        one, other = test(FIRST, SECOND), test(SECOND, FIRST)
        assert one.p == pytest.approx(other.p)
        assert one.difference == pytest.approx(-other.difference)
        assert one.difference == pytest.approx(np.mean(FIRST) - np.mean(SECOND))
        assert one.p < 0.05


def test_equal_scores_do_not_differ() -> None:
    for test in (permutation_test, wilcoxon_test, t_test):
        assert test(FIRST, FIRST).p == 1.0
    assert bootstrap_difference(FIRST, FIRST).high == 0.0


def test_a_difference_that_never_varies() -> None:
    assert t_test([2.0, 3.0], [1.0, 2.0]).p == 0.0
    assert t_test([2.0, 3.0], [1.0, 2.0]).statistic == math.inf


def test_a_sure_difference_leaves_zero_outside() -> None:
    between = bootstrap_difference(FIRST, SECOND)
    assert 0 < between.low < between.mean < between.high
    assert between.mean == pytest.approx(0.038)


def test_pages_of_one_site_are_one_witness() -> None:
    """All pages of one site better, by the same: by pages that is sure, by the one site it is no evidence at all."""
    first, second = [0.9] * 12, [0.8] * 12
    assert permutation_test(first, second).p < 0.001
    assert permutation_test(first, second, ["a"] * 12).p == 1.0
    assert permutation_test(first, second, ["a", "b"] * 6).p == 0.5


def test_scores_must_pair() -> None:
    for test in (permutation_test, wilcoxon_test, t_test, bootstrap_difference):
        with pytest.raises(ValueError, match="2 and 3"):
            test([1.0, 2.0], [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="two pages"):
        t_test([1.0], [2.0])
