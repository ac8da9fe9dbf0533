"""Link filters of DANAg: no filter, and Filters 1, 2 and 3.

Source: DANA thesis 4.6.3, tables 4.13 and 4.14: Filter 3 has the best F1 on 18 of 22 sites, Filter 2 the worst; Filter
1 loses the link texts of the story, and so recall.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.charts import Chart, ChartKind, Series
from tidings.extractors.published.dana import DANAg, LinkFilter
from tidings.page import Page
from tidings_lab.corpora import Sample
from tidings_lab.metrics.score import Score
from tidings_lab.studies.page_groups import group, large_groups, scored
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.studies.trials import Trials
from tidings_lab.tables import Cell, Table

_NAMES: Final = {
    LinkFilter.NONE: "no filter (DANAg)",
    LinkFilter.FILTER_1: "Filter 1",
    LinkFilter.FILTER_2: "Filter 2",
    LinkFilter.FILTER_3: "Filter 3 (AdDANAg)",
}


@dataclass(frozen=True, slots=True)
class FiltersTrial:
    """The scores of a page with each link filter."""

    group: str
    scores: tuple[Score, ...]  # in the order of `LinkFilter`


@dataclass(frozen=True, slots=True)
class LinkFilters:
    """Scores with each filter by group."""

    trials: Trials[FiltersTrial]

    def means(self, name: str, what: str) -> tuple[float, ...]:
        """Return the mean recall, precision or F1 of a group of pages with each filter."""
        scores = [[getattr(score, what) for score in trial.scores] for trial in self.trials.where(group=name)]
        return tuple(np.mean(scores, axis=0).tolist())

    def groups(self) -> list[str]:
        """Return the groups that have enough pages."""
        return large_groups(self.trials.column("group"))

    def wins(self) -> dict[LinkFilter, int]:
        """Return in how many groups each of the three filters has the best F1, including ties."""
        best = dict.fromkeys(list(LinkFilter)[1:], 0)
        for name in self.groups():
            means = dict(zip(LinkFilter, self.means(name, "f1"), strict=True))
            for link_filter in best:
                best[link_filter] += means[link_filter] >= max(means[other] for other in best) - 5e-4
        return best

    def tables(self) -> tuple[Table, ...]:
        """Return tables 4.13 and 4.14 with a row per group, and the number of wins of each filter."""
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
        """Return a chart of F1 by group and filter."""
        columns = list(zip(*(self.means(name, "f1") for name in self.groups()), strict=True))
        series = tuple(Series(name, values) for name, values in zip(_NAMES.values(), columns, strict=True))
        title = "DANAg by what is done about links"
        names = tuple(self.groups())
        return (Chart("dana-filters", title, "", "token-LCS F1", names, series, ChartKind.BARS),) if names else ()


def run_filters(samples: Sequence[Sample], each: Each = in_turn) -> LinkFilters:
    """Measure every filter on every page."""
    return LinkFilters(Trials(each(_try_filters, samples, "filters")))


def _try_filters(sample: Sample) -> FiltersTrial:
    page = Page(sample.html)
    scores = (scored(sample, page, DANAg(links=one)(page), "lcs") for one in LinkFilter)
    return FiltersTrial(group(sample), tuple(scores))


FILTERS: Final = Study(
    "dana-filters", "Link filters 1, 2 and 3 of DANAg", "DANA thesis 4.6.3, tables 4.13, 4.14", run_filters
)
