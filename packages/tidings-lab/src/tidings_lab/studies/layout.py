"""Layout methods on rendered pages: LBNEST's hybrid, its DOM method, other layout methods, and the default.

LBNEST VI.C says that the hybrid is more accurate than the DOM method alone, because footers do not get into the story,
and gives no figures. Here a browser renders saved pages without loading anything else: style sheets and external
scripts are missing unless they are in the page. The 60 pages are chosen by rule: 30 of each half of the sites, in the
order of the digests of their ids, in turn from each corpus and language, and one per site. The methods were tuned on
other pages, of other sites, of half 0. The hybrid was changed once after its results on these 60 pages were known, so
the study `layout-fresh` has the next 60 pages of half 1 by the same rule, from other sites, which were measured only
after everything was decided.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Final

import numpy as np

from tidings.browser_layout import SETTLE, lay_out
from tidings.charts import Chart, ChartKind, Series
from tidings.extractors import DEFAULT, extractor
from tidings.extractors.published.layout.boxes import boxes_of
from tidings.fetch import Browser
from tidings.fetch.archives.saved_pages import HERE, SavedPages
from tidings.page import Page
from tidings_lab.corpora import Sample
from tidings_lab.statistics.paired_tests import bootstrap_difference
from tidings_lab.studies.page_groups import own_headline, scored
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.tables import Cell, Table

PAGES: Final = 60
#: A page with narrower lines of text has columns; the window is 1280 pixels wide.
NARROW: Final = 700.0

SAVED, DRAWN = "as saved", "drawn"
#: The measured extractors, and the form of the page.
METHODS: Final = (
    ("lbnest", SAVED),
    ("lbnest", DRAWN),
    ("layout-lbnest", DRAWN),
    ("layout-largest", DRAWN),
    ("layout-vips", DRAWN),
    ("correlation-clustering", SAVED),
    ("layout-correlation", DRAWN),
    (DEFAULT, SAVED),
    (DEFAULT, DRAWN),
)
#: Comparisons: is the first better than the second?
PAIRS: Final = (
    (("layout-lbnest", DRAWN), ("lbnest", DRAWN), "the hybrid against the DOM method alone"),
    (("layout-correlation", DRAWN), ("correlation-clustering", SAVED), "drawn sizes against estimated ones"),
    ((DEFAULT, DRAWN), (DEFAULT, SAVED), "what rendering adds to the default"),
)


@dataclass(frozen=True, slots=True)
class LayoutTrial:
    """The results for a page: score and time of each method in `METHODS`, and the time of rendering."""

    id: str
    site: str
    half: int
    f1: tuple[float, ...]
    seconds: tuple[float, ...]
    showing: float
    line: float  # mean width of the boxes of text, weighted by area


@dataclass(frozen=True, slots=True)
class LayoutFigures:
    """The results of all pages."""

    trials: tuple[LayoutTrial, ...]

    def values(
        self, method: tuple[str, str], is_selected: Callable[[LayoutTrial], bool] = lambda _: True
    ) -> list[float]:
        """Return the word F1 of a method on each selected page."""
        place = METHODS.index(method)
        return [trial.f1[place] for trial in self.trials if is_selected(trial)]

    def tables(self) -> tuple[Table, ...]:
        """Return tables of every method by half of the sites and by kind of layout, and of the differences between
        methods.
        """
        return self._methods(), self._differences()

    def _methods(self) -> Table:
        groups: Mapping[str, Callable[[LayoutTrial], bool]] = {
            "half 0": lambda trial: trial.half == 0,
            "half 1": lambda trial: trial.half == 1,
            "all": lambda _: True,
            "with columns": lambda trial: trial.line < NARROW,
            "without": lambda trial: trial.line >= NARROW,
        }
        showing = 1000 * float(np.mean([trial.showing for trial in self.trials]))
        rows: list[tuple[Cell, ...]] = []
        for place, method in enumerate(METHODS):
            own_time = 1000 * float(np.mean([trial.seconds[place] for trial in self.trials]))
            total_time = own_time + (showing if method[1] == DRAWN else 0.0)
            means = [_mean(self.values(method, is_selected)) for is_selected in groups.values()]
            rows.append((*method, *means, f"{own_time:.0f}", f"{total_time:.0f}"))
        counts = ", ".join(f"{name} {sum(map(is_selected, self.trials))}" for name, is_selected in groups.items())
        columns = ("method", "page", *groups, "ms a page", "ms with showing it")
        return Table(f"Word F1 of {len(self.trials)} pages ({counts})", columns, tuple(rows))

    def _differences(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for better, base, what in PAIRS:
            for name, half in (("half 0", (0,)), ("half 1", (1,)), ("all", (0, 1))):
                trials = [trial for trial in self.trials if trial.half in half]
                if not trials:
                    continue
                first, second = ([trial.f1[METHODS.index(method)] for trial in trials] for method in (better, base))
                gain = bootstrap_difference(first, second, [trial.site for trial in trials])
                signs = np.sign(np.round(np.subtract(first, second), 3))
                wins = f"{(signs > 0).sum()} / {(signs == 0).sum()} / {(signs < 0).sum()}"
                rows.append((what, name, gain.signed, wins))
        columns = ("question", "pages", "difference of word F1 [95 %]", "better / same / worse")
        return Table("Page by page, whole sites drawn", columns, tuple(rows))

    def charts(self) -> tuple[Chart, ...]:
        """Return a chart of the scores of methods, by half of the sites."""
        names = tuple(f"{name}\n{form}" for name, form in METHODS)
        series = tuple(
            Series(
                f"half {half}",
                tuple(_mean(self.values(method, partial(_of_half, half=half))) for method in METHODS),
            )
            for half in (0, 1)
        )
        return (Chart("layout", "Layout methods on drawn pages", "", "word F1", names, series, ChartKind.BARS),)


def chosen(samples: Iterable[Sample], count: int = PAGES) -> list[Sample]:
    """Return the pages of this study: equally many of each half of the sites, in turn from each corpus and language,
    one per site.
    """
    all_samples = list(samples)
    return [
        sample
        for half in (0, 1)
        for sample in _in_turn([sample_ for sample_ in all_samples if sample_.half == half], count // 2)
    ]


def further(samples: Iterable[Sample], count: int = PAGES) -> list[Sample]:
    """Return further pages of the second half of the sites by the same rule, of sites without a page in `chosen`."""
    all_samples = list(samples)
    used_sites = {sample.site for sample in chosen(all_samples)}
    return _in_turn([sample for sample in all_samples if sample.half == 1 and sample.site not in used_sites], count)


def _in_turn(samples: list[Sample], count: int) -> list[Sample]:
    groups: dict[tuple[str, str], list[Sample]] = defaultdict(list)
    for sample in sorted(samples, key=_order, reverse=True):
        groups[sample.corpus, sample.lang].append(sample)
    result: list[Sample] = []
    sites: set[str] = set()
    while len(result) < count and any(groups.values()):
        for _, group in sorted(groups.items()):
            while group and (group[-1].site or group[-1].id) in sites:
                group.pop()
            if group and len(result) < count:
                result.append(group.pop())
                sites.add(result[-1].site or result[-1].id)
    return result


def _order(sample: Sample) -> str:
    return hashlib.sha256(sample.id.encode(errors="surrogatepass")).hexdigest()


def run(samples: Sequence[Sample], each: Each = in_turn) -> LayoutFigures:
    """Measure every method on the chosen pages."""
    return measure(chosen(samples), each)


def measure(pages: Sequence[Sample], each: Each = in_turn) -> LayoutFigures:
    """Measure every method on pages, which one browser renders in turn."""
    shown_at = {sample.id: f"{HERE}{place}" for place, sample in enumerate(pages)}
    saved = SavedPages({shown_at[sample.id]: Page(sample.html).source for sample in pages})
    with asyncio.Runner() as runner:
        browser = Browser(saved, settle=SETTLE)
        try:
            if pages:  # exclude the browser's start from the times
                runner.run(lay_out(browser, shown_at[pages[0].id]))
            trials = tuple(each.alone()(partial(_try, runner, browser, shown_at), pages, "showing"))
        finally:
            runner.run(browser.aclose())
    return LayoutFigures(trials)


def _try(runner: asyncio.Runner, browser: Browser, shown_at: Mapping[str, str], sample: Sample) -> LayoutTrial:
    begin = perf_counter()
    drawn = runner.run(lay_out(browser, shown_at[sample.id], page_url=sample.url)).page
    showing = perf_counter() - begin
    headlines = {SAVED: own_headline(sample, Page(sample.html)), DRAWN: own_headline(sample, drawn)}
    scores, seconds = [], []
    for name, form in METHODS:
        method = extractor(name)
        begin = perf_counter()
        # A rendered page has been parsed already; `within` makes it compute its columns again, like a new page.
        page = Page(sample.html) if form == SAVED else drawn.within(drawn.scope)
        spans = method(page)
        seconds.append(perf_counter() - begin)
        scores.append(scored(sample, page, spans, headline=headlines[form]).f1)
    boxes = boxes_of(drawn)
    line = float(np.average(boxes.right - boxes.left, weights=boxes.ink)) if boxes.ink.any() else 0.0
    return LayoutTrial(sample.id, sample.site, sample.half, tuple(scores), tuple(seconds), showing, line)


def _of_half(trial: LayoutTrial, half: int) -> bool:
    return trial.half == half


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else float("nan")


STUDY: Final = Study("layout", "Layout methods on pages that a browser draws", "LBNEST II, IV and VI.C; VIPS", run)


def run_fresh(samples: Sequence[Sample], each: Each = in_turn) -> LayoutFigures:
    """Measure every method on further pages, which were not used in development."""
    return measure(further(samples), each)


FRESH: Final = Study("layout-fresh", "Layout methods on pages kept apart", "LBNEST II, IV and VI.C; VIPS", run_fresh)
