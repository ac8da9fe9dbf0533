"""What is at an address, for somebody who adds it: a feed, a front page, a sitemap, a list of feeds."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from tidings.errors import ConnectionFailed, InputError
from tidings.fetch import Fetcher, Kind, Request, Response, require
from tidings.news.store.records_of_work import NewSource, SourceKind
from tidings.sources import Offer, OpmlFeed
from tidings.sources.any_document import look

#: How people name the kinds.
KINDS: Final = {"feed": SourceKind.FEED, "front": SourceKind.FRONT_PAGE, "sitemap": SourceKind.SITEMAP}


@dataclass(frozen=True, slots=True)
class AddressSources:
    """The sources that an address stands for, and the feeds its page offers besides."""

    sources: tuple[NewSource, ...]
    offers: tuple[Offer, ...] = ()


def is_bare(typed: str) -> bool:
    """Return whether somebody typed a host, perhaps with a path, and no scheme."""
    return bool(typed) and "://" not in typed and ":" not in typed.partition("/")[0]


async def fetch_source(fetcher: Fetcher, typed: str) -> tuple[str, Response]:
    """Fetch the source at a typed URL; return the URL to store and the response.

    A bare domain is tried by https, then by http if the https connection fails, unless its certificate is the reason.
    A URL with a scheme is fetched as is.

    Raises:
        FetchError: there is no usable response.
    """
    url = f"https://{typed}" if is_bare(typed) else typed
    outcome = await fetcher.fetch(Request(url, Kind.FEED))
    if is_bare(typed) and isinstance(outcome, ConnectionFailed) and "certificate" not in outcome.reason:
        plain = await fetcher.fetch(Request(f"http://{typed}", Kind.FEED))
        if isinstance(plain, Response):
            url, outcome = f"http://{typed}", plain
    response = require(outcome)
    return response.moved_to or url, response


async def look_at(fetcher: Fetcher, told: NewSource) -> AddressSources:
    """Find out what an address is.

    Args:
        fetcher: who fetches.
        told: what is known of it; its kind is found out.

    Raises:
        FetchError: it cannot be had.
        InputError: it is nothing that links come from.
    """
    address, answer = await fetch_source(fetcher, told.address)
    found = look(answer.body, answer.url, answer.content_type)
    named = replace(told, address=address, title=told.title or found.title)
    if found.kind == "opml":
        return AddressSources(of_list(found.subscriptions, told))
    if found.kind == "sitemap":
        return AddressSources((replace(named, kind=SourceKind.SITEMAP, title=told.title),))
    if found.kind == "front page":
        offers = tuple(offer for offer in found.offers if not offer.guess)
        if not found.links and not offers:
            raise InputError(
                f"{told.address} is a page with no links to stories; name a feed or a front page,"
                " or add it all the same with `--as front`"
            )
        return AddressSources((replace(named, kind=SourceKind.FRONT_PAGE),), offers)
    if found.kind:
        return AddressSources((replace(named, kind=SourceKind.FEED),))
    why = "; ".join(str(problem) for problem in found.problems) or "nothing that links come from"
    raise InputError(f"{told.address} is no source: {why}; add it all the same with `--as feed`")


def of_list(subscriptions: tuple[OpmlFeed, ...], told: NewSource | None = None) -> tuple[NewSource, ...]:
    """The feeds of a list (OPML) as sources; folders inside folders are joined by a slash."""
    found = []
    for feed in subscriptions:
        told = told or NewSource("")
        kind = {"front": SourceKind.FRONT_PAGE, "html": SourceKind.FRONT_PAGE, "sitemap": SourceKind.SITEMAP}
        found.append(
            NewSource(
                feed.address,
                kind.get(feed.kind, SourceKind.FEED),
                feed.title,
                told.folder or "/".join(feed.folder),
                feed.language,
                told.interval,
                recipe=told.recipe or _recipe_in(feed),
            )
        )
    return tuple(found)


def as_subscription(source: NewSource) -> OpmlFeed:
    """A source as an entry of a list. What it is asked with (passwords) stays here."""
    kind = {SourceKind.FEED: "rss", SourceKind.FRONT_PAGE: "front", SourceKind.SITEMAP: "sitemap"}[source.kind]
    folder = tuple(filter(None, source.folder.split("/")))
    more = ((_RECIPE, source.recipe),) if source.recipe else ()
    return OpmlFeed(source.address, source.title, folder=folder, language=source.language, kind=kind, more=more)


#: The attribute of a list that names a recipe; other readers leave it alone.
_RECIPE: Final = "tidingsRecipe"
_RECIPE_NAME: Final = re.compile(r"[\w.-]{1,60}")


def _recipe_in(feed: OpmlFeed) -> str:
    """The recipe that a list names for a feed. One that is not there is told when the source is read."""
    said = next((value for name, value in feed.more if name.lower() == _RECIPE.lower()), "").strip()
    return said if _RECIPE_NAME.fullmatch(said) else ""
