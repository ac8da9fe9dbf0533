"""What the store holds of articles: their versions, the pages they came from, stories, reading; and its answers.

Frozen, in and out; times are aware and in UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, Generic, TypeVar

from tidings.article import Article
from tidings.news.store.query import Query
from tidings.news.store.records_of_work import PageTask

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RawPage:
    """A page as it was sent."""

    address: str
    content: bytes
    fetched: datetime
    content_type: str = ""


@dataclass(frozen=True, slots=True)
class NewArticle:
    """An article to keep. `maker` names the extractor, model or rule and its version."""

    article: Article
    at: datetime  # when it was extracted
    maker: str = ""
    page: RawPage | None = None
    keys: tuple[str, ...] = ()  # further identities found on the page: its final and canonical address
    category: str = ""  # where empty: the article's section, else the folder of its first source
    sources: tuple[int, ...] = ()  # those of its link come by themselves
    teaser_reason: str = ""  # why it has only the title and teaser of its feed; empty: it has its text


@dataclass(frozen=True, slots=True)
class Finished:
    """A task that is done. Without an article the link is skipped, for the reason given."""

    task: PageTask
    found: NewArticle | None = None
    reason: str = ""
    retry_at: datetime | None = None  # the page is fetched again then: the task stays in the queue


class Fate(StrEnum):
    """What became of an article that was handed over."""

    NEW = "new"
    CHANGED = "changed"  # a further version of one that was there
    SAME = "same"  # as the current version, word for word
    DUPLICATE = "duplicate"  # the article of another link
    SKIPPED = "skipped"
    LOST = "lost"  # the lease had run out and the task went to somebody else; nothing was written


@dataclass(frozen=True, slots=True)
class SavedArticle:
    """What became of an article, and its number."""

    fate: Fate
    article: int | None = None
    version: int | None = None


@dataclass(frozen=True, slots=True)
class ArticleCopy:
    """An article with the text of another: where it stands."""

    id: int
    address: str
    site: str
    site_name: str


@dataclass(frozen=True, slots=True)
class ArticleSubject:
    """What was found out about an article once it was there: its topic, and the agency that wrote it."""

    topic: str  # of `tidings.news.stories.topics`, or "other"
    agency: str = ""


@dataclass(frozen=True, slots=True)
class ArticleHeadline:
    """What a list shows of an article."""

    id: int
    title: str
    address: str
    site: str  # the host
    site_name: str
    language: str
    direction: str
    authors: tuple[str, ...]
    time: datetime  # published, or when it was first seen where that is unknown or still to come
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
    topic: str = ""  # empty: nobody has looked yet; "other": nothing tells
    agency: str = ""  # the news agency that wrote it
    copies: tuple[ArticleCopy, ...] = ()  # others with the same text
    teaser_reason: str = ""  # why it has only the title and teaser of its feed; empty: it has its text

    @property
    def is_dated_ahead(self) -> bool:
        """Whether it claims to be published after it was first seen: then `time` is when it was first seen."""
        return self.published is not None and self.published > self.first_seen


#: Why an article has only a teaser, in English; the portal has the same in its languages (`teaser.*`).
_TEASER_REASONS: Final = {
    "slow": "the site took too long",
    "robots": "the site's robots.txt does not allow it",
    "unreachable": "the site could not be reached",
    "empty": "the page has no text",
    "wall": "the page shows something else than the story",
    "waiting": "the page has not been read yet",
}


def teaser_sentence(reason: str) -> str:
    """Return why an article has only a teaser, in English."""
    if reason.isdigit():
        return f"the site answered {reason}"
    return _TEASER_REASONS.get(reason, "the page could not be read")


@dataclass(frozen=True, slots=True)
class ItemCounts:
    """How many items a source has shown, how many are articles, and how many of those have only a teaser."""

    items: int = 0
    articles: int = 0
    teasers: int = 0
    reason: str = ""  # of the latest teaser


@dataclass(frozen=True, slots=True)
class KeptArticle:
    """An article as the store has it: one of its versions."""

    headline: ArticleHeadline
    article: Article
    version: int  # 1, 2, …
    maker: str
    extracted: datetime
    page: str = ""  # the hash of the page it came from


@dataclass(frozen=True, slots=True)
class StoryDraft:
    """A story to write: a new one, or all of what a known one now is."""

    members: tuple[int, ...]
    title: str = ""
    summary: str = ""
    language: str = ""
    category: str = ""
    id: int | None = None
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Story:
    """Articles about one event."""

    id: int
    title: str
    summary: str
    language: str
    category: str
    first: datetime
    last: datetime
    size: int
    sites: int  # how many hosts tell of it
    followers: int
    image: str = ""
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of text with the places to mark: ranges, not markup, so whoever shows it escapes it as any text."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """An article that a search found."""

    headline: ArticleHeadline
    title: Snippet
    text: Snippet
    score: float = 0.0


class SearchOrder(StrEnum):
    """How found articles are sorted."""

    TIME = "time"  # the newest first
    RELEVANCE = "relevance"  # the best of the newest 1,000, then the older ones; without words, by time


@dataclass(frozen=True, slots=True)
class Count:
    """How many, and whether counting stopped there."""

    number: int
    at_least: bool = False


@dataclass(frozen=True, slots=True)
class Listed(Generic[T]):
    """A page of a list, the cursor that asks for the next (None at the end), and how many there are in all where that
    was found out on the way.
    """

    items: tuple[T, ...]
    after: str | None = None
    count: Count | None = None


@dataclass(frozen=True, slots=True)
class Only:
    """Which articles a list is of: all that is given must be true."""

    category: str | None = None
    topic: str | None = None
    source: int | None = None
    author: str | None = None
    story: int | None = None
    site: str | None = None
    language: str | tuple[str, ...] | None = None
    since: datetime | None = None
    until: datetime | None = None
    muted: bool = False  # also those that are muted
    copies: bool = True  # also those that repeat another's text
    query: Query | None = None
    reader: str | None = None  # who looks: without what their rules hide


@dataclass(frozen=True, slots=True)
class NameCount:
    """A name and how many articles have it."""

    name: str
    number: int


@dataclass(frozen=True, slots=True)
class Mute:
    """Articles that a query finds are not shown, until a time or for good."""

    query: str
    reason: str = ""
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Retention:
    """What is kept. What a person saved, and members of a followed story, stay whatever this says."""

    articles_for: timedelta | None = None
    articles_per_source: int | None = None
    versions_per_article: int | None = None  # the first and the current one always stay
    pages_for: timedelta | None = None
    pages_bytes: int | None = None  # compressed; the oldest go first
    links_for: timedelta | None = None  # links without an article, since they were last seen


@dataclass(frozen=True, slots=True)
class Removed:
    """What retention removed."""

    articles: int = 0
    versions: int = 0
    pages: int = 0
    links: int = 0


@dataclass(frozen=True, slots=True)
class Totals:
    """How much a store holds."""

    articles: int
    versions: int
    stories: int
    sources: int
    links: int
    pages: int
    page_bytes: int  # compressed
    teasers: int = 0  # articles with only the teaser of their feed
