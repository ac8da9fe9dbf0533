"""Records of sources, links, tasks and quarantine, and the integer encoding of times and places.

Records are frozen; times are aware and in UTC. Databases store times as microseconds since 1970 in UTC. A place is the
sort key of every list: the seconds of an article's (or story's) time, then its number, in one integer of 63 bits.
Cursors are places. So "older than this" is one comparison of integers: in an index, in SQLite's full-text table (whose
row numbers are places) and in PostgreSQL.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
#: 29 bits: 500 million articles. 34 bits of seconds: from 1901 to 2446.
NUMBER_BITS: Final = 29
_FIRST_SECOND: Final = -(1 << 31)
_SECONDS: Final = (1 << 34) - 1


def micros(moment: datetime) -> int:
    """Return a time in microseconds since 1970. A time without a zone counts as UTC."""
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return (aware - _EPOCH) // _MICROSECOND


def maybe_micros(moment: datetime | None) -> int | None:
    """Return a time in microseconds since 1970, or None for None."""
    return None if moment is None else micros(moment)


def moment(number: int) -> datetime:
    """Return the UTC time that is some microseconds after the start of 1970."""
    return _EPOCH + timedelta(microseconds=number)


def maybe_moment(number: int | None) -> datetime | None:
    """Return the time for a number of microseconds since 1970, or None for None."""
    return None if number is None else moment(number)


def told_micros(published: datetime | date | None) -> int | None:
    """Return a declared publication time in microseconds; for a date, of its beginning. None if it is out of range."""
    try:
        if published is None or isinstance(published, datetime):
            return maybe_micros(published)
        return micros(datetime.combine(published, time.min, UTC))
    except OverflowError:  # the year 1 east of Greenwich
        return None


def sort_micros(declared: datetime | date | None, first_seen: int) -> int:
    """Return the time to sort an article by: published, or first seen if that is unknown or in the future.

    A date without a time counts as its last moment: news is read on its day.
    """
    published = told_micros(declared)
    if published is None:
        return first_seen
    if not isinstance(declared, datetime):
        published += 24 * 3600 * 1_000_000 - 1
    return min(published, first_seen)


def place(time_in_micros: int, number: int) -> int:
    """Return the place (sort key of lists) of an article or story, from its time and its number."""
    if not 0 <= number < 1 << NUMBER_BITS:
        raise OverflowError(f"a store holds at most {(1 << NUMBER_BITS) - 1:,} articles")
    seconds = min(max(time_in_micros // 1_000_000 - _FIRST_SECOND, 0), _SECONDS)
    return seconds << NUMBER_BITS | number


def place_moment(number: int) -> datetime:
    """Return the time in a place (sort key of lists), to the second."""
    return _EPOCH + timedelta(seconds=(number >> NUMBER_BITS) + _FIRST_SECOND)


def places(since: datetime | None, until: datetime | None) -> tuple[int | None, int | None]:
    """Return the first and last place (sort key of lists) of a time range, both included. None is open."""
    first = None if since is None else place(-(-micros(since) // 1_000_000) * 1_000_000, 0)
    last = None if until is None else place(micros(until), (1 << NUMBER_BITS) - 1)
    return first, last


#: N-EXT thesis chapter 7: the portal polls its feeds every two hours.
TWO_HOURS = timedelta(hours=2)


class SourceKind(StrEnum):
    """The kind of a source."""

    FEED = "feed"
    FRONT_PAGE = "front page"
    SITEMAP = "sitemap"


@dataclass(frozen=True, slots=True)
class NewSource:
    """A source with the settings of its user."""

    address: str
    kind: SourceKind = SourceKind.FEED
    title: str = ""
    folder: str = ""  # also the category of articles without one
    language: str = ""
    interval: timedelta | None = None  # None: two hours at first, then adapted to its news
    credentials: str = field(default="", repr=False)  # "user:password", or a header's value; never logged
    muted: bool = False  # polled, but its articles are hidden
    recipe: str = ""  # the name of its recipe (`tidings_portal.recipes`); empty: the default
    takes_feed_text: bool = False  # the text of the feed is the article; pages are not fetched
    ignores_robots: bool = False  # for sources that a user added by hand, like a browser
    headers: str = field(default="", repr=False)  # "Name: value" lines, sent to its site alone; never logged
    proxy: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Source:
    """A stored source with its polling state."""

    id: int
    settings: NewSource
    added: datetime
    next_poll: datetime
    pace: timedelta = TWO_HOURS  # the current polling interval
    etag: str = ""
    last_modified: str = ""
    last_try: datetime | None = None
    last_success: datetime | None = None
    failures: int = 0  # in a row
    state: str = "new"  # a word: "new", "ok" or the kind of failure
    problem: str = ""  # a sentence
    gone: bool = False  # status 410: not polled any more

    @property
    def name(self) -> str:
        """Return the display name."""
        return self.settings.title or self.settings.address


@dataclass(frozen=True, slots=True)
class Poll:
    """The result of polling a source."""

    source: int
    at: datetime
    next_poll: datetime
    pace: timedelta
    state: str = "ok"
    problem: str = ""  # a sentence; empty if the poll succeeded
    failed: bool = False
    gone: bool = False
    etag: str | None = None  # None: unchanged
    last_modified: str | None = None
    title: str = ""  # declared by the source; used if the user gave it none


@dataclass(frozen=True, slots=True)
class SeenLink:
    """A link as a source declares it. It is the same as a stored link if they share a key."""

    address: str
    keys: tuple[str, ...]  # canonical URL first, then a trusted GUID, …
    title: str = ""
    guid: str = ""
    published: datetime | None = None
    summary: str = ""
    category: str = ""
    author: str = ""
    to_verify: bool = False  # from a teaser: verify with the page
    priority: int = 0  # higher is fetched first
    fingerprint: str = ""  # of its declared metadata; a new fingerprint is a correction


class LinkState(StrEnum):
    """The state of a link."""

    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"  # tried and given up
    SKIPPED = "skipped"  # not an article, or one that is stored already
    FORGOTTEN = "forgotten"  # retention deleted its article; never fetched again


@dataclass(frozen=True, slots=True)
class StoredLink:
    """A stored link with its sources and state."""

    id: int
    seen: SeenLink
    first_seen: datetime
    last_seen: datetime
    state: LinkState
    sources: tuple[int, ...] = ()
    article: int | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class NotedLink:
    """The number of a stored link, and whether it is new."""

    link: int
    new: bool
    before: str = ""  # the previous fingerprint of its source; empty if new


@dataclass(frozen=True, slots=True)
class PageTask:
    """A page to fetch, leased to a worker until a deadline."""

    link: StoredLink
    worker: str
    lease: int  # incremented by every lease, so that an expired one is recognised
    deadline: datetime
    attempts: int  # including this one


@dataclass(frozen=True, slots=True)
class QueueState:
    """The size of the queue."""

    waiting: int = 0
    leased: int = 0
    later: int = 0  # waiting for a retry
    failed: int = 0  # given up
    next_try: datetime | None = None


class Stage(StrEnum):
    """A processing stage that can quarantine items."""

    POLLING = "polling"  # poll sources
    LINKS = "links"  # store the links of a source
    READING = "reading"  # extract articles from pages
    STORE = "store"  # read stored articles
    SEARCH = "search"  # index articles
    STORIES = "stories"  # group articles into stories
    FEEDS = "feeds"  # publish articles as feeds
    EXPORTS = "exports"  # export articles as files
    TRENDS = "trends"  # count the words of articles


class ItemKind(StrEnum):
    """The kind of a quarantined item."""

    ARTICLE = "article"
    LINK = "link"
    SOURCE = "source"
    BATCH = "batch"  # the whole batch: the error is not a single item's


@dataclass(frozen=True, slots=True)
class QuarantineEntry:
    """A quarantined item: its stage leaves it out until the next version or a requested retry."""

    stage: Stage
    kind: ItemKind
    item: str  # its number, or its URL if it has none yet
    name: str  # display name: a title, or a URL without password
    reason: str
    version: str  # of the Tidings that failed; empty: retry requested
    since: datetime
    tried: datetime
    attempts: int = 1

    @property
    def sentence(self) -> str:
        """Return a sentence with the item, its stage and the reason."""
        number = f" {self.item}" if self.item.isdigit() else ""
        name = f" ({self.name})" if number and self.name else f" {self.name}" if self.name else ""
        what = "a whole batch" if self.kind is ItemKind.BATCH else f"{self.kind}{number}{name}"
        return f"{what} is set aside in {self.stage}: {self.reason}"


@dataclass(frozen=True, slots=True)
class SavedState:
    """A saved state as bytes, and its version, which `save_state` needs to detect concurrent changes."""

    value: bytes
    version: int
    changed: datetime
