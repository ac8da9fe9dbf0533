"""The body of an article that a rule extracted: its blocks and pictures, without texts that the site repeats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from tidings.article import Block, Image
from tidings.article.blocks.body import Body
from tidings.page.style_sheet import NO_STYLES, StyleSheet
from tidings.sites.extraction.fragment import read
from tidings.sites.extraction.repeated_texts import without_noise


@dataclass(frozen=True, slots=True, eq=False)
class CutBody:
    """The main text that a rule extracted from a page."""

    blocks: tuple[Block, ...]
    images: tuple[Image, ...]
    hashes: tuple[int, ...]  # hashes of all block texts, noise included
    size: int  # characters of page text in the blocks
    linked: int  # characters in links
    text: str | None = None  # the article's text, if known

    @classmethod
    def of(cls, fragment: str, base: str, noise: frozenset[int], styles: StyleSheet = NO_STYLES) -> Self:
        """Parse an HTML fragment into blocks, without hidden texts and without texts that the site repeats
        (`noise`).
        """
        return cls.of_body(read(fragment, base, styles), noise)

    @classmethod
    def of_body(cls, body: Body, noise: frozenset[int]) -> Self:
        """Remove the texts that a site repeats from a body."""
        blocks, images, hashes = without_noise(body.blocks, body.images, noise)
        return cls(blocks, images, hashes, *measures(blocks))

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the texts of the blocks."""
        return tuple([block.text for block in self.blocks])

    @property
    def link_share(self) -> float:
        """Return the share of the text in links."""
        return self.linked / max(self.size, 1)


def measures(blocks: Sequence[Block]) -> tuple[int, int]:
    """Return the number of text characters in some blocks, and the number of them that are in links."""
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
