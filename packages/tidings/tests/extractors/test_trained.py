"""What trained extractors are made of: best stretches, best paths, trees and sums in NumPy, and files of weights."""

from __future__ import annotations

import io
import itertools
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tidings.errors import BadModel
from tidings.extractors import model_files as files
from tidings.extractors.model_files import Arrays
from tidings.extractors.published.feature_ranges import Ranges, sums
from tidings.extractors.published.label_sequences import best_path, marginals
from tidings.extractors.published.subsequences import Stretch, best, greatest, maximal
from tidings.extractors.published.trained.decision_trees import GrownTrees
from tidings.extractors.published.trained.layers import Layers

Floats = NDArray[np.float64]
few_numbers = st.lists(st.integers(-4, 4), max_size=11).map(lambda row: np.array(row, np.float64))


# -- stretches ----------------------------------------------------------------------------------------------------


def test_the_thesis_example() -> None:
    """Thesis 3.3.1.4: of (4, -5, 3, -5, 1, 2, -2, 2, -2, 1, 5) the best is (1, 2, -2, 2, -2, 1, 5), which sums to 7."""
    row = np.array([4, -5, 3, -5, 1, 2, -2, 2, -2, 1, 5], np.float64)
    assert greatest(row) == Stretch(4, 11, 7.0)


def test_the_example_of_ruzzo_and_tompa() -> None:
    """Ruzzo and Tompa 1999: of the same numbers (4), (3) and (1, 2, -2, 2, -2, 1, 5) are maximal."""
    row = np.array([4, -5, 3, -3, 1, 2, -2, 2, -2, 1, 5], np.float64)
    assert maximal(row) == [Stretch(0, 1, 4.0), Stretch(2, 3, 3.0), Stretch(4, 11, 7.0)]
    assert best(row, 2) == [Stretch(0, 1, 4.0), Stretch(4, 11, 7.0)]


@given(few_numbers)
def test_no_stretch_has_a_greater_sum(row: Floats) -> None:
    sums_of_all = [float(row[a:b].sum()) for a, b in itertools.combinations(range(len(row) + 1), 2)]
    found = greatest(row)
    if found is None:
        assert max(sums_of_all, default=0.0) <= 0
    else:
        assert found.total == max(sums_of_all) == row[found.start : found.end].sum()


def maximal_by_definition(row: Floats) -> list[Stretch]:
    """Ruzzo and Tompa, definition: greater than each of its parts, and in none larger that is so."""
    pairs = list(itertools.combinations(range(len(row) + 1), 2))
    total = {pair: float(row[slice(*pair)].sum()) for pair in pairs}
    proper = [
        (a, b)
        for a, b in pairs
        if total[a, b] > 0 and all(total[c, d] < total[a, b] for c, d in pairs if a <= c < d <= b and (c, d) != (a, b))
    ]
    return [
        Stretch(a, b, total[a, b])
        for a, b in proper
        if not any(c <= a and b <= d and (c, d) != (a, b) for c, d in proper)
    ]


@given(few_numbers)
def test_maximal_stretches_are_those_of_the_definition(row: Floats) -> None:
    assert maximal(row) == maximal_by_definition(row)


@given(few_numbers, st.integers(1, 4))
def test_the_best_are_disjoint_in_order_and_the_greatest_is_among_them(row: Floats, count: int) -> None:
    found = best(row, count)
    assert len(found) <= count
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))
    most = greatest(row)
    assert max((one.total for one in found), default=0.0) == (most.total if most else 0.0)


def test_a_long_row_takes_no_long_time() -> None:
    """Linear: a row that would take the square of its length never ends."""
    falling = np.tile([3.0, -2.0, 1.0, -2.5], 20_000)
    assert len(maximal(falling)) == 40_000
    rising = np.tile([3.0, -2.0, 1.0, -1.5], 20_000)
    assert [one.start for one in maximal(rising)] == [0, 79_998]


# -- chains -------------------------------------------------------------------------------------------------------


def all_ways(first: Floats, steps: Floats) -> dict[tuple[int, ...], float]:
    scores = {}
    for way in itertools.product((0, 1), repeat=len(steps) + 1):
        scores[way] = float(first[way[0]]) + sum(
            float(step[before, label]) for step, (before, label) in zip(steps, itertools.pairwise(way), strict=True)
        )
    return scores


@given(st.integers(0, 5), st.integers(0, 2**32 - 1))
def test_the_best_path_and_the_chances_are_those_of_all_ways(length: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    first, steps = random.normal(size=2) * 3, random.normal(size=(length, 2, 2)) * 3
    ways = all_ways(first, steps)
    assert tuple(best_path(first, steps).astype(int)) == max(ways, key=lambda way: ways[way])
    weight = {way: np.exp(score) for way, score in ways.items()}
    total = sum(weight.values())
    wanted = [sum(value for way, value in weight.items() if way[place]) / total for place in range(length + 1)]
    assert marginals(first, steps) == pytest.approx(wanted)


def test_scores_of_any_size_give_chances() -> None:
    steps = np.array([[[1e6, -1e6], [-1e6, 1e6]], [[-1e9, 1e9], [1e9, -1e9]]])
    found = marginals(np.array([0.0, 1e8]), steps)
    assert found == pytest.approx([1.0, 1.0, 0.0])
    assert best_path(np.array([0.0, 1e8]), steps).tolist() == [True, True, False]


# -- ranges -------------------------------------------------------------------------------------------------------


def test_ranges_hold_about_equally_many() -> None:
    rows = np.arange(100, dtype=np.float32)[:, None]
    found = Ranges.of(rows, 4)(rows)
    assert np.bincount(found[:, 0]).tolist() == pytest.approx([25, 25, 25, 25], abs=1)


def test_a_feature_of_two_values_has_two_ranges_and_one_that_never_varies_has_one() -> None:
    rows = np.array([[0, 7]] * 90 + [[1, 7]] * 10, np.float32)
    ranges = Ranges.of(rows, 5)
    assert ranges(rows).max(axis=0).tolist() == [1, 0]
    assert ranges(np.array([[2, 9]], np.float32)).tolist() == [[1, 0]]


def test_sums_add_one_weight_for_each_feature() -> None:
    weight = np.array([[[1.0], [2.0]], [[10.0], [20.0]]])
    assert sums(weight, np.array([[0, 1], [1, 0]])).tolist() == [[21.0], [12.0]]
    assert sums(weight, np.zeros((0, 2), np.int64)).shape == (0, 1)


# -- files --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """Any weights."""

    values: NDArray[Any]

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"values": self.values}

    @classmethod
    def of_arrays(cls, arrays: Arrays) -> Self:
        return cls(arrays["values"])


def test_the_same_weights_make_the_same_file(tmp_path: Path) -> None:
    one, two = tmp_path / "one.npz", tmp_path / "two.npz"
    files.save(Held(np.arange(5.0)), "any", one)
    files.save(files.load(Held, "any", one), "any", two)
    assert one.read_bytes() == two.read_bytes()


def test_weights_for_another_extractor_are_refused(tmp_path: Path) -> None:
    files.save(Held(np.arange(5.0)), "mss", tmp_path / "x.npz")
    with pytest.raises(BadModel, match="holds weights for 'mss', not for 'crf'"):
        files.load(Held, "crf", tmp_path / "x.npz")


def test_files_that_are_no_models(tmp_path: Path) -> None:
    path = tmp_path / "bad.npz"
    with pytest.raises(BadModel, match="no model file"):
        files.load(Held, "any", path)
    path.write_bytes(b"not a zip file")
    with pytest.raises(BadModel, match="no model file"):
        files.load(Held, "any", path)
    np.savez(path, values=np.arange(3))
    with pytest.raises(BadModel, match="has no 'extractor'"):
        files.load(Held, "any", path)
    np.savez(path, extractor=np.array("any"), version=np.array(99), values=np.arange(3))
    with pytest.raises(BadModel, match=r"another version.*lab train any"):
        files.load(Held, "any", path)
    np.savez(path, extractor=np.array("any"), version=np.array(files.VERSION), values=np.array([np.nan]))
    with pytest.raises(BadModel, match="no number"):
        files.load(Held, "any", path)
    files.save(Held(np.arange(500.0)), "any", path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(BadModel, match="no model file"):
        files.load(Held, "any", path)


def test_a_model_with_code_in_it_is_refused_and_nothing_runs(tmp_path: Path) -> None:
    held = io.BytesIO()
    np.save(held, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    path = tmp_path / "evil.npz"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("extractor.npy", held.getvalue())
    with pytest.raises(BadModel):
        files.load(Held, "any", path)


def test_a_small_file_that_unpacks_to_a_large_one_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "large.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file, file.open("values.npy", "w") as held:
        for _ in range((files.MOST_BYTES_PUBLISHED >> 20) + 1):
            held.write(bytes(1 << 20))
    assert path.stat().st_size < 1 << 20
    with pytest.raises(BadModel, match="unpacks to more than"):
        files.load(Held, "any", path)


def ints(*values: int) -> NDArray[np.int64]:
    return np.array(values, np.int64)


def floats(*values: float) -> NDArray[np.float32]:
    return np.array(values, np.float32)


def test_a_tree_asks_its_way_to_a_leaf() -> None:
    tree = GrownTrees(ints(0), ints(0, 1, 0, 0, 0), floats(5, 1, 0, 0, 0), ints(1, 2, 0, 0, 0), ints(4, 3, 0, 0, 0),
                      floats(0.5, 0.5, 0.1, 0.2, 0.9))  # fmt: skip
    rows = np.array([[5, 1], [5, 2], [6, 0]], np.float32)
    assert tree.probabilities(rows).tolist() == pytest.approx([0.1, 0.2, 0.9])


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (ints(0, 0, 0), ints(2, 0, 0)),
        (ints(1, 1, 0), ints(2, 2, 0)),
        (ints(1, 0, 0), ints(9, 0, 0)),
        (ints(1), ints(2)),
    ],
    ids=["half a leaf", "a ring", "nowhere", "too few"],
)
def test_trees_that_lead_nowhere_are_refused(left: NDArray[np.int64], right: NDArray[np.int64]) -> None:
    with pytest.raises(BadModel, match="not fit together"):
        GrownTrees(ints(0), ints(0, 0, 0), floats(1, 1, 1), left, right, floats(0, 0, 1))


def test_layers_that_do_not_fit_are_refused() -> None:
    one = np.ones((2, 1), np.float32)
    Layers(floats(0, 0), floats(1, 1), (one,), (floats(0),))
    for centre, spread, weights in (
        (floats(0, 0, 0), floats(1, 1, 1), (one,)),
        (floats(0, 0), floats(1, 0), (one,)),
        (floats(0, 0), floats(1, 1), ()),
    ):
        with pytest.raises(BadModel, match="not fit together"):
            Layers(centre, spread, weights, (floats(0),) * len(weights))
