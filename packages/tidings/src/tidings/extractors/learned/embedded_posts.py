"""Add the posts of social networks that a story quotes to its selection.

Sites write an embedded post into the story as a quote. The model was trained on ground truth without them, so it gives
them a low probability. A post belongs to the story if the story goes on around it.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tidings.extractors.story_position import Position, StorySelection
from tidings.fields.embedded_posts import EmbeddedPost, embedded_posts
from tidings.page import Page, Spans

#: More posts before or after all selected text are a collection of posts, not part of the story.
_MOST_AT_EDGE: Final = 2


def with_embedded_posts(page: Page, selected: Spans) -> Spans:
    """Return the selection with the embedded posts that are inside the story."""
    posts = [post for post in embedded_posts(page) if post.text]
    if not posts or not selected:  # on most pages
        return selected
    selection = StorySelection.of(page, selected)
    by_position: dict[Position, list[EmbeddedPost]] = {}
    for post in posts:
        by_position.setdefault(selection.position(post.element), []).append(post)
    added = np.zeros(len(page.runs), np.bool_)
    for place, some in by_position.items():
        if place is Position.INSIDE or (place is not Position.OUTSIDE and len(some) <= _MOST_AT_EDGE):
            added[[run for post in some for run in post.text]] = True
    added &= ~selection.chosen
    return selected | Spans.of_runs(page, added) if added.any() else selected
