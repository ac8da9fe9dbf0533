"""`tidings lab corpus show` and `lab corpus convert`: what pages with gold there are, in this or another layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table

if TYPE_CHECKING:
    from tidings.lab.corpora import CorpusProblem, Sample

corpus = typer.Typer(help="Look at corpora and convert them.", no_args_is_help=True)
_MOST_SHOWN = 10


class Target(StrEnum):
    """Layouts to write; as `tidings.lab.corpora.CorpusLayout`, which is slow to import."""

    TIDINGS = "tidings"
    BESIDE = "beside"
    CLEANEVAL = "cleaneval"
    GROUND_TRUTH = "ground-truth"
    HRA = "hra"


def list_problems(problems: Sequence[CorpusProblem], console: Console) -> None:
    """Say what is wrong with a corpus: how often, and the first few."""
    for trouble, count in Counter(problem.trouble for problem in problems).most_common():
        console.print(f"[yellow]{count}[/] × {trouble}", highlight=False)
        of_this = [problem for problem in problems if problem.trouble is trouble]
        for problem in of_this[:_MOST_SHOWN]:
            reason = f": {problem.reason}" if problem.reason else ""
            console.print(f"  {escape(problem.where + reason)}", highlight=False, soft_wrap=True)
        if len(of_this) > _MOST_SHOWN:
            console.print(f"  … and {len(of_this) - _MOST_SHOWN} more", highlight=False)


@corpus.command()
def show(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A corpus, in any layout.")],
) -> None:
    """Count the pages of a corpus by language, type, site and gold, read them all, and say what is wrong.

    The digest changes when a page or its gold changes; the order of the pages does not count.
    """
    from tidings.lab.corpora import digest, read

    found = read(folder, check=True)
    samples = found.samples
    console = Console()
    console.print(f"[bold]{escape(str(folder))}[/]: {len(samples)} pages, layout {found.layout}", highlight=False)
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, values in (
        ("language", [sample.lang for sample in samples]),
        ("type", [sample.page_type for sample in samples]),
        ("corpus", [sample.corpus for sample in samples]),
        ("gold kind", [sample.gold_kind for sample in samples]),
        ("gold fields", [field for sample in samples for field, value in sample.gold.items() if value]),
        ("headline in text", [_HEADLINE[sample.headline_in_text] for sample in samples if sample.gold.get("text")]),
        ("site", [sample.site for sample in samples]),
    ):
        table.add_row(name, escape(_counted(values)))
    console.print(table)
    work = track(samples, "digest", console=Console(stderr=True), transient=True)
    console.print(f"digest {digest(work)}", highlight=False, soft_wrap=True)
    list_problems(found.problems, console)


_HEADLINE = {True: "yes", False: "no", None: "not told"}


def _counted(values: Iterable[str]) -> str:
    counts = Counter(value or "(none)" for value in values)
    shown = [f"{value} {count}" for value, count in counts.most_common(12)]
    if len(counts) > 12:
        shown.append(f"{len(counts) - 12} more")
    return f"{len(counts)}: " + ", ".join(shown) if counts else "–"


@corpus.command()
def convert(
    source: Annotated[Path, typer.Argument(metavar="FROM", help="A corpus, in any layout.")],
    target: Annotated[Path, typer.Argument(metavar="TO", help="A folder that is not there yet.")],
    to: Annotated[Target, typer.Option("--to", help="The layout to write.")] = Target.TIDINGS,
) -> None:
    """Write a corpus in another layout.

    Layouts: tidings (pages.jsonl and gzipped pages), beside (page.html with page.txt), cleaneval (page.html with
    page-cleaned.txt), ground-truth (ground-truth.json and html/), hra (page.html with page.hra). What a layout cannot
    say is left out of it.
    """
    from tidings.lab.corpora import CorpusLayout, read, write

    found = read(source, check=True)
    kept: list[Sample] = [sample for sample in found.samples if sample.gold]
    wrong = write(kept, target, CorpusLayout(to.value))
    console = Console(stderr=True)
    list_problems([*found.problems, *wrong], console)
    console.print(f"{len(kept) - len(wrong)} pages in {target}, layout {to}", highlight=False, markup=False)
