"""Boosted oblivious trees: trained by CatBoost, stored as plain arrays."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tidings.errors import needs
from tidings.extractors.learned.trees import Trees

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Boosting:
    """The parameters of boosted trees.

    Every tree costs time on every page, and more trees hardly help: 800 instead of 300 gained 0.002 word F1 on the
    articles of one fold of wcxb-dev, and lost 0.004 on all its pages.
    """

    trees: int = 200
    depth: int = 6
    rate: float = 0.12
    strength: float = 8.0  # L2 regularisation of leaves
    seed: int = 1

    def fit(self, names: tuple[str, ...], rows: Floats, content: NDArray[np.bool_], weight: NDArray[np.float64]) -> Any:
        """Return a trained CatBoostClassifier. `rows` has a row per feature and a column per block."""
        with needs("training", "lab"):
            from catboost import CatBoostClassifier, Pool
        learner = CatBoostClassifier(
            iterations=self.trees, depth=self.depth, learning_rate=self.rate, l2_leaf_reg=self.strength,
            random_seed=self.seed, loss_function="Logloss", border_count=64, rsm=0.5, bootstrap_type="Bernoulli",
            subsample=0.7, verbose=False, allow_writing_files=False, thread_count=2,
        )  # fmt: skip
        return learner.fit(Pool(rows.T, content, weight=weight, feature_names=list(names)))

    def trees_of(self, names: tuple[str, ...], learner: Any) -> Trees:
        """Return the trees of a trained CatBoostClassifier."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "trees.json"
            learner.save_model(str(file), format="json")
            return _trees(names, json.loads(file.read_text(encoding="utf-8")), self.depth)


def _trees(names: tuple[str, ...], model: dict[str, Any], depth: int) -> Trees:
    """Convert CatBoost's description of its trees; shallower trees get further comparisons without effect."""
    feature: list[int] = []
    border: list[float] = []
    leaf: list[list[float]] = []
    for tree in model["oblivious_trees"]:
        splits, values = tree["splits"] or [], tree["leaf_values"]
        missing = depth - len(splits)
        feature += [split["float_feature_index"] for split in splits] + [0] * missing
        border += [split["border"] for split in splits] + [np.inf] * missing
        leaf.append(values + [0.0] * ((1 << depth) - len(values)))
    scale, bias = model["scale_and_bias"]
    return Trees(
        names,
        np.array(feature, np.int64),
        np.array(border, np.float32),
        (np.array(leaf) * scale).astype(np.float32),
        float(np.ravel(bias)[0]),
    )
