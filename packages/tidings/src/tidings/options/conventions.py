"""Apply the conventions of the options to the selected text of a page."""

from __future__ import annotations

from typing import Final

import numpy as np

from tidings.extractors.story_position import Position, StorySelection
from tidings.fields.embedded_posts import embedded_posts
from tidings.fields.story_parts import StoryPart, story_parts
from tidings.options.model import DEFAULT, ExtractOptions
from tidings.page import Page, Spans

#: A part is at most this share of the selected words; a larger box with such a name is the story itself.
_MOST_OF_STORY: Final = 0.5


def with_left_out(page: Page, selectors: tuple[str, ...]) -> Page:
    """Return the page with a style sheet that hides the elements of these selectors."""
    if not selectors:
        return page
    style = f"<style>{', '.join(selectors)}{{display:none!important}}</style>"
    return Page(style + page.source, page.url, page.hints)


def changes_selection(options: ExtractOptions) -> bool:
    """Return whether conventions may add text to a selection or remove text from it."""
    return options.embedded_posts != "keep" or any(getattr(options, part) != "auto" for part in StoryPart)


def changes_reading(options: ExtractOptions) -> bool:
    """Return whether the options need the page itself: they change which text is selected, or look for more fields."""
    return (
        options.prefer != DEFAULT.prefer
        or bool(options.leave_out or options.title or options.summary or options.details)
        or options.second_opinion is not None
        or changes_selection(options)
    )


def with_conventions(page: Page, selected: Spans, options: ExtractOptions) -> Spans:
    """Return the selected text with the parts to keep, if they are inside the story, and without the parts to drop."""
    if not selected or not changes_selection(options):
        return selected
    is_added, is_removed = np.zeros(len(page.runs), np.bool_), np.zeros(len(page.runs), np.bool_)
    selection = StorySelection.of(page, selected)
    for part in StoryPart:
        convention = getattr(options, part)
        if convention == "auto":
            continue
        for box in story_parts(page, part):
            if convention == "drop":
                own = int(selection.words[box.last] - selection.words[box.first])
                if own <= _MOST_OF_STORY * int(selection.words[-1]):
                    is_removed[box.first : box.last] = True
            elif selection.position(box.element) is not Position.OUTSIDE:
                is_added[box.first : box.last] = True
    if options.embedded_posts != "keep":
        for post in embedded_posts(page):
            is_removed[post.first : post.last] = True
    is_added &= ~page.runs.hidden & ~is_removed
    return (selected - Spans.of_runs(page, is_removed)) | Spans.of_runs(page, is_added)
