"""How large the type of each element is, as far as its tags tell; no style sheet is read.

Sizes of headings and of the font element are those of the HTML standard (15.3.7, 15.3.4); sizes in `style` count too.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.page import Page, tags
from tidings.page.columns import distinct

_SIZES: Final = {"h1": 2.0, "h2": 1.5, "h3": 1.17, "h4": 1.0, "h5": 0.83, "h6": 0.67, "big": 1.2, "small": 0.83}
_BOLD: Final = tags.numbers("b strong")
#: Sizes of the font element, 1 to 7, in em (HTML standard, 15.3.4).
_FONT: Final = (0.63, 0.82, 1.0, 1.13, 1.5, 2.0, 3.0)
_STYLED: Final = re.compile(r"font-size\s{0,9}:\s{0,9}(\d{1,3}(?:\.\d{1,3})?)(px|pt|r?em|%)", re.IGNORECASE)
_IN_EM: Final = {"px": 1 / 16, "pt": 1 / 12, "em": 1.0, "rem": 1.0, "%": 0.01}
#: Bold type looks larger than it is: between body text and h4.
_BOLDER: Final = 0.1


def type_sizes(page: Page) -> NDArray[np.float64]:
    """The estimated size of type of each element's text, in em; bold text a little larger."""
    own = np.ones(len(page.tag_names))
    for name, size in _SIZES.items():
        own[tags.NUMBERS[name]] = size
    sizes = own[page.elements.tag]
    told = sizes != 1.0
    for element in _styled(page):
        size = _told_size(page.attributes(element))
        if size:
            sizes[element], told[element] = size, True
    nearest = page.nearest_of(told)
    bold = page.nearest_of(np.isin(page.elements.tag, list(_BOLD))) > 0
    return np.asarray(np.where(nearest > 0, sizes[nearest], 1.0) + _BOLDER * bold)


def _styled(page: Page) -> list[int]:
    """Elements with a size of type in their start tag."""
    places = [match.start() for match in re.finditer(r"font-size|<font", page.source, re.IGNORECASE)]
    found = np.searchsorted(page.elements.start, places, side="right") - 1
    return [element for element in distinct(found).tolist() if element > 0]


def _told_size(attributes: dict[str, str]) -> float:
    if match := _STYLED.search(attributes.get("style", "")):
        return float(match[1]) * _IN_EM[match[2].lower()]
    size = attributes.get("size", "")
    return _FONT[int(size) - 1] if len(size) == 1 and size in "1234567" else 0.0
