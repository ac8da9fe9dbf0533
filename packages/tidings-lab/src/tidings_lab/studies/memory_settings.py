"""Settings of the memory-based learner (memory-based thesis 6.6), and its second level (7.1, 6.8).

Settings: in the thesis, with all sites merged more neighbours do harm and shared variance with k = 1 is best (mean F
0.956); across sites F is best near k = 7, with χ² (0.664). Here every weighting is tried with k from 1 to 10 in both
modes. One search for nearest neighbours serves all k. The setting for a site is chosen on the sites of the other half.

Second level: the thesis proposes a classifier for each class with a second one above them, without figures. Of the
structure check it says that 10 of its 222 pages were malformed, 9 of them without a title, with all sites merged. Both
are measured across sites here. If the check is to select pages for annotation, malformed pages should have worse scores
than others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from tidings.charts import Chart, Series
from tidings.extractors.published.memory_based.extractor import encode
from tidings.extractors.published.memory_based.ib1 import Nearest
from tidings.page import Page
from tidings.page.columns import Ints
from tidings_lab.corpora import Sample
from tidings_lab.learners.element_classes import ElementClass, ElementClasses
from tidings_lab.learners.feature_weights import FeatureWeighting
from tidings_lab.learners.memory import ElementExample, ElementInstances, MemoryLearner
from tidings_lab.learners.second_level import BEST, SecondLevel
from tidings_lab.learners.structure_check import FaultKind, check, in_order
from tidings_lab.memory_pages import (
    ARTICLE,
    Tally,
    example,
    macro_f1,
    of_known_sites,
    pair_numbers,
    predicted,
    summed,
    tally,
)
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.tables import Cell, Table
from tidings_lab.validation import Mode, mode_splits

FOLDS: Final = 10
FEWEST, MOST, ELEMENTS = 2, 12, 1200
KS: Final = tuple(range(1, 11))
MODES: Final = (Mode.MERGED, Mode.ACROSS)
_NAMES: Final = {
    FeatureWeighting.NONE: "no weights",
    FeatureWeighting.GAIN_RATIO: "gain ratio",
    FeatureWeighting.INFORMATION_GAIN: "information gain",
    FeatureWeighting.CHI_SQUARE: "χ²",
    FeatureWeighting.SHARED_VARIANCE: "shared variance",
}
#: The thesis's mean F over k for each weighting: title, heading, body (tables 6.11 and 6.12).
_THESIS: Final = {
    Mode.MERGED: {"nw": (0.958, 0.917, 0.972), "gr": (0.961, 0.902, 0.976), "ig": (0.968, 0.923, 0.972),
                  "x2": (0.964, 0.917, 0.975), "sv": (0.973, 0.917, 0.979)},
    Mode.ACROSS: {"nw": (0.308, 0.543, 0.898), "gr": (0.316, 0.539, 0.874), "ig": (0.306, 0.594, 0.901),
                  "x2": (0.577, 0.523, 0.893), "sv": (0.443, 0.414, 0.744)},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SettingsTrial:
    """One feature weighting with one origin of training pages: for each k the counts of each page."""

    mode: Mode
    weighting: FeatureWeighting
    tallies: tuple[tuple[Tally, ...], ...]

    def f1(self, kind: ElementClass, k: int) -> float:
        """Return the F of a class over all pages, for a k."""
        return summed(self.tallies[KS.index(k)])[kind].f1

    def mean(self, k: int, pages: Sequence[int] | None = None) -> float:
        """Return the mean F of title, heading and body, over all pages or some."""
        found = self.tallies[KS.index(k)]
        return macro_f1(found if pages is None else [found[page] for page in pages])


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """The results of all settings by page, and the half of each page's site."""

    tried: tuple[SettingsTrial, ...]
    halves: tuple[int, ...]
    sites: int

    def tables(self) -> tuple[Table, ...]:
        """Return tables of weightings averaged over k, with the thesis's, and of settings chosen on one half and tested
        on the other.
        """
        rows: list[tuple[Cell, ...]] = []
        for one in self.tried:
            over = [float(np.mean([one.f1(kind, k) for k in KS])) for kind in ARTICLE]
            best = max(KS, key=one.mean)
            printed = " / ".join(f"{figure:.3f}" for figure in _THESIS[one.mode][one.weighting.value])
            rows.append((one.mode.value, _NAMES[one.weighting], *over, best, one.mean(best), printed))
        columns = ("training pages", "weights", "title F", "heading F", "body F", "best k", "mean F with it", "thesis")
        title = f"F averaged over k 1 to {KS[-1]}: {len(self.halves)} pages of {self.sites} sites, {FOLDS} folds"
        return Table(title, columns, tuple(rows)), self._chosen()

    def _chosen(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for mode in MODES:
            tried = [(one, k) for one in self.tried if one.mode is mode for k in KS]
            for half in (0, 1):
                seen = [place for place, of in enumerate(self.halves) if of == half]
                other = [place for place, of in enumerate(self.halves) if of != half]
                if seen and other:
                    one, k = max(tried, key=lambda pair: pair[0].mean(pair[1], seen))
                    default = next(two for two, _ in tried if two.weighting is FeatureWeighting.GAIN_RATIO)
                    figures = (one.mean(k, seen), one.mean(k, other), default.mean(1, other))
                    rows.append((mode.value, half, f"{_NAMES[one.weighting]}, k {k}", *figures))
        columns = ("training pages", "chosen on half", "setting", "mean F there", "on the other half", "defaults there")
        return Table("The best setting of one half of the sites, measured on the other", columns, tuple(rows))

    def charts(self) -> tuple[Chart, ...]:
        """Return charts of F by k: for each class averaged over weightings (figures 6.1, 6.2), and the mean F for each
        weighting.
        """
        charts = []
        for mode in MODES:
            tried = [one for one in self.tried if one.mode is mode]
            kinds = tuple(
                Series(kind.name.lower(), tuple(float(np.mean([one.f1(kind, k) for one in tried])) for k in KS))
                for kind in ARTICLE
            )
            weightings = tuple(Series(_NAMES[one.weighting], tuple(one.mean(k) for k in KS)) for one in tried)
            name, places = mode.value.replace(" ", "-"), tuple(map(float, KS))
            title = f"F by number of nearest distances, {mode.value}"
            charts += [
                Chart(f"memory-k-{name}", title, "k", "F, mean of weightings", places, kinds),
                Chart(f"memory-weightings-{name}", title, "k", "mean F of the three classes", places, weightings),
            ]
        return tuple(charts)


def run_settings(samples: Sequence[Sample], each: Each = in_turn) -> MemorySettings:
    """Try every weighting with every k, with all sites and across sites.

    Raises:
        InputError: too few sites have several pages.
    """
    allowed = {sample.id: sample for sample in samples if sample.may_teach}
    examples = of_known_sites(each(example, list(allowed.values()), "labelling"), FEWEST, MOST, ELEMENTS)
    tasks = [(mode, weighting) for mode in MODES for weighting in FeatureWeighting]
    tried = tuple(each(partial(_try, examples), tasks, "searching"))
    halves = tuple(allowed[example.id].half for example in examples)
    return MemorySettings(tried, halves, len({example.site for example in examples}))


def _try(examples: Sequence[ElementExample], task: tuple[Mode, FeatureWeighting]) -> SettingsTrial:
    mode, weighting = task
    tallies: dict[str, list[Tally]] = {}
    for split in mode_splits(examples, mode, FOLDS):
        instances = ElementInstances.of(split.train)
        nearest = Nearest(instances.memory(weighting), KS[-1])
        for page in split.test:
            neighbours = nearest.look(encode(page.rows, instances.tags))
            tallies[page.id] = [
                tally(page.classes.pairs, pair_numbers(instances.names, neighbours.verdicts(k).classes)) for k in KS
            ]
    by_k = zip(*(tallies[example.id] for example in examples), strict=True)
    return SettingsTrial(mode, weighting, tuple(by_k))


SETTINGS: Final = Study(
    "memory-settings", "Weights and neighbours of the memory-based learner", "memory-based thesis 6.6", run_settings
)


SECOND_FOLDS: Final = 5

LEARNERS: Final[Mapping[str, MemoryLearner | SecondLevel]] = {
    "one classifier, χ², k 7": MemoryLearner(weights=FeatureWeighting.CHI_SQUARE, k=7),
    "one classifier, information gain, k 7": MemoryLearner(weights=FeatureWeighting.INFORMATION_GAIN, k=7),
    "a classifier each, and a second": SecondLevel(BEST),
}


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page as classified by a learner: its class counts, and the faults in its structure."""

    tally: Tally
    faults: tuple[FaultKind, ...]


@dataclass(frozen=True, slots=True)
class MemorySecond:
    """The results of each learner on all pages."""

    read: Mapping[str, tuple[ReadPage, ...]]

    def tables(self) -> tuple[Table, ...]:
        """Return F of each learner, and the scores of malformed pages."""
        scores: list[tuple[Cell, ...]] = []
        shapes: list[tuple[Cell, ...]] = []
        for name, pages in self.read.items():
            total = summed(page.tally for page in pages)
            scores.append((name, *(total[kind].f1 for kind in ARTICLE), macro_f1([page.tally for page in pages])))
            malformed, well_formed = (
                [page for page in pages if bool(page.faults) is has_faults] for has_faults in (True, False)
            )
            kinds = [sum(kind in page.faults for page in pages) for kind in FaultKind]
            body = [summed(page.tally for page in members)[ARTICLE[-1]].f1 for members in (malformed, well_formed)]
            title = [summed(page.tally for page in members)[ARTICLE[0]].f1 for members in (malformed, well_formed)]
            shapes.append((name, len(pages), len(malformed), *kinds, *body, *title))
        columns = ("learner", "title F", "heading F", "body F", "mean")
        shape = (
            "learner", "pages", "ill-formed", *(kind.value for kind in FaultKind),
            "body F, ill-formed", "body F, others", "title F, ill-formed", "title F, others",
        )  # fmt: skip
        return (
            Table(f"Across sites, {FOLDS} folds", columns, tuple(scores)),
            Table("What the structure check says, and how those pages are read", shape, tuple(shapes)),
        )

    def charts(self) -> tuple[Chart, ...]:
        """Return no charts."""
        return ()


def run_second(
    samples: Sequence[Sample], each: Each = in_turn, learners: Mapping[str, MemoryLearner | SecondLevel] = LEARNERS
) -> MemorySecond:
    """Measure each learner across sites.

    Raises:
        InputError: too few sites have several pages.
    """
    allowed = {sample.id: sample for sample in samples if sample.may_teach}
    examples = of_known_sites(each(example, list(allowed.values()), "labelling"), FEWEST, MOST, ELEMENTS)
    predictions = list(each(partial(_predict, examples), list(learners.values()), "learning"))
    read: dict[str, list[ReadPage]] = {name: [] for name in learners}
    for page in examples:
        whole = Page(allowed[page.id].html, allowed[page.id].url)
        for name, pairs in zip(learners, predictions, strict=True):
            parts = in_order(whole, ElementClasses.of_pairs(pairs[page.id]))
            faults = tuple(fault.kind for fault in check(parts.classes))
            read[name].append(ReadPage(tally(page.classes.pairs, pairs[page.id]), faults))
    return MemorySecond({name: tuple(pages) for name, pages in read.items()})


def _predict(examples: Sequence[ElementExample], learner: MemoryLearner | SecondLevel) -> dict[str, Ints]:
    """Return for each page the pairs predicted by a model that was not trained on its site."""
    result = {}
    for split in mode_splits(examples, Mode.ACROSS, SECOND_FOLDS):
        model = learner.fit(split.train)
        for page in split.test:
            result[page.id] = predicted(model, page)
    return result


SECOND: Final = Study(
    "memory-second",
    "A classifier for each class combined by a second; the structure check",
    "memory-based thesis 7.1, 6.8",
    run_second,
)
