"""The body of an article that a rule cut out: its blocks and pictures, without what the site repeats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from tidings.article import Block, Image
from tidings.page.style_sheet import NO_STYLES, StyleSheet
from tidings.sites.fragment import read
from tidings.sites.noise import without_noise


@dataclass(frozen=True, slots=True, eq=False)
class CutBody:
    """What was cut out of a page."""

    blocks: tuple[Block, ...]
    images: tuple[Image, ...]
    hashes: tuple[int, ...]  # of the texts of the blocks, those left out as noise included
    size: int  # characters of the page in the blocks
    linked: int  # those of them in links

    @classmethod
    def of(cls, fragment: str, base: str, noise: frozenset[int], styles: StyleSheet = NO_STYLES) -> Self:
        """What a fragment says, without what its site repeats and what the page hides."""
        found = read(fragment, base, styles)
        blocks, images, hashes = without_noise(found.blocks, found.images, noise)
        return cls(blocks, images, hashes, *measures(blocks))

    @property
    def texts(self) -> list[str]:
        """The texts of the blocks."""
        return [block.text for block in self.blocks]

    @property
    def link_share(self) -> float:
        """The share of the text in links."""
        return self.linked / max(self.size, 1)


def measures(blocks: Sequence[Block]) -> tuple[int, int]:
    """The characters of the page in blocks, and those of them in links."""
    size = linked = 0
    for block in blocks:
        for inline in block.inlines:
            length = len(inline.text)
            size += length
            if inline.href:
                linked += length
        for row in block.rows:
            size += sum(len(inline.text) for cell in row for inline in cell.inlines)
    return size, linked
