"""What the blocks of an article say, told without making them.

The text of a page is folded already, so a block of whole runs says what stands there, with a space where something was
left out. Parts of runs, preformatted text and cells of tables of data are made.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from tidings.article.chosen import Chosen, gap_between
from tidings.article.tables import Tables
from tidings.page import Page, tags
from tidings.page.columns import Bools
from tidings.page.flow import among, cover, tag_set

_ITEMS: Final = tag_set(tags.numbers("li dt dd"))
_EXACT: Final = tag_set(tags.PREFORMATTED)


class Line(NamedTuple):
    """A block of whole runs."""

    text: str
    block: int
    element: int  # the block-level element around it
    in_item: bool  # of a list


def whole_lines(page: Page, chosen: Chosen, tables: Tables) -> list[Line | range]:
    """The chosen blocks of a page; where some are not made of whole runs, folded, the range of their pieces."""
    if not len(chosen.run):
        return []
    text, closely = page.text, _to_look_at(page, chosen, tables)
    first = np.flatnonzero(np.diff(chosen.block, prepend=-1))
    last = np.append(first[1:], len(chosen.run))
    parted = np.add.reduceat(~chosen.follows, first) > ~chosen.follows[first]
    block = chosen.block[first]
    element = page.blocks.element[block]
    in_item = page.nearest(_ITEMS)[element] > 0
    starts, ends = chosen.start[first].tolist(), chosen.end[last - 1].tolist()
    texts = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    for place in np.flatnonzero(parted).tolist():
        texts[place] = _joined(text, chosen, int(first[place]), int(last[place]))
    lines: list[Line | range] = list(map(Line, texts, block.tolist(), element.tolist(), in_item.tolist()))
    if not closely.any():
        return lines
    found: list[Line | range] = []
    for line, begin, end, close in zip(
        lines, first.tolist(), last.tolist(), np.logical_or.reduceat(closely, first).tolist(), strict=True
    ):
        if not close:
            found.append(line)
        elif found and isinstance(found[-1], range):
            found[-1] = range(found[-1].start, end)
        else:
            found.append(range(begin, end))
    return found


def _to_look_at(page: Page, chosen: Chosen, tables: Tables) -> Bools:
    """Which pieces are no whole run, are preformatted, or stand in a cell of a table of data."""
    runs, elements = page.runs, page.elements
    closely = (chosen.start != runs.text_start[chosen.run]) | (chosen.end != runs.text_end[chosen.run])
    exact = among(elements.tag, _EXACT)
    if exact.any():
        closely |= cover(page._tree, exact)[page._flow.piece[chosen.run]] > 0
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
