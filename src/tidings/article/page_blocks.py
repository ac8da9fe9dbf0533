"""The blocks of chosen text: the core makes rows of numbers and a text, from which the blocks are built."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from tidings import core
from tidings.article.article_tables import article_tables
from tidings.article.blocks import Block, Cell, Inline, Item, Kind
from tidings.article.inlines import Style
from tidings.article.making import new_inlines
from tidings.article.places import LINK_NUMBERS, PATH, PLAIN, StoryPlaces
from tidings.article.units import FoundUnits
from tidings.core.block_rows import BlockChoice, BlockRows, blocks
from tidings.fields.addresses import absolute, usual_origin
from tidings.page import Page, Spans

_KINDS: Final = tuple(Kind)
#: Items that a block begins (`core/src/blocks.rs`): none, one without a number, a term; behind them those with numbers.
_ITEMS: Final = (None, Item(), Item(term=True))
#: What a link has that has no address.
_NO_ADDRESS: Final = -1
#: A cell that begins a row, and one that is a header.
_BEGINS_ROW, _IS_HEADER = 2, 1
#: So many rows are Python's numbers at a time; the stories of hardly any page have more.
_TOGETHER: Final = 4096


class MadeBlocks(NamedTuple):
    """Blocks in reading order, the first run of each, and the figures of those that are captions, by their places."""

    blocks: list[Block]
    runs: array[int]
    figures: dict[int, int]
    text: str | None = None  # what they say as a whole, where that is known


def page_blocks(
    page: Page, base: str, shown: Spans, roots: Sequence[int], units: FoundUnits | None, places: StoryPlaces
) -> MadeBlocks:
    """Return the blocks of chosen text, in reading order.

    Args:
        page: the page.
        base: what its addresses are relative to.
        shown: what was chosen of what a reader sees.
        roots: elements; what stands around them does not count.
        units: what stands in lines and is more than text.
        places: what stands in and beside what was chosen.
    """
    numbers, addresses = _addresses(page, places.links, base)
    choice = BlockChoice(
        (shown.starts.tolist(), shown.ends.tolist()), (places.links[::LINK_NUMBERS], numbers), places.has_table, roots
    )
    texts: list[str] = []
    if units is not None and units.is_inline:
        choice, texts = _with_inlines(choice, units)
    rows, text = blocks(page.compiled.memory, article_tables().handle, choice)
    if page.cut.is_short:  # so many rows took memory that is free now, and the blocks need as much
        core.give_back()
    return built(rows, addresses, texts)._replace(text=text)


def _with_inlines(choice: BlockChoice, units: FoundUnits) -> tuple[BlockChoice, list[str]]:
    """Return the choice with what stands in lines, and the texts of its styles."""
    said: list[str] = []
    size = 0
    texts: dict[str, int] = {"": 0}

    def row(place: int, text: str | None, style: Style) -> tuple[int, ...]:
        nonlocal size
        flags = (
            style.strong, style.emphasis, style.code, style.superscript, style.subscript, style.formula,
            style.inserted, style.deleted,
        )  # fmt: skip
        bits = sum(is_set << bit for bit, is_set in enumerate(flags))
        numbers = (texts.setdefault(one, len(texts)) for one in (style.note, style.reading, style.expansion))
        start, end = (size, size + len(text)) if text is not None else (0, -1)
        if text is not None:
            said.append(text)
            size = end
        return place, bits, *numbers, start, end

    specials = [row(run, special.text, special.style) for run, special in sorted(units.specials.items())]
    loose = [row(*one) for one in sorted(units.loose, key=lambda one: one.element)]
    choice = choice._replace(
        specials=specials, loose=loose, alone=sorted(units.alone), joined=sorted(units.joined), text="".join(said)
    )
    return choice, list(texts)


def _addresses(page: Page, links: list[int], base: str) -> tuple[list[int], list[str | None]]:
    """Return for each link the number of its address among the distinct ones, and those."""
    found: list[str | None] = [None]
    known: dict[str | None, int] = {None: 0}
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


def built(rows: BlockRows, addresses: Sequence[str | None], texts: Sequence[str] = ()) -> MadeBlocks:
    """Return the blocks of rows of the core, given the addresses and the texts of styles that they have numbers of."""
    styles = [tuple(texts[number] for number in row) for row in _in_rows(rows.texts, 3)]
    inlines = new_inlines(rows.text, _in_rows(rows.inlines, 3), addresses, styles)
    cells: list[tuple[int, ...]] = list(_in_rows(rows.cells, 5)) if rows.cells else []
    made: list[Block] = []
    runs = array("q")
    figures: dict[int, int] = {}
    inline = cell = 0
    for kind_number, level, depth, item, number, quotes, behind, behind_cell, run, figure in _in_rows(rows.blocks, 10):
        begun = _ITEMS[item] if item < len(_ITEMS) else _numbered(number)
        kind = _KINDS[kind_number]
        if behind_cell > cell:
            table = _table(inlines, cells[cell:behind_cell])
            block = Block(kind, (), None, depth, begun, quotes, table)
            cell = behind_cell
        else:
            said = (inlines[inline],) if behind == inline + 1 else tuple(inlines[inline:behind])
            block = Block(kind, said, level or None, depth, begun, quotes)
        inline = behind
        if figure:
            figures[len(made)] = figure
        made.append(block)
        runs.append(run)
    return MadeBlocks(made, runs, figures)


@lru_cache(maxsize=1024)
def _numbered(number: int) -> Item:
    return Item(True, number)


def _table(inlines: Sequence[Inline], cells: Iterable[tuple[int, ...]]) -> tuple[tuple[Cell, ...], ...]:
    rows: list[list[Cell]] = []
    for first, last, bits, columns, down in cells:
        if bits & _BEGINS_ROW:
            rows.append([])
        rows[-1].append(Cell(tuple(inlines[first:last]), bool(bits & _IS_HEADER), columns, down))
    return tuple(map(tuple, rows))


def _in_rows(numbers: memoryview[int], of: int) -> Iterator[tuple[int, ...]]:
    """Return numbers row by row; no more than some thousand rows are Python's numbers at a time."""
    if len(numbers) <= of * _TOGETHER:
        return zip(*[iter(numbers.tolist())] * of, strict=True)
    return _many_rows(numbers, of)


def _many_rows(numbers: memoryview[int], of: int) -> Iterator[tuple[int, ...]]:
    for first in range(0, len(numbers), of * _TOGETHER):
        yield from zip(*[iter(numbers[first : first + of * _TOGETHER].tolist())] * of, strict=True)
