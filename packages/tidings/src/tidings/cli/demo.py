"""`tidings demo`: extract the articles of the bundled sample newspaper."""

from __future__ import annotations

from html import escape
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer
from rich.console import Console

from tidings.cli.output import print_table, tracked

_STYLE = Path(__file__).with_name("demo.css").read_text("utf-8")


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the drawn pages.")] = Path("out/demo"),
    with_: Annotated[str, typer.Option("--with", "-w", metavar="NAME", help="Extractor.")] = "",
) -> None:
    """Extract every article of the bundled sample newspaper, and draw the selected text on its page."""
    from tidings import Page, extractor, newspaper, reading
    from tidings.extractors import DEFAULT
    from tidings.page.draw import draw

    name = with_ or DEFAULT
    method = extractor(name)
    output.mkdir(parents=True, exist_ok=True)
    cells: list[tuple[object, ...]] = []
    rows: list[str] = []
    pages = [page for page in newspaper.pages() if page.page_type != "front"]
    for sample in tracked(pages, "reading"):
        begin = perf_counter()
        page = Page(sample.html, sample.url)
        article = reading.read(page, method)
        elapsed = (perf_counter() - begin) * 1000
        spans = method(page)
        words = len(spans.words(page))
        confidence = "" if article.confidence is None else f"{article.confidence:.2f}"
        labels = (sample.outlet, sample.lang, sample.page_type)
        cells.append((*labels, article.title[:60], words, confidence, f"{elapsed:.1f}"))
        file = f"{sample.outlet}-{Path(sample.html_file).stem}.html"
        output.joinpath(file).write_text(draw(page, spans, name, {"confidence": confidence}), encoding="utf-8")
        rows.append(
            f"<tr><td>{escape(sample.outlet)}</td><td>{sample.lang}</td><td>{sample.page_type}</td>"
            f'<td class="t" lang="{sample.lang}">'
            f'<a href="{escape(file)}">{escape(article.title)}</a></td><td class="n">{words}</td>'
            f'<td class="n">{confidence}</td></tr>'
        )
    head = "".join(f"<th>{column}</th>" for column in ("outlet", "language", "kind", "headline", "words", "confidence"))
    index = output / "index.html"
    index.write_text(
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Tidings: the sample newspaper</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><style>{_STYLE}</style></head><body>'
        f"<h1>The sample newspaper, read by {escape(name)}</h1><p>{len(rows)} articles. "
        f"Open one to see the selected text on its page.</p>"
        f"<table><tr>{head}</tr>{''.join(rows)}</table></body></html>",
        encoding="utf-8",
    )
    print_table(("outlet", "language", "kind", "headline", "words", "confidence", "ms"), cells)
    console = Console()
    console.print(f"\n{len(rows)} articles extracted by [bold]{name}[/].")
    console.print(f"Each page with the selected text highlighted: {index}")
