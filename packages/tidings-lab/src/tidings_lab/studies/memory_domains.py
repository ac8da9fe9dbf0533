"""The memory-based learner on pages of the same site, of all sites, and of other sites (memory-based thesis 6.2–6.6,
6.8).

The thesis has 222 pages of 16 English newspapers annotated by hand: with TiMBL's defaults F of title, heading and body
is 0.930, 0.905, 0.975 within a site, 0.977, 0.915, 0.981 with all sites, and 0.390, 0.444, 0.863 across sites; with the
best settings 0.975, 0.944, 0.981 and 0.610, 0.514, 0.892. Here the ground truth is aligned with the pages
(`learners.element_labels`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from tidings.charts import Chart, ChartKind, Series
from tidings.extractors.published.memory_based.extractor import MemoryModel
from tidings.extractors.published.memory_based.features import NAMES
from tidings_lab.corpora import Sample
from tidings_lab.learners.element_classes import ElementClass
from tidings_lab.learners.feature_weights import FeatureWeighting
from tidings_lab.learners.memory import Algorithm, ElementExample, ElementInstances, MemoryLearner
from tidings_lab.memory_pages import (
    ARTICLE,
    Tally,
    by_characters,
    example,
    of_known_sites,
    predicted,
    summed,
    tally,
)
from tidings_lab.metrics.classification import macro, micro
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.tables import Cell, Table
from tidings_lab.validation import Mode, cross_validate, mode_splits

FOLDS: Final = 10
FEWEST, MOST, ELEMENTS = 2, 12, 2000  # limits: pages of a site, and elements of a page
#: TiMBL's defaults, the thesis's best settings for all sites and for other sites, IGTREE; then our own.
LEARNERS: Final[Mapping[str, MemoryLearner]] = {
    "IB1, gain ratio, k 1": MemoryLearner(),
    "IB1, shared variance, k 1": MemoryLearner(weights=FeatureWeighting.SHARED_VARIANCE),
    "IB1, χ², k 7": MemoryLearner(weights=FeatureWeighting.CHI_SQUARE, k=7),
    "IGTREE, no weights": MemoryLearner(Algorithm.IGTREE, FeatureWeighting.NONE),
    "IB1, χ², k 7, log lengths": MemoryLearner(weights=FeatureWeighting.CHI_SQUARE, k=7, logarithmic=True),
    "IGTREE, χ², log lengths": MemoryLearner(Algorithm.IGTREE, FeatureWeighting.CHI_SQUARE, logarithmic=True),
}
#: The thesis's F of title, heading and body (tables 6.1–6.9, 6.13, 6.14), as far as it has them.
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
    """The results of a learner with one origin of training pages: the class counts of each page, with its site."""

    mode: Mode
    learner: str
    sites: tuple[str, ...]
    tallies: tuple[Tally, ...]
    characters: tuple[Tally, ...]

    def of_sites(self) -> dict[str, Tally]:
        """Return the counts of each site."""
        return {
            site: summed(
                page_counts
                for page_counts, page_site in zip(self.tallies, self.sites, strict=True)
                if page_site == site
            )
            for site in dict.fromkeys(self.sites)
        }


@dataclass(frozen=True, slots=True)
class MemoryDomains:
    """The results of all learners and origins of training pages, and the information gain of each feature."""

    measured: tuple[DomainTrial, ...]
    gain: tuple[float, ...]  # information gain of each feature, over all pages
    elements: int

    def tables(self) -> tuple[Table, ...]:
        """Return tables of every learner and origin of training pages, with the thesis's figures, and of feature
        weights.
        """
        pages = self.measured[0]
        title = f"{len(pages.tallies)} pages of {len(set(pages.sites))} sites, {self.elements} elements, {FOLDS} folds"
        rows: list[tuple[Cell, ...]] = []
        for trial in self.measured:
            total, characters = summed(trial.tallies), summed(trial.characters)
            thesis = _THESIS.get((trial.mode, trial.learner))
            for number, kind in enumerate(ARTICLE):
                by_site = [
                    site_counts[kind]
                    for site_counts in trial.of_sites().values()
                    if site_counts[kind].tp + site_counts[kind].fn
                ]
                counts, macro_mean = micro([total[kind]]), macro(by_site)
                named = (trial.mode.value, trial.learner, kind.name.lower())
                printed = f"{thesis[number]:.3f}" if thesis else "–"
                figures = (counts.precision, counts.recall, counts.f1, macro_mean.f1, characters[kind].f1)
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
        """Return for each origin of training pages and each class the counts of every site, with the first learner
        (thesis, tables 6.1 to 6.9).
        """
        tables: list[Table] = []
        for mode in Mode:
            first = next((trial for trial in self.measured if trial.mode is mode), None)
            for kind in ARTICLE if first is not None else ():
                assert first is not None  # noqa: S101  # the loop is empty otherwise
                counts_by_site = {site: counts[kind] for site, counts in first.of_sites().items()}
                rows = [
                    (site, counts.tp, counts.fp, counts.tn, counts.fn, counts.precision, counts.recall, counts.f1)
                    for site, counts in sorted(counts_by_site.items())
                ]
                title = f"{kind.name.capitalize()} by source, {mode.value}, {first.learner}"
                columns = ("source", "TP", "FP", "TN", "FN", "precision", "recall", "F")
                tables.append(Table(title, columns, tuple(rows)))
        return tables

    def charts(self) -> tuple[Chart, ...]:
        """Return charts of micro F by origin of training pages for each class, and of feature weights."""
        learner_names = [name for name in LEARNERS if any(trial.learner == name for trial in self.measured)]
        charts = []
        for kind in ARTICLE:
            series = tuple(Series(name, tuple(self._f1(mode, name, kind) for mode in Mode)) for name in learner_names)
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
        trial = next(trial for trial in self.measured if trial.mode is mode and trial.learner == learner)
        return summed(trial.tallies)[kind].f1


def run_domains(
    samples: Sequence[Sample], each: Each = in_turn, learners: Mapping[str, MemoryLearner] = LEARNERS
) -> MemoryDomains:
    """Train and measure every learner with every origin of training pages, on the same pages.

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
    predictions = {outcome.item.id: outcome.result for outcome in outcomes}
    return DomainTrial(
        mode,
        name,
        tuple(page.site for page in examples),
        tuple(tally(page.classes.pairs, predictions[page.id]) for page in examples),
        tuple(by_characters(page, predictions[page.id]) for page in examples),
    )


def count(model: MemoryModel, page: ElementExample) -> Tally:
    """Return the class counts of a model's predictions on a page."""
    return tally(page.classes.pairs, predicted(model, page))


DOMAINS: Final = Study(
    "memory-domains",
    "The memory-based learner on the same site, on all, on others",
    "memory-based thesis 6.2–6.6",
    run_domains,
)
