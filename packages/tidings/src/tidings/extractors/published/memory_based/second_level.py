"""A model of two levels: a classifier for each class, and a second classifier over their results.

Source: memory-based thesis 7.1. Each first-level classifier decides for every element whether its text or its tail is,
for example, a title, a heading, or body text. The second level is a memory of the classes that these decisions, for the
element and its two neighbours, had in training. One file contains all levels.
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
    """A model of two levels: a model for each class, and a memory that combines their decisions."""

    first: Mapping[str, MemoryModel]  # by the letter of the class
    second: Nearest
    classes: tuple[str, ...]  # pairs as in b+g
    card: Mapping[str, Any]

    def answers(self, page_rows: ElementRows) -> Values:
        """Return the prediction of each first-level model for each element and its neighbours, a column each."""
        return first_answers(self.first, page_rows, self.classes)

    def answer(self, page_rows: ElementRows) -> Answer:
        """Predict the class of each element."""
        verdicts = self.second.classify(self.answers(page_rows))
        return Answer(verdicts.classes, verdicts.certainty)

    def mark(self, page: Page) -> Marks:
        """Return the class of every text and tail of a page."""
        result = self.answer(rows(page))
        class_letters = letters(self.classes)[result.classes]
        return Marks(class_letters[:, 0], class_letters[:, 1], result.certainty)

    def doubt(self, page: Page) -> Floats:
        """Return for each element how doubtful its class is: the doubt of the second level, or the largest of the first
        level.
        """
        second_doubt = np.asarray(1 - self.answer(rows(page)).certainty)
        return np.asarray(np.maximum.reduce([second_doubt, *(model.doubt(page) for model in self.first.values())]))

    def save(self, path: Path) -> None:
        """Write all levels to one file; equal models produce equal bytes."""
        memory = self.second.memory
        schema = memory.schema
        columns: list[NDArray[Any]] = [memory.values, memory.counts, schema.numeric, schema.order, memory.weights]
        header = {"first": list(self.first), "classes": self.classes, "k": self.second.k, "card": dict(self.card)}
        parts = {_LIST: json.dumps(header, sort_keys=True, ensure_ascii=False).encode()}
        parts |= {f"second.{name}.npy": packed(column) for name, column in zip(_COLUMNS, columns, strict=True)}
        with TemporaryDirectory() as folder:
            for letter, model in self.first.items():
                model.save(Path(folder, letter))
                parts[f"first.{letter}.npz"] = Path(folder, letter).read_bytes()
        write_parts(path, parts)


def first_answers(models: Mapping[str, MemoryModel], page_rows: ElementRows, classes: tuple[str, ...]) -> Values:
    """Return the predictions of several models for each element and its neighbours, as class numbers (columns)."""
    columns = []
    for model in models.values():
        number = np.array([classes.index(name) for name in model.classes], np.int32)
        decisions = number[model.answer(encode(page_rows, model.tags)).classes]
        columns.append(np.lib.stride_tricks.sliding_window_view(np.pad(decisions, NEIGHBOURS), 2 * NEIGHBOURS + 1))
    return np.concatenate(columns, axis=1).astype(np.int32)


def is_combined(path: Path) -> bool:
    """Return whether a file contains a model of two levels."""
    try:
        with zipfile.ZipFile(path) as file:
            return _LIST in file.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


def load_combined(path: Path) -> CombinedModel:
    """Read a model of two levels.

    Raises:
        BadModel: the file is damaged, or its parts do not fit together.
    """
    with read_as_model(path):
        with zipfile.ZipFile(path) as file, TemporaryDirectory() as folder:
            header = json.loads(file.read(_LIST))
            columns = [unpacked(file.read(f"second.{column}.npy")) for column in _COLUMNS]
            first = {}
            for letter in header["first"]:
                part = Path(folder, "part")
                part.write_bytes(file.read(f"first.{letter}.npz"))
                first[str(letter)] = load_one(part)
        second = Nearest(_memory(*columns), int(header["k"]))
        return _fitting(CombinedModel(first, second, tuple(map(str, header["classes"])), dict(header["card"])))


def _memory(values: Values, counts: Ints, numeric: Bools, order: Ints, weights: Floats) -> InstanceMemory:
    zeros = np.zeros(len(weights))
    schema = Schema(numeric.astype(np.bool_), order.astype(np.int64))
    rows, class_counts = values.astype(np.int32), counts.astype(np.int32)
    return InstanceMemory(rows, class_counts, schema, weights.astype(np.float64), zeros, zeros)


def _fitting(model: CombinedModel) -> CombinedModel:
    """Return a combined model after checking that its levels are consistent."""
    memory, width = model.second.memory, len(model.first) * (2 * NEIGHBOURS + 1)
    shapes = {len(memory.schema.numeric), len(memory.schema.order), len(memory.weights), memory.values.shape[1]}
    if shapes != {width} or memory.counts.shape != (len(memory.values), len(model.classes)):
        raise ValueError("its levels do not fit together")
    if not set(model.classes) >= {name for model_of_class in model.first.values() for name in model_of_class.classes}:
        raise ValueError("its levels have different classes")
    return model
