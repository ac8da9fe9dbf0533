"""`tidings lab study`, `table`, `search`, `links`, `stories`, `trends`, `train`: experiments, and what they teach."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from rich.console import Console

from tidings.cli.output import print_table, tracked
from tidings.processes import cores, in_order

if TYPE_CHECKING:
    from tidings.lab.extractor_votes import Ballot

Given = TypeVar("Given")
Got = TypeVar("Got")


@dataclass(frozen=True, slots=True)
class _Processes:
    """Work for each of several things on several cores, with a bar; what cannot be read is counted and named."""

    jobs: int
    console: Console

    def __call__(self, work: Callable[[Given], Got], things: Sequence[Given], what: str, /) -> Iterator[Got]:
        reasons = []
        done = in_order(work, things, self.jobs)
        for one in tracked(done, what, len(things)):
            if one.result is not None:
                yield one.result
            else:
                reasons.append(one.reason)
        if reasons:
            self.console.print(f"{what}: {len(reasons)} left out, the first because {reasons[0]}", highlight=False)

    def alone(self) -> _Processes:
        return replace(self, jobs=1)


def study(
    name: Annotated[str | None, typer.Argument(help="The study; --list names them.", show_default=False)] = None,
    corpus: Annotated[
        list[Path] | None, typer.Option("--corpus", "-c", help="A folder of pages with gold; may be repeated.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", "--out", help="Write tables (.md, .csv, .json) and charts (.svg) here."),
    ] = None,
    page_type: Annotated[str | None, typer.Option("--type", help="Only pages of this type, as in article.")] = None,
    limit: Annotated[
        int | None, typer.Option(help="At most so many pages of each corpus, the same ones each time.", min=1)
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="Processes; 0 takes all cores.")] = 0,
    form: Annotated[str, typer.Option("--format", "-f", help="markdown, csv or json.")] = "markdown",
    listed: Annotated[bool, typer.Option("--list", help="Say which studies there are.")] = False,
) -> None:
    """Repeat an experiment of the documents: tables on standard output, charts with --output."""
    from tidings.charts import draw_all
    from tidings.errors import InputError, UnknownFormat
    from tidings.lab.corpora import load
    from tidings.lab.studies import FORMATS, STUDIES, some, write
    from tidings.lab.studies import study as find

    if listed:
        rows = ((one.name, one.title, one.citation) for one in map(find, STUDIES))
        print_table(("study", "what it repeats", "where it is from"), rows, least=160)
        return
    if name is None:
        raise InputError("name a study; `tidings lab study --list` says which there are")
    wanted = find(name)
    if form not in FORMATS:
        raise UnknownFormat(form, FORMATS)
    if not corpus:
        raise InputError(f"the study {name} needs pages with gold: name their folder with --corpus")
    samples = [sample for folder in corpus for sample in some(load(folder, page_type), limit)]
    if not samples:
        raise InputError("there are no pages with gold text" + (f" of type {page_type}" if page_type else ""))
    console = Console(stderr=True)
    figures = wanted.run(samples, _Processes(jobs or cores(), console))
    tables = figures.tables()
    typer.echo(write(tables, form))
    if out is not None:
        files = draw_all(figures.charts(), out)
        for ending, kind in ((".md", "markdown"), (".csv", "csv"), (".json", "json")):
            out.joinpath(name + ending).write_text(write(tables, kind) + "\n", encoding="utf-8")
        console.print(f"{len(files)} charts and three files of tables are in {out}", highlight=False)


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
    return [one.result for one in tracked(done, "measuring", len(samples)) if one.result]


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
    rows = (
        (size, f"{one.chosen_on:.4f}", f"{one.elsewhere:.4f}", f"{one.agreed} of {one.folds}", one.expression)
        for size, one in enumerate(find(ballots, names, most, k=folds), 1)
    )
    print_table(columns, rows, least=200)


def links(
    labelled: Annotated[
        Path, typer.Argument(help="Labelled links: a JSON object a line with url, site, text, is_story.")
    ],
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", "--out", help="Also write the weights learned from all of them, as JSON."),
    ] = None,
    form: Annotated[str, typer.Option("--format", "-f", help="markdown, csv or json.")] = "markdown",
) -> None:
    """Measure which links lead to stories: four words, LBNEST's filters, and the learned judge by folds of sites."""
    from tidings.errors import InputError, UnknownFormat
    from tidings.lab.studies import FORMATS, write
    from tidings.lab.studies.links import read_links, study, train, written

    if form not in FORMATS:
        raise UnknownFormat(form, FORMATS)
    read = read_links(labelled)
    if len({link.site for link in read}) < 2:
        raise InputError(f"{labelled} holds links of fewer than two sites; what is learned is measured on other sites")
    console = Console(stderr=True)
    with console.status("learning, fold by fold"):
        tables = study(read)
    typer.echo(write(tables, form))
    if out is not None:
        out.write_text(written(train(read)), encoding="utf-8")
        console.print(f"{out}: weights learned from {len(read)} links", highlight=False, markup=False)


def stories(
    labelled: Annotated[
        Path, typer.Argument(help="Labelled articles: a JSON object a line with topic, event, title, text.")
    ],
    out: Annotated[
        Path | None, typer.Option("--output", "-o", "--out", help="Also draw the curves into this folder.")
    ] = None,
    form: Annotated[str, typer.Option("--format", "-f", help="markdown, csv or json.")] = "markdown",
) -> None:
    """Measure clustering into stories: LBNEST's single and complete link at 0.38, the best cut, and the tracker.

    Cuts are chosen on every other topic; the figures are of the rest.
    """
    from tidings.charts import draw_all
    from tidings.errors import InputError, UnknownFormat
    from tidings.lab.studies import FORMATS, write
    from tidings.lab.studies.stories import read_labelled, study

    if form not in FORMATS:
        raise UnknownFormat(form, FORMATS)
    articles = read_labelled(labelled)
    if len({one.half for one in articles}) < 2:
        raise InputError(f"{labelled} holds fewer than two topics; one half is tuned on, the other measured")
    console = Console(stderr=True)
    with console.status("clustering, cut by cut"):
        tables, charts = study(articles)
    typer.echo(write(tables, form))
    if out is not None:
        files = draw_all(charts, out)
        console.print(f"{len(files)} charts are in {out}", highlight=False)


def trends(
    documents: Annotated[list[Path], typer.Argument(help="Abstracts with years: RIS, XML or JSON lines; .gz too.")],
    out: Annotated[
        Path | None, typer.Option("--output", "-o", "--out", help="Also draw the chart into this folder.")
    ] = None,
    form: Annotated[str, typer.Option("--format", "-f", help="markdown, csv or json.")] = "markdown",
) -> None:
    """Repeat TrendFinder's experiment: six queries about language processing, year by year, in abstracts of that field.

    Queries of your own, over files or over the store: `tidings trends`.
    """
    from tidings.charts import draw_all
    from tidings.cli.trends import TrendFile, gather, records
    from tidings.errors import InputError, UnknownFormat
    from tidings.lab.studies import FORMATS, write
    from tidings.lab.studies.stories import chart, language_queries, tables
    from tidings.news.stories.trends.finder import PeriodLength, TrendFinder

    if form not in FORMATS:
        raise UnknownFormat(form, FORMATS)
    finder = TrendFinder(language_queries(), PeriodLength.YEAR)
    console = Console(stderr=True)
    unusable = gather(finder, [(file.name, records(file, TrendFile.AUTO), None) for file in documents])
    if unusable:
        console.print(f"{len(unusable):,} records have no date or no text and are left out", highlight=False)
    found = finder.trends()
    if not found.documents:
        raise InputError("there is no document with a date and a text; a line of JSON has year and abstract")
    typer.echo(write(tables(found), form))
    if out is not None:
        (file,) = draw_all([chart(found, "trends-language", "year", fewest=100)], out)
        console.print(f"the chart is {file}", highlight=False)


def train(
    what: Annotated[
        str,
        typer.Argument(help="default, the extractor that `tidings extract` uses, or another learner by its name."),
    ],
    corpus: Annotated[
        list[str],
        typer.Option(
            "--corpus", "-c", metavar="DIR[#PART]", help="Pages to learn from, or `newspaper`; may be repeated."
        ),
    ],
    out: Annotated[Path, typer.Option("--output", "-o", "--out", help="Where to write the model.")] = Path("model.npz"),
    folds: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Also measure the model by this many folds of sites that it has not learned from. 0: train only."
            " Default: 4 for `default` on at most 500 pages, else 0.",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting of the learner; may be repeated."),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="Processes; 0 takes all cores.")] = 0,
) -> None:
    """Train a model from pages with gold, and measure it on sites it has not seen.

    The same pages make the same model. Use it with `tidings extract --with "learned(model=model.npz)"`, or in the same
    way with the extractor that has the learner's name.

    For example:

      tidings lab train default --corpus corpora/wcxb-dev --corpus "corpora/fundus-dev#fundus" --output model.npz
      tidings lab train default --corpus corpora/wcxb-dev --folds 5
      tidings lab train memory-based --corpus corpora/wcxb-dev --set k=7 --set weights=chi-square --output memory.npz
    """
    from tidings.errors import InputError
    from tidings.lab.trainers import TrainingOrder, samples_of, trainer

    learn = trainer(what)
    chosen = dict(setting.split("=", 1) for setting in settings or () if "=" in setting)
    if len(chosen) < len(settings or ()):
        raise InputError("a setting is written NAME=VALUE and named once, as in --set k=7")
    samples = samples_of(corpus)
    if folds is None:
        folds = 4 if what == "default" and len(samples) <= 500 else 0
    console = Console(stderr=True)
    with console.status("") as status:
        found = learn(TrainingOrder(samples, out, folds, jobs or cores(), chosen, status.update))
    console.print(f"learned from {len(samples)} pages: {out}, {out.stat().st_size / 1e6:.1f} MB", highlight=False)
    if found is not None:
        rows = ([f"{cell:.4f}" if isinstance(cell, float) else str(cell) for cell in row] for row in found.rows)
        print_table(found.columns, rows, least=120)


def tree(
    depth: Annotated[int, typer.Option(min=1, max=50, help="Levels that are shown.")] = 4,
    model: Annotated[
        str, typer.Option(metavar="FILE", help="A tree of `tidings lab train block-tree`; else the one that ships.")
    ] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Draw it into this file (.svg, .png, .pdf).")
    ] = None,
) -> None:
    """Print the decision tree of the hybrid approach as Weka prints one, or draw it (figure 5 of the paper).

    Behind each leaf stands how many blocks came there in training and, behind the stroke, how many of them were of
    another class.
    """
    from tidings.cli.compare import write_picture
    from tidings.extractors.published.block_tree.extractor import BlockTree
    from tidings.extractors.published.block_tree.figure import branch, drawn, printed

    top = branch(BlockTree(model).tree, depth)
    if output is None:
        typer.echo("\n".join(printed(top)))
    else:
        write_picture(drawn(top, f"The decision tree, its first {depth} levels"), output)
        typer.echo(str(output))
