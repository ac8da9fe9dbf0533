"""Which learner tells main, headline, article information and the rest best: tables 7 and 8 of the hybrid paper.

Naive Bayes, Bayesian networks, nearest neighbours and decision trees on the same blocks, by ten folds. The paper draws
its folds from blocks and finds the tree best, with an accuracy of 0.958 in cross-validation and 0.949 on its second
set. Beside that: folds by site; all blocks of the pages instead of a drawn set; and Weka's own learners on the same
rows, to see that ours are the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from tidings.charts import Chart, ChartKind, Series
from tidings.extractors.published.block_tree.classes import BlockClass
from tidings.lab import weka
from tidings.lab.corpora import Sample
from tidings.lab.learners.blocks.instances import DRAWN, Instances, Learner, TaughtPage, draw
from tidings.lab.studies.hybrid_pages import (
    FOLDS,
    IN_WEKA,
    LEARNERS,
    TREE,
    Folding,
    Trial,
    folds,
    taught_pages,
    validate,
)
from tidings.lab.studies.study import Each, Study, in_turn
from tidings.lab.studies.tables import Cell, Table

#: What the tree of the paper reaches: in cross-validation, and on its second set (4.6).
PUBLISHED: Final = (0.9576, 0.9488)
#: Which blocks of a page are learned, which measured: how many uninformative ones, and whether the story's parts.
_READINGS: Final[Mapping[tuple[str, str], tuple[int | None, bool, int | None, bool]]] = {
    ("drawn", "drawn"): (DRAWN, False, DRAWN, False),
    ("drawn", "all but parts of the story"): (DRAWN, False, None, False),
    ("drawn", "all"): (DRAWN, False, None, True),
    ("drawn, with parts", "all"): (DRAWN, True, None, True),
}


@dataclass(frozen=True, slots=True)
class Beside:
    """One of our learners beside Weka's, on the first fold of sites."""

    learner: str
    same: float  # share of the blocks that both give the same class
    ours: float  # accuracy
    theirs: float


@dataclass(frozen=True, slots=True)
class HybridLearners:
    """What was measured."""

    pages: int
    sites: int
    counts: tuple[int, ...]  # of each class
    trials: Mapping[tuple[str, Folding], Trial]
    readings: Mapping[tuple[str, str], Trial]  # of the tree, folds by site
    beside: tuple[Beside, ...]

    def tables(self) -> tuple[Table, ...]:
        """The learners, the tree's classes and confusion, its other readings, and Weka."""
        found = [self._learners(), self._classes(), self._confusion(), self._readings()]
        if self.beside:
            rows = tuple((one.learner, one.same, one.ours, one.theirs) for one in self.beside)
            columns = ("learner", "same class", "accuracy, ours", "accuracy, Weka's")
            found.append(Table("Our learners and those of Weka 3.6 on the first fold of sites", columns, rows))
        return tuple(found)

    def charts(self) -> tuple[Chart, ...]:
        """Accuracy and κ of each learner, by both kinds of folds."""
        names = tuple(dict.fromkeys(name for name, _ in self.trials))
        charts = []
        for measure in ("accuracy", "κ"):
            series = tuple(
                Series(folding.value, tuple(_of(self.trials[name, folding], measure) for name in names))
                for folding in Folding
            )
            file = "hybrid-learners" + ("" if measure == "accuracy" else "-kappa")
            charts.append(
                Chart(file, "Four classes of blocks, ten folds", "", measure, names, series, ChartKind.POINTS)
            )
        return tuple(charts)

    def _learners(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for name in dict.fromkeys(name for name, _ in self.trials):
            sites, blocks = self.trials[name, Folding.BY_SITE], self.trials[name, Folding.BY_BLOCK]
            figures = (sites.confusion.accuracy, *(sites.weighted(one) for one in ("precision", "recall", "f1")))
            macro = float(np.mean([one.f1 for one in sites.counts]))
            rows.append((name, *figures, macro, sites.kappa, blocks.confusion.accuracy, blocks.kappa, sites.seconds))
        columns = (
            "learner", "accuracy", "P", "R", "F", "mean F of classes", "κ",
            "accuracy, blocks drawn", "κ, blocks drawn", "learning, s",
        )  # fmt: skip
        kinds = ", ".join(f"{count} {one.label}" for count, one in zip(self.counts, BlockClass, strict=True))
        title = f"{FOLDS} folds of sites; {self.pages} pages of {self.sites} sites; blocks: {kinds}"
        return Table(title, columns, tuple(rows))

    def _classes(self) -> Table:
        trial = self.trials[TREE, Folding.BY_SITE]
        rows = tuple(
            (str(label), one.precision, one.recall, one.f1)
            for label, one in zip(trial.confusion.labels, trial.counts, strict=True)
        )
        return Table("The tree's classes, folds of sites", ("class", "precision", "recall", "F"), rows)

    def _confusion(self) -> Table:
        found = self.trials[TREE, Folding.BY_SITE].confusion
        labels = tuple(map(str, found.labels))
        rows = tuple((label, *cells) for label, cells in zip(labels, found.cells.tolist(), strict=True))
        return Table("The tree's confusion, folds of sites: gold in rows", ("", *labels), rows)

    def _readings(self) -> Table:
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (
                *name,
                int(one.confusion.cells.sum()),
                one.confusion.accuracy,
                one.kappa,
                *(each.f1 for each in one.counts),
            )
            for name, one in self.readings.items()
        )
        columns = ("learned from", "measured on", "blocks", "accuracy", "κ", *(f"F, {one.label}" for one in BlockClass))
        return Table("The tree, by which blocks are learned and measured; folds of sites", columns, rows)


def run(
    samples: Sequence[Sample],
    each: Each = in_turn,
    learners: Mapping[str, Learner] = LEARNERS,
    compare: Mapping[str, Learner] | None = None,
) -> HybridLearners:
    """Cross-validate every learner in both ways; `compare` with Weka's, if it is there.

    Raises:
        InputError: the pages are of fewer than two sites.
        MissingExtra: a library to learn with is not installed.
    """
    pages = taught_pages(samples, each)
    table = draw(pages)
    tasks = [(name, folding) for name in learners for folding in Folding]
    trials = each(partial(_validate, table, learners), tasks, "cross-validation")
    readings = each.alone()(partial(_read, pages), list(_READINGS), "the tree's other readings")
    theirs = compare if compare is not None else IN_WEKA if weka.is_there() else {}
    both = [name for name in learners if name in theirs]
    beside = each(partial(_beside, table, learners, theirs), both, "Weka")
    return HybridLearners(
        len(set(table.page.tolist())),
        len(set(table.site.tolist())),
        tuple(int(count) for count in table.counts),
        dict(zip(tasks, trials, strict=True)),
        dict(zip(_READINGS, readings, strict=True)),
        tuple(beside),
    )


def _validate(table: Instances, learners: Mapping[str, Learner], task: tuple[str, Folding]) -> Trial:
    name, folding = task
    return validate(table, learners[name], folding)


def _read(pages: Sequence[TaughtPage], reading: tuple[str, str]) -> Trial:
    learned, with_parts, measured, measured_parts = _READINGS[reading]
    table = draw(pages, learned, parts=with_parts)
    return validate(table, LEARNERS[TREE], Folding.BY_SITE, draw(pages, measured, parts=measured_parts))


def _beside(table: Instances, ours: Mapping[str, Learner], theirs: Mapping[str, Learner], name: str) -> Beside:
    """Both on the first fold of sites."""
    inside, outside = folds(table, Folding.BY_SITE)[0]
    measured = table.some(outside)
    first, second = (learner[name].fit(table.some(inside)).classify(measured.rows) for learner in (ours, theirs))
    right = [float(np.mean(one == measured.labels)) for one in (first, second)]
    return Beside(name, float(np.mean(first == second)), *right)


def _of(trial: Trial, measure: str) -> float:
    return trial.confusion.accuracy if measure == "accuracy" else trial.kappa


STUDY: Final = Study(
    "hybrid-learners",
    "Learners of the four classes of blocks, and Weka's beside them",
    "hybrid rules 4.4–4.6, tables 7, 8",
    run,
)
