"""What the store holds of work to do: sources to poll, links seen, pages to fetch, how hosts are to be treated.

Frozen, in and out; times are aware and in UTC.

Times as the databases hold them: whole microseconds since 1970 in UTC. And places: a time and a number in one.

A place is what every list is sorted by and every cursor points at: the seconds of an article's (or story's) time, then
its number, in one integer of 63 bits. One comparison of integers then asks for "older than this one", in an index, in
the full-text table of SQLite (whose row numbers places are) and in PostgreSQL alike.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
#: 29 bits: half a milliard articles. 34 bits of seconds: from 1901 to 2446.
NUMBER_BITS: Final = 29
_FIRST_SECOND: Final = -(1 << 31)
_SECONDS: Final = (1 << 34) - 1


def micros(moment: datetime) -> int:
    """A moment as a whole number; one without a zone counts as universal time."""
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return (aware - _EPOCH) // _MICROSECOND


def maybe_micros(moment: datetime | None) -> int | None:
    """As `micros`; None stays None."""
    return None if moment is None else micros(moment)


def moment(number: int) -> datetime:
    """The moment of a number, in UTC."""
    return _EPOCH + timedelta(microseconds=number)


def maybe_moment(number: int | None) -> datetime | None:
    """As `moment`; None stays None."""
    return None if number is None else moment(number)


def told_micros(told: datetime | date | None) -> int | None:
    """What an article tells of its time; a day alone is its beginning. None where there is no such time in UTC."""
    try:
        if told is None or isinstance(told, datetime):
            return maybe_micros(told)
        return micros(datetime.combine(told, time.min, UTC))
    except OverflowError:  # the year 1 east of Greenwich
        return None


def sort_micros(told: datetime | date | None, first_seen: int) -> int:
    """The time to sort an article by: when it was published, or first seen where that is not told or yet to come.

    A day without an hour counts as its last moment: news is read on the day it is from.
    """
    published = told_micros(told)
    if published is None:
        return first_seen
    if not isinstance(told, datetime):
        published += 24 * 3600 * 1_000_000 - 1
    return min(published, first_seen)


def place(time_in_micros: int, number: int) -> int:
    """Where something of this time and number stands among all others."""
    if not 0 <= number < 1 << NUMBER_BITS:
        raise OverflowError(f"a store holds at most {(1 << NUMBER_BITS) - 1:,} articles")
    seconds = min(max(time_in_micros // 1_000_000 - _FIRST_SECOND, 0), _SECONDS)
    return seconds << NUMBER_BITS | number


def place_moment(number: int) -> datetime:
    """The time of a place, to the second."""
    return _EPOCH + timedelta(seconds=(number >> NUMBER_BITS) + _FIRST_SECOND)


def places(since: datetime | None, until: datetime | None) -> tuple[int | None, int | None]:
    """The first and the last place of a stretch of time, both included; None is open."""
    first = None if since is None else place(-(-micros(since) // 1_000_000) * 1_000_000, 0)
    last = None if until is None else place(micros(until), (1 << NUMBER_BITS) - 1)
    return first, last


#: N-EXT thesis chapter 7: the portal polls its feeds every two hours.
TWO_HOURS = timedelta(hours=2)


class SourceKind(StrEnum):
    """What kind of place links come from."""

    FEED = "feed"
    FRONT_PAGE = "front page"
    SITEMAP = "sitemap"


@dataclass(frozen=True, slots=True)
class NewSource:
    """A source as somebody adds it."""

    address: str
    kind: SourceKind = SourceKind.FEED
    title: str = ""
    folder: str = ""  # also the category of its articles, where they have no other
    language: str = ""
    interval: timedelta | None = None  # None: two hours to begin with, then as often as it has news
    credentials: str = field(default="", repr=False)  # "user:password", or a header's value; never logged
    muted: bool = False  # polled, but its articles are not shown
    recipe: str = ""  # by which it is read (`tidings.news.recipes`); empty: by the default
    takes_feed_text: bool = False  # the text of the feed is the article; pages are not fetched
    ignores_robots: bool = False  # somebody added it by hand, as a person who opens it
    headers: str = field(default="", repr=False)  # "Name: value" lines, sent to its site alone; never logged
    proxy: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Source:
    """A source with what polling it has told."""

    id: int
    told: NewSource
    added: datetime
    next_poll: datetime
    pace: timedelta = TWO_HOURS  # how often it is polled now
    etag: str = ""
    last_modified: str = ""
    last_try: datetime | None = None
    last_success: datetime | None = None
    failures: int = 0  # in a row
    state: str = "new"  # one word: "new", "ok", or what is wrong
    problem: str = ""  # a sentence
    gone: bool = False  # answered 410: not polled any more

    @property
    def name(self) -> str:
        """What to call it."""
        return self.told.title or self.told.address


@dataclass(frozen=True, slots=True)
class Poll:
    """What came of polling a source."""

    source: int
    at: datetime
    next_poll: datetime
    pace: timedelta
    state: str = "ok"
    problem: str = ""  # a sentence; empty where all went well
    failed: bool = False
    gone: bool = False
    etag: str | None = None  # None: as before
    last_modified: str | None = None
    title: str = ""  # as the source calls itself; kept where the user gave it none


@dataclass(frozen=True, slots=True)
class SeenLink:
    """A link as a source shows it. Any of its keys that is known makes it one that is known."""

    address: str
    keys: tuple[str, ...]  # canonical address first, then a GUID worth trusting, …
    title: str = ""
    guid: str = ""
    published: datetime | None = None
    summary: str = ""
    category: str = ""
    author: str = ""
    to_verify: bool = False  # found by a teaser: the page itself must agree
    priority: int = 0  # higher is fetched earlier
    fingerprint: str = ""  # of what the source says of it; another one is a correction


class LinkState(StrEnum):
    """What has become of a link."""

    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"  # tried and given up
    SKIPPED = "skipped"  # not an article, or one that was there already
    FORGOTTEN = "forgotten"  # its article went by retention; it is not fetched again


@dataclass(frozen=True, slots=True)
class StoredLink:
    """A link that was seen, by which sources, and what has become of it."""

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
    """The answer to `note_links`: the number of the link, and whether it is new."""

    link: int
    new: bool
    before: str = ""  # the fingerprint that its source had for it; empty where it had none


@dataclass(frozen=True, slots=True)
class PageTask:
    """A page to fetch, leased to one worker until a deadline."""

    link: StoredLink
    worker: str
    lease: int  # counts up with every lease, so that an old one is not taken for the present one
    deadline: datetime
    attempts: int  # this one included


@dataclass(frozen=True, slots=True)
class QueueState:
    """How much there is to do."""

    waiting: int = 0
    leased: int = 0
    later: int = 0  # to be tried again at a time to come
    failed: int = 0  # given up
    next_try: datetime | None = None


class Stage(StrEnum):
    """A part of the work that goes through many items."""

    POLLING = "polling"  # sources are asked for their links
    LINKS = "links"  # the links of a source are noted
    READING = "reading"  # pages become articles
    STORE = "store"  # articles are read back
    SEARCH = "search"  # articles are made findable
    STORIES = "stories"  # articles are put into stories
    FEEDS = "feeds"  # articles go out as feeds
    EXPORTS = "exports"  # articles go out as files
    TRENDS = "trends"  # words of articles are counted


class ItemKind(StrEnum):
    """What an item of a batch is."""

    ARTICLE = "article"
    LINK = "link"
    SOURCE = "source"
    BATCH = "batch"  # all of it: what went wrong is no single item's


@dataclass(frozen=True, slots=True)
class QuarantineEntry:
    """An item that made a stage raise, and is left out of it until the software changes or somebody asks."""

    stage: Stage
    kind: ItemKind
    item: str  # its number; its address where it has none yet
    name: str  # for people: a title, or an address without password
    reason: str
    version: str  # of the software that failed; empty: it is to be tried again
    since: datetime
    tried: datetime
    attempts: int = 1

    @property
    def sentence(self) -> str:
        """What is set aside, where and why."""
        number = f" {self.item}" if self.item.isdigit() else ""
        name = f" ({self.name})" if number and self.name else f" {self.name}" if self.name else ""
        what = "a whole batch" if self.kind is ItemKind.BATCH else f"{self.kind}{number}{name}"
        return f"{what} is set aside in {self.stage}: {self.reason}"


@dataclass(frozen=True, slots=True)
class SavedState:
    """A value kept under a name, and its version: what `save_state` must be given to change it."""

    value: bytes
    version: int
    changed: datetime
