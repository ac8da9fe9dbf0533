"""A comparison as one HTML file: sortable tables, charts, and the worst pages. It loads nothing.

The content security policy allows only the file's own script, no requests and no forms. Without scripts everything is
readable, but tables do not sort and pages are not drawn.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Final

from tidings_lab.experiment.comparison import Comparison
from tidings_lab.experiment.rows import ResultRow
from tidings_lab.experiment.systems import System
from tidings_lab.report.charts import charts
from tidings_lab.report.tables import TITLES, tables
from tidings_lab.report.worst import worst_pages
from tidings_lab.tables import Cell, Table

STYLE: Final = Path(__file__).with_name("report.css").read_text("utf-8")
#: Sorts tables by column: numbers by size, other cells alphabetically, empty cells last; largest first.
SCRIPT: Final = Path(__file__).with_name("report.js").read_text("utf-8")
#: The number of failures to list; `--rows` has all.
MOST_FAILURES = 200


def html_report(
    comparison: Comparison, systems: Sequence[System], *, worst: int = 12, extra: Sequence[Table] = ()
) -> str:
    """Return the HTML file.

    Args:
        comparison: the comparison to show.
        systems: the compared systems; the worst pages are those of the first.
        worst: the number of worst pages.
        extra: further tables.
    """
    first = next(system for system in systems if system.name == comparison.first)
    return "".join(_parts(comparison, worst_pages(comparison, first, worst) if worst else [], extra))


def policy() -> str:
    """Return the content security policy: only the file's own script and styles, and inline pictures."""
    script = b64encode(sha256(SCRIPT.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{script}'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _parts(comparison: Comparison, pages: Sequence[str], extra: Sequence[Table]) -> Iterator[str]:
    title = f"{len(comparison.lines)} systems on {', '.join(comparison.corpora) or 'pages'}"
    yield f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy()}">'
    yield '<meta name="viewport" content="width=device-width,initial-scale=1">'
    yield '<meta name="referrer" content="no-referrer">'
    yield f"<style>{STYLE}</style></head><body>"
    yield f"<header><h1>{escape(title)}</h1><p>{_lead(comparison)}</p></header><main>"
    all_tables = [*tables(comparison), *extra]
    yield _table(all_tables[0])
    yield f'<div class="charts">{"".join(charts(comparison))}</div>'
    yield from map(_table, all_tables[1:])
    if comparison.failures:
        yield from _failures(comparison.failures)
    if pages:
        yield f'<h2>The worst pages of {escape(comparison.first)}</h2><p class="soft">Open one: gold beside the '
        yield f"result, and the page with what was kept marked on it.</p>{''.join(pages)}"
    yield f"</main><script>{SCRIPT}</script></body></html>"


def _lead(comparison: Comparison) -> str:
    best = comparison.lines[0]
    text = (
        f"{comparison.pages:,} pages. Best by {TITLES[comparison.measure]}: <b>{escape(best.system)}</b> with "
        f"<b>{best.summary.mean:.3f}</b> ({best.summary.low:.3f}–{best.summary.high:.3f}). Differences are from "
        f"<b>{escape(comparison.first)}</b>; * means p &lt; 0.05 (permutation test by site)."
    )
    empty = best.summary.empty_gold
    return text + (f" {empty} pages with empty gold are in no mean." if empty else "")


def _table(table: Table) -> str:
    heads = "".join(
        f'<th scope="col" aria-sort="none"><button type="button">{escape(name)}</button></th>' for name in table.columns
    )
    rows = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in table.rows)
    return (
        f'<h2>{escape(table.title)}</h2><div class="wide"><table class="sorts"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return f"<td>{escape(cell)}</td>"
    return f'<td class="n" data-value="{cell!r}">{f"{cell:.3f}" if isinstance(cell, float) else cell}</td>'


def _failures(failures: Sequence[ResultRow]) -> Iterator[str]:
    yield f'<details class="failures"><summary>{len(failures)} failures</summary><div class="wide"><table><tbody>'
    for row in failures[:MOST_FAILURES]:
        cells = (row.system, row.sample.id, row.outcome.value, row.reason)
        yield f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
    more = len(failures) - MOST_FAILURES
    yield f"</tbody></table></div>{f'<p>and {more} more</p>' if more > 0 else ''}</details>"
