"""Measurement of a rendered page in the browser: box, text and style of every element.

The function runs on the page after its scripts. It numbers the elements in a copy of the document, in an attribute with
a random name, and returns the copy's HTML with the boxes. `measured` removes the attributes again and stores their
positions. So each box belongs exactly to its element, however the HTML is parsed again, and the page's source is that
of the rendered document without any additional character.

A page can manipulate a function that runs among its scripts. The result is therefore checked and bounded, and consists
only of numbers and short words; a page that manipulates it damages only its own extraction.
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

#: The maximal number of elements; the largest front pages have about 10,000.
MOST: Final = 20_000
#: The largest coordinate in pixels: within it, sums of areas are exact.
FARTHEST: Final = 1_000_000.0
_MOST_STYLES: Final = 2_000
_LONGEST: Final = 100  # characters of a colour or of a font family
_MARK: Final = "data-tidings-"

_PIXELS: Final = ("left", "top", "width", "height", "ink", "text_left", "text_top", "text_right", "text_bottom")

_FUNCTION: Final = Path(__file__).with_name("collector.js").read_text("utf-8")


def new_mark() -> str:
    """Return a random attribute name that the page cannot know."""
    return _MARK + secrets.token_hex(8)


def collector(mark: str) -> str:
    """Return the JavaScript function that measures the boxes of a page in the browser (`Browser.look`)."""
    columns = ", ".join(f"{name}: []" for name in (*_PIXELS, "style"))
    return _FUNCTION.replace("MARK", mark).replace("MOST", str(MOST)).replace("COLUMNS", columns)


def measured(value: Any, mark: str, url: str | None = None) -> Page:
    """Return a rendered page with its layout, from the result of the JavaScript function of `collector`.

    Raises:
        NoLayout: the result is invalid because the page's scripts interfere, or nothing was rendered.
        PageError: the rendered document is empty or too large.
    """
    try:
        html = value["html"].encode("utf-8", "replace").decode("utf-8")
        columns = {name: _numbers(value["columns"][name]) for name in _PIXELS}
        style = np.array(value["columns"]["style"], np.int64)
        styles = tuple(_style(values) for values in value["styles"][:_MOST_STYLES])
        width, height = _numbers([value["width"], value["height"]]).tolist()
        over = int(value["over"])
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise NoLayout(f"{url or 'the page'} was shown, but its scripts get in the way of measuring it") from error
    source, place, number = _without_marks(html, mark)
    size = len(style)
    is_valid = (number < size) & (number >= 0)
    number, place = number[is_valid], place[is_valid]
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


def _without_marks(html: str, mark: str) -> tuple[str, Any, Any]:
    """Return HTML without the attributes that number its elements, the position of each, and its number."""
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


def _numbers(values: Sequence[Any]) -> Pixels:
    """Return pixel values as floats, clipped to the limits of a page."""
    numbers = np.array(
        [float(value) if isinstance(value, int | float) else 0.0 for value in values[: MOST + 1]], np.float64
    )
    return np.nan_to_num(numbers, nan=0.0, posinf=FARTHEST, neginf=-FARTHEST).clip(-FARTHEST, FARTHEST)


def _style(values: Sequence[Any]) -> Style:
    size, weight, *names = values
    if len(names) != 5:
        raise ValueError("a style has seven parts")
    words = (str(name)[:_LONGEST] for name in names)
    return Style(float(_numbers([size])[0]), int(_numbers([weight])[0]), *words)
