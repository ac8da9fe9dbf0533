"""Learning curves of the memory-based learner over random orders (memory-based thesis 6.7 and chapter 7).

The thesis adds one page after the other to a pool and cross-validates inside it: merged, F rises from 25 to 150 pages
and then little; across sites, whole sites are added. Its curves depend on the order, and it proposes to average. Here
pages, or whole sites, are set aside first, and every point of a curve is measured on them, with IGTREE and IB1, both
with χ². IGTREE is fast enough to continue to every site of the corpora, which shows where more sites stop helping.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from tidings.charts import Chart, Series
from tidings_lab.corpora import Sample
from tidings_lab.learners.feature_weights import FeatureWeighting
from tidings_lab.learners.memory import Algorithm, ElementExample, MemoryLearner
from tidings_lab.learning_curves import CurvePoint, HeldOut, random_order
from tidings_lab.memory_pages import (
    example,
    macro_f1,
    of_known_sites,
)
from tidings_lab.studies.memory_domains import count
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.tables import Table
from tidings_lab.validation import Mode, by_site

ORDERS: Final = 5
POINTS: Final = 6
SHARE: Final = 0.2
CURVES_FEWEST, CURVES_MOST, CURVES_ELEMENTS = 2, 12, 1200
CURVES_LEARNERS: Final[Mapping[str, MemoryLearner]] = {
    "IB1": MemoryLearner(weights=FeatureWeighting.CHI_SQUARE, k=7),
    "IGTREE": MemoryLearner(Algorithm.IGTREE, FeatureWeighting.CHI_SQUARE),
}
#: The learner that is trained on all sites.
WIDE: Final = MemoryLearner(Algorithm.IGTREE, FeatureWeighting.INFORMATION_GAIN, logarithmic=True)
_Y: Final = "mean F of title, heading, body"
WIDE_NAME: Final = "IGTREE, information gain, log lengths"


@dataclass(frozen=True, slots=True)
class MemoryCurves:
    """Learning curves for each origin of training pages and each learner, and one over all sites."""

    curves: Mapping[tuple[Mode, str], tuple[CurvePoint, ...]]
    wide: tuple[CurvePoint, ...]

    def tables(self) -> tuple[Table, ...]:
        """Return a table with every point and its interval."""
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
        """Return a chart for each origin of training pages."""
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
    """Train on more and more pages, and on more and more sites.

    Raises:
        InputError: too few sites have several pages.
    """
    everything = list(each(example, [sample for sample in samples if sample.may_teach], "labelling"))
    examples = of_known_sites(everything, CURVES_FEWEST, CURVES_MOST, CURVES_ELEMENTS)
    tasks = [(mode, name, learner) for mode in (Mode.MERGED, Mode.ACROSS) for name, learner in learners.items()]
    points_by_task = each(partial(_curve, examples), tasks, "learning")
    curves = {(mode, name): points for (mode, name, _), points in zip(tasks, points_by_task, strict=True)}
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
            # F over all pages instead of the mean of pages as in `learning_curve`: many pages have no heading.
            scores[place].append(macro_f1([count(model, page) for page in split.test]))
    return tuple(CurvePoint(size, tuple(size_scores)) for size, size_scores in zip(sizes, scores, strict=True))


CURVES: Final = Study(
    "memory-curves", "Learning curves of the memory-based learner", "memory-based thesis 6.7", run_curves
)
