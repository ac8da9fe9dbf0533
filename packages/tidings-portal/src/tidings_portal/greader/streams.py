"""Streams of the Google Reader API: the articles in a stream, and their JSON and Atom representation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from tidings.sources import Enclosure
from tidings_portal.feeds.outgoing import entry
from tidings_portal.greader.account import GReaderAccount, GReaderProblem, bad_request
from tidings_portal.greader.subscriptions import GReaderFeed, feeds_of
from tidings_portal.store import Store
from tidings_portal.store.records_of_articles import KeptArticle, Listed
from tidings_portal.store.verbs.streams import ReaderMarks, StreamQuery

STATE: Final = "user/-/state/com.google/"
LABEL: Final = "user/-/label/"
READING_LIST, READ, STARRED, KEPT_UNREAD = (
    f"{STATE}reading-list",
    f"{STATE}read",
    f"{STATE}starred",
    f"{STATE}kept-unread",
)
ITEM: Final = "tag:google.com,2005:reader/item/"
_USER: Final = re.compile(r"user/[^/]+/")
#: Of a stream with contents, and of one of numbers.
MOST_ITEMS: Final = 1_000
MOST_NUMBERS: Final = 10_000
_LARGEST: Final = 1 << 63
_LATEST: Final = datetime(9999, 12, 31, tzinfo=UTC)


def stream_name(value: str) -> str:
    """Return a stream id with the user id replaced by `-`."""
    return _USER.sub("user/-/", value.strip(), count=1)


def label_in(name: str) -> str:
    """Return the folder or label in a stream id, or "" for other streams."""
    told = stream_name(name)
    return told.removeprefix(LABEL) if told.startswith(LABEL) else ""


def moment_of(value: str, unit: timedelta = timedelta(seconds=1)) -> datetime | None:
    """Return a Unix timestamp as a datetime, or None if it is empty.

    Raises:
        GReaderProblem: it is not a number.
    """
    if not value:
        return None
    number = whole(value, 0)
    try:
        return datetime(1970, 1, 1, tzinfo=UTC) + number * unit
    except OverflowError:
        return _LATEST


def whole(value: str, default: int) -> int:
    """Return a parameter as a whole number, or `default` if it is empty.

    Raises:
        GReaderProblem: it is not a number.
    """
    if not value:
        return default
    if not (value.isascii() and value.isdigit() and len(value) < 20):
        raise bad_request(f"{value[:40]!r} is no number")
    return int(value)


def item_number(value: str) -> int:
    """Return the article id of an item id in short (decimal) or long (hexadecimal) form, with or without its prefix.

    Raises:
        GReaderProblem: it is not an item id.
    """
    short = value.strip()
    if short.isascii() and short.isdigit() and not short.startswith("0") and len(short) < 20:
        return int(short) if int(short) < _LARGEST else 0
    digits = short.rpartition("/")[2]
    if not re.fullmatch("[0-9a-fA-F]{1,16}", digits, re.ASCII):
        raise bad_request(f"{value[:60]!r} is no item")
    number = int(digits, 16)
    return number if number < _LARGEST else 0


def item_name(number: int) -> str:
    """Return the item id of an article in its long form."""
    return f"{ITEM}{number:016x}"


@dataclass(frozen=True, slots=True)
class StreamRequest:
    """The stream that a client requests, with its filters and page size."""

    name: str
    limit: int = 20
    is_oldest_first: bool = False
    continuation: str = ""
    leave_out: str = ""  # a state: `read` asks for what is unread
    only: str = ""
    since: datetime | None = None
    until: datetime | None = None


def articles_of(store: Store, account: GReaderAccount, request: StreamRequest) -> Listed[int]:
    """Return the ids of the articles in a stream.

    Raises:
        GReaderProblem: the stream does not exist.
    """
    query = _stream(store, account, request.name)
    for name, is_wanted in ((request.leave_out, False), (request.only, True)):
        state = stream_name(name)
        if state == READ:
            query = replace(query, read=is_wanted)
        elif state in {KEPT_UNREAD, f"{STATE}unread"}:
            query = replace(query, read=not is_wanted)
        elif state == STARRED and is_wanted:
            query = replace(query, saved=True)
    query = replace(query, since=request.since, until=request.until, is_oldest_first=request.is_oldest_first)
    return store.stream(account.person, query, limit=request.limit, after=request.continuation or None)


def sources_in(store: Store, account: GReaderAccount, name: str) -> list[int] | None:
    """Return the ids of the sources in a stream (a feed, a folder); None means all.

    Raises:
        GReaderProblem: there is no such stream, or it selects articles (starred, read, a label) and not feeds.
    """
    query = _stream(store, account, name)
    if query.saved or query.label or query.read is not None:
        raise bad_request(f"{name[:100]!r} is no stream of feeds")
    return None if query.sources is None else list(query.sources)


def _stream(store: Store, account: GReaderAccount, stream_id: str) -> StreamQuery:
    name = stream_name(stream_id)
    feeds = feeds_of(store, account)
    if name.startswith("feed/"):
        feed_id = name.removeprefix("feed/")
        found = [one.number for one in feeds if feed_id in {str(one.number), one.address}]
        if not found:
            raise GReaderProblem(404, "Not Found!")
        return StreamQuery(found)
    if label := label_in(name):
        inside = [one.number for one in feeds if one.folder == label]
        return StreamQuery(inside) if inside else StreamQuery(label=label)
    everything = store.sources_read(account.person)
    states = {
        "": StreamQuery(everything),
        READING_LIST: StreamQuery(everything),
        STARRED: StreamQuery(saved=True),
        READ: StreamQuery(everything, read=True),
        **dict.fromkeys((KEPT_UNREAD, f"{STATE}unread", f"{STATE}fresh"), StreamQuery(everything, read=False)),
    }
    if name not in states and not name.startswith(STATE):
        raise bad_request(f"{stream_id[:100]!r} is no stream")
    return states.get(name, StreamQuery([]))  # shared, liked, followed: nothing of that is here


@dataclass(frozen=True, slots=True)
class StreamItem:
    """An article of a stream, with the user's marks on it (read, saved, labels) and its feed."""

    stored: KeptArticle
    marks: ReaderMarks
    feed: GReaderFeed | None
    files: tuple[Enclosure, ...] = ()

    @property
    def categories(self) -> list[str]:
        """Return the ids of the streams that the article is in: states, folder and labels."""
        states = [READING_LIST]
        states += [READ] if self.marks.is_read else [f"{STATE}fresh"]
        states += [STARRED] if self.marks.is_saved else []
        folder = [LABEL + self.feed.folder] if self.feed is not None and self.feed.folder else []
        return states + folder + [LABEL + one for one in self.marks.labels]


def items(store: Store, account: GReaderAccount, numbers: Sequence[int]) -> list[StreamItem]:
    """Return articles by their ids as stream items. Deleted and muted ones are left out."""
    feeds = {one.number: one for one in feeds_of(store, account)}
    kept = [one for one in store.articles_by_number(numbers) if not one.headline.muted]
    marks = store.reader_marks(account.person, [one.headline.id for one in kept])
    files = store.enclosures_of([one.headline.id for one in kept])
    return [
        StreamItem(
            one,
            marks.get(one.headline.id, ReaderMarks()),
            next((feeds[source] for source in one.headline.sources if source in feeds), None),
            tuple(files.get(one.headline.id, ())),
        )
        for one in kept
    ]


def as_json(item: StreamItem) -> dict[str, Any]:
    """Return an article as the JSON object that clients expect."""
    told, head = entry(item.stored), item.stored.headline
    seen = _micros(head.first_seen)
    feed = item.feed
    # Clients open this link. An episode without a page leads to its file, or to the home page of its feed.
    media = next((file.address for file in item.files if file.plays), "")
    link = {"href": told.address or media or (feed.home or feed.address if feed else "")}
    origin = {
        "streamId": feed.stream if feed else "feed/0",
        "title": feed.title if feed else told.site,
        "htmlUrl": feed.home if feed else told.site_home,
    }
    enclosures: list[dict[str, Any]] = [
        {"href": file.address, "type": file.media_type, **({"length": file.size} if file.size else {})}
        for file in item.files
    ]
    enclosures += [{"href": told.image, "type": "image"}] if told.image else []
    return {
        "id": item_name(head.id),
        "crawlTimeMsec": str(seen // 1000),
        "timestampUsec": str(seen),
        "published": int(head.time.timestamp()),
        "updated": int(told.updated.timestamp()),
        "title": told.title,
        "canonical": [link],
        "alternate": [{**link, "type": "text/html"}],
        "summary": {"direction": told.direction, "content": told.html or escape(told.summary)},
        "categories": [*item.categories, *told.categories],
        "origin": {**origin, "feedUrl": feed.address} if feed else origin,
        "author": ", ".join(told.authors),
        **({"enclosure": enclosures} if enclosures else {}),
    }


def as_reference(number: int, marks: Mapping[int, ReaderMarks]) -> dict[str, Any]:
    """Return an article as a JSON object with only its id and labels."""
    labels = [LABEL + one for one in marks.get(number, ReaderMarks()).labels]
    return {"id": str(number), "directStreamIds": labels}


def as_atom(name: str, title: str, items: Iterable[StreamItem], continuation: str, updated: datetime) -> str:
    """Return a stream as an Atom feed, in the format of `/reader/atom/`."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:gr="http://www.google.com/schemas/reader/atom/">',
        f"<id>tag:google.com,2005:reader/{escape(name)}</id>",
        f"<title>{escape(title)}</title><updated>{updated.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}</updated>",
    ]
    lines += [f"<gr:continuation>{escape(continuation)}</gr:continuation>"] if continuation else []
    lines += [_atom_entry(one) for one in items]
    return "\n".join((*lines, "</feed>", ""))


def _atom_entry(item: StreamItem) -> str:
    told, head = entry(item.stored), item.stored.headline
    link = f"<link rel='alternate' href={quoteattr(told.address)} type='text/html'/>" if told.address else ""
    names = "".join(f"<author><name>{escape(one)}</name></author>" for one in told.authors)
    categories = "".join(
        f"<category term={quoteattr(one)} scheme='http://www.google.com/reader/'"
        f" label={quoteattr(one.rpartition('/')[2])}/>"
        for one in item.categories
    )
    return (
        f"<entry gr:crawl-timestamp-msec='{_micros(head.first_seen) // 1000}'><id>{item_name(head.id)}</id>"
        f"<title>{escape(told.title)}</title>{link}{names}{categories}"
        f"<published>{head.time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}</published>"
        f"<updated>{told.updated.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}</updated>"
        f"<content type='html'>{escape(told.html or escape(told.summary))}</content></entry>"
    )


def _micros(moment: datetime) -> int:
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
