"""`tidings demo`: the main job on the bundled newspaper."""

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
    """Read the bundled newspaper: every article taken out, compared with its gold, and drawn on its page."""
    from tidings import Page, extractor, newspaper, reading
    from tidings.extractors import DEFAULT
    from tidings.lab.metrics.texts import character_score, word_score
    from tidings.page.draw import draw

    name = with_ or DEFAULT
    chosen = extractor(name)
    console = Console()
    output.mkdir(parents=True, exist_ok=True)
    cells: list[tuple[object, ...]] = []
    rows: list[str] = []
    scores: list[float] = []
    pages = [page for page in newspaper.pages() if page.page_type != "front"]
    for sample in tracked(pages, "reading"):
        begin = perf_counter()
        page = Page(sample.html, sample.url)
        article = reading.read(page, chosen)
        elapsed = (perf_counter() - begin) * 1000
        measure = character_score if sample.lang == "ja" else word_score
        score = measure(article.text, sample.gold["text"]).f1
        scores.append(score)
        told = (sample.outlet, sample.lang, sample.page_type, article.title[:60], len(article.text.split()))
        cells.append((*told, f"{score:.2f}", f"{elapsed:.1f}"))
        file = f"{sample.outlet}-{Path(sample.html_file).stem}.html"
        output.joinpath(file).write_text(draw(page, chosen(page), name, {"F1": f"{score:.3f}"}), encoding="utf-8")
        rows.append(
            f"<tr><td>{escape(sample.outlet)}</td><td>{sample.lang}</td><td>{sample.page_type}</td>"
            f'<td class="t" lang="{sample.lang}">'
            f'<a href="{escape(file)}">{escape(article.title)}</a></td><td class="n">{len(article.text.split())}</td>'
            f'<td class="n">{score:.2f}</td></tr>'
        )
    mean = sum(scores) / len(scores)
    head = "".join(f"<th>{column}</th>" for column in ("outlet", "lang", "kind", "headline", "words", "F1"))
    index = output / "index.html"
    index.write_text(
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Tidings: the sample newspaper</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><style>{_STYLE}</style></head><body>'
        f"<h1>The sample newspaper, read by {escape(name)}</h1><p>{len(scores)} articles, mean word F1 {mean:.3f}. "
        f"Open one to see what was kept on its page.</p><table><tr>{head}</tr>{''.join(rows)}</table></body></html>",
        encoding="utf-8",
    )
    print_table(("outlet", "lang", "kind", "headline", "words", "F1", "ms"), cells)
    console.print(f"\n{len(scores)} articles by [bold]{name}[/], mean word F1 [bold]{mean:.3f}[/] against their gold.")
    console.print(f"Every page with the kept text marked: {index}")
