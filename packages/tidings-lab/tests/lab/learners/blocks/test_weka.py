"""Our learners and Weka's on the same ARFF files. The trees are to be the very same ones."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.lab.learners.blocks.pages import table, taught_pages
from tests.support import missing, needs
from tidings.errors import InputError
from tidings_lab.learners import weka
from tidings_lab.learners.blocks.c45 import C45, Pruning
from tidings_lab.learners.blocks.instances import BlockInstances
from tidings_lab.learners.blocks.labelled_tables import draw
from tidings_lab.learners.weka import Weka, arff
from tidings_lab.studies.hybrid_pages import IN_WEKA, LEARNERS

needs("pgmpy")
needs("sklearn")

pytestmark = pytest.mark.gate  # Weka, in a Java of its own

J48 = "weka.classifiers.trees.J48"
OPTIONS = {
    Pruning.DEFAULT: (),
    Pruning.REDUCED_ERROR: ("-R",),
    Pruning.NO_RAISING: ("-S",),
    Pruning.UNPRUNED: ("-U",),
}
#: What may differ: ties between neighbours, and the score by which a network's structure is found.
AGREE = {
    "1 nearest neighbour": 0.97,
    "5 nearest neighbours": 0.9,
    "Bayesian network, K2": 0.9,
    "Bayesian network, TAN": 0.9,
}


@pytest.fixture(scope="module", autouse=True)
def is_there() -> None:
    if not weka.is_there():
        missing("needs Weka, and it is not installed: run scripts/system-packages as root")


def noisy() -> BlockInstances:
    """Blocks of made pages, a part of which is called wrong, so that there is something to prune."""
    some = draw(taught_pages(10, 2), None)
    random = np.random.default_rng(5)
    wrong = random.random(len(some)) < 0.15
    labels = np.where(wrong, random.integers(0, 4, len(some)), some.labels)
    rows = some.rows + np.where(np.arange(some.rows.shape[1]) < 12, random.integers(0, 4, some.rows.shape), 0)
    return BlockInstances(some.attributes, some.classes, rows, labels, some.page, some.site)


@pytest.mark.parametrize("pruning", Pruning, ids=lambda one: one.value)
def test_the_tree_is_j48_s(pruning: Pruning) -> None:
    for some, asked in ((table(700, 7), table(300, 8)), (noisy(), noisy())):
        ours, theirs = C45(pruning).fit(some), Weka(J48, OPTIONS[pruning])
        printed = theirs.model(some)
        sizes = [int(re.search(rf"{what}\s*:\s*(\d+)", printed)[1]) for what in ("Leaves", "tree")]  # type: ignore[index]
        assert [ours.leaves, len(ours.feature)] == sizes
        assert ours.leaves > 3
        assert np.array_equal(ours.classify(asked.rows), theirs.fit(some).classify(asked.rows))


@pytest.mark.parametrize("name", [name for name in LEARNERS if "tree" not in name])
def test_the_others_say_what_weka_s_say(name: str) -> None:
    some, asked = table(500, 9), table(300, 10)
    ours, theirs = (one[name].fit(some).classify(asked.rows) for one in (LEARNERS, IN_WEKA))
    assert np.mean(ours == theirs) >= AGREE.get(name, 1.0)


def test_what_weka_says_is_passed_on() -> None:
    with pytest.raises(InputError, match="Weka"):
        Weka("weka.classifiers.trees.NoSuchTree").fit(table(20)).classify(table(5).rows)


def test_numbers_and_odd_names_survive_the_file() -> None:
    some = table(3)
    lines = arff(some, "blocks").splitlines()
    assert lines[0] == "@relation blocks"
    assert "@attribute name {w,x,y,z}" in lines
    values = [float(value) for value in lines[-1].split(",")[:2]]
    assert values == some.rows[-1, :2].tolist()
