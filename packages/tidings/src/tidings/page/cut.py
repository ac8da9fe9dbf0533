"""The source of a page, split into tags and the text between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Strings = NDArray[np.object_]

#: Limit on the number of tags; the rest of a page is not read, and the page is marked as truncated. A tag costs some
#: hundred bytes, and 16 MB may contain five million. The largest of 3,916 pages of news sites has 22,675.
MAX_TAGS: Final = 250_000


@dataclass(frozen=True, eq=False)
class Cut:
    """A page's source, split into pieces of text and tags: piece 0, tag 0, piece 1, tag 1, …, piece n. Pieces are raw
    text, possibly empty.
    """

    source: str
    codes: Ints  # per tag: number of its name, negative for end tags, 0 for comments and others
    names: tuple[str, ...]  # tag names by number
    bounds: Ints  # 0, then the ends of pieces and tags in turn
    is_short: bool = False  # too many tags: the last one is the rest of the source

    @property
    def piece_start(self) -> Ints:
        """Return the start of each piece."""
        return self.bounds[0::2]

    @property
    def piece_end(self) -> Ints:
        """Return the end of each piece."""
        return self.bounds[1::2]

    @property
    def tag_start(self) -> Ints:
        """Return the start of each tag."""
        return self.bounds[1:-1:2]

    @property
    def tag_end(self) -> Ints:
        """Return the end of each tag."""
        return self.bounds[2::2]

    def tag(self, at: int) -> str:
        """Return the source of a tag."""
        return self.source[self.bounds[2 * at + 1] : self.bounds[2 * at + 2]]

    def tags(self, places: Ints) -> list[str]:
        """Return the source of several tags."""
        source, starts, ends = self.source, self.tag_start[places].tolist(), self.tag_end[places].tolist()
        return [source[start:end] for start, end in zip(starts, ends, strict=True)]

    @cached_property
    def pieces(self) -> Strings:
        """Return the pieces of text.

        The result is an array and not a list, because the garbage collector would scan the items of a list repeatedly.
        """
        source, starts, ends = self.source, self.piece_start.tolist(), self.piece_end.tolist()
        return np.array([source[start:end] for start, end in zip(starts, ends, strict=True)], object)
