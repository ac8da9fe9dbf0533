"""Add the posts of social networks that a story quotes to its selection.

Sites write an embedded post into the story as a quote. The model was trained on ground truth without them, so it gives
them a low probability. A post belongs to the story if the story goes on around it.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tidings.fields.embedded_posts import embedded_posts
from tidings.page import Page, Spans, tags
from tidings.page.columns import Ints, sums
from tidings.page.tag_sets import among, tag_set

#: Boxes beside the story. A post in one of them belongs to the story only if selected text is in the same box.
_BESIDE: Final = tag_set(tags.numbers("aside nav footer header form dialog"))
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
    added = np.zeros(len(page.runs), np.bool_)
    for post in posts:
        if is_inside(page, post.element, words):
            added[list(post.text)] = True
    added &= ~chosen
    return selected | Spans.of_runs(page, added) if added.any() else selected


def is_inside(page: Page, element: int, words: Ints) -> bool:
    """Return whether an element is inside the story.

    The story goes on around it, inside the container that has most of the story. Or the element ends the story: it is
    directly inside that container, with selected text before it.

    Args:
        page: the page.
        element: the element.
        words: the number of selected words before each run, and in total.
    """
    elements, runs = page.elements, page.runs
    first, last = elements.first.item(element), elements.last.item(element)
    own = int(words[last] - words[first])
    total = int(words[-1]) - own
    if total <= 0:
        return False
    container, is_flow = elements.parent.item(element), True
    while container > 0:
        low, high = elements.first.item(container), elements.last.item(container)
        around = int(words[high] - words[low]) - own
        if not around and among(elements.tag[container : container + 1], _BESIDE)[0]:
            return False
        if around >= _STORY * total:
            break
        is_flow = is_flow and (around > 0 or not (~runs.hidden[low:high]).sum() > (~runs.hidden[first:last]).sum())
        container = elements.parent.item(container)
    else:
        low, high = 0, len(runs)
    before, behind = int(words[first] - words[low]), int(words[high] - words[last])
    return is_flow or (before > 0 and behind > 0)
