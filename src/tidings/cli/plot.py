"""`tidings plot`: content and code line by line, and the smoothed plot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tidings.cli.inputs import Input
from tidings.errors import InputError


def plot(
    page: Annotated[str, typer.Argument(help="The page: a file, an address, or - for standard input.")],
    with_: Annotated[
        str, typer.Option("--with", "-w", metavar="NAME", help="r2l, dana, danag or addanag.")
    ] = "addanag",
    output: Annotated[
        list[Path] | None,
        typer.Option("--output", "-o", help="File to write, .png or .svg; may be given more than once."),
    ] = None,
) -> None:
    """Plot a page as the DANA methods see it: content above the axis, code below, and both smoothed.

    Writes plot.png and plot.svg unless --output names other files.
    """
    from tidings import extractor
    from tidings.extractors.published.dana import DANA, R2L, AdDANAg, DANAg
    from tidings.lab.diagrams import plot_lines

    chosen = extractor(with_)
    if not isinstance(chosen, R2L | DANA | DANAg | AdDANAg):
        raise InputError(f"there is no line plot for {with_}; take r2l, dana, danag or addanag")
    paths = output or [Path("plot.png"), Path("plot.svg")]
    for path in paths:
        if path.suffix.lower() not in (".png", ".svg", ".pdf"):
            raise InputError(f"{path} ends in neither .png nor .svg nor .pdf")
    held = Input(page).page()
    plot_lines(chosen.diagram(held), f"{with_} on {Path(page).name}", paths)
    typer.echo(" ".join(str(path) for path in paths))
