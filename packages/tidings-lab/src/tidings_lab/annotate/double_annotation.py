"""Pages that two annotators have marked, and the units that a third annotator has to decide (hybrid rules 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tidings.errors import InputError, TidingsError
from tidings.page import Page
from tidings_lab.annotation import marks
from tidings_lab.annotation.units import Units, units
from tidings_lab.corpora.corpus import CorpusProblem, CorpusTrouble
from tidings_lab.corpora.files import read
from tidings_lab.corpora.sample import Sample


@dataclass(frozen=True, slots=True)
class DoubleMarking:
    """A page with the marks of two annotators."""

    sample: Sample
    page: Page
    units: Units
    first: marks.Marks
    second: marks.Marks
    second_type: str  # the page type of the second annotator

    @property
    def is_same_type(self) -> bool:
        """Return whether the annotators recorded the same page type."""
        return self.sample.page_type == self.second_type

    @property
    def differing(self) -> list[int]:
        """Return the visible units that the two annotators marked differently."""
        units: list[int] = np.flatnonzero((self.first != self.second) & ~self.units.hidden).tolist()
        return units


def read_twice(first: Path, second: Path) -> tuple[list[DoubleMarking], list[CorpusProblem]]:
    """Return the pages that are in both folders with the same HTML, and the problems with the others.

    Raises:
        InputError: a folder is no corpus, or they have no page in common.
    """
    first_corpus, second_corpus = read(first), read(second)
    problems = [*first_corpus.problems, *second_corpus.problems]
    second_samples = {sample.id: sample for sample in second_corpus.samples}
    first_ids = {sample.id for sample in first_corpus.samples}
    missing = [(name, first) for name in second_samples if name not in first_ids]
    missing += [(name, second) for name in (sample.id for sample in first_corpus.samples) if name not in second_samples]
    problems += [CorpusProblem(CorpusTrouble.NO_GOLD, name, f"not in {folder}") for name, folder in missing]
    result: list[DoubleMarking] = []
    for sample in first_corpus.samples:
        if sample.id not in second_samples:
            continue
        try:
            content = sample.html
            if content != second_samples[sample.id].html:
                problems.append(CorpusProblem(CorpusTrouble.CHANGED, sample.id, "the two folders have different pages"))
                continue
            page = Page(content, sample.url or None)
            both_marks = (marks.of_gold(page, version.gold) for version in (sample, second_samples[sample.id]))
            first_marks, second_marks = both_marks
            second_type = second_samples[sample.id].page_type
            result.append(DoubleMarking(sample, page, units(page), first_marks, second_marks, second_type))
        except (TidingsError, ValueError) as error:
            problems.append(CorpusProblem(CorpusTrouble.BROKEN_PAGE, sample.id, str(error)))
    if not result:
        raise InputError(f"{first} and {second} have no page in common; name two folders annotated from the same pages")
    return result, problems


@dataclass(frozen=True, slots=True)
class Opinions:
    """The marks of two annotators by page, for a third annotator who decides the differences."""

    pages: dict[str, DoubleMarking]

    @classmethod
    def of(cls, pages: Sequence[DoubleMarking]) -> Opinions:
        """Create from pages that two annotators have marked; pages without differences are left out."""
        return cls({page.sample.id: page for page in pages if page.differing})

    def beginning(self, name: str) -> marks.Marks:
        """Return the initial marks of a page: those of the first annotator."""
        return self.pages[name].first.copy()

    def differing(self, name: str) -> dict[int, tuple[str, str]]:
        """Return the two annotators' marks, by name, of each unit on which they differ."""
        page = self.pages[name]
        return {unit: (marks.NAMES[page.first[unit]], marks.NAMES[page.second[unit]]) for unit in page.differing}
