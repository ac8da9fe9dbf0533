"""Model files of the memory-based learner: arrays in one file, which contains no code and runs none when it is loaded.

The file contains the instances (IB1) or the tree (IGTREE), the tags and classes that their numbers mean, and a card
with the training data and settings.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadModel
from tidings.extractors.model_files import read_arrays, read_as_model, write_arrays
from tidings.extractors.published.memory_based.features import NAMES, TAG_PLACES, ElementRows, logarithmic, rows
from tidings.extractors.published.memory_based.ib1 import Nearest
from tidings.extractors.published.memory_based.igtree import IGTree
from tidings.extractors.published.memory_based.memory import Floats, InstanceMemory, Schema, Values
from tidings.page import Page
from tidings.page.columns import Ints

#: Increased when the features change, so that models of another version are refused.
VERSION: Final = 1
_MOST_NEIGHBOURS: Final = 1000
_PARTS: Final = 2  # a class is a pair: of the text, and of the tail


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """The predicted class of each instance, and the certainty of the prediction from 0 to 1."""

    classes: Ints
    certainty: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """The predicted classes of the text and the tail of each element, as letters, and the certainty of each
    prediction.
    """

    text: NDArray[np.str_]
    tail: NDArray[np.str_]
    certainty: Floats


@dataclass(frozen=True, slots=True, eq=False)
class MemoryModel:
    """A trained memory or tree, with the tags and classes that its numbers stand for."""

    judge: Nearest | IGTree
    tags: tuple[str, ...]
    classes: tuple[str, ...]  # pairs as in b+g
    card: Mapping[str, Any]
    logarithmic: bool = False  # whether lengths are compared on a logarithmic scale

    def answer(self, values: Values) -> Answer:
        """Predict the class of each encoded instance; lengths are not yet logarithmic."""
        if self.logarithmic:
            values = logarithmic(values)
        if isinstance(self.judge, Nearest):
            verdicts = self.judge.classify(values)
            return Answer(verdicts.classes, verdicts.certainty)
        classes, depth = self.judge.classify(values)
        return Answer(classes, depth / max(len(self.judge.levels), 1))

    def mark(self, page: Page) -> Marks:
        """Predict the class of every text and tail of a page."""
        result = self.answer(encode(rows(page), self.tags))
        class_letters = letters(self.classes)[result.classes]
        return Marks(class_letters[:, 0], class_letters[:, 1], result.certainty)

    def doubt(self, page: Page) -> Floats:
        """Return for each element how doubtful its class is, from 0 to 1; also defined for a single neighbour (k = 1).

        For a memory it is the larger of two values: the share of votes for other classes among the k + 1 nearest
        distances, and the distance of the nearest neighbour relative to the largest possible one. For a tree it is the
        share of its comparisons that did not match.
        """
        values = encode(rows(page), self.tags)
        if self.logarithmic:
            values = logarithmic(values)
        if not isinstance(self.judge, Nearest):
            return np.asarray(1 - self.answer(encode(rows(page), self.tags)).certainty)
        neighbours = self.judge.look(values)
        classes = neighbours.verdicts(self.judge.k).classes
        votes = neighbours.votes.sum(axis=1)
        own_votes = votes[np.arange(len(votes)), classes]
        others = 1 - own_votes / np.maximum(votes.sum(axis=1), 1)
        farthest = max(float(self.judge.memory.weights.sum()), 1e-12)
        return np.asarray(np.maximum(others, np.minimum(neighbours.distance / farthest, 1.0)))

    def save(self, path: Path) -> None:
        """Write the model to a file; equal models produce equal bytes."""
        arrays: dict[str, NDArray[Any]] = {
            "version": np.array(VERSION),
            "tags": np.array(self.tags, np.str_),
            "classes": np.array(self.classes, np.str_),
            "logarithmic": np.array(self.logarithmic),
            "card": np.array(json.dumps(dict(self.card), sort_keys=True, ensure_ascii=False)),
        }
        arrays |= _memory_arrays(self.judge) if isinstance(self.judge, Nearest) else self.judge.arrays()
        write_arrays(path, arrays)


def letters(classes: tuple[str, ...]) -> NDArray[np.str_]:
    """Split classes of (text, tail) pairs into the class letters of the texts and those of the tails."""
    return np.array([name.split("+") for name in classes], np.str_).reshape(-1, _PARTS)


def encode(page_rows: ElementRows, tags: tuple[str, ...]) -> Values:
    """Return the features of a page with tags numbered by their position in `tags`; -1 for unknown tags."""
    numbers = {tag: number for number, tag in enumerate(tags)}
    table = np.array([numbers.get(tag, -1) for tag in page_rows.tags], np.int32)
    values = page_rows.values.copy()
    values[:, TAG_PLACES] = table[values[:, TAG_PLACES]]
    return values


def load_one(path: Path) -> MemoryModel:
    """Read a model file.

    Raises:
        BadModel: the file is damaged, of another version, or of another learner.
    """
    with read_as_model(path):
        arrays = read_arrays(path)
        if "tags" not in arrays or int(arrays["version"]) != VERSION:
            raise BadModel(
                f"{path} is no memory of this version of Tidings: make one with `tidings lab train memory-based`"
            )
        judge = IGTree.of_arrays(arrays) if "tree.order" in arrays else _nearest(arrays)
        tags, classes = tuple(arrays["tags"].tolist()), tuple(arrays["classes"].tolist())
        _check(judge, classes)
        return MemoryModel(judge, tags, classes, json.loads(str(arrays["card"])), bool(arrays["logarithmic"]))


def _check(judge: Nearest | IGTree, classes: tuple[str, ...]) -> None:
    """Raise BadModel unless the parts of a model are consistent, which would otherwise fail later without naming the
    file.
    """
    order = judge.memory.schema.order if isinstance(judge, Nearest) else judge.order
    if sorted(order.tolist()) != list(range(len(NAMES))):
        raise ValueError(f"it does not weigh the {len(NAMES)} features")
    if not classes or any(name.count("+") != _PARTS - 1 for name in classes):
        raise ValueError("its classes are no pairs")
    if isinstance(judge, IGTree):
        above = 1
        for level in judge.levels:
            if len(level) and not (level.above.min() >= 0 and level.above.max() < above):
                raise ValueError("its tree hangs together wrongly")
            above = len(level)
        highest = max([judge.top, *(int(level.chosen.max()) for level in judge.levels if len(level))])
    else:
        highest = judge.memory.counts.shape[1] - 1
    if not 0 <= highest < len(classes):
        raise ValueError("it has more classes than names for them")


def _memory_arrays(judge: Nearest) -> dict[str, NDArray[Any]]:
    memory = judge.memory
    return {
        "k": np.array(judge.k),
        "values": memory.values.T,  # columns compress better than rows
        "counts": memory.counts,
        "numeric": memory.schema.numeric,
        "order": memory.schema.order,
        "weights": memory.weights,
        "least": memory.least,
        "most": memory.most,
    }


def _nearest(arrays: Mapping[str, NDArray[Any]]) -> Nearest:
    values = np.ascontiguousarray(arrays["values"].T, np.int32)
    if values.ndim != 2 or len(values) != len(arrays["counts"]) or values.shape[1] != len(arrays["weights"]):
        raise ValueError("its instances and classes do not fit together")
    columns = [np.asarray(arrays[name], np.float64) for name in ("weights", "least", "most")]
    if any(len(column) != values.shape[1] or not np.isfinite(column).all() for column in columns):
        raise ValueError("its weights are no numbers")
    if not 1 <= int(arrays["k"]) <= _MOST_NEIGHBOURS or (columns[0] < 0).any() or (arrays["counts"] < 0).any():
        raise ValueError("its settings make no sense")
    schema = Schema(arrays["numeric"].astype(np.bool_), arrays["order"])
    memory = InstanceMemory(values, arrays["counts"], schema, *columns)
    return Nearest(memory, int(arrays["k"]))
