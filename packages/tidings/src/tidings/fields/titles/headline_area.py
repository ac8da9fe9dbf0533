"""The likely position of the headline in a page's text. Names and dates are searched near it."""

from __future__ import annotations

from tidings.fields.memo import memoized
from tidings.fields.titles.candidates import cuts, heading_elements
from tidings.page import Page, tags

_H1, _H2 = tags.NUMBERS["h1"], tags.NUMBERS["h2"]
_MOST = 2


@memoized
def headline_places(page: Page) -> tuple[int, ...]:
    """Return text offsets of the first h1 elements, else of lines that are a part of the title, else of h2."""
    for tag in (_H1, _H2):
        if headings := heading_elements(page)[tag][:_MOST]:
            return tuple([heading.start for heading in headings])
        if lines := _lines_of_title(page):
            return lines
    return ()


def title_place(page: Page, title: str) -> int:
    """Return the offset of a headline in the text, at the first heading if possible; -1 if it is missing."""
    if not title:
        return -1
    places = headline_places(page)
    at = page.text.find(title, max(places[0] - len(title), 0)) if places else -1
    return at if at >= 0 else page.text.find(title)


def _lines_of_title(page: Page) -> tuple[int, ...]:
    title = page.signals.title
    pieces = [title, *(piece for piece, _, _ in cuts(title))]
    longest_first = sorted((piece for piece in pieces if " " in piece), key=len, reverse=True)
    for piece in longest_first:
        if (at := line_at(page, piece)) >= 0:
            return (at,)
    return ()


def line_at(page: Page, words: str) -> int:
    """Return the offset at which a text is a whole line of the page; -1 if there is none."""
    text = page.text
    at = text.find(words)
    while at >= 0:
        end = at + len(words)
        if (at == 0 or text[at - 1] == "\n") and (end == len(text) or text[end] == "\n"):
            return at
        at = text.find(words, at + 1)
    return -1
