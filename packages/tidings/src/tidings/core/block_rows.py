"""The blocks of chosen text, as the core makes them (`core/src/blocks.rs`)."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Final, NamedTuple, Self

from tidings.core import CoreMemory, library
from tidings.core.answers import ask

#: Numbers of a row of each.
BLOCK_NUMBERS, _INLINE, _CELL, _TEXTS = 10, 3, 5, 3
#: Numbers that say how many rows and characters there are.
SIZES: Final = 5


class BlockRows(NamedTuple):
    """Blocks as numbers, row behind row, and what their inlines say."""

    blocks: memoryview[int]
    inlines: memoryview[int]
    cells: memoryview[int]
    texts: memoryview[int]
    text: str

    @classmethod
    def of(cls, sizes: Sequence[int], rows: memoryview[int], text: str) -> Self:
        """Return part rows by their sizes."""
        behind_blocks = BLOCK_NUMBERS * sizes[0]
        behind_inlines = behind_blocks + _INLINE * sizes[1]
        behind_cells = behind_inlines + _CELL * sizes[2]
        return cls(
            rows[:behind_blocks], rows[behind_blocks:behind_inlines], rows[behind_inlines:behind_cells],
            rows[behind_cells : behind_cells + _TEXTS * sizes[3]], text,
        )  # fmt: skip


class BlockChoice(NamedTuple):
    """What blocks are made of.

    Args:
        spans: starts and ends of the ranges of chosen text.
        links: those that hold chosen text, in order, and for each the number of its address: 0 for one that is not
            shown, -1 if it has none.
        has_tables: whether tables hold chosen text.
        roots: elements; what stands around them does not count.
        specials: runs with another text or more formatting, in order: rows of the run, the bits of the formatting, the
            numbers of three texts, start and end of the text among `text` (-1 for that of the page).
        loose: elements that hold no run and stand in a line, in order, in the same rows.
        alone: runs that are blocks of their own, in order.
        joined: runs that stand in the line before them, in order.
        text: what specials and loose elements say.
    """

    spans: tuple[list[int], list[int]]
    links: tuple[list[int], list[int]]
    has_tables: bool
    roots: Sequence[int] = ()
    specials: Sequence[tuple[int, ...]] = ()
    loose: Sequence[tuple[int, ...]] = ()
    alone: Sequence[int] = ()
    joined: Sequence[int] = ()
    text: str = ""


def blocks(page: CoreMemory, tables: int, choice: BlockChoice) -> tuple[BlockRows, str]:
    """Return the blocks that ranges of the text of a page make, and the text of all of them.

    Raises:
        CoreError: the core failed.
    """
    (starts, ends), (links, addresses) = choice.spans, choice.links
    specials, loose = choice.specials, choice.loose
    sizes = len(starts), len(links), len(choice.roots), len(specials), len(loose), len(choice.alone), len(choice.joined)
    numbers = array("q", (*sizes, choice.has_tables, *starts, *ends, *links, *addresses, *choice.roots))
    for row in (*specials, *loose):
        numbers.extend(row)
    numbers.extend(choice.alone)
    numbers.extend(choice.joined)
    said = choice.text.encode("utf-32-le", "surrogatepass")
    where, count = numbers.buffer_info()
    answer = ask(library().tidings_blocks, page.handle, tables, where, count, said, len(choice.text))
    text, size = answer.text, answer.numbers[SIZES - 1]
    return BlockRows.of(answer.numbers, answer.rows, text[:size]), text[size:]
