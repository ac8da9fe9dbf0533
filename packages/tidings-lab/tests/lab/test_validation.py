"""Splits, modes and choices: on learners whose right answers are known beforehand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.errors import BadParameter
from tidings_lab.learning_curves import CurvePoint, HeldOut, learning_curve, random_order
from tidings_lab.validation import (
    BestColumn,
    Fixed,
    Mode,
    ScoreRow,
    Split,
    Tuned,
    by_site,
    cross_validate,
    fold_means,
    grouped_k_fold,
    k_fold,
    mean,
    mode_splits,
    score_of,
)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page with a template that only its site has."""

    site: str
    number: int


def pages(sites: int, each: int) -> list[Leaf]:
    return [Leaf(f"site {site}", number) for site in range(sites) for number in range(each)]


@dataclass(frozen=True, slots=True)
class Memory:
    """A learner that knows the sites it has seen, and nothing else."""

    def fit(self, items: Sequence[Leaf], /) -> frozenset[str]:
        return frozenset(item.site for item in items)


def is_known_site(model: frozenset[str], item: Leaf) -> float:
    return float(item.site in model)


items_of_sites = st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=60).map(
    lambda sites: [Leaf(site, number) for number, site in enumerate(sites)]
)


@given(items_of_sites, st.integers(2, 12), st.integers(0, 3))
def test_k_fold_measures_each_item_once_and_trains_on_all_others(items: list[Leaf], k: int, seed: int) -> None:
    splits = k_fold(items, k, seed)
    assert Counter(item for split in splits for item in split.test) == Counter(items)
    for split in splits:
        assert sorted((*split.train, *split.test), key=items.index) == items
    sizes = [len(split.test) for split in splits]
    assert max(sizes) - min(sizes) <= 1


@given(items_of_sites.filter(lambda items: len(by_site(items)) > 1), st.integers(2, 12), st.integers(0, 3))
def test_grouped_folds_never_share_a_site(items: list[Leaf], k: int, seed: int) -> None:
    splits = grouped_k_fold(items, k, seed)
    assert Counter(item for split in splits for item in split.test) == Counter(items)
    for split in splits:
        assert split.test
        assert split.train
        assert not {item.site for item in split.train} & {item.site for item in split.test}


@given(items_of_sites, st.integers(0, 3))
def test_splits_depend_on_the_seed_alone(items: list[Leaf], seed: int) -> None:
    assert k_fold(items, 4, seed) == k_fold(items, 4, seed)


def test_another_seed_gives_other_folds() -> None:
    assert k_fold(pages(5, 10), 5, 0) != k_fold(pages(5, 10), 5, 1)
    assert grouped_k_fold(pages(20, 3), 5, 0) != grouped_k_fold(pages(20, 3), 5, 1)


@pytest.mark.parametrize(("items", "k"), [(pages(1, 1), 2), (pages(3, 3), 1), ([], 5)])
def test_too_little_to_split(items: list[Leaf], k: int) -> None:
    with pytest.raises(BadParameter, match="needs 2"):
        k_fold(items, k)


def test_one_site_has_no_grouped_folds() -> None:
    with pytest.raises(BadParameter, match="2 sites"):
        grouped_k_fold(pages(1, 9), 3)


def test_single_site_mode_trains_on_that_site_alone() -> None:
    splits = mode_splits([*pages(3, 4), Leaf("alone", 0)], Mode.SINGLE, k=100)
    assert len(splits) == 12  # one left out at a time, and nothing to learn for the site with one page
    assert all({item.site for item in split.train} == {split.test[0].site} for split in splits)


def test_a_learner_by_heart_is_perfect_on_known_sites_and_lost_on_others() -> None:
    """Memory-based thesis 6.2–6.4: as good within a site and merged, and worse across sites."""
    items = pages(6, 5)
    score = {mode: mean(cross_validate(Memory(), mode_splits(items, mode, 10), is_known_site)) for mode in Mode}
    assert score == {Mode.SINGLE: 1.0, Mode.MERGED: 1.0, Mode.ACROSS: 0.0}


def test_progress_counts_every_split() -> None:
    reports: list[tuple[int, int]] = []
    cross_validate(Memory(), k_fold(pages(4, 5), 4), is_known_site, lambda done, total: reports.append((done, total)))
    assert reports == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_fold_means_are_in_the_order_of_folds() -> None:
    rows = [ScoreRow(site, (value,)) for site, value in (("a", 0.0), ("a", 0.5), ("b", 1.0))]
    splits = [Split((), tuple(rows[2:])), Split((), tuple(rows[:2]))]
    assert fold_means(cross_validate(Fixed(0), splits, score_of)) == [1.0, 0.25]
    assert mean([]) == 0.0


# -- choosing ------------------------------------------------------------------------------------------------


def test_the_best_column_is_chosen_without_the_measured_site() -> None:
    """Each site likes a setting of its own, which no other site likes: a choice that cheats would score 1."""
    rows = [ScoreRow(f"site {site}", tuple(float(site == column) for column in range(4))) for site in range(4)]
    assert mean(cross_validate(BestColumn(), grouped_k_fold(rows, 4), score_of)) == 0.0


def test_tuned_chooses_on_training_sites_and_refits_on_all_of_them() -> None:
    learner = Tuned({"nothing": Fixed(frozenset[str]()), "memory": Memory()}, is_known_site, k=3)
    items = pages(4, 4)
    # Across sites neither knows anything: equals, so the first. Within one site memory wins.
    assert learner.choose(items) == "nothing"
    assert learner.choose(pages(1, 4)) == "memory"
    assert learner.fit(pages(1, 4)) == {"site 0"}


def test_tuned_is_a_learner_itself() -> None:
    trained_on: list[frozenset[str]] = []

    @dataclass(frozen=True, slots=True)
    class Watched:
        def fit(self, items: Sequence[Leaf], /) -> frozenset[str]:
            trained_on.append(frozenset(item.site for item in items))
            return trained_on[-1]

    splits = grouped_k_fold(pages(5, 2), 5)
    cross_validate(Tuned({"watched": Watched()}, is_known_site, k=2), splits[:1], is_known_site)
    held_out = {item.site for item in splits[0].test}
    assert trained_on
    assert all(not sites & held_out for sites in trained_on)


# -- learning curves -----------------------------------------------------------------------------------------


def test_the_curve_of_a_memory_rises_with_the_sites_it_has_seen() -> None:
    """With one page of each of eight sites, half of the pool known means half of the held-out pages known."""
    items = pages(8, 6)
    points = learning_curve(Memory(), items, [1, 4, 12, 36], is_known_site, HeldOut(Mode.MERGED, 0.25), orders=20)
    means = [point.mean for point in points]
    assert means == sorted(means)
    assert 0.05 < means[0] < 0.25  # one site of eight
    assert means[-1] == pytest.approx(1.0, abs=0.01)
    assert all(len(point.scores) == 20 for point in points)


def test_across_sites_a_memory_learns_nothing() -> None:
    points = learning_curve(Memory(), pages(8, 3), [1, 3, 6], is_known_site, HeldOut(Mode.ACROSS), orders=3)
    assert [point.mean for point in points] == [0.0, 0.0, 0.0]


def test_held_out_items_are_the_same_for_each_size() -> None:
    items = pages(6, 4)
    tests = {HeldOut(mode)(items, size)[0].test for mode in (Mode.MERGED, Mode.ACROSS) for size in (1, 2, 4)}
    assert len(tests) == 2
    (split,) = HeldOut(Mode.ACROSS)(items, 100)
    assert not {item.site for item in split.train} & {item.site for item in split.test}


def test_large_sites_are_held_out_as_often_as_small_ones() -> None:
    """Three of ten sites are held out, so each of them in about three of ten orders, whatever its size."""
    items = [*pages(9, 1), *(Leaf("large", number) for number in range(30))]
    held_out = [HeldOut(Mode.ACROSS, 0.3)(random_order(items, Mode.ACROSS, seed), 7)[0].test for seed in range(200)]
    assert 40 < sum(any(item.site == "large" for item in test) for test in held_out) < 80
    assert Counter(random_order(items, Mode.ACROSS, 1)) == Counter(items)


def test_curves_repeat() -> None:
    def curve(seed: int) -> list[CurvePoint]:
        return learning_curve(Memory(), pages(8, 6), [2, 9], is_known_site, HeldOut(), orders=5, seed=seed)

    assert curve(0) == curve(0)
    assert curve(0) != curve(100)


def test_interval_of_student() -> None:
    """Five values of mean 3 and deviation sqrt(2.5): t is 2.776 with four degrees of freedom."""
    low, high = CurvePoint(1, (1.0, 2.0, 3.0, 4.0, 5.0)).interval()
    assert high - 3 == pytest.approx(2.7764 * np.sqrt(2.5 / 5), abs=1e-3)
    assert 3 - low == pytest.approx(high - 3)
    assert CurvePoint(1, (0.5,)).interval() == (0.5, 0.5)
