"""What the API and the MCP server answer with: frozen records of plain values, from which the schemas are made.

The one place where articles, stories and sources of the store become JSON for somebody outside. Names and passwords in
the addresses of private feeds never leave the house, nor do pages' credentials.
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
from tidings.news.store.records_of_articles import (
    ArticleHeadline,
    Hit,
    ItemCounts,
    Listed,
    Snippet,
    Story,
    teaser_sentence,
)
from tidings.news.store.records_of_work import Source, SourceKind
from tidings.news.watch.health import with_content
from tidings.urls import without_credentials

_BASE: Final = "/feeds"
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOMENT: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}[0-9:.]{0,16}(?:[Zz]|[+-][0-9]{2}:?[0-9]{2})?"
)


@dataclass(frozen=True, slots=True)
class FieldDoc:
    """A sentence on a field, and its bounds."""

    text: str
    least: int | None = None  # of a number, or of how many there are
    most: int | None = None
    shortest: int = 0  # in characters
    longest: int | None = None
    format: str = ""  # as JSON Schema names formats
    example: str | int | None = None

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        """For the MCP library, which makes its schemas by pydantic."""
        return {**handler(schema), "description": self.text}


@dataclass(frozen=True, slots=True)
class Feeds:
    """One list as a feed, in three formats."""

    rss: str
    atom: str
    json: str


def feeds_of_latest() -> Feeds:
    """The latest articles."""
    return _feeds(f"{_BASE}/latest")


def feeds_of_source(number: int) -> Feeds:
    """What a source brought."""
    return _feeds(f"{_BASE}/source/{number}")


def feeds_of_story(number: int) -> Feeds:
    """The articles of a story."""
    return _feeds(f"{_BASE}/story/{number}")


def feeds_of_category(name: str) -> Feeds:
    """The articles of a category."""
    return _feeds(f"{_BASE}/category/{quote(name, safe='')}")


def feeds_of_search(query: str) -> Feeds:
    """What a query finds."""
    return _feeds(f"{_BASE}/search", f"?q={quote(query, safe='')}")


def _feeds(path: str, query: str = "") -> Feeds:
    return Feeds(*(f"{path}.{form}{query}" for form in ("rss", "atom", "json")))


Next = Annotated[str | None, FieldDoc("Give it as `cursor` for what follows; null at the end.")]


@dataclass(frozen=True, slots=True)
class CopyItem:
    """An article with the text of another."""

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
    time: Annotated[datetime, FieldDoc("When it came out, or was first seen where that is not told.")]
    published: datetime | None
    first_seen: datetime
    category: Annotated[str, FieldDoc("What its outlet calls it.")]
    topic: Annotated[str, FieldDoc("One of twelve topics, opinion, or other; empty: nobody has looked yet.")]
    agency: Annotated[str, FieldDoc("The news agency that wrote it, where that is told.")]
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
    teaser_reason: Annotated[str, FieldDoc("Why it has only the title and teaser of its feed; empty: it has its text.")]


@dataclass(frozen=True, slots=True)
class Articles:
    """A page of a list of articles."""

    items: tuple[ArticleItem, ...]
    next: Next


@dataclass(frozen=True, slots=True)
class Found:
    """Text with the places where a query was found: ranges of characters, not markup."""

    text: str
    marks: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class HitItem:
    """An article that a search found."""

    article: ArticleItem
    title: Found
    text: Found
    score: float


@dataclass(frozen=True)  # no slots: see `tidings.news.mcp.service`
class Hits:
    """A page of what a search found."""

    items: tuple[HitItem, ...]
    total: Annotated[int, FieldDoc("How many there are in all; counting stops at 1,000.")]
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


@dataclass(frozen=True)  # no slots: see `tidings.news.mcp.service`
class Stories:
    """A page of a list of stories."""

    items: tuple[StoryItem, ...]
    next: Next


@dataclass(frozen=True)  # no slots: see `tidings.news.mcp.service`
class ToldStory:
    """A story with its articles, the latest first."""

    story: StoryItem
    articles: tuple[ArticleItem, ...]
    next: Next


@dataclass(frozen=True, slots=True)
class SourceItem:
    """A feed, front page or sitemap, and how it is."""

    id: int
    address: str
    kind: SourceKind
    title: str
    folder: str
    language: str
    minutes: Annotated[float | None, FieldDoc("It is to be polled this often; null: as often as it has news.")]
    has_credentials: bool
    muted: bool
    recipe: Annotated[str, FieldDoc("The recipe that it is read by; empty: as all that name none.")]
    added: datetime
    state: Annotated[str, FieldDoc("One word: new, ok, or what is wrong.")]
    problem: Annotated[str, FieldDoc("What is wrong and what to do, in a sentence; empty where nothing is.")]
    failures: Annotated[int, FieldDoc("Polls in a row that failed.")]
    gone: Annotated[bool, FieldDoc("It said that it will not come back, and is not polled.")]
    last_try: datetime | None
    last_success: datetime | None
    next_poll: datetime | None
    pace_minutes: Annotated[float, FieldDoc("How often it is polled now.")]
    articles: int
    teasers: Annotated[int, FieldDoc("Articles that have only the title and teaser of the feed.")]
    feeds: Feeds


def article(told: ArticleHeadline) -> ArticleItem:
    """An article in a list."""
    return ArticleItem(
        id=told.id,
        title=told.title,
        url=told.address,
        site=told.site,
        site_name=told.site_name,
        language=told.language,
        direction=told.direction,
        authors=told.authors,
        time=told.time,
        published=told.published,
        first_seen=told.first_seen,
        category=told.category,
        topic=told.topic,
        agency=told.agency,
        summary=told.summary,
        image=told.image,
        kind=told.kind,
        words=told.words,
        story=told.story,
        reads=told.reads,
        muted=told.muted,
        versions=told.versions,
        sources=told.sources,
        copies=tuple(CopyItem(one.id, one.address, one.site, one.site_name) for one in told.copies),
        teaser_reason=teaser_sentence(told.teaser_reason) if told.teaser_reason else "",
    )


def articles(listed: Listed[ArticleHeadline]) -> Articles:
    """A page of a list."""
    return Articles(tuple(map(article, listed.items)), listed.after)


def hit(found: Hit) -> HitItem:
    """An article that a search found."""
    return HitItem(article(found.headline), _found(found.title), _found(found.text), found.score)


def _found(told: Snippet) -> Found:
    return Found(told.text, told.marks)


def story(told: Story) -> StoryItem:
    """A story in a list."""
    return StoryItem(
        id=told.id,
        title=told.title,
        summary=told.summary,
        language=told.language,
        category=told.category,
        topic=told.topic,
        first=told.first,
        last=told.last,
        articles=told.size,
        sites=told.sites,
        followers=told.followers,
        image=told.image,
        feeds=feeds_of_story(told.id),
    )


def source(stored: Source, counts: ItemCounts | None) -> SourceItem:
    """A source, and how many articles it has brought."""
    counts = counts or ItemCounts()
    one = with_content(stored, counts)
    told = one.told
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


def as_json(told: object) -> bytes:
    """An answer as it is sent."""
    text = json.dumps(plain(told), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _HALF.sub("\ufffd", text).encode()


def plain(told: Any) -> Any:
    """A record as dicts, lists and texts."""
    if isinstance(told, Article):
        return as_dict(told)
    if is_dataclass(told) and not isinstance(told, type):
        return {field_name(one): plain(getattr(told, one.name)) for one in fields(told)}
    if isinstance(told, Enum | date):
        return told.value if isinstance(told, Enum) else told.isoformat()
    if isinstance(told, Mapping):
        return {str(name): plain(value) for name, value in told.items()}
    if isinstance(told, tuple | list):
        return [plain(one) for one in told]
    return told


def field_name(one: Field[Any]) -> str:
    """What a field is called outside: `with_` is `with`."""
    return one.name.rstrip("_")


class UnfitValue(ValueError):
    """A value that a field does not take."""


def moment(text: str, *, end: bool = False) -> datetime:
    """A day or a moment in ISO 8601; UTC where no zone is told. A day that ends something counts whole.

    Raises:
        Unfit: it is neither.
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
