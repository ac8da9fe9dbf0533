"""The blocks that chosen ranges of a page make, piece by piece.

The core makes the same blocks in one pass (`tidings.article.compiled`); this is what it is held against, and what makes
them where there is none.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Final, NamedTuple

from tidings.article.blocks import Block, Cell, Item, Kind
from tidings.article.context import Contexts, Place
from tidings.article.inlines import PLAIN, exact, folded, with_style
from tidings.article.lists import LISTS, ORDERED, numbers
from tidings.article.making import new_block
from tidings.article.pieces import Piece, chosen_pieces, exact_parts, parts
from tidings.article.places import StoryPlaces, story_places
from tidings.article.tables import NO_TABLES, Tables, data_tables
from tidings.article.units import FoundUnits, Loose
from tidings.page import Page, Spans, tags

_TERM: Final = tags.NUMBERS["dt"]
#: A heading element with more blocks than this was never closed: only the first of them is the heading.
_MAX_HEADING_BLOCKS: Final = 3
UNNUMBERED: Final = Item()
DEFINED: Final = Item(term=True)


@lru_cache(maxsize=1024)
def _numbered(number: int) -> Item:
    return Item(True, number)


class PlacedBlock(NamedTuple):
    """A block, its first run, and the figure that it is a caption of (0 if it is none)."""

    block: Block
    run: int
    figure: int


class MadeBlocks(NamedTuple):
    """Blocks in reading order, the first run of each, and the figures of those that are captions, by their places."""

    blocks: list[Block]
    runs: array[int]
    figures: dict[int, int]
    text: str | None = None  # what they say as a whole, where that is known


class Building:
    """The blocks of one article in the making: it remembers which list items have begun.

    Args:
        page: the page.
        base: what its addresses are relative to.
        shown: what was chosen of what a reader sees.
        roots: elements; what stands around them does not count.
        units: what stands in lines and is more than text.
        places: what stands in and beside what was chosen, where that is known.
    """

    def __init__(
        self,
        page: Page,
        base: str,
        shown: Spans,
        roots: Sequence[int] = (),
        units: FoundUnits | None = None,
        places: StoryPlaces | None = None,
    ) -> None:
        self.page = page
        self.base = base
        self.shown = shown
        self.roots = roots
        self.units = units
        self.places = story_places(page, shown, with_pictures=False) if places is None else places
        self.tables: Tables = data_tables(page) if self.places.has_table else NO_TABLES
        self.begun: set[int] = set()  # list items, and definition lists with a term

    @cached_property
    def contexts(self) -> Contexts:
        """What stands around elements."""
        return Contexts(self.page, self.base, self.tables.begins, self.roots)

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The numbers of the items of ordered lists."""
        return numbers(self.page)

    def made(self) -> Iterator[PlacedBlock]:
        """The blocks, in reading order."""
        self.begun.clear()
        pieces = chosen_pieces(self.page, self.shown).pieces(self.page, self.contexts)
        if self.units is not None:
            pieces = with_inlines(self.page, self.contexts, self.units, pieces)
        for _, group in groupby(pieces, self.together):
            found = list(group)
            block = self.block(found)
            if block is not None:
                figure = found[0].context.place.figure if block.kind is Kind.CAPTION else 0
                yield PlacedBlock(block, found[0].run, figure)

    def collected(self) -> MadeBlocks:
        """The same together."""
        found = list(self.made())
        figures = {place: one.figure for place, one in enumerate(found) if one.figure}
        return MadeBlocks([one.block for one in found], array("q", [one.run for one in found]), figures)

    def together(self, piece: Piece) -> tuple[str, int]:
        """Pieces with the same answer make one block: of a table, of preformatted text, of a block of the page."""
        around = piece.context.place
        if self.units is not None and piece.run in self.units.alone:
            return "unit", piece.run
        if around.cell:
            return "table", around.table
        if around.preformatted and _is_preformatted(around):
            return "preformatted", around.preformatted
        return "block", piece.block

    def block(self, found: list[Piece]) -> Block | None:
        """The block that pieces make, None if they are white space."""
        around = found[0].context.place
        if around.cell:
            rows = self.rows(found)
            if not rows:
                return None
            return new_block(Kind.TABLE, (), None, around.depth, self.item(around), around.quotes, rows)
        preformatted = _is_preformatted(around)
        inlines = exact(exact_parts(self.page, found)) if preformatted else folded(parts(self.page, found))
        if not inlines:
            return None
        item = self.item(around)
        level = self.level(around, found[0].block)
        kind = Kind.PREFORMATTED if preformatted else kind_of(around, level, item)
        return new_block(kind, inlines, level if kind is Kind.HEADING else None, around.depth, item, around.quotes)

    def rows(self, found: list[Piece]) -> tuple[tuple[Cell, ...], ...]:
        """The rows of the table of data that pieces stand in."""
        cells = groupby(found, lambda piece: piece.context.place.cell)
        texts = {cell: folded(parts(self.page, list(inside))) for cell, inside in cells}
        table = found[0].context.place.table
        return self.tables.rows(self.page, table, {cell: text for cell, text in texts.items() if text})

    def item(self, around: Place) -> Item | None:
        """The list item that a block begins: each item is begun once. A definition goes on with its term's item."""
        if not around.item or around.item in self.begun:
            return None
        self.begun.add(around.item)
        if around.defines and around.owner in self.begun:
            return None
        if self.page.elements.tag[around.item] == _TERM and around.owner:
            self.begun.add(around.owner)
        return self.item_of(around.item)

    def item_of(self, element: int) -> Item:
        """A list item by its element."""
        tag, parent = self.page.elements.tag, self.page.elements.parent
        around = parent.item(element)
        while around > 0 and tag.item(around) not in LISTS:
            around = parent.item(around)
        number = self.numbers.get(element) if tag.item(around) == ORDERED else None  # few lists have any
        if number is None:
            return DEFINED if tag.item(element) == _TERM else UNNUMBERED
        return _numbered(number)

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


def with_inlines(page: Page, contexts: Contexts, units: FoundUnits, pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Pieces with what stands for some of them, and with what holds no text of the page."""
    loose = sorted(units.loose, key=lambda one: one.element)
    at = 0
    before: Piece | None = None
    for piece in pieces:
        while at < len(loose) and page.elements.first.item(loose[at].element) <= piece.run:
            yield from _loose(page, contexts, loose[at], before, piece)
            at += 1
        piece = retold(units, piece)  # noqa: PLW2901  # the same, told otherwise
        if piece.run in units.joined and before is not None:
            piece = piece._replace(block=before.block, start=before.end, end=before.end, follows=True)  # noqa: PLW2901
        yield piece
        before = piece
    for one in loose[at:]:
        yield from _loose(page, contexts, one, before, None)


def retold(units: FoundUnits, piece: Piece) -> Piece:
    """A piece with what stands for it."""
    special = units.specials.get(piece.run)
    if special is None:
        return piece
    context = piece.context._replace(style=with_style(piece.context.style, special.style))
    return piece._replace(context=context, said=special.text)


def _loose(page: Page, contexts: Contexts, one: Loose, before: Piece | None, behind: Piece | None) -> Iterator[Piece]:
    """What holds no text of the page, in the block that it stands in: that of the text beside it."""
    parent = page.elements.parent.item(one.element)
    place = contexts[parent]
    home = _box(page, parent)
    beside = next(
        (
            piece
            for piece in (before, behind)
            if piece is not None and _box(page, page.runs.element.item(piece.run)) == home
        ),
        None,
    )
    if beside is None:
        return
    spot = before.end if before is not None and beside is before else beside.start
    start, end = page.elements.start.item(one.element), page.elements.end.item(one.element)
    plain = place._replace(style=PLAIN)
    if page.source[start - 1 : start].isspace():
        yield Piece(spot, spot, beside.run, beside.block, True, plain, " ")
    yield Piece(
        spot, spot, beside.run, beside.block, True, place._replace(style=with_style(place.style, one.style)), one.text
    )
    if page.source[end : end + 1].isspace():
        yield Piece(spot, spot, beside.run, beside.block, True, plain, " ")


def _box(page: Page, element: int) -> int:
    """The element itself or the nearest around it that a reader sees as a box of its own."""
    tag, parent = page.elements.tag, page.elements.parent
    while element > 0 and tag.item(element) not in tags.BLOCK:
        element = parent.item(element)
    return element
