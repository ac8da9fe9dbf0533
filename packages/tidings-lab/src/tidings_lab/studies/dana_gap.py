"""The optimal gap of R2L, DANA, DANAg and AdDANAg for each kind of page.

Source: DANA thesis 4.3.6, table 4.3: R2L with gap 8 and with the best gap of each site, which is 3 to 16 and mostly
near 8; 4.4.2: DANA with gap 20, and on Wikipedia with 160, where F1 rises from below 0.7 to 0.857. The best gap on the
same pages is an upper bound; the tables also have the score of a gap chosen on other pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tidings.charts import Chart, Series
from tidings.extractors.published.dana import AdaptiveAdDANAg
from tidings.page import Page
from tidings_lab.corpora import Sample
from tidings_lab.studies.dana_methods import ANY_LANGUAGE, BY_SCRIPT, group_keys, methods_for
from tidings_lab.studies.page_groups import group, own_headline, scored
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.studies.trials import Trials
from tidings_lab.tables import Table
from tidings_lab.validation import BestColumn, ScoreRow, cross_validate, grouped_k_fold, k_fold, mean, score_of

GAPS: Final = (*range(31), 35, 40, 50, 60, 80, 100, 120, 160, 200, 300, 400, 600, 1000)
FOLDS: Final = 5
ADAPT: Final = AdaptiveAdDANAg().adapt
_LINES: Final = 7  # more lines are indistinguishable in one chart


@dataclass(frozen=True, slots=True)
class GapTrial:
    """The token-LCS F1 of a method on a page, for each gap."""

    group: str
    method: str
    row: ScoreRow
    adapted: float = 0.0  # with the gap that adapts to the page


@dataclass(frozen=True, slots=True)
class Gaps:
    """F1 by gap, method and group of pages."""

    trials: Trials[GapTrial]

    def curve(self, name: str, method: str) -> tuple[float, ...]:
        """Return the mean F1 of a group for each gap."""
        return self.trials.where(group=name, method=method).means("row.scores")

    def tables(self) -> tuple[Table, ...]:
        """Return table 4.3 for every group of pages and every method."""
        written = []
        for name, method in group_keys(self.trials):
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
        """Return charts of F1 by gap, with a line for each of the largest groups."""
        charts = []
        for method, instance in (BY_SCRIPT | ANY_LANGUAGE).items():
            names = sorted(
                (name for name, key in group_keys(self.trials) if key == method),
                key=lambda group_name: -len(self.trials.where(group=group_name, method="danag")),
            )
            series = [Series(name, self.curve(name, method)) for name in names[:_LINES]]
            title = f"{method} by the widest gap that is bridged"
            marked = ((instance.gap, f"thesis: {instance.gap}"),)
            if series:
                name, x, y = f"dana-gap-{method}", "gap in lines", "token-LCS F1"
                charts.append(Chart(name, title, x, y, GAPS, tuple(series), marked=marked, logarithmic=True))
        return tuple(charts)


def run_gap(samples: Sequence[Sample], each: Each = in_turn) -> Gaps:
    """Measure every gap on every page."""
    return Gaps(Trials.of(_try, samples, "gaps", each))


def _try(sample: Sample) -> list[GapTrial]:
    page = Page(sample.html)
    headline = own_headline(sample, page)
    trials = []
    for name, method in methods_for(sample.lang).items():
        score_of: dict[tuple[bytes, bytes], float] = {}  # most gaps give the same text as others
        scores = []
        for gap in GAPS:
            spans = replace(method, gap=gap)(page)
            key = spans.starts.tobytes(), spans.ends.tobytes()
            if key not in score_of:
                score_of[key] = scored(sample, page, spans, "lcs", headline).f1
            scores.append(score_of[key])
        adapted = scored(sample, page, replace(method, adapt=ADAPT)(page), "lcs", headline).f1
        trials.append(GapTrial(group(sample), name, ScoreRow(sample.site, tuple(scores)), adapted))
    return trials


def _chosen_elsewhere(rows: list[ScoreRow]) -> float:
    """Return the mean F1 if the gap for each page is the best gap of other sites.

    With only one site, it is the best of other pages.
    """
    has_sites = len({row.site for row in rows}) > 1
    splits = grouped_k_fold(rows, FOLDS) if has_sites else k_fold(rows, FOLDS)
    return mean(cross_validate(BestColumn(), splits, score_of))


GAP: Final = Study("dana-gap", "The optimal gap for each kind of page", "DANA thesis 4.3.6, table 4.3; 4.4.2", run_gap)
