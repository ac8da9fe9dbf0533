"""One classifier for each class combined by a second, and what the structure check sees (memory-based thesis 7.1, 6.8).

The thesis proposes the first and has no figures for it. Of the second it says that 10 of its 222 pages were ill-formed,
9 for want of a title, with all sites merged. Both are measured across sites here. If the check is to choose pages for
people to label, pages it complains of should be read worse than others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from tidings.charts import Chart
from tidings.extractors.published.memory_based.extractor import Model
from tidings.lab.corpora import Sample
from tidings.lab.learners.element_classes import ElementClasses
from tidings.lab.learners.memory import Example, MemoryLearner, Weighting
from tidings.lab.learners.second_level import BEST, SecondLevel
from tidings.lab.learners.structure import Ill, check, in_order
from tidings.lab.memory_pages import ARTICLE, Tally, example, macro_f1, of_known_sites, summed, tally
from tidings.lab.studies.memory_domains import predicted
from tidings.lab.studies.study import Each, Study, in_turn
from tidings.lab.studies.tables import Cell, Table
from tidings.lab.validation import Mode, mode_splits
from tidings.page import Page
from tidings.page.columns import Ints

FOLDS: Final = 5
FEWEST, MOST, ELEMENTS = 2, 12, 1200
LEARNERS: Final[Mapping[str, MemoryLearner | SecondLevel]] = {
    "one classifier, χ², k 7": MemoryLearner(weights=Weighting.CHI_SQUARE, k=7),
    "one classifier, information gain, k 7": MemoryLearner(weights=Weighting.INFORMATION_GAIN, k=7),
    "a classifier each, and a second": SecondLevel(BEST),
}


@dataclass(frozen=True, slots=True)
class Read:
    """One page as a learner reads it: what is right, and what is ill."""

    tally: Tally
    faults: tuple[Ill, ...]


@dataclass(frozen=True, slots=True)
class MemorySecond:
    """For each learner all pages."""

    read: Mapping[str, tuple[Read, ...]]

    def tables(self) -> tuple[Table, ...]:
        """F of each learner; how ill-formed pages are read."""
        scores: list[tuple[Cell, ...]] = []
        shapes: list[tuple[Cell, ...]] = []
        for name, pages in self.read.items():
            total = summed(page.tally for page in pages)
            scores.append((name, *(total[kind].f1 for kind in ARTICLE), macro_f1([page.tally for page in pages])))
            ill, well = ([page for page in pages if bool(page.faults) is wrong] for wrong in (True, False))
            kinds = [sum(kind in page.faults for page in pages) for kind in Ill]
            body = [summed(page.tally for page in some)[ARTICLE[-1]].f1 for some in (ill, well)]
            title = [summed(page.tally for page in some)[ARTICLE[0]].f1 for some in (ill, well)]
            shapes.append((name, len(pages), len(ill), *kinds, *body, *title))
        columns = ("learner", "title F", "heading F", "body F", "mean")
        shape = (
            "learner", "pages", "ill-formed", *(kind.value for kind in Ill),
            "body F, ill-formed", "body F, others", "title F, ill-formed", "title F, others",
        )  # fmt: skip
        return (
            Table(f"Across sites, {FOLDS} folds", columns, tuple(scores)),
            Table("What the structure check says, and how those pages are read", shape, tuple(shapes)),
        )

    def charts(self) -> tuple[Chart, ...]:
        """The tables say it all."""
        return ()


def run(
    samples: Sequence[Sample], each: Each = in_turn, learners: Mapping[str, MemoryLearner | SecondLevel] = LEARNERS
) -> MemorySecond:
    """Measure each learner across sites.

    Raises:
        InputError: too few sites have several pages.
    """
    allowed = {sample.id: sample for sample in samples if sample.may_teach}
    examples = of_known_sites(each(example, list(allowed.values()), "labelling"), FEWEST, MOST, ELEMENTS)
    found = list(each(partial(_predict, examples), list(learners.values()), "learning"))
    read: dict[str, list[Read]] = {name: [] for name in learners}
    for page in examples:
        whole = Page(allowed[page.id].html, allowed[page.id].url)
        for name, pairs in zip(learners, found, strict=True):
            parts = in_order(whole, ElementClasses.of_pairs(pairs[page.id]))
            faults = tuple(fault.kind for fault in check(parts.classes))
            read[name].append(Read(tally(page.classes.pairs, pairs[page.id]), faults))
    return MemorySecond({name: tuple(pages) for name, pages in read.items()})


def _predict(examples: Sequence[Example], learner: MemoryLearner | SecondLevel) -> dict[str, Ints]:
    """For each page the pairs that a learner gives it which has not seen its site."""
    found = {}
    for split in mode_splits(examples, Mode.ACROSS, FOLDS):
        model = learner.fit(split.train)
        for page in split.test:
            found[page.id] = predicted(model, page) if isinstance(model, Model) else model.pairs(page)
    return found


STUDY: Final = Study(
    "memory-second",
    "A classifier for each class combined by a second; the structure check",
    "memory-based thesis 7.1, 6.8",
    run,
)
