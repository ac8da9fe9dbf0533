"""`tidings lab tree`: print the decision tree of an extractor."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def tree(
    depth: Annotated[int, typer.Option(min=1, max=50, help="Levels that are shown.")] = 4,
    model: Annotated[
        str, typer.Option(metavar="FILE", help="A tree of `tidings lab train block-tree`; else the one that ships.")
    ] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Draw it into this file (.svg, .png, .pdf).")
    ] = None,
) -> None:
    """Print the decision tree of the hybrid approach in Weka's format, or draw it (figure 5 of the paper).

    Each leaf has two numbers: the training blocks that reached it and, after the slash, those of other classes.
    """
    from tidings.cli.pictures import write_picture
    from tidings.extractors.published.block_tree.extractor import BlockTree
    from tidings.extractors.published.block_tree.figure import branch, drawn, printed

    top = branch(BlockTree(model).tree, depth)
    if output is None:
        typer.echo("\n".join(printed(top)))
    else:
        write_picture(drawn(top, f"The decision tree, its first {depth} levels"), output)
        typer.echo(str(output))
