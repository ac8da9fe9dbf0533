"""List the text that is not in an article, and the reason for each piece.

An extractor only reports its selection. The reasons are derived from the page: the text is hidden, a comment, part of a
menu or notice, a list of links, or before or after the selection. Text with none of these reasons was not selected.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

import numpy as np

from tidings.fields import comments
from tidings.fields.elements.by_class import Names, boxes_holding, names
from tidings.page import Page, Spans, tags
from tidings.page.columns import Ints
from tidings.page.tag_sets import tag_set

_NOTICES: Final = (
    "cookie",
    "consent",
    "gdpr",
    "onetrust",
    "didomi",
    "usercentrics",
    "paywall",
    "regwall",
    "newsletter",
)
_PARTS: Final = tag_set(tags.numbers("nav footer aside form"))


class Reason(StrEnum):
    """The reason why text is not in the article. If several apply, the first in this order is reported."""

    HIDDEN = "hidden"
    COMMENT = "comment"
    NOTICE = "notice"  # of cookies, subscriptions, newsletters
    MENU = "menu"
    FOOTER = "footer"
    ASIDE = "aside"
    FORM = "form"
    LINKS = "list of links"
    BEFORE = "before the story"
    BEHIND = "behind the story"
    NOT_CHOSEN = "not chosen"


_OF_TAG: Final = {
    tags.NUMBERS["nav"]: Reason.MENU,
    tags.NUMBERS["footer"]: Reason.FOOTER,
    tags.NUMBERS["aside"]: Reason.ASIDE,
    tags.NUMBERS["form"]: Reason.FORM,
}


class Dropped(NamedTuple):
    """A block, or the unselected part of a block: its text, its range in the page's text, and the reason."""

    text: str
    start: int
    end: int
    reason: Reason


def dropped(page: Page, chosen: Spans) -> tuple[Dropped, ...]:
    """Return the text outside of the spans `chosen`, block by block in reading order, each with the reason why it is
    not in the article.
    """
    runs, blocks = page.runs, page.blocks
    rest = ~page.shown(chosen) & page.scope
    starts, ends, block = rest.pieces(blocks.text_start, blocks.text_end)
    run = np.searchsorted(runs.text_start, starts, side="right") - 1
    area = comments.find(page).area
    noticed = Spans.of_elements(page, np.array([box.element for box in _notices(page)], np.int64))
    links = (2 * blocks.link_words > blocks.words) & (blocks.words > 0)
    part = page.elements.tag[page.nearest(_PARTS)[runs.element[run]]]
    first, last = (int(chosen.starts[0]), int(chosen.ends[-1])) if chosen else (len(page.text), 0)
    flags = (
        (Reason.HIDDEN, runs.hidden[run]),
        (Reason.COMMENT, area.covers(starts)),
        (Reason.NOTICE, noticed.covers(starts)),
        *((reason, part == number) for number, reason in _OF_TAG.items()),
        (Reason.LINKS, links[block]),
        (Reason.BEFORE, (ends <= first) & bool(chosen)),
        (Reason.BEHIND, (starts >= last) & bool(chosen)),
    )
    why = np.full(len(starts), len(flags), np.int64)
    for place, (_, flag) in reversed(tuple(enumerate(flags))):
        why[flag] = place
    reasons = (*(reason for reason, _ in flags), Reason.NOT_CHOSEN)
    return tuple(_pieces(page, starts, ends, [reasons[place] for place in why.tolist()]))


def _notices(page: Page) -> list[Names]:
    """Return the boxes with notice-like class names that hold no headline."""
    headings = page.elements.first[page.elements.tag == tags.NUMBERS["h1"]]
    return [
        box
        for box in names(page, boxes_holding(page, _NOTICES))
        if any(word in name.lower() for name in box.names for word in _NOTICES)
        and not ((headings >= page.elements.first[box.element]) & (headings < page.elements.last[box.element])).any()
    ]


def _pieces(page: Page, starts: Ints, ends: Ints, reasons: list[Reason]) -> list[Dropped]:
    found = []
    for start, end, reason in zip(starts.tolist(), ends.tolist(), reasons, strict=True):
        text = " ".join(page.text[start:end].split())
        if text:
            found.append(Dropped(text, start, end, reason))
    return found
