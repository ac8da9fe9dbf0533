"""LBNEST's hybrid method: the DOM method inside the box in which a browser renders the story (LBNEST IV and VI.C).

The layout method finds the box, and the DOM method selects sentences inside it, so that footers and teasers elsewhere
are never compared with the headline. If the condition fails (no box, or a box at the page's corner), the DOM method
runs on the whole page.

Decided here, with numbers chosen on other pages than those of the study: the boxes of a story have the same width, left
edge and font, so boxes of the same column with at least a fifth of the text belong to it. Each box grows into the box
around it as long as it gains no more links than other text: leads and closing paragraphs are often next to the largest
box, while menus and footers have to stay out. The condition also fails if the DOM method selects nothing inside the
box.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.extractors.published.layout.boxes import Boxes, boxes_of
from tidings.extractors.published.layout.choice import BoxChoice
from tidings.extractors.published.layout.text_box import LargestTextBox, other_candidates, text_areas, why
from tidings.extractors.published.lbnest import LBNEST
from tidings.page import Page, Spans
from tidings.page.columns import Ints
from tidings.page.layout import Pixels

_EDGE: Final = 2.0  # pixels by which edges of one column may differ
_MOST: Final = 200  # boxes of a column that are compared


@checked
@dataclass(frozen=True, slots=True)
class LayoutLBNEST:
    """LBNEST's DOM method inside the largest text box that a browser renders away from the page's corner."""

    dom: LBNEST = field(default_factory=LBNEST)
    box: LargestTextBox = field(default_factory=LargestTextBox)
    column: float = 0.2  # share of the largest box's text that another box of its column needs to belong to it
    links: float = 1.0  # area of links per area of other text that a box may gain when it grows

    def __call__(self, page: Page, /) -> Spans:
        """Return the sentences that resemble the headline, in the box of the story."""
        return self.choose(page).spans

    def choose(self, page: Page, /) -> BoxChoice:
        """Return the boxes of the column of the story, and other candidates."""
        if not 0 < self.column <= 1 or self.links < 0:
            raise BadParameter(f"column is {self.column} and links {self.links}; more than 0 to 1, and from 0 on")
        boxes = boxes_of(page)
        box = self.box.find(page, boxes)
        areas = text_areas(page, boxes, self.box.share)
        reason = why(box)
        if box is not None and box.away:
            column = same_column(boxes, areas, box.element, self.column)
            parts = grown(page, boxes, column, self.links, self.box.corner)
            spans = self.dom.extract(page, parts.tolist())
            if spans:
                return BoxChoice(spans, boxes.rectangles(parts), other_candidates(boxes, areas, parts), reason)
            reason = "the largest text box has no paragraph like the headline: the whole page"
        none = np.empty(0, np.int64)
        return BoxChoice(self.dom(page), (), other_candidates(boxes, areas, none), reason)


def same_column(boxes: Boxes, areas: Pixels, element: int, share: float) -> Ints:
    """Return the elements of the same column: those with equal width, left edge and font.

    Args:
        boxes: the boxes of the page.
        areas: the area of text in each element.
        element: the element.
        share: the least area of text of another element, relative to the element's.
    """
    is_similar = boxes.drawn & (areas >= share * areas[element])
    for edge in (boxes.left, boxes.right):
        is_similar &= np.abs(edge - edge[element]) <= _EDGE
    result = [element]
    font = _font(boxes, element)
    for candidate in np.flatnonzero(is_similar)[:_MOST].tolist():
        is_separate = not any(boxes.holds(candidate, other) or boxes.holds(other, candidate) for other in result)
        if is_separate and _font(boxes, candidate) == font:
            result.append(candidate)
    return np.array(result, np.int64)


def grown(page: Page, boxes: Boxes, elements: Ints, links: float, corner: float) -> Ints:
    """Replace elements by the outermost boxes around them that add little link text, without duplicates.

    Args:
        page: the page.
        boxes: its boxes.
        elements: the elements.
        links: the largest ratio of added link text to other added text.
        corner: the least distance of a box from the page's corner.
    """
    plain = boxes.inside(boxes.plain)
    linked = boxes.inside(boxes.ink) - plain
    result = []
    for inner in elements.tolist():
        element, outer = inner, int(page.elements.parent[inner])
        while outer > 0:
            if boxes.drawn[outer]:
                more = linked[outer] - linked[inner]
                if more > links * (plain[outer] - plain[inner]) + 1 or boxes.corner(outer) < corner:  # 1: rounding
                    break
                element = outer
            outer = int(page.elements.parent[outer])
        result.append(element)
    return np.array(list(dict.fromkeys(result)), np.int64)


def _font(boxes: Boxes, element: int) -> tuple[float, str]:
    """Return font size and family of most of the text in an element."""
    inside = slice(element, int(boxes.last[element]))
    most = int(np.argmax(np.bincount(boxes.style[inside], boxes.ink[inside], minlength=len(boxes.styles))))
    style = boxes.styles[most]
    return style.size, style.family
