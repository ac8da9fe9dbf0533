"""The blocks of chosen text by the compiled core: the same as `building` makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final, cast

from tidings import core
from tidings.article.blocks import Block, Cell, Inline, Item, Kind
from tidings.article.building import Building, PlacedBlock, retold
from tidings.article.context import ROLES
from tidings.article.inlines import exact, folded
from tidings.article.pieces import TOGETHER, Piece, exact_parts, parts
from tidings.article.places import StoryLink
from tidings.article.units import FoundUnits
from tidings.core import block_rows
from tidings.core.block_rows import BlockRows
from tidings.fields.addresses import absolute
from tidings.page import Page

_KINDS: Final = tuple(Kind)
_NOTHING: Final = 0
#: What a link has that has no address.
_NO_ADDRESS: Final = -1
#: Strong, emphasis, code, superscript, subscript, by the bits of the core.
_FLAGS: Final = tuple(tuple(bool(bits >> place & 1) for place in range(5)) for bits in range(32))


class _InlineInMaking:
    """Becomes an `Inline` when it is made: to set frozen fields one by one takes three times as long."""

    __slots__ = Inline.__slots__

    def __init__(self, text: str, href: str | None = None, bits: int = 0) -> None:
        self.text = text
        self.href = href
        if bits:
            self.strong, self.emphasis, self.code, self.superscript, self.subscript = _FLAGS[bits]
        else:
            self.strong = self.emphasis = self.code = self.superscript = self.subscript = False
        self.formula = self.inserted = self.deleted = False
        self.note = self.reading = self.expansion = ""
        self.__class__ = Inline  # type: ignore[assignment]  # of the same slots


class _BlockInMaking:
    """Becomes a `Block` when it is made, as above."""

    __slots__ = Block.__slots__

    def __init__(
        self,
        kind: Kind,
        inlines: tuple[Inline, ...],
        level: int | None,
        depth: int,
        item: Item | None,
        quote_depth: int,
        rows: tuple[tuple[Cell, ...], ...] = (),
    ) -> None:
        self.kind = kind
        self.inlines = inlines
        self.level = level
        self.depth = depth
        self.item = item
        self.quote_depth = quote_depth
        self.rows = rows
        self.image = self.embed = self.post = None
        self.language = self.label = ""
        self.size = 0
        self.__class__ = Block  # type: ignore[assignment]  # of the same slots


_new_inline = cast("Callable[..., Inline]", _InlineInMaking)
_new_block = cast("Callable[..., Block]", _BlockInMaking)
_place = cast("Callable[..., PlacedBlock]", tuple.__new__)  # as its own function does in twice the time


def made(building: Building) -> Iterator[PlacedBlock] | None:
    """The blocks, in reading order; None where they have to be made in Python."""
    page, shown = building.page, building.shown
    if page.compiled is None:
        return None
    specials = _specials(building.units)
    if specials is None:
        return None
    links = building.places.links
    numbers, addresses = _addresses(page, links, building.base)
    rows = block_rows.blocks(
        page.compiled.memory,
        ROLES,
        (shown.starts.tolist(), shown.ends.tolist()),
        ([link[0] for link in links], numbers),
        sorted(building.tables.begins),
        list(building.roots),
        specials,
    )
    if page.cut.is_short:  # so many rows took memory that is free now, and the blocks need as much
        core.give_back()
    return None if rows is None else _blocks(building, rows, addresses)


def _specials(units: FoundUnits | None) -> list[int] | None:
    """The runs for which something else stands, as the core asks for them; None if one becomes nothing."""
    if units is None or not units.specials:
        return []
    if any(special.text is not None and not special.text.strip() for special in units.specials.values()):
        return None
    return sorted(2 * run + (special.text is not None) for run, special in units.specials.items())


def _addresses(page: Page, links: Sequence[StoryLink], base: str) -> tuple[list[int], list[str | None]]:
    """For each link the number of its address among the distinct ones, and those."""
    found: list[str | None] = [None]
    known: dict[str | None, int] = {None: _NOTHING}
    by_spelling: dict[str, int] = {}
    numbers = []
    source = page.cut.source
    for element, start, end in links:
        href = source[start:end] if start >= 0 else page.attributes(element).get("href")
        if href is None:
            numbers.append(_NO_ADDRESS)
            continue
        number = by_spelling.get(href)
        if number is None:
            address = absolute(href, base)
            number = known.get(address)
            if number is None:
                number = known[address] = len(found)
                found.append(address)
            by_spelling[href] = number
        numbers.append(number)
    return numbers, found


def _blocks(building: Building, rows: BlockRows, addresses: list[str | None]) -> Iterator[PlacedBlock]:
    inlines = _inlines(rows, addresses)
    becoming = building.units.blocks if building.units is not None else {}  # what a unit stands for says nothing
    inline = piece = 0
    for kind_number, level, depth, item, quotes, behind, behind_piece, run, figure, table in _rows(
        rows.blocks, block_rows.BLOCK_NUMBERS
    ):
        begun = building.item_of(item) if item else None
        if behind_piece > piece:
            kind = _KINDS[kind_number]
            some = rows.pieces[block_rows.PIECE_NUMBERS * piece : block_rows.PIECE_NUMBERS * behind_piece]
            piece = behind_piece
            if kind is Kind.TABLE:
                texts = _cells(some, inlines, inline)
                shown = building.tables.rows(building.page, table, texts)
                block = _new_block(kind, (), None, depth, begun, quotes, shown)
            else:
                said = () if run in becoming else _said(building, kind, some)
                block = _new_block(kind, said, level or None, depth, begun, quotes)
        else:
            said = (next(inlines),) if behind == inline + 1 else tuple(islice(inlines, behind - inline))
            block = _new_block(_KINDS[kind_number], said, level or None, depth, begun, quotes)
        inline = behind
        yield _place(PlacedBlock, (block, run, figure))


def _rows(numbers: memoryview[int], of: int) -> Iterator[tuple[int, ...]]:
    """Numbers row by row; as Python's numbers no more than some thousand rows are held at a time."""
    for first in range(0, len(numbers), of * TOGETHER):
        yield from zip(*[iter(numbers[first : first + of * TOGETHER].tolist())] * of, strict=True)


def _inlines(rows: BlockRows, addresses: list[str | None]) -> Iterator[Inline]:
    text = rows.text
    start = 0
    for end, address, bits in _rows(rows.inlines, block_rows.INLINE_NUMBERS):
        said = text[start:end]
        yield _new_inline(said, addresses[address], bits) if address or bits else _new_inline(said)
        start = end


def _cells(numbers: memoryview[int], inlines: Iterator[Inline], first: int) -> dict[int, tuple[Inline, ...]]:
    """What the cells of a table say, those that say nothing left out."""
    texts: dict[int, tuple[Inline, ...]] = {}
    for cell, behind, _, _ in _rows(numbers, block_rows.PIECE_NUMBERS):
        texts[cell] = tuple(islice(inlines, behind - first))
        first = behind
    return {cell: text for cell, text in texts.items() if text}


def _said(building: Building, kind: Kind, numbers: memoryview[int]) -> tuple[Inline, ...]:
    """What pieces of preformatted text say, or those of a block in which something stands for a run."""
    page, units, contexts = building.page, building.units, building.contexts
    block, element = page.runs.block, page.runs.element
    found = [
        Piece(start, end, run, block.item(run), bool(follows), contexts[element.item(run)])
        for start, end, run, follows in _rows(numbers, block_rows.PIECE_NUMBERS)
    ]
    if units is not None and units.specials:
        found = [retold(units, piece) for piece in found]
    return exact(exact_parts(page, found)) if kind is Kind.PREFORMATTED else folded(parts(page, found))
