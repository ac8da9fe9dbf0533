"""`tidings compare` and `tidings explain`: what the extractors make of one page, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from tidings.cli.inputs import Input
from tidings.cli.stored import Where
from tidings.cli.web import AllowHost, IgnoreRobots, Proxy, ShowFirst, Web, is_address
from tidings.errors import InputError


def compare(
    page: Annotated[str, typer.Argument(help="The page: a file, an address, or - for standard input.")] = "",
    only: Annotated[
        list[str] | None,
        typer.Option("--with", "-w", metavar="NAME", help="Only this one; may be given more than once."),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="The HTML file to write.")] = Path("compared.html"),
    recipe: Annotated[
        list[str] | None,
        typer.Option("--recipe", metavar="NAME|FILE", help="With --store: twice, the recipes to compare."),
    ] = None,
    day: Annotated[str, typer.Option("--day", metavar="DAY", help="With --store: only this day's, 2026-11-17.")] = "",
    query: Annotated[str, typer.Option("--query", help="With --store: only what this search finds.")] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="With --store: at most so many.")] = 500,
    where: Where = None,
    allow_host: AllowHost = None,
    ignore_robots: IgnoreRobots = False,
    browser: ShowFirst = False,
    proxy: Proxy = None,
) -> None:
    """Run all extractors on one page: a table here, and one HTML file that shows them side by side on the page.

    Agreement is F1 over characters with what more than half of them keep.

    With two recipes and a store instead of a page: what each makes of the same news, side by side: words, pictures,
    stories, time, and how far they agree.

    For example:

      tidings compare page.html
      tidings compare --store news.tidings --recipe default --recipe lbnest --day 2026-11-17
    """
    if recipe:
        from tidings.cli.recipes import compare_in_store

        compare_in_store(where, recipe, day, query, limit)
        return
    if not page:
        raise InputError("name a page, or two recipes with --recipe")
    from tidings.lab.compare import compare as run
    from tidings.lab.compare import report

    web = Web(tuple(allow_host or ()), not ignore_robots, browser, proxy)
    held = Input(page, web).page(None if is_address(page) else page)
    rows = run(held, only)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("extractor", "words", "agreement", "ms"):
        table.add_column(column, justify="left" if column == "extractor" else "right", no_wrap=True)
    for row in rows:
        table.add_row(row.name, str(row.words), f"{row.agreement:.2f}", f"{row.milliseconds:.1f}")
    output.write_text(report(held, rows), encoding="utf-8")
    Console().print(table)
    typer.echo(f"side by side on the page: {output}")


def explain(
    page: Annotated[str, typer.Argument(help="The page: a file, an address, or - for standard input.")],
    with_: Annotated[str, typer.Option("--with", "-w", metavar="NAME", help="Extractor or combination.")] = "",
    kept: Annotated[bool, typer.Option("--kept", help="Only blocks that were kept.")] = False,
    allow_host: AllowHost = None,
    ignore_robots: IgnoreRobots = False,
    browser: ShowFirst = False,
    proxy: Proxy = None,
) -> None:
    """Say for every block of a page whether it was kept, and why."""
    from tidings import extractor
    from tidings.extractors import DEFAULT
    from tidings.extractors.explain import explain as verdicts

    web = Web(tuple(allow_host or ()), not ignore_robots, browser, proxy)
    held = Input(page, web).page(None if is_address(page) else page)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("", "words", "links", "where", "text", "why"):
        table.add_column(column, justify="right" if column in ("words", "links") else "left", overflow="fold")
    for verdict in verdicts(extractor(with_ or DEFAULT), held):
        if kept and not verdict.kept:
            continue
        mark = "[green]kept[/]" if verdict.kept > 0.5 else "[yellow]part[/]" if verdict.kept else "[dim]dropped[/]"
        short = verdict.text if len(verdict.text) <= 60 else verdict.text[:59] + "…"
        table.add_row(
            mark, str(verdict.words), f"{verdict.link_share:.0%}", verdict.path, " ".join(short.split()), verdict.reason
        )
    Console().print(table)
