"""LBNEST's clustering (V and VI.D) and the story tracker on labelled stories, and trends of queries in abstracts.

Clustering: LBNEST clusters 85 articles at distance 0.38 and inspects the clusters without a measure. Here articles have
an event (`docs.jsonl`: id, topic, event, title, text), two events per topic, such as two earthquakes, so that the kind
of event alone is not enough. Measures are pairwise F1, without pairs of an article with itself, and B³. Cuts are chosen
on every other topic; figures are of the remaining topics. The tracker has its defaults (docs/explanation/stories.md
describes how they were chosen). It depends on the order of articles, so its figures are means over several orders
determined by the ids.

Trends: TrendFinder's experiment (DANA thesis 6.6.4): named queries in abstracts of many years, as charts. The thesis
has four queries about ecology in 19,010 abstracts of three journals (figures 6.2 to 6.4). Here queries about language
processing are applied to abstracts of that field.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from tidings.charts import Chart, Series
from tidings.errors import InputError
from tidings_lab.metrics.clusters import b_cubed, pair_counts
from tidings_lab.metrics.score import Counts
from tidings_lab.tables import Table
from tidings_portal.stories.linkage import CUT, Pair, complete, connected, near_pairs
from tidings_portal.stories.report import Report
from tidings_portal.stories.story_index import Tracking
from tidings_portal.stories.tracker import Tracker
from tidings_portal.stories.trends.finder import TrendQuery, Trends, read_queries

CUTS: Final = tuple(round(0.30 + 0.04 * step, 2) for step in range(17))
JOINS: Final = tuple(round(0.12 + 0.04 * step, 2) for step in range(8))
ORDERS: Final = 5

Join = Callable[[int, Sequence[Pair]], list[list[int]]]
LINKS: Final[dict[str, Join]] = {"single link": connected, "complete link": complete}
Method = Callable[[Sequence[Report]], Iterable[tuple[int, ...]]]


@dataclass(frozen=True, slots=True)
class LabelledReport:
    """An article with its event; half of the topics serve to choose parameters (0), half to test (1)."""

    report: Report
    event: str
    half: int


@dataclass(frozen=True, slots=True)
class Result:
    """The clustering scores of a method."""

    pair_precision: float
    pair_recall: float
    pair_f1: float
    b_cubed_f1: float
    clusters: float

    @property
    def row(self) -> tuple[float, ...]:
        """Return the scores as a row of a table."""
        return self.pair_precision, self.pair_recall, self.pair_f1, self.b_cubed_f1, self.clusters


def read_labelled(path: Path) -> list[LabelledReport]:
    """Return the labelled articles of a file, a JSON object per line.

    Raises:
        InputError: the file does not exist or has another format.
    """
    try:
        told = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        topics = sorted({one["topic"] for one in told})
        half = {topic: place % 2 for place, topic in enumerate(topics)}
        return [
            LabelledReport(
                Report(number, str(one["title"]), str(one["text"]), str(one.get("lang", "en"))),
                str(one["event"]),
                half[one["topic"]],
            )
            for number, one in enumerate(told)
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path} cannot be read as labelled stories ({error}); a line has topic, event, title, text"
        ) from error


def measured(method: Method, articles: Sequence[LabelledReport], orders: int = 1) -> Result:
    """Return the mean scores of a method over several orders of the articles."""
    rows = [score(method([one.report for one in shuffled(articles, number)]), articles).row for number in range(orders)]
    means: list[float] = np.mean(rows, axis=0).tolist()
    return Result(*means)


def score(clusters: Iterable[tuple[int, ...]], articles: Sequence[LabelledReport]) -> Result:
    """Return the scores of clusters, compared with the labelled events."""
    gold: dict[str, list[int]] = {}
    for one in articles:
        gold.setdefault(one.event, []).append(one.report.id)
    found = list(clusters)
    counts = pair_counts(gold.values(), found, self_pairs=False)
    return Result(counts.precision, counts.recall, counts.f1, b_cubed(gold.values(), found).f1, float(len(found)))


def shuffled(articles: Sequence[LabelledReport], number: int) -> list[LabelledReport]:
    """Return the articles in one of many reproducible orders."""
    return sorted(articles, key=lambda one: hashlib.sha256(f"{number} {one.report.id}".encode()).digest())


def tracked(tracking: Tracking) -> Method:
    """Return the story tracker as a clustering method."""

    def method(reports: Sequence[Report]) -> Iterable[tuple[int, ...]]:
        tracker = Tracker(tracking)
        tracker.add_all(reports)
        return [story.members for story in tracker.stories()]

    return method


def first_stories(articles: Sequence[LabelledReport], orders: int = ORDERS) -> Counts:
    """Evaluate new-event detection: which articles are detected as the first of their event."""
    tp = fp = fn = tn = 0
    for number in range(orders):
        events: set[str] = set()
        tracker = Tracker()
        for article in shuffled(articles, number):
            is_detected, is_first = tracker.add(article.report).is_first, article.event not in events
            events.add(article.event)
            tp, fp = tp + (is_detected and is_first), fp + (is_detected and not is_first)
            fn, tn = fn + (not is_detected and is_first), tn + (not is_detected and not is_first)
    return Counts(tp, fp, fn, tn)


def study(articles: Sequence[LabelledReport]) -> tuple[tuple[Table, ...], tuple[Chart, ...]]:
    """Return all tables and charts: at distance 0.38, at the best distance of the other half, and of the tracker; and
    the curves.
    """
    halves = [[one for one in articles if one.half == half] for half in (0, 1)]
    curves = {name: [_curve(join, half) for half in halves] for name, join in LINKS.items()}
    rows: list[tuple[str | int | float, ...]] = []
    for name, (chosen_on, told_of) in curves.items():
        rows.append((f"{name} at {CUT}", *told_of[CUT].row))
        best = max(CUTS, key=lambda cut: chosen_on[cut].pair_f1)
        rows.append((f"{name} at {best}, chosen on the other half", *told_of[best].row))
    rows.append((f"tracker, joins at {Tracking().joins}", *measured(tracked(Tracking()), halves[1], ORDERS).row))
    columns = ("method", "pair precision", "pair recall", "pair F1", "B³ F1", "clusters")
    events = len({one.event for one in halves[1]})
    table = Table(f"{len(halves[1])} articles of {events} events", columns, tuple(rows))
    called = first_stories(halves[1])
    detection = Table(
        f"First stories called, {ORDERS} orders",
        ("articles", "first", "called rightly", "called wrongly", "missed"),
        ((called.total, called.tp + called.fn, called.tp, called.fp, called.fn),),
    )
    tracker_curve = [measured(tracked(Tracking(joins=joins)), halves[1], 2) for joins in JOINS]
    return (table, detection), _charts({name: told_of for name, (_, told_of) in curves.items()}, tracker_curve)


def _curve(join: Join, articles: Sequence[LabelledReport]) -> dict[float, Result]:
    """Return the scores at every distance; distances between articles are computed once."""
    reports = [one.report for one in articles]
    pairs = near_pairs(reports, max(CUTS))
    found = {}
    for cut in CUTS:
        groups = join(len(reports), [pair for pair in pairs if pair[2] < cut])
        found[cut] = score([tuple(reports[place].id for place in group) for group in groups], articles)
    return found


def _charts(curves: dict[str, dict[float, Result]], tracker_curve: list[Result]) -> tuple[Chart, ...]:
    series = [
        Series(f"{name}, {label}", tuple(getattr(curve[cut], what) for cut in CUTS))
        for name, curve in curves.items()
        for label, what in (("pairs", "pair_f1"), ("B³", "b_cubed_f1"))
    ]
    marked = ((CUT, f"paper: {CUT}"),)
    title = "LBNEST's distance: where the tree is cut"
    cut = Chart("stories-cut", title, "distance", "F1", CUTS, tuple(series), marked=marked)
    own = (
        Series("pairs", tuple(result.pair_f1 for result in tracker_curve)),
        Series("B³", tuple(result.b_cubed_f1 for result in tracker_curve)),
    )
    marked = ((Tracking().joins, f"default: {Tracking().joins}"),)
    joins = Chart("stories-joins", "The tracker: from which fit on", "mean cosine", "F1", JOINS, own, marked=marked)
    return cut, joins


#: Queries whose story is known: rules gave way to statistics, those to neural networks, and those to large models.
QUERIES: Final = """
language = "en"

[queries]
"rules and grammars" = "grammar rule unification parse syntactic formalism lexicon phrase"
"statistical models" = "statistical probabilistic Markov maximum entropy alignment n-gram likelihood kernel"
"neural networks" = "neural network embedding recurrent LSTM attention encoder decoder"
"large language models" = "LLM prompt GPT instruction reasoning hallucination zero-shot pre-trained transformer"
"machine translation" = "translation translate bilingual parallel BLEU"
"sentiment and social media" = "sentiment opinion tweet Twitter social media review emotion"
"""

_FEWEST: Final = 20  # documents of a period that is drawn; fewer tell of themselves alone


def language_queries() -> tuple[TrendQuery, ...]:
    """Return the queries of this study."""
    return read_queries(QUERIES)


def tables(trends: Trends) -> tuple[Table, ...]:
    """Return tables of the first and last years, of abrupt changes, and of the number of documents without a
    keyword.
    """
    every = trends.trends[0].points
    usable = [place for place, point in enumerate(every) if point.documents >= _FEWEST] or [*range(len(every))]
    rows: list[tuple[str | int | float, ...]] = []
    for trend in trends.trends:
        points = [trend.points[place] for place in usable]
        most = max(points, key=lambda point: point.mean)
        lacking = sum(point.without * point.documents for point in trend.points) / trends.documents
        changes = ", ".join(f"{change.period} {change.step:+.3f}" for change in trend.changes) or "none"
        rows.append((trend.query.name, points[0].mean, points[-1].mean, most.mean, most.period, lacking, changes))
    first, last = trends.periods[usable[0]], trends.periods[usable[-1]]
    columns = ("query", first, last, "highest", "in", "documents without a keyword", "abrupt changes")
    return (Table(f"{trends.documents:,} documents, {first} to {last}", columns, tuple(rows)),)
