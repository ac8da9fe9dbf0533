"""Smoothing over neighbouring lines or none in DANA: eq. 4.2 against eq. 4.6.

Source: DANA thesis 4.5.2: on one page of Wikipedia, DANAg improves from F1 0.516 to 0.758 without neighbours, so eq.
4.6 may be better on heavily structured pages. Here both are measured on every page, with an interval of the difference
by site, or by page if there is only one site.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from tidings.charts import Chart, ChartKind, Series
from tidings.extractors.published.dana import Smoothing
from tidings.page import Page
from tidings_lab.corpora import Sample
from tidings_lab.studies.dana_methods import ANY_LANGUAGE, BY_SCRIPT, group_keys, methods_for
from tidings_lab.studies.page_groups import group, scored
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.studies.trials import Trials
from tidings_lab.tables import Table


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
    """F1 with both equations by group and method."""

    trials: Trials[SmoothingTrial]

    def tables(self) -> tuple[Table, ...]:
        """Return a table of F1 with both equations and their difference."""
        rows = []
        for name, method in group_keys(self.trials):
            trials = self.trials.where(group=name, method=method)
            gain = trials.gain("plain", trials.column("smoothed"))
            means = trials.mean("smoothed"), trials.mean("plain")
            rows.append((name, len(trials), method, *means, gain.mean, f"{gain.low:+.3f} to {gain.high:+.3f}"))
        columns = ("pages of", "pages", "method", "eq. 4.2", "eq. 4.6", "difference", "95 % interval")
        return (Table("Token-LCS F1 by smoothing", columns, tuple(rows)),)

    def charts(self) -> tuple[Chart, ...]:
        """Return a chart of F1 with and without neighbouring lines."""
        charts = []
        for method in BY_SCRIPT | ANY_LANGUAGE:
            names = [name for name, key in group_keys(self.trials) if key == method]
            trials = [self.trials.where(group=name, method=method) for name in names]
            series = tuple(
                Series(label, tuple(group_trials.mean(what) for group_trials in trials))
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
    """Measure F1 with both equations on every page."""
    return Smoothings(Trials.of(_try_smoothing, samples, "smoothing", each))


def _try_smoothing(sample: Sample) -> list[SmoothingTrial]:
    page = Page(sample.html)
    trials = []
    for name, method in methods_for(sample.lang).items():
        smoothed, plain = (
            scored(sample, page, replace(method, smoothing=equation)(page), "lcs").f1
            for equation in (Smoothing.NEIGHBOURS, Smoothing.NONE)
        )
        trials.append(SmoothingTrial(group(sample), sample.site, name, smoothed, plain))
    return trials


SMOOTHING: Final = Study("dana-smoothing", "Smoothing by eq. 4.2 and by eq. 4.6", "DANA thesis 4.5.2", run_smoothing)
