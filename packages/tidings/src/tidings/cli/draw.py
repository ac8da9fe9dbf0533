"""`tidings draw`: draw a page with the selected text highlighted."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from tidings.cli.fetch_options import BrowserFetchOptions, is_url
from tidings.cli.inputs import Input


def draw(
    page: Annotated[str, typer.Argument(help="The page: a file, a URL, or - for standard input.")],
    with_: Annotated[str, typer.Option("--with", "-w", metavar="NAME", help="The extractor.")] = "",
    output: Annotated[Path, typer.Option("--output", "-o", help="The HTML file to write.")] = Path("drawn.html"),
    url: Annotated[str | None, typer.Option(help="The URL of the page, for its heading.")] = None,
    web: BrowserFetchOptions = BrowserFetchOptions(),
) -> None:
    """Highlight the selected text on a page, as one HTML file without scripts that loads nothing."""
    from tidings import extractor
    from tidings.extractors import DEFAULT
    from tidings.page import draw as drawing

    name = with_ or DEFAULT
    method = extractor(name)
    document = Input(page, web).page(url or (None if is_url(page) else page))
    begin = perf_counter()
    spans = method(document)
    facts = {
        "time": f"{(perf_counter() - begin) * 1000:.1f} ms",
        "encoding": f"{document.encoding} ({document.encoding_source})",
    }
    output.write_text(drawing.draw(document, spans, name, facts), encoding="utf-8")
    typer.echo(
        f"{output}: {len(spans.words(document))} of {len(document.visible.words(document))} words selected by {name}"
    )
