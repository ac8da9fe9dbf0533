"""`tidings lab collect`, `annotate`, `agreement`, `corpus` and `queue`: pages with gold, and how they come about."""

from __future__ import annotations

import json
import signal
import threading
import webbrowser
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape

from tidings.cli.inputs import Input, find
from tidings.cli.output import Output, destination, print_table, tracked
from tidings.cli.stored import Where, opened
from tidings.processes import cores, in_order

if TYPE_CHECKING:
    from tidings.lab.agreement import Agreement
    from tidings.lab.corpora import CorpusProblem, Sample
    from tidings.lab.learners.structure import Worth

corpus = typer.Typer(help="Look at corpora and convert them.", no_args_is_help=True)
_MOST_OF_A_KIND = 10


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
        for problem in of_this[:_MOST_OF_A_KIND]:
            reason = f": {problem.reason}" if problem.reason else ""
            console.print(f"  {escape(problem.where + reason)}", highlight=False, soft_wrap=True)
        if len(of_this) > _MOST_OF_A_KIND:
            console.print(f"  … and {len(of_this) - _MOST_OF_A_KIND} more", highlight=False)


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
    say is left out of it.
    """
    from tidings.lab.corpora import CorpusLayout, read, write

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
    """Write the elements of pages with their 41 features and classes, one a line, as TiMBL reads them (.inst files).

    For example:

      tidings lab corpus instances annotations -o train.inst
    """
    from tidings.lab.corpora import read
    from tidings.lab.learners.memory import METRICS, lines
    from tidings.lab.learners.structure import PAIRS
    from tidings.lab.memory_pages import example

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
    from tidings.lab import marks
    from tidings.lab.corpora import read
    from tidings.lab.corpora.files import file_names, put
    from tidings.page import Page

    found = read(source, check=True)
    list_problems(found.problems, Console(stderr=True))
    kept = [one for one in found.samples if one.gold]
    names = file_names(one.id for one in kept)
    for sample in tracked(kept, "pages"):
        page = Page(sample.html, sample.url)
        classes = marks.element_classes(page, marks.of_gold(page, sample.gold))
        put(target / f"{names[sample.id]}.html", page.source.encode(errors="surrogatepass"))
        written = marks.write(marks.characters_to_ranges(page, classes))
        put(target / f"{names[sample.id]}.char", written.encode())
    typer.echo(f"{len(kept)} pages in {target}", err=True)


_MOST_SHOWN = 20


class Unit(StrEnum):
    """What is counted; as `tidings.lab.agreement.AgreementUnit`, which is slow to import."""

    BLOCKS = "blocks"
    ELEMENTS = "elements"


class AnnotationFormat(StrEnum):
    """How the comparison is printed."""

    TABLE = "table"
    JSON = "json"


def collect(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that is not there yet.")],
    where: Where = None,
    query: Annotated[str, typer.Option("--query", "-q", help="Only what a search finds.")] = "",
    each: Annotated[int, typer.Option("--each", min=1, help="At most so many pages of a site.")] = 20,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="At most so many pages.")] = 200,
) -> None:
    """Write the pages that the store has kept as a folder to annotate, site by site.

    Every page comes as it was sent, with its address, site and language, and without gold. What is collected can be
    looked through (`tidings lab queue DIR`), labelled (`tidings lab annotate DIR`), and learned from.

    For example:

      tidings lab collect mine --query 'lang:tr' --each 5
    """
    from tidings.lab.annotate.pages import collect_pages
    from tidings.news.store.query import parse

    with opened(where) as kept:
        found = collect_pages(kept, folder, parse(query) if query.strip() else None, each=each, limit=limit)
    sites = ", ".join(f"{site} {number}" for site, number in found.most_common(8))
    typer.echo(f"{found.total()} pages in {folder}: {sites}", err=True)
    if not found:
        raise typer.Exit(1)


def annotate(
    pages: Annotated[list[Path], typer.Argument(metavar="PAGE|DIR…", help="Pages, a folder of pages, or a corpus.")],
    out: Annotated[Path, typer.Option("--output", "-o", "--out", help="Folder for the gold and the journal.")] = Path(
        "annotations"
    ),
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0 takes a free one.")] = 0,
    open_: Annotated[bool, typer.Option("--open/--no-open", help="Open the browser.")] = True,
    differences: Annotated[
        bool, typer.Option("--differences", help="Given two annotated folders, decide where the two differ.")
    ] = False,
) -> None:
    """Mark title, headings, body, author, date, captions and comments of pages in the browser, by key or click.

    The page is shown as it is; no script of it runs and nothing is fetched. Marks begin as a prediction. Every change
    is on disk at once: after a crash, the same command goes on where it was. Saving writes --output as a corpus
    (pages.jsonl and the gzipped pages) with a .hra file for each page.
    """
    from tidings.errors import InputError
    from tidings.lab.agreement import Opinions, read_twice
    from tidings.lab.annotate.pages import find_pages
    from tidings.lab.annotate.project import Project
    from tidings.lab.annotate.server import AnnotationServer

    console = Console(stderr=True)
    opinions = None
    if differences:
        if len(pages) != 2:
            raise InputError(f"--differences needs two annotated folders, and {len(pages)} were named")
        twice, problems = read_twice(*pages)
        opinions = Opinions.of(twice)
        agreed = [one for one in twice if not one.differing]
        if agreed:
            # A page that the two agree on is ground truth as it is.
            both = Project([one.sample for one in agreed], out, Opinions({one.sample.id: one for one in agreed}))
            for number in range(len(agreed)):
                both.save(number)
            both.close()
            console.print(f"{len(agreed)} of {len(twice)} pages on which the two agree are in {out}", highlight=False)
        samples = [one.sample for one in opinions.pages.values()]
        if not samples:
            console.print(f"the two agree on all {len(twice)} pages: there is nothing to decide", highlight=False)
            raise typer.Exit
    else:
        samples, problems = find_pages(pages)
    list_problems(problems, console)
    project = Project(samples, out, opinions)
    for said in project.messages:
        console.print(said, highlight=False, markup=False, soft_wrap=True)
    try:
        server = AnnotationServer(project, port)
    except OSError as error:
        project.close()
        raise InputError(f"port {port} cannot be used: {error.strerror or error}; --port 0 takes a free one") from error
    with server:
        typer.echo(server.url)
        console.print("Ctrl+C ends it; every change is on disk.", highlight=False)
        if open_:
            webbrowser.open(server.url)
        if threading.current_thread() is threading.main_thread():
            # A shell has its background jobs ignore Ctrl+C; this one is ended by it wherever it runs.
            signal.signal(signal.SIGINT, signal.default_int_handler)
        with suppress(KeyboardInterrupt):
            server.serve_forever()
    project.close()
    saved = sum(project.state(number) == "saved" for number in range(len(samples)))
    console.print(f"{saved} of {len(samples)} pages saved in {out}", highlight=False, markup=False)


def agreement(
    first: Annotated[Path, typer.Argument(metavar="DIR_A", help="A folder annotated by one person.")],
    second: Annotated[Path, typer.Argument(metavar="DIR_B", help="The same pages annotated by another.")],
    unit: Annotated[Unit, typer.Option("--unit", help="What is counted: blocks, or texts and tails.")] = Unit.BLOCKS,
    format_: Annotated[
        AnnotationFormat, typer.Option("--format", "-f", help="table or json.")
    ] = AnnotationFormat.TABLE,
) -> None:
    """Say how far two annotators agree: Cohen's kappa, a table by class, and every difference."""
    from tidings.lab import agreement as measures
    from tidings.lab.agreement import read_twice

    twice, problems = read_twice(first, second)
    list_problems(problems, Console(stderr=True))
    found = measures.agreement(twice, measures.AgreementUnit(unit.value))
    if format_ is AnnotationFormat.JSON:
        typer.echo(json.dumps(_plain(found), ensure_ascii=False, indent=1))
    else:
        _print(found, unit)


def _plain(found: Agreement) -> dict[str, object]:
    return {
        "kappa": found.kappa,
        "observed": found.observed,
        "pages": found.pages,
        "names": found.names,
        "confusion": found.confusion.tolist(),
        "classes": [
            {"class": it.name, "first": it.first, "second": it.second, "both": it.both, "f1": it.f1, "kappa": it.kappa}
            for it in found.classes
        ],
        "differences": [
            {"page": it.page, "unit": it.unit, "first": it.first, "second": it.second, "text": it.text}
            for it in found.differences
        ],
    }


def _print(found: Agreement, unit: Unit) -> None:
    console = Console()
    rows = [
        (it.name, it.first, it.second, it.both, f"{it.f1:.3f}", f"{it.kappa:.3f}")
        for it in found.classes
        if it.first or it.second
    ]
    print_table(("class", "first", "second", "both", "F1", "κ"), rows)
    total = int(found.confusion.sum())
    console.print(
        f"\nκ [bold]{found.kappa:.3f}[/] over {total} {unit} of {found.pages} pages; the same on {found.observed:.1%}.",
        highlight=False,
    )
    if not found.differences:
        return
    differences = ((it.page, str(it.unit), it.first, it.second, it.text[:80]) for it in found.differences[:_MOST_SHOWN])
    print_table(("page", "unit", "first", "second", "text"), differences)
    rest = len(found.differences) - _MOST_SHOWN
    console.print(
        (f"… and {rest} more; --format json lists all. " if rest > 0 else "")
        + "A third annotator decides: tidings lab annotate --differences DIR_A DIR_B",
        highlight=False,
    )


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
    """List the pages that a person should label next.

    Pages on which the memory-based learner finds no title, two titles, or headings with nothing between come first;
    then those it is least sure of. Label them with `tidings lab annotate`, and train again.

    For example:

      tidings lab queue downloaded/ --limit 10
      tidings lab queue corpora/mine --model memory.npz --names
    """
    from tidings.extractors.published.memory_based.extractor import load
    from tidings.lab.learners.structure import ordered

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
    """The pages of a corpus by its index, those of anything else as `tidings extract` finds them."""
    from tidings.lab.corpora import read
    from tidings.lab.corpora.files import corpus_folder

    folder = corpus_folder(Path(name))
    if (folder / "pages.jsonl").is_file():
        return [Input(str(sample.file)) for sample in read(folder).samples]
    return find([name])


def _worth(item: Input, model: Path | None) -> Worth:
    from tidings.extractors.published.memory_based import MemoryBased
    from tidings.lab.learners.structure import worth

    learned = MemoryBased(model=str(model) if model is not None else "").learned
    return worth(item.name, item.page(), learned)
