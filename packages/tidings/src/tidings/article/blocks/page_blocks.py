"""Build the blocks of the selected text from the rows of numbers that the Rust core returns."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from tidings import core
from tidings.article.model.blocks import Block, Cell, Inline, Item, Kind
from tidings.article.model.constructors import new_inlines
from tidings.article.model.inlines import Style
from tidings.article.units.article_tables import article_tables
from tidings.article.units.places import LINK_NUMBERS, PATH, PLAIN, StoryPlaces
from tidings.article.units.units import FoundUnits
from tidings.core.block_rows import BLOCK_NUMBERS, BlockChoice, BlockRows, blocks
from tidings.fields.urls.sanitise import absolute, usual_origin
from tidings.page import Page, Spans

_KINDS: Final = tuple(Kind)
#: List items by the core's item code (`core/src/blocks.rs`): none, unnumbered, term; larger codes are numbered items.
_ITEMS: Final = (None, Item(), Item(term=True))
#: URL index of a link without `href`.
_NO_ADDRESS: Final = -1
#: Cell flags: starts a row, is a header.
_BEGINS_ROW, _IS_HEADER = 2, 1
#: Rows converted to Python integers at a time, to bound memory on huge pages.
_ROWS_AT_ONCE: Final = 4096


class MadeBlocks(NamedTuple):
    """Blocks in reading order, with the first run of each and the figures of captions by block index."""

    blocks: list[Block]
    runs: array[int]
    figures: dict[int, int]
    text: str | None = None  # the text of all blocks, if known


def page_blocks(
    page: Page, base: str, visible: Spans, roots: Sequence[int], units: FoundUnits | None, places: StoryPlaces
) -> MadeBlocks:
    """Return the blocks of the selected text, in reading order.

    Args:
        page: the page.
        base: the base URL of the page.
        visible: the visible part of the selected text.
        roots: elements whose surroundings do not add list or quote depth.
        units: inline units, such as formulas and note references.
        places: pictures, links, lists and tables near the selected text.
    """
    numbers, addresses = _addresses(page, places.links, base)
    choice = BlockChoice(
        (visible.starts.tolist(), visible.ends.tolist()),
        (places.links[::LINK_NUMBERS], numbers),
        places.has_table,
        roots,
    )
    texts: list[str] = []
    if units is not None and units.is_inline:
        choice, texts = _with_inlines(choice, units)
    rows, text = blocks(page.compiled.memory, article_tables().handle, choice)
    if page.cut.is_short:  # return freed memory to the system before the blocks are allocated
        core.give_back()
    return blocks_from_rows(rows, addresses, texts)._replace(text=text)


def plain_text(page: Page, visible: Spans, units: FoundUnits | None, places: StoryPlaces) -> str | None:
    """Return the plain text of the blocks of `page_blocks`, without building them.

    None if the last block is a heading: whether it belongs to the text depends on the page.
    """
    choice = BlockChoice((visible.starts.tolist(), visible.ends.tolist()), ([], []), places.has_table)
    if units is not None and units.is_inline:
        choice, _ = _with_inlines(choice, units)
    rows, text = blocks(page.compiled.memory, article_tables().handle, choice)
    is_headed = len(rows.blocks) > 0 and _KINDS[rows.blocks[-BLOCK_NUMBERS]] is Kind.HEADING
    return None if is_headed else text


def _with_inlines(choice: BlockChoice, units: FoundUnits) -> tuple[BlockChoice, list[str]]:
    """Return the input for the core extended by inline units, and the texts of their styles."""
    parts: list[str] = []
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
            parts.append(text)
            size = end
        return place, bits, *numbers, start, end

    specials = [row(run, special.text, special.style) for run, special in sorted(units.specials.items())]
    loose = [row(*one) for one in sorted(units.loose, key=lambda one: one.element)]
    choice = choice._replace(
        specials=specials,
        loose=loose,
        alone=sorted(units.alone),
        continuing=sorted(units.continuing),
        text="".join(parts),
    )
    return choice, list(texts)


def _addresses(page: Page, links: list[int], base: str) -> tuple[list[int], list[str | None]]:
    """Return the URL index of each link, and the list of distinct URLs."""
    urls: list[str | None] = [None]
    index_by_url: dict[str | None, int] = {None: 0}
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
            number = index_by_url.get(address)
            if number is None:
                number = index_by_url[address] = len(urls)
                urls.append(address)
            by_spelling[href] = number
        numbers.append(number)
    return numbers, urls


def blocks_from_rows(rows: BlockRows, addresses: Sequence[str | None], texts: Sequence[str] = ()) -> MadeBlocks:
    """Return the blocks for rows of the core; rows refer to URLs and style texts by index."""
    styles = [tuple(texts[number] for number in row) for row in _in_rows(rows.texts, 3)]
    inlines = new_inlines(rows.text, _in_rows(rows.inlines, 3), addresses, styles)
    cells: list[tuple[int, ...]] = list(_in_rows(rows.cells, 5)) if rows.cells else []
    blocks: list[Block] = []
    runs = array("q")
    figures: dict[int, int] = {}
    inline = cell = 0
    for kind_number, level, depth, item, number, quotes, end, cell_end, run, figure in _in_rows(
        rows.blocks, BLOCK_NUMBERS
    ):
        list_item = _ITEMS[item] if item < len(_ITEMS) else _numbered(number)
        kind = _KINDS[kind_number]
        if cell_end > cell:
            table = _table(inlines, cells[cell:cell_end])
            block = Block(kind, (), None, depth, list_item, quotes, table)
            cell = cell_end
        else:
            own_inlines = (inlines[inline],) if end == inline + 1 else tuple(inlines[inline:end])
            block = Block(kind, own_inlines, level or None, depth, list_item, quotes)
        inline = end
        if figure:
            figures[len(blocks)] = figure
        blocks.append(block)
        runs.append(run)
    return MadeBlocks(blocks, runs, figures)


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


def _in_rows(numbers: memoryview[int], width: int) -> Iterator[tuple[int, ...]]:
    """Yield fixed-width rows of a flat array, converted to Python integers in batches."""
    if len(numbers) <= width * _ROWS_AT_ONCE:
        return zip(*[iter(numbers.tolist())] * width, strict=True)
    return _many_rows(numbers, width)


def _many_rows(numbers: memoryview[int], width: int) -> Iterator[tuple[int, ...]]:
    for first in range(0, len(numbers), width * _ROWS_AT_ONCE):
        yield from zip(*[iter(numbers[first : first + width * _ROWS_AT_ONCE].tolist())] * width, strict=True)
