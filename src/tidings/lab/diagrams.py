"""Pictures of how a method sees a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tidings.errors import MissingExtra

if TYPE_CHECKING:
    from tidings.extractors.published.dana import Diagram

_CONTENT, _CODE, _CHOSEN = "#1f6f8b", "#c8553d", "#f2c14e"


def plot_lines(diagram: Diagram, title: str, paths: list[Path]) -> None:
    """Content above the axis and code below it, and the smoothed plot (DANA thesis, figures 4.3 and 4.4).

    Args:
        diagram: from the `diagram` method of a DANA extractor.
        title: what the picture is of.
        paths: files to write; the ending says the format (.png, .svg, .pdf).
    """
    pyplot = _pyplot()
    figure, (above, below) = pyplot.subplots(2, 1, figsize=(11, 7), sharex=True, layout="constrained")
    line = np.arange(len(diagram.lines))
    above.bar(line, diagram.content, width=1.0, color=_CONTENT, label="content (T1)")
    above.bar(line, -diagram.code, width=1.0, color=_CODE, label="code (T2)")
    above.set_ylabel("characters in the line")
    above.set_title(title, loc="left", fontsize=11)
    below.bar(line, np.maximum(diagram.smoothed, 0), width=1.0, color=_CONTENT)
    below.bar(line, np.minimum(diagram.smoothed, 0), width=1.0, color=_CODE, alpha=0.6)
    below.set_ylabel("smoothed difference")
    below.set_xlabel("line of the source, scripts and comments taken out")
    for axes in (above, below):
        axes.axhline(0, color="#222", linewidth=0.8)
        axes.margins(x=0.005)
        for edge in np.flatnonzero(np.diff(diagram.chosen.astype(np.int8), prepend=0) == 1).tolist():
            rest = np.flatnonzero(~diagram.chosen[edge:])
            end = edge + int(rest[0]) if len(rest) else len(diagram.chosen)
            axes.axvspan(edge - 0.5, end - 0.5, color=_CHOSEN, alpha=0.35, linewidth=0, zorder=0)
    handles, labels = above.get_legend_handles_labels()
    handles.append(pyplot.Rectangle((0, 0), 1, 1, color=_CHOSEN, alpha=0.35))
    above.legend(handles, [*labels, "main content"], loc="lower right", fontsize=9, framealpha=0.9)
    for path in paths:
        figure.savefig(path, dpi=130)
    pyplot.close(figure)


def _pyplot() -> Any:
    try:
        import matplotlib as mpl
    except ImportError:
        raise MissingExtra("drawing a plot", "lab") from None
    mpl.use("Agg")
    from matplotlib import pyplot

    return pyplot
