"""`tidings trends`: how much documents, or the articles of a store, are about named queries, period by period (DANA
thesis ch. 6).
"""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from tidings.cli.output import Form, ListFormat, Output, destination, print_table, tracked, write_list
from tidings.errors import BadRecords, InputError
from tidings_portal.cli.store_options import StoreOption, open_store

if TYPE_CHECKING:
    from tidings.charts import Chart
    from tidings_portal.store.records_of_articles import KeptArticle
    from tidings_portal.stories.trends.finder import Record, TrendFinder, Trends, Unusable
    from tidings_portal.themes import Theme

    #: The name of a collection, its documents and their number; None stands for a document that is counted already.
    _Named = tuple[str, Iterator[Record | None] | Iterator[Record] | Iterator[None], int | None]


#: Query files in the package: those of the TrendFinder experiment (DANA thesis, table 6.3).
_SHIPPED = frozenset({"ecology"})


class TrendFile(Enum):
    """The formats of document files."""

    AUTO = "auto"
    RIS = "ris"
    XML = "xml"
    JSONL = "jsonl"


class TrendPeriod(Enum):
    """The lengths of a period."""

    YEAR = "year"
    MONTH = "month"
    WEEK = "week"
    DAY = "day"


_CHUNK = 1 << 16
_LONGEST_LINE = 1 << 22


def trends(
    queries: Annotated[
        Path, typer.Argument(help=r"Named queries in TOML: \[queries], name = \[keywords]; or ecology, or themes.")
    ],
    documents: Annotated[
        list[Path] | None,
        typer.Argument(help="Files of documents with dates, also .gz. Default: the articles of the store."),
    ] = None,
    kind: Annotated[
        TrendFile,
        typer.Option("--as", help="ris, xml (TrendFinder records) or jsonl; auto uses the file ending."),
    ] = TrendFile.AUTO,
    by: Annotated[
        TrendPeriod | None, typer.Option("--by", help="year, month, week or day. Default: year, or week for a store.")
    ] = None,
    titles: Annotated[bool, typer.Option("--titles", help="Count words of titles too.")] = False,
    search: Annotated[str, typer.Option("--search", help="Only articles of the store that this search finds.")] = "",
    category: Annotated[str, typer.Option("--category", help="Only articles of this category.")] = "",
    source: Annotated[str, typer.Option("--source", help="Only articles of this source: number, URL or name.")] = "",
    form: Form = ListFormat.TABLE,
    output: Output = None,
    chart: Annotated[
        Path | None,
        typer.Option("--chart", help="Also draw a chart to this file: .svg, or .png (with Chromium)."),
    ] = None,
    where: StoreOption = None,
) -> None:
    """Show how much documents are about named queries in each period: mean cosine similarity, times 1000.

    An arrow marks an abrupt change: a statistically significant step of three times the usual size. Without files, or
    with --store, the articles of the store are used, by date of publication.

    For example:

      tidings trends queries.toml --by week --chart trends.svg
      tidings trends queries.toml --by day --search "lang:en harbour"
      tidings trends queries.toml abstracts.ris --chart trends.svg
      tidings trends queries.toml articles.jsonl.gz --by month --format csv
      tidings trends themes --chart themes.svg

    `themes` needs no queries: it shows which themes of the store began, met, split and faded.
    """
    from tidings_portal.stories.trends.finder import PeriodLength, TrendFinder, read_queries

    if chart is not None and chart.suffix not in {".svg", ".png"}:
        raise InputError(f"{chart} must end in .svg or .png")
    if str(queries) == "themes":
        _themes(where, by, form, output, chart)
        return
    of_store = where is not None or not documents
    if (search or category or source) and not of_store:
        raise InputError("--search, --category and --source select articles of a store, not of files")
    period = by or (TrendPeriod.WEEK if of_store else TrendPeriod.YEAR)
    finder = TrendFinder(read_queries(_text(queries)), PeriodLength(period.value), with_titles=titles)
    console = Console(stderr=True)
    with ExitStack() as stack:
        every: list[_Named] = [(file.name, records(file, kind), None) for file in documents or ()]
        if of_store:
            every.append(stack.enter_context(_stored(finder, where, search, category, source)))
        unusable = gather(finder, every)
    found = finder.trends()
    if unusable:
        first = unusable[0]
        console.print(
            f"{len(unusable):,} records left out, the first ({first.where}) because {first.why}", highlight=False
        )
    if not found.documents:
        advice = "`tidings watch` fills a store" if of_store else "--as says what they are"
        raise InputError(f"there is no document with a date and a text; {advice}")
    _write(found, form, output)
    if chart is not None:
        from tidings.charts import chart_svg
        from tidings.cli.pictures import write_picture

        write_picture(chart_svg(_chart(found, chart.stem, period)), chart)
        console.print(f"{chart}: {len(found.trends)} trends over {len(found.periods)} periods", highlight=False)


def _themes(
    where: str | None, by: TrendPeriod | None, form: ListFormat, output: Path | None, chart: Path | None
) -> None:
    """Write the changes of themes, and draw them."""
    from datetime import UTC, datetime

    from tidings.cli.pictures import write_picture
    from tidings_portal.stories.trends.finder import PeriodLength
    from tidings_portal.theme_flow import theme_flow_svg
    from tidings_portal.themes import history

    with open_store(where) as store:
        found = history(store, datetime.now(UTC), None if by is None else PeriodLength(by.value))
    rows = [
        (step.period, step.change.value, _theme_names(step.before), _theme_names(step.after)) for step in found.steps
    ]
    headings = ("period", "change", "before", "after")
    records = [dict(zip(headings, row, strict=True)) for row in rows]
    write_list(records, form, output, headings, rows, "the store has no themes of several periods")
    if chart is not None:
        write_picture(theme_flow_svg(found), chart)


def _theme_names(themes: Iterable[Theme]) -> str:
    return " + ".join(" ".join(theme.words[:3]) for theme in themes)


def gather(finder: TrendFinder, every: list[_Named]) -> list[Unusable]:
    """Add all documents to a trend finder; return the records that could not be used."""
    from tidings_portal.stories.trends.finder import DatedText

    unusable: list[Unusable] = []
    for name, records, total in every:
        for record in tracked(records, f"reading {name}", total):
            if isinstance(record, DatedText):
                finder.add(record)
            elif record is not None:
                unusable.append(record)
    return unusable


@contextmanager
def _stored(finder: TrendFinder, where: str | None, search: str, category: str, source: str) -> Iterator[_Named]:
    """Yield the store's name, its articles and their number."""
    from tidings_portal.selection import choice, each
    from tidings_portal.store.quarantine import Quarantine, article_name
    from tidings_portal.store.records_of_work import Stage
    from tidings_portal.stories.trends.finder import DatedText

    def count(stored: KeptArticle) -> None:
        article = stored.article
        finder.add(DatedText(stored.headline.time.date(), article.text, article.title, article.language))

    with open_store(where) as store:
        some = bool(search or category or source)
        only = choice(store, search=search, category=category, source=source)
        every = each(store, only) if some else store.each_article()
        visible = (stored for stored in every if some or not stored.headline.muted)
        documents = Quarantine(store, Stage.TRENDS).each(visible, count, article_name)
        total = store.count(only.query, only, most=1_000_000).number if some else store.totals().articles
        yield "the store", documents, total


def _write(result: Trends, form: ListFormat, output: Path | None) -> None:
    from tidings_portal.stories.trends.formats import as_csv, wide

    with destination(output) as stream:
        if form is ListFormat.CSV:
            stream.write(as_csv(result))
        elif form is ListFormat.JSONL:
            stream.writelines(json.dumps(row) + "\n" for row in csv.DictReader(io.StringIO(as_csv(result))))
        else:
            heads, rows = wide(result)
            lacking = (
                sum(point.without * point.documents for point in trend.points) / result.documents
                for trend in result.trends
            )
            last = ("no keyword", f"{result.documents:,}", *(f"{share:.1%}" for share in lacking))
            print_table(heads, [*rows, last], stream)


def _chart(result: Trends, name: str, by: TrendPeriod) -> Chart:
    from tidings_portal.stories.trends.chart import chart

    return chart(result, name, by.value)


def _text(path: Path) -> str:
    from importlib.resources import files

    if str(path) in _SHIPPED and not path.exists():
        return (files("tidings_portal.stories.trends") / f"{path}.toml").read_text(encoding="utf-8")
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error


def records(path: Path, kind: TrendFile) -> Iterator[Record]:
    """Yield the documents of a file, and its unusable records with the reason."""
    from tidings_portal.stories.trends.formats import read_json_lines, read_ris, read_xml

    kind = _by_ending(path) if kind is TrendFile.AUTO else kind
    with _opened(path) as stream:
        try:
            if kind is TrendFile.XML:
                yield from read_xml(iter(lambda: stream.read(_CHUNK), b""))
            else:
                read = read_ris if kind is TrendFile.RIS else read_json_lines
                yield from read(_lines(stream))
        except BadRecords as error:
            raise BadRecords(f"{path}: {error}") from error
        except (OSError, EOFError) as error:
            raise InputError(f"{path} cannot be read: {error}") from error


def _lines(stream: io.BufferedIOBase) -> Iterator[str]:
    for line in iter(lambda: stream.readline(_LONGEST_LINE), b""):
        yield line.decode("utf-8", "replace").lstrip("\ufeff")


def _by_ending(path: Path) -> TrendFile:
    ending = Path(path.name.removesuffix(".gz")).suffix.lower()
    known = {".ris": TrendFile.RIS, ".xml": TrendFile.XML, ".jsonl": TrendFile.JSONL, ".ndjson": TrendFile.JSONL}
    if ending not in known:
        raise InputError(f"{path} ends in none of {', '.join(known)}; say what it is with --as")
    return known[ending]


@contextmanager
def _opened(path: Path) -> Iterator[io.BufferedIOBase]:
    try:
        raw = path.open("rb")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    with raw:
        if path.suffix != ".gz":
            yield raw
            return
        with gzip.GzipFile(fileobj=raw) as stream:
            yield stream
