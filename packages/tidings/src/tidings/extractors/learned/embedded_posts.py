"""Add the posts of social networks that a story quotes to its selection.

Sites write an embedded post into the story as a quote. The model was trained on ground truth without them, so it gives
them a low probability. A post belongs to the story if the story goes on around it.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

import numpy as np

from tidings.fields.embedded_posts import EmbeddedPost, embedded_posts
from tidings.page import Page, Spans, tags
from tidings.page.columns import Ints, sums
from tidings.page.tag_sets import tag_set

#: Boxes beside the story. A post in one of them belongs to the story only if selected text is in the same box.
_BESIDE: Final = tag_set(tags.numbers("aside nav footer header form dialog"))
#: More posts before or after all selected text are a collection of posts, not part of the story.
_MOST_AT_EDGE: Final = 2
#: The container of the story has at least this share of the selected words.
_STORY: Final = 0.5


def with_embedded_posts(page: Page, selected: Spans) -> Spans:
    """Return the selection with the embedded posts that are inside the story."""
    posts = [post for post in embedded_posts(page) if post.text]
    if not posts or not selected:  # on most pages
        return selected
    chosen = np.zeros(len(page.runs), np.bool_)
    chosen[selected.runs(page)] = True
    words = sums(np.where(chosen, page.runs.words, 0))
    visible = sums(~page.runs.hidden)
    by_position: dict[Position, list[EmbeddedPost]] = {}
    for post in posts:
        by_position.setdefault(position(page, post.element, words, visible), []).append(post)
    added = np.zeros(len(page.runs), np.bool_)
    for place, some in by_position.items():
        if place is Position.INSIDE or (place is not Position.OUTSIDE and len(some) <= _MOST_AT_EDGE):
            added[[run for post in some for run in post.text]] = True
    added &= ~chosen
    return selected | Spans.of_runs(page, added) if added.any() else selected


class Position(Enum):
    """The position of an element relative to the selected story."""

    INSIDE = auto()  # the story goes on around it
    START = auto()  # it begins the container of the story
    END = auto()  # it ends the container of the story
    OUTSIDE = auto()


def position(page: Page, element: int, words: Ints, visible: Ints) -> Position:
    """Return the position of an element relative to the story.

    The container of the story is the smallest element around the element that has most of the selected words.

    Args:
        page: the page.
        element: the element.
        words: the number of selected words before each run, and in total.
        visible: the number of visible runs before each run, and in total.
    """
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
