"""Each rival learns what can be learned, and says the same each time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.support import needs
from tidings.errors import InputError
from tidings_lab.learners.boosting import Boosting
from tidings_lab.learners.rival_learners import Boosted, Convolution, Crf, DecisionTree, Linear, RandomForest, Scale
from tidings_lab.learners.taught_pages import Rival, TaughtPage, draw

needs("catboost")
needs("pycrfsuite")
needs("sklearn")

RIVALS: dict[str, Rival] = {
    "linear": Linear(),
    "tree": DecisionTree(blocks_in_a_leaf=5),
    "forest": RandomForest(trees=10),
    "crf": Crf(),
    "convolution": Convolution(width=8, reach=4, rounds=60, rate=0.01),
    "boosted": Boosted(Boosting(trees=40, depth=3)),
}
#: Those that see the order of blocks.
SEQUENCES = ("crf", "convolution")


def page(number: int, noise: float = 0.1) -> TaughtPage:
    """A menu, a story, a footer: the first feature is larger in stories, the second says nothing."""
    random = np.random.default_rng(number)
    content = np.repeat([False, True, False], random.integers(5, 15, 3))
    told = content + noise * random.standard_normal(len(content))
    rows = np.stack([told, random.standard_normal(len(content)), np.ones(len(content))]).astype(np.float32)
    return TaughtPage(rows, content, np.full(len(content), 1 / len(content)))


def accuracy(rival: Rival, learned: Sequence[TaughtPage], measured: Sequence[TaughtPage]) -> float:
    judge = rival.fit(learned)
    return float(np.mean(np.concatenate([(judge.probabilities(one.rows) > 0.5) == one.content for one in measured])))


@pytest.mark.parametrize("name", RIVALS)
def test_a_rival_learns_what_is_plain(name: str) -> None:
    assert accuracy(RIVALS[name], [page(one) for one in range(24)], [page(one) for one in range(100, 110)]) > 0.95


@pytest.mark.parametrize("name", SEQUENCES)
def test_neighbours_help_where_a_block_alone_is_doubtful(name: str) -> None:
    learned, measured = [page(one, 0.8) for one in range(40)], [page(one, 0.8) for one in range(100, 120)]
    assert accuracy(RIVALS[name], learned, measured) > accuracy(RIVALS["linear"], learned, measured) + 0.05


@pytest.mark.parametrize("name", RIVALS)
def test_the_same_pages_teach_the_same(name: str) -> None:
    pages = [page(one) for one in range(6)]
    first, second = (RIVALS[name].fit(pages) for _ in range(2))
    assert np.array_equal(first.probabilities(pages[0].rows), second.probabilities(pages[0].rows))
    assert first.size == second.size > 0


@pytest.mark.parametrize("name", RIVALS)
def test_a_page_without_blocks_has_no_chances(name: str) -> None:
    judge = RIVALS[name].fit([page(one) for one in range(6)])
    assert judge.probabilities(np.zeros((3, 0), np.float32)).shape == (0,)


@pytest.mark.parametrize("name", RIVALS)
@pytest.mark.parametrize("content", [False, True])
def test_pages_of_one_sort_teach_nothing(name: str, content: bool) -> None:
    same = TaughtPage(np.zeros((3, 4), np.float32), np.full(4, content), np.full(4, 0.25))
    with pytest.raises(InputError, match="content"):
        RIVALS[name].fit([same])


def test_blocks_are_drawn_by_importance_and_weighed_back() -> None:
    content = np.arange(1000) < 10
    importance = np.where(content, 50.0, 1.0)
    large = TaughtPage(np.arange(1000, dtype=np.float32)[None], content, importance / importance.sum())
    drawn = draw([large], blocks=110)
    assert 60 < len(drawn.rows) < 200
    assert drawn.content.sum() == 10  # what is important is always there
    held = drawn.weight[drawn.content].sum() / drawn.weight.sum()
    assert held == pytest.approx(500 / 1490, abs=0.07)


def test_a_feature_that_never_varies_is_left_out_and_none_is_far_off() -> None:
    scale = Scale.of(np.array([[1, 7], [3, 7]], np.float32))
    assert scale(np.array([[2, 7], [3, 1e9], [1e9, 7]], np.float32)).tolist() == [[0, 0], [1, 0], [5, 0]]


def test_a_convolution_sees_the_neighbours_of_its_own_page_only() -> None:
    pages = [page(one) for one in range(6)]
    judge = Convolution(reach=1, rounds=3).fit(pages)
    rows = pages[0].rows
    changed = rows.copy()
    changed[:, -1] += 1
    assert np.array_equal(judge.probabilities(rows)[:-2], judge.probabilities(changed)[:-2])
    assert judge.probabilities(rows)[-2] != judge.probabilities(changed)[-2]
    assert len(judge.probabilities(rows[:, :1])) == 1
