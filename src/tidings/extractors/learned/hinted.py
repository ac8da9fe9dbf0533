"""What a caller knows of a story beforehand: the title that a feed or a link had for it.

Where the title is a line of the page and text follows, that line is the headline, and what stands before it is no part
of the story: stories above it, and teasers that outweigh a short one.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.learned.ending import headings, headlines
from tidings.extractors.learned.seen_blocks import VisibleBlocks
from tidings.fields.keys import squashed
from tidings.page import Page, tags
from tidings.page.flow import tag_set
from tidings.text import words as words_of

#: Of fewer letters or words it is the name of a section, or says "more"; of more letters it is no headline.
_FEWEST, _WORDS, _LONGEST = 8, 2, 400
#: What a line may say besides the title, in letters and as a share of it: a date, a section.
_BESIDE, _BESIDE_SHARE = 20, 0.4
#: Behind a line that is no H1 the story follows within so many blocks: one of so many words that is likely content; and
#: what follows is not much less than what stands before.
_NEAR: Final = 10
_PARAGRAPH: Final = 15
_LIKELY: Final = 0.3
_LEAST: Final = 0.25
_H1: Final = tags.NUMBERS["h1"]
_IN_H1: Final = tag_set(frozenset((_H1,)))


def hinted_title(page: Page) -> str:
    """The title that led to a page, in letters and digits alone; empty if none did, or if it names no story."""
    told = (page.hints.title or page.hints.anchor or "")[:_LONGEST]
    written = squashed(told) if told else ""
    if len(written) < _FEWEST or (written.isascii() and len(words_of(told)) < _WORDS):
        return ""
    return written


def headline_place(page: Page, found: VisibleBlocks, chance: NDArray[np.floating], title: str) -> int:
    """Which of the visible blocks is the hinted headline, with its story behind it; -1 if none is."""
    blocks = page.blocks
    starts, ends = blocks.text_start[found.blocks].tolist(), blocks.text_end[found.blocks].tolist()
    places = [
        place
        for place, (start, end) in enumerate(zip(starts, ends, strict=True))
        if len(title) <= end - start <= _LONGEST and is_title(squashed(page.text[start:end]), title)
    ]
    if not places:
        return -1
    heads = [place for place, _, _ in headlines(page, headings(page, found))]
    likely = (chance >= _LIKELY) & (found.words >= _PARAGRAPH)
    for place in places:
        element = page.nearest(_IN_H1)[blocks.element[found.blocks[place]]]
        if page.elements.tag[element] == _H1:
            return place if likely[place + 1 :].any() else -1
    content = chance * found.words
    for place in places:
        if any(likely[head:place].any() for head in heads if head < place):  # a heading in a story that is under way
            return -1
        if blocks.link_words[found.blocks[place]] < found.words[place] and likely[place + 1 : place + 1 + _NEAR].any():
            return place if content[place + 1 :].sum() >= _LEAST * content[:place].sum() else -1
    return -1


def is_title(line: str, title: str) -> bool:
    """Whether a line says a title and little else, both in letters and digits alone."""
    return title in line and len(line) - len(title) <= min(_BESIDE, _BESIDE_SHARE * len(title))
