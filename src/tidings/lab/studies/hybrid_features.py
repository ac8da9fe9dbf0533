"""What each feature of a block tells, and what the after-extraction features add: figure 6 and section 4.3.

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

from tidings.charts import Chart, ChartKind, Series
from tidings.extractors.published.block_tree.classes import BlockClass
from tidings.extractors.published.block_tree.features import AFTER, COUNTED, FEATURES, LAYOUT, TAGS
from tidings.lab.corpora import Sample
from tidings.lab.learners.blocks.instances import Instances, Learner, TaughtPage, draw
from tidings.lab.learners.blocks.labels import FIELDS
from tidings.lab.learners.information import gains
from tidings.lab.studies.hybrid_pages import LEARNERS, TREE, Folding, Trial, taught_pages, validate
from tidings.lab.studies.study import Each, Study, in_turn
from tidings.lab.studies.tables import Cell, Table

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
    trials: Mapping[tuple[str, str], Trial]  # by learner and set of features
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


def run(samples: Sequence[Sample], each: Each = in_turn, learners: Mapping[str, Learner] = LEARNERS) -> HybridFeatures:
    """Gains of features, and learners with fewer of them.

    Raises:
        InputError: the pages are of fewer than two sites.
        MissingExtra: a library to learn with is not installed.
    """
    pages = taught_pages(samples, each)
    table = draw(pages)
    tasks = [(learner, name) for learner in learners for name in (SETS if learner == TREE else _TRIED)]
    trials = each(partial(_validate, table, learners), tasks, "cross-validation")
    layout = table.some(table.rows[:, FEATURES.index("tn")] < len(LAYOUT))
    return HybridFeatures(gains(table), gains(layout), dict(zip(tasks, trials, strict=True)), _tags_of(pages))


def _validate(table: Instances, learners: Mapping[str, Learner], task: tuple[str, str]) -> Trial:
    learner, name = task
    return validate(table.only(SETS[name]), learners[learner], Folding.BY_SITE)


def _tags_of(pages: Sequence[TaughtPage]) -> dict[tuple[str, str], int]:
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


STUDY: Final = Study(
    "hybrid-features",
    "What features of blocks tell; the gain of features after extraction",
    "hybrid rules 4.3, 4.6, figure 6",
    run,
)
