"""What there is: categories, authors, hosts, languages, how much of everything, and the feeds it goes out in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final, TypeVar

from tidings.news.api.operations import JSON, Call, Operation
from tidings.news.api.responses import Feeds, feeds_of_category, feeds_of_latest, feeds_of_search
from tidings.news.api.schema import FieldDoc
from tidings.news.store.records_of_articles import NameCount

T = TypeVar("T")

_TAG: Final = "what there is"
_FRESH: Final = 10  # seconds
_MOST: Final = 1000


@dataclass(frozen=True, slots=True)
class TallyAsked:
    """How many names."""

    limit: Annotated[int, FieldDoc("How many to give.", least=1, most=_MOST)] = 100


@dataclass(frozen=True, slots=True)
class TallyItem:
    """A name, and how many articles have it."""

    name: str
    articles: int


@dataclass(frozen=True, slots=True)
class Tallies:
    """Names, those with most articles first."""

    items: tuple[TallyItem, ...]


@dataclass(frozen=True, slots=True)
class Languages:
    """Languages of articles, as ISO 639 has them."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QueueItem:
    """Pages that are still to be fetched."""

    waiting: int
    leased: Annotated[int, FieldDoc("Being fetched.")]
    later: Annotated[int, FieldDoc("To be tried again.")]
    failed: Annotated[int, FieldDoc("Given up.")]
    next_try: datetime | None


@dataclass(frozen=True, slots=True)
class TotalsFound:
    """How much the store holds."""

    articles: int
    versions: int
    stories: int
    sources: int
    links: int
    pages: int
    page_bytes: Annotated[int, FieldDoc("Of the pages, compressed.")]
    queue: QueueItem


@dataclass(frozen=True, slots=True)
class FeedItem:
    """A list that goes out as a feed."""

    name: str
    feeds: Feeds


@dataclass(frozen=True, slots=True)
class FeedList:
    """The lists that go out as feeds. Every source and story has its own, too."""

    items: tuple[FeedItem, ...]


def list_categories(call: Call) -> Tallies:
    """The categories there are, the largest first."""
    return _tallies(_kept(call, "categories", call.store.categories))


def list_authors(call: Call, asked: TallyAsked) -> Tallies:
    """Those who have written most."""
    return _tallies(_kept(call, "authors", lambda: call.store.authors(limit=_MOST))[: asked.limit])


def list_hosts(call: Call, asked: TallyAsked) -> Tallies:
    """The hosts with most articles."""
    return _tallies(_kept(call, "hosts", lambda: call.store.sites(limit=_MOST))[: asked.limit])


def list_languages(call: Call) -> Languages:
    """The languages of the articles there are."""
    return Languages(tuple(call.store.languages()))


def get_totals(call: Call) -> TotalsFound:
    """How much there is, and how much is still to be fetched."""
    told, queue = _kept(call, "totals", call.store.totals), call.store.queue(call.now)
    return TotalsFound(
        *(told.articles, told.versions, told.stories, told.sources, told.links, told.pages, told.page_bytes),
        QueueItem(queue.waiting, queue.leased, queue.later, queue.failed, queue.next_try),
    )


def list_feeds(call: Call) -> FeedList:
    """The lists that go out as RSS, Atom and JSON Feed, with full text."""
    categories = [FeedItem(one.name, feeds_of_category(one.name)) for one in call.store.categories() if one.name]
    return FeedList((FeedItem("latest", feeds_of_latest()), *categories, FeedItem("search", feeds_of_search("QUERY"))))


def _kept(call: Call, name: str, make: Callable[[], T]) -> T:
    """Counting a large store takes a while, and hardly changes from one moment to the next."""
    return call.app.shown.get(("api", name), make, _FRESH)


def _tallies(told: list[NameCount]) -> Tallies:
    return Tallies(tuple(TallyItem(one.name, one.number) for one in told))


OPERATIONS: Final = (
    Operation("GET", "/categories", list_categories, _TAG, gives={JSON: Tallies}),
    Operation("GET", "/authors", list_authors, _TAG, TallyAsked, gives={JSON: Tallies}),
    Operation("GET", "/hosts", list_hosts, _TAG, TallyAsked, gives={JSON: Tallies}),
    Operation("GET", "/languages", list_languages, _TAG, gives={JSON: Languages}),
    Operation("GET", "/totals", get_totals, _TAG, gives={JSON: TotalsFound}),
    Operation("GET", "/feeds", list_feeds, _TAG, gives={JSON: FeedList}),
)
