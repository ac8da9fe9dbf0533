"""The four classes of a block (hybrid rules 4.2)."""

from __future__ import annotations

from enum import IntEnum


class BlockClass(IntEnum):
    """What a block is to a reader."""

    MAIN = 0  # the DIV or TD that holds the story
    HEADLINE = 1
    INFORMATION = 2  # summary, author, date, captions, comments
    UNINFORMATIVE = 3  # advertisements, links, menus, and boxes around other blocks

    @property
    def label(self) -> str:
        """In words, as tables have it."""
        return _LABELS[self]


_LABELS = {
    BlockClass.MAIN: "main",
    BlockClass.HEADLINE: "headline",
    BlockClass.INFORMATION: "article information",
    BlockClass.UNINFORMATIVE: "uninformative",
}
