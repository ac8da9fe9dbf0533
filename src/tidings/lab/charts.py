"""Charts of experiments: lines with bands, and bars in groups, as SVG or PNG files (matplotlib, extra `lab`).

A chart is data; only `draw` needs matplotlib. Colours are told apart by people who see few of them, and lines also by
their marks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final

from tidings.errors import MissingExtra

#: Okabe and Ito's palette, without the yellow that white paper swallows.
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
_MARKS: Final = "os^Dvx*"


class Kind(Enum):
    """How the series are drawn."""

    LINES = "lines"
    BARS = "bars"
    POINTS = "points"  # for groups where the axis does not begin at 0


@dataclass(frozen=True, slots=True)
class Series:
    """A named row of values, with the interval around each where there is one."""

    name: str
    values: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """Series over the same places: numbers along an axis, or names of groups."""

    name: str  # of the file, without its ending
    title: str
    x: str
    y: str
    places: tuple[float, ...] | tuple[str, ...]
    series: tuple[Series, ...]
    kind: Kind = Kind.LINES
    marked: tuple[tuple[float, str], ...] = ()  # places on the axis worth a line, and what they are
    logarithmic: bool = False  # the axis along the bottom, which may begin at 0


def draw_all(charts: Iterable[Chart], folder: Path, ending: str = "svg") -> list[Path]:
    """Draw each chart into a file of its name."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for chart in charts:
        files.append(folder / f"{chart.name}.{ending}")
        draw(chart, files[-1])
    return files


def draw(chart: Chart, file: Path) -> None:
    """Draw a chart; the file's ending says the format.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    pyplot = _pyplot()
    figure, axes = pyplot.subplots(figsize=(8.4, 4.2), layout="constrained")
    (_lines if chart.kind is Kind.LINES else _groups)(axes, chart)
    axes.set_title(chart.title, loc="left", fontsize=11)
    axes.set_xlabel(chart.x)
    axes.set_ylabel(chart.y)
    if chart.logarithmic:
        axes.set_xscale("symlog", linthresh=2, linscale=0.3)
        axes.xaxis.set_major_formatter("{x:g}")
    for place, what in chart.marked:
        axes.axvline(place, color="#666", linewidth=0.9, linestyle="--")
        axes.annotate(
            what,
            (place, 0),
            xycoords=("data", "axes fraction"),
            xytext=(4, 6),
            textcoords="offset points",
            fontsize=8,
        )
    axes.grid(axis="y", color="#ddd", linewidth=0.7)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    if len(chart.series) > 1:
        axes.legend(fontsize=8, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    # No date and fixed names for the parts, so that the same figures give the same file.
    figure.savefig(file, dpi=110, metadata={"Date": None} if file.suffix == ".svg" else None)
    pyplot.close(figure)


def _lines(axes: Any, chart: Chart) -> None:
    for number, series in enumerate(chart.series):
        colour = _COLOURS[number % len(_COLOURS)]
        mark = _MARKS[number % len(_MARKS)]
        axes.plot(
            chart.places, series.values, color=colour, marker=mark, markersize=4, linewidth=1.6, label=series.name
        )
        if series.low and series.high:
            axes.fill_between(chart.places, series.low, series.high, color=colour, alpha=0.15, linewidth=0)


def _groups(axes: Any, chart: Chart) -> None:
    width = 0.8 / max(len(chart.series), 1)
    for number, series in enumerate(chart.series):
        at = [place + (number - (len(chart.series) - 1) / 2) * width for place in range(len(chart.places))]
        reach = None
        if series.low and series.high:
            below = [value - low for value, low in zip(series.values, series.low, strict=True)]
            above = [high - value for value, high in zip(series.values, series.high, strict=True)]
            reach = [below, above]
        colour = _COLOURS[number % len(_COLOURS)]
        if chart.kind is Kind.BARS:
            axes.bar(at, series.values, width * 0.92, yerr=reach, color=colour, label=series.name, capsize=2)
        else:
            mark = _MARKS[number % len(_MARKS)]
            axes.errorbar(at, series.values, yerr=reach, fmt=mark, color=colour, label=series.name, capsize=4)
    turned = max((len(str(place)) for place in chart.places), default=0) * len(chart.places) > 70
    axes.set_xticks(
        range(len(chart.places)),
        [str(place) for place in chart.places],
        rotation=30 if turned else 0,
        ha="right" if turned else "center",
        fontsize=8,
    )


def _pyplot() -> Any:
    try:
        import matplotlib as mpl
    except ImportError:
        raise MissingExtra("drawing a chart", "lab") from None
    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "tidings"
    from matplotlib import pyplot

    return pyplot
