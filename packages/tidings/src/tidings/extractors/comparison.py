"""A comparison of extractors on one page: a table, and an HTML file that shows two of them next to each other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from time import perf_counter

import numpy as np

from tidings.charts import profile_svg
from tidings.extractors import entries, extractor
from tidings.extractors.combine import tally
from tidings.extractors.registry import Pictured
from tidings.page import Page, Spans
from tidings.page.draw import NO_PICTURES, POLICY


@dataclass(frozen=True, slots=True)
class ExtractorRow:
    """The result of an extractor on a page."""

    name: str
    spans: Spans
    words: int
    agreement: float  # with the majority of all: F1 over characters
    milliseconds: float


def compare(page: Page, names: list[str] | None = None) -> list[ExtractorRow]:
    """Run extractors on a page, by default all registered ones; sort them by agreement with the majority vote."""
    results = [_timed(page, name) for name in names or [entry.name for entry in entries()]]
    majority = tally([spans for _, spans, _ in results], (1.0,) * len(results), None, len(page.text))
    rows = [
        ExtractorRow(name, spans, len(spans.words(page)), _agreement(spans, majority), elapsed)
        for name, spans, elapsed in results
    ]
    return sorted(rows, key=lambda row: -row.agreement)


def _timed(page: Page, name: str) -> tuple[str, Spans, float]:
    method = extractor(name)
    spans = method(page)  # once before the measurement, to fill shared caches
    begin = perf_counter()
    method(page)
    return name, spans, (perf_counter() - begin) * 1000


def _agreement(result: Spans, majority: Spans) -> float:
    total = result.characters + majority.characters
    return 2 * (result & majority).characters / total if total else 1.0


def report(page: Page, rows: list[ExtractorRow]) -> str:
    """Return a self-contained HTML file, which runs no script of the page and loads nothing."""
    table = "".join(
        f'<tr><td>{escape(row.name)}</td><td class="n">{row.words}</td><td class="n">{row.agreement:.2f}</td>'
        f'<td class="n">{row.milliseconds:.1f}</td></tr>'
        for row in rows
    )
    options = "".join(
        f'<option value="{number}">{escape(row.name)} ({row.words} words)</option>' for number, row in enumerate(rows)
    )
    document = json.dumps("".join(_document(page, rows))).replace("<", "\\u003c")
    where = escape(page.url or "page")
    side = f'<section><select aria-label="extractor">{options}</select><iframe sandbox="allow-same-origin" title="the page"></iframe></section>'
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Extractors on {where}</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><style>{_STYLE}</style></head><body>'
        f"<h1>{where}</h1><p>Choose an extractor on either side; what it keeps is marked on the page.</p>"
        f'<div class="sides">{side}{side}</div><noscript>Switching needs JavaScript; the table and the pictures do not.</noscript>'
        f"<h2>Table</h2><table><tr><th>extractor</th><th>words selected</th><th>agreement with the vote</th><th>ms</th></tr>{table}</table>"
        f"<h2>How the methods see the page</h2>{''.join(_pictures(page, rows))}"
        f'<script type="application/json" id="page">{document}</script><script>{_SCRIPT}</script></body></html>'
    )


def _pictures(page: Page, rows: list[ExtractorRow]) -> Iterator[str]:
    for row in rows:
        method = extractor(row.name)
        if isinstance(method, Pictured):
            yield f"<figure><figcaption>{escape(row.name)}</figcaption>{profile_svg(method.picture(page))}</figure>"


def _document(page: Page, rows: list[ExtractorRow]) -> Iterator[str]:
    """Yield the page's source with an element around each piece of text; its classes are the extractors that select the
    piece.
    """
    yield f'<!DOCTYPE html><meta http-equiv="Content-Security-Policy" content="{POLICY}"><style>{NO_PICTURES}</style>'
    edges = np.unique(
        np.concatenate(
            [places for row in rows for places in (row.spans.starts, row.spans.ends)] + [np.empty(0, np.int64)]
        )
    )
    pieces = Spans.union(edges[:-1], edges[1:], len(page.text)) if len(edges) else Spans.none(len(page.text))
    selections = [row.spans.covers(edges) for row in rows]
    position = 0
    for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        classes = " ".join(
            f"t{number}" for number in range(len(rows)) if selections[number][np.searchsorted(edges, start)]
        )
        if not classes:
            continue
        for source_start, source_end in (Spans.of([(start, end)], pieces.size)).source_ranges(page):
            yield page.source[position:source_start]
            yield f'<mark class="{classes}" style="background:none;color:inherit">{page.source[source_start:source_end]}</mark>'
            position = source_end
    yield page.source[position:]


_STYLE = Path(__file__).with_name("comparison.css").read_text("utf-8")

# The frames run no script of the page (sandbox, policy); this script writes a style sheet into them.
_SCRIPT = Path(__file__).with_name("comparison.js").read_text("utf-8")
