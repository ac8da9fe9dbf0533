"""Reading of a batch of pages into a batch of articles, one row per page, as a pure function."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from functools import lru_cache
from time import process_time_ns
from typing import Any, Final, Self

from tidings import __version__, extractors
from tidings.article import Article, render
from tidings.article.formats.characters import legal
from tidings.budget import limit
from tidings.bulk.readers import PageRecord, moment
from tidings.bulk.rules import NO_RULES, SiteRules, read_rules
from tidings.bulk.schema import AGREED, OTHERWISE, arrow, article_schema, text_column
from tidings.bulk.settings import DEFAULT, BulkSettings
from tidings.errors import EmptyPage, NotHTML, PageTooLarge, TidingsError
from tidings.options import ExtractOptions
from tidings.options.articles import LEFT_OUT, with_options
from tidings.options.conventions import changes_reading
from tidings.page import Hints, Page
from tidings.reading import extractor_name, read
from tidings.sites.extraction.article_text import ArticleText, TextCutting
from tidings.sites.extraction.cut import Cutting
from tidings.sites.learning.lesson import Lesson
from tidings.sites.reader import is_confirmed
from tidings.urls import site_of

_Row = dict[str, Any]
_LONGEST_REASON: Final = 300
_FIELDS: Final = tuple("canonical title language direction section summary".split())


def read_batch(batch: Any, settings: BulkSettings | None = None) -> Any:
    """Extract a batch of pages (`page_schema`) into a batch of articles (`article_schema`), one row for each page.

    Rules and extractors are cached between calls.

    Raises:
        MissingExtra: pyarrow is not installed.
        BadParameter: the batch has no column `content`.
    """
    settings = settings or BulkSettings()
    return _reader(settings).batch(records_of(batch))


@lru_cache(maxsize=4)
def _reader(settings: BulkSettings) -> PageReader:
    return PageReader.open(settings)


def records_of(batch: Any) -> list[PageRecord]:
    """Return the rows of a batch of pages.

    Raises:
        BadParameter: the batch has no column `content`.
    """
    from tidings.errors import BadParameter

    names = set(batch.schema.names)
    if "content" not in names:
        raise BadParameter("a batch of pages has a column `content`: see `tidings.bulk.page_schema`")
    columns = {
        name: batch.column(name).to_pylist() for name in names & {"url", "headers", "source", "offset", "fetched"}
    }
    records = []
    for at, value in enumerate(batch.column("content")):
        content = value.as_py() or b""
        headers = dict(columns["headers"][at] or ()) if "headers" in columns else {}
        fetched = columns["fetched"][at] if "fetched" in columns else None
        records.append(
            PageRecord(
                (columns["url"][at] or "") if "url" in columns else "",
                content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content,
                (columns["source"][at] or "") if "source" in columns else "",
                (columns["offset"][at] or 0) if "offset" in columns else at,
                headers.get("content-type", ""),
                fetched.timestamp() if fetched else None,
            )
        )
    return records


@dataclass(frozen=True, slots=True)
class PageReader:
    """Extracts pages with loaded rules, schema and extractors."""

    settings: BulkSettings
    rules: SiteRules
    schema: Any
    _computed: tuple[tuple[str, Any], ...] = ()
    _extractors: tuple[tuple[str, Any], ...] = field(default=())

    @classmethod
    def open(cls, settings: BulkSettings) -> Self:
        """Load the rules and extractors of the settings.

        Raises:
            TidingsError: a rule file or an extractor cannot be loaded.
        """
        settings.checked()
        usual = extractor_name(settings.options.prefer)
        chosen = tuple((name, extractors.extractor(usual if name == DEFAULT else name)) for name in settings.extractors)
        return cls(
            settings,
            read_rules(settings.rules) if settings.rules else NO_RULES,
            article_schema(settings),
            tuple((column.name, column.load()) for column in settings.computed),
            chosen,
        )

    def batch(self, records: Iterable[PageRecord]) -> Any:
        """Extract pages into a batch of rows."""
        return self.table([self.row(record) for record in records])

    def table(self, rows: Sequence[_Row]) -> Any:
        """Convert rows to an Arrow batch."""
        pa = arrow()
        columns = [
            pa.array([row.get(column.name) for row in rows], type=column.type)
            if rows
            else pa.array([], type=column.type)
            for column in self.schema
        ]
        return pa.RecordBatch.from_arrays(columns, schema=self.schema)

    def row(self, record: PageRecord) -> _Row:
        """Return the output row of a page, also if the page cannot be extracted."""
        start = process_time_ns()
        row = self.beginning(record)
        if not record.status:
            try:
                self._read(record, row)
            except NotHTML as error:
                row |= {"status": "not-html", "reason": _reason(error)}
            except EmptyPage as error:
                row |= {"status": "nothing", "reason": _reason(error)}
            except PageTooLarge as error:
                row |= {"status": "refused", "reason": _reason(error)}
            except MemoryError:
                raise
            except Exception as error:  # a page may trigger any bug of ours; the others must go on
                row |= {"status": "error", "reason": _reason(error)}
        if self.settings.timing:
            row["cpu"] = (process_time_ns() - start) // 1000
        return row

    def beginning(self, record: PageRecord) -> _Row:
        """Return the columns of a page that need no extraction, such as URL, digest and status."""
        content = record.content
        return {
            "id": record.id,
            "url": legal(record.url),
            "site": legal(site_of(record.url)),
            "source": legal(record.source),
            "offset": record.offset,
            "length": len(content) if record.length is None else record.length,
            "fetched": moment(record.fetched),
            "digest": record.digest,
            "status": record.status,
            "reason": legal(record.reason[:_LONGEST_REASON]),
            "rules": self.rules.version,
            "version": __version__,
        }

    def _read(self, record: PageRecord, row: _Row) -> None:
        name = row["site"]
        # Further extractors need the whole page, so rules would save little.
        result = None
        options = None if self.settings.options.is_default else self.settings.options
        if self.rules and len(self._extractors) == 1 and (options is None or not changes_reading(options)):
            needs_article = self.settings.markdown or options is not None
            result = self.rules.cut(name, record.content, record.url, whole=needs_article)
        if result is not None:
            template, cutting = result
            row["audit"] = self._audit(record, template, cutting, row["id"])
            if row["audit"] in (None, AGREED):
                self._fill(row, cutting.article if options is None else _filtered(cutting.article, options))
                return
        hints = Hints(content_type=record.content_type or None)
        if options is not None:
            hints = replace(hints, title=options.title, description=options.summary)
        page = Page(record.content, record.url or None, hints)
        with limit(None if options is None else options.timeout):
            article = _read_page(page, self._extractors[0][1], options)
        if not name and article.canonical:  # pages in a folder have no URL
            row["site"] = legal(site_of(article.canonical))
        self._fill(row, article)
        for other, extractor in self._extractors[1:]:
            row[text_column(other)] = legal(_read_page(page, extractor, options).text)

    def _audit(self, record: PageRecord, template: Any, cutting: Cutting | TextCutting, id_: str) -> str | None:
        """Compare the text that rules extracted with the full extraction; None if this page is not in the sample to be
        compared.
        """
        every = self.settings.audit_every
        if not every or int(id_[:12], 16) % every:
            return None
        lesson = Lesson.read(record.content, record.url, self._extractors[0][1])
        return AGREED if is_confirmed(cutting, template, lesson) else OTHERWISE + template.name

    def _fill(self, row: _Row, article: Article | ArticleText) -> None:
        if isinstance(article, Article):
            by, image = article.provenance.get("body", ""), article.image.src if article.image else ""
            kind, marks = article.kind, article.marks
        else:
            by, image, kind, marks = article.by, article.image, "article", ()
        text = legal(article.text)
        row.update({name: legal(getattr(article, name)) for name in _FIELDS})
        row.update(
            status="ok" if text else "nothing",
            reason="" if text else _left_out(article) or "there is no text on the page",
            kind=kind,
            confidence=article.confidence,
            authors=[legal(item) for item in article.authors],
            published=_utc(article.published_as_stated),
            published_as_stated=_iso(article.published_as_stated),
            precision=_precision(article.published_as_stated),
            modified=_utc(article.modified_as_stated),
            modified_as_stated=_iso(article.modified_as_stated),
            site_name=legal(article.site),
            tags=[legal(item) for item in article.tags],
            image=legal(image),
            text=text,
            words=len(text.split()),
            marks=list(marks),
            by=by,
        )
        if self.settings.markdown and isinstance(article, Article):
            row["markdown"] = render(article, "markdown")
        for name, function in self._computed:
            row[name] = function(text, article.language) if text else None


def _read_page(page: Page, extractor: Any, options: ExtractOptions | None) -> Article:
    return read(page, extractor) if options is None else read(page, extractor, options=options)


def _filtered(article: Article | ArticleText, options: ExtractOptions) -> Article | ArticleText:
    """Return the result of rules with the options applied."""
    return with_options(article, options) if isinstance(article, Article) else article


def _left_out(article: Article | ArticleText) -> str:
    """Return why a filter has left the article out."""
    doubt = article.doubt if isinstance(article, Article) else ""
    return doubt if doubt.startswith(LEFT_OUT) else ""


def _reason(error: Exception) -> str:
    message = str(error) if isinstance(error, TidingsError) else f"it raised {type(error).__name__}: {error}"
    return legal(" ".join(message.split())[:_LONGEST_REASON])


def _utc(value: datetime | date | None) -> datetime | None:
    """Convert a date or time to UTC. A day becomes its start. None if it is out of range."""
    if value is None:
        return None
    if not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    try:
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
    except OverflowError:
        return None


def _iso(value: datetime | date | None) -> str | None:
    return None if value is None else value.isoformat()


def _precision(value: datetime | date | None) -> str | None:
    return None if value is None else "second" if isinstance(value, datetime) else "day"
