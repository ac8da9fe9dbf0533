"""Charts as SVG, by plain Python: lines with bands, bars and points in groups, and the numbers along a page.

A chart is data, and a function writes it: the same figures give the same bytes. Colours can be told apart by people who
see few of them (Okabe and Ito's palette, without the yellow that white paper swallows), and lines also by their marks.
Text and axes take the colour of what is around, so that a chart inside a page follows its reader's scheme; a file of
its own has white paper.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from html import escape
from pathlib import Path
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

PALETTE: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
#: Marks of a line's points, drawn around 0 0.
_SHAPES: Final = (
    "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z",
    "M-3 -3h6v6h-6z",
    "M0 -4L4 3H-4z",
    "M0 -4L4 0L0 4L-4 0z",
    "M0 4L4 -3H-4z",
    "M-4 -1h3v-3h2v3h3v2h-3v3h-2v-3h-3z",
    "M-4 0L0 -2L4 0L0 2z",
)
_CHOSEN: Final = "#f2c14e"  # behind what a method takes
#: Pixels of a letter at 12 pixels, about; fonts differ.
_LETTER: Final = 6.3
#: A column for each pixel of a profile at most.
_COLUMNS: Final = 760


class ChartKind(Enum):
    """How the series are drawn."""

    LINES = "lines"
    BARS = "bars"
    POINTS = "points"  # for groups where the axis does not begin at 0


@dataclass(frozen=True, slots=True)
class Series:
    """A named series of y values. A value is None where data are missing. `low` and `high` are the ends of the
    confidence interval of each value, or empty.
    """

    name: str
    values: tuple[float | None, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    abrupt: frozenset[int] = frozenset()  # places of abrupt changes

    @classmethod
    def banded(cls, name: str, points: Iterable[tuple[float, float, float]]) -> Series:
        """Create a series from (mean, lower end, upper end) of the confidence interval of each point."""
        means, low, high = zip(*points, strict=True)
        return cls(name, means, low, high)


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of several series over a shared x axis, whose positions (`places`) are numbers or names of groups."""

    name: str  # of the file, without its ending
    title: str
    x: str
    y: str
    places: tuple[float, ...] | tuple[str, ...]
    series: tuple[Series, ...]
    kind: ChartKind = ChartKind.LINES
    marked: tuple[tuple[float, str], ...] = ()  # places on the axis worth a line, and what they are
    logarithmic: bool = False  # the axis along the bottom, which may begin at 0


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """The data of a plot along a page: named series with a value for each position (line, token or node), thresholds,
    and the positions that an extractor selected.
    """

    title: str
    x: str  # what a position is: a line, a token, a node …
    y: str
    series: tuple[tuple[str, NDArray[np.float64]], ...]
    kind: Literal["bars", "curve"] = "bars"
    thresholds: tuple[tuple[str, float], ...] = ()
    chosen: NDArray[np.bool_] | None = None  # for each position


@dataclass(frozen=True, slots=True)
class Axis:
    """A scale from values to coordinates."""

    low: float
    high: float
    begin: float
    end: float
    logarithmic: bool = False  # from 2 on; what is below is drawn evenly

    def __call__(self, value: float) -> float:
        """Return the pixel position of a value; values outside of the axis are put on its edge."""
        low, high = self._bent(self.low), self._bent(self.high)
        part = (self._bent(value) - low) / ((high - low) or 1.0)
        return self.begin + (self.end - self.begin) * min(max(part, 0.0), 1.0)

    def ticks(self, most: int = 6) -> list[float]:
        """Return round numbers on the axis."""
        if self.logarithmic:
            powers = [10.0**power for power in range(math.ceil(math.log10(max(self.high, 1.0))) + 1)]
            return [one for one in [0.0, 2.0, *powers[1:]] if self.low <= one <= self.high]
        step = nice((self.high - self.low) / most, (1, 2, 5, 10))
        return [step * number for number in range(math.ceil(self.low / step - 1e-9), int(self.high / step + 1e-9) + 1)]

    def _bent(self, value: float) -> float:
        if not self.logarithmic:
            return value
        return 0.3 * value / 2 if value <= 2 else 0.3 + math.log10(value / 2)


def nice(highest: float, steps: Sequence[int] = (1, 2, 4, 5, 8, 10)) -> float:
    """Return the smallest round number of at least `highest`, as the upper end of an axis."""
    if highest <= 0 or not math.isfinite(highest):
        return 1.0
    unit = 10.0 ** math.floor(math.log10(highest))
    return next(step * unit for step in steps if step * unit >= highest * (1 - 1e-9))


# -- pieces of SVG ---------------------------------------------------------------------------------------------


def text(x: float, y: float, words: str, anchor: str = "start", more: str = "") -> str:
    """Return an SVG `<text>` element.

    Args:
        x: horizontal position of the anchor in pixels.
        y: vertical position of the baseline in pixels.
        words: the text, which is escaped.
        anchor: the end of the text that is at `x`: start, middle or end.
        more: further attributes as markup, with a space before each.
    """
    side = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}"{side}{more}>{escape(words)}</text>'


def tip(words: str) -> str:
    """Return an SVG `<title>` element, which browsers show as a tooltip."""
    return f"<title>{escape(words)}</title>"


def path(shape: str, colour: str = "currentColor", more: str = "") -> str:
    """Return an SVG `<path>` element that is stroked and not filled.

    Args:
        shape: the value of its `d` attribute.
        colour: the stroke colour.
        more: further attributes as markup, with a space before each.
    """
    return f'<path d="{shape}" fill="none" stroke="{colour}"{more}/>'


def picture(title: str, width: float, height: float, parts: Iterable[str], more: str = "") -> str:
    """Return an `<svg>` element with the given elements as its content.

    Args:
        title: the label for screen readers.
        width: width of the view box in pixels.
        height: height of the view box in pixels.
        parts: markup of the elements in the picture.
        more: further attributes as markup, with a space before each.
    """
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="{escape(title)}"{more}>{"".join(parts)}</svg>'
    )


def document(element: str) -> str:
    """Return an `<svg>` element as a file of its own, on white paper."""
    head, _, rest = element.partition(">")
    style = ' style="color:#222;background:#fff"' if "style=" not in head else ""
    head = head.replace('style="', 'style="color:#222;background:#fff;')
    width, height = head.partition('viewBox="0 0 ')[2].partition('"')[0].split()
    paper = f'<rect width="{width}" height="{height}" fill="#fff"/>'
    return f'<?xml version="1.0" encoding="utf-8"?>\n{head}{style} width="{width}" height="{height}">{paper}{rest}\n'


# -- lines, bars and points ------------------------------------------------------------------------------------

_FONT: Final = ' style="width:100%;height:auto;font:12px system-ui,sans-serif"'
_SMALL: Final = ' font-size="11"'


def draw_all(charts: Iterable[Chart], folder: Path) -> list[Path]:
    """Draw each chart into an SVG file of its name."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for chart in charts:
        files.append(folder / f"{chart.name}.svg")
        files[-1].write_text(document(chart_svg(chart)), encoding="utf-8")
    return files


def chart_svg(chart: Chart) -> str:
    """Return a chart as an `<svg>` element, 840 by 420 pixels and more where names are long."""
    names = [str(place) for place in chart.places] if chart.kind is not ChartKind.LINES else []
    turned = max(map(len, names), default=0) * len(names) > 80
    legend = 34 + _LETTER * max(len(one.name) for one in chart.series) if len(chart.series) > 1 else 12.0
    width, right, top = 840.0, 840.0 - min(legend, 300.0), 34.0
    # Names that lean take half of their length downwards.
    deep = (24 + 0.5 * _LETTER * max(map(len, names)) if turned else 22.0) + (20 if chart.x else 0)
    bottom = 420.0 - deep
    up = _heights(chart, bottom, top)
    left = 30 + _LETTER * max((len(f"{tick:g}") for tick in map(_rounded, up.ticks())), default=1)
    if turned:  # the first name begins left of its place
        left = max(left, 0.87 * _LETTER * len(names[0]) - 0.5 * (right - left) / len(names))
    parts = [text(left, 18, chart.title, more=' font-size="14"')]
    middle = (top + bottom) / 2
    parts.append(text(14, middle, chart.y, "middle", f' transform="rotate(-90 14 {middle:g})"'))
    for tick in map(_rounded, up.ticks()):
        parts.append(path(f"M{left:.1f} {up(tick):.1f}H{right:.1f}", more=' opacity=".15"'))
        parts.append(text(left - 6, up(tick) + 4, f"{tick:g}", "end", _SMALL))
    parts.append(path(f"M{left:.1f} {top:g}V{bottom:.1f}H{right:.1f}", more=' opacity=".6"'))
    if chart.kind is ChartKind.LINES:
        numbers = [float(place) for place in chart.places]
        low, high = min(numbers, default=0.0), max(numbers, default=1.0)
        across = Axis(low, high if high > low else low + 1, left + 8, right - 8, chart.logarithmic)
        for tick in map(_rounded, across.ticks(9)):
            parts.append(path(f"M{across(tick):.1f} {bottom:.1f}v4", more=' opacity=".6"'))
            parts.append(text(across(tick), bottom + 17, f"{tick:g}", "middle", _SMALL))
        parts += _marked(chart, across, top, bottom)
        for number, series in enumerate(chart.series):
            parts += _line(series, number, list(map(across, numbers)), chart.places, up)
    else:
        room = (right - left) / max(len(names), 1)
        across = Axis(0, max(len(names) - 1, 1), left + room / 2, left + room / 2 + room * max(len(names) - 1, 1))
        for place, name in enumerate(names):
            x, y = across(place), bottom + 16
            lean = f' transform="rotate(-30 {x:.1f} {y:.1f})"' if turned else ""
            parts.append(text(x, y, name, "end" if turned else "middle", _SMALL + lean))
        parts += _marked(chart, across, top, bottom)
        for number in range(len(chart.series)):
            parts += _group(chart, number, room, across, up)
    if chart.x:
        parts.append(text((left + right) / 2, 412, chart.x, "middle"))
    parts += _legend(chart, right, top)
    height = max(420.0, top + 18 * len(chart.series))
    return picture(chart.title, width, height, parts, _FONT)


def _legend(chart: Chart, right: float, top: float) -> Iterator[str]:
    for number, series in enumerate(chart.series if len(chart.series) > 1 else ()):
        y = top + 6 + 18 * number
        yield _shape(number, right + 14, y - 4)
        yield text(right + 24, y, series.name)


def _heights(chart: Chart, bottom: float, top: float) -> Axis:
    """Return the y axis of a chart. Bars begin at 0; lines get a margin of 5 % below the lowest and above the highest
    value.
    """
    every = [value for one in chart.series for value in (*one.values, *one.low, *one.high) if value is not None]
    finite = [value for value in every if math.isfinite(value)] or [0.0, 1.0]
    low, high = min(finite), max(finite)
    if chart.kind is ChartKind.BARS:
        low, high = min(low, 0.0), max(high, 0.0)
    margin = 0.05 * ((high - low) or abs(high) or 1.0)
    return Axis(low if low == 0 else low - margin, high + margin, bottom, top)


def _rounded(tick: float) -> float:
    return float(f"{tick:.10g}")


def _colour(number: int) -> str:
    return PALETTE[number % len(PALETTE)]


def _shape(number: int, x: float, y: float, label: str = "") -> str:
    shape = _SHAPES[number % len(_SHAPES)]
    place = f"translate({x:.1f} {y:.1f})"
    return f'<path d="{shape}" transform="{place}" fill="{_colour(number)}">{label and tip(label)}</path>'


def _marked(chart: Chart, across: Axis, top: float, bottom: float) -> Iterator[str]:
    for place, what in chart.marked:
        x = across(place)
        yield path(f"M{x:.1f} {top:g}V{bottom:.1f}", more=' stroke-dasharray="4 3" opacity=".6"')
        lines = what.split("\n")
        for number, line in enumerate(lines):
            yield text(x + 4, bottom - 6 - 12 * (len(lines) - 1 - number), line, more=_SMALL)


def _line(series: Series, number: int, xs: Sequence[float], places: Sequence[float | str], up: Axis) -> Iterator[str]:
    if series.low and series.high:
        edge = [f"{x:.1f} {up(value):.1f}" for x, value in zip(xs, series.high, strict=True)]
        edge += [f"{x:.1f} {up(value):.1f}" for x, value in zip(reversed(xs), reversed(series.low), strict=True)]
        yield f'<path d="M{"L".join(edge)}z" fill="{_colour(number)}" opacity=".15"/>'
    yield path(
        _pen([(x, None if v is None else up(v)) for x, v in zip(xs, series.values, strict=True)]),
        _colour(number),
        ' stroke-width="1.7"',
    )
    for x, place, value in zip(xs, places, series.values, strict=True):
        if value is not None:
            yield _shape(number, x, up(value), f"{series.name}, {place}: {value:.4g}")


def _pen(points: Iterable[tuple[float, float | None]]) -> str:
    """Return SVG path data for a line through points; the line is interrupted where a y value is None."""
    parts, pen = [], "M"
    for x, y in points:
        if y is None:
            pen = "M"
            continue
        parts.append(f"{pen}{round(x, 1)} {round(y, 1)}")
        pen = "L"
    return "".join(parts)


def _group(chart: Chart, number: int, room: float, across: Axis, up: Axis) -> Iterator[str]:
    series, width = chart.series[number], 0.8 * room / len(chart.series)
    for place, value in enumerate(series.values):
        if value is None:
            continue
        x = across(place) + (number - (len(chart.series) - 1) / 2) * width
        said = f"{series.name}, {chart.places[place]}: {value:.4g}"
        if chart.kind is ChartKind.BARS:
            begin, end = sorted((up(value), up(0)))
            yield (
                f'<rect x="{x - 0.46 * width:.1f}" y="{begin:.1f}" width="{0.92 * width:.1f}" '
                f'height="{end - begin:.1f}" '
                f'fill="{_colour(number)}">{tip(said)}</rect>'
            )
        else:
            yield _shape(number, x, up(value), said)
        if series.low and series.high:
            low, high = up(series.low[place]), up(series.high[place])
            whisker = f"M{x:.1f} {low:.1f}V{high:.1f}M{x - 3:.1f} {low:.1f}h6M{x - 3:.1f} {high:.1f}h6"
            yield path(whisker, "currentColor" if chart.kind is ChartKind.BARS else _colour(number))


# -- numbers along a page --------------------------------------------------------------------------------------

_PROFILE: Final = (860, 220, 56, 30, 26)  # width, height, and the room at the left, below and above


def profile_svg(*profiles: Profile) -> str:
    """Profiles below one another as one `<svg>` element."""
    width, height = _PROFILE[:2]
    parts = [
        f'<g transform="translate(0 {number * height})">{_profile(one)}</g>' for number, one in enumerate(profiles)
    ]
    title = "; ".join(one.title for one in profiles)
    return picture(title, width, height * len(profiles), parts, _FONT.replace("12px", "11px"))


def _profile(profile: Profile) -> str:
    width, height, left, below, top = _PROFILE
    count = max((len(values) for _, values in profile.series), default=0)
    columns = max(1, min(count, _COLUMNS))
    shrunk = [(name, _shrink(np.asarray(values, np.float64), columns)) for name, values in profile.series]
    levels = np.array([level for _, level in profile.thresholds])
    everything = np.concatenate([*(values for _, values in shrunk), levels, [0.0]])
    finite = everything[np.isfinite(everything)]
    low, high = float(finite.min()), float(finite.max())
    right, bottom = width - 10, height - below
    across = Axis(0, columns, left, right)
    up = Axis(low, high if high > low else low + 1, bottom, top)
    parts = [text(left, 14, profile.title, more=' font-size="13"')]
    if profile.chosen is not None and len(profile.chosen):
        for start, end in _stretches(_shrink(profile.chosen.astype(np.float64), columns) > 0):
            parts.append(
                f'<rect x="{across(start):.1f}" y="{top}" width="{across(end) - across(start):.1f}" '
                f'height="{bottom - top}" fill="{_CHOSEN}" opacity=".35"/>'
            )
    for number, (name, values) in enumerate(shrunk):
        colour = _colour(number)
        if profile.kind == "bars":
            marks = "".join(
                f"M{across(place + 0.5):.1f} {up(0):.1f}V{up(value):.1f}" for place, value in enumerate(values) if value
            )
            thick = max(1.0, (right - left) / columns)
            parts.append(path(marks, colour, f' stroke-width="{thick:.2f}" opacity=".8"'))
        else:
            line = _pen((across(place + 0.5), up(value)) for place, value in enumerate(values))
            parts.append(path(line, colour, ' stroke-width="1.5"'))
        parts.append(text(width - 12, 14 + 13 * number, name, "end", f' fill="{colour}"'))
    for name, level in profile.thresholds:
        parts.append(path(f"M{left} {up(level):.1f}H{right}", more=' stroke-dasharray="4 3" opacity=".6"'))
        parts.append(text(width - 12, up(level) - 3, f"{name} {level:.3g}", "end"))
    parts.append(path(f"M{left} {up(0):.1f}H{right}M{left} {top}V{bottom}", more=' opacity=".5"'))
    parts.append(text(left - 6, top + 9, f"{high:.3g}", "end"))
    parts.append(text(left - 6, bottom, f"{low:.3g}", "end"))
    parts.append(text(left, height - 8, f"{profile.x} (1 to {count}); {profile.y}"))
    return "".join(parts)


def _shrink(values: NDArray[np.float64], columns: int) -> NDArray[np.float64]:
    """Reduce values to at most `columns`: of each group of values keep the one farthest from zero, so that peaks
    stay.
    """
    if len(values) <= columns:
        return values
    edges = np.linspace(0, len(values), columns + 1).astype(np.int64)[:-1]
    highest, lowest = np.maximum.reduceat(values, edges), np.minimum.reduceat(values, edges)
    return np.where(np.abs(highest) >= np.abs(lowest), highest, lowest)


def _stretches(flags: NDArray[np.bool_]) -> list[tuple[int, int]]:
    padded = np.concatenate(([False], flags, [False]))
    edges = np.flatnonzero(padded[1:] != padded[:-1])
    return list(zip(edges[0::2].tolist(), edges[1::2].tolist(), strict=True))


# -- lines over periods, for a template ------------------------------------------------------------------------

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 760, 300, 52, 16, 14, 38
_STEPS: Final = 4
_LABELS: Final = 7


@dataclass(frozen=True, slots=True)
class Dot:
    """A point of a curve."""

    x: float
    y: float
    text: str
    is_abrupt: bool


@dataclass(frozen=True, slots=True)
class Curve:
    """A line with its points; it has gaps where values are missing."""

    name: str
    path: str
    dots: tuple[Dot, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """A tick of an axis: its coordinate in pixels and its label."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Periods:
    """Coordinates of a line chart whose x axis is time periods, for rendering in a template."""

    lines: tuple[Curve, ...]
    levels: tuple[Tick, ...]
    periods: tuple[Tick, ...]
    width: int = _WIDTH
    height: int = _HEIGHT
    left: int = _LEFT
    right: int = _WIDTH - _RIGHT
    bottom: int = _HEIGHT - _BOTTOM


def over_periods(periods: Sequence[str], series: Sequence[Series], written: Callable[[float], str]) -> Periods:
    """Return the curves of some series.

    Args:
        periods: the names of the periods.
        series: a value for each period, None where there is none.
        written: formats a value.
    """
    top = nice(max((value for one in series for value in one.values if value is not None), default=0.0))
    across = Axis(-0.5, len(periods) - 0.5 if periods else 0.5, _LEFT, _WIDTH - _RIGHT)
    up = Axis(0, top, _HEIGHT - _BOTTOM, _TOP)
    xs = [round(across(place), 1) for place in range(len(periods))]
    lines = []
    for one in series:
        dots = tuple(
            Dot(
                xs[place], round(up(value), 1), f"{one.name} · {periods[place]} · {written(value)}", place in one.abrupt
            )
            for place, value in enumerate(one.values)
            if value is not None
        )
        heights = [None if value is None else up(value) for value in one.values]
        lines.append(Curve(one.name, _pen(zip(xs, heights, strict=True)), dots))
    every = max(1, math.ceil(len(periods) / _LABELS))
    labels = [Tick(xs[place], periods[place]) for place in range(len(periods) - 1, -1, -every)]
    levels = [Tick(round(up(top * step / _STEPS), 1), written(top * step / _STEPS)) for step in range(_STEPS + 1)]
    return Periods(tuple(lines), tuple(levels), tuple(labels[::-1]))
