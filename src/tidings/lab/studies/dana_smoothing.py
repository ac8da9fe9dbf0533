"""Smoothing over a line and its neighbours, or none: eq. 4.2 against eq. 4.6.

DANA thesis 4.5.2: on one page of Wikipedia, DANAg goes from F1 0.516 to 0.758 without the neighbours, so eq. 4.6 may be
the better one on heavily structured pages. Here both are measured on every page, with an interval for the difference
that draws whole sites, or pages where there is but one site.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tidings.charts import Chart, ChartKind, Series
from tidings.extractors.published.dana import Smoothing
from tidings.lab.corpora import Sample
from tidings.lab.statistics.bootstrap import interval
from tidings.lab.studies.dana_gap import ANY_LANGUAGE, BY_SCRIPT, methods_for
from tidings.lab.studies.scoring import group, large_groups, scored
from tidings.lab.studies.study import Each, Study, in_turn
from tidings.lab.studies.tables import Table
from tidings.page import Page


@dataclass(frozen=True, slots=True)
class Trial:
    """One page and one method: F1 with either equation."""

    group: str
    site: str
    method: str
    smoothed: float  # eq. 4.2
    plain: float  # eq. 4.6


@dataclass(frozen=True, slots=True)
class Smoothings:
    """What smoothing does to each kind of page."""

    trials: tuple[Trial, ...]

    def tables(self) -> tuple[Table, ...]:
        """Both equations and their difference."""
        rows = []
        for name, method in self._keys():
            trials = self._of(name, method)
            sites = [one.site for one in trials]
            gain = interval([one.plain - one.smoothed for one in trials], sites if len(set(sites)) > 1 else None)
            smoothed, plain = (float(np.mean([getattr(one, what) for one in trials])) for what in ("smoothed", "plain"))
            rows.append((name, len(trials), method, smoothed, plain, gain.mean, f"{gain.low:+.3f} to {gain.high:+.3f}"))
        columns = ("pages of", "pages", "method", "eq. 4.2", "eq. 4.6", "difference", "95 % interval")
        return (Table("Token-LCS F1 by smoothing", columns, tuple(rows)),)

    def charts(self) -> tuple[Chart, ...]:
        """What the page gains when neighbours do not count."""
        charts = []
        for method in BY_SCRIPT | ANY_LANGUAGE:
            names = [name for name, key in self._keys() if key == method]
            trials = [self._of(name, method) for name in names]
            series = tuple(
                Series(label, tuple(float(np.mean([getattr(one, what) for one in some])) for some in trials))
                for label, what in (("eq. 4.2 (neighbours)", "smoothed"), ("eq. 4.6 (none)", "plain"))
            )
            if len(names) > 1:
                title = f"{method} by smoothing"
                chart = Chart(
                    f"dana-smoothing-{method}", title, "", "token-LCS F1", tuple(names), series, ChartKind.BARS
                )
                charts.append(chart)
        return tuple(charts)

    def _keys(self) -> list[tuple[str, str]]:
        kept = large_groups([trial.group for trial in self.trials if trial.method == "danag"])
        methods = list(BY_SCRIPT | ANY_LANGUAGE)
        there = {(trial.group, trial.method) for trial in self.trials}
        return [(name, method) for name in kept for method in methods if (name, method) in there]

    def _of(self, name: str, method: str) -> list[Trial]:
        return [trial for trial in self.trials if trial.group == name and trial.method == method]


def run(samples: Sequence[Sample], each: Each = in_turn) -> Smoothings:
    """Both equations on every page."""
    return Smoothings(tuple(trial for trials in each(_try, samples, "smoothing") for trial in trials))


def _try(sample: Sample) -> list[Trial]:
    page = Page(sample.html)
    trials = []
    for name, method in methods_for(sample.lang).items():
        smoothed, plain = (
            scored(sample, page, replace(method, smoothing=one)(page), "lcs").f1
            for one in (Smoothing.NEIGHBOURS, Smoothing.NONE)
        )
        trials.append(Trial(group(sample), sample.site, name, smoothed, plain))
    return trials


STUDY: Final = Study("dana-smoothing", "Smoothing by eq. 4.2 and by eq. 4.6", "DANA thesis 4.5.2", run)
