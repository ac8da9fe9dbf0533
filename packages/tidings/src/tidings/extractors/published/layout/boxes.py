"""The boxes of a page's elements, as a browser has rendered them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.errors import NoLayout
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints
from tidings.page.layout import Pixels, Style
from tidings.page.tag_sets import tag_set

Box = tuple[float, float, float, float]  # left, top, right, bottom
_LINK: Final = tag_set(tags.numbers("a"))


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """The boxes of a page's elements, in pixels from the page's top left corner."""

    drawn: Bools
    left: Pixels
    top: Pixels
    right: Pixels
    bottom: Pixels
    ink: Pixels  # area of the lines of the element's own text
    plain: Pixels  # area of the lines outside links
    text: tuple[Pixels, Pixels, Pixels, Pixels]  # left, top, right, bottom of these lines
    style: Ints  # of the element, or of its nearest rendered ancestor
    styles: tuple[Style, ...]
    last: Ints  # the elements inside e are e + 1 … last[e] - 1

    @property
    def area(self) -> Pixels:
        """Return the area of each box."""
        return (self.right - self.left) * (self.bottom - self.top)

    @property
    def inline(self) -> Bools:
        """Return whether each element is displayed inline or has no box."""
        flows = np.array([style.display.startswith("inline") or style.display == "contents" for style in self.styles])
        return np.asarray(flows[self.style] | ~self.drawn)

    def corner(self, element: int) -> float:
        """Return the distance in pixels of a box's top left corner from the page's top left corner."""
        return float(np.hypot(max(self.left[element], 0.0), max(self.top[element], 0.0)))

    def inside(self, values: Pixels) -> Pixels:
        """Return for each element the sum of the values of the element and all its descendants."""
        total = np.concatenate(([0.0], np.cumsum(values)))
        return np.asarray(total[self.last] - total[: len(values)])

    def rectangles(self, elements: Ints) -> tuple[Box, ...]:
        """Return the boxes of some elements as tuples of numbers, without duplicates."""
        columns = (self.left, self.top, self.right, self.bottom)
        rows = np.stack([column[elements] for column in columns], axis=1).tolist()
        return tuple(dict.fromkeys((left, top, right, bottom) for left, top, right, bottom in rows))

    def holds(self, outer: int, inner: int) -> bool:
        """Return whether `outer` is the element `inner` itself or one of its ancestors."""
        return bool(outer <= inner < self.last[outer])


def boxes_of(page: Page) -> Boxes:
    """Return the boxes of a page.

    Raises:
        NoLayout: no browser has rendered the page.
    """
    layout = page.hints.layout
    if layout is None:
        raise NoLayout(
            "this method works on the boxes that a browser draws, and this page has none: `tidings layout PAGE --with "
            "NAME` shows the page first (in Python, tidings.browser_layout); the default works without"
        )
    elements = page.elements
    last = np.searchsorted(elements.start, elements.end, side="left")
    count = len(elements)
    # A mark is inside the start tag of the last element that begins before it. The first mark of an element counts.
    owner = np.searchsorted(elements.start, layout.place, side="left") - 1
    first_marks = np.flatnonzero((owner > 0) & (np.diff(owner, prepend=-1) > 0))
    owner = owner[first_marks]
    drawn = np.zeros(count, np.bool_)
    drawn[owner] = True

    def column(values: Pixels) -> Pixels:
        rows = np.zeros(count)
        rows[owner] = values[first_marks]
        return rows

    styles = layout.styles or (Style(),)
    style = np.zeros(count, np.int64)
    style[owner] = layout.style[first_marks]
    ink = column(layout.ink)
    overlays = _overlaid(
        page, np.array([style_of_element.position == "fixed" for style_of_element in styles])[style] & drawn, ink, last
    )
    drawn[overlays], ink[overlays] = False, 0.0
    left, top = column(layout.left), column(layout.top)
    return Boxes(
        drawn=drawn,
        left=left,
        top=top,
        right=left + column(layout.width).clip(0),
        bottom=top + column(layout.height).clip(0),
        ink=ink,
        plain=np.where(page.nearest(_LINK) > 0, 0.0, ink),
        text=(
            column(layout.text_left),
            column(layout.text_top),
            column(layout.text_right),
            column(layout.text_bottom),
        ),
        style=style[page.nearest_of(drawn)],
        styles=styles,
        last=last,
    )


def _overlaid(page: Page, fixed: Bools, ink: Pixels, last: Ints) -> Bools:
    """Return the elements in overlays over the page, like cookie dialogues.

    A fixed element with most of the page's text is not an overlay.

    Args:
        page: the page.
        fixed: which elements have a fixed position.
        ink: the area of each element's own text.
        last: the end of each element's descendants.
    """
    if not fixed.any():
        return fixed
    total = np.concatenate(([0.0], np.cumsum(ink)))
    return np.asarray(page.nearest_of(fixed & (2 * (total[last] - total[:-1]) <= total[-1])) > 0)


def drawn_text(page: Page, boxes: Boxes) -> Spans:
    """Return the rendered text that is also visible in the source."""
    return page.shown(Spans.of_runs(page, boxes.drawn[page.runs.element]))
