"""`tidings extract`: extract articles from pages and write them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple, TextIO

import typer

from tidings.cli.fetch_options import BrowserFetchOptions
from tidings.cli.inputs import Input, Siblings, fetch_all, find, listed
from tidings.cli.option_flags import option_flags, option_help
from tidings.cli.output import destination, progress
from tidings.errors import InputError

if TYPE_CHECKING:
    from tidings import Page
    from tidings.article import Options
    from tidings.extractors import Extractor
    from tidings.options import ExtractOptions
    from tidings.processes import JobResult
    from tidings.second_opinion import ChatOpinion


#: Longest time for a page in a worker process, in seconds: a hundred times what the slowest extractor needs.
_LONGEST: Final = 300.0


class _Extracted(NamedTuple):
    """The formatted article of a page, and why it is uncertain or left out."""

    text: str
    doubt: str = ""
    left_out: str = ""  # the reason


@dataclass(frozen=True, slots=True)
class _ExtractWork:
    """The options for one page; sent to the worker processes."""

    extractor: str
    format: str
    url: str | None
    rendering: Options
    options: ExtractOptions
    dropped: bool = False
    teaser: str | None = None
    about: str = ""
    tokens: int = 2000
    siblings: Siblings | None = None

    def __call__(self, page: Input) -> _Extracted:
        from tidings.budget import limit

        with limit(self.options.timeout):
            return self._extracted(page)

    def _extracted(self, page: Input) -> _Extracted:
        from tidings import reading
        from tidings.article import render
        from tidings.options.articles import LEFT_OUT
        from tidings.options.conventions import with_left_out
        from tidings.page import Hints

        siblings = self.siblings.of(page) if self.siblings else ()
        options = self.options
        hints = Hints(title=options.title, description=options.summary, teaser=self.teaser, siblings=siblings)
        document = page.page(self.url, hints)
        if self.dropped:
            return _Extracted(_dropped(with_left_out(document, options.leave_out), _extractor(self.extractor)))
        for_text = self.format == "text" and not self.about
        if options.is_default:
            article = reading.read(document, _extractor(self.extractor), for_text=for_text)
        else:
            article = reading.read(document, _extractor(self.extractor), for_text=for_text, options=options)
        if article.doubt.startswith(LEFT_OUT):
            return _Extracted("", left_out=article.doubt.removeprefix(LEFT_OUT))
        if self.about:
            article = article.about(self.about, tokens=self.tokens)
        if self.about and not article.blocks:
            return _Extracted("", left_out=article.doubt)
        doubt = f"confidence {article.confidence:.2f}: {article.doubt}" if article.doubt and article.confidence else ""
        return _Extracted(render(article, self.format, self.rendering), doubt)


def _dropped(page: Page, extractor: Extractor) -> str:
    """Return the blocks that an extractor did not select, one per line with the reason."""
    from tidings.article import dropped

    return "\n".join(f"{block.reason}\t{' '.join(block.text.split())}" for block in dropped(page, extractor(page)))


#: Switches of the command that are settings of the output and not only of the extraction.
_OUTPUT_SWITCHES: Final = ("links", "images", "tables", "comments", "formatting")
if TYPE_CHECKING:
    from tidings.cli.option_flags import OptionFlags as ExtractFlags
else:
    ExtractFlags = option_flags(_OUTPUT_SWITCHES)


@cache
def _extractor(name: str) -> Extractor:
    from tidings import extractor

    return extractor(name)


def extract(
    pages: Annotated[
        list[str] | None,
        typer.Argument(help="Files, folders, patterns ('news/*.html'), URLs (https://…) or - for standard input."),
    ] = None,
    from_: Annotated[
        list[Path] | None,
        typer.Option("--from", metavar="FILE", help="A file with one URL or file name per line; - is standard input."),
    ] = None,
    with_: Annotated[
        str, typer.Option("--with", "-w", metavar="NAME", help="The extractor; `tidings extractors` lists them.")
    ] = "",
    format_: Annotated[
        str, typer.Option("--format", "-f", help="text, markdown, html, json, jsonl, csv, xml, tei or jsonld.")
    ] = "text",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Output file, or an existing folder for one file per page. Default: standard output."
        ),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="Number of processes; 0: all cores.")] = 0,
    url: Annotated[str | None, typer.Option(help="URL of the page, to make its links absolute.")] = None,
    teaser: Annotated[str | None, typer.Option(help="Teaser of the page in a feed or beside a link.")] = None,
    links: Annotated[bool, typer.Option(help=option_help("links"))] = True,
    images: Annotated[bool, typer.Option(help=option_help("images"))] = False,
    tables: Annotated[bool, typer.Option(help=option_help("tables"))] = True,
    comments: Annotated[bool, typer.Option(help=option_help("comments"))] = False,
    formatting: Annotated[bool, typer.Option(help=option_help("formatting"))] = True,
    siblings: Annotated[
        list[str] | None,
        typer.Option(
            "--siblings",
            "--beside",
            metavar="PAGE",
            help="Other pages of the same site, for extractors that compare pages (rtdm, block-entropy); repeatable. "
            "Default: the pages that are extracted.",
        ),
    ] = None,
    headline: Annotated[
        bool | None, typer.Option(help="Put the headline before text, Markdown and HTML. Default: only in files.")
    ] = None,
    about: Annotated[
        str, typer.Option(help="Only the blocks about this question or subject, with their headings.")
    ] = "",
    tokens: Annotated[
        int, typer.Option(min=1, help="Longest result of --about, in tokens of a language model.")
    ] = 2000,
    dropped: Annotated[
        bool, typer.Option("--dropped", help="Show the blocks that were left out instead, with reasons.")
    ] = False,
    second_opinion: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="A language model (chat completions endpoint) to ask about doubtful pages. It gets the page's text. "
            "A server in your own network needs --allow-host.",
        ),
    ] = None,
    second_model: Annotated[str, typer.Option(metavar="NAME", help="The model to ask there.")] = "default",
    second_key: Annotated[str, typer.Option(metavar="KEY", help="API key for that server.", show_default=False)] = "",
    flags: ExtractFlags = ExtractFlags(),
    web: BrowserFetchOptions = BrowserFetchOptions(),
) -> None:
    """Extract articles from pages.

    Articles are written to standard output unless --output names a file or folder. With several pages, each record in
    jsonl and csv starts with `input`, the file or URL of the page.

    For example:

      tidings extract page.html
      tidings extract saved/ --format jsonl --output articles.jsonl
      tidings extract https://example.org/story -f markdown
      tidings extract --from urls.txt --languages tr,en --with-metadata-only -f jsonl
      tidings extract page.html --siblings other-pages/ --with rtdm
    """
    from tidings import core
    from tidings.article import Options
    from tidings.extractors.registry import needs_siblings
    from tidings.processes import JobLimits, cores, in_order

    core.library()  # fail before any output is created if the core is missing
    from tidings.reading import extractor_name  # before workers are forked

    opinion = _opinion(second_opinion, second_model, second_key, web.allow_host) if second_opinion else None
    options = flags.options(second_opinion=opinion)
    name = with_ or extractor_name(options.prefer)
    _extractor(name)  # fail before any page is read if the name is unknown
    _check_format(format_, options.details)
    names = [*(pages or ()), *(line for file in from_ or () for line in listed(file))]
    if not names:
        raise InputError("there is nothing to extract: name a page, or a list of pages with --from")
    inputs = fetch_all(find(names, web))
    has_headline = output is not None if headline is None else headline
    rendering = Options(links, images, tables, comments, formatting, headline=has_headline)
    work = _ExtractWork(name, format_, url, rendering, options, dropped, teaser, about, tokens)
    if siblings or needs_siblings(_extractor(name)):
        others = fetch_all(find(siblings, web)) if siblings else inputs
        work = replace(work, siblings=Siblings(tuple(others), bool(siblings)))
    failed: list[JobResult[Input, _Extracted]] = []
    doubtful: list[tuple[str, str]] = []
    left_out: Counter[str] = Counter()
    with _sink(output, format_, len(inputs)) as sink, progress("extracting", len(inputs)) as bar:
        # Starting processes pays off only for many pages.
        processes = (jobs or cores()) if jobs or len(inputs) >= 64 else 1
        for done in in_order(work, inputs, processes, JobLimits(_LONGEST), as_copies=True):
            if done.result is None:
                failed.append(done)
            elif done.result.left_out:
                left_out[done.result.left_out] += 1
            else:
                sink.write(done.job, done.result.text)
                if done.result.doubt:
                    doubtful.append((done.job.name, done.result.doubt))
            bar.advance()
    for reason, number in left_out.most_common():
        typer.echo(f"{number} of {len(inputs)} left out: {reason}", err=True)
    _say_doubts(doubtful, len(inputs))
    _report(failed, len(inputs))


def _check_format(name: str, details: bool) -> None:
    from tidings.article import FORMATS
    from tidings.errors import UnknownFormat

    if name not in FORMATS:
        raise UnknownFormat(name, FORMATS)
    if details and name not in ("json", "jsonl"):
        raise InputError("--details needs JSON; add --format json or jsonl")


def _say_doubts(doubtful: list[tuple[str, str]], total: int) -> None:
    """Print why an article is uncertain; for several pages, how many articles are."""
    if not doubtful:
        return
    if total == 1:
        name, doubt = doubtful[0]
        typer.echo(f"{name}: {doubt}", err=True)
    else:
        typer.echo(f"{len(doubtful)} of {total} pages are doubtful; json and jsonl give the reasons", err=True)


def _opinion(url: str, model: str, key: str, allow: list[str] | None) -> ChatOpinion:
    from tidings.second_opinion import ChatOpinion

    return ChatOpinion(url, model, key, tuple(allow or ()))


def _report(failed: list[JobResult[Input, _Extracted]], total: int) -> None:
    """Print the pages that failed with their reasons, and exit with code 1 or 3."""
    if not failed:
        return
    from rich.console import Console

    console = Console(stderr=True, soft_wrap=True, highlight=False)
    if total > 1:
        console.print(f"[bold red]{len(failed)} of {total} pages failed:[/]")
    for done in failed:
        reason = done.reason.removeprefix(f"{done.job.name}: ")  # the reason begins with the URL
        console.print(f"  {done.job.name}: {reason}", markup=False)
    raise typer.Exit(3 if len(failed) == total else 1)


@dataclass(slots=True)
class _Sink:
    """The destination of articles: a folder or a stream."""

    folder: Path | None
    stream: TextIO | None
    format: str
    many: bool
    has_output: bool = False

    def write(self, page: Input, text: str) -> None:
        if self.folder is not None:
            from tidings.article import FORMATS

            # `Path` takes longer than writing the file.
            name = os.path.join(self.folder, f"{page.stem}.{FORMATS[self.format].ending}")  # noqa: PTH118
            with open(name, "w", encoding="utf-8") as file:  # noqa: PTH123
                file.write(text + "\n")
            return
        assert self.stream is not None  # noqa: S101  # there is a folder or a stream
        if self.many and self.format in ("jsonl", "csv"):
            text = _with_input(text, page.name, self.format)
        if self.format == "csv" and not self.has_output:
            from tidings.article import csv_header

            self.stream.write(("input," if self.many else "") + csv_header() + "\n")
        elif self.has_output and self.format not in ("jsonl", "csv"):
            self.stream.write("\n")
        self.has_output = True
        self.stream.write(text.rstrip("\n") + "\n")


def _with_input(record: str, name: str, format_: str) -> str:
    """Return a CSV or JSON record with the file or URL of its page as the first field."""
    name = name.encode("utf-8", "replace").decode()  # file names may be invalid UTF-8
    if format_ == "csv":
        from tidings.article.formats.as_csv import csv_line

        return f"{csv_line([name], guard_formulas=True)},{record}"
    import json

    return f'{{"input": {json.dumps(name, ensure_ascii=False)}, {record[1:]}'


@contextmanager
def _sink(output: Path | None, format_: str, pages: int) -> Iterator[_Sink]:
    if output is not None and output.is_dir():
        yield _Sink(output, None, format_, pages > 1)
    else:
        with destination(output) as stream:
            yield _Sink(None, stream, format_, pages > 1)
