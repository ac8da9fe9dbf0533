"""A comparison as one HTML file: tables that sort, charts, the worst pages. It needs nothing else and fetches nothing.

The policy in its head allows the one script below and no other, no request of any kind, and no form. Without scripts
all can be read; tables do not sort, and pages are not drawn.

How a report looks and what its one script does.

Charts of a comparison as inline SVG: they need nothing else, follow the reader's colours, and say their figures.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from math import ceil, floor, log10
from pathlib import Path
from statistics import median
from typing import Final

from tidings.charts import PALETTE, Axis, picture, text, tip
from tidings_lab.experiment.comparison import Comparison, SystemLine, value
from tidings_lab.experiment.rows import ResultRow
from tidings_lab.experiment.systems import System
from tidings_lab.report.tables import TITLES, tables
from tidings_lab.report.worst import worst_pages
from tidings_lab.tables import Cell, Table

STYLE: Final = Path(__file__).with_name("report.css").read_text("utf-8")

#: Sorting by a column: numbers by size, the rest by letters, what is empty last; the first click: largest first.
SCRIPT: Final = Path(__file__).with_name("report.js").read_text("utf-8")


_WIDTH, _ROW, _LEFT, _RIGHT, _TOP = 760, 24, 190, 60, 30
_BINS: Final = 20
_COLOURS: Final = PALETTE[:-1]  # black is lost on dark paper
_SOFT: Final = ' class="soft"'
_along: Final = Axis(0, 1, _LEFT, _WIDTH - _RIGHT)


def charts(comparison: Comparison) -> list[str]:
    """All that the comparison has figures for."""
    found = [bars(comparison), distribution(comparison)]
    if sum(line.pace is not None for line in comparison.lines) > 1:
        found.append(scatter(comparison))
    kinds = dict.fromkeys(group.kind for group in comparison.groups)
    return [*found, *(by_group(comparison, kind) for kind in kinds)]


def bars(comparison: Comparison) -> str:
    """Mean of each system with its interval."""
    lines, title = comparison.lines, f"Mean {TITLES[comparison.measure]} with 95 % interval"
    parts = [*_scale(len(lines))]
    for row, line in enumerate(lines):
        y, found = _TOP + row * _ROW, line.summary
        what = f"{line.system}: {found.mean:.3f}, between {found.low:.3f} and {found.high:.3f}"
        middle, low, high = y + _ROW / 2, _along(found.low), _along(found.high)
        parts.append(
            f'<g>{tip(what)}<rect x="{_LEFT}" y="{y + 4}" width="{_along(found.mean) - _LEFT:.1f}" '
            f'height="{_ROW - 8}" class="{_mark(line, comparison)}" rx="2"/>'
            f'<path d="M{low:.1f} {middle}H{high:.1f}M{low:.1f} {middle - 4}v8M{high:.1f} {middle - 4}v8" '
            'class="whisker"/>'
            f"{_name(line.system, y)}"
            f"{text(_WIDTH - 4, middle + 4, f'{found.mean:.3f}', 'end')}</g>"
        )
    return _figure(title, parts, _TOP + len(lines) * _ROW + 8)


def distribution(comparison: Comparison) -> str:
    """The pages of each system by their score: the darker, the more of them; a line at the median."""
    scores: dict[str, list[float]] = {line.system: [] for line in comparison.lines}
    for row in comparison.rows:
        if (score := value(row, comparison.measure)) is not None:
            scores[row.system].append(score)
    parts = [*_scale(len(comparison.lines))]
    step = (_along(1) - _LEFT) / _BINS
    for place, (system, found) in enumerate(scores.items()):
        y = _TOP + place * _ROW
        parts.append(_name(system, y))
        counts = [0] * _BINS
        for score in found:
            counts[min(int(score * _BINS), _BINS - 1)] += 1
        most = max(counts, default=0)
        for bin_, count in enumerate(counts):
            if count:
                what = f"{system}: {count} pages from {bin_ / _BINS:.2f} to {(bin_ + 1) / _BINS:.2f}"
                # The root, so that a few pages are seen beside many.
                parts.append(
                    f'<rect x="{_LEFT + bin_ * step:.1f}" y="{y + 3}" width="{step - 1:.1f}" height="{_ROW - 6}" '
                    f'class="bar" opacity="{0.12 + 0.88 * (count / most) ** 0.5:.2f}">{tip(what)}</rect>'
                )
        if found:
            at = _along(median(found))
            parts.append(f'<path d="M{at:.1f} {y + 1}v{_ROW - 2}" class="whisker strong"/>')
    title = f"Pages by {TITLES[comparison.measure]}; the line is the median"
    return _figure(title, parts, _TOP + len(scores) * _ROW + 8)


def scatter(comparison: Comparison) -> str:
    """Speed against accuracy: up is better, left is faster."""
    timed = [(line, line.pace.mean) for line in comparison.lines if line.pace is not None and line.pace.mean > 0]
    low, high = floor(log10(min(time for _, time in timed))), ceil(log10(max(time for _, time in timed)))
    high = max(high, low + 1)
    height, bottom = 380, 340
    floor_ = min(0.9, max(0.0, min(line.summary.mean for line, _ in timed) - 0.05))

    across, up = Axis(low, high, 60, _WIDTH - 130), Axis(floor_, 1, bottom, _TOP)
    parts = []
    for power in range(low, high + 1):
        x = across(power)
        parts.append(f'<path d="M{x:.1f} {_TOP}V{bottom}" class="grid"/>')
        parts.append(text(x, bottom + 16, f"{10.0**power:g}", "middle", _SOFT))
    for tenth in range(ceil(floor_ * 10), 11):
        y = up(tenth / 10)
        parts.append(f'<path d="M60 {y:.1f}H{_WIDTH - 130}" class="grid"/>')
        parts.append(text(52, y + 4, f"{tenth / 10:.1f}", "end", _SOFT))
    parts.append(text(60, height - 6, "milliseconds a page, whole (processor time)", more=_SOFT))
    points = sorted((up(line.summary.mean), across(log10(time)), line, time) for line, time in timed)
    above = -99.0
    for y, x, line, time in points:
        label = max(y + 4, above + 12)  # names do not lie on each other
        above = label
        what = f"{line.system}: {line.summary.mean:.3f} in {time:.1f} ms"
        parts.append(
            f'<g>{tip(what)}<circle cx="{x:.1f}" cy="{y:.1f}" r="5" class="{_mark(line, comparison)}"/>'
            f"{text(x + 9, label, line.system)}</g>"
        )
    return _figure(f"Speed against {TITLES[comparison.measure]}", parts, max(height, int(above) + 10))


def by_group(comparison: Comparison, kind: str) -> str:
    """The systems that matter most (the first, the rival, the best) on each type or language."""
    wanted = dict.fromkeys([comparison.first, comparison.rival, *(line.system for line in comparison.lines)])
    shown = list(wanted)[: len(_COLOURS)]
    groups = [group for group in comparison.groups if group.kind == kind]
    legend = 16 * ceil(len(shown) / 3) + 8
    parts = [*_scale(len(groups), legend)]
    for place, system in enumerate(shown):
        x, y = _LEFT + 180 * (place % 3), 14 + 16 * (place // 3)
        parts.append(f'<circle cx="{x}" cy="{y - 4}" r="5" fill="{_COLOURS[place]}"/>')
        parts.append(text(x + 9, y, _short(system)))
    for row, group in enumerate(groups):
        y = _TOP + legend + row * _ROW
        parts.append(_name(f"{group.name} ({group.pages})", y))
        scores = [group.means[system] for system in shown if system in group.means]
        middle = y + _ROW / 2
        parts.append(f'<path d="M{_along(min(scores)):.1f} {middle}H{_along(max(scores)):.1f}" class="grid"/>')
        for place, system in reversed(list(enumerate(shown))):
            if system in group.means:
                score = group.means[system]
                parts.append(
                    f'<circle cx="{_along(score):.1f}" cy="{middle}" r="5.5" fill="{_COLOURS[place]}" opacity=".85">'
                    f"{tip(f'{system} on {group.name}: {score:.3f}')}</circle>"
                )
    return _figure(f"{TITLES[comparison.measure]} by {kind} (pages)", parts, _TOP + legend + len(groups) * _ROW + 8)


def _scale(rows: int, moved: int = 0) -> Sequence[str]:
    """Upright lines at every fifth of the way from 0 to 1."""
    top = _TOP + moved
    return [
        f'<path d="M{_along(fifth / 5):.1f} {top - 4}V{top + rows * _ROW}" class="grid"/>'
        f"{text(_along(fifth / 5), top - 9, f'{fifth / 5:g}', 'middle', _SOFT)}"
        for fifth in range(6)
    ]


def _name(name: str, y: float) -> str:
    return f'<text x="{_LEFT - 8}" y="{y + _ROW / 2 + 4}" text-anchor="end">{tip(name)}{escape(_short(name))}</text>'


def _short(name: str) -> str:
    return name if len(name) <= 26 else name[:25] + "…"


def _mark(line: SystemLine, comparison: Comparison) -> str:
    return "bar first" if line.system == comparison.first else "bar"


def _figure(title: str, parts: Sequence[str], height: int) -> str:
    return f"<figure><figcaption>{escape(title)}</figcaption>{picture(title, _WIDTH, height, parts)}</figure>"


#: Failures that are listed one by one; `--rows` has all.
MOST_FAILURES = 200


def html_report(
    comparison: Comparison, systems: Sequence[System], *, worst: int = 12, extra: Sequence[Table] = ()
) -> str:
    """The whole file.

    Args:
        comparison: what to show.
        systems: those compared; the pages on which the first does worst are shown.
        worst: how many of them.
        extra: more tables.
    """
    first = next(system for system in systems if system.name == comparison.first)
    return "".join(_parts(comparison, worst_pages(comparison, first, worst) if worst else [], extra))


def policy() -> str:
    """What the file may do: its own script and styles, and pictures that are part of it."""
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
    found = [*tables(comparison), *extra]
    yield _table(found[0])
    yield f'<div class="charts">{"".join(charts(comparison))}</div>'
    yield from map(_table, found[1:])
    if comparison.failures:
        yield from _failures(comparison.failures)
    if pages:
        yield f'<h2>The worst pages of {escape(comparison.first)}</h2><p class="soft">Open one: gold beside the '
        yield f"result, and the page with what was kept marked on it.</p>{''.join(pages)}"
    yield f"</main><script>{SCRIPT}</script></body></html>"


def _lead(comparison: Comparison) -> str:
    best = comparison.lines[0]
    said = (
        f"{comparison.pages:,} pages. Best by {TITLES[comparison.measure]}: <b>{escape(best.system)}</b> with "
        f"<b>{best.summary.mean:.3f}</b> ({best.summary.low:.3f}–{best.summary.high:.3f}). Differences are from "
        f"<b>{escape(comparison.first)}</b>; * means p &lt; 0.05 (permutation test by site)."
    )
    apart = best.summary.empty_gold
    return said + (f" {apart} pages with empty gold are in no mean." if apart else "")


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
