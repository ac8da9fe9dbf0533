"""The blocks and pictures that chosen ranges of a page make."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np

from tidings.article.blocks import Block, Image, Item, Kind
from tidings.article.context import Contexts, Place
from tidings.article.inlines import exact, folded
from tidings.article.lists import numbers
from tidings.article.pictures import pictures
from tidings.article.pieces import Piece, chosen_pieces, exact_parts, parts
from tidings.article.tables import data_tables
from tidings.page import Page, Spans, tags

_TERM: Final = tags.NUMBERS["dt"]
#: A heading element with more blocks than this was never closed: only the first of them is the heading.
_MAX_HEADING_BLOCKS: Final = 3
_UNNUMBERED: Final = Item()


class Body(NamedTuple):
    """What was chosen of a page, or of a fragment of one."""

    blocks: tuple[Block, ...]
    images: tuple[Image, ...]


def body_of(page: Page, base: str, shown: Spans) -> Body:
    """The blocks and pictures of what was chosen of what a reader sees; addresses are relative to `base`."""
    return Building(page, base, shown).result()


class Building:
    """The blocks of one article in the making: it remembers which list items have begun.

    Args:
        page: the page.
        base: what its addresses are relative to.
        shown: what was chosen of what a reader sees.
        roots: elements; what stands around them does not count.
    """

    def __init__(self, page: Page, base: str, shown: Spans, roots: Sequence[int] = ()) -> None:
        self.page = page
        self.tables = data_tables(page)
        self.base = base
        self.chosen = chosen_pieces(page, shown)
        self.contexts = Contexts(page, base, self.tables.begins, roots)
        self.begun: set[int] = set()  # list items, and definition lists with a term

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The numbers of the items of ordered lists."""
        return numbers(self.page)

    def result(self) -> Body:
        """Blocks, with pictures given to their captions, and pictures, with their place among the blocks."""
        blocks: list[Block] = []
        runs: list[int] = []
        captions: list[tuple[int, int]] = []  # the place of a caption among the blocks, and its figure
        for block, piece in self.made():
            if block.kind is Kind.CAPTION and piece.context.place.figure:
                captions.append((len(blocks), piece.context.place.figure))
            blocks.append(block)
            runs.append(piece.run)
        chosen = np.zeros(len(self.page.runs), np.bool_)
        chosen[self.chosen.run] = True
        images = []
        by_figure: dict[int, Image] = {}
        for picture in pictures(self.page, self.base, chosen):
            image = picture.image
            image = Image(image.src, image.alt, image.caption, bisect_left(runs, picture.run))
            images.append(image)
            by_figure.setdefault(picture.figure, image)
        for place, figure in captions:
            if figure in by_figure:
                blocks[place] = replace(blocks[place], image=by_figure.pop(figure))
        return Body(tuple(blocks), tuple(images))

    def made(self) -> Iterator[tuple[Block, Piece]]:
        """The blocks, in reading order, and the first piece of each."""
        self.begun.clear()
        pieces = self.chosen.pieces(self.page, self.contexts)
        for _, group in groupby(pieces, _together):
            found = list(group)
            block = self.block(found)
            if block is not None:
                yield block, found[0]

    def block(self, found: list[Piece]) -> Block | None:
        """The block that pieces make, None if they are white space."""
        around = found[0].context.place
        if around.cell:
            cells = groupby(found, lambda piece: piece.context.place.cell)
            texts = {cell: folded(parts(self.page, list(inside))) for cell, inside in cells}
            rows = self.tables.rows(self.page, around.table, {cell: text for cell, text in texts.items() if text})
            if not rows:
                return None
            return Block(Kind.TABLE, (), None, around.depth, self.item(around), around.quotes, rows)
        preformatted = _is_preformatted(around)
        inlines = exact(exact_parts(self.page, found)) if preformatted else folded(parts(self.page, found))
        if not inlines:
            return None
        item = self.item(around)
        level = self.level(around, found[0].block)
        kind = Kind.PREFORMATTED if preformatted else kind_of(around, level, item)
        return Block(kind, inlines, level if kind is Kind.HEADING else None, around.depth, item, around.quotes)

    def item(self, around: Place) -> Item | None:
        """The list item that a block begins: each item is begun once. A definition goes on with its term's item."""
        if not around.item or around.item in self.begun:
            return None
        self.begun.add(around.item)
        if around.defines and around.owner in self.begun:
            return None
        if self.page.elements.tag[around.item] == _TERM and around.owner:
            self.begun.add(around.owner)
        number = self.numbers.get(around.item)
        return _UNNUMBERED if number is None else Item(True, number)

    def level(self, around: Place, block: int) -> int | None:
        """The level of the heading, if the block is one."""
        if not around.heading:
            return None
        elements, runs = self.page.elements, self.page.runs
        first, last = (
            int(runs.block[run]) for run in (elements.first[around.heading], elements.last[around.heading] - 1)
        )
        if block != first and last - first >= _MAX_HEADING_BLOCKS:
            return None
        return int(self.page.tag_names[elements.tag[around.heading]][1])


def kind_of(around: Place, level: int | None, item: Item | None) -> Kind:
    """What a block is that is neither a table nor preformatted."""
    if around.caption:
        return Kind.CAPTION
    if level:
        return Kind.HEADING
    if around.quoted:
        return Kind.QUOTE
    return Kind.LIST_ITEM if item else Kind.PARAGRAPH


def _is_preformatted(around: Place) -> bool:
    return bool(around.preformatted) and not around.caption and not around.heading


def _together(piece: Piece) -> tuple[str, int]:
    """Pieces with the same answer make one block: of a table, of preformatted text, of a block of the page."""
    around = piece.context.place
    if around.cell:
        return "table", around.table
    if around.preformatted and _is_preformatted(around):
        return "preformatted", around.preformatted
    return "block", piece.block
