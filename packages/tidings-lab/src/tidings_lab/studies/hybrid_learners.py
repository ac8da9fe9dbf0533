"""Which learner tells main, headline, article information and the rest best: tables 7 and 8 of the hybrid paper.

Naive Bayes, Bayesian networks, nearest neighbours and decision trees on the same blocks, by ten folds. The paper draws
its folds from blocks and finds the tree best, with an accuracy of 0.958 in cross-validation and 0.949 on its second
set. Beside that: folds by site; all blocks of the pages instead of a drawn set; and Weka's own learners on the same
rows, to see that ours are the same.

What each feature of a block tells, and what the after-extraction features add: figure 6 and section 4.3.

The information gain of each feature, alone; the accuracy of every learner with all features and without those after
extraction; and the tree without other groups of features. Folds are by site. The paper finds the share of words in
links to tell most, and the after-extraction features to matter for main blocks and little for the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from tidings.charts import Chart, ChartKind, Series
from tidings.extractors.published.block_tree.features import AFTER, COUNTED, FEATURES, LAYOUT, TAGS, BlockClass
from tidings_lab.corpora import Sample
from tidings_lab.learners import weka
from tidings_lab.learners.blocks.discretisation import gains
from tidings_lab.learners.blocks.instances import BlockInstances, BlockLearner
from tidings_lab.learners.blocks.labelled_tables import DRAWN, BlockPage, draw
from tidings_lab.learners.blocks.labels import FIELDS
from tidings_lab.studies.hybrid_pages import (
    FOLDS,
    IN_WEKA,
    LEARNERS,
    TREE,
    Folding,
    HybridTrial,
    folds,
    taught_pages,
    validate,
)
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.tables import Cell, Table

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
class WekaComparison:
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
    trials: Mapping[tuple[str, Folding], HybridTrial]
    readings: Mapping[tuple[str, str], HybridTrial]  # of the tree, folds by site
    beside: tuple[WekaComparison, ...]

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


def run_learners(
    samples: Sequence[Sample],
    each: Each = in_turn,
    learners: Mapping[str, BlockLearner] = LEARNERS,
    compare: Mapping[str, BlockLearner] | None = None,
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


def _validate(table: BlockInstances, learners: Mapping[str, BlockLearner], task: tuple[str, Folding]) -> HybridTrial:
    name, folding = task
    return validate(table, learners[name], folding)


def _read(pages: Sequence[BlockPage], reading: tuple[str, str]) -> HybridTrial:
    learned, with_parts, measured, measured_parts = _READINGS[reading]
    table = draw(pages, learned, parts=with_parts)
    return validate(table, LEARNERS[TREE], Folding.BY_SITE, draw(pages, measured, parts=measured_parts))


def _beside(
    table: BlockInstances, ours: Mapping[str, BlockLearner], theirs: Mapping[str, BlockLearner], name: str
) -> WekaComparison:
    """Both on the first fold of sites."""
    inside, outside = folds(table, Folding.BY_SITE)[0]
    measured = table.select_rows(outside)
    first, second = (learner[name].fit(table.select_rows(inside)).classify(measured.rows) for learner in (ours, theirs))
    right = [float(np.mean(one == measured.labels)) for one in (first, second)]
    return WekaComparison(name, float(np.mean(first == second)), *right)


def _of(trial: HybridTrial, measure: str) -> float:
    return trial.confusion.accuracy if measure == "accuracy" else trial.kappa


LEARNER_STUDY: Final = Study(
    "hybrid-learners",
    "Learners of the four classes of blocks, and Weka's beside them",
    "hybrid rules 4.4–4.6, tables 7, 8",
    run_learners,
)


ALL: Final = "all features"
WITHOUT_AE: Final = "without AE"
#: Groups of features, by what is left of them.
SETS: Final[Mapping[str, tuple[str, ...]]] = {
    ALL: FEATURES,
    WITHOUT_AE: tuple(name for name in FEATURES if name not in AFTER),
    "AE instead of the whole": tuple(name for name in FEATURES if name not in COUNTED),
    "without links": tuple(name for name in FEATURES if "_l" not in name and not name.startswith("lf")),
    "without density": tuple(name for name in FEATURES if not name.startswith("d_html")),
    "without the tag's name": tuple(name for name in FEATURES if name != "tn"),
    "without id and class": tuple(name for name in FEATURES if name not in ("id", "class")),
}
#: Of these the learners are all tried.
_TRIED: Final = (ALL, WITHOUT_AE)


@dataclass(frozen=True, slots=True)
class HybridFeatures:
    """What was measured."""

    gains: Mapping[str, float]
    gains_of_layout: Mapping[str, float]  # among DIV and TD only, where main blocks are
    trials: Mapping[tuple[str, str], HybridTrial]  # by learner and set of features
    tags: Mapping[tuple[str, str], int]  # how many blocks of a class, or field, have a tag

    def tables(self) -> tuple[Table, ...]:
        """Gains, what AE adds to each learner, the tree without groups of features, and the tags of each class."""
        return self._gains(), self._after(), self._groups(), self._tags()

    def charts(self) -> tuple[Chart, ...]:
        """Figure 6, and F of main blocks with and without AE."""
        ordered = sorted(self.gains, key=lambda name: -self.gains[name])
        among = (("all blocks", self.gains), ("DIV and TD", self.gains_of_layout))
        series = tuple(Series(name, tuple(found[one] for one in ordered)) for name, found in among)
        places = tuple(_written(one) for one in ordered)
        gained = Chart(
            "hybrid-gains", "What each feature tells of the class", "", "bits", places, series, ChartKind.BARS
        )
        learners = self._learners()
        with_and_without = tuple(
            Series(name, tuple(self.trials[one, name].counts[BlockClass.MAIN].f1 for one in learners))
            for name in _TRIED
        )
        title = "Main blocks with and without features after extraction"
        after = Chart("hybrid-after-extraction", title, "", "F of main", learners, with_and_without, ChartKind.POINTS)
        return gained, after

    def _learners(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(learner for learner, name in self.trials if name == WITHOUT_AE))

    def _gains(self) -> Table:
        ordered = sorted(self.gains, key=lambda name: -self.gains[name])
        rows = tuple((_written(one), _meaning(one), self.gains[one], self.gains_of_layout[one]) for one in ordered)
        columns = ("feature", "", "gain, all blocks", "gain, DIV and TD")
        return Table("Information gain of each feature, in bits", columns, rows)

    def _after(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for one in self._learners():
            whole, without = (self.trials[one, name] for name in _TRIED)
            classes = [pair[0].f1 - pair[1].f1 for pair in zip(whole.counts, without.counts, strict=True)]
            accuracy = whole.confusion.accuracy - without.confusion.accuracy
            figures = (without.confusion.accuracy, whole.confusion.accuracy, f"{accuracy:+.3f}")
            rows.append((one, *figures, *(f"{gain:+.3f}" for gain in classes)))
        columns = ("learner", "accuracy without AE", "with AE", "gain", *(f"F, {one.label}" for one in BlockClass))
        return Table("What features after extraction add, folds of sites", columns, tuple(rows))

    def _groups(self) -> Table:
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (name, trial.confusion.accuracy, trial.kappa, *(one.f1 for one in trial.counts))
            for (learner, name), trial in self.trials.items()
            if learner == TREE
        )
        columns = ("features", "accuracy", "κ", *(f"F, {one.label}" for one in BlockClass))
        return Table("The tree with fewer features, folds of sites", columns, rows)

    def _tags(self) -> Table:
        kinds = tuple(dict.fromkeys(kind for kind, _ in self.tags))
        totals = Counter({tag: sum(self.tags.get((kind, tag), 0) for kind in kinds[:-1]) for tag in TAGS})
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (tag.upper(), *(self.tags.get((kind, tag), 0) for kind in kinds))
            for tag, count in totals.most_common()
            if count or self.tags.get((kinds[-1], tag), 0)
        )
        return Table("Tags of each class: all blocks of the pages (table 1)", ("tag", *kinds), rows)


def run_features(
    samples: Sequence[Sample], each: Each = in_turn, learners: Mapping[str, BlockLearner] = LEARNERS
) -> HybridFeatures:
    """Gains of features, and learners with fewer of them.

    Raises:
        InputError: the pages are of fewer than two sites.
        MissingExtra: a library to learn with is not installed.
    """
    pages = taught_pages(samples, each)
    table = draw(pages)
    tasks = [(learner, name) for learner in learners for name in (SETS if learner == TREE else _TRIED)]
    trials = each(partial(_validate_features, table, learners), tasks, "cross-validation")
    layout = table.select_rows(table.rows[:, FEATURES.index("tn")] < len(LAYOUT))
    return HybridFeatures(gains(table), gains(layout), dict(zip(tasks, trials, strict=True)), _tags_of(pages))


def _validate_features(
    table: BlockInstances, learners: Mapping[str, BlockLearner], task: tuple[str, str]
) -> HybridTrial:
    learner, name = task
    return validate(table.select_columns(SETS[name]), learners[learner], Folding.BY_SITE)


def _tags_of(pages: Sequence[BlockPage]) -> dict[tuple[str, str], int]:
    """How many blocks there are of each class and tag; article information by field."""
    found: Counter[tuple[str, str]] = Counter()
    for page in pages:
        tags = page.rows[:, FEATURES.index("tn")].astype(int).tolist()
        for kind, field, tag in zip(page.label.tolist(), page.field.tolist(), tags, strict=True):
            if kind >= 0:
                found[FIELDS[field] or BlockClass(kind).label, TAGS[tag]] += 1
    names = ("main", "headline", *FIELDS[1:], "uninformative")
    return {(name, tag): found[name, tag] for name in names for tag in TAGS if found[name, tag]}


def _written(feature: str) -> str:
    """As the paper writes it: R-WF-L-AW-AE."""
    return feature.upper().replace("_", "-")


def _meaning(feature: str) -> str:
    named = {"tn": "tag's name", "id": "has an id", "class": "has a class"}
    if feature in AFTER:
        return COUNTED[feature.removesuffix("_ae")] + ", after extraction"
    return named[feature] if feature in named else COUNTED[feature]


FEATURE_STUDY: Final = Study(
    "hybrid-features",
    "What features of blocks tell; the gain of features after extraction",
    "hybrid rules 4.3, 4.6, figure 6",
    run_features,
)
