"""The runs of a page as columns, each worked out when first asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

from tidings.page import tags
from tidings.page.columns import Bools, Ints
from tidings.page.counts import Classes, begun_before
from tidings.page.flow import Flow, cover
from tidings.page.tree import Tree

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

    @cached_property
    def chars(self) -> Ints:
        """Length of each run."""
        return _fixed(self.text_end - self.text_start)

    @cached_property
    def words(self) -> Ints:
        """Words that begin in each run."""
        before = begun_before(self._classes())
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
        return _fixed(self._hidden_pieces()[self._piece])


Column = TypeVar("Column", Ints, Bools)


def _fixed(column: Column) -> Column:
    column.setflags(write=False)
    return column
