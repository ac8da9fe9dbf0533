"""Detection of the sources at a URL that a user adds: a feed, a front page, a sitemap, a list of feeds."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from tidings.errors import ConnectionFailed, InputError
from tidings.fetch import Fetcher, Kind, Request, Response, require
from tidings.sources import Offer, OpmlFeed
from tidings.sources.any_document import look
from tidings_portal.store.records_of_work import NewSource, SourceKind

#: How people name the kinds.
KINDS: Final = {"feed": SourceKind.FEED, "front": SourceKind.FRONT_PAGE, "sitemap": SourceKind.SITEMAP}


@dataclass(frozen=True, slots=True)
class AddressSources:
    """The sources at a URL, and the other feeds that its page declares."""

    sources: tuple[NewSource, ...]
    offers: tuple[Offer, ...] = ()


def is_bare(typed: str) -> bool:
    """Return whether a typed URL is a host, perhaps with a path, without a scheme."""
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


async def look_at(fetcher: Fetcher, settings: NewSource) -> AddressSources:
    """Return the sources at a URL.

    Args:
        fetcher: the fetcher.
        settings: the settings of the source; the kind is detected.

    Raises:
        FetchError: it cannot be fetched.
        InputError: it has no links.
    """
    address, answer = await fetch_source(fetcher, settings.address)
    result = look(answer.body, answer.url, answer.content_type)
    named = replace(settings, address=address, title=settings.title or result.title)
    if result.kind == "opml":
        return AddressSources(of_list(result.subscriptions, settings))
    if result.kind == "sitemap":
        return AddressSources((replace(named, kind=SourceKind.SITEMAP, title=settings.title),))
    if result.kind == "front page":
        offers = tuple(offer for offer in result.offers if not offer.guess)
        if not result.links and not offers:
            raise InputError(
                f"{settings.address} is a page with no links to stories; name a feed or a front page,"
                " or add it all the same with `--as front`"
            )
        return AddressSources((replace(named, kind=SourceKind.FRONT_PAGE),), offers)
    if result.kind:
        return AddressSources((replace(named, kind=SourceKind.FEED),))
    why = "; ".join(str(problem) for problem in result.problems) or "nothing that links come from"
    raise InputError(f"{settings.address} is no source: {why}; add it all the same with `--as feed`")


def of_list(subscriptions: tuple[OpmlFeed, ...], settings: NewSource | None = None) -> tuple[NewSource, ...]:
    """Return the feeds of an OPML list as sources. Nested folders are joined by a slash."""
    sources = []
    for feed in subscriptions:
        settings = settings or NewSource("")
        kind = {"front": SourceKind.FRONT_PAGE, "html": SourceKind.FRONT_PAGE, "sitemap": SourceKind.SITEMAP}
        sources.append(
            NewSource(
                feed.address,
                kind.get(feed.kind, SourceKind.FEED),
                feed.title,
                settings.folder or "/".join(feed.folder),
                feed.language,
                settings.interval,
                recipe=settings.recipe or _recipe_in(feed),
            )
        )
    return tuple(sources)


def as_subscription(source: NewSource) -> OpmlFeed:
    """Return a source as an entry of a list, without credentials."""
    kind = {SourceKind.FEED: "rss", SourceKind.FRONT_PAGE: "front", SourceKind.SITEMAP: "sitemap"}[source.kind]
    folder = tuple(filter(None, source.folder.split("/")))
    more = ((_RECIPE, source.recipe),) if source.recipe else ()
    return OpmlFeed(source.address, source.title, folder=folder, language=source.language, kind=kind, more=more)


#: The attribute of a list that names a recipe; other readers leave it alone.
_RECIPE: Final = "tidingsRecipe"
_RECIPE_NAME: Final = re.compile(r"[\w.-]{1,60}")


def _recipe_in(feed: OpmlFeed) -> str:
    """Return the recipe that an OPML list names for a feed. Unknown recipes are reported when the source is polled."""
    name_of_recipe = next((value for name, value in feed.more if name.lower() == _RECIPE.lower()), "").strip()
    return name_of_recipe if _RECIPE_NAME.fullmatch(name_of_recipe) else ""
