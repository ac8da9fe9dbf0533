"""API operations for sources (list, add, change, remove, poll), and for counts by category, author and host."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Final, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from tidings.errors import InputError
from tidings.sources import read_opml, write_opml
from tidings.urls import URL, without_credentials
from tidings_portal import responses
from tidings_portal.api.operations import Call, Operation, RequestBody
from tidings_portal.api.requests import refuse
from tidings_portal.api.schema import Number
from tidings_portal.recipes.catalogue import RecipeCatalogue
from tidings_portal.responses import (
    Feeds,
    FieldDoc,
    SourceItem,
    feeds_of_category,
    feeds_of_latest,
    feeds_of_search,
)
from tidings_portal.store.records_of_articles import NameCount
from tidings_portal.store.records_of_people import LOCAL
from tidings_portal.store.records_of_work import NewSource, Source
from tidings_portal.trends import articles_by_year
from tidings_portal.watch.new_sources import KINDS, as_subscription, look_at, of_list
from tidings_portal.web.access import Access

_TAG: Final = "sources"

Address_ = Annotated[str, FieldDoc("URL of a feed, front page or sitemap.", shortest=1, longest=4000)]
Title = Annotated[str, FieldDoc("Title. Default: the declared title.", longest=500)]
Folder = Annotated[str, FieldDoc("Folder; also the category of articles that declare none.", longest=200)]
Spoken = Annotated[str, FieldDoc("Language of the source: en, tr …", longest=35)]
Minutes = Annotated[
    int | None, FieldDoc("Polling interval; null: adapted to how often it has news.", least=1, most=60 * 24 * 365)
]
Credentials = Annotated[
    str, FieldDoc("For a private feed: `name:password`, or the value of the Authorization header.", longest=2000)
]
Unseen = Annotated[bool, FieldDoc("Poll the source, but hide its articles.")]


class AskedSourceKind(StrEnum):
    """Kinds of sources; `auto` detects the kind."""

    AUTO = "auto"
    FEED = "feed"
    FRONT = "front"
    SITEMAP = "sitemap"


@dataclass(frozen=True, slots=True)
class SourceToAdd:
    """A source to add."""

    address: Address_
    kind: Annotated[AskedSourceKind, FieldDoc("Kind of the source; auto detects it.")] = AskedSourceKind.AUTO
    title: Title = ""
    folder: Folder = ""
    language: Spoken = ""
    minutes: Minutes = None
    credentials: Credentials = ""
    muted: Unseen = False
    recipe: Annotated[str, FieldDoc("Recipe: a name that `tidings recipes` lists.", longest=60)] = ""


@dataclass(frozen=True, slots=True)
class SourceChange:
    """Changes of a source; missing fields stay unchanged."""

    title: Annotated[str | None, FieldDoc("Title.", longest=500)] = None
    folder: Annotated[str | None, FieldDoc("Folder.", longest=200)] = None
    language: Annotated[str | None, FieldDoc("Language of the source.", longest=35)] = None
    minutes: Annotated[
        int | None, FieldDoc("Polling interval; 0: adapted to how often it has news.", least=0, most=525_600)
    ] = None
    credentials: Annotated[str | None, FieldDoc("Credentials, as when adding a source; empty: none.", longest=2000)] = (
        None
    )
    muted: Annotated[bool | None, FieldDoc("Poll the source, but hide its articles.")] = None
    recipe: Annotated[str | None, FieldDoc("Recipe; empty: the default.", longest=60)] = None


@dataclass(frozen=True, slots=True)
class OneSource:
    """Parameters that name a source."""

    id: Number


@dataclass(frozen=True, slots=True)
class Sources:
    """All sources, by folder and name."""

    items: tuple[SourceItem, ...]


@dataclass(frozen=True, slots=True)
class AddedSources:
    """The sources that were added, and further feeds that the page declares."""

    items: tuple[SourceItem, ...]
    new: Annotated[int, FieldDoc("Number of sources that were not in the store.")]
    offers: Annotated[tuple[str, ...], FieldDoc("Feeds that the page declares, which you can add instead.")] = ()
    problems: Annotated[tuple[str, ...], FieldDoc("Problems of an OPML file.")] = ()


def list_sources(call: Call) -> Sources:
    """List all sources with their states."""
    counts = call.store.item_counts()
    return Sources(tuple(responses.source(one, counts.get(one.id)) for one in call.store.sources()))


def get_source(call: Call, params: OneSource) -> SourceItem:
    """Return a source with its state."""
    return _item(call, _source(call, params.id))


async def add_source(call: Call, body: SourceToAdd) -> AddedSources:
    """Add a source: a feed, a front page, a sitemap, or a list of feeds.

    With `auto` its kind is detected by fetching it. An existing source is unchanged.
    """
    told = NewSource(
        body.address.strip(),
        title=body.title,
        folder=body.folder,
        language=body.language,
        interval=None if body.minutes is None else timedelta(minutes=body.minutes),
        credentials=body.credentials,
        muted=body.muted,
        recipe=await run_in_threadpool(_recipe, call, body.recipe),
    )
    if body.kind is not AskedSourceKind.AUTO:
        URL.parse(told.address)  # what is none is refused
        return await run_in_threadpool(add_to_store, call, (replace(told, kind=KINDS[body.kind.value]),), ())
    try:
        found = await look_at(call.app.fetcher, told)
    except InputError as error:  # it advises those who sit at the command line
        refuse(422, re.sub(r"`--as (\w+)`", r'"kind": "\1"', str(error)))
    offers = tuple(without_credentials(offer.address) for offer in found.offers[:20])
    return await run_in_threadpool(add_to_store, call, found.sources, offers)


def change_source(call: Call, params: OneSource, body: SourceChange) -> SourceItem:
    """Change the settings of a source."""
    old = _source(call, params.id).settings
    given = {one.name: getattr(body, one.name) for one in fields(body)}
    given["recipe"] = None if body.recipe is None else _recipe(call, body.recipe)
    minutes = given.pop("minutes")
    new = replace(old, **{name: value for name, value in given.items() if value is not None})
    new = replace(new, interval=_interval(old.interval, minutes))
    if not call.store.change_source(params.id, new):
        refuse(404, f"there is no source {params.id}")
    call.app.cache.forget()
    return _item(call, _source(call, params.id))


@dataclass(frozen=True, slots=True)
class YearItem:
    """The number of articles of a year."""

    year: int
    articles: int


@dataclass(frozen=True, slots=True)
class Years:
    """Numbers of articles by year, from the first year with any."""

    items: tuple[YearItem, ...]


def list_years(call: Call, params: OneSource) -> Years:
    """List the number of a source's articles by year, for example of the posts of a blog."""
    _source(call, params.id)
    return Years(tuple(YearItem(*one) for one in articles_by_year(call.store, params.id, call.now)))


def remove_source(call: Call, params: OneSource) -> None:
    """Remove a source. Its articles stay."""
    if not call.store.remove_source(params.id):
        refuse(404, f"there is no source {params.id}")
    call.app.cache.forget()


def poll_source(call: Call, params: OneSource) -> SourceItem:
    """Poll a source as soon as a watcher is free, even if it was permanently gone."""
    if not call.store.poll_again(params.id, call.now):
        refuse(404, f"there is no source {params.id}")
    return _item(call, _source(call, params.id))


def add_to_store(call: Call, sources: tuple[NewSource, ...], offers: tuple[str, ...]) -> AddedSources:
    """Add sources to the store, and subscribe the caller to them if they have an account."""
    before = {one.id for one in call.store.sources()}
    numbers = call.store.add_sources(sources, call.now)
    person = call.caller.token.person if call.caller.token is not None else LOCAL
    if person != LOCAL:
        call.store.begin_subscriptions(person, call.now)
        for number, source in zip(numbers, sources, strict=True):
            call.store.subscribe(number, person, call.now, folder=source.folder, title=source.title)
    call.app.cache.forget()
    counts = call.store.item_counts()
    ids = set(numbers)
    items = [responses.source(one, counts.get(one.id)) for one in call.store.sources() if one.id in ids]
    return AddedSources(tuple(items), len(ids - before), offers)


def _source(call: Call, number: int) -> Source:
    found = call.store.source(number)
    if found is None:
        refuse(404, f"there is no source {number}")
    return found


def _item(call: Call, source: Source) -> SourceItem:
    return responses.source(source, call.store.item_counts().get(source.id))


def _recipe(call: Call, name: str) -> str:
    known = RecipeCatalogue(call.store).names() if name else ()
    if name and name not in known:
        refuse(422, f"there is no recipe {name!r}; there are {', '.join(known)}")
    return name


def _interval(old: timedelta | None, minutes: int | None) -> timedelta | None:
    if minutes is None:
        return old
    return timedelta(minutes=minutes) if minutes else None


OPERATIONS: Final = (
    Operation("GET", "/sources", list_sources, _TAG),
    Operation("POST", "/sources", add_source, _TAG, status=201, access=Access.OWN, costs=True, problems=(502, 504)),
    Operation("GET", "/sources/{id}", get_source, _TAG, problems=(404,)),
    Operation("PATCH", "/sources/{id}", change_source, _TAG, access=Access.HOUSE, problems=(404,)),
    Operation("GET", "/sources/{id}/years", list_years, _TAG, problems=(404,)),
    Operation("DELETE", "/sources/{id}", remove_source, _TAG, access=Access.HOUSE, problems=(404,)),
    Operation("POST", "/sources/{id}/poll", poll_source, _TAG, status=202, access=Access.HOUSE, problems=(404,)),
)


_KINDS: Final = ("text/x-opml", "application/xml", "text/xml")
#: Of one list; a reader with more has been copied from a directory.
_MOST: Final = 5_000


def get_opml(call: Call) -> Response:
    """Export all sources as OPML 2.0, without passwords."""
    told = [replace(one.settings, address=without_credentials(one.settings.address)) for one in call.store.sources()]
    data = write_opml([as_subscription(one) for one in told if one.address], call.app.settings.name)
    headers = {"content-disposition": 'attachment; filename="tidings.opml"'}
    return Response(data, headers=headers, media_type="text/x-opml")


def add_opml(call: Call, body: RequestBody) -> AddedSources:
    """Add all feeds of an OPML file with their folders."""
    listed = read_opml(body.data)
    problems = tuple(map(str, listed.problems))
    if not listed.feeds:
        refuse(422, f"this is no list of feeds: {'; '.join(problems) or 'it names none'}")
    if len(listed.feeds) > _MOST:
        refuse(422, f"the list names {len(listed.feeds):,} feeds; {_MOST:,} at most come in at once")
    added = add_to_store(call, of_list(listed.feeds), ())
    return replace(added, problems=problems)


OPML_OPERATIONS: Final = (
    Operation("GET", "/opml", get_opml, _TAG, gives={"text/x-opml": str}),
    Operation("POST", "/opml", add_opml, _TAG, body=dict.fromkeys(_KINDS, bytes), access=Access.OWN),
)


T = TypeVar("T")

_TALLY_TAG: Final = "what there is"
_FRESH: Final = 10  # seconds
_TALLY_MOST: Final = 1000


@dataclass(frozen=True, slots=True)
class TallyAsked:
    """Parameters of a count: the maximum number of names."""

    limit: Annotated[int, FieldDoc("Maximum number of results.", least=1, most=_TALLY_MOST)] = 100


@dataclass(frozen=True, slots=True)
class TallyItem:
    """A name with its number of articles."""

    name: str
    articles: int


@dataclass(frozen=True, slots=True)
class Tallies:
    """Names with their numbers of articles, the largest first."""

    items: tuple[TallyItem, ...]


@dataclass(frozen=True, slots=True)
class Languages:
    """Languages of articles, as ISO 639 codes."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QueueItem:
    """The queue of pages to be fetched."""

    waiting: int
    leased: Annotated[int, FieldDoc("Pages that are being fetched.")]
    later: Annotated[int, FieldDoc("Pages that will be retried.")]
    failed: Annotated[int, FieldDoc("Pages that failed permanently.")]
    next_try: datetime | None


@dataclass(frozen=True, slots=True)
class TotalsFound:
    """Numbers of articles, sources and other records in the store."""

    articles: int
    versions: int
    stories: int
    sources: int
    links: int
    pages: int
    page_bytes: Annotated[int, FieldDoc("Compressed size of the saved pages.")]
    queue: QueueItem


@dataclass(frozen=True, slots=True)
class FeedItem:
    """A feed that the portal publishes."""

    name: str
    feeds: Feeds


@dataclass(frozen=True, slots=True)
class FeedList:
    """The feeds that the portal publishes. Every source and story has a feed too."""

    items: tuple[FeedItem, ...]


def list_categories(call: Call) -> Tallies:
    """List the categories, the largest first."""
    return _tallies(_cached(call, "categories", call.store.categories))


def list_authors(call: Call, params: TallyAsked) -> Tallies:
    """List the authors with most articles."""
    return _tallies(_cached(call, "authors", lambda: call.store.authors(limit=_TALLY_MOST))[: params.limit])


def list_hosts(call: Call, params: TallyAsked) -> Tallies:
    """Return the hosts with most articles."""
    return _tallies(_cached(call, "hosts", lambda: call.store.sites(limit=_TALLY_MOST))[: params.limit])


def list_languages(call: Call) -> Languages:
    """List the languages of the stored articles."""
    return Languages(tuple(call.store.languages()))


def get_totals(call: Call) -> TotalsFound:
    """Return the numbers of stored records, and of pages to be fetched."""
    told, queue = _cached(call, "totals", call.store.totals), call.store.queue(call.now)
    return TotalsFound(
        *(told.articles, told.versions, told.stories, told.sources, told.links, told.pages, told.page_bytes),
        QueueItem(queue.waiting, queue.leased, queue.later, queue.failed, queue.next_try),
    )


def list_feeds(call: Call) -> FeedList:
    """List the feeds that the portal publishes as RSS, Atom and JSON Feed, with full text."""
    categories = [FeedItem(one.name, feeds_of_category(one.name)) for one in call.store.categories() if one.name]
    return FeedList((FeedItem("latest", feeds_of_latest()), *categories, FeedItem("search", feeds_of_search("QUERY"))))


def _cached(call: Call, name: str, make: Callable[[], T]) -> T:
    """Return a cached count: counting a large store is slow."""
    return call.app.cache.get(("api", name), make, _FRESH)


def _tallies(counts: list[NameCount]) -> Tallies:
    return Tallies(tuple(TallyItem(entry.name, entry.number) for entry in counts))


TALLY_OPERATIONS: Final = (
    Operation("GET", "/categories", list_categories, _TALLY_TAG),
    Operation("GET", "/authors", list_authors, _TALLY_TAG),
    Operation("GET", "/hosts", list_hosts, _TALLY_TAG),
    Operation("GET", "/languages", list_languages, _TALLY_TAG),
    Operation("GET", "/totals", get_totals, _TALLY_TAG),
    Operation("GET", "/feeds", list_feeds, _TALLY_TAG),
)
