"""The mapping from characters of the canonical text to offsets in the source.

A run whose text is as long as its source maps one to one. In other runs white space was folded or character references
were decoded; they are folded once more here, this time with offsets.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from tidings.core.pages import PageColumns
from tidings.page.columns import Ints
from tidings.page.references import unescape

# Character references as the standard library's `unescape` sees them, and everything else.
_TOKEN: Final = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)|[^&]+|&")


def source_offsets(columns: PageColumns, source: str) -> Ints:
    """Return for every character of the text its offset in the source, and one more for the end, ascending."""
    starts, ends = columns.text_start, columns.text_end
    text = columns.text
    size = len(text)
    if not len(starts):
        offsets = np.zeros(size + 1, np.int64)
        offsets.setflags(write=False)
        return offsets
    # The gap between two runs maps to the end of the first.
    run = np.searchsorted(starts, np.arange(size + 1), side="right") - 1
    inside = np.arange(size + 1) - starts[run]
    offsets = np.minimum(columns.run_start[run] + inside, columns.run_end[run])
    straight = columns.run_end - columns.run_start == ends - starts
    for run_index in np.flatnonzero(~straight).tolist():
        start, end = int(starts[run_index]), int(ends[run_index])
        first, last = columns.run_start.item(run_index), columns.run_end.item(run_index)
        offsets[start:end] = first + _fold(source[first:last], text[start:end])
    gaps = np.arange(size + 1) >= ends[run]
    offsets[gaps] = columns.run_end[run][gaps]
    offsets.setflags(write=False)
    return offsets


def _fold(raw: str, text: str) -> Ints:
    """Return the offsets in `raw` of the characters of `text`."""
    characters: list[str] = []
    offsets: list[int] = []
    for match in _TOKEN.finditer(raw):
        token = match[0]
        if token[0] == "&" and len(token) > 1:
            decoded = unescape(token)
            characters.append(decoded)
            offsets += [match.start()] * len(decoded)
        else:
            characters.append(token)
            offsets += range(match.start(), match.end())
    decoded = "".join(characters)
    if len(decoded) == len(text):  # preformatted: nothing was folded
        return np.array(offsets, np.int64)
    blank = np.fromiter(map(str.isspace, decoded), np.bool_, len(decoded))
    is_kept = ~blank
    is_kept[1:] |= ~blank[:-1]  # the first of several blanks stays
    is_kept &= np.cumsum(~blank) > 0
    is_kept[np.flatnonzero(~blank)[-1] + 1 :] = False
    return np.array(offsets, np.int64)[is_kept]
