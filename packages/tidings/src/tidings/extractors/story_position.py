"""The position of an element relative to the selected story: inside it, at its start or end, or outside."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final, NamedTuple, Self

import numpy as np

from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints, sums
from tidings.page.tag_sets import tag_set

#: Boxes beside the story. An element in one of them belongs to the story only if selected text is in the same box.
_BESIDE: Final = tag_set(tags.numbers("aside nav footer header form dialog"))
#: The container of the story has at least this share of the selected words.
_STORY: Final = 0.5


class Position(Enum):
    """The position of an element relative to the selected story."""

    INSIDE = auto()  # the story goes on around it
    START = auto()  # it begins the container of the story
    END = auto()  # it ends the container of the story
    OUTSIDE = auto()


class StorySelection(NamedTuple):
    """The selected text of a page, by run."""

    page: Page
    chosen: Bools  # which runs are selected
    words: Ints  # the number of selected words before each run, and in total
    visible: Ints  # the number of visible runs before each run, and in total

    @classmethod
    def of(cls, page: Page, selected: Spans) -> Self:
        """Create from selected text."""
        chosen = np.zeros(len(page.runs), np.bool_)
        chosen[selected.runs(page)] = True
        return cls(page, chosen, sums(np.where(chosen, page.runs.words, 0)), sums(~page.runs.hidden))

    def position(self, element: int) -> Position:
        """Return the position of an element relative to the story.

        The container of the story is the smallest element around the element that has most of the selected words.
        """
        page, words, visible = self.page, self.words, self.visible
        elements = page.elements
        first, last = elements.first.item(element), elements.last.item(element)
        own = int(words[last] - words[first])
        total = int(words[-1]) - own
        if total <= 0:
            return Position.OUTSIDE
        container, is_flow, size = elements.parent.item(element), True, last - first
        low, high = 0, len(page.runs)
        while container > 0:
            low, high = elements.first.item(container), elements.last.item(container)
            around = int(words[high] - words[low]) - own
            if around >= _STORY * total:
                break
            if not around:
                if _BESIDE[min(elements.tag.item(container), len(_BESIDE) - 1)]:
                    return Position.OUTSIDE
                is_flow = is_flow and int(visible[high] - visible[low]) <= size
            container, low, high = elements.parent.item(container), 0, len(page.runs)
        before, behind = int(words[first] - words[low]), int(words[high] - words[last])
        if before and behind:
            return Position.INSIDE
        if not is_flow:
            return Position.OUTSIDE
        return Position.END if before else Position.START
