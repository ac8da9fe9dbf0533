"""A cut piece of HTML as a page of its own: its blocks and pictures are made as those of any page.

The core makes the blocks of most pieces with the cut: then a page is made for pictures alone.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from tidings.article.body import Body, body_of, illustrated, placed_pictures
from tidings.article.boxes import may_be_unit
from tidings.article.page_blocks import MadeBlocks, blocks_from_rows
from tidings.article.pictures import Picture
from tidings.article.places import story_places
from tidings.core.rules import FragmentRows
from tidings.fields.addresses import absolute, base_of
from tidings.page import Page
from tidings.page.attributes import attributes
from tidings.page.decode import decode
from tidings.page.hints import Hints
from tidings.page.style_sheet import NO_STYLES, StyleSheet
from tidings.sites.fragment_pictures import told_pictures

#: An address that is told as its link has it; any other that is left to Python is told by its start tag.
_WRITTEN: Final = 1
#: Blocks and characters that tell the script of a text.
_FIRST, _SAMPLE = 8, 400


class FragmentPage(Page):
    """A fragment as a page of its own, under the style sheets of the page that it was cut out of.

    What is hidden in it stays so, were it most of it: of the whole page it may be little.
    """

    def __init__(self, fragment: str, base: str | None, styles: StyleSheet) -> None:
        self._hold(decode(fragment), base, Hints(), styles)

    is_fragment = True


def read(fragment: str, base: str, styles: StyleSheet = NO_STYLES) -> Body:
    """Return the blocks and pictures of a fragment."""
    if not fragment.strip():
        return Body((), ())
    page = FragmentPage(fragment, base or None, styles)
    return body_of(page, base_of(page), page.visible, story_places(page, page.visible))


class FragmentBlocks(NamedTuple):
    """The blocks of a fragment, those left out as noise included."""

    made: MadeBlocks
    pictures: list[Picture] | None  # None if a page has to be asked for them

    @classmethod
    def of(cls, found: FragmentRows, base: str) -> FragmentBlocks | None:
        """Return the blocks of rows of the core; None if the fragment has to be read as a page."""
        said = found.said
        start = found.addresses[-1] >> 2 if found.addresses else 0
        if found.telling and any(may_be_unit(said[low:high], base) for low, high in pairwise((start, *found.telling))):
            return None
        addresses = _addresses(found.addresses, said, base)
        if addresses is None:
            return None
        begin = found.telling[-1] if found.telling else start
        count = found.pictures
        pictures = told_pictures(found.told, said, begin, count, base) if count > 0 else [] if not count else None
        return cls(blocks_from_rows(found.rows, addresses), pictures)

    def linked(self, out: Sequence[int]) -> int:
        """Return the characters in links, of the blocks that are not left out."""
        size = 0
        for block, is_out in zip(self.made.blocks, out, strict=True):
            if not is_out:
                size += sum([len(inline.text) for inline in block.inlines if inline.href])
        return size

    def illustrated(self, fragment: str, base: str, styles: StyleSheet) -> Body:
        """Return them with the pictures of the fragment."""
        page = FragmentPage(fragment, base or None, styles)
        blocks, runs, figures, _ = self.made
        images, _ = illustrated(page, base, story_places(page, page.visible), blocks, array("q", runs), figures)
        return Body(tuple(blocks), tuple(images))

    def body(self) -> Body:
        """Return them with the pictures that are known."""
        blocks, runs, figures, _ = self.made
        if not self.pictures:  # as mostly
            return Body(tuple(blocks), ())
        images = placed_pictures(self.pictures, {}, blocks, runs, figures)
        return Body(tuple(blocks), tuple(images))


def _addresses(numbers: list[int], said: str, base: str) -> list[str | None] | None:
    """Return the addresses of links, behind None for none; None in place of all if some would make other inlines."""
    known: list[str | None] = [None]
    left = start = 0
    for number in numbers:
        end, state = number >> 2, number & 3
        text: str | None = said[start:end]
        start = end
        if state:
            left += 1
            written = text if state == _WRITTEN else attributes(text or "").get("href")
            text = absolute(written, base)
            if not text:  # no link at all, or none that is shown
                return None
        known.append(text)
    # Links that are written otherwise and lead to the same place have what is between them in common.
    return None if left and len(set(known)) < len(known) else known


def latin_share(texts: Sequence[str]) -> float:
    """Return the share of ASCII in the beginning of a text: one for Latin, little for other scripts."""
    sample = "".join(texts[:_FIRST])[:_SAMPLE]
    return 1.0 if sample.isascii() else len(sample.encode("ascii", "ignore")) / len(sample)
