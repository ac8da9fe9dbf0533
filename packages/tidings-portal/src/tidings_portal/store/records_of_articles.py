"""Records of articles, versions, pages, stories, filters and search results. Frozen; times are aware and in UTC."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, Generic, TypeVar

from tidings.article import Article
from tidings_portal.store.query import Query
from tidings_portal.store.records_of_work import PageTask

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RawPage:
    """A page as received."""

    address: str
    content: bytes
    fetched: datetime
    content_type: str = ""


@dataclass(frozen=True, slots=True)
class NewArticle:
    """An article to store. `maker` names the extractor, model or rule and its version."""

    article: Article
    at: datetime  # when it was extracted
    maker: str = ""
    page: RawPage | None = None
    keys: tuple[str, ...] = ()  # more keys from the page: its final and canonical URL
    category: str = ""  # where empty: the article's section, else the folder of its first source
    sources: tuple[int, ...] = ()  # in addition to those of its link
    teaser_reason: str = ""  # why it has only the title and teaser of its feed; empty: it has its text


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished page task with its article, or the reason why its link is skipped."""

    task: PageTask
    found: NewArticle | None = None
    reason: str = ""
    retry_at: datetime | None = None  # refetch the page then: the task stays queued


class Fate(StrEnum):
    """What happened to an article that was to be stored."""

    NEW = "new"
    CHANGED = "changed"  # a new version of a stored article
    SAME = "same"  # identical to the current version
    DUPLICATE = "duplicate"  # the article of another link
    SKIPPED = "skipped"
    LOST = "lost"  # the lease expired and another worker has the task; nothing was written


@dataclass(frozen=True, slots=True)
class SavedArticle:
    """The number of an article, and what happened to it when it was stored."""

    fate: Fate
    article: int | None = None
    version: int | None = None


@dataclass(frozen=True, slots=True)
class ArticleCopy:
    """Another article with the same text."""

    id: int
    address: str
    site: str
    site_name: str


@dataclass(frozen=True, slots=True)
class ArticleSubject:
    """The topic of an article, and the agency that wrote it."""

    topic: str  # of `tidings_portal.stories.topics`, or "other"
    agency: str = ""


@dataclass(frozen=True, slots=True)
class ArticleHeadline:
    """The fields of an article that lists show."""

    id: int
    title: str
    address: str
    site: str  # the host
    site_name: str
    language: str
    direction: str
    authors: tuple[str, ...]
    time: datetime  # time of publication, or first seen if that is unknown or in the future
    published: datetime | None
    first_seen: datetime
    category: str
    summary: str
    image: str
    kind: str
    words: int
    story: int | None
    reads: int
    muted: bool
    versions: int
    sources: tuple[int, ...] = ()
    topic: str = ""  # empty: not classified yet; "other": no topic
    agency: str = ""  # the news agency that wrote it
    copies: tuple[ArticleCopy, ...] = ()  # other articles with the same text
    teaser_reason: str = ""  # why it has only the title and teaser of its feed; empty: it has its text

    @property
    def is_dated_ahead(self) -> bool:
        """Return whether the article is dated after it was first seen. Then `time` is when it was first seen."""
        return self.published is not None and self.published > self.first_seen


#: Why an article has only a teaser, in English; the portal has the same in its languages (`teaser.*`).
_TEASER_REASONS: Final = {
    "slow": "the site took too long",
    "robots": "the site's robots.txt does not allow it",
    "unreachable": "the site could not be reached",
    "empty": "the page has no text",
    "wall": "the page shows something else than the article",
    "waiting": "the page has not been read yet",
}


def teaser_sentence(reason: str) -> str:
    """Return why an article has only a teaser, in English."""
    if reason.isdigit():
        return f"the site answered {reason}"
    return _TEASER_REASONS.get(reason, "the page could not be read")


@dataclass(frozen=True, slots=True)
class ItemCounts:
    """The numbers of items, articles and teasers of a source."""

    items: int = 0
    articles: int = 0
    teasers: int = 0
    reason: str = ""  # of the latest teaser


@dataclass(frozen=True, slots=True)
class KeptArticle:
    """One version of a stored article."""

    headline: ArticleHeadline
    article: Article
    version: int  # 1, 2, …
    maker: str
    extracted: datetime
    page: str = ""  # the hash of the page it came from


@dataclass(frozen=True, slots=True)
class StoryDraft:
    """A story to write: a new one, or all members of a stored one."""

    members: tuple[int, ...]
    title: str = ""
    summary: str = ""
    language: str = ""
    category: str = ""
    id: int | None = None
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Story:
    """A cluster of articles about one event."""

    id: int
    title: str
    summary: str
    language: str
    category: str
    first: datetime
    last: datetime
    size: int
    sites: int  # the number of hosts that cover it
    followers: int
    image: str = ""
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of text with ranges to highlight. It has no markup, so escape it like any text."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A search result."""

    headline: ArticleHeadline
    title: Snippet
    text: Snippet
    score: float = 0.0


class SearchOrder(StrEnum):
    """The order of search results."""

    TIME = "time"  # newest first
    RELEVANCE = "relevance"  # the best of the newest 1,000, then the older ones; without words, by time


@dataclass(frozen=True, slots=True)
class Count:
    """A count that may have stopped at a limit."""

    number: int
    at_least: bool = False


@dataclass(frozen=True, slots=True)
class Listed(Generic[T]):
    """A page of a list, the cursor of the next page (None at the end), and the total if it was counted."""

    items: tuple[T, ...]
    after: str | None = None
    count: Count | None = None


@dataclass(frozen=True, slots=True)
class Only:
    """The filters of a list; all of them must match."""

    category: str | None = None
    topic: str | None = None
    source: int | None = None
    author: str | None = None
    story: int | None = None
    site: str | None = None
    language: str | tuple[str, ...] | None = None
    since: datetime | None = None
    until: datetime | None = None
    muted: bool = False  # include muted articles
    copies: bool = True  # include copies
    query: Query | None = None
    reader: str | None = None  # leave out what the rules of this user hide


@dataclass(frozen=True, slots=True)
class NameCount:
    """A name and its number of articles."""

    name: str
    number: int


@dataclass(frozen=True, slots=True)
class Mute:
    """A mute rule: articles that the query matches are hidden until a time, or for good."""

    query: str
    reason: str = ""
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Retention:
    """A retention policy. Saved articles and members of followed stories always stay."""

    articles_for: timedelta | None = None
    articles_per_source: int | None = None
    versions_per_article: int | None = None  # the first and the current one are always retained
    pages_for: timedelta | None = None
    pages_bytes: int | None = None  # compressed; the oldest are deleted first
    links_for: timedelta | None = None  # links without an article, counted from when they were last seen


@dataclass(frozen=True, slots=True)
class Removed:
    """The numbers of deleted records."""

    articles: int = 0
    versions: int = 0
    pages: int = 0
    links: int = 0


@dataclass(frozen=True, slots=True)
class Totals:
    """The totals of a store."""

    articles: int
    versions: int
    stories: int
    sources: int
    links: int
    pages: int
    page_bytes: int  # compressed
    teasers: int = 0  # articles with only the teaser of their feed
