"""`tidings lab queue`: list the pages that should be labelled next."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from tidings.cli.inputs import Input, find
from tidings.cli.output import print_table, tracked
from tidings.processes import cores, in_order

if TYPE_CHECKING:
    from tidings_lab.learners.active_learning import Worth


def queue(
    pages: Annotated[list[str], typer.Argument(metavar="FOLDER|CORPUS…", help="Pages, folders of pages, or corpora.")],
    model: Annotated[
        Path | None, typer.Option(help="A model of `tidings lab train memory-based`; else the one that ships.")
    ] = None,
    limit: Annotated[int, typer.Option(help="How many to list; 0 lists all.", min=0)] = 20,
    names_only: Annotated[
        bool, typer.Option("--names", help="Only the names, one a line, for other programs.")
    ] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="Processes; 0 takes all cores.")] = 0,
) -> None:
    """List the pages that should be annotated next.

    Pages on which the memory-based learner finds no title, two titles, or headings without text between come first;
    then the pages with the lowest confidence. Annotate them with `tidings lab annotate`, and train again.

    For example:

      tidings lab queue downloaded/ --limit 10
      tidings lab queue corpora/mine --model memory.npz --names
    """
    from tidings.extractors.published.memory_based.extractor import load
    from tidings_lab.learners.active_learning import ordered

    if model is not None:
        load(model)  # what is wrong with it is told once, and not for each page
    inputs = [one for name in pages for one in _inputs(name)]
    done = in_order(partial(_worth, model=model), inputs, jobs or cores())
    console = Console(stderr=True)
    found: list[Worth] = []
    for one in tracked(done, "reading", len(inputs)):
        if one.result is not None:
            found.append(one.result)
        else:
            console.print(f"{one.job.name} is left out: {one.reason}", highlight=False, markup=False)
    shown = ordered(found)[: limit or None]
    if names_only:
        for page in shown:
            typer.echo(page.name)
        return
    rows = ((it.name, ", ".join(fault.value for fault in it.faults) or "–", f"{it.doubt:.3f}") for it in shown)
    print_table(("page", "what is wrong", "doubt"), rows, least=120)


def _inputs(name: str) -> list[Input]:
    """Return the pages of a corpus by its index, or those of other inputs as `tidings extract` does."""
    from tidings_lab.corpora import read
    from tidings_lab.corpora.files import corpus_folder

    folder = corpus_folder(Path(name))
    if (folder / "pages.jsonl").is_file():
        return [Input(str(sample.file)) for sample in read(folder).samples]
    return find([name])


def _worth(item: Input, model: Path | None) -> Worth:
    from tidings.extractors.published.memory_based import MemoryBased
    from tidings_lab.learners.active_learning import worth

    learned = MemoryBased(model=str(model) if model is not None else "").learned
    return worth(item.name, item.page(), learned)
