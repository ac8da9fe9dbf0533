"""`tidings compare`: run all extractors on one page and show the results side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tidings.cli.fetch_options import BrowserFetchOptions, is_url
from tidings.cli.inputs import Input
from tidings.cli.output import print_table


def compare(
    page: Annotated[str, typer.Argument(help="The page: a file, a URL, or - for standard input.")],
    only: Annotated[
        list[str] | None,
        typer.Option("--with", "-w", metavar="NAME", help="Only this one; may be given more than once."),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="The HTML file to write.")] = Path("compared.html"),
    web: BrowserFetchOptions = BrowserFetchOptions(),
) -> None:
    """Run all extractors on one page: a table here, and one HTML file that shows them side by side on the page.

    Agreement is F1 over characters with what more than half of them keep.

    For example:

      tidings compare page.html
      tidings compare https://harbour.example/story --with default --with readability
    """
    from tidings.extractors.comparison import compare as run
    from tidings.extractors.comparison import report

    held = Input(page, web).page(None if is_url(page) else page)
    rows = run(held, only)
    output.write_text(report(held, rows), encoding="utf-8")
    cells = ((row.name, row.words, f"{row.agreement:.2f}", f"{row.milliseconds:.1f}") for row in rows)
    print_table(("extractor", "words", "agreement", "ms"), cells)
    typer.echo(f"side by side on the page: {output}")
