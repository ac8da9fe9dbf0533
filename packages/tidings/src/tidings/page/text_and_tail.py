"""The text and the tail of each element, as in ElementTree (memory-based thesis 4.1.3).

The text of an element is what stands in it before its first child; its tail is what stands behind it, in its parent, up
to the next tag of an element. Every run of a page is in exactly one of the two, of one element.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tidings.page.columns import Bools, Ints
from tidings.page.page import Page


@dataclass(frozen=True, slots=True, eq=False)
class TextAndTail:
    """For each run of text, its element and whether it is in the element's text or tail; for each element, text and
    tail as ranges of runs.

    The range of a tail may be empty. A comment or script inside a text separates runs but not the text: `text_first[e]
    … text_last[e] - 1` are all of it.
    """

    element: Ints  # per run: the element whose text or tail it is in
    in_tail: Bools  # per run: whether it is in the tail
    text_first: Ints  # per element
    text_last: Ints
    tail_first: Ints
    tail_last: Ints


def text_and_tail(page: Page) -> TextAndTail:
    """Return for every run of text the element whose text or tail contains it."""
    elements, owner = page.elements, page.runs.element
    size, runs = len(elements), np.arange(len(page.runs))
    # The last child of the owner that was opened before the run has it as its tail; without one it is text.
    opened = np.searchsorted(elements.first, runs, side="right")  # elements opened before each run
    order = np.argsort(elements.parent, kind="stable")
    keys = (elements.parent[order] + 1) * (size + 1) + order
    at = np.searchsorted(keys, (owner + 1) * (size + 1) + opened) - 1
    child = order[at]
    in_tail = elements.parent[child] == owner
    element = np.where(in_tail, child, owner)
    text_first, text_last = _ranges(element[~in_tail], runs[~in_tail], size)
    tail_first, tail_last = _ranges(element[in_tail], runs[in_tail], size)
    return TextAndTail(element, in_tail, text_first, text_last, tail_first, tail_last)


def _ranges(element: Ints, runs: Ints, size: int) -> tuple[Ints, Ints]:
    """Return the first run of each element and the index after its last one; 0 and 0 for elements without runs."""
    first, last = np.zeros(size, np.int64), np.zeros(size, np.int64)
    first[element[::-1]] = runs[::-1]
    last[element] = runs + 1
    return first, last
