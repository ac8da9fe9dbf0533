"""What is asked of the browser: the box, the text and the style of every element that it drew.

The function runs on the page after its scripts. It numbers the elements on a copy of the document, in an attribute
that nobody else can know, and gives the copy's HTML with the boxes; `measured` takes the attributes out again and keeps
where they stood. So each box belongs to its element exactly, however the HTML is read again, and the page's source is
that of the drawn document, not one character of ours in it.

A page can lie to a function that runs among its scripts. What comes back is therefore checked, bounded and never more
than numbers and short words; a page that lies spoils the reading of itself.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from tidings.errors import NoLayout
from tidings.page import Hints, Page
from tidings.page.layout import Layout, Pixels, Style

#: Elements of one page; the largest front pages have about 10,000.
MOST: Final = 20_000
#: Pixels; beyond it lies nothing that anybody reads, and sums of areas stay exact.
FARTHEST: Final = 1_000_000.0
_MOST_STYLES: Final = 2_000
_LONGEST: Final = 100  # characters of a colour or of a family of type
_MARK: Final = "data-tidings-"

_PIXELS: Final = ("left", "top", "width", "height", "ink", "text_left", "text_top", "text_right", "text_bottom")

_FUNCTION: Final = Path(__file__).with_name("collector.js").read_text("utf-8")


def new_mark() -> str:
    """Return a name for the attribute that no page can know."""
    return _MARK + secrets.token_hex(8)


def collector(mark: str) -> str:
    """Return the function to run on the page (`Browser.look`)."""
    columns = ", ".join(f"{name}: []" for name in (*_PIXELS, "style"))
    return _FUNCTION.replace("MARK", mark).replace("MOST", str(MOST)).replace("COLUMNS", columns)


def measured(value: Any, mark: str, url: str | None = None) -> Page:
    """Return the page as it was drawn, with its layout, from what the function returned.

    Raises:
        NoLayout: that is something else; the page's scripts got in the way.
        PageError: the drawn document is empty or too large.
    """
    try:
        html = value["html"].encode("utf-8", "replace").decode("utf-8")
        columns = {name: _numbers(value["columns"][name]) for name in _PIXELS}
        style = np.array(value["columns"]["style"], np.int64)
        styles = tuple(_style(told) for told in value["styles"][:_MOST_STYLES])
        width, height = _numbers([value["width"], value["height"]]).tolist()
        over = int(value["over"])
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise NoLayout(f"{url or 'the page'} was shown, but its scripts get in the way of measuring it") from error
    source, place, number = _taken_out(html, mark)
    size = len(style)
    known = (number < size) & (number >= 0)
    number, place = number[known], place[known]
    if any(len(column) != size for column in columns.values()) or not len(number) or not styles:
        raise NoLayout(f"{url or 'the page'} was shown, but nothing of it has a size")
    layout = Layout(
        place=place,
        **{name: column[number] for name, column in columns.items()},
        style=style[number].clip(0, len(styles) - 1),
        styles=styles,
        page_width=width,
        page_height=height,
        left_out=max(over, 0),
    )
    return Page(source, url, Hints(layout=layout))


def _taken_out(html: str, mark: str) -> tuple[str, Any, Any]:
    """Return the HTML without the marks; where each stood, and its number."""
    parts, place, number = [], [], []
    done = size = 0
    for match in re.finditer(rf' {mark}="(\d{{1,9}})"', html):
        parts.append(html[done : match.start()])
        size += match.start() - done
        done = match.end()
        place.append(size)
        number.append(int(match[1]))
    parts.append(html[done:])
    return "".join(parts), np.array(place, np.int64), np.array(number, np.int64)


def _numbers(told: Sequence[Any]) -> Pixels:
    """Return numbers of pixels, none of them beyond what a page can have."""
    found = np.array([float(one) if isinstance(one, int | float) else 0.0 for one in told[: MOST + 1]], np.float64)
    return np.nan_to_num(found, nan=0.0, posinf=FARTHEST, neginf=-FARTHEST).clip(-FARTHEST, FARTHEST)


def _style(told: Sequence[Any]) -> Style:
    size, weight, *names = told
    if len(names) != 5:
        raise ValueError("a style has seven parts")
    words = (str(name)[:_LONGEST] for name in names)
    return Style(float(_numbers([size])[0]), int(_numbers([weight])[0]), *words)
