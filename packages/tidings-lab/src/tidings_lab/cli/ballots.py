"""The words that extractors select on the pages of a corpus, for `tidings lab table` and `search`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.output import tracked
from tidings.processes import cores, in_order

if TYPE_CHECKING:
    from tidings_lab.ballots import Ballot


CorpusFolder = Annotated[Path, typer.Argument(help="A folder with pages.jsonl and the pages.")]


PageType = Annotated[str | None, typer.Option("--type", help="Only pages of this type, as in article.")]


WithExtractors = Annotated[
    list[str] | None, typer.Option("--with", "-w", metavar="NAME", help="Only this one; may be repeated.")
]


Jobs = Annotated[int, typer.Option("--jobs", "-j", min=0, help="Processes; 0 takes all cores.")]


def cast_ballots(
    corpus: Path, page_type: str | None, names: tuple[str, ...], jobs: int, with_lcs: bool
) -> list[Ballot]:
    """Run extractors on each page of a corpus; return the words that each extractor selects."""
    from tidings.errors import InputError
    from tidings_lab.ballots import cast
    from tidings_lab.corpora import load

    samples = load(corpus, page_type)
    if not samples:
        raise InputError(f"{corpus} has no pages with gold text" + (f" of type {page_type}" if page_type else ""))
    work = partial(cast, names=names, with_lcs=with_lcs)
    done = in_order(work, samples, jobs or cores())
    return [one.result for one in tracked(done, "measuring", len(samples)) if one.result]


def extractor_names(only: list[str] | None) -> tuple[str, ...]:
    """Return the names of the extractors that vote: those named, or all."""
    from tidings.extractors import entries, extractor

    for name in only or []:
        extractor(name)
    return tuple(only or [entry.name for entry in entries()])
