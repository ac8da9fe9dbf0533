"""Options that `tidings add` and `tidings import` share."""

from __future__ import annotations

from typing import Annotated

import typer

Folder = Annotated[
    str,
    typer.Option(
        "--folder", "--category", help="The folder of the source; also the category of its articles without one."
    ),
]


Every = Annotated[
    str | None,
    typer.Option("--every", metavar="TIME", help="Polling interval: 30m, 2h, 1d. Default: adapted to its news."),
]
