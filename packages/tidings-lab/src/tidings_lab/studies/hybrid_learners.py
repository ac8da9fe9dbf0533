"""Learners of the hybrid approach's block classes, and the importance of features: tables 7 and 8, figure 6, section
4.3.

Learners: naive Bayes, Bayesian networks, nearest neighbours and decision trees on the same blocks, in ten folds. The
paper draws its folds from blocks and finds the tree best, with an accuracy of 0.958 in cross-validation and 0.949 on
its second set. Here there are also folds by site, all blocks of the pages instead of a sample, and Weka's own learners
on the same rows, to verify that ours are equivalent.

Features: the information gain of each feature alone; the accuracy of every learner with all features and without those
after extraction; and the tree without other groups of features, in folds by site. The paper finds that the share of
words in links is most informative, and that the after-extraction features matter for main blocks and little for the
rest.
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

#: The accuracy of the paper's tree: in cross-validation, and on its second set (4.6).
PUBLISHED: Final = (0.9576, 0.9488)
#: Blocks for training and for testing: number of uninformative ones, and whether to include parts of the story.
_READINGS: Final[Mapping[tuple[str, str], tuple[int | None, bool, int | None, bool]]] = {
    ("drawn", "drawn"): (DRAWN, False, DRAWN, False),
    ("drawn", "all but parts of the story"): (DRAWN, False, None, False),
    ("drawn", "all"): (DRAWN, False, None, True),
    ("drawn, with parts", "all"): (DRAWN, True, None, True),
}


@dataclass(frozen=True, slots=True)
class WekaComparison:
    """One of our learners compared with Weka's, on the first fold of sites."""

    learner: str
    same: float  # share of the blocks with the same class
    ours: float  # accuracy
    theirs: float


@dataclass(frozen=True, slots=True)
class HybridLearners:
    """Scores of all learners."""

    pages: int
    sites: int
    counts: tuple[int, ...]  # of each class
    trials: Mapping[tuple[str, Folding], HybridTrial]
    readings: Mapping[tuple[str, str], HybridTrial]  # of the tree, folds by site
    weka: tuple[WekaComparison, ...]

    def tables(self) -> tuple[Table, ...]:
        """Return tables of the learners, the classes and confusion matrix of the tree, its other training sets, and
        Weka.
        """
        tables = [self._learners(), self._classes(), self._confusion(), self._readings()]
        if self.weka:
            rows = tuple(
                (comparison.learner, comparison.same, comparison.ours, comparison.theirs) for comparison in self.weka
            )
            columns = ("learner", "same class", "accuracy, ours", "accuracy, Weka's")
            tables.append(Table("Our learners and those of Weka 3.6 on the first fold of sites", columns, rows))
        return tuple(tables)

    def charts(self) -> tuple[Chart, ...]:
        """Return accuracy and κ of each learner, for both kinds of folds."""
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
            figures = (sites.confusion.accuracy, *(sites.weighted(item) for item in ("precision", "recall", "f1")))
            macro = float(np.mean([item.f1 for item in sites.counts]))
            rows.append((name, *figures, macro, sites.kappa, blocks.confusion.accuracy, blocks.kappa, sites.seconds))
        columns = (
            "learner", "accuracy", "P", "R", "F", "mean F of classes", "κ",
            "accuracy, blocks drawn", "κ, blocks drawn", "learning, s",
        )  # fmt: skip
        kinds = ", ".join(f"{count} {item.label}" for count, item in zip(self.counts, BlockClass, strict=True))
        title = f"{FOLDS} folds of sites; {self.pages} pages of {self.sites} sites; blocks: {kinds}"
        return Table(title, columns, tuple(rows))

    def _classes(self) -> Table:
        trial = self.trials[TREE, Folding.BY_SITE]
        rows = tuple(
            (str(label), counts.precision, counts.recall, counts.f1)
            for label, counts in zip(trial.confusion.labels, trial.counts, strict=True)
        )
        return Table("The tree's classes, folds of sites", ("class", "precision", "recall", "F"), rows)

    def _confusion(self) -> Table:
        confusion = self.trials[TREE, Folding.BY_SITE].confusion
        labels = tuple(map(str, confusion.labels))
        rows = tuple((label, *cells) for label, cells in zip(labels, confusion.cells.tolist(), strict=True))
        return Table("The tree's confusion, folds of sites: gold in rows", ("", *labels), rows)

    def _readings(self) -> Table:
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (
                *name,
                int(trial.confusion.cells.sum()),
                trial.confusion.accuracy,
                trial.kappa,
                *(counts.f1 for counts in trial.counts),
            )
            for name, trial in self.readings.items()
        )
        columns = (
            "learned from",
            "measured on",
            "blocks",
            "accuracy",
            "κ",
            *(f"F, {trial.label}" for trial in BlockClass),
        )
        return Table("The tree, by which blocks are learned and measured; folds of sites", columns, rows)


def run_learners(
    samples: Sequence[Sample],
    each: Each = in_turn,
    learners: Mapping[str, BlockLearner] = LEARNERS,
    compare: Mapping[str, BlockLearner] | None = None,
) -> HybridLearners:
    """Cross-validate every learner with both kinds of folds; `compare` them with Weka's if it is installed.

    Raises:
        InputError: the pages are of fewer than two sites.
        MissingExtra: a required library is not installed.
    """
    pages = taught_pages(samples, each)
    table = draw(pages)
    tasks = [(name, folding) for name in learners for folding in Folding]
    trials = each(partial(_validate, table, learners), tasks, "cross-validation")
    readings = each.alone()(partial(_read, pages), list(_READINGS), "the tree's other readings")
    weka_learners = compare if compare is not None else IN_WEKA if weka.is_there() else {}
    compared = [name for name in learners if name in weka_learners]
    weka_comparisons = each(partial(_compare_with_weka, table, learners, weka_learners), compared, "Weka")
    return HybridLearners(
        len(set(table.page.tolist())),
        len(set(table.site.tolist())),
        tuple(int(count) for count in table.counts),
        dict(zip(tasks, trials, strict=True)),
        dict(zip(_READINGS, readings, strict=True)),
        tuple(weka_comparisons),
    )


def _validate(table: BlockInstances, learners: Mapping[str, BlockLearner], task: tuple[str, Folding]) -> HybridTrial:
    name, folding = task
    return validate(table, learners[name], folding)


def _read(pages: Sequence[BlockPage], reading: tuple[str, str]) -> HybridTrial:
    learned, with_parts, measured, measured_parts = _READINGS[reading]
    table = draw(pages, learned, parts=with_parts)
    return validate(table, LEARNERS[TREE], Folding.BY_SITE, draw(pages, measured, parts=measured_parts))


def _compare_with_weka(
    table: BlockInstances, ours: Mapping[str, BlockLearner], theirs: Mapping[str, BlockLearner], name: str
) -> WekaComparison:
    """Train our learner and Weka's on the first fold of sites, and compare them."""
    inside, outside = folds(table, Folding.BY_SITE)[0]
    measured = table.select_rows(outside)
    first, second = (learner[name].fit(table.select_rows(inside)).classify(measured.rows) for learner in (ours, theirs))
    accuracies = [float(np.mean(predicted == measured.labels)) for predicted in (first, second)]
    return WekaComparison(name, float(np.mean(first == second)), *accuracies)


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
#: Sets of features.
SETS: Final[Mapping[str, tuple[str, ...]]] = {
    ALL: FEATURES,
    WITHOUT_AE: tuple(name for name in FEATURES if name not in AFTER),
    "AE instead of the whole": tuple(name for name in FEATURES if name not in COUNTED),
    "without links": tuple(name for name in FEATURES if "_l" not in name and not name.startswith("lf")),
    "without density": tuple(name for name in FEATURES if not name.startswith("d_html")),
    "without the tag's name": tuple(name for name in FEATURES if name != "tn"),
    "without id and class": tuple(name for name in FEATURES if name not in ("id", "class")),
}
#: The sets for all learners.
_TRIED: Final = (ALL, WITHOUT_AE)


@dataclass(frozen=True, slots=True)
class HybridFeatures:
    """Information gains, and scores by set of features."""

    gains: Mapping[str, float]
    gains_of_layout: Mapping[str, float]  # among DIV and TD only, which can be main blocks
    trials: Mapping[tuple[str, str], HybridTrial]  # by learner and set of features
    tags: Mapping[tuple[str, str], int]  # number of blocks of a class, or field, by tag

    def tables(self) -> tuple[Table, ...]:
        """Return tables of information gains, the effect of AE (a group of features) on each learner, the tree without
        groups of features, and the tags of each class.
        """
        return self._gains(), self._after(), self._groups(), self._tags()

    def charts(self) -> tuple[Chart, ...]:
        """Return figure 6, and a chart of F for main blocks with and without AE."""
        ordered = sorted(self.gains, key=lambda name: -self.gains[name])
        among = (("all blocks", self.gains), ("DIV and TD", self.gains_of_layout))
        series = tuple(Series(name, tuple(values[feature] for feature in ordered)) for name, values in among)
        places = tuple(_written(feature) for feature in ordered)
        gained = Chart(
            "hybrid-gains", "What each feature tells of the class", "", "bits", places, series, ChartKind.BARS
        )
        learners = self._learners()
        with_and_without = tuple(
            Series(name, tuple(self.trials[feature, name].counts[BlockClass.MAIN].f1 for feature in learners))
            for name in _TRIED
        )
        title = "Main blocks with and without features after extraction"
        after = Chart("hybrid-after-extraction", title, "", "F of main", learners, with_and_without, ChartKind.POINTS)
        return gained, after

    def _learners(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(learner for learner, name in self.trials if name == WITHOUT_AE))

    def _gains(self) -> Table:
        ordered = sorted(self.gains, key=lambda name: -self.gains[name])
        rows = tuple(
            (_written(feature), _meaning(feature), self.gains[feature], self.gains_of_layout[feature])
            for feature in ordered
        )
        columns = ("feature", "", "gain, all blocks", "gain, DIV and TD")
        return Table("Information gain of each feature, in bits", columns, rows)

    def _after(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for learner in self._learners():
            whole, without = (self.trials[learner, name] for name in _TRIED)
            classes = [pair[0].f1 - pair[1].f1 for pair in zip(whole.counts, without.counts, strict=True)]
            accuracy = whole.confusion.accuracy - without.confusion.accuracy
            figures = (without.confusion.accuracy, whole.confusion.accuracy, f"{accuracy:+.3f}")
            rows.append((learner, *figures, *(f"{gain:+.3f}" for gain in classes)))
        columns = (
            "learner",
            "accuracy without AE",
            "with AE",
            "gain",
            *(f"F, {learner.label}" for learner in BlockClass),
        )
        return Table("What features after extraction add, folds of sites", columns, tuple(rows))

    def _groups(self) -> Table:
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (name, trial.confusion.accuracy, trial.kappa, *(counts.f1 for counts in trial.counts))
            for (learner, name), trial in self.trials.items()
            if learner == TREE
        )
        columns = ("features", "accuracy", "κ", *(f"F, {counts.label}" for counts in BlockClass))
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
    """Measure the information gain of features, and learners with fewer features.

    Raises:
        InputError: the pages are of fewer than two sites.
        MissingExtra: a required library is not installed.
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
    """Return the number of blocks by class and tag; article information by field."""
    counts: Counter[tuple[str, str]] = Counter()
    for page in pages:
        tags = page.rows[:, FEATURES.index("tn")].astype(int).tolist()
        for kind, field, tag in zip(page.label.tolist(), page.field.tolist(), tags, strict=True):
            if kind >= 0:
                counts[FIELDS[field] or BlockClass(kind).label, TAGS[tag]] += 1
    names = ("main", "headline", *FIELDS[1:], "uninformative")
    return {(name, tag): counts[name, tag] for name in names for tag in TAGS if counts[name, tag]}


def _written(feature: str) -> str:
    """Return a feature's name as in the paper: R-WF-L-AW-AE."""
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
