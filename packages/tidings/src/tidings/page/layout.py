"""What a browser drew of a page: a box for each element, in pixels from the page's top left corner, and its style.

LBNEST II.A takes the sizes of segments from a rendering engine and adds up the places of their ancestors; a browser of
today gives absolute boxes at once. Here they are only data, which travel with a page as one of its hints
(`Hints(layout=…)`): who draws and measures is `tidings.fetch.browser`, what is asked of it `extractors.layout`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tidings.page.columns import Ints

Pixels = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Style:
    """How the text of an element looks (computed style)."""

    size: float = 16.0  # of the type, in pixels
    weight: int = 400
    family: str = ""
    colour: str = "rgb(0, 0, 0)"
    background: str = ""  # nothing where what is behind shows through
    display: str = "block"
    position: str = "static"


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Boxes of the elements that were drawn, in document order. Make it with `extractors.layout.measured`."""

    place: Ints  # an offset inside the element's start tag, which tells the element: it only rises
    left: Pixels
    top: Pixels
    width: Pixels
    height: Pixels
    ink: Pixels  # the area of the lines of text that stand directly in the element; the four below are around them
    text_left: Pixels
    text_top: Pixels
    text_right: Pixels
    text_bottom: Pixels
    style: Ints  # which of the styles
    styles: tuple[Style, ...]
    page_width: float
    page_height: float
    left_out: int = 0  # elements over the cap

    def __len__(self) -> int:
        return len(self.place)
