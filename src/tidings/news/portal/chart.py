"""A chart of lines as figures for an inline SVG: what is where. How it looks is the style sheet's business."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

WIDTH, HEIGHT = 760, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 16, 14, 38
_STEPS: Final = 4
_LABELS: Final = 7


@dataclass(frozen=True, slots=True)
class Dot:
    """A point of a line."""

    x: float
    y: float
    text: str
    is_abrupt: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its points; it is broken where there is nothing to tell."""

    name: str
    path: str
    dots: tuple[Dot, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of an axis."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines over the same periods."""

    lines: tuple[Line, ...]
    levels: tuple[Tick, ...]
    periods: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    right: int = WIDTH - _RIGHT
    bottom: int = HEIGHT - _BOTTOM


@dataclass(frozen=True, slots=True)
class Series:
    """What is drawn as a line: a value for each period, None where there is none."""

    name: str
    values: tuple[float | None, ...]
    abrupt: frozenset[int] = frozenset()  # places of abrupt changes


def chart(periods: Sequence[str], series: Sequence[Series], written: Callable[[float], str]) -> Chart:
    """The chart of some series.

    Args:
        periods: the names of the periods.
        series: the lines.
        written: how a value is written.
    """
    highest = max((value for one in series for value in one.values if value is not None), default=0.0)
    top = nice(highest)
    across = WIDTH - _LEFT - _RIGHT
    xs = [_LEFT + across * (place + 0.5) / max(1, len(periods)) for place in range(len(periods))]

    def height(value: float) -> float:
        return HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * value / top

    lines = []
    for one in series:
        path, dots, pen = [], [], "M"
        for place, value in enumerate(one.values):
            if value is None:
                pen = "M"
                continue
            x, y = round(xs[place], 1), round(height(value), 1)
            path.append(f"{pen}{x} {y}")
            pen = "L"
            dots.append(Dot(x, y, f"{one.name} · {periods[place]} · {written(value)}", place in one.abrupt))
        lines.append(Line(one.name, "".join(path), tuple(dots)))
    every = max(1, math.ceil(len(periods) / _LABELS))
    labels = [Tick(round(xs[place], 1), periods[place]) for place in range(len(periods) - 1, -1, -every)]
    levels = [Tick(round(height(top * step / _STEPS), 1), written(top * step / _STEPS)) for step in range(_STEPS + 1)]
    return Chart(tuple(lines), tuple(levels), tuple(labels[::-1]))


def nice(highest: float) -> float:
    """The least round number that is not below another one."""
    if highest <= 0 or not math.isfinite(highest):
        return 1.0
    unit = 10.0 ** math.floor(math.log10(highest))
    return next(step * unit for step in (1, 2, 4, 5, 8, 10) if step * unit >= highest * (1 - 1e-9))
