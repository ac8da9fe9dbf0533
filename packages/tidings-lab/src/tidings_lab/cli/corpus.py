"""`tidings lab corpus`: describe and convert corpora."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape

from tidings.cli.output import Output, destination, print_table, tracked
from tidings_lab.cli.problems import list_problems

if TYPE_CHECKING:
    from tidings_lab.corpora import Sample


corpus = typer.Typer(help="Look at corpora and convert them.", no_args_is_help=True)


class Target(StrEnum):
    """Layouts to write; a copy of `tidings_lab.corpora.CorpusLayout`, which is slow to import."""

    TIDINGS = "tidings"
    BESIDE = "beside"
    CLEANEVAL = "cleaneval"
    GROUND_TRUTH = "ground-truth"
    HRA = "hra"


@corpus.command()
def show(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A corpus, in any layout.")],
) -> None:
    """Count the pages of a corpus by language, type, site and ground truth, read them all, and list problems.

    The digest changes if a page or its ground truth changes; the order of pages does not count.
    """
    from tidings_lab.corpora import digest, read

    found = read(folder, check=True)
    samples = found.samples
    console = Console()
    console.print(f"[bold]{escape(str(folder))}[/]: {len(samples)} pages, layout {found.layout}", highlight=False)
    counted = (
        ("language", [sample.lang for sample in samples]),
        ("type", [sample.page_type for sample in samples]),
        ("corpus", [sample.corpus for sample in samples]),
        ("gold kind", [sample.gold_kind for sample in samples]),
        ("gold fields", [field for sample in samples for field, value in sample.gold.items() if value]),
        ("headline in text", [_HEADLINE[sample.headline_in_text] for sample in samples if sample.gold.get("text")]),
        ("site", [sample.site for sample in samples]),
    )
    print_table(("", "pages by"), ((name, _counted(values)) for name, values in counted))
    console.print(f"digest {digest(tracked(samples, 'digest'))}", highlight=False, soft_wrap=True)
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
    express is left out.
    """
    from tidings_lab.corpora import CorpusLayout, read, write

    found = read(source, check=True)
    kept: list[Sample] = [sample for sample in found.samples if sample.gold]
    wrong = write(kept, target, CorpusLayout(to.value))
    console = Console(stderr=True)
    list_problems([*found.problems, *wrong], console)
    console.print(f"{len(kept) - len(wrong)} pages in {target}, layout {to}", highlight=False, markup=False)


@corpus.command()
def instances(
    source: Annotated[Path, typer.Argument(metavar="CORPUS", help="A corpus, in any layout.")],
    output: Output = None,
) -> None:
    """Write the elements of pages with their 41 features and classes, one per line, in TiMBL's format (.inst files).

    For example:

      tidings lab corpus instances annotations -o train.inst
    """
    from tidings_lab.corpora import read
    from tidings_lab.learners.element_classes import PAIRS
    from tidings_lab.learners.timbl_files import METRICS, lines
    from tidings_lab.memory_pages import example

    found = read(source, check=True)
    list_problems(found.problems, Console(stderr=True))
    count = 0
    with destination(output) as stream:
        for sample in tracked([one for one in found.samples if one.gold], "pages"):
            page = example(sample)
            names = [PAIRS[number] for number in page.classes.pairs.tolist()]
            for line in lines(page.rows, names):
                stream.write(line)
                count += 1
    typer.echo(f"{count:,} instances; TiMBL takes them with {METRICS}", err=True)


@corpus.command()
def characters(
    source: Annotated[Path, typer.Argument(metavar="CORPUS", help="A corpus, in any layout.")],
    target: Annotated[Path, typer.Argument(metavar="TO", help="A folder for pages and their .char files.")],
) -> None:
    """Write pages with ranges of characters for title, headings and body (memory-based thesis 4.1.2)."""
    from tidings.page import Page
    from tidings_lab.annotation import character_ranges, marks
    from tidings_lab.corpora import read
    from tidings_lab.corpora.files import file_names, write_atomically

    found = read(source, check=True)
    list_problems(found.problems, Console(stderr=True))
    kept = [one for one in found.samples if one.gold]
    names = file_names(one.id for one in kept)
    for sample in tracked(kept, "pages"):
        page = Page(sample.html, sample.url)
        classes = marks.element_classes(page, marks.of_gold(page, sample.gold))
        write_atomically(target / f"{names[sample.id]}.html", page.source.encode(errors="surrogatepass"))
        written = character_ranges.write(character_ranges.characters_to_ranges(page, classes))
        write_atomically(target / f"{names[sample.id]}.char", written.encode())
    typer.echo(f"{len(kept)} pages in {target}", err=True)


_MOST_SHOWN = 20
