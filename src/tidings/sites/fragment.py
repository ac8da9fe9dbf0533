"""A cut piece of HTML as a page of its own: its blocks and pictures are made as those of any page.

Blocks of most come from the compiled core with the cut, the same: then a page is made for pictures alone.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from tidings.article import Block, Cell, Inline, Item, Kind
from tidings.article.body import Body, body_of, illustrated, placed_pictures
from tidings.article.boxes import may_be_unit
from tidings.article.making import new_block, new_cell, new_inlines
from tidings.article.pictures import Picture
from tidings.article.places import story_places
from tidings.fields.addresses import absolute, base_of
from tidings.page import Page
from tidings.page.attributes import attributes
from tidings.page.decode import decode
from tidings.page.hints import Hints
from tidings.page.style_sheet import NO_STYLES, StyleSheet
from tidings.sites.fragment_pictures import told_pictures

_KINDS: Final = tuple(Kind)
_UNNUMBERED: Final = Item()
#: Numbers before the rows, and of a row of a block (`core/src/boundary/cut.rs`).
_HEAD, _ROW = 7, 9
_TABLE: Final = _KINDS.index(Kind.TABLE)
#: An address that is told as its link has it; any other that is left to Python is told by its start tag.
_WRITTEN: Final = 1


class FragmentPage(Page):
    """A fragment as a page of its own, under the style sheets of the page that it was cut out of.

    What is hidden in it stays so, were it most of it: of the whole page it may be little.
    """

    def __init__(self, fragment: str, base: str | None, styles: StyleSheet) -> None:
        self.__dict__["style_sheet"] = styles
        self._hold(decode(fragment), base, Hints(), styles)

    is_fragment = True


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
    pictures: list[Picture] | None  # None if a page has to be asked for them
    runs: list[int]  # the first of each block
    figures: list[int]  # of which each block is a caption, 0 for none

    @classmethod
    def told(cls, numbers: list[int], said: str, at: int, base: str) -> FragmentBlocks | None:
        """As the core tells them, from a place of its numbers on; None if they have to be made in Python."""
        count, inlines, addresses, cells, telling, pictures, begin = numbers[at : at + _HEAD]
        first = at + _HEAD
        behind = first + _ROW * count
        last = behind + 3 * inlines
        cell = last + addresses
        tag = cell + cells
        written = numbers[last - 3] if inlines else begin  # where addresses begin
        if telling:
            start = numbers[cell - 1] >> 2 if addresses else written
            ends = numbers[tag : tag + telling]
            if any(may_be_unit(said[low:high], base) for low, high in pairwise((start, *ends))):
                return None
        known = _addresses(numbers[last:cell], said, written, base)
        if known is None:
            return None
        inlines_of = new_inlines(said, zip(*[iter(numbers[behind:last])] * 3, strict=True), known, begin)
        ends_of_cells = iter(numbers[cell:tag])
        kinds, levels, depths, items, quotes, untils, runs, figures, out = (
            numbers[column:behind:_ROW] for column in range(first, first + _ROW)
        )
        blocks: list[Block] = []
        linked = place = 0
        rows = zip(kinds, levels, depths, items, quotes, untils, out, strict=True)
        for kind, level, depth, item, deep, until, is_out in rows:
            made = tuple(inlines_of[place:until])
            begun = None if not item else _UNNUMBERED if item == 1 else Item(True, item - 1)
            if kind == _TABLE:
                shown = _table(made, place, [next(ends_of_cells) for _ in range(level)])
                blocks.append(new_block(Kind.TABLE, (), None, depth, begun, deep, shown))
            else:
                blocks.append(new_block(_KINDS[kind], made, level or None, depth, begun, deep))
                if addresses and not is_out:
                    linked += sum([len(inline.text) for inline in made if inline.href])
            place = until
        row = tag + telling
        found = told_pictures(numbers, said, row, pictures, base) if pictures > 0 else [] if not pictures else None
        return cls(blocks, out, linked, found, runs, figures)

    def illustrated(self, fragment: str, base: str, styles: StyleSheet) -> Body:
        """With the pictures of the fragment."""
        page = FragmentPage(fragment, base or None, styles)
        blocks, runs = list(self.blocks), array("q", self.runs)
        images, _ = illustrated(page, base, story_places(page, page.visible), blocks, runs, self._captions)
        return Body(tuple(blocks), tuple(images))

    @property
    def _captions(self) -> dict[int, int]:
        return {place: figure for place, figure in enumerate(self.figures) if figure}

    def body(self) -> Body:
        """The same, with those that were told."""
        if not self.pictures:  # as mostly
            return Body(tuple(self.blocks), ())
        images = placed_pictures(self.pictures, {}, self.blocks, self.runs, self._captions)
        return Body(tuple(self.blocks), tuple(images))


def _addresses(numbers: list[int], said: str, start: int, base: str) -> list[str | None] | None:
    """The addresses of links, behind None for none; None in place of all if some would make other inlines."""
    known: list[str | None] = [None]
    left = 0
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


def _table(inlines: Sequence[Inline], first: int, cells: list[int]) -> tuple[tuple[Cell, ...], ...]:
    """The rows of a table, as the core tells of its cells (`core/src/data_tables.rs`)."""
    rows: list[list[Cell]] = []
    start = 0
    for number in cells:
        end = (number >> 2) - first
        if number & 2:
            rows.append([])
        rows[-1].append(new_cell(tuple(inlines[start:end]), bool(number & 1), 1, 1))
        start = end
    return tuple(map(tuple, rows))
