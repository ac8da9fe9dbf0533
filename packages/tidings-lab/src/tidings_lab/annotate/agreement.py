"""Agreement of two annotators: Cohen's κ, counts by class, and the units that they mark differently.

κ = (P_o - P_c) / (1 - P_c): the share of agreement minus the agreement expected by chance, normalised (Cohen 1960;
hybrid rules 4.5). It is 1 for full agreement and 0 for agreement by chance; above 0.4 is reasonable (Landis and Koch
1977).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tidings.page.text_and_tail import text_and_tail
from tidings_lab.annotate.double_annotation import DoubleMarking
from tidings_lab.annotation import marks
from tidings_lab.learners.structure import ElementClass


class AgreementUnit(StrEnum):
    """What is counted."""

    BLOCKS = "blocks"  # what the annotators marked
    ELEMENTS = "elements"  # texts and tails of elements in four classes (memory-based thesis 4.1.3)


@dataclass(frozen=True, slots=True)
class MarkDifference:
    """One unit that the two see differently."""

    page: str
    unit: int
    text: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class ClassAgreement:
    """One class: how often each gave it, how often both did, and κ of this class against all others."""

    name: str
    first: int
    second: int
    both: int
    kappa: float

    @property
    def f1(self) -> float:
        """What is given by both, over the mean of what each gave; 1 where neither gave it."""
        total = self.first + self.second
        return 2 * self.both / total if total else 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """Everything two annotators can be compared by."""

    names: tuple[str, ...]
    confusion: NDArray[np.int64]  # rows: the first annotator; columns: the second
    differences: tuple[MarkDifference, ...]
    pages: int

    @property
    def kappa(self) -> float:
        """Over all classes."""
        return kappa(self.confusion)

    @property
    def observed(self) -> float:
        """The share of units they agree on."""
        total = int(self.confusion.sum())
        return float(np.trace(self.confusion) / total) if total else 1.0

    @property
    def classes(self) -> list[ClassAgreement]:
        """By class."""
        rows, columns = self.confusion.sum(axis=1).tolist(), self.confusion.sum(axis=0).tolist()
        found = []
        for place, name in enumerate(self.names):
            both, total = int(self.confusion[place, place]), int(self.confusion.sum())
            first, second = rows[place] - both, columns[place] - both
            against = kappa([[both, first], [second, total - both - first - second]])
            found.append(ClassAgreement(name, rows[place], columns[place], both, against))
        return found


def kappa(confusion: ArrayLike) -> float:
    """Cohen's κ of a confusion matrix. Where chance alone would agree on everything, as with one class, it is 1.

    Raises:
        ValueError: the matrix is not square, or counts less than nothing.
    """
    counts = np.asarray(confusion, np.float64)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or (counts < 0).any():
        raise ValueError("a confusion matrix is square and counts nothing below 0")
    total = counts.sum()
    if not total:
        return 1.0
    observed = np.trace(counts) / total
    expected = float(counts.sum(axis=0) @ counts.sum(axis=1)) / total**2
    return float((observed - expected) / (1 - expected)) if expected < 1 else 1.0


def agreement(twice: Sequence[DoubleMarking], unit: AgreementUnit = AgreementUnit.BLOCKS) -> Agreement:
    """Compare two annotators on all pages that both have marked; what no reader sees is left out."""
    names = marks.NAMES if unit is AgreementUnit.BLOCKS else tuple(one.name.lower() for one in ElementClass)
    confusion = np.zeros((len(names), len(names)), np.int64)
    differences: list[MarkDifference] = []
    for one in twice:
        first, second = _by_unit(one) if unit is AgreementUnit.BLOCKS else _by_element(one)
        np.add.at(confusion, (first, second), 1)
        differences += [
            MarkDifference(
                one.sample.id,
                place,
                one.units.text(one.page, place),
                marks.NAMES[one.first[place]],
                marks.NAMES[one.second[place]],
            )
            for place in one.differing
        ]
    return Agreement(names, confusion, tuple(differences), len(twice))


def _by_unit(twice: DoubleMarking) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    seen = ~twice.units.hidden
    return twice.first[seen], twice.second[seen]


def _by_element(twice: DoubleMarking) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """The classes of every text and tail that has something in it."""
    parts, shown = text_and_tail(twice.page), ~twice.page.runs.hidden
    texts, tails = np.unique(parts.element[shown & ~parts.in_tail]), np.unique(parts.element[shown & parts.in_tail])
    first, second = (marks.element_classes(twice.page, it) for it in (twice.first, twice.second))
    return (
        np.concatenate([first.text[texts], first.tail[tails]]),
        np.concatenate([second.text[texts], second.tail[tails]]),
    )
