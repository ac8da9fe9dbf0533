"""The blocks of chosen text by the compiled core: the same as `building` makes."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Final

from tidings import core
from tidings.article.blocks import Block, Inline, Kind
from tidings.article.building import DEFINED, UNNUMBERED, Building, MadeBlocks, retold
from tidings.article.context import ROLES
from tidings.article.inlines import exact, folded
from tidings.article.making import new_block, new_inlines
from tidings.article.pieces import TOGETHER, Piece, exact_parts, parts
from tidings.article.places import LINK_NUMBERS, PATH, PLAIN
from tidings.article.units import FoundUnits
from tidings.core import block_rows
from tidings.core.block_rows import BlockRows
from tidings.fields.addresses import absolute, usual_origin
from tidings.page import Page

_KINDS: Final = tuple(Kind)
_NOTHING: Final = 0
#: Of blocks that begin no item, and of items that have no number (`core/src/blocks.rs`), from the end.
_ITEMS: Final = (None, DEFINED, UNNUMBERED)
#: What a link has that has no address.
_NO_ADDRESS: Final = -1


def made(building: Building) -> MadeBlocks | None:
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
        (links[::LINK_NUMBERS], numbers),
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


def _addresses(page: Page, links: list[int], base: str) -> tuple[list[int], list[str | None]]:
    """For each link the number of its address among the distinct ones, and those."""
    found: list[str | None] = [None]
    known: dict[str | None, int] = {None: _NOTHING}
    by_spelling: dict[str, int] = {}
    numbers = []
    source = page.cut.source
    origin = usual_origin(base) if links else ""
    for element, start, end, sort in zip(*[iter(links)] * LINK_NUMBERS, strict=True):
        href = source[start:end] if start >= 0 else page.attributes(element).get("href")
        if href is None:
            numbers.append(_NO_ADDRESS)
            continue
        number = by_spelling.get(href)
        if number is None:
            address = href if sort == PLAIN else origin + href if sort == PATH and origin else absolute(href, base)
            number = known.get(address)
            if number is None:
                number = known[address] = len(found)
                found.append(address)
            by_spelling[href] = number
        numbers.append(number)
    return numbers, found


def _blocks(building: Building, rows: BlockRows, addresses: list[str | None]) -> MadeBlocks:
    inlines = new_inlines(rows.text, _rows(rows.inlines, block_rows.INLINE_NUMBERS), addresses)
    becoming = building.units.blocks if building.units is not None else {}  # what a unit stands for says nothing
    blocks: list[Block] = []
    runs = array("q")
    figures: dict[int, int] = {}
    inline = piece = 0
    for kind_number, level, depth, item, quotes, behind, behind_piece, run, figure, table in _rows(
        rows.blocks, block_rows.BLOCK_NUMBERS
    ):
        begun = building.item_of(item) if item > 0 else _ITEMS[item]
        kind = _KINDS[kind_number]
        if behind_piece > piece:
            some = rows.pieces[block_rows.PIECE_NUMBERS * piece : block_rows.PIECE_NUMBERS * behind_piece]
            piece = behind_piece
            if kind is Kind.TABLE:
                texts = _cells(some, inlines, inline)
                shown = building.tables.rows(building.page, table, texts)
                block = new_block(kind, (), None, depth, begun, quotes, shown)
            else:
                said = () if run in becoming else _said(building, kind, some)
                block = new_block(kind, said, level or None, depth, begun, quotes)
        else:
            said = (inlines[inline],) if behind == inline + 1 else tuple(inlines[inline:behind])
            block = new_block(kind, said, level or None, depth, begun, quotes)
        inline = behind
        if figure:
            figures[len(blocks)] = figure
        blocks.append(block)
        runs.append(run)
    return MadeBlocks(blocks, runs, figures, rows.whole)


def _rows(numbers: memoryview[int], of: int) -> Iterator[tuple[int, ...]]:
    """Numbers row by row; as Python's numbers no more than some thousand rows are held at a time."""
    if len(numbers) <= of * TOGETHER:
        return zip(*[iter(numbers.tolist())] * of, strict=True)
    return _many_rows(numbers, of)


def _many_rows(numbers: memoryview[int], of: int) -> Iterator[tuple[int, ...]]:
    for first in range(0, len(numbers), of * TOGETHER):
        yield from zip(*[iter(numbers[first : first + of * TOGETHER].tolist())] * of, strict=True)


def _cells(numbers: memoryview[int], inlines: list[Inline], first: int) -> dict[int, tuple[Inline, ...]]:
    """What the cells of a table say, those that say nothing left out."""
    texts: dict[int, tuple[Inline, ...]] = {}
    for cell, behind, _, _ in _rows(numbers, block_rows.PIECE_NUMBERS):
        texts[cell] = tuple(inlines[first:behind])
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
