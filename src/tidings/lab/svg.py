"""A `Picture` as a small SVG drawing that needs nothing else."""

from __future__ import annotations

from html import escape

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.picture import Picture

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 860, 220, 56, 30, 26
_COLOURS = ("#1f6f8b", "#c8553d", "#7a5c99", "#4f7f3f")
_COLUMNS = 760  # a bar for each pixel at most


def draw(picture: Picture) -> str:
    """The picture as an `<svg>` element."""
    count = max((len(values) for _, values in picture.series), default=0)
    columns = max(1, min(count, _COLUMNS))
    shrunk = [(name, _shrink(np.asarray(values, np.float64), columns)) for name, values in picture.series]
    everything = np.concatenate(
        [values for _, values in shrunk] + [np.array([level for _, level in picture.thresholds]), [0.0]]
    )
    finite = everything[np.isfinite(everything)]
    low, high = float(finite.min()), float(finite.max())
    span = (high - low) or 1.0
    inner_width, inner_height = _WIDTH - _LEFT - 10, _HEIGHT - _TOP - _BOTTOM

    def across(position: float) -> float:
        return _LEFT + inner_width * position / columns

    def up(value: float) -> float:
        return _TOP + inner_height * (high - min(max(value, low), high)) / span

    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(picture.title)}"'
            ' style="width:100%;height:auto;font:11px system-ui,sans-serif">'
        ),
        f'<text x="{_LEFT}" y="14" fill="currentColor" font-size="13">{escape(picture.title)}</text>',
    ]
    if picture.chosen is not None and len(picture.chosen):
        for start, end in _stretches(_shrink(picture.chosen.astype(np.float64), columns) > 0):
            parts.append(
                f'<rect x="{across(start):.1f}" y="{_TOP}" width="{across(end) - across(start):.1f}" height="{inner_height}"'
                ' fill="#f2c14e" opacity=".35"/>'
            )
    for number, (name, values) in enumerate(shrunk):
        colour = _COLOURS[number % len(_COLOURS)]
        if picture.kind == "bars":
            marks = "".join(
                f"M{across(place + 0.5):.1f} {up(0):.1f}V{up(value):.1f}" for place, value in enumerate(values) if value
            )
            parts.append(
                f'<path d="{marks}" stroke="{colour}" stroke-width="{max(1.0, inner_width / columns):.2f}" opacity=".8"/>'
            )
        else:
            line = " ".join(f"{across(place + 0.5):.1f},{up(value):.1f}" for place, value in enumerate(values))
            parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        parts.append(
            f'<text x="{_WIDTH - 12}" y="{14 + 13 * number}" text-anchor="end" fill="{colour}">{escape(name)}</text>'
        )
    for name, level in picture.thresholds:
        parts.append(
            f'<path d="M{_LEFT} {up(level):.1f}H{_WIDTH - 10}" stroke="currentColor" stroke-dasharray="4 3" opacity=".6"/>'
            f'<text x="{_WIDTH - 12}" y="{up(level) - 3:.1f}" text-anchor="end" fill="currentColor">{escape(name)} {level:.3g}</text>'
        )
    parts.append(
        f'<path d="M{_LEFT} {up(0):.1f}H{_WIDTH - 10}M{_LEFT} {_TOP}V{_TOP + inner_height}" stroke="currentColor" opacity=".5"/>'
        f'<text x="{_LEFT - 6}" y="{_TOP + 9}" text-anchor="end" fill="currentColor">{high:.3g}</text>'
        f'<text x="{_LEFT - 6}" y="{_TOP + inner_height}" text-anchor="end" fill="currentColor">{low:.3g}</text>'
        f'<text x="{_LEFT}" y="{_HEIGHT - 8}" fill="currentColor">{escape(picture.x)} (1 to {count}); {escape(picture.y)}</text></svg>'
    )
    return "".join(parts)


def _shrink(values: NDArray[np.float64], columns: int) -> NDArray[np.float64]:
    """At most so many values: of each group the one farthest from zero, so that no peak is lost."""
    if len(values) <= columns:
        return values
    edges = np.linspace(0, len(values), columns + 1).astype(np.int64)[:-1]
    highest, lowest = np.maximum.reduceat(values, edges), np.minimum.reduceat(values, edges)
    return np.where(np.abs(highest) >= np.abs(lowest), highest, lowest)


def _stretches(flags: NDArray[np.bool_]) -> list[tuple[int, int]]:
    padded = np.concatenate(([False], flags, [False]))
    edges = np.flatnonzero(padded[1:] != padded[:-1])
    return list(zip(edges[0::2].tolist(), edges[1::2].tolist(), strict=True))
