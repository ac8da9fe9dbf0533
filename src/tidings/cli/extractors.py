"""`tidings extractors`: what there is to choose from."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table


def extractors() -> None:
    """List the extractors with what they do and where they were published."""
    from tidings.extractors import DEFAULT, entries

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("name", "what it keeps", "publication"):
        table.add_column(column, no_wrap=column == "name")
    for entry in entries(laid_out=True):
        name = f"{entry.name} [dim](default)[/]" if entry.name == DEFAULT else entry.name
        table.add_row(name, entry.summary, entry.citation)
    Console().print(table)
