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

from tidings.article.units import FoundUnits, named


def find_tables(units: FoundUnits) -> None:
    """Tables of data are in with all their rows, or not at all."""
    page = units.page
    if not named(units, "table"):  # none is near the text
        return
    hidden = page.runs.hidden
    for table in units.places.tables:
        first, last = units.runs(table)
        if first >= last or units.taken[first:last].any() or not (~hidden[first:last]).any():
            continue
        units.chosen[first:last] = ~hidden[first:last] & units.is_kept(first, last, table)
