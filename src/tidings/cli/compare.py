"""`tidings draw`, `compare`, `explain`, `plot`: what was taken out of a page, to be looked at."""

from __future__ import annotations

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tidings.charts import document
from tidings.cli.inputs import Input
from tidings.cli.output import coloured, print_table
from tidings.cli.stored import WebByBrowser, Where, is_address
from tidings.errors import InputError
from tidings.fetch import browser as chromium

if TYPE_CHECKING:
    from tidings.extractors.explain import Verdict


def draw(
    page: Annotated[str, typer.Argument(help="The page: a file, an address, or - for standard input.")],
    with_: Annotated[str, typer.Option("--with", "-w", metavar="NAME", help="Extractor.")] = "",
    output: Annotated[Path, typer.Option("--output", "-o", help="The HTML file to write.")] = Path("drawn.html"),
    url: Annotated[str | None, typer.Option(help="Address of the page, for its heading.")] = None,
    web: WebByBrowser = WebByBrowser(),
) -> None:
    """Draw a page with the chosen text highlighted, as one HTML file that runs no script and loads nothing."""
    from tidings import extractor
    from tidings.extractors import DEFAULT
    from tidings.page import draw as drawing

    name = with_ or DEFAULT
    chosen = extractor(name)
    held = Input(page, web).page(url or (None if is_address(page) else page))
    begin = perf_counter()
    spans = chosen(held)
    facts = {"time": f"{(perf_counter() - begin) * 1000:.1f} ms", "encoding": f"{held.encoding} ({held.told_by})"}
    output.write_text(drawing.draw(held, spans, name, facts), encoding="utf-8")
    typer.echo(f"{output}: {len(spans.words(held))} of {len(held.visible.words(held))} words kept by {name}")


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
    web: WebByBrowser = WebByBrowser(),
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

    held = Input(page, web).page(None if is_address(page) else page)
    rows = run(held, only)
    output.write_text(report(held, rows), encoding="utf-8")
    cells = ((row.name, row.words, f"{row.agreement:.2f}", f"{row.milliseconds:.1f}") for row in rows)
    print_table(("extractor", "words", "agreement", "ms"), cells)
    typer.echo(f"side by side on the page: {output}")


def explain(
    page: Annotated[str, typer.Argument(help="The page: a file, an address, or - for standard input.")],
    with_: Annotated[str, typer.Option("--with", "-w", metavar="NAME", help="Extractor or combination.")] = "",
    kept: Annotated[bool, typer.Option("--kept", help="Only blocks that were kept.")] = False,
    web: WebByBrowser = WebByBrowser(),
) -> None:
    """Say for every block of a page whether it was kept, and why."""
    from tidings import extractor
    from tidings.extractors import DEFAULT
    from tidings.extractors.explain import explain as verdicts

    held = Input(page, web).page(None if is_address(page) else page)
    headings = ("", "words", "links", "where", "text", "why")
    found = verdicts(extractor(with_ or DEFAULT), held)
    print_table(headings, (_verdict_row(verdict) for verdict in found if verdict.kept or not kept))


def _verdict_row(verdict: Verdict) -> tuple[object, ...]:
    mark = ("kept", "green") if verdict.kept > 0.5 else ("part", "yellow") if verdict.kept else ("dropped", "dim")
    short = verdict.text if len(verdict.text) <= 60 else verdict.text[:59] + "…"
    share = f"{verdict.link_share:.0%}"
    return (coloured(*mark), verdict.words, share, verdict.path, " ".join(short.split()), verdict.reason)


def plot(
    page: Annotated[str, typer.Argument(help="The page: a file, an address, or - for standard input.")],
    with_: Annotated[
        str, typer.Option("--with", "-w", metavar="NAME", help="r2l, dana, danag or addanag.")
    ] = "addanag",
    output: Annotated[
        list[Path] | None,
        typer.Option("--output", "-o", help="File to write, .svg, .png or .pdf; may be given more than once."),
    ] = None,
) -> None:
    """Plot a page as the DANA methods see it: content above the axis, code below, and both smoothed.

    Writes plot.svg and, where there is Chromium to draw it, plot.png, unless --output names other files.
    """
    from tidings import extractor
    from tidings.charts import profile_svg
    from tidings.extractors.published.dana import DANA, R2L, AdDANAg, DANAg

    chosen = extractor(with_)
    if not isinstance(chosen, R2L | DANA | DANAg | AdDANAg):
        raise InputError(f"there is no line plot for {with_}; take r2l, dana, danag or addanag")
    paths = output or [path for path in (Path("plot.png"), Path("plot.svg")) if can_write(path)]
    drawn = profile_svg(*chosen.panels(Input(page).page(), f"{with_} on {Path(page).name}"))
    for path in paths:
        write_picture(drawn, path)
    typer.echo(" ".join(str(path) for path in paths))


ENDINGS: Final = (".svg", ".png", ".pdf")
_SECONDS: Final = 60


def can_write(file: Path) -> bool:
    """Whether a file of this ending can be made on this machine."""
    return file.suffix.lower() == ".svg" or chromium.find() is not None


def write_picture(element: str, file: Path) -> None:
    """Write an `<svg>` element; the file's ending says the format.

    Raises:
        InputError: the ending is of no picture, the file cannot be written, or there is no browser for it.
    """
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        raise InputError(f"{file} ends in neither {', '.join(ENDINGS[:-1])} nor {ENDINGS[-1]}")
    svg = document(element)
    try:
        if ending == ".svg":
            file.write_text(svg, encoding="utf-8")
        else:
            _by_browser(svg, file.absolute())
    except OSError as error:
        raise InputError(f"{file} cannot be written: {error.strerror or error}") from error


def _by_browser(svg: str, file: Path) -> None:
    browser = chromium.find()
    if browser is None:
        raise InputError(f"{file} is drawn by Chromium, and there is none on the PATH; name a file that ends in .svg")
    width, height = (round(float(size)) for size in svg.partition('viewBox="0 0 ')[2].partition('"')[0].split())
    with TemporaryDirectory() as folder:
        page, out = Path(folder, "chart.html"), Path(folder, f"chart{file.suffix}")
        style = f"@page{{size:{width}px {height}px;margin:0}}body{{margin:0}}svg{{display:block}}"
        page.write_text(
            f"<!DOCTYPE html><meta charset=utf-8><style>{style}</style>{svg.partition(chr(10))[2]}", "utf-8"
        )
        wanted = f"--screenshot={out}" if file.suffix.lower() == ".png" else f"--print-to-pdf={out}"
        locked = [] if chromium.has_sandbox() else ["--no-sandbox"]
        size = [f"--window-size={width},{height}", "--force-device-scale-factor=1.5", "--hide-scrollbars"]
        command = [browser, "--headless", "--disable-gpu", "--no-pdf-header-footer", *chromium.ALONE, *locked, *size]
        try:
            command += [f"--user-data-dir={folder}/profile", wanted, page.as_uri()]
            subprocess.run(command, check=True, timeout=_SECONDS, capture_output=True)  # noqa: S603  # our own words
            file.write_bytes(out.read_bytes())
        except subprocess.SubprocessError as error:
            raise InputError(f"Chromium could not draw {file}; name a file that ends in .svg") from error
