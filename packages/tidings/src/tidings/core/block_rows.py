"""The blocks of selected text, as rows from the core (`core/src/blocks.rs`)."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Final, NamedTuple, Self

from tidings.core import CoreMemory, library
from tidings.core.answers import ask

#: Numbers per row.
BLOCK_NUMBERS, _INLINE, _CELL, _TEXTS = 10, 3, 5, 3
#: Number of leading sizes: rows and characters.
SIZES: Final = 5


class BlockRows(NamedTuple):
    """The blocks of an article as the core returns them: arrays of fixed-width rows for blocks, inlines, table cells
    and texts, and the text that they refer to.
    """

    blocks: memoryview[int]
    inlines: memoryview[int]
    cells: memoryview[int]
    texts: memoryview[int]
    text: str

    @classmethod
    def of(cls, sizes: Sequence[int], rows: memoryview[int], text: str) -> Self:
        """Create from one array in which the rows of blocks, inlines, cells and texts follow each other; `sizes` are
        their numbers.
        """
        behind_blocks = BLOCK_NUMBERS * sizes[0]
        behind_inlines = behind_blocks + _INLINE * sizes[1]
        behind_cells = behind_inlines + _CELL * sizes[2]
        return cls(
            rows[:behind_blocks], rows[behind_blocks:behind_inlines], rows[behind_inlines:behind_cells],
            rows[behind_cells : behind_cells + _TEXTS * sizes[3]], text,
        )  # fmt: skip


class BlockChoice(NamedTuple):
    """The input for building blocks: selected text and changes to it.

    Args:
        spans: starts and ends of the selected ranges.
        links: links with selected text in order, and the number of each URL: 0 for a hidden URL, -1 for none.
        has_tables: whether tables contain selected text.
        roots: elements whose ancestors are ignored.
        specials: runs with replaced text or more formatting, in order: rows of the run, formatting bits, numbers of
            three texts, start and end of the text in `text` (-1 for the page's text).
        loose: inline elements without runs, in order, in the same rows.
        alone: runs that form their own block, in order.
        continuing: runs that belong to the previous line, in order.
        text: the text of specials and loose elements.
    """

    spans: tuple[list[int], list[int]]
    links: tuple[list[int], list[int]]
    has_tables: bool
    roots: Sequence[int] = ()
    specials: Sequence[tuple[int, ...]] = ()
    loose: Sequence[tuple[int, ...]] = ()
    alone: Sequence[int] = ()
    continuing: Sequence[int] = ()
    text: str = ""


def blocks(page: CoreMemory, tables: int, choice: BlockChoice) -> tuple[BlockRows, str]:
    """Return the blocks of selected ranges of a page's text, and the text of all of them.

    Raises:
        CoreError: the core failed.
    """
    (starts, ends), (links, addresses) = choice.spans, choice.links
    specials, loose = choice.specials, choice.loose
    sizes = (
        len(starts),
        len(links),
        len(choice.roots),
        len(specials),
        len(loose),
        len(choice.alone),
        len(choice.continuing),
    )
    numbers = array("q", (*sizes, choice.has_tables, *starts, *ends, *links, *addresses, *choice.roots))
    for row in (*specials, *loose):
        numbers.extend(row)
    numbers.extend(choice.alone)
    numbers.extend(choice.continuing)
    encoded_text = choice.text.encode("utf-32-le", "surrogatepass")
    address, count = numbers.buffer_info()
    answer = ask(library().tidings_blocks, page.handle, tables, address, count, encoded_text, len(choice.text))
    text, size = answer.text, answer.numbers[SIZES - 1]
    return BlockRows.of(answer.numbers, answer.rows, text[:size]), text[size:]
