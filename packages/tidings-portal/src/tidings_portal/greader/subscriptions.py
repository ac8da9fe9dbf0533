"""Subscriptions of the Google Reader API: list, add, move, rename and remove feeds, and OPML import and export.

In a portal without accounts, all sources belong to its single reader, and changes apply to the sources themselves. With
accounts, each user subscribes to some of the sources.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from tidings.article.formats.characters import legal
from tidings.errors import InputError
from tidings.fetch import Fetcher
from tidings.sources import read_opml, write_opml
from tidings.text import fold_space
from tidings.urls import origin_of, without_credentials
from tidings_portal.accounts.account import subscriptions_of
from tidings_portal.greader.account import GReaderAccount, GReaderProblem, bad_request
from tidings_portal.selection import source_name
from tidings_portal.store import Store
from tidings_portal.store.records_of_work import NewSource, Source, SourceKind
from tidings_portal.watch.new_sources import as_subscription, look_at, of_list
from tidings_portal.web.app_state import App

_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class GReaderFeed:
    """A feed of the user as clients see it. Its URL has no password."""

    number: int
    title: str
    folder: str
    address: str
    unread: int = 0

    @property
    def stream(self) -> str:
        """Return the stream id of the feed."""
        return f"feed/{self.number}"

    @property
    def home(self) -> str:
        """Return the URL of the site, or of the feed if the site is unknown."""
        return f"{origin_of(self.address)}/"


def feeds_of(store: Store, account: GReaderAccount, most_unread: int = 0) -> list[GReaderFeed]:
    """Return the user's feeds, with unread counts up to `most_unread`."""
    return [
        GReaderFeed(one.source.id, _title(one.title, one.source), one.folder, _public(one.source), one.unread)
        for one in subscriptions_of(store, account.person, most_unread=most_unread)
    ]


def _title(own: str, source: Source) -> str:
    return legal(own or source_name(source))


def _public(source: Source) -> str:
    return without_credentials(source.settings.address)


def named(store: Store, account: GReaderAccount, stream: str) -> GReaderFeed:
    """Return the user's feed with a stream id: `feed/` and its number or URL.

    Raises:
        GReaderProblem: 404 if the user has no such feed.
    """
    wanted = stream.strip().removeprefix("feed/")
    found = [one for one in feeds_of(store, account) if wanted in {str(one.number), one.address}]
    if not found:
        raise GReaderProblem(404, "Not Found!")
    return found[0]


async def found_at(fetcher: Fetcher, address: str, title: str = "", folder: str = "") -> tuple[NewSource, ...]:
    """Fetch a URL and return the sources there: the first feed that a page declares, else the page itself.

    Raises:
        FetchError: the URL cannot be fetched.
        InputError: the URL is empty, or there is no source.
    """
    told = NewSource(address.strip().removeprefix("feed/"), title=_name(title), folder=_name(folder))
    if not told.address:
        raise InputError("there is no address")
    found = await look_at(fetcher, told)
    if found.offers:
        return (replace(found.sources[0], address=found.offers[0].address, kind=SourceKind.FEED),)
    return found.sources


def add(app: App, account: GReaderAccount, sources: Sequence[NewSource]) -> list[int]:
    """Add sources to the portal and subscribe the user to them; return their ids."""
    numbers = app.store.add_sources(list(sources), app.now())
    if not account.is_local:
        app.store.begin_subscriptions(account.person, app.now())
        for number, one in zip(numbers, sources, strict=True):
            app.store.subscribe(number, account.person, app.now(), folder=one.folder, title=one.title)
    app.cache.forget()
    return numbers


def change(app: App, account: GReaderAccount, feed: GReaderFeed, *, title: str | None, folder: str | None) -> None:
    """Rename a feed or move it to another folder. None leaves title or folder unchanged."""
    told = (
        feed.title if title is None else _name(title) or feed.title,
        feed.folder if folder is None else _name(folder),
    )
    if account.is_local:
        source = app.store.source(feed.number)
        if source is not None:
            app.store.change_source(feed.number, replace(source.settings, title=told[0], folder=told[1]))
            app.store.unsubscribe(feed.number, account.person)  # its own name for it would hide the new one
    else:
        app.store.begin_subscriptions(account.person, app.now())
        app.store.subscribe(feed.number, account.person, app.now(), title=told[0], folder=told[1])
    app.cache.forget()


def leave(app: App, account: GReaderAccount, feed: GReaderFeed) -> None:
    """Unsubscribe the user from a feed. In a portal without accounts, remove the source; its articles stay."""
    if account.is_local:
        app.store.remove_source(feed.number)
    else:
        app.store.begin_subscriptions(account.person, app.now())
        app.store.unsubscribe(feed.number, account.person)
    app.cache.forget()


def rename_folder(app: App, account: GReaderAccount, folder: str, new: str) -> int:
    """Rename a folder and return its number of feeds. An empty name moves them out of the folder."""
    inside = [one for one in feeds_of(app.store, account) if one.folder == folder]
    for one in inside:
        change(app, account, one, title=None, folder=new)
    return len(inside)


def taken_in(app: App, account: GReaderAccount, data: bytes) -> int:
    """Subscribe the user to the feeds of an OPML file, with its folders; return the number of feeds.

    Raises:
        GReaderProblem: the data is not an OPML file with feeds.
    """
    told = read_opml(data)
    if not told.feeds:
        raise bad_request("this is no OPML file with feeds in it")
    return len(add(app, account, of_list(told.feeds)))


def given_out(app: App, account: GReaderAccount) -> bytes:
    """Return the user's feeds as an OPML file."""
    feeds = feeds_of(app.store, account)
    told = [NewSource(one.address, title=one.title, folder=one.folder) for one in feeds]
    return write_opml(map(as_subscription, told), app.settings.name)


def _name(name: str) -> str:
    return legal(fold_space(name))[:_LONGEST]
