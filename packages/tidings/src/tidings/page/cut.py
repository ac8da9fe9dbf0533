"""The source of a page taken apart into tags and the pieces of text between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Strings = NDArray[np.object_]

#: Tags that are told apart; what stands behind them is not read, and the page is marked as cut off. Each costs some
#: hundred bytes, and 16 MB hold five million. Of 3,916 pages of news sites the largest has 22,675.
MAX_TAGS: Final = 250_000


@dataclass(frozen=True, eq=False)
class Cut:
    """A source taken apart: piece 0, tag 0, piece 1, tag 1, …, piece n. Pieces are raw text, maybe empty."""

    source: str
    codes: Ints  # per tag: number of its name, negative for an end tag, 0 for comments and the like
    names: tuple[str, ...]  # tag names by number
    bounds: Ints  # 0, then where each piece and each tag ends, one behind the other
    is_short: bool = False  # the last "tag" is all the rest, behind the most tags that a page may have

    @property
    def piece_start(self) -> Ints:
        """Where each piece begins."""
        return self.bounds[0::2]

    @property
    def piece_end(self) -> Ints:
        """Where each piece ends."""
        return self.bounds[1::2]

    @property
    def tag_start(self) -> Ints:
        """Where each tag begins."""
        return self.bounds[1:-1:2]

    @property
    def tag_end(self) -> Ints:
        """Where each tag ends."""
        return self.bounds[2::2]

    def tag(self, at: int) -> str:
        """Return a tag as it stands in the source."""
        return self.source[self.bounds[2 * at + 1] : self.bounds[2 * at + 2]]

    def tags(self, places: Ints) -> list[str]:
        """Return several tags."""
        source, starts, ends = self.source, self.tag_start[places].tolist(), self.tag_end[places].tolist()
        return [source[start:end] for start, end in zip(starts, ends, strict=True)]

    @cached_property
    def pieces(self) -> Strings:
        """The pieces of text.

        In an array and not in a list: Python's garbage collector would look at each of them, again and again.
        """
        source, starts, ends = self.source, self.piece_start.tolist(), self.piece_end.tolist()
        return np.array([source[start:end] for start, end in zip(starts, ends, strict=True)], object)
