"""The pages on which a system does worst: read again, drawn with what it kept, gold beside result.

What the page sent is drawn in a sandboxed frame under a policy that runs nothing and loads nothing (`page.draw`). A
system may be anybody's, so what it kept is found on the page again by its words.

Gold beside result, word by word: what is missing and what is too much.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Final

import numpy as np

from tidings.errors import TidingsError, needs
from tidings.page import Page, Spans, tags
from tidings.page.draw import framed
from tidings_lab.corpora import Sample
from tidings_lab.experiment.comparison import SEGMENTS, Comparison, value
from tidings_lab.experiment.pool import StepPool, StepTask
from tidings_lab.experiment.rows import ResultRow
from tidings_lab.experiment.run import TIMEOUT
from tidings_lab.experiment.systems import Document, Reading, System
from tidings_lab.metrics.score import Score
from tidings_lab.metrics.texts import is_spaceless
from tidings_lab.tables import Table

#: A reader of a report looks at no more; the rest is cut off, and the report says so.
MOST_CHARACTERS: Final = 12_000
#: A result that lacks text and has too much differs less in precision and recall.
_ONE_SIDED: Final = 0.1
_PARTS: Final = re.compile(r"\w+|\W+")


def side_by_side(gold: str, result: str, language: str = "") -> tuple[str, str]:
    """Both texts as HTML: in gold what the result lacks is in `<del>`, in the result what gold lacks in `<ins>`."""
    by_character = is_spaceless(gold or result, language)
    left, right = _cut(gold, by_character), _cut(result, by_character)
    lacking, too_much = _unlike([part.lower() for part in left], [part.lower() for part in right])
    return (
        _marked(left, lacking, "del") + _rest(gold),
        _marked(right, too_much, "ins") + _rest(result),
    )


def _cut(text: str, by_character: bool) -> list[str]:
    text = text[:MOST_CHARACTERS]
    return list(text) if by_character else _PARTS.findall(text)


def _rest(text: str) -> str:
    left = len(text) - MOST_CHARACTERS
    return f'<p class="soft">{left:,} characters more</p>' if left > 0 else ""


def _unlike(gold: list[str], result: list[str]) -> tuple[set[int], set[int]]:
    """Places of words that are on one side only."""
    with needs("a report with differences", "lab"):
        from rapidfuzz.distance import Indel
    places = [number for number, part in enumerate(gold) if part[0].isalnum()]
    others = [number for number, part in enumerate(result) if part[0].isalnum()]
    lacking: set[int] = set()
    too_much: set[int] = set()
    for change in Indel.opcodes([gold[place] for place in places], [result[place] for place in others]):
        if change.tag == "delete":
            lacking.update(places[change.src_start : change.src_end])
        elif change.tag == "insert":
            too_much.update(others[change.dest_start : change.dest_end])
    return lacking, too_much


def _marked(parts: list[str], chosen: set[int], tag: str) -> str:
    return "".join(_pieces(parts, chosen, tag))


def _pieces(parts: list[str], chosen: set[int], tag: str) -> Iterator[str]:
    """Neighbouring marked words share a mark, with the signs between them."""
    inside = [_in(parts, chosen, number) for number in range(len(parts))]
    edges = [number for number in range(1, len(parts)) if inside[number] != inside[number - 1]]
    for start, end in pairwise([0, *edges, len(parts)]):
        text = escape("".join(parts[start:end]))
        yield f"<{tag}>{text}</{tag}>" if start in chosen else text


def _in(parts: list[str], chosen: set[int], number: int) -> bool:
    """Whether a part is marked; what stands between two marked words is."""
    if number in chosen:
        return True
    between = not parts[number][0].isalnum()
    return between and number - 1 in chosen and number + 1 in chosen


#: Characters of a page's source that are drawn, scripts out: a dozen pages make a file that a phone opens.
MOST_SOURCE: Final = 300_000
#: Elements that only load something. Not those that may hold text of the page for want of an end tag.
_LOADS: Final = ("script", "iframe", "img", "source", "link", "embed", "track", "input")


def worst_rows(comparison: Comparison, system: str, count: int) -> list[ResultRow]:
    """The rows of a system with the lowest scores."""
    scored = [
        (score, row)
        for row in comparison.rows
        if row.system == system and (score := value(row, comparison.measure)) is not None
    ]
    return [row for _, row in sorted(scored, key=lambda pair: (pair[0], pair[1].sample.id))[:count]]


def worst_table(comparison: Comparison, system: str, count: int) -> Table:
    """The same rows as a table without any text of the pages: what they score, and what is wrong with the result."""
    rows = []
    for row in worst_rows(comparison, system, count):
        score = row.measured.scores.get(comparison.measure)
        figures = (score.precision, score.recall) if score is not None else ("", "")
        sample = row.sample
        place = (sample.corpus or sample.file.parent.parent.name, sample.id, sample.page_type, sample.lang)
        rows.append((*place, value(row, comparison.measure), *figures, _fault(row, score)))
    columns = ("corpus", "page", "kind", "language", "F1", "precision", "recall", "what is wrong")
    return Table(f"The worst pages of {system}", columns, tuple(rows))


def _fault(row: ResultRow, score: Score | None) -> str:
    """What is wrong with a result, as far as figures tell."""
    said = "other text"
    if row.failed:
        said = row.outcome.value
    elif not row.measured.words:
        said = "nothing returned"
    elif score is not None and abs(score.precision - score.recall) > _ONE_SIDED:
        said = "too much" if score.precision < score.recall else "too little"
    return f"{said}; gold is not whole" if row.sample.is_partial else said


def worst_pages(comparison: Comparison, system: System, count: int) -> list[str]:
    """Those pages as HTML, the worst first."""
    rows = worst_rows(comparison, system.name, count)
    found = readings(system, [row.sample for row in rows])
    return ["".join(_page(row, comparison.measure, found.get(place))) for place, row in enumerate(rows)]


def readings(system: System, samples: Sequence[Sample], timeout: float = TIMEOUT) -> dict[int, Reading]:
    """What a system makes of pages, by their places; where it fails there is nothing."""
    tasks = [StepTask((place, sample), ("read",)) for place, sample in enumerate(samples)]
    with StepPool(_WorstReading(system), 1, timeout) as pool:
        return {step.item[0]: step.result for step in pool.run(tasks) if step.result is not None}


@dataclass(frozen=True, slots=True)
class _WorstReading:
    """The work of the worker."""

    system: System

    def __call__(self, item: tuple[int, Sample], steps: tuple[str, ...], /) -> Iterator[Reading]:
        for _ in steps:
            yield self.system(Document(item[1].html, item[1].url, site=item[1].site))


def _page(row: ResultRow, measure: str, reading: Reading | None) -> Iterator[str]:
    sample = row.sample
    score = value(row, measure)
    where = sample.url or sample.id
    yield f'<details class="page"><summary><b>{score:.3f}</b> {escape(sample.id)} <span class="soft">'
    yield f"{escape(' · '.join(part for part in (sample.page_type, sample.lang, where) if part))}</span></summary>"
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
    """The page in its frame, with a text marked on it."""
    try:
        source = without_loads(Page(sample.html))
        page = Page(source[:MOST_SOURCE], sample.url or None)
    except TidingsError as error:
        return f'<p class="soft">The page cannot be drawn: {escape(str(error))}</p>'
    cut = f'<p class="soft">The first {MOST_SOURCE:,} characters of the page.</p>' if len(source) > MOST_SOURCE else ""
    # The frame is filled when somebody looks: a browser lays out a dozen pages at once otherwise.
    return cut + framed(page, located(page, text), sample.id).replace(" srcdoc=", " data-page=", 1)


def located(page: Page, text: str) -> Spans:
    """Where the lines of a text stand on a page: each behind the one before, if it is there, else anywhere."""
    ranges: list[tuple[int, int]] = []
    after = 0
    for line in text.splitlines():
        wanted = " ".join(line.split()).removeprefix("- ")
        if not wanted:
            continue
        at = page.text.find(wanted, after)
        if at < 0:
            at = page.text.find(wanted)
        if at >= 0:
            after = at + len(wanted)
            ranges.append((at, after))
    return Spans.of(ranges, len(page.text))


def without_loads(page: Page) -> str:
    """A page's source without scripts, pictures, frames and foreign style sheets, which would not load anyway."""
    elements = page.elements
    chosen = np.isin(elements.tag, [tags.NUMBERS[name] for name in _LOADS])
    parts, done = [], 0
    for start, end in zip(elements.start[chosen].tolist(), elements.end[chosen].tolist(), strict=True):
        if start >= done:
            parts.append(page.source[done:start])
            done = end
    return "".join((*parts, page.source[done:]))
