"""Classifiers learned by libraries and run in NumPy say the same as the libraries do."""

from __future__ import annotations

import numpy as np
import pytest

from tests.conftest import needs
from tidings.lab.learners.rival_learners import Drawn
from tidings.lab.learners.trainable.classifiers import ClassifierKind, grow, of_trees

needs("sklearn")


def blocks(seed: int = 3, count: int = 4000) -> Drawn:
    """Blocks of which the first two of four features tell what they are, mostly."""
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
    ours = of_trees(forest.estimators_).chances(fresh.rows)
    assert ours == pytest.approx(forest.predict_proba(fresh.rows)[:, 1], abs=1e-6)


def test_a_block_on_a_border_goes_the_same_way() -> None:
    """Borders of eight bytes are kept in four: values right on them must not change sides."""
    from sklearn.tree import DecisionTreeClassifier

    rows = (np.arange(400, dtype=np.float32) * np.float32(0.1))[:, None]
    content = (np.arange(400) // 3) % 2 == 0
    tree = DecisionTreeClassifier(random_state=0).fit(rows, content)
    near = np.concatenate([rows, np.nextafter(rows, np.float32(-9)), np.nextafter(rows, np.float32(99))])
    assert of_trees([tree]).chances(near).tolist() == tree.predict_proba(near)[:, 1].tolist()


@pytest.mark.parametrize("kind", ClassifierKind)
def test_each_kind_learns_and_twice_the_same(kind: ClassifierKind) -> None:
    drawn, fresh = blocks(), blocks(4, 300)
    one, two = grow(kind, drawn, 30), grow(kind, drawn, 30)
    found = one.chances(fresh.rows)
    assert found.tolist() == two.chances(fresh.rows).tolist()
    assert ((found > 0.5) == fresh.content).mean() > 0.8
    assert ((found >= 0) & (found <= 1)).all()


def test_content_alone_is_taken_for_content() -> None:
    drawn = blocks()
    all_content = Drawn(drawn.rows, np.ones(len(drawn.rows), np.bool_), drawn.weight)
    assert grow(ClassifierKind.TREE, all_content, 30).chances(drawn.rows).tolist() == [1.0] * len(drawn.rows)
