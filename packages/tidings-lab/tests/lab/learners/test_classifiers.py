"""Classifiers of the trained extractors. Our field gives CRFsuite's labels, and each form learns from its rows."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support import needs
from tidings.extractors.published.feature_ranges import sums
from tidings.extractors.published.label_sequences import best_path, marginals
from tidings.extractors.published.sequence import ChainForm
from tidings_lab.learners.sequence_labelling import Labelling, attributes
from tidings_lab.learners.shallow_blocks import TaughtBlocks
from tidings_lab.learners.sklearn_classifiers import ClassifierKind, grow, of_trees
from tidings_lab.learners.taught_pages import Drawn, TaughtPage

needs("sklearn")


def blocks(seed: int = 3, count: int = 4000) -> Drawn:
    """Draw blocks whose first two of four features mostly determine the label."""
    random = np.random.default_rng(seed)
    rows = random.normal(size=(count, 4)).astype(np.float32)
    rows[:, 3] = 7  # never varies
    content = rows[:, 0] + 0.5 * rows[:, 1] ** 2 + random.normal(size=count) * 0.2 > 0.4
    return Drawn(rows, content, random.uniform(0.5, 1.5, count))


@pytest.mark.parametrize("trees", [1, 5])
def test_trees_say_what_scikit_learn_says(trees: int) -> None:
    from sklearn.ensemble import RandomForestClassifier

    drawn, fresh = blocks(), blocks(4, 300)
    forest = RandomForestClassifier(trees, max_leaf_nodes=30, random_state=0)
    forest.fit(drawn.rows, drawn.content, drawn.weight)
    ours = of_trees(forest.estimators_).probabilities(fresh.rows)
    assert ours == pytest.approx(forest.predict_proba(fresh.rows)[:, 1], abs=1e-6)


def test_a_block_on_a_border_goes_the_same_way() -> None:
    """Borders of eight bytes are kept in four: values right on them must not change sides."""
    from sklearn.tree import DecisionTreeClassifier

    rows = (np.arange(400, dtype=np.float32) * np.float32(0.1))[:, None]
    content = (np.arange(400) // 3) % 2 == 0
    tree = DecisionTreeClassifier(random_state=0).fit(rows, content)
    near = np.concatenate([rows, np.nextafter(rows, np.float32(-9)), np.nextafter(rows, np.float32(99))])
    assert of_trees([tree]).probabilities(near).tolist() == tree.predict_proba(near)[:, 1].tolist()


@pytest.mark.parametrize("kind", ClassifierKind)
def test_each_kind_learns_and_twice_the_same(kind: ClassifierKind) -> None:
    drawn, fresh = blocks(), blocks(4, 300)
    one, two = grow(kind, drawn, 30), grow(kind, drawn, 30)
    found = one.probabilities(fresh.rows)
    assert found.tolist() == two.probabilities(fresh.rows).tolist()
    assert ((found > 0.5) == fresh.content).mean() > 0.8
    assert ((found >= 0) & (found <= 1)).all()


def test_content_alone_is_taken_for_content() -> None:
    drawn = blocks()
    all_content = Drawn(drawn.rows, np.ones(len(drawn.rows), np.bool_), drawn.weight)
    assert grow(ClassifierKind.TREE, all_content, 30).probabilities(drawn.rows).tolist() == [1.0] * len(drawn.rows)


needs("pycrfsuite")
needs("sklearn")


def pages(seed: int, count: int = 40) -> list[TaughtBlocks]:
    """Pages of 12 to 40 blocks with one stretch of content that one of two features tells, with noise."""
    random = np.random.default_rng(seed)
    found = []
    for number in range(count):
        length = int(random.integers(12, 40))
        start = int(random.integers(0, length - 8))
        content = np.zeros(length, np.bool_)
        content[start : start + int(random.integers(4, 8))] = True
        told = content * 1.2 + random.normal(size=length)
        rows = np.stack((told, random.normal(size=length))).astype(np.float32)
        page = TaughtPage(rows, content, np.full(length, 1 / length))
        found.append(TaughtBlocks(f"site{number}", ("told", "nothing"), page))
    return found


def test_our_labels_and_chances_are_those_of_crfsuite() -> None:
    import pycrfsuite

    learner = Labelling(ChainForm.FIELD, ranges=5)
    taught = pages(1)
    weights = learner.fit(taught)
    rows = [(weights.ranges(item.page.rows.T), item.page.content) for item in taught]
    tagger = pycrfsuite.Tagger()
    model = learner.train(rows, weights.ranges)  # the tagger reads it where it lies
    tagger.open_inmemory(model)
    for item in pages(2, 60):
        codes = weights.ranges(item.page.rows.T)
        steps = weights.steps(sums(weights.weight, codes) + weights.bias)
        labels = tagger.tag(attributes(codes, weights.ranges))
        assert best_path(*steps).tolist() == [label == "1" for label in labels]
        wanted = [tagger.marginal("1", place) for place in range(len(codes))]
        assert marginals(*steps) == pytest.approx(wanted, abs=1e-5)  # CRFsuite prints six digits


def accuracy(form: ChainForm) -> float:
    weights = Labelling(form, ranges=5).fit(pages(1, 80))
    right = []
    for item in pages(2, 60):
        columns = dict(zip(item.features, item.page.rows, strict=True))
        found = marginals(*weights.steps(weights.margins(columns))) > 0.5
        right.append(float((found == item.page.content).mean()))
    return float(np.mean(right))


def test_a_field_tells_a_noisy_stretch_better() -> None:
    """Thesis 3.3.2.2: the field is much the best. The Markov form looks only back, and notices a stretch too late."""
    alone, markov, field = (accuracy(form) for form in (ChainForm.ALONE, ChainForm.MARKOV, ChainForm.FIELD))
    assert alone > 0.75
    assert field > max(alone, markov) + 0.02


@pytest.mark.parametrize("form", ChainForm)
def test_learned_twice_the_weights_are_the_same(form: ChainForm) -> None:
    one, two = (Labelling(form, ranges=4).fit(pages(1)).arrays() for _ in range(2))
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_the_steps_of_a_markov_model_sum_to_one() -> None:
    weights = Labelling(ChainForm.MARKOV, ranges=4).fit(pages(1))
    item = pages(2, 1)[0]
    first, steps = weights.steps(weights.margins(dict(zip(item.features, item.page.rows, strict=True))))
    assert np.exp(first).sum() == pytest.approx(1)
    assert np.exp(steps).sum(axis=2) == pytest.approx(np.ones((len(steps), 2)))
