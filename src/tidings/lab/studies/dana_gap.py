"""The optimal gap of R2L, DANA, DANAg and AdDANAg, for each kind of page.

DANA thesis 4.3.6, table 4.3: R2L with gap 8 and with the best gap of each site, which is 3 to 16 and mostly near 8;
4.4.2: DANA with gap 20, and on Wikipedia with 160, where F1 goes from under 0.7 to 0.857. The best gap of some pages,
found on these pages, is an upper bound; beside it stands what a gap scores that was chosen on other pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tidings.charts import Chart, Series
from tidings.extractors.published.dana import DANA, R2L, AdDANAg, DANAg
from tidings.lab.corpora import Sample
from tidings.lab.studies.scoring import group, large_groups, own_headline, scored
from tidings.lab.studies.study import Each, Study, in_turn
from tidings.lab.studies.tables import Table
from tidings.lab.validation import BestColumn, Row, cross_validate, grouped_k_fold, k_fold, mean, score_of
from tidings.page import Page
from tidings.text import base_language

GAPS: Final = (*range(31), 35, 40, 50, 60, 80, 100, 120, 160, 200, 300, 400, 600, 1000)
FOLDS: Final = 5
_LINES: Final = 7  # more cannot be told apart in one picture
_RIGHT_TO_LEFT: Final = frozenset({"ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"})

Method = R2L | DANA | DANAg | AdDANAg
ANY_LANGUAGE: Final[dict[str, Method]] = {"danag": DANAg(), "addanag": AdDANAg()}
BY_SCRIPT: Final[dict[str, Method]] = {"r2l": R2L(), "dana": DANA()}


def methods_for(language: str) -> dict[str, Method]:
    """The methods that can read a language: two of them know content by its right-to-left characters."""
    return BY_SCRIPT | ANY_LANGUAGE if base_language(language) in _RIGHT_TO_LEFT else ANY_LANGUAGE


@dataclass(frozen=True, slots=True)
class Trial:
    """One page and one method: token-LCS F1 for each gap."""

    group: str
    method: str
    row: Row


@dataclass(frozen=True, slots=True)
class Gaps:
    """What the sweep found."""

    trials: tuple[Trial, ...]

    def rows(self, name: str, method: str) -> list[Row]:
        """The pages of a group under a method."""
        return [trial.row for trial in self.trials if trial.group == name and trial.method == method]

    def curve(self, name: str, method: str) -> tuple[float, ...]:
        """Mean F1 of a group for each gap."""
        return tuple(np.mean([row.scores for row in self.rows(name, method)], axis=0).tolist())

    def keys(self) -> list[tuple[str, str]]:
        """Each group with each of its methods."""
        order = list(BY_SCRIPT | ANY_LANGUAGE)
        kept = set(large_groups([trial.group for trial in self.trials if trial.method == "danag"]))
        found = {(trial.group, trial.method) for trial in self.trials if trial.group in kept}
        return sorted(found, key=lambda key: (key[0], order.index(key[1])))

    def tables(self) -> tuple[Table, ...]:
        """Table 4.3, for every kind of page and every method."""
        written = []
        for name, method in self.keys():
            curve, rows = self.curve(name, method), self.rows(name, method)
            gap = (BY_SCRIPT | ANY_LANGUAGE)[method].gap
            best = int(np.argmax(curve))
            figures = (curve[GAPS.index(gap)], GAPS[best], curve[best], _chosen_elsewhere(rows))
            written.append((name, len(rows), f"{method} ({gap})", *figures))
        columns = ("pages of", "pages", "method (its gap)", "F1", "best gap", "F1 with it", "F1, gap chosen elsewhere")
        return (Table("Token-LCS F1 by gap (DANA thesis, table 4.3)", columns, tuple(written)),)

    def charts(self) -> tuple[Chart, ...]:
        """F1 against the gap, a line for each of the kinds of page with most pages."""
        charts = []
        for method, made in (BY_SCRIPT | ANY_LANGUAGE).items():
            names = sorted((name for name, key in self.keys() if key == method), key=lambda one: -self._pages(one))
            series = [Series(name, self.curve(name, method)) for name in names[:_LINES]]
            title = f"{method} by the widest gap that is bridged"
            marked = ((made.gap, f"thesis: {made.gap}"),)
            if series:
                name, x, y = f"dana-gap-{method}", "gap in lines", "token-LCS F1"
                charts.append(Chart(name, title, x, y, GAPS, tuple(series), marked=marked, logarithmic=True))
        return tuple(charts)

    def _pages(self, name: str) -> int:
        return len(self.rows(name, "danag"))


def run(samples: Sequence[Sample], each: Each = in_turn) -> Gaps:
    """Every gap on every page."""
    return Gaps(tuple(trial for trials in each(_try, samples, "gaps") for trial in trials))


def _try(sample: Sample) -> list[Trial]:
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
        trials.append(Trial(group(sample), name, Row(sample.site, tuple(scores))))
    return trials


def _chosen_elsewhere(rows: list[Row]) -> float:
    """Mean F1 when the gap of a page is the best one on other sites; on other pages, where there is one site."""
    several = len({row.site for row in rows}) > 1
    splits = grouped_k_fold(rows, FOLDS) if several else k_fold(rows, FOLDS)
    return mean(cross_validate(BestColumn(), splits, score_of))


STUDY: Final = Study("dana-gap", "The optimal gap for each kind of page", "DANA thesis 4.3.6, table 4.3; 4.4.2", run)
