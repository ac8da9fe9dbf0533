"""Which tables of a page are tables, and their cells.

Old pages lay out everything in tables. A table is data when all of this is true of it:

- no table, quote or figure is in it;
- all its text is in cells and at most one caption;
- some row has two cells, and there are two rows, or one with a header cell;
- no cell holds a heading, a list, preformatted text or more than one block (two paragraphs, two lines with an empty
  line between), unless a header cell says that the table is one: then each item is a line of its cell. A paragraph or
  division around all of a cell is only how editors write cells;
- it does not say `role="presentation"`.

The text of any other table is read as if the table were not there.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np

from tidings.article.blocks import Cell, Inline
from tidings.article.lists import integer
from tidings.article.making import new_cell
from tidings.article.units import FoundUnits, named
from tidings.core.story_places import data_cells
from tidings.page import Page, tags
from tidings.page.attributes import attributes
from tidings.page.columns import Ints, any_set
from tidings.page.flow import among, tag_set

_TABLE, _CAPTION, _HEADER = (tags.NUMBERS[name] for name in ("table", "caption", "th"))
#: Tables, cells, headers, rows, captions, what no table of data holds, what no cell of one without headers does: by the
#: bits under which the core knows them (`core/src/block_texts.rs`).
TABLE_SETS: Final = (
    tags.numbers("table"),
    tags.numbers("td th"),
    tags.numbers("th"),
    tags.numbers("tr tbody thead tfoot table"),
    tags.numbers("caption"),
    tags.numbers("blockquote figure figcaption table"),
    tags.numbers("ul ol dl menu dir pre listing xmp h1 h2 h3 h4 h5 h6"),
)
_TABLES, _CELLS, _, _ROWS, _, _STRUCTURE, _LISTS = map(tag_set, TABLE_SETS)
_PARTS: Final = tag_set(tags.numbers("table td th caption"))
#: HTML standard 4.9.11: wider spans are cut to these.
_MAX_COLSPAN, _MAX_ROWSPAN = 1000, 65534


class Tables(NamedTuple):
    """The cells of the tables of data, in document order: cells `begins[t]` … `ends[t] - 1` are those of table t."""

    begins: dict[int, int]
    ends: dict[int, int]
    cell: list[int]  # elements
    row: list[int]  # the element each cell has its row from

    def rows(self, page: Page, table: int, texts: dict[int, tuple[Inline, ...]]) -> tuple[tuple[Cell, ...], ...]:
        """The rows in which some cell has a text, with all their cells."""
        kept: list[list[int]] = []
        row = -1
        for place in range(self.begins[table], self.ends[table]):
            if self.row[place] != row:
                row = self.row[place]
                kept.append([])
            kept[-1].append(self.cell[place])
        some = [any(cell in texts for cell in cells) for cells in kept]
        shown_before = [0, *accumulate(some)]
        first = self.begins[table]
        begin = self.cell[first : self.ends[table]]
        start_tags = page.cut.tags(page.opened[begin])
        is_header = (page.elements.tag[begin] == _HEADER).tolist()
        rows = []
        place = 0
        for number, cells in enumerate(kept):
            if some[number]:
                left = shown_before[-1] - shown_before[number]
                row_of_cells = []
                for at, cell in enumerate(cells, place):
                    colspan, rowspan = _spans(start_tags[at], len(kept) - number)
                    # A row that is not shown is not spanned either.
                    down = shown_before[min(number + rowspan, len(kept))] - shown_before[number] if rowspan > 1 else 1
                    row_of_cells.append(new_cell(texts.get(cell, ()), is_header[at], colspan, min(down, left)))
                rows.append(tuple(row_of_cells))
            place += len(cells)
        return tuple(rows)


NO_TABLES: Final = Tables({}, {}, [], [])


def _spans(start_tag: str, rows_left: int) -> tuple[int, int]:
    if "span" not in start_tag.lower():
        return 1, 1
    found = attributes(start_tag)
    colspan, rowspan = integer(found.get("colspan")), integer(found.get("rowspan"))
    if rowspan == 0:  # to the end of the table
        rowspan = rows_left
    return (
        min(colspan, _MAX_COLSPAN) if colspan and colspan > 0 else 1,
        min(rowspan, _MAX_ROWSPAN) if rowspan and rowspan > 0 else 1,
    )


def data_tables(page: Page) -> Tables:
    """The tables of a page that are tables."""
    known: Tables | None = page.memo.get(data_tables)
    if known is None:
        known = page.memo[data_tables] = _data_tables(page)
    return known


def sets_of_tags(sets: Sequence[frozenset[int]]) -> array[int]:
    """The sets that each tag is in, as bits, the last for those outside the standard."""
    found = array("H", bytes(2 * (len(tags.NAMES) + 1)))
    for bit, numbers in enumerate(sets):
        for number in numbers:
            found[number] |= 1 << bit
    return found


_SETS: Final = sets_of_tags(TABLE_SETS)


def _data_tables(page: Page) -> Tables:
    numbers = data_cells(page.compiled.memory, _SETS) if page.compiled is not None else None
    if numbers is None:
        return specified(page)
    if not numbers:  # as on pages that tables lay out
        return NO_TABLES
    begins: dict[int, int] = {}
    ends: dict[int, int] = {}
    cells: list[int] = []
    rows: list[int] = []
    last = 0
    for table, cell, row in zip(*[iter(numbers)] * 3, strict=True):
        if table != last:
            last = table
            if not _lays_out(page, table):
                begins[table] = len(cells)
        if table in begins:
            cells.append(cell)
            rows.append(row)
            ends[table] = len(cells)
    return Tables(begins, ends, cells, rows)


def _lays_out(page: Page, table: int) -> bool:
    """Whether a table says that it is none of data."""
    return page.attributes(table).get("role", "").strip().lower() in ("presentation", "none")


def specified(page: Page) -> Tables:
    """As `data_tables`, in Python."""
    elements = page.elements
    tag, parent = elements.tag, elements.parent
    if not any_set(tag == _TABLE):
        return NO_TABLES
    cells = among(tag, _CELLS).nonzero()[0]
    if len(cells) < 2:
        return NO_TABLES
    table_around = page.nearest(_TABLES)
    table_of_cell = table_around[parent[cells]]
    cells, table_of_cell = cells[table_of_cell > 0], table_of_cell[table_of_cell > 0]
    row_of_cell = page.nearest(_ROWS)[parent[cells]]

    good = (tag == _TABLE) & _has_shape(tag, cells, row_of_cell, table_of_cell)
    good[table_around[parent[among(tag, _STRUCTURE).nonzero()[0]]]] = False
    if not good.any():  # as on pages that tables lay out
        return NO_TABLES
    captions = np.bincount(table_around[tag == _CAPTION], minlength=len(tag))
    good &= captions <= 1
    blocks = page.blocks.element
    part = page.nearest(_PARTS)[blocks]
    good[part[tag[part] == _TABLE]] = False  # text outside cells and caption
    crowded = cells[np.bincount(page.nearest(_CELLS)[blocks], minlength=len(tag))[cells] > 1]
    headed = np.zeros(len(tag), np.bool_)
    headed[table_of_cell[tag[cells] == _HEADER]] = True
    crowded_tables = table_around[parent[np.concatenate((crowded, np.flatnonzero(among(tag, _LISTS))))]]
    good[crowded_tables[~headed[crowded_tables]]] = False
    for table in np.flatnonzero(good).tolist():
        if _lays_out(page, table):
            good[table] = False

    kept = good[table_of_cell]
    cells, row_of_cell, table_of_cell = cells[kept], row_of_cell[kept], table_of_cell[kept]
    # Tables of data hold no tables, so the cells of one stand together.
    found, first, count = np.unique(table_of_cell, return_index=True, return_counts=True)
    return Tables(
        begins=dict(zip(found.tolist(), first.tolist(), strict=True)),
        ends=dict(zip(found.tolist(), (first + count).tolist(), strict=True)),
        cell=cells.tolist(),
        row=row_of_cell.tolist(),
    )


def find_tables(units: FoundUnits) -> None:
    """Tables of data are in with all their rows, or not at all."""
    page = units.page
    if not named(units, "table"):  # none is near the text
        return
    hidden = page.runs.hidden
    for table in data_tables(page).begins:
        first, last = units.runs(table)
        if first >= last or units.taken[first:last].any() or not (~hidden[first:last]).any():
            continue
        units.chosen[first:last] = ~hidden[first:last] & units.is_kept(first, last, table)


def _has_shape(
    tag: Ints, cells: Ints, row_of_cell: Ints, table_of_cell: Ints
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which elements hold two columns, and two rows or a header cell."""
    size = len(tag)
    rows, first = np.unique(row_of_cell, return_index=True)
    in_row = np.bincount(row_of_cell, minlength=size)[rows]
    table_of_row = table_of_cell[first]
    is_wide = np.zeros(size, np.bool_)
    is_wide[table_of_row[in_row > 1]] = True
    headers = np.bincount(table_of_cell[tag[cells] == _HEADER], minlength=size)
    enough = (np.bincount(table_of_row, minlength=size) > 1) | (headers > 0)
    return np.asarray(is_wide & enough)
