"""Response records of the API and the MCP server. The JSON schemas are generated from them.

This is the only place where stored articles, stories and sources become JSON. User names and passwords in URLs of
private feeds are left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import Field, dataclass, fields, is_dataclass
from datetime import UTC, date, datetime, time
from enum import Enum
from typing import Annotated, Any, Final
from urllib.parse import quote

from tidings.article import Article
from tidings.article.formats.as_json import as_dict
from tidings.urls import without_credentials
from tidings_portal.store.records_of_articles import (
    ArticleHeadline,
    Hit,
    ItemCounts,
    Listed,
    Snippet,
    Story,
    teaser_sentence,
)
from tidings_portal.store.records_of_work import Source, SourceKind
from tidings_portal.watch.health import with_content

_BASE: Final = "/feeds"
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOMENT: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}[0-9:.]{0,16}(?:[Zz]|[+-][0-9]{2}:?[0-9]{2})?"
)


@dataclass(frozen=True, slots=True)
class FieldDoc:
    """The description of a response field and its bounds, for the JSON schema."""

    text: str
    least: int | None = None  # of a number, or of how many there are
    most: int | None = None
    shortest: int = 0  # in characters
    longest: int | None = None
    format: str = ""  # as JSON Schema names formats
    example: str | int | None = None

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        """Add the description to the JSON schema that pydantic generates (for the MCP library)."""
        return {**handler(schema), "description": self.text}


@dataclass(frozen=True, slots=True)
class Feeds:
    """The URLs of a list of articles as a feed in three formats."""

    rss: str
    atom: str
    json: str


def feeds_of_latest() -> Feeds:
    """Return the feed URLs of the latest articles."""
    return _feeds(f"{_BASE}/latest")


def feeds_of_source(number: int) -> Feeds:
    """Return the feed URLs of a source."""
    return _feeds(f"{_BASE}/source/{number}")


def feeds_of_story(number: int) -> Feeds:
    """Return the feed URLs of a story."""
    return _feeds(f"{_BASE}/story/{number}")


def feeds_of_category(name: str) -> Feeds:
    """Return the feed URLs of a category."""
    return _feeds(f"{_BASE}/category/{quote(name, safe='')}")


def feeds_of_search(query: str) -> Feeds:
    """Return the feed URLs of a search."""
    return _feeds(f"{_BASE}/search", f"?q={quote(query, safe='')}")


def _feeds(path: str, query: str = "") -> Feeds:
    return Feeds(*(f"{path}.{form}{query}" for form in ("rss", "atom", "json")))


Next = Annotated[str | None, FieldDoc("Value of `cursor` for the next page; null at the end.")]


@dataclass(frozen=True, slots=True)
class CopyItem:
    """An article with the same text as another."""

    id: int
    url: str
    site: str
    site_name: str


@dataclass(frozen=True, slots=True)
class ArticleItem:
    """An article in a list."""

    id: int
    title: str
    url: str
    site: str
    site_name: str
    language: str
    direction: str
    authors: tuple[str, ...]
    time: Annotated[datetime, FieldDoc("Publication time, or when it was first seen if no time is declared.")]
    published: datetime | None
    first_seen: datetime
    category: Annotated[str, FieldDoc("Category of the outlet.")]
    topic: Annotated[str, FieldDoc("One of twelve topics, opinion, or other; empty: not classified yet.")]
    agency: Annotated[str, FieldDoc("News agency that wrote it, if declared.")]
    summary: str
    image: str
    kind: str
    words: int
    story: int | None
    reads: int
    muted: bool
    versions: int
    sources: tuple[int, ...]
    copies: Annotated[tuple[CopyItem, ...], FieldDoc("Other articles with the same text.")]
    teaser_reason: Annotated[str, FieldDoc("Why the article has only title and teaser; empty: it is complete.")]


@dataclass(frozen=True, slots=True)
class Articles:
    """A page of a list of articles."""

    items: tuple[ArticleItem, ...]
    next: Next


@dataclass(frozen=True, slots=True)
class Found:
    """A text with ranges to highlight: offsets of characters, not markup."""

    text: str
    marks: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class HitItem:
    """An article that a search found."""

    article: ArticleItem
    title: Found
    text: Found
    score: float


@dataclass(frozen=True)  # no slots: see `tidings_portal.mcp.service`
class Hits:
    """A page of search results."""

    items: tuple[HitItem, ...]
    total: Annotated[int, FieldDoc("Total number of results; counting stops at 1,000.")]
    total_is_at_least: Annotated[bool, FieldDoc("Whether there are more than `total`.")]
    next: Next


@dataclass(frozen=True, slots=True)
class StoryItem:
    """Articles about one event."""

    id: int
    title: str
    summary: str
    language: str
    category: str
    topic: str
    first: datetime
    last: datetime
    articles: int
    sites: int
    followers: int
    image: str
    feeds: Feeds


@dataclass(frozen=True)  # no slots: see `tidings_portal.mcp.service`
class Stories:
    """A page of a list of stories."""

    items: tuple[StoryItem, ...]
    next: Next


@dataclass(frozen=True)  # no slots: see `tidings_portal.mcp.service`
class ToldStory:
    """A story with its articles, the latest first."""

    story: StoryItem
    articles: tuple[ArticleItem, ...]
    next: Next


@dataclass(frozen=True, slots=True)
class SourceItem:
    """A feed, front page or sitemap with its state."""

    id: int
    address: str
    kind: SourceKind
    title: str
    folder: str
    language: str
    minutes: Annotated[float | None, FieldDoc("Polling interval of the user; null: adapted to how often it has news.")]
    has_credentials: bool
    muted: bool
    recipe: Annotated[str, FieldDoc("Recipe; empty: the default.")]
    added: datetime
    state: Annotated[str, FieldDoc("State in one word: new, ok, or the kind of failure.")]
    problem: Annotated[str, FieldDoc("Problem and remedy in a sentence; empty if the source works.")]
    failures: Annotated[int, FieldDoc("Number of consecutive failed polls.")]
    gone: Annotated[bool, FieldDoc("Whether the source is permanently gone (410) and not polled.")]
    last_try: datetime | None
    last_success: datetime | None
    next_poll: datetime | None
    pace_minutes: Annotated[float, FieldDoc("Current polling interval.")]
    articles: int
    teasers: Annotated[int, FieldDoc("Number of articles with only title and teaser.")]
    feeds: Feeds


def article(headline: ArticleHeadline) -> ArticleItem:
    """Convert a stored article to its record for lists."""
    return ArticleItem(
        id=headline.id,
        title=headline.title,
        url=headline.address,
        site=headline.site,
        site_name=headline.site_name,
        language=headline.language,
        direction=headline.direction,
        authors=headline.authors,
        time=headline.time,
        published=headline.published,
        first_seen=headline.first_seen,
        category=headline.category,
        topic=headline.topic,
        agency=headline.agency,
        summary=headline.summary,
        image=headline.image,
        kind=headline.kind,
        words=headline.words,
        story=headline.story,
        reads=headline.reads,
        muted=headline.muted,
        versions=headline.versions,
        sources=headline.sources,
        copies=tuple(CopyItem(one.id, one.address, one.site, one.site_name) for one in headline.copies),
        teaser_reason=teaser_sentence(headline.teaser_reason) if headline.teaser_reason else "",
    )


def articles(listed: Listed[ArticleHeadline]) -> Articles:
    """Convert a page of stored articles to its record."""
    return Articles(tuple(map(article, listed.items)), listed.after)


def hit(result: Hit) -> HitItem:
    """Convert a search result to its record."""
    return HitItem(article(result.headline), _snippet(result.title), _snippet(result.text), result.score)


def _snippet(snippet: Snippet) -> Found:
    return Found(snippet.text, snippet.marks)


def story(stored: Story) -> StoryItem:
    """Convert a stored story to its record for lists."""
    return StoryItem(
        id=stored.id,
        title=stored.title,
        summary=stored.summary,
        language=stored.language,
        category=stored.category,
        topic=stored.topic,
        first=stored.first,
        last=stored.last,
        articles=stored.size,
        sites=stored.sites,
        followers=stored.followers,
        image=stored.image,
        feeds=feeds_of_story(stored.id),
    )


def source(stored: Source, counts: ItemCounts | None) -> SourceItem:
    """Convert a stored source to its record, with its number of articles."""
    counts = counts or ItemCounts()
    one = with_content(stored, counts)
    told = one.settings
    return SourceItem(
        id=one.id,
        address=without_credentials(told.address),
        kind=told.kind,
        title=told.title,
        folder=told.folder,
        language=told.language,
        minutes=None if told.interval is None else told.interval.total_seconds() / 60,
        has_credentials=bool(told.credentials) or without_credentials(told.address) != told.address,
        muted=told.muted,
        recipe=told.recipe,
        added=one.added,
        state=one.state,
        problem=one.problem.replace(told.address, without_credentials(told.address)),
        failures=one.failures,
        gone=one.gone,
        last_try=one.last_try,
        last_success=one.last_success,
        next_poll=None if one.gone else one.next_poll,
        pace_minutes=one.pace.total_seconds() / 60,
        articles=counts.articles,
        teasers=counts.teasers,
        feeds=feeds_of_source(one.id),
    )


#: Half characters, which UTF-8 cannot hold.
_HALF: Final = re.compile("[\ud800-\udfff]")


def as_json(record: object) -> bytes:
    """Serialise a record as JSON."""
    text = json.dumps(plain(record), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _HALF.sub("\ufffd", text).encode()


def plain(value: Any) -> Any:
    """Convert a record to JSON values."""
    if isinstance(value, Article):
        return as_dict(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field_name(one): plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Enum | date):
        return value.value if isinstance(value, Enum) else value.isoformat()
    if isinstance(value, Mapping):
        return {str(name): plain(inner) for name, inner in value.items()}
    if isinstance(value, tuple | list):
        return [plain(inner) for inner in value]
    return value


def field_name(field: Field[Any]) -> str:
    """Return the JSON name of a field: `with_` becomes `with`."""
    return field.name.rstrip("_")


class UnfitValue(ValueError):
    """A field has an invalid value."""


def moment(text: str, *, end: bool = False) -> datetime:
    """Parse an ISO 8601 date or date-time. The default time zone is UTC; with `end`, a date means the end of the day.

    Raises:
        UnfitValue: it is neither.
    """
    found = None
    with suppress(ValueError):  # the thirtieth of February
        if _DAY.fullmatch(text):
            return datetime.combine(date.fromisoformat(text), time.max if end else time.min, UTC)
        if _MOMENT.fullmatch(text):
            found = datetime.fromisoformat(text.upper())
    if found is None:
        raise UnfitValue("is neither a day nor a moment; write 2026-03-01 or 2026-03-01T12:30:00Z")
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
