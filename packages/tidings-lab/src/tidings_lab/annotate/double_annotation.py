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
