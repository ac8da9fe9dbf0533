"""The optimal gap of R2L, DANA, DANAg and AdDANAg, for each kind of page.

DANA thesis 4.3.6, table 4.3: R2L with gap 8 and with the best gap of each site, which is 3 to 16 and mostly near 8;
4.4.2: DANA with gap 20, and on Wikipedia with 160, where F1 goes from under 0.7 to 0.857. The best gap of some pages,
found on these pages, is an upper bound; beside it stands what a gap scores that was chosen on other pages.

Smoothing over a line and its neighbours, or none: eq. 4.2 against eq. 4.6.

DANA thesis 4.5.2: on one page of Wikipedia, DANAg goes from F1 0.516 to 0.758 without the neighbours, so eq. 4.6 may be
the better one on heavily structured pages. Here both are measured on every page, with an interval for the difference
that draws whole sites, or pages where there is but one site.

What is done about links before counting: DANAg with no filter and with Filters 1, 2 and 3.

DANA thesis 4.6.3, tables 4.13 and 4.14: Filter 3 has the best F1 on 18 of 22 sites, Filter 2 the worst; Filter 1 loses
the link texts of the story, and so recall.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from tidings.charts import Chart, ChartKind, Series
from tidings.extractors.published.dana import DANA, R2L, AdaptiveAdDANAg, AdDANAg, DANAg, LinkFilter, Smoothing
from tidings.page import Page
from tidings.text import base_language
from tidings_lab.corpora import Sample
from tidings_lab.metrics.score import Score
from tidings_lab.studies.study import Each, Study, Trials, group, in_turn, large_groups, own_headline, scored
from tidings_lab.tables import Cell, Table
from tidings_lab.validation import BestColumn, ScoreRow, cross_validate, grouped_k_fold, k_fold, mean, score_of

GAPS: Final = (*range(31), 35, 40, 50, 60, 80, 100, 120, 160, 200, 300, 400, 600, 1000)
FOLDS: Final = 5
ADAPT: Final = AdaptiveAdDANAg().adapt
_LINES: Final = 7  # more cannot be told apart in one picture
_RIGHT_TO_LEFT: Final = frozenset({"ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"})

Method = R2L | DANA | DANAg | AdDANAg
ANY_LANGUAGE: Final[dict[str, Method]] = {"danag": DANAg(), "addanag": AdDANAg()}
BY_SCRIPT: Final[dict[str, Method]] = {"r2l": R2L(), "dana": DANA()}


def methods_for(language: str) -> dict[str, Method]:
    """The methods that can read a language: two of them know content by its right-to-left characters."""
    return BY_SCRIPT | ANY_LANGUAGE if base_language(language) in _RIGHT_TO_LEFT else ANY_LANGUAGE


@dataclass(frozen=True, slots=True)
class GapTrial:
    """One page and one method: token-LCS F1 for each gap."""

    group: str
    method: str
    row: ScoreRow
    adapted: float = 0.0  # with the gap that the page itself asks for


@dataclass(frozen=True, slots=True)
class Gaps:
    """What the sweep found."""

    trials: Trials[GapTrial]

    def curve(self, name: str, method: str) -> tuple[float, ...]:
        """Mean F1 of a group for each gap."""
        return self.trials.where(group=name, method=method).means("row.scores")

    def tables(self) -> tuple[Table, ...]:
        """Table 4.3, for every kind of page and every method."""
        written = []
        for name, method in _keys(self.trials):
            trials, curve = self.trials.where(group=name, method=method), self.curve(name, method)
            gap = (BY_SCRIPT | ANY_LANGUAGE)[method].gap
            best = int(np.argmax(curve))
            figures = (curve[GAPS.index(gap)], GAPS[best], curve[best], _chosen_elsewhere(trials.column("row")))
            written.append((name, len(trials), f"{method} ({gap})", *figures, trials.mean("adapted")))
        columns = (
            "pages of", "pages", "method (its gap)", "F1", "best gap", "F1 with it", "F1, gap chosen elsewhere",
            "F1, gap by the page",
        )  # fmt: skip
        return (Table("Token-LCS F1 by gap (DANA thesis, table 4.3)", columns, tuple(written)),)

    def charts(self) -> tuple[Chart, ...]:
        """F1 against the gap, a line for each of the kinds of page with most pages."""
        charts = []
        for method, made in (BY_SCRIPT | ANY_LANGUAGE).items():
            names = sorted(
                (name for name, key in _keys(self.trials) if key == method),
                key=lambda one: -len(self.trials.where(group=one, method="danag")),
            )
            series = [Series(name, self.curve(name, method)) for name in names[:_LINES]]
            title = f"{method} by the widest gap that is bridged"
            marked = ((made.gap, f"thesis: {made.gap}"),)
            if series:
                name, x, y = f"dana-gap-{method}", "gap in lines", "token-LCS F1"
                charts.append(Chart(name, title, x, y, GAPS, tuple(series), marked=marked, logarithmic=True))
        return tuple(charts)


def _keys(trials: Trials[Any]) -> list[tuple[str, str]]:
    """Each group that is large enough with each of its methods."""
    there = set(zip(trials.column("group"), trials.column("method"), strict=True))
    kept = large_groups(trials.where(method="danag").column("group"))
    return [(name, method) for name in kept for method in BY_SCRIPT | ANY_LANGUAGE if (name, method) in there]


def run_gap(samples: Sequence[Sample], each: Each = in_turn) -> Gaps:
    """Every gap on every page."""
    return Gaps(Trials.of(_try, samples, "gaps", each))


def _try(sample: Sample) -> list[GapTrial]:
    page = Page(sample.html)
    headline = own_headline(sample, page)
    trials = []
    for name, method in methods_for(sample.lang).items():
        known: dict[tuple[bytes, bytes], float] = {}  # most gaps bridge what others do
        scores = []
        for gap in GAPS:
            spans = replace(method, gap=gap)(page)
            key = spans.starts.tobytes(), spans.ends.tobytes()
            if key not in known:
                known[key] = scored(sample, page, spans, "lcs", headline).f1
            scores.append(known[key])
        adapted = scored(sample, page, replace(method, adapt=ADAPT)(page), "lcs", headline).f1
        trials.append(GapTrial(group(sample), name, ScoreRow(sample.site, tuple(scores)), adapted))
    return trials


def _chosen_elsewhere(rows: list[ScoreRow]) -> float:
    """Mean F1 when the gap of a page is the best one on other sites; on other pages, where there is one site."""
    several = len({row.site for row in rows}) > 1
    splits = grouped_k_fold(rows, FOLDS) if several else k_fold(rows, FOLDS)
    return mean(cross_validate(BestColumn(), splits, score_of))


GAP: Final = Study("dana-gap", "The optimal gap for each kind of page", "DANA thesis 4.3.6, table 4.3; 4.4.2", run_gap)


@dataclass(frozen=True, slots=True)
class SmoothingTrial:
    """One page and one method: F1 with either equation."""

    group: str
    site: str
    method: str
    smoothed: float  # eq. 4.2
    plain: float  # eq. 4.6


@dataclass(frozen=True, slots=True)
class Smoothings:
    """What smoothing does to each kind of page."""

    trials: Trials[SmoothingTrial]

    def tables(self) -> tuple[Table, ...]:
        """Both equations and their difference."""
        rows = []
        for name, method in _keys(self.trials):
            trials = self.trials.where(group=name, method=method)
            gain = trials.gain("plain", trials.column("smoothed"))
            means = trials.mean("smoothed"), trials.mean("plain")
            rows.append((name, len(trials), method, *means, gain.mean, f"{gain.low:+.3f} to {gain.high:+.3f}"))
        columns = ("pages of", "pages", "method", "eq. 4.2", "eq. 4.6", "difference", "95 % interval")
        return (Table("Token-LCS F1 by smoothing", columns, tuple(rows)),)

    def charts(self) -> tuple[Chart, ...]:
        """What the page gains when neighbours do not count."""
        charts = []
        for method in BY_SCRIPT | ANY_LANGUAGE:
            names = [name for name, key in _keys(self.trials) if key == method]
            trials = [self.trials.where(group=name, method=method) for name in names]
            series = tuple(
                Series(label, tuple(some.mean(what) for some in trials))
                for label, what in (("eq. 4.2 (neighbours)", "smoothed"), ("eq. 4.6 (none)", "plain"))
            )
            if len(names) > 1:
                title = f"{method} by smoothing"
                chart = Chart(
                    f"dana-smoothing-{method}", title, "", "token-LCS F1", tuple(names), series, ChartKind.BARS
                )
                charts.append(chart)
        return tuple(charts)


def run_smoothing(samples: Sequence[Sample], each: Each = in_turn) -> Smoothings:
    """Both equations on every page."""
    return Smoothings(Trials.of(_try_smoothing, samples, "smoothing", each))


def _try_smoothing(sample: Sample) -> list[SmoothingTrial]:
    page = Page(sample.html)
    trials = []
    for name, method in methods_for(sample.lang).items():
        smoothed, plain = (
            scored(sample, page, replace(method, smoothing=one)(page), "lcs").f1
            for one in (Smoothing.NEIGHBOURS, Smoothing.NONE)
        )
        trials.append(SmoothingTrial(group(sample), sample.site, name, smoothed, plain))
    return trials


SMOOTHING: Final = Study("dana-smoothing", "Smoothing by eq. 4.2 and by eq. 4.6", "DANA thesis 4.5.2", run_smoothing)


_NAMES: Final = {
    LinkFilter.NONE: "no filter (DANAg)",
    LinkFilter.FILTER_1: "Filter 1",
    LinkFilter.FILTER_2: "Filter 2",
    LinkFilter.FILTER_3: "Filter 3 (AdDANAg)",
}


@dataclass(frozen=True, slots=True)
class FiltersTrial:
    """One page: the score with each filter."""

    group: str
    scores: tuple[Score, ...]  # in the order of `LinkFilter`


@dataclass(frozen=True, slots=True)
class LinkFilters:
    """What the filters do to each kind of page."""

    trials: Trials[FiltersTrial]

    def means(self, name: str, what: str) -> tuple[float, ...]:
        """The mean recall, precision or f1 of a group with each filter."""
        scores = [[getattr(score, what) for score in trial.scores] for trial in self.trials.where(group=name)]
        return tuple(np.mean(scores, axis=0).tolist())

    def groups(self) -> list[str]:
        """Kinds of pages with enough pages."""
        return large_groups(self.trials.column("group"))

    def wins(self) -> dict[LinkFilter, int]:
        """In how many groups each of the three filters has the best F1; equals win together."""
        best = dict.fromkeys(list(LinkFilter)[1:], 0)
        for name in self.groups():
            means = dict(zip(LinkFilter, self.means(name, "f1"), strict=True))
            for link_filter in best:
                best[link_filter] += means[link_filter] >= max(means[one] for one in best) - 5e-4
        return best

    def tables(self) -> tuple[Table, ...]:
        """Tables 4.13 and 4.14, a row for each kind of page, and who wins."""
        tables = []
        for what in ("f1", "recall", "precision"):
            rows: list[tuple[Cell, ...]] = [
                (name, len(self.trials.where(group=name)), *self.means(name, what)) for name in self.groups()
            ]
            title = f"Token-LCS {what.replace('f1', 'F1')} of DANAg by link filter"
            tables.append(Table(title, ("pages of", "pages", *_NAMES.values()), tuple(rows)))
        wins = tuple((_NAMES[one], count, len(self.groups())) for one, count in self.wins().items())
        return (*tables, Table("Best of the three filters", ("filter", "best F1 in groups", "of"), wins))

    def charts(self) -> tuple[Chart, ...]:
        """F1 of each kind of page with each filter."""
        columns = list(zip(*(self.means(name, "f1") for name in self.groups()), strict=True))
        series = tuple(Series(name, values) for name, values in zip(_NAMES.values(), columns, strict=True))
        title = "DANAg by what is done about links"
        names = tuple(self.groups())
        return (Chart("dana-filters", title, "", "token-LCS F1", names, series, ChartKind.BARS),) if names else ()


def run_filters(samples: Sequence[Sample], each: Each = in_turn) -> LinkFilters:
    """Every filter on every page."""
    return LinkFilters(Trials(each(_try_filters, samples, "filters")))


def _try_filters(sample: Sample) -> FiltersTrial:
    page = Page(sample.html)
    scores = (scored(sample, page, DANAg(links=one)(page), "lcs") for one in LinkFilter)
    return FiltersTrial(group(sample), tuple(scores))


FILTERS: Final = Study(
    "dana-filters", "Link filters 1, 2 and 3 of DANAg", "DANA thesis 4.6.3, tables 4.13, 4.14", run_filters
)
