"""Where each character of the canonical text comes from in the source.

A run whose text is as long as its source maps one to one. In the others white space was folded or character references
decoded; they are folded once more here, this time with the offsets carried along.
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
    """Return for every character of the text its offset in the source, and one more for the end. They never fall."""
    starts, ends = columns.text_start, columns.text_end
    text = columns.text
    size = len(text)
    if not len(starts):
        offsets = np.zeros(size + 1, np.int64)
        offsets.setflags(write=False)
        return offsets
    # Between two runs stands what the source ended the first with.
    run = np.searchsorted(starts, np.arange(size + 1), side="right") - 1
    inside = np.arange(size + 1) - starts[run]
    offsets = np.minimum(columns.run_start[run] + inside, columns.run_end[run])
    straight = columns.run_end - columns.run_start == ends - starts
    for one in np.flatnonzero(~straight).tolist():
        start, end = int(starts[one]), int(ends[one])
        first, last = columns.run_start.item(one), columns.run_end.item(one)
        offsets[start:end] = first + _fold(source[first:last], text[start:end])
    gaps = np.arange(size + 1) >= ends[run]
    offsets[gaps] = columns.run_end[run][gaps]
    offsets.setflags(write=False)
    return offsets


def _fold(raw: str, text: str) -> Ints:
    """Return offsets in `raw` of the characters that make `text`."""
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
    kept = ~blank
    kept[1:] |= ~blank[:-1]  # the first of several blanks stays
    kept &= np.cumsum(~blank) > 0
    kept[np.flatnonzero(~blank)[-1] + 1 :] = False
    return np.array(offsets, np.int64)[kept]
