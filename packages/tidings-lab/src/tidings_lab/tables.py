"""Tables as studies give them: named columns and rows, written as Markdown, CSV or JSON."""

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
    """Rows under named columns; numbers stay numbers until they are written."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def markdown(self, places: int = 3) -> str:
        """As Markdown, decimals rounded; the figures of a column stand under each other."""
        written = [[_written(cell, places) for cell in row] for row in self.rows]
        lines = [self.columns, ["---"] * len(self.columns), *written]
        return f"{self.title}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def csv(self) -> str:
        """As CSV, decimals in full."""
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([self.columns, *self.rows])
        return out.getvalue()

    def records(self) -> dict[str, object]:
        """For JSON: the title, and a record a row."""
        return {"title": self.title, "rows": [dict(zip(self.columns, row, strict=True)) for row in self.rows]}


def write(tables: Sequence[Table], form: str) -> str:
    """All tables as one text.

    Raises:
        UnknownFormat: the format is none of `FORMATS`.
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
