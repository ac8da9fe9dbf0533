"""A classifier for each class, and a second one that combines them (memory-based thesis 7.1), as a model to use.

Each of the first ones says of every element whether its text or its tail is a title, a heading, or body. The second is
a memory too: of what these answers, for the element and its two neighbours, went with. One file holds all of them.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.model_files import packed, read_as_model, unpacked, write_parts
from tidings.extractors.published.memory_based.features import ElementRows, rows
from tidings.extractors.published.memory_based.ib1 import Nearest
from tidings.extractors.published.memory_based.memory import Floats, InstanceMemory, Schema, Values
from tidings.extractors.published.memory_based.model import Answer, Marks, MemoryModel, encode, letters, load_one
from tidings.page import Page
from tidings.page.columns import Bools, Ints

NEIGHBOURS: Final = 1
_LIST: Final = "levels.json"
_COLUMNS: Final = ("values", "counts", "numeric", "order", "weights")


@dataclass(frozen=True, slots=True, eq=False)
class CombinedModel:
    """A model for each class, and the memory of what their answers meant."""

    first: Mapping[str, MemoryModel]  # by the letter of the class
    second: Nearest
    classes: tuple[str, ...]  # pairs as in b+g
    card: Mapping[str, Any]

    def answers(self, found: ElementRows) -> Values:
        """What each model says of each element and of its neighbours: a column an answer."""
        return first_answers(self.first, found, self.classes)

    def answer(self, found: ElementRows) -> Answer:
        """Return the class of each element."""
        verdicts = self.second.classify(self.answers(found))
        return Answer(verdicts.classes, verdicts.certainty)

    def mark(self, page: Page) -> Marks:
        """What every text and tail of a page is."""
        found = self.answer(rows(page))
        chosen = letters(self.classes)[found.classes]
        return Marks(chosen[:, 0], chosen[:, 1], found.certainty)

    def doubt(self, page: Page) -> Floats:
        """Return how doubtful the answer for each element is: that of the second one, or of the most doubtful first
        one.
        """
        said = np.asarray(1 - self.answer(rows(page)).certainty)
        return np.asarray(np.maximum.reduce([said, *(model.doubt(page) for model in self.first.values())]))

    def save(self, path: Path) -> None:
        """Write all levels to one file; the same model makes the same bytes."""
        memory = self.second.memory
        schema = memory.schema
        columns: list[NDArray[Any]] = [memory.values, memory.counts, schema.numeric, schema.order, memory.weights]
        told = {"first": list(self.first), "classes": self.classes, "k": self.second.k, "card": dict(self.card)}
        parts = {_LIST: json.dumps(told, sort_keys=True, ensure_ascii=False).encode()}
        parts |= {f"second.{name}.npy": packed(column) for name, column in zip(_COLUMNS, columns, strict=True)}
        with TemporaryDirectory() as folder:
            for letter, model in self.first.items():
                model.save(Path(folder, letter))
                parts[f"first.{letter}.npz"] = Path(folder, letter).read_bytes()
        write_parts(path, parts)


def first_answers(models: Mapping[str, MemoryModel], found: ElementRows, classes: tuple[str, ...]) -> Values:
    """What each of several models says of each element and of its neighbours, as numbers of classes."""
    columns = []
    for model in models.values():
        number = np.array([classes.index(name) for name in model.classes], np.int32)
        said = number[model.answer(encode(found, model.tags)).classes]
        columns.append(np.lib.stride_tricks.sliding_window_view(np.pad(said, NEIGHBOURS), 2 * NEIGHBOURS + 1))
    return np.concatenate(columns, axis=1).astype(np.int32)


def is_combined(path: Path) -> bool:
    """Return whether a file holds several levels."""
    try:
        with zipfile.ZipFile(path) as file:
            return _LIST in file.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


def load_combined(path: Path) -> CombinedModel:
    """Read a model of two levels.

    Raises:
        BadModel: it is damaged, or its parts do not fit together.
    """
    with read_as_model(path):
        with zipfile.ZipFile(path) as file, TemporaryDirectory() as folder:
            told = json.loads(file.read(_LIST))
            columns = [unpacked(file.read(f"second.{one}.npy")) for one in _COLUMNS]
            first = {}
            for letter in told["first"]:
                part = Path(folder, "part")
                part.write_bytes(file.read(f"first.{letter}.npz"))
                first[str(letter)] = load_one(part)
        second = Nearest(_memory(*columns), int(told["k"]))
        return _fitting(CombinedModel(first, second, tuple(map(str, told["classes"])), dict(told["card"])))


def _memory(values: Values, counts: Ints, numeric: Bools, order: Ints, weights: Floats) -> InstanceMemory:
    nothing = np.zeros(len(weights))
    schema = Schema(numeric.astype(np.bool_), order.astype(np.int64))
    rows_seen, seen = values.astype(np.int32), counts.astype(np.int32)
    return InstanceMemory(rows_seen, seen, schema, weights.astype(np.float64), nothing, nothing)


def _fitting(model: CombinedModel) -> CombinedModel:
    """Return the model, where its levels fit together."""
    memory, width = model.second.memory, len(model.first) * (2 * NEIGHBOURS + 1)
    shapes = {len(memory.schema.numeric), len(memory.schema.order), len(memory.weights), memory.values.shape[1]}
    if shapes != {width} or memory.counts.shape != (len(memory.values), len(model.classes)):
        raise ValueError("its levels do not fit together")
    if not set(model.classes) >= {name for one in model.first.values() for name in one.classes}:
        raise ValueError("its levels have different classes")
    return model
