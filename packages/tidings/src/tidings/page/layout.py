"""The layout of a page in a browser: a box for each element, in pixels from the top left corner, and its style.

LBNEST II.A takes the sizes of segments from a rendering engine and adds up the positions of their ancestors; current
browsers return absolute boxes. Here they are data, passed as a hint (`Hints(layout=…)`).
`tidings.fetch.rendering.browser` renders and measures, as requested by `extractors.layout`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tidings.page.columns import Ints

Pixels = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Style:
    """The computed style of an element's text."""

    size: float = 16.0  # font size in pixels
    weight: int = 400
    family: str = ""
    colour: str = "rgb(0, 0, 0)"
    background: str = ""  # empty if transparent
    display: str = "block"
    position: str = "static"


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The boxes of rendered elements in document order. Create it with `extractors.layout.measured`."""

    place: Ints  # an offset in the element's start tag, which identifies it; ascending
    left: Pixels
    top: Pixels
    width: Pixels
    height: Pixels
    ink: Pixels  # area of the lines of text directly in the element; the next four bound them
    text_left: Pixels
    text_top: Pixels
    text_right: Pixels
    text_bottom: Pixels
    style: Ints  # index into `styles`
    styles: tuple[Style, ...]
    page_width: float
    page_height: float
    left_out: int = 0  # number of elements above the limit

    def __len__(self) -> int:
        return len(self.place)
