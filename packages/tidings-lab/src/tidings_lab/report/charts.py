"""Charts of a comparison as inline SVG, in the reader's colours, with values in tooltips."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10
from statistics import median
from typing import Final

from tidings.charts import PALETTE, Axis, picture, text, tip
from tidings_lab.experiment.comparison import Comparison, SystemLine, value
from tidings_lab.report.tables import TITLES

_WIDTH, _ROW, _LEFT, _RIGHT, _TOP = 760, 24, 190, 60, 30
_BINS: Final = 20
_COLOURS: Final = PALETTE[:-1]  # black is lost on dark paper
_SOFT: Final = ' class="soft"'
_along: Final = Axis(0, 1, _LEFT, _WIDTH - _RIGHT)


def charts(comparison: Comparison) -> list[str]:
    """Return all charts for which the comparison has data."""
    result = [bars(comparison), distribution(comparison)]
    if sum(line.pace is not None for line in comparison.lines) > 1:
        result.append(scatter(comparison))
    kinds = dict.fromkeys(group.kind for group in comparison.groups)
    return [*result, *(by_group(comparison, kind) for kind in kinds)]


def bars(comparison: Comparison) -> str:
    """Draw the mean of each system with its interval."""
    lines, title = comparison.lines, f"Mean {TITLES[comparison.measure]} with 95 % interval"
    parts = [*_scale(len(lines))]
    for row, line in enumerate(lines):
        y, summary = _TOP + row * _ROW, line.summary
        label = f"{line.system}: {summary.mean:.3f}, between {summary.low:.3f} and {summary.high:.3f}"
        middle, low, high = y + _ROW / 2, _along(summary.low), _along(summary.high)
        parts.append(
            f'<g>{tip(label)}<rect x="{_LEFT}" y="{y + 4}" width="{_along(summary.mean) - _LEFT:.1f}" '
            f'height="{_ROW - 8}" class="{_mark(line, comparison)}" rx="2"/>'
            f'<path d="M{low:.1f} {middle}H{high:.1f}M{low:.1f} {middle - 4}v8M{high:.1f} {middle - 4}v8" '
            'class="whisker"/>'
            f"{_name(line.system, y)}"
            f"{text(_WIDTH - 4, middle + 4, f'{summary.mean:.3f}', 'end')}</g>"
        )
    return _figure(title, parts, _TOP + len(lines) * _ROW + 8)


def distribution(comparison: Comparison) -> str:
    """Draw the pages of each system by score, darker for more pages, with a line at the median."""
    scores: dict[str, list[float]] = {line.system: [] for line in comparison.lines}
    for row in comparison.rows:
        if (score := value(row, comparison.measure)) is not None:
            scores[row.system].append(score)
    parts = [*_scale(len(comparison.lines))]
    step = (_along(1) - _LEFT) / _BINS
    for place, (system, values) in enumerate(scores.items()):
        y = _TOP + place * _ROW
        parts.append(_name(system, y))
        counts = [0] * _BINS
        for score in values:
            counts[min(int(score * _BINS), _BINS - 1)] += 1
        most = max(counts, default=0)
        for bin_, count in enumerate(counts):
            if count:
                label = f"{system}: {count} pages from {bin_ / _BINS:.2f} to {(bin_ + 1) / _BINS:.2f}"
                # The square root keeps small numbers of pages visible next to large ones.
                parts.append(
                    f'<rect x="{_LEFT + bin_ * step:.1f}" y="{y + 3}" width="{step - 1:.1f}" height="{_ROW - 6}" '
                    f'class="bar" opacity="{0.12 + 0.88 * (count / most) ** 0.5:.2f}">{tip(label)}</rect>'
                )
        if values:
            at = _along(median(values))
            parts.append(f'<path d="M{at:.1f} {y + 1}v{_ROW - 2}" class="whisker strong"/>')
    title = f"Pages by {TITLES[comparison.measure]}; the line is the median"
    return _figure(title, parts, _TOP + len(scores) * _ROW + 8)


def scatter(comparison: Comparison) -> str:
    """Draw speed against accuracy: systems at the top are more accurate, those on the left faster."""
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
    parts.append(text(60, height - 6, "milliseconds per page, parsing included (processor time)", more=_SOFT))
    points = sorted((up(line.summary.mean), across(log10(time)), line, time) for line, time in timed)
    above = -99.0
    for y, x, line, time in points:
        label = max(y + 4, above + 12)  # labels must not overlap
        above = label
        tooltip = f"{line.system}: {line.summary.mean:.3f} in {time:.1f} ms"
        parts.append(
            f'<g>{tip(tooltip)}<circle cx="{x:.1f}" cy="{y:.1f}" r="5" class="{_mark(line, comparison)}"/>'
            f"{text(x + 9, label, line.system)}</g>"
        )
    return _figure(f"Speed against {TITLES[comparison.measure]}", parts, max(height, int(above) + 10))


def by_group(comparison: Comparison, kind: str) -> str:
    """Draw the scores of the most important systems (the first, the rival, the best) on each page type or language."""
    systems = dict.fromkeys([comparison.first, comparison.rival, *(line.system for line in comparison.lines)])
    drawn = list(systems)[: len(_COLOURS)]
    groups = [group for group in comparison.groups if group.kind == kind]
    legend = 16 * ceil(len(drawn) / 3) + 8
    parts = [*_scale(len(groups), legend)]
    for place, system in enumerate(drawn):
        x, y = _LEFT + 180 * (place % 3), 14 + 16 * (place // 3)
        parts.append(f'<circle cx="{x}" cy="{y - 4}" r="5" fill="{_COLOURS[place]}"/>')
        parts.append(text(x + 9, y, _short(system)))
    for row, group in enumerate(groups):
        y = _TOP + legend + row * _ROW
        parts.append(_name(f"{group.name} ({group.pages})", y))
        scores = [group.means[system] for system in drawn if system in group.means]
        middle = y + _ROW / 2
        parts.append(f'<path d="M{_along(min(scores)):.1f} {middle}H{_along(max(scores)):.1f}" class="grid"/>')
        for place, system in reversed(list(enumerate(drawn))):
            if system in group.means:
                score = group.means[system]
                parts.append(
                    f'<circle cx="{_along(score):.1f}" cy="{middle}" r="5.5" fill="{_COLOURS[place]}" opacity=".85">'
                    f"{tip(f'{system} on {group.name}: {score:.3f}')}</circle>"
                )
    return _figure(f"{TITLES[comparison.measure]} by {kind} (pages)", parts, _TOP + legend + len(groups) * _ROW + 8)


def _scale(rows: int, offset: int = 0) -> Sequence[str]:
    """Return vertical lines at every fifth from 0 to 1."""
    top = _TOP + offset
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
