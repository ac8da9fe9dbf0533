"""Find data tables, as opposed to layout tables.

A table is a data table if all of the following is true:

- it contains no table, quote or figure;
- all its text is in cells and at most one caption;
- a row has two cells, and there are two rows or one with a header cell;
- no cell holds a heading, a list, preformatted text or more than one block, that is two paragraphs or two lines with an
  empty line between. With header cells this is allowed, and each item becomes a line of its cell. A paragraph or `div`
  around the whole cell does not count;
- it has no `role="presentation"`.

The text of a layout table is read as if the table were not there.
"""

from __future__ import annotations

from tidings.article.units.units import FoundUnits, named


def find_tables(units: FoundUnits) -> None:
    """Select data tables completely or not at all."""
    page = units.page
    if not named(units, "table"):  # none is near the text
        return
    hidden = page.runs.hidden
    for table in units.places.tables:
        first, last = units.runs(table)
        if first >= last or units.claimed[first:last].any() or not (~hidden[first:last]).any():
            continue
        units.chosen[first:last] = ~hidden[first:last] & units.is_kept(first, last, table)
