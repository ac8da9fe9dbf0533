"""What the API answers with: frozen records of plain values, from which the schemas are made.

Names and passwords in the addresses of private feeds never leave the house, nor do pages' credentials.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final
from urllib.parse import quote

from tidings.news.api.schema import FieldDoc
from tidings.news.selection import without_password
from tidings.news.store.records_of_articles import ArticleHeadline, Hit, Listed, Snippet, Story
from tidings.news.store.records_of_work import Source, SourceKind

_BASE: Final = "/feeds"


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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Stories:
    """A page of a list of stories."""

    items: tuple[StoryItem, ...]
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


def source(one: Source, brought: int) -> SourceItem:
    """A source, and how many articles it has brought."""
    told = one.told
    return SourceItem(
        id=one.id,
        address=without_password(told.address),
        kind=told.kind,
        title=told.title,
        folder=told.folder,
        language=told.language,
        minutes=None if told.interval is None else told.interval.total_seconds() / 60,
        has_credentials=bool(told.credentials) or without_password(told.address) != told.address,
        muted=told.muted,
        added=one.added,
        state=one.state,
        problem=one.problem.replace(told.address, without_password(told.address)),
        failures=one.failures,
        gone=one.gone,
        last_try=one.last_try,
        last_success=one.last_success,
        next_poll=None if one.gone else one.next_poll,
        pace_minutes=one.pace.total_seconds() / 60,
        articles=brought,
        feeds=feeds_of_source(one.id),
    )
