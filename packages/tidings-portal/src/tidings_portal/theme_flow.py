"""Drawing of themes through time: a column for each period, and a band between themes that continue each other.

A theme with two bands to the right has split, one with two bands to the left has merged, one without a band to the
right has faded (DANA thesis 6.6.5). The height of a box is the theme's share of the articles.
"""

from __future__ import annotations

from typing import Final

from tidings.charts import path, picture, text, tip
from tidings_portal.themes import Theme, ThemeHistory

_COLUMN: Final = 220
_BOX: Final = 12
_TOP: Final = 40
_GAP: Final = 8
_LEAST, _SCALE = 14.0, 220.0  # height of the smallest box, and of a theme that all articles have
_MOST: Final = 10  # themes of a period
_NAMED: Final = 3
_BAND: Final = ' stroke-width="5" opacity=".4"'
_FONT: Final = ' style="width:100%;height:auto;font:12px system-ui,sans-serif"'
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")


def theme_flow_svg(history: ThemeHistory, title: str = "Themes of the news") -> str:
    """Return themes and their continuations as an `<svg>` element."""
    boxes: dict[Theme, tuple[float, float, float]] = {}
    for column, themes in enumerate(history.themes):
        y = float(_TOP)
        for theme in themes[:_MOST]:
            height = max(_LEAST, _SCALE * theme.share)
            boxes[theme] = (column * _COLUMN + 10.0, y, height)
            y += height + _GAP
    colours: dict[Theme, str] = {}
    for number, line in enumerate(history.lines):
        colours |= dict.fromkeys(filter(None, line), _COLOURS[number % len(_COLOURS)])
    parts = [text(column * _COLUMN + 10, _TOP - 16, period) for column, period in enumerate(history.periods)]
    for before, after in history.links:
        if before in boxes and after in boxes:
            parts.append(_band(boxes[before], boxes[after], colours[before], f"{_name(before)} → {_name(after)}"))
    for theme, (x, y, height) in boxes.items():
        shape = f"M{x} {y:.1f}h{_BOX}v{height:.1f}h-{_BOX}z"
        label = tip(f"{' '.join(theme.words)}: {theme.articles} articles in {theme.period}")
        parts.append(f'<g fill="{colours[theme]}">{label}<path d="{shape}"/></g>')
        parts.append(text(x + _BOX + 4, y + 11, _name(theme)))
    bottom = max((y + height for _, y, height in boxes.values()), default=_TOP)
    return picture(title, max(len(history.periods), 1) * _COLUMN, bottom + 20, parts, _FONT)


def _band(start: tuple[float, float, float], target: tuple[float, float, float], colour: str, label: str) -> str:
    x, end = start[0] + _BOX, target[0]
    y, to = start[1] + start[2] / 2, target[1] + target[2] / 2
    middle = (x + end) / 2
    band = path(f"M{x} {y:.1f}C{middle} {y:.1f} {middle} {to:.1f} {end} {to:.1f}", colour, _BAND)
    return f"<g>{tip(label)}{band}</g>"


def _name(theme: Theme) -> str:
    return " ".join(theme.words[:_NAMED])
