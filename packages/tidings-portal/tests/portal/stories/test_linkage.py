"""LBNEST's clusters: the distance, the cut, and both links against SciPy."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.portal.stories.wire import stream
from tests.support import needs
from tidings.text import story_similarity
from tidings_lab.metrics.clusters import pair_counts
from tidings_lab.metrics.score import Counts
from tidings_portal.stories.linkage import CUT, complete_link, near_pairs, single_link, tokens
from tidings_portal.stories.report import Report

SOME_WORDS = "harbour seal bridge council vote storm ferry mill rain wind".split()
TEXTS = st.lists(st.lists(st.sampled_from(SOME_WORDS), max_size=8).map(" ".join), max_size=14)
CUTS = st.sampled_from([0.2, 0.38, 0.5, 0.71, 0.9])


def reports(texts: list[str]) -> list[Report]:
    return [Report(number, "", text, "en") for number, text in enumerate(texts)]


def brute(told: list[Report]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    found = np.zeros((len(told), len(told)))
    for one in range(len(told)):
        for other in range(one):
            found[one, other] = found[other, one] = 1 - story_similarity(tokens(told[one]), tokens(told[other]))
    return np.round(found, 12)


def test_the_cut_is_that_of_the_paper() -> None:
    assert CUT == 0.38


def test_the_pair_measures_of_the_paper() -> None:
    # LBNEST table I: ordered pairs, each item with itself included.
    counts = pair_counts([{1, 2, 3}, {4, 5}, {6}], [{1, 2, 3, 4}, {5, 6}])
    assert counts == Counts(tp=12, fp=8, fn=2, tn=14)


@given(TEXTS, CUTS)
def test_all_near_pairs_are_found_and_only_those(texts: list[str], cut: float) -> None:
    told = reports(texts)
    distances = brute(told)
    expected = {(one, other) for other in range(len(told)) for one in range(other) if distances[one, other] < cut}
    found = near_pairs(told, cut)
    assert {(one, other) for one, other, _ in found} == expected
    assert all(distance == pytest.approx(distances[one, other], abs=1e-9) for one, other, distance in found)


@given(TEXTS.filter(lambda texts: len(texts) > 1), CUTS)
def test_single_link_is_that_of_scipy(texts: list[str], cut: float) -> None:
    told = reports(texts)
    assert {frozenset(one) for one in single_link(told, cut)} == scipy_clusters(told, cut, "single")


def test_complete_link_is_that_of_scipy() -> None:
    needs("scipy")
    chance = np.random.default_rng(5)  # distances without ties, which each may break its own way
    for _ in range(30):
        words = [chance.choice(SOME_WORDS, int(chance.integers(5, 40))) for _ in range(12)]
        told = reports([" ".join(some) for some in words])
        if len(np.unique(brute(told)[np.triu_indices(12, 1)])) == 66:
            for cut in (0.1, 0.2, 0.3, CUT):
                assert {frozenset(one) for one in complete_link(told, cut)} == scipy_clusters(told, cut, "complete")


def scipy_clusters(told: list[Report], cut: float, link: str) -> set[frozenset[int]]:
    hierarchy = needs("scipy.cluster.hierarchy")
    condensed = needs("scipy.spatial.distance").squareform(np.maximum(brute(told), 0.0), checks=False)
    labels = hierarchy.fcluster(hierarchy.linkage(condensed, link), np.nextafter(cut, 0), "distance")
    return {frozenset(np.flatnonzero(labels == label).tolist()) for label in set(labels.tolist())}


@given(TEXTS, CUTS)
def test_every_pair_under_complete_link_is_near(texts: list[str], cut: float) -> None:
    told = reports(texts)
    distances = brute(told)
    clusters = complete_link(told, cut)
    assert sorted(number for cluster in clusters for number in cluster) == list(range(len(told)))
    assert all(distances[one, other] < cut for cluster in clusters for one, other in combinations(cluster, 2))


def test_events_are_told_apart_and_languages_kept_apart() -> None:
    told = stream(40)
    gold: dict[str, set[int]] = {}
    for event, report in told:
        gold.setdefault(event, set()).add(report.id)
    clusters = single_link([report for _, report in told], 0.45)
    assert {frozenset(one) for one in clusters} == {frozenset(one) for one in gold.values()}
    same = [Report(1, "", "seals in the harbour", "en"), Report(2, "", "seals in the harbour", "de")]
    assert single_link(same) == [(1,), (2,)]
    assert single_link([same[0], Report(3, "", "harbour in seals", "en-GB")]) == [(1, 3)]


def test_nothing_to_cluster() -> None:
    assert single_link([]) == complete_link([]) == []
    assert single_link([Report(1), Report(2)]) == [(1,), (2,)]  # without words there is no likeness
