"""How far two annotators agree: Cohen's κ, a table by class, and the units they see differently.

κ = (P_o - P_c) / (1 - P_c): the share they agree on, less what chance would make them agree on (Cohen 1960; hybrid
rules 4.5). It is 1 for full agreement and 0 for agreement by chance; over 0.4 is reasonable (Landis and Koch 1977).

Two annotators and a third (hybrid rules 4.2): pages both have marked, and the units where they differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tidings.errors import InputError, TidingsError
from tidings.page import Page
from tidings.page.text_and_tail import text_and_tail
from tidings_lab import marks
from tidings_lab.corpora.corpus import CorpusProblem, CorpusTrouble, Sample
from tidings_lab.corpora.files import read
from tidings_lab.learners.structure import ElementClass
from tidings_lab.marks import Units, units


@dataclass(frozen=True, slots=True)
class DoubleMarking:
    """One page as two people have marked it."""

    sample: Sample
    page: Page
    units: Units
    first: marks.Marks
    second: marks.Marks

    @property
    def differing(self) -> list[int]:
        """Units a reader sees that the two have marked differently."""
        found: list[int] = np.flatnonzero((self.first != self.second) & ~self.units.hidden).tolist()
        return found


def read_twice(first: Path, second: Path) -> tuple[list[DoubleMarking], list[CorpusProblem]]:
    """Pages that are in both folders with the same HTML, and what is wrong with the others.

    Raises:
        InputError: a folder is no corpus, or they share no page.
    """
    one, other = read(first), read(second)
    problems = [*one.problems, *other.problems]
    theirs = {sample.id: sample for sample in other.samples}
    ours = {sample.id for sample in one.samples}
    missing = [(name, first) for name in theirs if name not in ours]
    missing += [(name, second) for name in (sample.id for sample in one.samples) if name not in theirs]
    problems += [CorpusProblem(CorpusTrouble.NO_GOLD, name, f"not in {folder}") for name, folder in missing]
    found: list[DoubleMarking] = []
    for sample in one.samples:
        if sample.id not in theirs:
            continue
        try:
            content = sample.html
            if content != theirs[sample.id].html:
                problems.append(CorpusProblem(CorpusTrouble.CHANGED, sample.id, "the two folders have different pages"))
                continue
            page = Page(content, sample.url or None)
            both = (marks.of_gold(page, it.gold) for it in (sample, theirs[sample.id]))
            found.append(DoubleMarking(sample, page, units(page), *both))
        except (TidingsError, ValueError) as error:
            problems.append(CorpusProblem(CorpusTrouble.BROKEN_PAGE, sample.id, str(error)))
    if not found:
        raise InputError(f"{first} and {second} have no page in common; name two folders annotated from the same pages")
    return found, problems


@dataclass(frozen=True, slots=True)
class Opinions:
    """What two annotators said, by page: the third begins with what they agree on, and decides the rest."""

    pages: dict[str, DoubleMarking]

    @classmethod
    def of(cls, twice: Sequence[DoubleMarking]) -> Opinions:
        """Only pages with differences."""
        return cls({one.sample.id: one for one in twice if one.differing})

    def beginning(self, name: str) -> marks.Marks:
        """The marks to begin with: where they differ, the first annotator's."""
        return self.pages[name].first.copy()

    def differing(self, name: str) -> dict[int, tuple[str, str]]:
        """For each unit to decide what the two say."""
        twice = self.pages[name]
        return {unit: (marks.NAMES[twice.first[unit]], marks.NAMES[twice.second[unit]]) for unit in twice.differing}


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
