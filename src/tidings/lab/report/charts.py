"""Charts of a comparison as inline SVG: they need nothing else, follow the reader's colours, and say their figures."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10
from statistics import median
from typing import Final

from tidings.lab.experiment.comparison import Comparison, Line, value
from tidings.lab.report.tables import TITLES

_WIDTH, _ROW, _LEFT, _RIGHT, _TOP = 760, 24, 190, 60, 30
_BINS: Final = 20
#: Okabe and Ito's palette, as in `lab.charts`.
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")


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
            f'<g>{_said(what)}<rect x="{_LEFT}" y="{y + 4}" width="{_along(found.mean) - _LEFT:.1f}" '
            f'height="{_ROW - 8}" class="{_mark(line, comparison)}" rx="2"/>'
            f'<path d="M{low:.1f} {middle}H{high:.1f}M{low:.1f} {middle - 4}v8M{high:.1f} {middle - 4}v8" '
            'class="whisker"/>'
            f"{_name(line.system, y)}"
            f'<text x="{_WIDTH - 4}" y="{middle + 4}" text-anchor="end">{found.mean:.3f}</text></g>'
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
                    f'class="bar" opacity="{0.12 + 0.88 * (count / most) ** 0.5:.2f}">{_said(what)}</rect>'
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

    def across(milliseconds: float) -> float:
        return 60 + (_WIDTH - 190) * (log10(milliseconds) - low) / (high - low)

    def up(score: float) -> float:
        return bottom - (bottom - _TOP) * (score - floor_) / (1 - floor_)

    parts = []
    for power in range(low, high + 1):
        x = across(10.0**power)
        parts.append(f'<path d="M{x:.1f} {_TOP}V{bottom}" class="grid"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle" class="soft">{10.0**power:g}</text>')
    for tenth in range(ceil(floor_ * 10), 11):
        y = up(tenth / 10)
        parts.append(f'<path d="M60 {y:.1f}H{_WIDTH - 130}" class="grid"/>')
        parts.append(f'<text x="52" y="{y + 4:.1f}" text-anchor="end" class="soft">{tenth / 10:.1f}</text>')
    parts.append(f'<text x="60" y="{height - 6}" class="soft">milliseconds a page, whole (processor time)</text>')
    points = sorted((up(line.summary.mean), across(time), line, time) for line, time in timed)
    above = -99.0
    for y, x, line, time in points:
        label = max(y + 4, above + 12)  # names do not lie on each other
        above = label
        what = f"{line.system}: {line.summary.mean:.3f} in {time:.1f} ms"
        parts.append(
            f'<g>{_said(what)}<circle cx="{x:.1f}" cy="{y:.1f}" r="5" class="{_mark(line, comparison)}"/>'
            f'<text x="{x + 9:.1f}" y="{label:.1f}">{escape(line.system)}</text></g>'
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
        parts.append(f'<text x="{x + 9}" y="{y}">{escape(_short(system))}</text>')
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
                    f"{_said(f'{system} on {group.name}: {score:.3f}')}</circle>"
                )
    return _figure(f"{TITLES[comparison.measure]} by {kind} (pages)", parts, _TOP + legend + len(groups) * _ROW + 8)


def _along(score: float) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * score


def _scale(rows: int, moved: int = 0) -> Sequence[str]:
    """Upright lines at every fifth of the way from 0 to 1."""
    top = _TOP + moved
    return [
        f'<path d="M{_along(fifth / 5):.1f} {top - 4}V{top + rows * _ROW}" class="grid"/>'
        f'<text x="{_along(fifth / 5):.1f}" y="{top - 9}" text-anchor="middle" class="soft">{fifth / 5:g}</text>'
        for fifth in range(6)
    ]


def _name(name: str, y: float) -> str:
    return f'<text x="{_LEFT - 8}" y="{y + _ROW / 2 + 4}" text-anchor="end">{_said(name)}{escape(_short(name))}</text>'


def _short(name: str) -> str:
    return name if len(name) <= 26 else name[:25] + "…"


def _said(text: str) -> str:
    return f"<title>{escape(text)}</title>"


def _mark(line: Line, comparison: Comparison) -> str:
    return "bar first" if line.system == comparison.first else "bar"


def _figure(title: str, parts: Sequence[str], height: int) -> str:
    return (
        f'<figure><figcaption>{escape(title)}</figcaption><svg viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="{escape(title)}">{"".join(parts)}</svg></figure>'
    )
