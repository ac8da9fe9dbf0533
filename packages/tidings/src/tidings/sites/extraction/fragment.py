"""HTML fragments cut out of a page by a rule: their blocks and pictures.

The core builds the blocks of most fragments while cutting. Then a page is built only if pictures need it.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from tidings.article.blocks.body import Body, body_of, illustrated, placed_pictures
from tidings.article.blocks.page_blocks import MadeBlocks, blocks_from_rows
from tidings.article.pictures.select import Picture
from tidings.article.units.boxes import may_be_unit
from tidings.article.units.places import story_places
from tidings.core.rules import FragmentRows
from tidings.fields.urls.sanitise import absolute, base_of
from tidings.page import Page
from tidings.page.attributes import attributes
from tidings.page.decode import decode
from tidings.page.hints import Hints
from tidings.page.style_sheet import NO_STYLES, StyleSheet
from tidings.sites.extraction.fragment_pictures import read_pictures

#: State of a URL that is given as written; other states give the start tag.
_WRITTEN: Final = 1
#: Number of blocks and characters in a sample for the script of a text.
_FIRST, _SAMPLE = 8, 400


class FragmentPage(Page):
    """A fragment as a page, with the style sheets of its original page.

    Hidden text stays hidden even if it is most of the fragment, because it may be a small part of the original page.
    """

    def __init__(self, fragment: str, base: str | None, styles: StyleSheet) -> None:
        self._hold(decode(fragment), base, Hints(), styles)

    is_fragment = True


def read(fragment: str, base: str, styles: StyleSheet = NO_STYLES) -> Body:
    """Parse a fragment and return its blocks and pictures."""
    if not fragment.strip():
        return Body((), ())
    page = FragmentPage(fragment, base or None, styles)
    return body_of(page, base_of(page), page.visible, story_places(page, page.visible))


class FragmentBlocks(NamedTuple):
    """The blocks of a fragment, including texts that the site repeats."""

    built: MadeBlocks
    pictures: list[Picture] | None  # None if they need a page

    @classmethod
    def of(cls, rows: FragmentRows, base: str) -> FragmentBlocks | None:
        """Build blocks from the rows of the core. Return None if the fragment contains markup that only the page parser
        handles.
        """
        source = rows.source
        start = rows.addresses[-1] >> 2 if rows.addresses else 0
        if rows.telling and any(may_be_unit(source[low:high], base) for low, high in pairwise((start, *rows.telling))):
            return None
        addresses = _addresses(rows.addresses, source, base)
        if addresses is None:
            return None
        begin = rows.telling[-1] if rows.telling else start
        count = rows.pictures
        pictures = (
            None if count < 0 else read_pictures(rows.picture_numbers, source[begin:], count, base) if count else []
        )
        return cls(blocks_from_rows(rows.rows, addresses), pictures)

    def linked(self, out: Sequence[int]) -> int:
        """Return the number of characters in links, except in excluded blocks (`out`)."""
        size = 0
        for block, is_out in zip(self.built.blocks, out, strict=True):
            if not is_out:
                size += sum([len(inline.text) for inline in block.inlines if inline.href])
        return size

    def illustrated(self, fragment: str, base: str, styles: StyleSheet) -> Body:
        """Return the blocks with the pictures that are found by parsing the fragment as a page."""
        page = FragmentPage(fragment, base or None, styles)
        blocks, runs, figures, _ = self.built
        images, _ = illustrated(page, base, story_places(page, page.visible), blocks, array("q", runs), figures)
        return Body(tuple(blocks), tuple(images))

    def body(self) -> Body:
        """Return the blocks with the pictures that the core has located."""
        blocks, runs, figures, _ = self.built
        if not self.pictures:  # the common case
            return Body(tuple(blocks), ())
        images = placed_pictures(self.pictures, {}, blocks, runs, figures)
        return Body(tuple(blocks), tuple(images))


def _addresses(numbers: list[int], source: str, base: str) -> list[str | None] | None:
    """Return the absolute URLs of links, after a None for text without a link. Return None instead of the list if a URL
    is unsafe, or if two spellings of a URL occur: then the fragment is parsed as a page.
    """
    urls: list[str | None] = [None]
    resolved = start = 0
    for number in numbers:
        end, state = number >> 2, number & 3
        text: str | None = source[start:end]
        start = end
        if state:
            resolved += 1
            href = text if state == _WRITTEN else attributes(text or "").get("href")
            text = absolute(href, base)
            if not text:  # not a link, or not a safe one
                return None
        urls.append(text)
    # Different spellings of one URL would merge adjacent inlines.
    return None if resolved and len(set(urls)) < len(urls) else urls


def latin_share(texts: Sequence[str]) -> float:
    """Return the share of ASCII characters in the first blocks of a text: 1 for English, near 0 for Chinese."""
    sample = "".join(texts[:_FIRST])[:_SAMPLE]
    return 1.0 if sample.isascii() else len(sample.encode("ascii", "ignore")) / len(sample)
