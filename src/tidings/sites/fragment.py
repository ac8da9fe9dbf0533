"""A cut piece of HTML as a page of its own: its blocks and pictures are made as those of any page.

Blocks of most come from the compiled core with the cut, the same: then a page is made for pictures alone.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Final, NamedTuple

from tidings.article import Block, Inline, Item, Kind
from tidings.article.body import Body, body_of, illustrated
from tidings.article.making import new_block, new_inline
from tidings.article.places import story_places
from tidings.fields.addresses import base_of
from tidings.page import Page
from tidings.page.columns import Ints
from tidings.page.decode import decode
from tidings.page.hints import Hints
from tidings.page.style_sheet import NO_STYLES, StyleSheet

_KINDS: Final = tuple(Kind)
_UNNUMBERED: Final = Item()
#: Numbers before the rows, and of a row of a block (`core/src/boundary/cut.rs`).
_HEAD, _ROW = 5, 9


class FragmentPage(Page):
    """A fragment as a page of its own, under the style sheets of the page that it was cut out of.

    What is hidden in it stays so, were it most of it: of the whole page it may be little.
    """

    def __init__(self, fragment: str, base: str | None, styles: StyleSheet) -> None:
        self.__dict__["style_sheet"] = styles
        self._hold(decode(fragment), base, Hints(), styles)

    def _main_part(self, hidden: Ints) -> Iterator[list[int]]:  # noqa: ARG002 (none of them is)
        return iter(())


def read(fragment: str, base: str, styles: StyleSheet = NO_STYLES) -> Body:
    """The blocks and pictures of a fragment."""
    if not fragment.strip():
        return Body((), ())
    page = FragmentPage(fragment, base or None, styles)
    return body_of(page, base_of(page), page.visible, story_places(page, page.visible))


class FragmentBlocks(NamedTuple):
    """The blocks of a fragment."""

    blocks: list[Block]  # those left out as noise included
    out: list[int]  # whether each is left out
    linked: int  # characters in links, of those that are not left out
    has_pictures: bool
    runs: list[int]  # the first of each block
    figures: list[int]  # of which each block is a caption, 0 for none

    @classmethod
    def told(cls, numbers: list[int], said: str, at: int) -> FragmentBlocks:
        """As the core tells them, from a place of its numbers on."""
        count, inlines, addresses, pictures, begin = numbers[at : at + _HEAD]
        first = at + _HEAD
        behind = first + _ROW * count
        last = behind + 3 * inlines
        known: list[str | None] = [None]
        start = numbers[last - 3] if inlines else begin
        for end in numbers[last : last + addresses]:
            known.append(said[start:end])
            start = end
        rows = zip(*[iter(numbers[first:behind])] * _ROW, strict=True)
        parts = zip(*[iter(numbers[behind:last])] * 3, strict=True)
        blocks: list[Block] = []
        out: list[int] = []
        runs: list[int] = []
        figures: list[int] = []
        linked = place = 0
        for kind, level, depth, item, quotes, until, run, figure, is_out in rows:
            made: list[Inline] = []
            while place < until:
                end, address, bits = next(parts)
                made.append(new_inline(said[begin:end], known[address], bits))
                if address and not is_out:
                    linked += end - begin
                begin = end
                place += 1
            begun = None if not item else _UNNUMBERED if item == 1 else Item(True, item - 1)
            blocks.append(new_block(_KINDS[kind], tuple(made), level or None, depth, begun, quotes))
            out.append(is_out)
            runs.append(run)
            figures.append(figure)
        return cls(blocks, out, linked, bool(pictures), runs, figures)

    def illustrated(self, fragment: str, base: str, styles: StyleSheet) -> Body:
        """With the pictures of the fragment."""
        page = FragmentPage(fragment, base or None, styles)
        blocks, runs = list(self.blocks), array("q", self.runs)
        captions = {place: figure for place, figure in enumerate(self.figures) if figure}
        images = illustrated(page, base, story_places(page, page.visible), blocks, runs, captions)
        return Body(tuple(blocks), tuple(images))
