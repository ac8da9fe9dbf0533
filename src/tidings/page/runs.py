"""The runs of a page as columns, each worked out when first asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

from tidings.page import tags
from tidings.page.columns import Bools, Ints
from tidings.page.counts import Codes, words_before
from tidings.page.flow import Flow, cover
from tidings.page.tree import Tree

_LINK = tags.NUMBERS["a"]


class Runs:
    """Pieces of text with no tag inside, in reading order. Run r is `text[text_start[r]:text_end[r]]`."""

    def __init__(
        self, flow: Flow, tree: Tree, codes: Callable[[], Codes], hidden_elements: Callable[[], Bools]
    ) -> None:
        self.start: Ints = flow.start  # range in the source
        self.end: Ints = flow.end
        self.text_start: Ints = flow.text_start
        self.text_end: Ints = flow.text_end
        self.block: Ints = flow.block
        self._piece = flow.piece
        self._tree = tree
        self._codes = codes
        self._hidden_elements = hidden_elements

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def chars(self) -> Ints:
        """Length of each run."""
        return _fixed(self.text_end - self.text_start)

    @cached_property
    def words(self) -> Ints:
        """Words that begin in each run."""
        before = words_before(self._codes())
        return _fixed(before[self.text_end] - before[self.text_start])

    @cached_property
    def element(self) -> Ints:
        """The element each run stands in directly."""
        return _fixed(self._tree.owner[self._piece])

    @cached_property
    def in_link(self) -> Bools:
        """Whether the run is text of a link."""
        return _fixed(cover(self._tree, self._tree.tag == _LINK)[self._piece] > 0)

    @cached_property
    def hidden(self) -> Bools:
        """Whether the run is out of a reader's sight."""
        return _fixed(cover(self._tree, self._hidden_elements())[self._piece] > 0)


Column = TypeVar("Column", Ints, Bools)


def _fixed(column: Column) -> Column:
    column.setflags(write=False)
    return column
