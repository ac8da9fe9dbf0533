"""Training pages from the same site, from all sites, from other sites; and how learning goes on with more pages.

Memory-based thesis 6.2 to 6.4 and 6.7: body F 0.975 within a site, 0.981 with all sites merged, 0.892 across sites with
the best settings; the learning curve rises to about 150 of 222 pages and is flat from there. Its own learner is in
`memory_domains`; here a decision tree over shallow text features learns, its size is chosen on training sites alone.
Only sites with several pages take part, so that the three modes are measured on the same pages.

A decision tree over shallow text features: the learner on which the machinery of validation is shown to work.

Kohlschütter et al. 2010; DANA thesis 3.3.2.1. A block is content if most of its words are in the longest common
subsequence of page and gold. The tree is scikit-learn's (extra `learn`); its leaves hold enough words that a single
page cannot make one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from tidings.charts import Chart, Series
from tidings.errors import InputError, needs
from tidings.extractors.published.shallow import Floats, Shallow2
from tidings.extractors.published.shallow_features import features
from tidings.page import Page, Spans
from tidings.page.columns import Bools
from tidings_lab.corpora import Sample
from tidings_lab.learning_curves import CurvePoint, HeldOut, learning_curve
from tidings_lab.metrics.texts import units_for
from tidings_lab.statistics.bootstrap import interval
from tidings_lab.statistics.paired_tests import bootstrap_difference
from tidings_lab.studies.study import Each, Study, in_turn, own_headline, scored
from tidings_lab.tables import Cell, Table
from tidings_lab.validation import Mode, Tuned, by_site, cross_validate, mode_splits

_MOST_UNITS: Final = 30_000  # of a page: beyond, its subsequence with gold takes seconds
_CONTENT: Final = 0.5  # share of a block's words in gold


@dataclass(frozen=True, slots=True, eq=False)
class ShallowExample:
    """A sample made ready once for many trainings: its page, the features of its blocks, and which are content."""

    sample: Sample
    page: Page
    headline: str
    features: Floats
    content: Bools

    @property
    def site(self) -> str:
        """The sample's site."""
        return self.sample.site


def prepare(sample: Sample) -> ShallowExample:
    """Page, features and labels of a sample."""
    page = Page(sample.html)
    content = content_blocks(page, str(sample.gold["text"]), sample.lang)
    return ShallowExample(sample, page, own_headline(sample, page), _matrix(page), content)


def content_blocks(page: Page, gold: str, language: str) -> Bools:
    """Which blocks have most of their words in the longest common subsequence of page and gold."""
    with needs("finding the gold text on a page", "lab"):
        from rapidfuzz.distance import LCSseq
    units = units_for(gold, language)
    blocks = page.blocks
    found: list[str] = []
    counts = np.zeros(len(blocks), np.int64)
    for number in np.flatnonzero(~blocks.hidden).tolist():
        own = units(page.text[blocks.text_start[number] : blocks.text_end[number]])
        if len(found) + len(own) > _MOST_UNITS:
            break
        counts[number] = len(own)
        found += own
    common = np.zeros(len(found) + 1, np.int64)
    for step in LCSseq.opcodes(found, units(gold)[:_MOST_UNITS]):
        if step.tag == "equal":
            common[step.src_start + 1 : step.src_end + 1] = 1
    before, ends = np.cumsum(common), np.cumsum(counts)
    matched = before[ends] - before[ends - counts]
    return np.asarray((matched > _CONTENT * counts) & (counts > 0))


@dataclass(frozen=True, slots=True)
class TreeExtractor:
    """The blocks that a trained tree takes for content: an extractor like any other."""

    tree: Any  # sklearn.tree.DecisionTreeClassifier; None of pages with nothing to see, which teach nothing

    def __call__(self, page: Page, /) -> Spans:
        """The chosen blocks."""
        return page.shown(Spans.of_blocks(page, self.keep(_matrix(page)) & ~page.blocks.hidden))

    def keep(self, rows: Floats) -> Bools:
        """Which rows of features are content."""
        if self.tree is None or not len(rows):
            return np.zeros(len(rows), np.bool_)
        return np.asarray(self.tree.predict(rows), np.bool_)


@dataclass(frozen=True, slots=True)
class ShallowTreeLearner:
    """The learner: a tree of at most so many leaves, each with at least so many blocks."""

    leaves: int = 24
    blocks_in_a_leaf: int = 10

    def fit(self, items: Sequence[ShallowExample], /) -> TreeExtractor:
        """A tree grown on the visible blocks of the examples.

        Raises:
            MissingExtra: scikit-learn is not installed.
        """
        with needs("growing a tree", "lab"):
            from sklearn.tree import DecisionTreeClassifier
        seen = [~item.page.blocks.hidden for item in items]
        rows = np.concatenate([item.features[some] for item, some in zip(items, seen, strict=True)])
        labels = np.concatenate([item.content[some] for item, some in zip(items, seen, strict=True)])
        if not len(rows):
            return TreeExtractor(None)
        tree = DecisionTreeClassifier(
            max_leaf_nodes=self.leaves, min_samples_leaf=self.blocks_in_a_leaf, class_weight="balanced", random_state=0
        )
        return TreeExtractor(tree.fit(rows, labels))


def text_f1(extractor: TreeExtractor, example: ShallowExample) -> float:
    """Word F1 of a trained extractor's text."""
    spans = Spans.of_blocks(example.page, extractor.keep(example.features) & ~example.page.blocks.hidden)
    return scored(example.sample, example.page, example.page.shown(spans), headline=example.headline).f1


def _matrix(page: Page) -> Floats:
    columns = features(page)
    return np.column_stack(list(columns.values())) if len(page.blocks) else np.zeros((0, len(columns)))


FOLDS: Final = 5
ORDERS: Final = 10
FEWEST: Final = 3  # pages of a site that takes part in the comparison of modes
LEAVES: Final = (8, 24)
_CURVES: Final = (HeldOut(Mode.MERGED), HeldOut(Mode.ACROSS))


@dataclass(frozen=True, slots=True)
class Domains:
    """What the modes and the curve say."""

    sites: tuple[str, ...]  # of each page that was measured in all modes
    modes: dict[Mode, tuple[float, ...]]  # word F1 of each page
    untrained: tuple[float, ...]  # of the published rule on the same pages
    curves: dict[Mode, tuple[CurvePoint, ...]]

    def tables(self) -> tuple[Table, ...]:
        """The three modes, then the points of the curve."""
        rows: list[tuple[Cell, ...]] = []
        across = self.modes[Mode.ACROSS]
        named = [(f"trained, {mode.value}", scores) for mode, scores in self.modes.items()]
        for name, scores in (*named, ("shallow-2, not trained", self.untrained)):
            mean = interval(scores, self.sites)
            gain = bootstrap_difference(scores, across, self.sites)
            of_sites = float(np.mean([np.mean(some) for some in _by_site(self.sites, scores)]))
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
        """The learning curves with their intervals."""
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
    """The three modes on sites with several pages, and a learning curve over pages and over sites.

    Raises:
        InputError: fewer than two sites have enough pages that may be trained on.
    """
    several = _of_large_sites(sample for sample in samples if sample.may_teach)
    # What cannot be read is left out here: a page that fails in training would take the whole mode with it.
    untrained = dict(each(_untrained, several, "reading"))
    kept = _of_large_sites(sample for sample in several if sample.id in untrained)
    if len({sample.site for sample in kept}) < 2:
        raise InputError(f"the three modes need two sites with {FEWEST} pages each that may be trained on")
    found = list(each(partial(_learn, kept), (*Mode, *_CURVES), "training"))
    modes, curves = found[: len(Mode)], found[len(Mode) :]
    return Domains(
        tuple(sample.site for sample in kept),
        {mode: scores for mode, (scores, _) in zip(Mode, modes, strict=True)},
        tuple(untrained[sample.id] for sample in kept),
        {mode: curve for mode, (_, curve) in zip((Mode.MERGED, Mode.ACROSS), curves, strict=True)},
    )


def _of_large_sites(samples: Iterable[Sample]) -> list[Sample]:
    return [one for pages in by_site(samples).values() if len(pages) >= FEWEST for one in pages]


def _learn(samples: list[Sample], task: Mode | HeldOut) -> tuple[tuple[float, ...], tuple[CurvePoint, ...]]:
    """The score of each page in a mode, or a learning curve. Prepared here: pages are dear to send to a process."""
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
    found: dict[str, list[float]] = {}
    for site, score in zip(sites, scores, strict=True):
        found.setdefault(site, []).append(score)
    return list(found.values())


STUDY: Final = Study(
    "domains", "Training on the same site, on all, on others; learning curves", "memory-based thesis 6.2–6.4, 6.7", run
)
