"""`tidings plot`: plot the lines of a page as the DANA methods see it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tidings.cli.inputs import Input
from tidings.cli.pictures import can_write, write_picture
from tidings.errors import InputError


def plot(
    page: Annotated[str, typer.Argument(help="The page: a file, a URL, or - for standard input.")],
    with_: Annotated[
        str, typer.Option("--with", "-w", metavar="NAME", help="r2l, dana, danag or addanag.")
    ] = "addanag",
    output: Annotated[
        list[Path] | None,
        typer.Option("--output", "-o", help="Output file, .svg, .png or .pdf; repeatable."),
    ] = None,
) -> None:
    """Plot the lines of a page as the DANA methods count them: characters of content above the axis, of code below,
    both also smoothed.

    Writes plot.svg, and plot.png if Chromium is installed, unless --output names other files.
    """
    from tidings import extractor
    from tidings.charts import profile_svg
    from tidings.extractors.published.dana import DANA, R2L, AdDANAg, DANAg

    chosen = extractor(with_)
    if not isinstance(chosen, R2L | DANA | DANAg | AdDANAg):
        raise InputError(f"{with_} has no line plot; use r2l, dana, danag or addanag")
    paths = output or [path for path in (Path("plot.png"), Path("plot.svg")) if can_write(path)]
    drawn = profile_svg(*chosen.panels(Input(page).page(), f"{with_} on {Path(page).name}"))
    for path in paths:
        write_picture(drawn, path)
    typer.echo(" ".join(str(path) for path in paths))
