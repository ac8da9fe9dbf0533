"""Tables of studies and reports: named columns and rows, written as Markdown, CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass

from tidings.errors import UnknownFormat

Cell = str | int | float

FORMATS = ("markdown", "csv", "json")


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under named columns; numbers are formatted only when they are written."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def markdown(self, places: int = 3) -> str:
        """Return the table as Markdown with rounded decimals."""
        written = [[_written(cell, places) for cell in row] for row in self.rows]
        lines = [self.columns, ["---"] * len(self.columns), *written]
        return f"{self.title}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def csv(self) -> str:
        """Return the table as CSV with all decimals."""
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([self.columns, *self.rows])
        return out.getvalue()

    def records(self) -> dict[str, object]:
        """Return the table for JSON: its title, and a record per row."""
        return {"title": self.title, "rows": [dict(zip(self.columns, row, strict=True)) for row in self.rows]}


def write(tables: Sequence[Table], form: str) -> str:
    """Return all tables as one text.

    Raises:
        UnknownFormat: the format is not in `FORMATS`.
    """
    if form == "markdown":
        return "\n\n".join(table.markdown() for table in tables)
    if form == "csv":
        return "\n".join(f"# {table.title}\n{table.csv()}" for table in tables).rstrip("\n")
    if form == "json":
        return json.dumps([table.records() for table in tables], ensure_ascii=False, indent=2)
    raise UnknownFormat(form, FORMATS)


def _written(cell: Cell, places: int) -> str:
    return f"{cell:.{places}f}" if isinstance(cell, float) else str(cell).replace("|", "\\|")
