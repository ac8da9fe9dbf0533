"""Where another story begins under the story: a second headline with a day of its own.

Many sites load the next story below the one that was asked for, in boxes of the same make, so that a classifier of
blocks takes both. What tells is the page as a whole: its title names the first headline and not the second, and behind
the second stands a date, as behind every headline.

Only H1 counts, and only with a date. Articles whose sections have headings as high as their headline are common: of
708 on wcxb-dev 40 have such, most of them H2, and to end the story at an H1 that is a link would lose three stories
there. With a date, the rule touches none of the 2,480 pages of five corpora: as they were sent, none has a second
story in it. It was made for those of the sample newspaper, of which it ends 12 of 17 where they end.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.learned.seen_blocks import VisibleBlocks
from tidings.page import Page, tags
from tidings.page.flow import tag_set
from tidings.text import words as words_of

_H1: Final = tags.NUMBERS["h1"]
_IN_H1: Final = tag_set(frozenset((_H1,)))
_STORY: Final = 50  # words of the story before, as over comments
_MOST: Final = 3  # stories that follow; more, or one right under the headline, are the entries of a live page
_FEWEST: Final = 3  # words of a headline
_LONGEST: Final = 400  # characters of it that are looked at
_REACH: Final = 4  # blocks behind a headline in which its date stands
_LINE: Final = 30  # words of a line with a date in it
#: A year, in any digits and calendar, and a day or a month beside it.
_YEAR: Final = re.compile(r"(?<!\d)\d{4}(?!\d)")
_DAY: Final = re.compile(r"(?<!\d)\d{1,2}(?!\d)")
_TITLED: Final = 0.6  # share of a headline's words that the title of its page has
_UNTITLED: Final = 0.5  # and of a headline of another page, less than this


def another_story_begins(page: Page, found: VisibleBlocks, chosen: NDArray[np.bool_]) -> int:
    """The first of the found blocks that belongs to another story; their number if there is none."""
    if np.count_nonzero(page.elements.tag == _H1) < 2:  # as on most pages
        return len(chosen)
    nearest = page.nearest(_IN_H1)[page.blocks.element[found.blocks]]
    inside = np.flatnonzero(page.elements.tag[nearest] == _H1)
    title = frozenset(words_of(page.signals.title))
    story = np.cumsum(np.where(chosen, found.words, 0))
    others: list[int] = []
    is_under_way = False
    for place in inside.tolist():
        said = words_of(_text(page, found, place))
        if len(said) < _FEWEST:
            continue
        share = sum(word in title for word in said) / len(said)
        if share >= _TITLED:
            is_under_way = True
        elif is_under_way and share < _UNTITLED and _is_dated(page, found, place):
            others.append(place)
    if not others or len(others) > _MOST or story[others[0]] < _STORY:
        return len(chosen)
    return others[0]


def _is_dated(page: Page, found: VisibleBlocks, headline: int) -> bool:
    """Whether a line with a day in it stands close behind a headline."""
    lines = range(headline + 1, min(headline + 1 + _REACH, len(found.blocks)))
    texts = (_text(page, found, line) for line in lines if found.words[line] <= _LINE)
    return any(_YEAR.search(text) and _DAY.search(text) for text in texts)


def _text(page: Page, found: VisibleBlocks, place: int) -> str:
    block = found.blocks[place]
    return page.text[page.blocks.text_start[block] : page.blocks.text_end[block]][:_LONGEST]
