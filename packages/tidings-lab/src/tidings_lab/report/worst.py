"""The worst pages of a system, extracted again: each drawn with the extracted text marked, and compared with the ground
truth.

The page is drawn in a sandboxed frame under a policy that runs and loads nothing (`page.draw`). A system may be any
program, so its text is located on the page by its lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

import numpy as np

from tidings.errors import TidingsError
from tidings.page import Page, Spans, tags
from tidings.page.draw import framed
from tidings_lab.corpora import Sample
from tidings_lab.experiment.comparison import SEGMENTS, Comparison, value
from tidings_lab.experiment.pool import StepPool, StepTask
from tidings_lab.experiment.rows import ResultRow
from tidings_lab.experiment.run import TIMEOUT
from tidings_lab.experiment.systems import Document, Reading, System
from tidings_lab.metrics.score import Score
from tidings_lab.report.text_differences import side_by_side
from tidings_lab.tables import Table

#: Precision and recall differ by less if text is both missing and superfluous.
_ONE_SIDED: Final = 0.1
#: The maximal number of characters of a page's source to draw, so that a phone can open a dozen pages.
MOST_SOURCE: Final = 300_000
#: Elements that only load something, without those that contain text of the page if their end tag is missing.
_LOADS: Final = ("script", "iframe", "img", "source", "link", "embed", "track", "input")


def worst_rows(comparison: Comparison, system: str, count: int) -> list[ResultRow]:
    """Return the rows of a system with the lowest scores."""
    scored = [
        (score, row)
        for row in comparison.rows
        if row.system == system and (score := value(row, comparison.measure)) is not None
    ]
    return [row for _, row in sorted(scored, key=lambda pair: (pair[0], pair[1].sample.id))[:count]]


def worst_table(comparison: Comparison, system: str, count: int) -> Table:
    """Return the worst rows as a table without text of the pages: scores, and the kind of error."""
    rows = []
    for row in worst_rows(comparison, system, count):
        score = row.measured.scores.get(comparison.measure)
        figures = (score.precision, score.recall) if score is not None else ("", "")
        sample = row.sample
        metadata = (sample.corpus or sample.file.parent.parent.name, sample.id, sample.page_type, sample.lang)
        rows.append((*metadata, value(row, comparison.measure), *figures, _fault(row, score)))
    columns = ("corpus", "page", "kind", "language", "F1", "precision", "recall", "what is wrong")
    return Table(f"The worst pages of {system}", columns, tuple(rows))


def _fault(row: ResultRow, score: Score | None) -> str:
    """Return in words how a result is wrong: failed, empty, too much, too little, or other text."""
    fault = "other text"
    if row.failed:
        fault = row.outcome.value
    elif not row.measured.words:
        fault = "nothing returned"
    elif score is not None and abs(score.precision - score.recall) > _ONE_SIDED:
        fault = "too much" if score.precision < score.recall else "too little"
    return f"{fault}; gold is not whole" if row.sample.is_partial else fault


def worst_pages(comparison: Comparison, system: System, count: int) -> list[str]:
    """Return the worst pages as HTML, the worst first."""
    rows = worst_rows(comparison, system.name, count)
    texts = readings(system, [row.sample for row in rows])
    return ["".join(_page(row, comparison.measure, texts.get(place))) for place, row in enumerate(rows)]


def readings(system: System, samples: Sequence[Sample], timeout: float = TIMEOUT) -> dict[int, Reading]:
    """Run a system on pages; return its results by index of the page, without failures."""
    tasks = [StepTask((place, sample), ("read",)) for place, sample in enumerate(samples)]
    with StepPool(_WorstReading(system), 1, timeout) as pool:
        return {step.item[0]: step.result for step in pool.run(tasks) if step.result is not None}


@dataclass(frozen=True, slots=True)
class _WorstReading:
    """The work function of the worker process that runs the system on a page."""

    system: System

    def __call__(self, item: tuple[int, Sample], steps: tuple[str, ...], /) -> Iterator[Reading]:
        for _ in steps:
            yield self.system(Document(item[1].html, item[1].url, site=item[1].site))


def _page(row: ResultRow, measure: str, reading: Reading | None) -> Iterator[str]:
    """Yield the HTML of a badly extracted page: score, text differences, and the page itself."""
    sample = row.sample
    score = value(row, measure)
    location = sample.url or sample.id
    yield f'<details class="page"><summary><b>{score:.3f}</b> {escape(sample.id)} <span class="soft">'
    yield f"{escape(' · '.join(part for part in (sample.page_type, sample.lang, location) if part))}</span></summary>"
    if row.failed:
        yield f'<p class="wrong">{escape(row.outcome.value)}: {escape(row.reason)}</p>'
    text = reading.text if reading else ""
    gold = str(sample.gold.get("text") or "")
    if measure == SEGMENTS and not gold:
        gold = "\n\n".join(map(str, sample.gold.get("with") or ()))
    left, right = side_by_side(gold, text, sample.lang)
    language = escape(sample.lang)
    text_as = f'<div class="text" dir="auto" lang="{language}">'
    yield f'<div class="sides"><section><h4>Gold <del>missing</del></h4>{text_as}{left}</div></section>'
    yield f"<section><h4>{escape(row.system)} <ins>too much</ins></h4>{text_as}{right}</div></section></div>"
    yield f"{drawn(sample, text)}</details>"


def drawn(sample: Sample, text: str) -> str:
    """Return the page in a frame, with a text marked on it."""
    try:
        source = without_loads(Page(sample.html))
        page = Page(source[:MOST_SOURCE], sample.url or None)
    except TidingsError as error:
        return f'<p class="soft">The page cannot be drawn: {escape(str(error))}</p>'
    cut = f'<p class="soft">The first {MOST_SOURCE:,} characters of the page.</p>' if len(source) > MOST_SOURCE else ""
    # The frame is filled when it is opened, so that the browser does not lay out all pages at once.
    return cut + framed(page, located(page, text), sample.id).replace(" srcdoc=", " data-page=", 1)


def located(page: Page, text: str) -> Spans:
    """Return the ranges of a text's lines on a page: each after the previous one if possible, else anywhere."""
    ranges: list[tuple[int, int]] = []
    after = 0
    for line in text.splitlines():
        folded = " ".join(line.split()).removeprefix("- ")
        if not folded:
            continue
        at = page.text.find(folded, after)
        if at < 0:
            at = page.text.find(folded)
        if at >= 0:
            after = at + len(folded)
            ranges.append((at, after))
    return Spans.of(ranges, len(page.text))


def without_loads(page: Page) -> str:
    """Return a page's source without scripts, pictures, frames and external style sheets, which could not be loaded."""
    elements = page.elements
    chosen = np.isin(elements.tag, [tags.NUMBERS[name] for name in _LOADS])
    parts, position = [], 0
    for start, end in zip(elements.start[chosen].tolist(), elements.end[chosen].tolist(), strict=True):
        if start >= position:
            parts.append(page.source[position:start])
            position = end
    return "".join((*parts, page.source[position:]))
