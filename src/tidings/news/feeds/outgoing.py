"""A feed before it is written: what RSS, Atom and JSON Feed all say, each in its way.

Whatever stands here came from strangers. It is cleaned once, in this file and in `content`: text holds no character
that XML cannot hold, no lone surrogate and no line break; addresses are absolute and http; HTML is sanitised.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from tidings.article.characters import legal
from tidings.fields.addresses import safe_picture
from tidings.text import fold_space

#: BCP 47 in its outer form; what is none is left out.
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}", re.ASCII)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class FeedAddresses:
    """Where a feed lives, as its server knows it. Empty: not told."""

    home: str = ""  # the page for people
    itself: str = ""  # this document
    first: str = ""  # the newest page of a feed in pages (RFC 5005, 3); the feed's identity
    next: str = ""  # older entries
    previous: str = ""  # newer ones
    hubs: tuple[str, ...] = ()  # WebSub
    image: str = ""

    @property
    def cleaned(self) -> FeedAddresses:
        """Without what is no address."""
        return FeedAddresses(
            home=web(self.home),
            itself=web(self.itself),
            first=web(self.first),
            next=web(self.next),
            previous=web(self.previous),
            hubs=tuple(filter(None, map(web, self.hubs))),
            image=web(self.image),
        )


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One article of a feed."""

    id: str  # an IRI that never changes
    address: str = ""
    title: str = ""
    published: datetime | None = None
    updated: datetime = _EPOCH
    changed: datetime = _EPOCH  # when the store last wrote it
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    language: str = ""
    direction: str = "ltr"
    summary: str = ""
    html: str = ""  # empty where the feed is one of summaries
    image: str = ""
    site: str = ""  # who published it first
    site_home: str = ""
    number: int | None = None  # in the store
    story: int | None = None


@dataclass(frozen=True, slots=True)
class OutFeed:
    """A feed to be written."""

    id: str
    title: str
    description: str = ""
    language: str = ""
    entries: tuple[FeedEntry, ...] = ()
    places: FeedAddresses = FeedAddresses()

    @property
    def updated(self) -> datetime:
        """When something of it last changed; the beginning of 1970 for one with nothing in it."""
        return max((entry.changed for entry in self.entries), default=_EPOCH)


def line(text: str) -> str:
    """A text as every format can hold it, on one line."""
    return fold_space(legal(text))


def web(address: str) -> str:
    """An absolute http address, or nothing."""
    found = safe_picture(legal(address))
    return found or ""


def language_tag(language: str) -> str:
    """A language tag, or nothing."""
    told = language.replace("_", "-").strip()
    return told if _LANGUAGE.fullmatch(told) else ""
