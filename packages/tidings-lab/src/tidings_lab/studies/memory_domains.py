"""The memory-based learner on pages of the same site, of all sites, of other sites (memory-based thesis 6.2–6.6, 6.8).

The thesis, 222 pages of 16 English newspapers annotated by hand: with TiMBL's defaults F of title, heading and body is
0.930, 0.905, 0.975 within a site, 0.977, 0.915, 0.981 with all sites, 0.390, 0.444, 0.863 across sites; with the
best settings 0.975, 0.944, 0.981 and 0.610, 0.514, 0.892. Here gold is aligned with the pages (`learn.memory.labels`).

How the memory-based learner gets better with each page (memory-based thesis 6.7), over random orders (chapter 7).

The thesis adds one page after the other to a pool and cross-validates inside it: merged, F rises from 25 to 150 pages
and then little; across sites, whole sites are added. Its curves depend on the order, and it proposes to average.
Here pages, or whole sites, are set apart first, and every point of a curve is measured on them: IGTREE and IB1, both
with χ². IGTREE is quick enough to go on to every site of the corpora, which shows where more sites stop helping.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from tidings.charts import Chart, ChartKind, Series
from tidings.extractors.published.memory_based.extractor import CombinedModel, MemoryModel, encode
from tidings.extractors.published.memory_based.features import NAMES
from tidings.page.columns import Ints
from tidings_lab.corpora import Sample
from tidings_lab.learners.memory import Algorithm, ElementExample, ElementInstances, FeatureWeighting, MemoryLearner
from tidings_lab.learners.structure import ElementClass
from tidings_lab.learning_curves import CurvePoint, HeldOut, random_order
from tidings_lab.memory_pages import (
    ARTICLE,
    Tally,
    by_characters,
    example,
    macro_f1,
    of_known_sites,
    pair_numbers,
    summed,
    tally,
)
from tidings_lab.metrics.classification import macro, micro
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.tables import Cell, Table
from tidings_lab.validation import Mode, by_site, cross_validate, mode_splits

FOLDS: Final = 10
FEWEST, MOST, ELEMENTS = 2, 12, 2000  # pages of a site, and elements of a page, that take part
#: TiMBL's defaults, the settings the thesis found best for all sites and for other sites, IGTREE; then our own.
LEARNERS: Final[Mapping[str, MemoryLearner]] = {
    "IB1, gain ratio, k 1": MemoryLearner(),
    "IB1, shared variance, k 1": MemoryLearner(weights=FeatureWeighting.SHARED_VARIANCE),
    "IB1, χ², k 7": MemoryLearner(weights=FeatureWeighting.CHI_SQUARE, k=7),
    "IGTREE, no weights": MemoryLearner(Algorithm.IGTREE, FeatureWeighting.NONE),
    "IB1, χ², k 7, log lengths": MemoryLearner(weights=FeatureWeighting.CHI_SQUARE, k=7, logarithmic=True),
    "IGTREE, χ², log lengths": MemoryLearner(Algorithm.IGTREE, FeatureWeighting.CHI_SQUARE, logarithmic=True),
}
#: The thesis's own F of title, heading and body (tables 6.1–6.9, 6.13, 6.14), where it has them.
_THESIS: Final[Mapping[tuple[Mode, str], tuple[float, float, float]]] = {
    (Mode.SINGLE, "IB1, gain ratio, k 1"): (0.930, 0.905, 0.975),
    (Mode.MERGED, "IB1, gain ratio, k 1"): (0.977, 0.915, 0.981),
    (Mode.ACROSS, "IB1, gain ratio, k 1"): (0.390, 0.444, 0.863),
    (Mode.MERGED, "IB1, shared variance, k 1"): (0.975, 0.944, 0.981),
    (Mode.ACROSS, "IB1, χ², k 7"): (0.610, 0.514, 0.892),
    (Mode.MERGED, "IGTREE, no weights"): (0.965, 0.792, 0.856),
    (Mode.ACROSS, "IGTREE, no weights"): (0.534, 0.427, 0.816),
}


@dataclass(frozen=True, slots=True)
class DomainTrial:
    """One learner in one mode: the site and the counts of each page."""

    mode: Mode
    learner: str
    sites: tuple[str, ...]
    tallies: tuple[Tally, ...]
    characters: tuple[Tally, ...]

    def of_sites(self) -> dict[str, Tally]:
        """Counts of each site."""
        return {
            site: summed(one for one, of in zip(self.tallies, self.sites, strict=True) if of == site)
            for site in dict.fromkeys(self.sites)
        }


@dataclass(frozen=True, slots=True)
class MemoryDomains:
    """What was measured, and how much each feature weighs."""

    measured: tuple[DomainTrial, ...]
    gain: tuple[float, ...]  # information gain of each feature, over all pages
    elements: int

    def tables(self) -> tuple[Table, ...]:
        """Every learner in every mode beside the thesis's, then the weights of the features."""
        pages = self.measured[0]
        title = f"{len(pages.tallies)} pages of {len(set(pages.sites))} sites, {self.elements} elements, {FOLDS} folds"
        rows: list[tuple[Cell, ...]] = []
        for one in self.measured:
            total, characters = summed(one.tallies), summed(one.characters)
            thesis = _THESIS.get((one.mode, one.learner))
            for number, kind in enumerate(ARTICLE):
                by_site = [of[kind] for of in one.of_sites().values() if of[kind].tp + of[kind].fn]
                counts, over = micro([total[kind]]), macro(by_site)
                named = (one.mode.value, one.learner, kind.name.lower())
                printed = f"{thesis[number]:.3f}" if thesis else "–"
                figures = (counts.precision, counts.recall, counts.f1, over.f1, characters[kind].f1)
                rows.append((*named, *figures, printed))
        measures = ("precision", "recall", "micro F", "macro F", "F by characters", "thesis: micro F")
        columns = ("training pages", "learner", "class", *measures)
        weights = tuple(zip(range(1, len(NAMES) + 1), NAMES, self.gain, strict=True))
        return (
            Table(title, columns, tuple(rows)),
            Table("Information gain of each feature (thesis, table 6.10)", ("number", "feature", "bits"), weights),
            *self._by_source(),
        )

    def _by_source(self) -> list[Table]:
        """For each mode and class the counts of every source, with the first learner (thesis, tables 6.1 to 6.9)."""
        found: list[Table] = []
        for mode in Mode:
            one = next((trial for trial in self.measured if trial.mode is mode), None)
            for kind in ARTICLE if one is not None else ():
                assert one is not None  # noqa: S101  # as the line above says
                told = {site: of[kind] for site, of in one.of_sites().items()}
                rows = [
                    (site, of.tp, of.fp, of.tn, of.fn, of.precision, of.recall, of.f1)
                    for site, of in sorted(told.items())
                ]
                title = f"{kind.name.capitalize()} by source, {mode.value}, {one.learner}"
                columns = ("source", "TP", "FP", "TN", "FN", "precision", "recall", "F")
                found.append(Table(title, columns, tuple(rows)))
        return found

    def charts(self) -> tuple[Chart, ...]:
        """Micro F by mode, for each class with the defaults and with the thesis's best; weights of features."""
        shown = [name for name in LEARNERS if any(one.learner == name for one in self.measured)]
        charts = []
        for kind in ARTICLE:
            series = tuple(Series(name, tuple(self._f1(mode, name, kind) for mode in Mode)) for name in shown)
            places = tuple(mode.value for mode in Mode)
            name = kind.name.lower()
            charts.append(
                Chart(f"memory-domains-{name}", f"{name.capitalize()}: F by where the training pages come from",
                      "training pages", "micro F", places, series, ChartKind.BARS)
            )  # fmt: skip
        numbers = tuple(float(number) for number in range(1, len(NAMES) + 1))
        gain = Chart("memory-weights", "Information gain of the 41 features", "feature, in the order of table 6.10",
                     "bits", numbers, (Series("information gain", self.gain),))  # fmt: skip
        return (*charts, gain)

    def _f1(self, mode: Mode, learner: str, kind: ElementClass) -> float:
        one = next(one for one in self.measured if one.mode is mode and one.learner == learner)
        return summed(one.tallies)[kind].f1


def run_domains(
    samples: Sequence[Sample], each: Each = in_turn, learners: Mapping[str, MemoryLearner] = LEARNERS
) -> MemoryDomains:
    """Train and measure every learner in every mode, on the same pages.

    Raises:
        InputError: too few sites have several pages.
    """
    allowed = [sample for sample in samples if sample.may_teach]
    examples = of_known_sites(each(example, allowed, "labelling"), FEWEST, MOST, ELEMENTS)
    tasks = [(mode, name, learner) for mode in Mode for name, learner in learners.items()]
    measured = tuple(each(partial(_measure, examples), tasks, "learning"))
    instances = ElementInstances.of(examples)
    return MemoryDomains(measured, tuple(instances.statistics().information_gain.tolist()), len(instances))


def _measure(examples: Sequence[ElementExample], task: tuple[Mode, str, MemoryLearner]) -> DomainTrial:
    mode, name, learner = task
    outcomes = cross_validate(learner, mode_splits(examples, mode, FOLDS), predicted)
    found = {outcome.item.id: outcome.result for outcome in outcomes}
    return DomainTrial(
        mode,
        name,
        tuple(one.site for one in examples),
        tuple(tally(one.classes.pairs, found[one.id]) for one in examples),
        tuple(by_characters(one, found[one.id]) for one in examples),
    )


def count(model: MemoryModel, page: ElementExample) -> Tally:
    """What a model gets right and wrong on a page."""
    return tally(page.classes.pairs, predicted(model, page))


def predicted(model: MemoryModel | CombinedModel, page: ElementExample) -> Ints:
    """The pairs, as numbers of `PAIRS`, that a model gives the elements of a page."""
    if isinstance(model, CombinedModel):
        return pair_numbers(model.classes, model.answer(page.rows).classes)
    return pair_numbers(model.classes, model.answer(encode(page.rows, model.tags)).classes)


DOMAINS: Final = Study(
    "memory-domains",
    "The memory-based learner on the same site, on all, on others",
    "memory-based thesis 6.2–6.6",
    run_domains,
)


ORDERS: Final = 5
POINTS: Final = 6
SHARE: Final = 0.2
CURVES_FEWEST, CURVES_MOST, CURVES_ELEMENTS = 2, 12, 1200
CURVES_LEARNERS: Final[Mapping[str, MemoryLearner]] = {
    "IB1": MemoryLearner(weights=FeatureWeighting.CHI_SQUARE, k=7),
    "IGTREE": MemoryLearner(Algorithm.IGTREE, FeatureWeighting.CHI_SQUARE),
}
#: What learns from every site there is.
WIDE: Final = MemoryLearner(Algorithm.IGTREE, FeatureWeighting.INFORMATION_GAIN, logarithmic=True)
_Y: Final = "mean F of title, heading, body"
WIDE_NAME: Final = "IGTREE, information gain, log lengths"


@dataclass(frozen=True, slots=True)
class MemoryCurves:
    """A curve for each mode and learner, and the one over all sites."""

    curves: Mapping[tuple[Mode, str], tuple[CurvePoint, ...]]
    wide: tuple[CurvePoint, ...]

    def tables(self) -> tuple[Table, ...]:
        """Every point with its interval."""
        rows = [
            (mode.value, learner, point.size, *point.banded)
            for (mode, learner), points in self.curves.items()
            for point in points
        ]
        rows += [(Mode.ACROSS.value, WIDE_NAME, point.size, *point.banded) for point in self.wide]
        title = f"Mean F of title, heading and body, {ORDERS} random orders, {SHARE:.0%} held out"
        columns = ("training pages", "learner", "pages or sites", "mean F", "low", "high")
        return (Table(title, columns, tuple(rows)),)

    def charts(self) -> tuple[Chart, ...]:
        """A chart for each mode."""
        charts = []
        for mode in dict.fromkeys(mode for mode, _ in self.curves):
            what = "sites" if mode is Mode.ACROSS else "pages"
            series: list[Series] = []
            sizes: tuple[float, ...] = ()
            for (of, learner), points in self.curves.items():
                if of is mode:
                    series.append(Series.banded(learner, (point.banded for point in points)))
                    sizes = tuple(float(point.size) for point in points)
            title = f"Learning curve, other {what} held out ({ORDERS} random orders, 95 % interval)"
            charts.append(Chart(f"memory-curve-{what}", title, f"{what} learned from", _Y, sizes, tuple(series)))
        series = [Series.banded(WIDE_NAME, (point.banded for point in self.wide))]
        sizes = tuple(float(point.size) for point in self.wide)
        title = f"Learning curve over every site ({ORDERS} random orders, 95 % interval)"
        wide = Chart("memory-curve-every-site", title, "sites learned from", _Y, sizes, tuple(series), logarithmic=True)
        return (*charts, wide)


def run_curves(
    samples: Sequence[Sample], each: Each = in_turn, learners: Mapping[str, MemoryLearner] = CURVES_LEARNERS
) -> MemoryCurves:
    """Learn from more and more pages, and from more and more sites.

    Raises:
        InputError: too few sites have several pages.
    """
    everything = list(each(example, [sample for sample in samples if sample.may_teach], "labelling"))
    examples = of_known_sites(everything, CURVES_FEWEST, CURVES_MOST, CURVES_ELEMENTS)
    tasks = [(mode, name, learner) for mode in (Mode.MERGED, Mode.ACROSS) for name, learner in learners.items()]
    found = each(partial(_curve, examples), tasks, "learning")
    curves = {(mode, name): points for (mode, name, _), points in zip(tasks, found, strict=True)}
    return MemoryCurves(curves, _curve(everything, (Mode.ACROSS, WIDE_NAME, WIDE)))


def _curve(examples: Sequence[ElementExample], task: tuple[Mode, str, MemoryLearner]) -> tuple[CurvePoint, ...]:
    mode, _, learner = task
    pool = HeldOut(mode, SHARE)
    whole = len(by_site(examples)) if mode is Mode.ACROSS else len(examples)
    sizes = np.unique(np.geomspace(2, (1 - SHARE) * whole, POINTS).astype(np.int64)).tolist()
    scores: list[list[float]] = [[] for _ in sizes]
    for seed in range(ORDERS):
        order = random_order(examples, mode, seed)
        for place, size in enumerate(sizes):
            (split,) = pool(order, size)
            model = learner.fit(split.train)
            # Not the mean of pages, as in `learning_curve`: many pages have no heading, and F counts over all of them.
            scores[place].append(macro_f1([count(model, page) for page in split.test]))
    return tuple(CurvePoint(size, tuple(several)) for size, several in zip(sizes, scores, strict=True))


CURVES: Final = Study(
    "memory-curves", "Learning curves of the memory-based learner", "memory-based thesis 6.7", run_curves
)
