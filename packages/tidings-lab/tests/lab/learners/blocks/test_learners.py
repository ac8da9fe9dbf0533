"""The learners of blocks on tables with known answers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.lab.learners.blocks.pages import table, taught_pages
from tests.support import needs
from tidings.errors import InputError
from tidings.extractors.published.block_tree.features import BlockClass
from tidings_lab.learners.blocks.bayesian_network import Network, Search, k2_score
from tidings_lab.learners.blocks.c45 import C45, Pruning, more_errors
from tidings_lab.learners.blocks.discretisation import Intervals, cuts, gains
from tidings_lab.learners.blocks.information_gain import entropy, gain_ratio, information_gain
from tidings_lab.learners.blocks.instances import Attribute, BlockInstances, BlockLearner
from tidings_lab.learners.blocks.labelled_tables import draw
from tidings_lab.learners.blocks.naive_bayes import NaiveBayes, Numbers
from tidings_lab.learners.blocks.nearest_neighbours import NearestNeighbours

needs("pgmpy")
needs("sklearn")

EVERY: dict[str, BlockLearner] = {
    **{f"tree, {one.value}": C45(one) for one in Pruning},
    **{f"naive Bayes, {one.value}": NaiveBayes(one) for one in Numbers},
    **{f"network, {one.value}": Network(one) for one in Search},
    "neighbour": NearestNeighbours(),
    "neighbours": NearestNeighbours(5),
}
every_learner = pytest.mark.parametrize("learner", EVERY.values(), ids=EVERY)

#: Quinlan's fourteen days (1993, table 2.1): outlook, temperature, humidity, windy; to play or not to play.
DAYS = """sunny 75 70 yes play|sunny 80 90 yes stay|sunny 85 85 no stay|sunny 72 95 no stay|sunny 69 70 no play
overcast 72 90 yes play|overcast 83 78 no play|overcast 64 65 yes play|overcast 81 75 no play
rain 71 80 yes stay|rain 65 70 yes stay|rain 75 80 no play|rain 68 80 no play|rain 70 96 no play"""


def days() -> BlockInstances:
    lines = [day.split() for day in DAYS.replace("\n", "|").split("|")]
    outlooks, winds, classes = ("sunny", "overcast", "rain"), ("no", "yes"), ("play", "stay")
    rows = [[outlooks.index(a), float(b), float(c), winds.index(d)] for a, b, c, d, _ in lines]
    labels = np.array([classes.index(line[-1]) for line in lines])
    attributes = (
        Attribute("outlook", outlooks),
        Attribute("temperature"),
        Attribute("humidity"),
        Attribute("windy", winds),
    )
    places = np.arange(len(lines))
    return BlockInstances(attributes, classes, np.array(rows), labels, places, places)


def test_quinlan_s_tree_grows_again() -> None:
    """Quinlan 1993, figure 2.1: outlook first; sunny days by humidity at 75, rainy ones by wind; no errors."""
    tree = C45().fit(days())
    assert tree.leaves == 5
    assert tree.feature[0] == 0
    assert sorted(tree.feature[1:4].tolist()) == [-1, 2, 3]
    assert tree.border[1] == 75  # the greatest value of the table that is not above the middle of 70 and 85
    assert tree.classify(days().rows).tolist() == days().labels.tolist()


def test_quinlan_s_gains() -> None:
    """Quinlan 1993, 2.2: 0.940 bits, a gain of 0.246 for outlook and 0.048 for wind; a ratio of 0.156 for outlook."""
    assert float(entropy([9, 5])) == pytest.approx(0.940, abs=0.0005)
    outlook, wind = [[2, 3], [4, 0], [3, 2]], [[6, 2], [3, 3]]
    assert information_gain(outlook) == pytest.approx(0.2467, abs=0.0005)
    assert gain_ratio(outlook) == pytest.approx(0.156, abs=0.0005)
    assert information_gain(wind) == pytest.approx(0.048, abs=0.0005)
    assert information_gain([[0, 0]]) == gain_ratio([[3, 4]]) == 0


def test_expected_errors_are_quinlan_s() -> None:
    """Quinlan 1993, 4.2: U(0, 6) = 0.206, U(0, 9) = 0.143, U(0, 1) = 0.750 at a confidence of 25 %."""
    for total, limit in ((6, 0.206), (9, 0.143), (1, 0.750)):
        assert more_errors(total, 0.0, 0.25) / total == pytest.approx(limit, abs=0.0005)
    assert pytest.approx(1 + more_errors(16, 1.0, 0.25), abs=0.15) == (16 * 0.157)  # exact there, approximate here
    assert more_errors(5, 5, 0.25) == 0
    assert more_errors(5, 1, 0.9) == 0


@given(st.integers(1, 400), st.floats(0, 1), st.floats(0.01, 0.5))
def test_expected_errors_stay_within_the_rows(total: int, share: float, confidence: float) -> None:
    wrong = float(int(share * total))
    assert -1e-9 <= more_errors(float(total), wrong, confidence) <= total - wrong + 1e-9


@every_learner
def test_it_tells_the_class_better_than_chance_on_rows_it_has_not_seen(learner: BlockLearner) -> None:
    found = learner.fit(table(600)).classify(table(400, 1).rows)
    assert found.dtype == np.int64
    assert np.mean(found == table(400, 1).labels) > 0.6


@every_learner
def test_it_tells_blocks_of_other_sites(learner: BlockLearner) -> None:
    """The made sites differ in names only, so that whoever counts words and links is nearly always right."""
    pages, few = taught_pages(12, 1), ("wf", "r_wf_l_aw", "wf_ae", "d_html_ae", "tn", "class")
    learned, measured = draw(pages[:8], None).select_columns(few), draw(pages[8:], None).select_columns(few)
    found = learner.fit(learned).classify(measured.rows)
    main = measured.labels == BlockClass.MAIN
    assert np.mean(found == measured.labels) > 0.9
    assert (found[main] == BlockClass.MAIN).all()


@every_learner
def test_rows_do_not_matter_to_each_other(learner: BlockLearner) -> None:
    found, asked = learner.fit(table(200)), table(60, 1).rows
    whole = found.classify(asked)
    assert whole.tolist() == [int(found.classify(asked[at : at + 1])[0]) for at in range(len(asked))]
    assert not len(found.classify(asked[:0]))


@every_learner
def test_learning_from_nothing_is_refused(learner: BlockLearner) -> None:
    with pytest.raises(InputError, match="there are none"):
        learner.fit(table(10).select_rows(np.zeros(0, np.int64)))


@every_learner
def test_one_class_alone_is_always_told(learner: BlockLearner) -> None:
    one = table(40).select_rows(table(40).labels == 1)
    assert set(learner.fit(one).classify(table(20, 3).rows).tolist()) == {1}


@every_learner
def test_values_that_training_never_had_are_no_trouble(learner: BlockLearner) -> None:
    learned = table(60).select_rows(table(60).rows[:, 2] < 2)
    asked = np.array([[1e9, -1e9, 3, 1], [0, 0, 2, 0]])
    assert set(learner.fit(learned).classify(asked).tolist()) <= {0, 1, 2}


@given(st.integers(0, 10_000), st.integers(1, 80), st.sampled_from(Pruning))
def test_pruning_never_makes_a_tree_larger(seed: int, size: int, pruning: Pruning) -> None:
    some = table(size, seed)
    whole, pruned = C45(Pruning.UNPRUNED).fit(some), C45(pruning).fit(some)
    if pruning is not Pruning.REDUCED_ERROR:  # which grows from other rows
        assert pruned.leaves <= whole.leaves
    assert (pruned.counts.sum(axis=1) > 0).all()
    errors = [int((tree.classify(some.rows) != some.labels).sum()) for tree in (whole, pruned)]
    assert pruning is Pruning.REDUCED_ERROR or errors[0] <= errors[1]


def test_a_column_of_two_halves_is_cut_once_between_them() -> None:
    values = np.array([1.0, 2, 3, 4, 10, 11, 12, 13] * 4)
    labels = (values > 5).astype(np.int64)
    assert cuts(values, labels, 2).tolist() == [7]
    assert cuts(values, np.zeros(len(values), np.int64), 2).tolist() == []
    assert cuts(np.ones(8), np.arange(8) % 2, 2).tolist() == []


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 2)), min_size=1, max_size=60))
def test_cuts_part_what_they_say_and_never_raise_entropy(pairs: list[tuple[int, int]]) -> None:
    values = np.array([value for value, _ in pairs], np.float64)
    labels = np.array([kind for _, kind in pairs])
    found = cuts(values, labels, 3)
    assert all(low < high for low, high in itertools.pairwise(found.tolist()))
    assert not set(found.tolist()) & set(values.tolist())
    some = BlockInstances((Attribute("x"),), tuple("abc"), values[:, None], labels, labels, labels)
    assert 0 <= gains(some)["x"] <= float(entropy(some.counts)) + 1e-9
    assert Intervals.of(some).cut(some.rows).max() <= len(found)


def test_what_tells_nothing_gains_nothing() -> None:
    found = gains(table(600))
    assert found["name"] > found["flag"] > 0
    still = BlockInstances((Attribute("x"),), ("a", "b"), np.ones((6, 1)), np.arange(6) % 2, np.arange(6), np.arange(6))
    assert gains(still) == {"x": 0}


def test_a_network_knows_features_that_go_together() -> None:
    """The class is whether two names are the same: naive Bayes cannot tell, a network that joins them can."""
    random = np.random.default_rng(0)
    rows = random.integers(0, 2, (400, 2)).astype(np.float64)
    labels = (rows[:, 0] == rows[:, 1]).astype(np.int64)
    both = (Attribute("one", ("n", "y")), Attribute("two", ("n", "y")))
    some = BlockInstances(both, ("a", "b"), rows, labels, np.arange(400), np.arange(400))
    assert np.mean(NaiveBayes(Numbers.DISCRETISED).fit(some).classify(rows) == labels) < 0.8
    for search in Search:
        assert np.mean(Network(search).fit(some).classify(rows) == labels) == 1
    assert Network(Search.K2, most_parents=1).fit(some).parents == ((), ())


def test_k2_s_score_is_pgmpy_s_where_all_combinations_are_there_and_right_where_not() -> None:
    """One row in each of two groups of three values: 2 · log(Γ(3) / Γ(4)); the empty group adds nothing."""
    import pandas as pd  # type: ignore[import-untyped]  # it comes with pgmpy, its stubs do not
    from pgmpy.structure_score import K2

    random = np.random.default_rng(1)
    parents, values = random.integers(0, 3, 200), random.integers(0, 4, 200)
    frame = pd.DataFrame({"parents": parents, "values": values}).astype("category")
    assert k2_score(parents, values, 4) == pytest.approx(K2(frame).local_score("values", ("parents",)))
    assert k2_score(np.array([0, 2]), np.array([0, 1]), 3) == pytest.approx(2 * np.log(1 / 3))
