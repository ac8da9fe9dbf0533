"""What the blocks of an article say, told without making them.

The text of a page is folded already, so a block of whole runs says what stands there, with a space where something was
left out. Parts of runs, preformatted text and cells of tables of data are made.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from tidings.article.chosen import TOGETHER, Chosen, gap_between
from tidings.article.tables import Tables
from tidings.page import Page, tags
from tidings.page.columns import Bools
from tidings.page.flow import among, tag_set

_ITEMS: Final = tag_set(tags.numbers("li dt dd"))
_EXACT: Final = tag_set(tags.PREFORMATTED)


class Line(NamedTuple):
    """A block of whole runs."""

    text: str
    block: int
    element: int  # the block-level element around it
    in_item: bool  # of a list


def whole_lines(page: Page, chosen: Chosen, tables: Tables) -> Iterator[Line | range]:
    """The chosen blocks of a page; where some are not made of whole runs, folded, the range of their pieces."""
    if not len(chosen.run):
        return
    text, closely = page.text, _to_look_at(page, chosen, tables)
    first = np.flatnonzero(np.diff(chosen.block, prepend=-1))
    last = np.append(first[1:], len(chosen.run))
    parted = np.add.reduceat(~chosen.follows, first) > ~chosen.follows[first]
    block = chosen.block[first]
    element = page.blocks.element[block]
    in_item = page.nearest(_ITEMS)[element] > 0
    close = np.logical_or.reduceat(closely, first) if closely.any() else None
    waiting: range | None = None
    for low in range(0, len(first), TOGETHER):
        some = slice(low, low + TOGETHER)
        starts, ends = chosen.start[first[some]].tolist(), chosen.end[last[some] - 1].tolist()
        texts = [text[start:end] for start, end in zip(starts, ends, strict=True)]
        for place in np.flatnonzero(parted[some]).tolist():
            texts[place] = _joined(text, chosen, int(first[low + place]), int(last[low + place]))
        lines = map(Line, texts, block[some].tolist(), element[some].tolist(), in_item[some].tolist())
        if close is None:
            yield from lines
            continue
        for line, begin, end, is_close in zip(
            lines, first[some].tolist(), last[some].tolist(), close[some].tolist(), strict=True
        ):
            if is_close:
                waiting = range(begin if waiting is None else waiting.start, end)
                continue
            if waiting is not None:
                yield waiting
                waiting = None
            yield line
    if waiting is not None:
        yield waiting


def _to_look_at(page: Page, chosen: Chosen, tables: Tables) -> Bools:
    """Which pieces are no whole run, are preformatted, or stand in a cell of a table of data."""
    runs, elements = page.runs, page.elements
    closely = (chosen.start != runs.text_start[chosen.run]) | (chosen.end != runs.text_end[chosen.run])
    exact = among(elements.tag, _EXACT)
    if exact.any():
        closely |= page.cover(exact)[page.piece[chosen.run]] > 0
    if tables.cell:
        steps = np.zeros(len(runs) + 1, np.int64)
        np.add.at(steps, elements.first[tables.cell], 1)
        np.subtract.at(steps, elements.last[tables.cell], 1)
        closely |= np.cumsum(steps)[chosen.run] > 0
    return np.asarray(closely)


def _joined(text: str, chosen: Chosen, first: int, last: int) -> str:
    """The text of pieces some of which do not follow on the one before."""
    starts, ends, follows = (column[first:last].tolist() for column in (chosen.start, chosen.end, chosen.follows))
    parts = [text[starts[0] : ends[0]]]
    for before, at in pairwise(range(last - first)):
        parts += gap_between(text, ends[before], starts[at], follows[at]), text[starts[at] : ends[at]]
    return "".join(parts)
