"""All extractors on one page: a table, and one HTML file that shows them side by side on the page."""

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
    """What one extractor made of the page."""

    name: str
    spans: Spans
    words: int
    agreement: float  # with the majority of all: F1 over characters
    milliseconds: float


def compare(page: Page, names: list[str] | None = None) -> list[ExtractorRow]:
    """Run extractors on a page, all registered ones unless some are named; those nearest the vote first."""
    results = [_timed(page, name) for name in names or [entry.name for entry in entries()]]
    majority = tally([spans for _, spans, _ in results], (1.0,) * len(results), None, len(page.text))
    rows = [
        ExtractorRow(name, spans, len(spans.words(page)), _agreement(spans, majority), elapsed)
        for name, spans, elapsed in results
    ]
    return sorted(rows, key=lambda row: -row.agreement)


def _timed(page: Page, name: str) -> tuple[str, Spans, float]:
    method = extractor(name)
    spans = method(page)  # once before, for columns and word lists that others share
    begin = perf_counter()
    method(page)
    return name, spans, (perf_counter() - begin) * 1000


def _agreement(one: Spans, other: Spans) -> float:
    total = one.characters + other.characters
    return 2 * (one & other).characters / total if total else 1.0


def report(page: Page, rows: list[ExtractorRow]) -> str:
    """One self-contained HTML file; nothing of the page runs in it, and nothing is fetched."""
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
        f"<h2>Table</h2><table><tr><th>extractor</th><th>words kept</th><th>agreement with the vote</th><th>ms</th></tr>{table}</table>"
        f"<h2>How the methods see the page</h2>{''.join(_pictures(page, rows))}"
        f'<script type="application/json" id="page">{document}</script><script>{_SCRIPT}</script></body></html>'
    )


def _pictures(page: Page, rows: list[ExtractorRow]) -> Iterator[str]:
    for row in rows:
        method = extractor(row.name)
        if isinstance(method, Pictured):
            yield f"<figure><figcaption>{escape(row.name)}</figcaption>{profile_svg(method.picture(page))}</figure>"


def _document(page: Page, rows: list[ExtractorRow]) -> Iterator[str]:
    """The page's source with a mark around each piece of text, saying which extractors keep it."""
    yield f'<!DOCTYPE html><meta http-equiv="Content-Security-Policy" content="{POLICY}"><style>{NO_PICTURES}</style>'
    edges = np.unique(
        np.concatenate(
            [places for row in rows for places in (row.spans.starts, row.spans.ends)] + [np.empty(0, np.int64)]
        )
    )
    pieces = Spans.union(edges[:-1], edges[1:], len(page.text)) if len(edges) else Spans.none(len(page.text))
    kept = [row.spans.covers(edges) for row in rows]
    done = 0
    for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        keepers = " ".join(f"t{number}" for number in range(len(rows)) if kept[number][np.searchsorted(edges, start)])
        if not keepers:
            continue
        for source_start, source_end in (Spans.of([(start, end)], pieces.size)).source_ranges(page):
            yield page.source[done:source_start]
            yield f'<mark class="{keepers}" style="background:none;color:inherit">{page.source[source_start:source_end]}</mark>'
            done = source_end
    yield page.source[done:]


_STYLE = Path(__file__).with_name("comparison.css").read_text("utf-8")

# The frames hold no script of the page (sandbox, policy); this one of ours writes a style sheet into them.
_SCRIPT = Path(__file__).with_name("comparison.js").read_text("utf-8")
