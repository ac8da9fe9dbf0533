"""Sequence labelling: our field says what CRFsuite says, and each form learns what a row has to teach."""

from __future__ import annotations

import numpy as np
import pytest

from tests.conftest import needs
from tidings.extractors.published.sequence import ChainForm, best_path, chances, sums
from tidings.lab.learners.rival_learners import TaughtPage
from tidings.lab.learners.trainable.sequence import Labelling, attributes
from tidings.lab.learners.trainable.shallow import TaughtBlocks

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
        assert chances(*steps) == pytest.approx(wanted, abs=1e-5)  # CRFsuite prints six digits


def accuracy(form: ChainForm) -> float:
    weights = Labelling(form, ranges=5).fit(pages(1, 80))
    right = []
    for item in pages(2, 60):
        columns = dict(zip(item.features, item.page.rows, strict=True))
        found = chances(*weights.steps(weights.margins(columns))) > 0.5
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
