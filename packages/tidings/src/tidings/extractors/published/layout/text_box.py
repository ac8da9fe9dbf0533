"""The largest text box of a page, if it is well away from the corner (LBNEST II.A and IV).

The full story has "the largest single visual block" of a page; only areas with text count, so that no picture is taken
for it; and its top left corner lies well away from that of the page, for there stands the site's name.

Decided here, since on a page of today every paragraph is a box of its own, and the box around everything is always the
largest: the lines of text in a box, without those of links, make it one that counts; a line counts wholly for the block
it stands in and for the block around that, and half as much for each block further out. Half was chosen on other
pages than those of the study (0.4 and 0.6 do about as well). A box is as large as these lines (`size=ink`), or as the
area of the box itself, as the paper says, by the share of what it shows that are such lines (`size=area`): then a
headline in large type is not larger than the story below it.

LBNEST's hybrid: the DOM method inside the box in which a browser draws the story (LBNEST IV and VI.C).

The layout finds the box, the DOM method reads in it, so that footers and teasers elsewhere are never compared with the
headline. Where the condition fails (no box, or one at the page's corner) it reads the whole page: nothing is lost.

Decided here, with numbers chosen on other pages than those of the study. A story in several boxes has the same width,
the same left edge and the same type in all of them, so boxes of the same column that hold at least a fifth as much text
belong to it. Each of them grows into the box around it as long as no more links than other text come in: leads and
closing paragraphs often stand beside the largest box, and what the box is to keep out are menus and footers. Where the
DOM method finds nothing in the box, the condition has failed too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

import numpy as np

from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.extractors.published.layout.boxes import Box, BoxChoice, Boxes, boxes_of, drawn_text
from tidings.extractors.published.lbnest import LBNEST
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


_EDGE: Final = 2.0  # pixels by which edges of one column may differ
_MOST: Final = 200  # boxes of a column that are looked at


@checked
@dataclass(frozen=True, slots=True)
class LayoutLBNEST:
    """LBNEST's DOM method inside the largest text box that a browser draws away from the page's corner."""

    dom: LBNEST = field(default_factory=LBNEST)
    box: LargestTextBox = field(default_factory=LargestTextBox)
    column: float = 0.2  # of the text in the largest box, from which on another one of its column belongs to it
    links: float = 1.0  # areas of links for each of other text, up to which a box grows

    def __call__(self, page: Page, /) -> Spans:
        """Return the sentences in the box that resemble the headline."""
        return self.choose(page).spans

    def choose(self, page: Page, /) -> BoxChoice:
        """Return the boxes of the story's column, and the next ones."""
        if not 0 < self.column <= 1 or self.links < 0:
            raise BadParameter(f"column is {self.column} and links {self.links}; more than 0 to 1, and from 0 on")
        boxes = boxes_of(page)
        found = self.box.find(page, boxes)
        areas = text_areas(page, boxes, self.box.share)
        said = why(found)
        if found is not None and found.away:
            column = same_column(boxes, areas, found.element, self.column)
            parts = grown(page, boxes, column, self.links, self.box.corner)
            spans = self.dom.extract(page, parts.tolist())
            if spans:
                return BoxChoice(spans, boxes.rectangles(parts), others(boxes, areas, parts), said)
            said = "the largest text box has no paragraph like the headline: the whole page"
        none = np.empty(0, np.int64)
        return BoxChoice(self.dom(page), (), others(boxes, areas, none), said)


def same_column(boxes: Boxes, areas: Pixels, element: int, share: float) -> Ints:
    """Return an element, then others as wide, as far to the left and of the same type that hold a share of its text."""
    near = boxes.drawn & (areas >= share * areas[element])
    for edge in (boxes.left, boxes.right):
        near &= np.abs(edge - edge[element]) <= _EDGE
    kept = [element]
    kind = _type(boxes, element)
    for one in np.flatnonzero(near)[:_MOST].tolist():
        apart = not any(boxes.holds(one, other) or boxes.holds(other, one) for other in kept)
        if apart and _type(boxes, one) == kind:
            kept.append(one)
    return np.array(kept, np.int64)


def grown(page: Page, boxes: Boxes, elements: Ints, links: float, corner: float) -> Ints:
    """For each element the outermost box around it up to which no more links than other text come in, each once."""
    plain = boxes.inside(boxes.plain)
    linked = boxes.inside(boxes.ink) - plain
    found = []
    for inner in elements.tolist():
        element, outer = inner, int(page.elements.parent[inner])
        while outer > 0:
            if boxes.drawn[outer]:
                more = linked[outer] - linked[inner]
                if more > links * (plain[outer] - plain[inner]) + 1 or boxes.corner(outer) < corner:  # 1: rounding
                    break
                element = outer
            outer = int(page.elements.parent[outer])
        found.append(element)
    return np.array(list(dict.fromkeys(found)), np.int64)


def _type(boxes: Boxes, element: int) -> tuple[float, str]:
    """Return size and family of most of the text in an element."""
    inside = slice(element, int(boxes.last[element]))
    most = int(np.argmax(np.bincount(boxes.style[inside], boxes.ink[inside], minlength=len(boxes.styles))))
    style = boxes.styles[most]
    return style.size, style.family
