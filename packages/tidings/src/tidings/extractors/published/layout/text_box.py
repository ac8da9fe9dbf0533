"""The largest text box of a page, if it is far enough from the page's corner (LBNEST II.A and IV).

The story has "the largest single visual block" of a page. Only areas with text count, which excludes pictures. The top
left corner of the box must be well away from that of the page, where the site's name is.

Decided here, because on current pages every paragraph has its own box, and the outermost box is always the largest: the
size of a box is the area of its lines of text without links. A line counts fully for the block that it is in and for
the block around that, and half as much for each further level. The factor was chosen on other pages than those of the
study (0.4 and 0.6 are about as good). With `size=area`, as in the paper, the size is the area of the box times the
share of its text that counts; then a headline in large type is not larger than the story below it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.extractors.published.layout.boxes import Box, Boxes, boxes_of, drawn_text
from tidings.extractors.published.layout.choice import BoxChoice
from tidings.page import Page, Spans
from tidings.page.columns import Ints
from tidings.page.layout import Pixels

_LEVELS: Final = 12  # further out a line counts less than a thousandth
_SHOWN: Final = 40  # boxes that a picture of the choice shows besides the chosen one


@dataclass(frozen=True, slots=True)
class FoundBox:
    """The element with the largest text box."""

    element: int
    corner: float  # how far it is from the page's
    away: bool  # whether that is far enough


def text_areas(page: Page, boxes: Boxes, share: float) -> Pixels:
    """For each element the area of text that counts for its box."""
    blocks = page.nearest_of(~boxes.inline)
    parent = np.maximum(page.elements.parent, 0)
    own = np.bincount(blocks, boxes.plain, minlength=len(blocks))
    at = np.flatnonzero(own)
    counted, weight = own[at], 1.0
    total = own.copy()
    for _ in range(_LEVELS):
        at = blocks[parent[at]]
        some = at > 0
        at, counted = at[some], counted[some]
        total += np.bincount(at, counted * weight, minlength=len(total))
        weight *= share
    total[0] = 0.0
    return np.where(boxes.drawn, total, 0.0)


def box_areas(page: Page, boxes: Boxes, share: float) -> Pixels:
    """For each element the area of its box, by how much of the text in it counts for it and not for boxes inside."""
    shown = boxes.inside(boxes.ink)
    return np.where(shown > 0, boxes.area * text_areas(page, boxes, share) / np.maximum(shown, 1e-9), 0.0)


class BoxSize(Enum):
    """What makes one text box larger than another."""

    AREA = "the area of the box"
    INK = "the lines of text in it"


@checked
@dataclass(frozen=True, slots=True)
class LargestTextBox:
    """The text in the largest text box that a browser draws away from the page's corner."""

    share: float = 0.5  # of what a line counts for a box, counts for the next one around it
    corner: float = 50.0  # pixels; LBNEST: "significantly distant" from (0, 0)
    size: BoxSize = BoxSize.INK

    def __call__(self, page: Page, /) -> Spans:
        """What is in the box; where there is none, all that is drawn."""
        boxes = boxes_of(page)
        return self._inside(page, boxes, self.find(page, boxes))

    def find(self, page: Page, boxes: Boxes) -> FoundBox | None:
        """Return the element with the largest box; none, where nothing is drawn."""
        return self._largest(boxes, self._areas(page, boxes))

    def choose(self, page: Page, /) -> BoxChoice:
        """Return the box, and the next ones."""
        boxes = boxes_of(page)
        areas = self._areas(page, boxes)
        found = self._largest(boxes, areas)
        chosen = np.array([found.element] if found and found.away else [], np.int64)
        return BoxChoice(
            self._inside(page, boxes, found), boxes.rectangles(chosen), others(boxes, areas, chosen), why(found)
        )

    def _areas(self, page: Page, boxes: Boxes) -> Pixels:
        if not 0 <= self.share <= 1 or self.corner < 0:
            raise BadParameter(f"share is {self.share} and corner {self.corner}; 0 to 1, and pixels from 0 on")
        return (box_areas if self.size is BoxSize.AREA else text_areas)(page, boxes, self.share)

    def _largest(self, boxes: Boxes, areas: Pixels) -> FoundBox | None:
        element = int(np.argmax(areas))
        if not areas[element]:
            return None
        corner = boxes.corner(element)
        return FoundBox(element, corner, corner >= self.corner)

    def _inside(self, page: Page, boxes: Boxes, found: FoundBox | None) -> Spans:
        whole = drawn_text(page, boxes)
        return whole & Spans.of_elements(page, [found.element]) if found and found.away else whole


def why(found: FoundBox | None) -> str:
    """Return the choice in words."""
    if found is None:
        return "nothing with text is drawn: the whole page is taken"
    far = f"{found.corner:.0f} px from the page's corner"
    return f"the largest text box, {far}" if found.away else f"the largest text box is only {far}: the whole page"


def others(boxes: Boxes, areas: Pixels, chosen: Ints) -> tuple[Box, ...]:
    """Return the largest boxes that are neither chosen nor inside or around a chosen one, nor inside each other."""
    taken = chosen.tolist()
    kept: list[int] = []
    for element in np.argsort(-areas, kind="stable")[: 20 * _SHOWN].tolist():
        if len(kept) == _SHOWN or not areas[element]:
            break
        if not any(boxes.holds(one, element) or boxes.holds(element, one) for one in (*taken, *kept)):
            kept.append(element)
    return boxes.rectangles(np.array(kept, np.int64))
