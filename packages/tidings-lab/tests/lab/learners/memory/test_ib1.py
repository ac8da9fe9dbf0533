"""IB1 against a plain loop, its ties, and its borders (memory-based thesis 3.2.2)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.extractors.published.memory_based import buckets, ib1
from tidings.extractors.published.memory_based.ib1 import Nearest
from tidings.extractors.published.memory_based.igtree import IGTree, grow
from tidings.extractors.published.memory_based.memory import InstanceMemory, Schema, Values, collapse
from tidings.page.columns import Ints
from tidings_lab.learners.feature_weights import FeatureWeighting, statistics


def remembered(values: Values, classes: Ints, numeric: tuple[bool, ...], weighting: FeatureWeighting) -> InstanceMemory:
    kinds = np.array(numeric)
    found = statistics(values, classes, kinds)
    rows, counts = collapse(values, classes, int(classes.max()) + 1)
    least, most = (np.where(kinds, edge, 0).astype(np.float64) for edge in (values.min(axis=0), values.max(axis=0)))
    return InstanceMemory(rows, counts, Schema(kinds, found.nearest_order()), found.weights(weighting), least, most)


def plainly(memory: InstanceMemory, query: Values, k: int) -> int:
    """The same rules, one instance after the other."""
    far = []
    for row in memory.values.tolist():
        total = 0.0
        for feature in memory.schema.order.tolist():
            reach = memory.most[feature] - memory.least[feature]
            mine, theirs = int(query[feature]), row[feature]
            if memory.schema.numeric[feature] and reach > 0:
                total += abs((mine - theirs) / reach) * float(memory.weights[feature])
            else:
                total += (mine != theirs) * float(memory.weights[feature])
        far.append(total)
    sets: list[tuple[float, np.ndarray[tuple[int], np.dtype[np.int64]]]] = []
    for place in np.argsort(far, kind="stable").tolist():
        votes = memory.counts[place].astype(np.int64)
        if sets and far[place] - sets[-1][0] < np.finfo(np.float64).eps:
            sets[-1] = (sets[-1][0], sets[-1][1] + votes)
        else:
            sets.append((far[place], votes))
    votes = np.sum([one for _, one in sets[:k]], axis=0)
    same = (memory.values == query).all(axis=1)
    if k == 1 and same.any():
        votes = memory.counts[same].sum(axis=0)
    best = [at for at in memory.ranks.tolist() if votes[at] == votes.max()]
    if len(best) > 1 and len(sets) > k:
        more = votes + sets[k][1]
        again = [at for at in memory.ranks.tolist() if more[at] == more.max()]
        best = again if len(again) == 1 else best
    return int(best[0])


tables = st.integers(2, 40).flatmap(
    lambda size: st.tuples(
        st.lists(st.tuples(*[st.integers(0, 3)] * 3, *[st.integers(0, 9)] * 2), min_size=size, max_size=size),
        st.lists(st.integers(0, 3), min_size=size, max_size=size),
        st.lists(st.tuples(*[st.integers(-1, 4)] * 3, *[st.integers(0, 12)] * 2), min_size=1, max_size=8),
    )
)
KINDS = (False, False, False, True, True)


@given(tables, st.sampled_from(list(FeatureWeighting)), st.integers(1, 5))
def test_the_same_as_a_plain_loop(
    drawn: tuple[list[tuple[int, ...]], list[int], list[tuple[int, ...]]], weighting: FeatureWeighting, k: int
) -> None:
    values, classes = np.array(drawn[0], np.int32), np.array(drawn[1], np.int64)
    memory = remembered(values, classes, KINDS, weighting)
    queries = np.array(drawn[2], np.int32)
    assert Nearest(memory, k).classify(queries).classes.tolist() == [plainly(memory, row, k) for row in queries]


def test_the_same_however_the_work_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(3)
    values = generator.integers(0, 4, (600, 5)).astype(np.int32)
    values[:, 3:] = generator.integers(0, 50, (600, 2))
    asked = generator.integers(0, 5, (80, 5)).astype(np.int32)
    memory = remembered(values, generator.integers(0, 3, 600), KINDS, FeatureWeighting.GAIN_RATIO)
    whole = Nearest(memory, 3).look(asked)
    for module, name, small in (
        (ib1, "_PAIRS", 64),
        (ib1, "_FIRST_LOOK", 7),
        (ib1, "_MEASURED", 2),
        (ib1, "_TOGETHER", 2),
        (buckets, "MOST_BUCKETS", 3),
    ):
        monkeypatch.setattr(module, name, small)
        parts = Nearest(memory, 3).look(asked)
        assert (parts.votes == whole.votes).all(), name
        assert (parts.distance == whole.distance).all(), name


def test_k_counts_distances_not_instances() -> None:
    values = np.array([[0], [1], [1], [1], [2]], np.int32)
    memory = remembered(values, np.array([0, 1, 1, 1, 2]), (True,), FeatureWeighting.NONE)
    votes = Nearest(memory, 2).classify(np.array([[0]], np.int32)).votes
    assert votes.tolist() == [[1, 3, 0]]


def test_a_tie_goes_to_the_next_distance_then_to_the_commoner_class() -> None:
    # At distance 0 one of each of two classes; the next distance speaks for the second.
    values = np.array([[5, 0], [5, 1], [6, 1], [9, 9], [9, 8], [9, 7]], np.int32)
    classes = np.array([0, 1, 1, 0, 0, 0])
    memory = remembered(values[:, :1], classes, (True,), FeatureWeighting.NONE)
    assert Nearest(memory, 1).classify(np.array([[5]], np.int32)).classes.tolist() == [1]
    # Without it the first class wins, which was seen more often.
    memory = remembered(np.array([[5], [5], [9]], np.int32), np.array([1, 0, 0]), (True,), FeatureWeighting.NONE)
    found = Nearest(memory, 2).classify(np.array([[5]], np.int32))
    assert found.classes.tolist() == [0]


def test_one_search_serves_every_smaller_k() -> None:
    generator = np.random.default_rng(5)
    values = generator.integers(0, 4, (300, 5)).astype(np.int32)
    asked = generator.integers(0, 4, (50, 5)).astype(np.int32)
    memory = remembered(values, generator.integers(0, 4, 300), KINDS, FeatureWeighting.CHI_SQUARE)
    wide = Nearest(memory, 6).look(asked)
    for k in range(1, 7):
        assert wide.verdicts(k).classes.tolist() == Nearest(memory, k).classify(asked).classes.tolist()


def deepest(memory: InstanceMemory, order: Ints, query: Values) -> int:
    """The class of the longest prefix of values that was seen."""
    matching = np.ones(len(memory), np.bool_)
    best = memory.decide(memory.totals[None, :])[0][0]
    for feature in order.tolist():
        matching &= memory.values[:, feature] == query[feature]
        if not matching.any():
            break
        best = memory.decide(memory.counts[matching].sum(axis=0, dtype=np.int64)[None, :])[0][0]
    return int(best)


@given(tables, st.sampled_from(list(FeatureWeighting)))
def test_igtree_answers_as_the_deepest_fitting_prefix(
    drawn: tuple[list[tuple[int, ...]], list[int], list[tuple[int, ...]]], weighting: FeatureWeighting
) -> None:
    values, classes = np.array(drawn[0], np.int32), np.array(drawn[1], np.int64)
    memory = remembered(values, classes, KINDS, weighting)
    order = statistics(values, classes, np.array(KINDS)).tree_order(weighting)
    tree = grow(memory, order)
    queries = np.concatenate((np.array(drawn[2], np.int32), values))
    assert tree.classify(queries)[0].tolist() == [deepest(memory, order, row) for row in queries]
    again = IGTree.of_arrays(tree.arrays())
    assert again.classify(queries)[0].tolist() == tree.classify(queries)[0].tolist()
    assert again.size == tree.size
