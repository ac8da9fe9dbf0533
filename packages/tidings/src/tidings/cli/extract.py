"""`tidings extract`: extract articles from pages and write them."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple, TextIO

import typer

from tidings.cli.fetch_options import BrowserFetchOptions
from tidings.cli.inputs import Input, Siblings, bring, find, listed
from tidings.cli.output import destination, progress
from tidings.errors import InputError
from tidings.text.patterns import late_pattern

if TYPE_CHECKING:
    from tidings import Article, Page
    from tidings.extractors import Extractor
    from tidings.processes import JobResult
    from tidings.second_opinion import ChatOpinion


#: Seconds of work on one page, where several are read at once: a hundred times what the slowest extractor needs.
_LONGEST: Final = 300.0


#: An element, a class, an identifier, or an element with one of these.
_SELECTOR: Final = late_pattern(r"[A-Za-z][\w-]*|(?:[A-Za-z][\w-]*)?[.#][\w-]+", re.ASCII)


class _Extracted(NamedTuple):
    """A page's article as it is written, and why it is doubtful, where it is."""

    text: str
    doubt: str = ""
    left_out: str = ""  # why it is not written


@dataclass(frozen=True, slots=True)
class _ExtractWork:
    """What to do with one page; sent to the workers."""

    extractor: str
    format: str
    url: str | None
    links: bool
    images: bool
    tables: bool
    comments: bool
    formatting: bool
    dropped: bool = False
    title: str | None = None
    teaser: str | None = None
    headline: bool = False
    about: str = ""
    tokens: int = 2000
    second_opinion: ChatOpinion | None = None
    languages: tuple[str, ...] = ()  # of articles that are wanted; none: all
    only_with_metadata: bool = False
    leave_out: str = ""
    beside: Siblings | None = None
    details: bool = False
    timeout: float | None = None  # seconds of processor time for a page

    def __call__(self, page: Input) -> _Extracted:
        from tidings.budget import limit

        with limit(self.timeout):
            return self._extracted(page)

    def _extracted(self, page: Input) -> _Extracted:
        from tidings import reading
        from tidings.article import Options, render
        from tidings.page import Hints

        siblings = self.beside.of(page) if self.beside else ()
        held = page.page(self.url, Hints(title=self.title, teaser=self.teaser, siblings=siblings))
        if self.leave_out:
            held = _without(held, self.leave_out)
        if self.dropped:
            return _Extracted(_dropped(held, _extractor(self.extractor)))
        chosen = _extractor(self.extractor)
        article = reading.read(held, chosen, self.second_opinion, for_text=self._is_for_text, details=self.details)
        if reason := self._unwanted(article):
            return _Extracted("", left_out=reason)
        if self.about:
            article = article.about(self.about, tokens=self.tokens)
        options = Options(self.links, self.images, self.tables, self.comments, self.formatting, headline=self.headline)
        if self.about and not article.blocks:
            return _Extracted("", left_out=article.doubt)
        doubt = f"confidence {article.confidence:.2f}: {article.doubt}" if article.doubt and article.confidence else ""
        return _Extracted(render(article, self.format, options), doubt)

    @property
    def _is_for_text(self) -> bool:
        """Whether nothing is asked that plain text does not show."""
        return self.format == "text" and not (self.about or self.languages or self.only_with_metadata)

    def _unwanted(self, article: Article) -> str:
        """Why an article is not wanted; empty where it is."""
        if self.languages and article.language.partition("-")[0] not in self.languages:
            return "in another language"
        if self.only_with_metadata and not (article.title and article.url and article.published):
            return "without title, address or date"
        return ""


def _without(page: Page, selectors: str) -> Page:
    """A page as if its own style sheet hid some elements: what is hidden reaches no output."""
    from tidings import Page

    return Page(f"<style>{selectors}{{display:none!important}}</style>{page.source}", page.url, page.hints)


def _dropped(page: Page, extractor: Extractor) -> str:
    """What was left out of a page, a block a line, and why."""
    from tidings.article import dropped

    return "\n".join(f"{one.reason}\t{' '.join(one.text.split())}" for one in dropped(page, extractor(page)))


class ExtractPreference(StrEnum):
    """What to do in doubt."""

    PRECISION = "precision"
    BALANCED = "balanced"
    RECALL = "recall"


@cache
def _extractor(name: str) -> Extractor:
    from tidings import extractor

    return extractor(name)


def extract(
    pages: Annotated[
        list[str] | None,
        typer.Argument(help="Files, folders, patterns ('news/*.html'), addresses (https://…) or - for standard input."),
    ] = None,
    from_: Annotated[
        list[Path] | None,
        typer.Option("--from", metavar="FILE", help="A list of addresses or files, a line each; - is standard input."),
    ] = None,
    with_: Annotated[
        str, typer.Option("--with", "-w", metavar="NAME", help="Extractor; `tidings extractors` lists them.")
    ] = "",
    format_: Annotated[
        str, typer.Option("--format", "-f", help="text, markdown, html, json, jsonl, csv, xml, tei or jsonld.")
    ] = "text",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File for everything, or an existing folder for one file a page."),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="Processes; 0 takes all cores.")] = 0,
    url: Annotated[str | None, typer.Option(help="Address of the page, to make its links absolute.")] = None,
    title: Annotated[
        str | None, typer.Option(help="Title that a feed or a link gives the page; N-EXT and LBNEST ask for it.")
    ] = None,
    teaser: Annotated[str | None, typer.Option(help="Text beside the link that leads to the page.")] = None,
    links: Annotated[bool, typer.Option(help="Keep links.")] = True,
    images: Annotated[bool, typer.Option(help="Keep pictures.")] = False,
    tables: Annotated[bool, typer.Option(help="Keep tables.")] = True,
    comments: Annotated[bool, typer.Option(help="Keep readers' comments.")] = False,
    formatting: Annotated[bool, typer.Option(help="Keep emphasis and the like.")] = True,
    prefer: Annotated[
        ExtractPreference, typer.Option(help="In doubt leave out, weigh, or keep. Only the default extractor asks.")
    ] = ExtractPreference.BALANCED,
    languages: Annotated[str, typer.Option(metavar="tr,en", help="Only articles in these languages.")] = "",
    with_metadata_only: Annotated[
        bool, typer.Option("--with-metadata-only", help="Only articles that have a title, an address and a date.")
    ] = False,
    leave_out: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SELECTOR", help="Leave out such elements: aside, .promo, #related, p.advert; repeatable."
        ),
    ] = None,
    beside: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PAGE",
            help="Other pages of the site, for methods that compare pages (rtdm, block-entropy): files, folders, "
            "patterns or addresses; repeatable. Without it, those named to be read.",
        ),
    ] = None,
    headline: Annotated[
        bool | None, typer.Option(help="The headline on top of text, Markdown and HTML; files have it.")
    ] = None,
    about: Annotated[str, typer.Option(help="Only the blocks that answer this, with their headings.")] = "",
    tokens: Annotated[int, typer.Option(min=1, help="How much --about gives at most, in tokens of a model.")] = 2000,
    dropped: Annotated[bool, typer.Option("--dropped", help="Show what was left out, and why, instead.")] = False,
    details: Annotated[
        bool, typer.Option("--details", help="Also prices, e-mail addresses, telephone numbers, products; in JSON.")
    ] = False,
    timeout: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Give up a page that takes more processor time.")
    ] = None,
    second_opinion: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Server of a language model (chat completions), asked where the default is in doubt. The page's text "
            "goes there. One of your own network needs --allow-host.",
        ),
    ] = None,
    second_model: Annotated[str, typer.Option(metavar="NAME", help="Model that is asked there.")] = "default",
    second_key: Annotated[str, typer.Option(metavar="KEY", help="Key for that server.", show_default=False)] = "",
    web: BrowserFetchOptions = BrowserFetchOptions(),
) -> None:
    """Take the articles out of pages.

    One page goes to standard output; many pages too, one after the other, unless --output names a file or folder. Of
    many pages, a record of jsonl or csv begins with `input`: the file or address that it came from.

    For example:

      tidings extract page.html
      tidings extract saved/ --format jsonl --output articles.jsonl
      tidings extract https://example.org/story -f markdown
      tidings extract --from urls.txt --languages tr,en --with-metadata-only -f jsonl
      tidings extract page.html --beside other-pages/ --with rtdm
    """
    from tidings import core
    from tidings.extractors import DEFAULT
    from tidings.extractors.registry import needs_siblings
    from tidings.processes import JobLimits, cores, in_order

    core.library()  # without a core no page can be read: stop before any output exists
    import_module("tidings.reading")  # before there are workers: each is a copy of this process
    name = with_ or (DEFAULT if prefer is ExtractPreference.BALANCED else f"{DEFAULT}(preference={prefer})")
    _extractor(name)  # an unknown name is an error before any page is read
    _check_format(format_, details)
    named = [*(pages or ()), *(line for file in from_ or () for line in listed(file))]
    if not named:
        raise InputError("there is nothing to read: name a page, or a list of pages with --from")
    found = bring(find(named, web))
    work = _ExtractWork(name, format_, url, links, images, tables, comments, formatting, dropped, title, teaser)
    work = replace(work, headline=output is not None if headline is None else headline, about=about, tokens=tokens)
    work = replace(
        work,
        languages=tuple(one.strip().lower() for one in languages.split(",") if one.strip()),
        only_with_metadata=with_metadata_only,
        leave_out=_selectors(leave_out or ()),
        details=details,
        timeout=timeout,
    )
    if second_opinion:
        work = replace(work, second_opinion=_opinion(second_opinion, second_model, second_key, web.allow_host))
    if beside or needs_siblings(_extractor(name)):
        work = replace(work, beside=Siblings(tuple(bring(find(beside, web))) if beside else tuple(found), bool(beside)))
    failed: list[JobResult[Input, _Extracted]] = []
    doubtful: list[tuple[str, str]] = []
    left_out: Counter[str] = Counter()
    with _sink(output, format_, len(found)) as sink, progress("extracting", len(found)) as bar:
        # A process is worth starting only for a good number of pages.
        processes = (jobs or cores()) if jobs or len(found) >= 64 else 1
        for done in in_order(work, found, processes, JobLimits(_LONGEST), as_copies=True):
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
        typer.echo(f"{number} of {len(found)} left out: {reason}", err=True)
    _say_doubts(doubtful, len(found))
    _report(failed, len(found))


def _check_format(name: str, details: bool) -> None:
    """Whether articles are written so.

    Raises:
        UnknownFormat: there is no such format.
        InputError: it does not have what is asked for.
    """
    from tidings.article import FORMATS
    from tidings.errors import UnknownFormat

    if name not in FORMATS:
        raise UnknownFormat(name, FORMATS)
    if details and name not in ("json", "jsonl"):
        raise InputError("details are given in JSON; add --format json or jsonl")


def _selectors(given: Sequence[str]) -> str:
    """What is to be left out, as one list of simple selectors.

    Raises:
        InputError: one of them is none.
    """
    said = [one.strip() for some in given for one in some.split(",") if one.strip()]
    for one in said:
        if not _SELECTOR.fullmatch(one):
            raise InputError(f"{one!r} names no elements; write the name of an element, .class, #id, or both: p.promo")
    return ", ".join(said)


def _say_doubts(doubtful: list[tuple[str, str]], total: int) -> None:
    """Say which page is in doubt and why, or how many are."""
    if not doubtful:
        return
    if total == 1:
        name, doubt = doubtful[0]
        typer.echo(f"{name}: {doubt}", err=True)
    else:
        typer.echo(f"{len(doubtful)} of {total} pages are in doubt; json and jsonl say why of each", err=True)


def _opinion(url: str, model: str, key: str, allow: list[str] | None) -> ChatOpinion:
    from tidings.second_opinion import ChatOpinion

    return ChatOpinion(url, model, key, tuple(allow or ()))


def _report(failed: list[JobResult[Input, _Extracted]], total: int) -> None:
    """Say what failed and why, and end with the code that tells scripts."""
    if not failed:
        return
    from rich.console import Console

    console = Console(stderr=True, soft_wrap=True, highlight=False)
    if total > 1:
        console.print(f"[bold red]{len(failed)} of {total} pages failed:[/]")
    for done in failed:
        reason = done.reason.removeprefix(f"{done.job.name}: ")  # an address is in it already
        console.print(f"  {done.job.name}: {reason}", markup=False)
    raise typer.Exit(3 if len(failed) == total else 1)


@dataclass(slots=True)
class _Sink:
    """Where the articles go."""

    folder: Path | None
    stream: TextIO | None
    format: str
    many: bool
    begun: bool = False

    def write(self, page: Input, text: str) -> None:
        if self.folder is not None:
            from tidings.article import FORMATS

            # A path that is made, parsed and opened takes longer than the file.
            name = os.path.join(self.folder, f"{page.stem}.{FORMATS[self.format].ending}")  # noqa: PTH118
            with open(name, "w", encoding="utf-8") as file:  # noqa: PTH123
                file.write(text + "\n")
            return
        assert self.stream is not None  # noqa: S101  # one of the two is always set
        if self.many and self.format in ("jsonl", "csv"):
            text = _named(text, page.name, self.format)
        if self.format == "csv" and not self.begun:
            from tidings.article import csv_header

            self.stream.write(("input," if self.many else "") + csv_header() + "\n")
        elif self.begun and self.format not in ("jsonl", "csv"):
            self.stream.write("\n")
        self.begun = True
        self.stream.write(text.rstrip("\n") + "\n")


def _named(record: str, name: str, format_: str) -> str:
    """A record of several pages, with the file or address that it came from before all else."""
    name = name.encode("utf-8", "replace").decode()  # a name of a file may be no text
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
