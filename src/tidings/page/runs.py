"""The runs of a page as columns, each worked out when first asked for.

Where each character of the canonical text comes from in the source.

A run whose text is as long as its source maps one to one. In the others white space was folded or character references
decoded; they are folded once more here, this time with the offsets carried along.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

import numpy as np

from tidings.page import tags
from tidings.page.columns import Bools, Ints, kept
from tidings.page.counts import Classes, begun_before
from tidings.page.flow import Flow, cover
from tidings.page.references import unescape
from tidings.page.tree import Tree

# Character references as the standard library's `unescape` sees them, and everything else.
_TOKEN: Final = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)|[^&]+|&")


def origin(flow: Flow, source: str) -> Ints:
    """For every character of the text its offset in the source; for the last one past the end, too. Never falls."""
    starts, ends = flow.text_start, flow.text_end
    size = len(flow.text)
    if not len(starts):
        offsets = np.zeros(size + 1, np.int64)
        offsets.setflags(write=False)
        return offsets
    # Between two runs stands what the source ended the first with.
    run = np.searchsorted(starts, np.arange(size + 1), side="right") - 1
    inside = np.arange(size + 1) - starts[run]
    offsets = np.minimum(flow.start[run] + inside, flow.end[run])
    straight = flow.end - flow.start == ends - starts
    for one in np.flatnonzero(~straight).tolist():
        start, end = int(starts[one]), int(ends[one])
        offsets[start:end] = flow.start[one] + _fold(source[flow.start[one] : flow.end[one]], flow.text[start:end])
    gaps = np.arange(size + 1) >= ends[run]
    offsets[gaps] = flow.end[run][gaps]
    offsets.setflags(write=False)
    return offsets


def _fold(raw: str, text: str) -> Ints:
    """Offsets in `raw` of the characters that make `text`."""
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


_LINK = tags.NUMBERS["a"]


class Runs:
    """Pieces of text with no tag inside, in reading order. Run r is `text[text_start[r]:text_end[r]]`."""

    def __init__(
        self, flow: Flow, tree: Tree, classes: Callable[[], Classes], hidden_pieces: Callable[[], Bools]
    ) -> None:
        self.__dict__.update(
            start=_fixed(flow.start),
            end=_fixed(flow.end),
            text_start=_fixed(flow.text_start),
            text_end=_fixed(flow.text_end),
            block=_fixed(flow.block),
            _piece=flow.piece,
            _tree=tree,
            _classes=classes,
            _hidden_pieces=hidden_pieces,
        )

    @classmethod
    def known(cls, columns: Mapping[str, Ints | Bools]) -> Runs:
        """Runs of which all is known: they ask nothing of their page, which goes with its last reader."""
        runs = object.__new__(cls)
        runs.__dict__.update(columns)
        return runs

    start: Ints  # range in the source
    end: Ints
    text_start: Ints
    text_end: Ints
    block: Ints
    _piece: Ints
    _tree: Tree
    _classes: Callable[[], Classes]
    _hidden_pieces: Callable[[], Bools]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"the runs of a page do not change: {name!r} cannot be set")

    def __len__(self) -> int:
        return len(self.start)

    @kept
    def chars(self) -> Ints:
        """Length of each run."""
        return _fixed(self.text_end - self.text_start)

    @kept
    def words(self) -> Ints:
        """Words that begin in each run."""
        before = begun_before(self._classes())
        return _fixed(before[self.text_end] - before[self.text_start])

    @kept
    def element(self) -> Ints:
        """The element each run stands in directly."""
        return _fixed(self._tree.owner[self._piece])

    @kept
    def in_link(self) -> Bools:
        """Whether the run is text of a link."""
        return _fixed(cover(self._tree, self._tree.tag == _LINK)[self._piece] > 0)

    @kept
    def hidden(self) -> Bools:
        """Whether the run is out of a reader's sight."""
        return _fixed(self._hidden_pieces()[self._piece])


Column = TypeVar("Column", Ints, Bools)


def _fixed(column: Column) -> Column:
    column.setflags(write=False)
    return column
