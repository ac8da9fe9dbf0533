"""Options that `tidings add` and `tidings import` share."""

from __future__ import annotations

from typing import Annotated

import typer

Folder = Annotated[
    str,
    typer.Option("--folder", "--category", help="A folder for it; also the category of articles that name none."),
]


Every = Annotated[
    str | None, typer.Option("--every", metavar="TIME", help="Poll it this often: 30m, 2h, 1d. Else as it has news.")
]
