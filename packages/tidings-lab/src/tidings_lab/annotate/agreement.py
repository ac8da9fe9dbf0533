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
from tidings_lab.learners.element_classes import ElementClass


class AgreementUnit(StrEnum):
    """The unit of comparison: annotation units, or texts and tails of elements."""

    BLOCKS = "blocks"  # the annotation units
    WORDS = "words"  # the annotation units, each counted by its words
    ELEMENTS = "elements"  # texts and tails of elements in four classes (memory-based thesis 4.1.3)


@dataclass(frozen=True, slots=True)
class MarkDifference:
    """A unit that the annotators mark differently."""

    page: str
    unit: int
    text: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class ClassAgreement:
    """A class: how often each annotator used it, how often both did, and κ of this class against all others."""

    name: str
    first: int
    second: int
    both: int
    kappa: float

    @property
    def f1(self) -> float:
        """Return the F1 of the two annotators for this class: units marked by both, divided by the mean of their
        counts; 1 if neither used it.
        """
        total = self.first + self.second
        return 2 * self.both / total if total else 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """The comparison of two annotators by class and by unit."""

    names: tuple[str, ...]
    confusion: NDArray[np.int64]  # rows: the first annotator; columns: the second
    differences: tuple[MarkDifference, ...]
    pages: int
    same_type: int = 0  # pages with the same page type

    @property
    def kappa(self) -> float:
        """Cohen's κ over all classes."""
        return kappa(self.confusion)

    @property
    def observed(self) -> float:
        """Return the share of units that both annotators marked the same (observed agreement)."""
        total = int(self.confusion.sum())
        return float(np.trace(self.confusion) / total) if total else 1.0

    @property
    def classes(self) -> list[ClassAgreement]:
        """Return the agreement of the annotators by class."""
        rows, columns = self.confusion.sum(axis=1).tolist(), self.confusion.sum(axis=0).tolist()
        result = []
        for place, name in enumerate(self.names):
            both, total = int(self.confusion[place, place]), int(self.confusion.sum())
            first, second = rows[place] - both, columns[place] - both
            against = kappa([[both, first], [second, total - both - first - second]])
            result.append(ClassAgreement(name, rows[place], columns[place], both, against))
        return result


def kappa(confusion: ArrayLike) -> float:
    """Return Cohen's κ of a confusion matrix; 1 if agreement by chance would be complete, as with one class.

    Raises:
        ValueError: the matrix is not square, or has negative counts.
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


def agreement(pages: Sequence[DoubleMarking], unit: AgreementUnit = AgreementUnit.BLOCKS) -> Agreement:
    """Compare two annotators on all pages that both have marked, ignoring hidden text."""
    by_units = unit is not AgreementUnit.ELEMENTS
    names = marks.NAMES if by_units else tuple(page.name.lower() for page in ElementClass)
    confusion = np.zeros((len(names), len(names)), np.int64)
    differences: list[MarkDifference] = []
    for page in pages:
        first, second = _classes_of_units(page) if by_units else _classes_of_elements(page)
        weights = page.units.words[~page.units.hidden] if unit is AgreementUnit.WORDS else 1
        np.add.at(confusion, (first, second), weights)
        differences += [
            MarkDifference(
                page.sample.id,
                place,
                page.units.text(page.page, place),
                marks.NAMES[page.first[place]],
                marks.NAMES[page.second[place]],
            )
            for place in page.differing
        ]
    same_type = sum(page.is_same_type for page in pages)
    return Agreement(names, confusion, tuple(differences), len(pages), same_type)


def _classes_of_units(page: DoubleMarking) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    visible = ~page.units.hidden
    return page.first[visible], page.second[visible]


def _classes_of_elements(page: DoubleMarking) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Return the classes that both annotators gave to every non-empty text and tail."""
    parts, visible = text_and_tail(page.page), ~page.page.runs.hidden
    texts, tails = np.unique(parts.element[visible & ~parts.in_tail]), np.unique(parts.element[visible & parts.in_tail])
    first, second = (marks.element_classes(page.page, unit_marks) for unit_marks in (page.first, page.second))
    return (
        np.concatenate([first.text[texts], first.tail[tails]]),
        np.concatenate([second.text[texts], second.tail[tails]]),
    )
