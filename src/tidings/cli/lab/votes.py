"""`tidings lab table` and `lab search`: every extractor on every page at once, and the votes among them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from tidings.processes import cores, in_order

if TYPE_CHECKING:
    from tidings.lab.extractor_votes import Ballot

_Corpus = Annotated[Path, typer.Argument(help="A folder with pages.jsonl and the pages.")]
_Type = Annotated[str | None, typer.Option("--type", help="Only pages of this type, as in article.")]
_With = Annotated[
    list[str] | None, typer.Option("--with", "-w", metavar="NAME", help="Only this one; may be repeated.")
]
_Jobs = Annotated[int, typer.Option("--jobs", "-j", min=0, help="Processes; 0 takes all cores.")]


def _ballots(corpus: Path, page_type: str | None, names: tuple[str, ...], jobs: int, with_lcs: bool) -> list[Ballot]:
    from tidings.errors import InputError
    from tidings.lab.corpora import load
    from tidings.lab.extractor_votes import cast

    samples = load(corpus, page_type)
    if not samples:
        raise InputError(f"{corpus} has no pages with gold text" + (f" of type {page_type}" if page_type else ""))
    work = partial(cast, names=names, with_lcs=with_lcs)
    done = in_order(work, samples, jobs or cores())
    console = Console(stderr=True)
    return [one.result for one in track(done, "measuring", len(samples), console=console, transient=True) if one.result]


def _names(only: list[str] | None) -> tuple[str, ...]:
    from tidings.extractors import entries, extractor

    for name in only or []:
        extractor(name)
    return tuple(only or [entry.name for entry in entries()])


def table(corpus: _Corpus, page_type: _Type = None, only: _With = None, jobs: _Jobs = 0) -> None:
    """Word F1 and token-LCS F1 of each extractor, its time in times of building the Page, as a Markdown table."""
    import numpy as np

    names = _names(only)
    ballots = _ballots(corpus, page_type, names, jobs, with_lcs=True)
    words = np.array([[ballot.f1(row) for row in ballot.kept] for ballot in ballots])
    lcs = np.array([ballot.lcs for ballot in ballots])
    cost = np.array([ballot.cost for ballot in ballots])
    typer.echo(f"{len(ballots)} pages of {corpus.name}\n")
    typer.echo(
        "| extractor | word F1 | median | token-LCS F1 | time / Page | worst |\n| --- | --- | --- | --- | --- | --- |"
    )
    for place in np.argsort(-words.mean(axis=0)).tolist():
        figures = (words[:, place].mean(), np.median(words[:, place]), lcs[:, place].mean())
        times = f"{np.median(cost[:, place]):.2f} | {cost[:, place].max():.1f}"
        typer.echo(f"| `{names[place]}` | " + " | ".join(f"{figure:.3f}" for figure in figures) + f" | {times} |")


def search(
    corpus: _Corpus,
    page_type: _Type = None,
    only: _With = None,
    most: Annotated[int, typer.Option(help="Largest number of members.", min=1)] = 6,
    folds: Annotated[int, typer.Option(help="Parts that the sites are put into.", min=2)] = 5,
    jobs: _Jobs = 0,
) -> None:
    """Find the best union, intersection or vote of each size, and measure such choices on sites they did not see."""
    from tidings.lab.extractor_votes import candidates
    from tidings.lab.extractor_votes import search as find

    names = _names(only or list(candidates()))
    ballots = _ballots(corpus, page_type, names, jobs, with_lcs=False)
    columns = ("members", "chosen on", "elsewhere", "folds that agree", "expression")
    shown = Table(*columns, box=None, pad_edge=False, header_style="bold")
    for size, found in enumerate(find(ballots, names, most, k=folds), 1):
        agreed = f"{found.agreed} of {found.folds}"
        shown.add_row(str(size), f"{found.chosen_on:.4f}", f"{found.elsewhere:.4f}", agreed, found.expression)
    Console(width=200).print(shown)
