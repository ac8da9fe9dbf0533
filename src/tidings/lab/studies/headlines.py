"""Headlines by TitleFinder in its four forms, by its baselines and rivals: found exactly or not, and how fast.

DANA thesis 5.4, table 5.4: F1 of exact matches (eq. 5.4, 5.5), its mean over sites, and KB/s. The thesis's pages all
meet a condition: the headline is part of the title element and stands on the page as a run of its own. Pages that meet
it are a column here, and so are all. Beside the forms stand the improvement of 5.5 (words of the title that the main
content does not have are not asked for), Fan's structural rival (5.1), and the choice that `tidings.extract` makes.

The main content that three of them need is the default extractor's, and its time is not counted. Speed is from bytes to
the headline, the page's columns made anew for each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Final

import numpy as np

from tidings import extractors
from tidings.charts import Chart, ChartKind, Series
from tidings.fields import title_choice
from tidings.fields.fan import fan
from tidings.fields.headline import Form, Headline, headline
from tidings.lab.corpora import Sample
from tidings.lab.metrics.fields import FieldScore, FieldVerdict, fold_typography, headline_verdict
from tidings.lab.studies.study import Each, Study, in_turn
from tidings.lab.tables import Cell, Table
from tidings.page import Page, Spans

Finds = Callable[[Page, Spans], str]


def _text(found: Headline | None) -> str:
    return found.text if found else ""


def _by(form: Form) -> Finds:
    return lambda page, _: _text(headline(page, form))


def _chosen(page: Page, content: Spans) -> str:
    found = title_choice.find(page, content)
    return found.value if found else ""


#: What is compared, in the order of table 5.4, then what came after it.
WAYS: Final[Mapping[str, Finds]] = {
    "TF": _by(Form.TF),
    "TF-IDF": _by(Form.TF_IDF),
    "OSM (eq. 5.2)": _by(Form.OSM),
    "Aggregate (eq. 5.3)": _by(Form.AGGREGATE),
    "largest heading": _by(Form.LARGEST_HEADING),
    "title element": _by(Form.TITLE_ELEMENT),
    "TF, words of the content (5.5)": lambda page, content: _text(headline(page, content=content)),
    "Fan (5.1)": lambda page, content: _text(fan(page, content)),
    "the choice": _chosen,
}


@dataclass(frozen=True, slots=True)
class HeadlineTrial:
    """One page: what became of its headline by each way, and how long that took."""

    corpus: str
    site: str
    is_eligible: bool
    size: int  # bytes
    verdicts: tuple[FieldVerdict, ...]  # in the order of WAYS
    seconds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Headlines:
    """How often each way finds the headline."""

    tried: tuple[HeadlineTrial, ...]

    def tables(self) -> tuple[Table, ...]:
        """F1 over pages and over sites, on all pages and on those of the thesis's kind, and the speed."""
        rows: list[tuple[Cell, ...]] = []
        for corpus in self._corpora():
            pages = [one for one in self.tried if one.corpus == corpus]
            eligible = [one for one in pages if one.is_eligible]
            for place, way in enumerate(WAYS):
                speed = sum(one.size for one in pages) / 1000 / max(sum(one.seconds[place] for one in pages), 1e-9)
                figures = (f1(pages, place), f1(eligible, place), macro_f1(eligible, place))
                rows.append((corpus, len(pages), len(eligible), way, *figures, round(speed)))
        columns = ("pages of", "pages", "eligible", "by", "F1, all", "F1, eligible", "macro F1, eligible", "KB/s")
        return (Table("Headlines found exactly", columns, tuple(rows)),)

    def charts(self) -> tuple[Chart, ...]:
        """The same as bars, for eligible pages and for all."""
        corpora = self._corpora()
        charts = []
        for name, title, wanted in (("all", "all pages", False), ("eligible", "pages of the thesis's kind", True)):
            pages = {
                corpus: [one for one in self.tried if one.corpus == corpus and (one.is_eligible or not wanted)]
                for corpus in corpora
            }
            series = tuple(
                Series(corpus, tuple(f1(some, place) for place in range(len(WAYS)))) for corpus, some in pages.items()
            )
            about = f"Headlines found exactly, {title}"
            charts.append(Chart(f"headlines-{name}", about, "", "F1", tuple(WAYS), series, ChartKind.BARS))
        return tuple(charts)

    def _corpora(self) -> list[str]:
        return sorted({one.corpus for one in self.tried})


def f1(pages: Sequence[HeadlineTrial], place: int) -> float:
    """F1 of one way over pages (eq. 5.5)."""
    return FieldScore.of(one.verdicts[place] for one in pages).counts.f1


def macro_f1(pages: Sequence[HeadlineTrial], place: int) -> float:
    """The mean of the sites' F1, as in the last row of table 5.4."""
    sites = {one.site for one in pages}
    return float(np.mean([f1([one for one in pages if one.site == site], place) for site in sites])) if sites else 0.0


def is_eligible(page: Page, wanted: str) -> bool:
    """Whether a headline is part of the title element and a run of its own (thesis 5.4.1)."""
    told = fold_typography(wanted)
    if not told or told not in fold_typography(page.signals.title):
        return False
    runs = page.runs
    shown = np.flatnonzero(~runs.hidden & (np.abs(runs.text_end - runs.text_start - len(wanted)) <= len(wanted)))
    return any(fold_typography(page.text[runs.text_start[one] : runs.text_end[one]]) == told for one in shown)


def run(samples: Sequence[Sample], each: Each = in_turn) -> Headlines:
    """Every way on every page whose gold has a headline."""
    told = [sample for sample in samples if str(sample.gold.get("title") or "").strip()]
    return Headlines(tuple(each(_try, told, "headlines")))


def _try(sample: Sample) -> HeadlineTrial:
    data = sample.html
    page = Page(data, sample.url or None)
    content = extractors.extractor(extractors.DEFAULT)(page)
    verdicts, seconds = [], []
    for way in WAYS.values():
        start = process_time()
        found = way(Page(data, sample.url or None), content)
        seconds.append(process_time() - start)
        verdicts.append(headline_verdict(found, sample.gold))
    corpus = sample.corpus or sample.file.parent.parent.name
    eligible = is_eligible(page, str(sample.gold["title"]))
    return HeadlineTrial(corpus, sample.site, eligible, len(data), tuple(verdicts), tuple(seconds))


STUDY: Final = Study("headlines", "TitleFinder's forms, its baselines and rivals", "DANA thesis 5.4, table 5.4", run)
