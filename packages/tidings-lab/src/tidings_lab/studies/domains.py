"""Training pages from the same site, from all sites, or from other sites, and learning curves with more pages.

Source: memory-based thesis 6.2 to 6.4 and 6.7: body F 0.975 within a site, 0.981 with all sites merged, 0.892 across
sites with the best settings; the learning curve rises to about 150 of 222 pages and is flat from there. The thesis's
own learner is in `memory_domains`; here a decision tree over shallow text features learns, and its size is chosen on
training sites only. Only sites with several pages are used, so that the three modes are measured on the same pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from tidings.charts import Chart, Series
from tidings.errors import InputError
from tidings.extractors.published.shallow import Shallow2
from tidings.page import Page
from tidings_lab.corpora import Sample
from tidings_lab.learning_curves import CurvePoint, HeldOut, learning_curve
from tidings_lab.statistics.bootstrap import interval
from tidings_lab.statistics.paired_tests import bootstrap_difference
from tidings_lab.studies.page_groups import scored
from tidings_lab.studies.shallow_tree_learner import ShallowTreeLearner, prepare, text_f1
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.tables import Cell, Table
from tidings_lab.validation import Mode, Tuned, by_site, cross_validate, mode_splits

FOLDS: Final = 5
ORDERS: Final = 10
FEWEST: Final = 3  # pages of a site that takes part in the comparison of modes
LEAVES: Final = (8, 24)
_CURVES: Final = (HeldOut(Mode.MERGED), HeldOut(Mode.ACROSS))


@dataclass(frozen=True, slots=True)
class Domains:
    """Scores by origin of the training pages, and learning curves."""

    sites: tuple[str, ...]  # of each page that was measured in all modes
    modes: dict[Mode, tuple[float, ...]]  # word F1 of each page
    untrained: tuple[float, ...]  # word F1 of the published rule on the same pages
    curves: dict[Mode, tuple[CurvePoint, ...]]

    def tables(self) -> tuple[Table, ...]:
        """Return a table of the three origins of training pages, and one of the points of the learning curves."""
        rows: list[tuple[Cell, ...]] = []
        across = self.modes[Mode.ACROSS]
        named = [(f"trained, {mode.value}", scores) for mode, scores in self.modes.items()]
        for name, scores in (*named, ("shallow-2, not trained", self.untrained)):
            mean = interval(scores, self.sites)
            gain = bootstrap_difference(scores, across, self.sites)
            of_sites = float(np.mean([np.mean(site_scores) for site_scores in _by_site(self.sites, scores)]))
            figures = (mean.mean, f"{mean.low:.3f} to {mean.high:.3f}", of_sites)
            rows.append((name, *figures, gain.signed))
        columns = ("training pages", "word F1, mean of pages", "95 % interval", "mean of sites", "against other sites")
        title = f"{len(self.sites)} pages of {len(set(self.sites))} sites, {FOLDS} folds"
        points = [(mode.value, point.size, *point.banded) for mode, curve in self.curves.items() for point in curve]
        learned = Table(
            f"Learning curves, mean of {ORDERS} random orders, a quarter held out",
            ("held out", "trained on", "word F1", "low", "high"),
            tuple(points),
        )
        return Table(title, columns, tuple(rows)), learned

    def charts(self) -> tuple[Chart, ...]:
        """Return the learning curves with their intervals."""
        charts = []
        for mode, points in self.curves.items():
            what = "sites" if mode is Mode.ACROSS else "pages"
            series = Series.banded("word F1", (point.banded for point in points))
            title = f"Learning curve, other {what} held out ({ORDERS} random orders, 95 % interval)"
            sizes = tuple(float(point.size) for point in points)
            name = f"learning-curve-{what}"
            charts.append(Chart(name, title, f"{what} trained on", "word F1 on the held-out quarter", sizes, (series,)))
        return tuple(charts)


def run(samples: Sequence[Sample], each: Each = in_turn) -> Domains:
    """Measure the three origins of training pages on sites with several pages, and learning curves over pages and over
    sites.

    Raises:
        InputError: fewer than two sites have enough pages that may be used for training.
    """
    candidates = _of_large_sites(sample for sample in samples if sample.may_teach)
    # Unreadable pages are removed first, because a failure during training would fail the whole mode.
    untrained = dict(each(_untrained, candidates, "reading"))
    usable = _of_large_sites(sample for sample in candidates if sample.id in untrained)
    if len({sample.site for sample in usable}) < 2:
        raise InputError(f"the three modes need two sites with {FEWEST} pages each that may be trained on")
    results = list(each(partial(_learn, usable), (*Mode, *_CURVES), "training"))
    modes, curves = results[: len(Mode)], results[len(Mode) :]
    return Domains(
        tuple(sample.site for sample in usable),
        {mode: scores for mode, (scores, _) in zip(Mode, modes, strict=True)},
        tuple(untrained[sample.id] for sample in usable),
        {mode: curve for mode, (_, curve) in zip((Mode.MERGED, Mode.ACROSS), curves, strict=True)},
    )


def _of_large_sites(samples: Iterable[Sample]) -> list[Sample]:
    return [sample for pages in by_site(samples).values() if len(pages) >= FEWEST for sample in pages]


def _learn(samples: list[Sample], task: Mode | HeldOut) -> tuple[tuple[float, ...], tuple[CurvePoint, ...]]:
    """Return the score of each page for an origin of training pages, or a learning curve. Pages are prepared in the
    worker, to avoid sending them.
    """
    examples = [prepare(sample) for sample in samples]
    if isinstance(task, Mode):
        learner = Tuned({str(leaves): ShallowTreeLearner(leaves) for leaves in LEAVES}, text_f1, k=3)
        outcomes = cross_validate(learner, mode_splits(examples, task, FOLDS), text_f1)
        scores = {outcome.item.sample.id: outcome.result for outcome in outcomes}
        return tuple(scores[sample.id] for sample in samples), ()
    whole = len(by_site(examples)) if task.mode is Mode.ACROSS else len(examples)
    sizes = np.unique(np.geomspace(1, (1 - task.share) * whole, 9).astype(np.int64)).tolist()
    return (), tuple(learning_curve(ShallowTreeLearner(), examples, sizes, text_f1, task, ORDERS))


def _untrained(sample: Sample) -> tuple[str, float]:
    page = Page(sample.html)
    return sample.id, scored(sample, page, Shallow2()(page)).f1


def _by_site(sites: tuple[str, ...], scores: tuple[float, ...]) -> list[list[float]]:
    result: dict[str, list[float]] = {}
    for site, score in zip(sites, scores, strict=True):
        result.setdefault(site, []).append(score)
    return list(result.values())


STUDY: Final = Study(
    "domains", "Training on the same site, on all, on others; learning curves", "memory-based thesis 6.2–6.4, 6.7", run
)
