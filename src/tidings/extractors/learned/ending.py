"""Where readers' comments begin under a story: a short line that names them, with dates in what follows.

Comments are long, well written and full of the story's words, so a classifier of blocks takes them for it where their
boxes have no telling names. The line over them does tell, in every language that has a line in `comment_headings.txt`.
The dates keep a label such as "Comment" over a piece of opinion from ending it.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.learned.seen_blocks import VisibleBlocks
from tidings.page import Page
from tidings.page.columns import Ints
from tidings.text import words as words_of

#: Made after looking at news-multilingual, where one page in twenty gains; on a fold of wcxb-dev no page loses by it.
_STORY: Final = 50  # words of the story before
_LINE: Final = 6  # words of the line
_REACH: Final = 30  # blocks behind it, and dates among them
_DATES: Final = 2


@cache
def _headings() -> frozenset[tuple[str, ...]]:
    text = Path(__file__).with_name("comment_headings.txt").read_text(encoding="utf-8")
    lines = (line.partition("\t")[2] for line in text.splitlines() if not line.startswith("#"))
    return frozenset(tuple(words_of(phrase)) for line in lines for phrase in line.split(";"))


@lru_cache(4096)  # the same lines stand on every page of a site
def _is_heading(text: str) -> bool:
    """Whether a line begins with words that stand over comments; numbers do not count."""
    said = [word for word in words_of(text) if not word.isdigit()]
    return any(tuple(said[:size]) in _headings() for size in range(1, len(said) + 1))


def comments_begin(page: Page, found: VisibleBlocks, chosen: NDArray[np.bool_]) -> int:
    """The first of the found blocks that belongs to the comments; their number if there is none."""
    dated = found.dates
    rank = np.arange(len(chosen))
    ahead = dated[np.minimum(rank + _REACH + 1, len(chosen))] - dated[rank + 1]
    story = np.cumsum(np.where(chosen, found.words, 0))
    for place in np.flatnonzero((found.words <= _LINE) & (story >= _STORY) & (ahead >= _DATES)).tolist():
        if _is_heading(_text(page, found.blocks, place)):
            return int(place)
    return len(chosen)


def _text(page: Page, blocks: Ints, place: int) -> str:
    block = blocks[place]
    return page.text[page.blocks.text_start[block] : page.blocks.text_end[block]]
