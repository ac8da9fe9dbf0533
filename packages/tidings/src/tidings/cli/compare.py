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
        typer.Option("--with", "-w", metavar="NAME", help="Only this extractor; repeatable."),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="The HTML file to write.")] = Path("compared.html"),
    web: BrowserFetchOptions = BrowserFetchOptions(),
) -> None:
    """Run all extractors on one page, print a table, and write an HTML file with the results side by side.

    Agreement is the F1 over characters with the text that more than half of the extractors select.

    For example:

      tidings compare page.html
      tidings compare https://harbour.example/story --with default --with readability
    """
    from tidings.extractors.comparison import compare as run
    from tidings.extractors.comparison import report

    document = Input(page, web).page(None if is_url(page) else page)
    rows = run(document, only)
    output.write_text(report(document, rows), encoding="utf-8")
    cells = ((row.name, row.words, f"{row.agreement:.2f}", f"{row.milliseconds:.1f}") for row in rows)
    print_table(("extractor", "words", "agreement", "ms"), cells)
    typer.echo(f"side by side on the page: {output}")
