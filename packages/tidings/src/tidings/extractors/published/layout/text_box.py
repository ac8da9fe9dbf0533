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

_LEVELS: Final = 12  # levels beyond count less than a thousandth
_SHOWN: Final = 40  # number of other candidates to report


@dataclass(frozen=True, slots=True)
class FoundBox:
    """The element with the largest text box."""

    element: int
    corner: float  # distance of its corner from the page's corner
    away: bool  # whether the distance is large enough


def text_areas(page: Page, boxes: Boxes, share: float) -> Pixels:
    """Return for each element the area of the text that belongs to its box: its own, and a part of its inner blocks'
    text.

    Args:
        page: the page.
        boxes: its boxes.
        share: the factor by which text counts less for each further level of nesting.
    """
    blocks = page.nearest_of(~boxes.inline)
    parent = np.maximum(page.elements.parent, 0)
    own = np.bincount(blocks, boxes.plain, minlength=len(blocks))
    outer = np.flatnonzero(own)
    counted, weight = own[outer], 1.0
    total = own.copy()
    for _ in range(_LEVELS):
        outer = blocks[parent[outer]]
        is_inner = outer > 0
        outer, counted = outer[is_inner], counted[is_inner]
        total += np.bincount(outer, counted * weight, minlength=len(total))
        weight *= share
    total[0] = 0.0
    return np.where(boxes.drawn, total, 0.0)


def box_areas(page: Page, boxes: Boxes, share: float) -> Pixels:
    """Return the area of each element's box, reduced to the share of its text that belongs to it (`text_areas`)."""
    ink = boxes.inside(boxes.ink)
    return np.where(ink > 0, boxes.area * text_areas(page, boxes, share) / np.maximum(ink, 1e-9), 0.0)


class BoxSize(Enum):
    """How the size of a text box is measured."""

    AREA = "the area of the box"
    INK = "the lines of text in it"


@checked
@dataclass(frozen=True, slots=True)
class LargestTextBox:
    """The text in the largest text box that a browser renders away from the page's corner."""

    share: float = 0.5  # factor by which a line counts less for each further box around it
    corner: float = 50.0  # pixels; LBNEST: "significantly distant" from (0, 0)
    size: BoxSize = BoxSize.INK

    def __call__(self, page: Page, /) -> Spans:
        """Return the text in the largest text box; without one, all rendered text."""
        boxes = boxes_of(page)
        return self._inside(page, boxes, self.find(page, boxes))

    def find(self, page: Page, boxes: Boxes) -> FoundBox | None:
        """Return the element with the largest box; None if nothing is rendered."""
        return self._largest(boxes, self._areas(page, boxes))

    def choose(self, page: Page, /) -> BoxChoice:
        """Return the largest text box, and other candidates."""
        boxes = boxes_of(page)
        areas = self._areas(page, boxes)
        box = self._largest(boxes, areas)
        chosen = np.array([box.element] if box and box.away else [], np.int64)
        return BoxChoice(
            self._inside(page, boxes, box), boxes.rectangles(chosen), other_candidates(boxes, areas, chosen), why(box)
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

    def _inside(self, page: Page, boxes: Boxes, box: FoundBox | None) -> Spans:
        whole = drawn_text(page, boxes)
        return whole & Spans.of_elements(page, [box.element]) if box and box.away else whole


def why(box: FoundBox | None) -> str:
    """Return in words why a box was selected."""
    if box is None:
        return "nothing with text is drawn: the whole page is taken"
    distance = f"{box.corner:.0f} px from the page's corner"
    return (
        f"the largest text box, {distance}" if box.away else f"the largest text box is only {distance}: the whole page"
    )


def other_candidates(boxes: Boxes, areas: Pixels, chosen: Ints) -> tuple[Box, ...]:
    """Return the largest boxes that do not overlap with the selected boxes (`chosen`) or with each other. `areas` has
    the size of each element.
    """
    selected = chosen.tolist()
    result: list[int] = []
    for element in np.argsort(-areas, kind="stable")[: 20 * _SHOWN].tolist():
        if len(result) == _SHOWN or not areas[element]:
            break
        if not any(boxes.holds(other, element) or boxes.holds(element, other) for other in (*selected, *result)):
            result.append(element)
    return boxes.rectangles(np.array(result, np.int64))
