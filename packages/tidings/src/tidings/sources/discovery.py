"""Feed discovery: the feeds that a page offers, the likeliest first.

`link rel="alternate"` with the type of a feed comes first, following the autodiscovery specification, with the site's
main feed before comment feeds. Then come anchors whose URL or text names a feed, then well-known URLs of common
systems. The latter are marked as guesses and have to be tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from tidings.fields.elements.by_class import links_holding
from tidings.fields.urls.sanitise import base_of
from tidings.page import Page, tags
from tidings.page.tag_sets import among, tag_set
from tidings.sources.addresses import canonical
from tidings.sources.link import Offer
from tidings.text import fold_space
from tidings.urls import outlet_of

_LINK: Final = tag_set(tags.numbers("link"))
_KINDS: Final = {
    "application/rss+xml": "rss",
    "application/rdf+xml": "rss",
    "application/x.rss+xml": "rss",
    "text/rss+xml": "rss",
    "text/rss": "rss",
    "application/atom+xml": "atom",
    "text/atom+xml": "atom",
    "application/x.atom+xml": "atom",
    "application/feed+json": "json",
    "application/json": "json",
    "application/xml": "",
    "text/xml": "",
}
#: JSON and XML have other uses too: these types count only if the URL or title names a feed.
_VAGUE: Final = frozenset({"application/json", "application/xml", "text/xml"})
_NAMED: Final = re.compile(r"rss|atom|feed|\brdf\b|\.xml", re.IGNORECASE)
_NO_FEED: Final = re.compile(r"wp-json|oembed|opensearch|sitemap|manifest|/feedback|facebook|feeds?\.ly", re.IGNORECASE)
_COMMENTS: Final = re.compile(r"comment|kommentar|commentaire|yorum|discussion", re.IGNORECASE)
_ANCHOR: Final = re.compile(
    r"(?:^|[/.])(?:rss|atom|feed|feeds|rdf)(?:\.(?:xml|php|aspx?|json))?/?(?:[?].*)?$|\.(?:rss|atom|rdf)(?:$|\?)|/(?:rss|feed)s?[/.]"
    r"|[?&](?:feed|format)=(?:rss2?|atom|feed|xml)|feeds\.feedburner\.com",
    re.IGNORECASE,
)
#: Feed URLs of the most common systems: WordPress, Drupal, Ghost, Hugo, Jekyll, Blogger, Substack.
_GUESSES: Final = (
    ("/feed/", "rss"),
    ("/rss.xml", "rss"),
    ("/feed.xml", ""),
    ("/rss/", "rss"),
    ("/atom.xml", "atom"),
    ("/index.xml", ""),
    ("/rss", "rss"),
    ("/feed.json", "json"),
    ("/feeds/posts/default", "atom"),
)
#: Limit on the feeds of a page, for directories.
_MOST: Final = 100


def discover(page: Page, *, guesses: bool = True) -> tuple[Offer, ...]:
    """Return the distinct feeds of a page, the likeliest first. Without the page's URL only absolute ones are found."""
    base = base_of(page)
    offers = [*_declared(page, base), *_anchors(page, base)]
    if guesses and (home := canonical("/", base)):
        offers += [Offer(home.rstrip("/") + path, "", kind, True, "well-known address") for path, kind in _GUESSES]
    once: dict[str, Offer] = {}
    for offer in offers:
        once.setdefault(offer.address, offer)
    return tuple(once.values())[:_MOST]


def _declared(page: Page, base: str) -> list[Offer]:
    offers = []
    elements = np.flatnonzero(among(page.elements.tag, _LINK)).tolist()
    for element in elements:
        attributes = page.attributes(element)
        relations = attributes.get("rel", "").lower().split()
        media = attributes.get("type", "").partition(";")[0].strip().lower()
        if media not in _KINDS or not ({"alternate", "feed"} & set(relations)) or "stylesheet" in relations:
            continue
        address = canonical(attributes.get("href"), base)
        title = fold_space(attributes.get("title", ""))
        if address is None or _NO_FEED.search(address) or (media in _VAGUE and not _NAMED.search(f"{address} {title}")):
            continue
        offers.append(Offer(address, title, _KINDS[media], False, "link alternate"))
    return sorted(offers, key=_is_of_comments)  # stable: otherwise in page order


def _is_of_comments(offer: Offer) -> bool:
    return _COMMENTS.search(offer.address + " " + offer.title) is not None


def _anchors(page: Page, base: str) -> Iterator[Offer]:
    own_outlet = outlet_of(base)
    other_outlets = []
    for element in links_holding(page, ("rss", "feed", "atom", "rdf")).tolist():
        address = canonical(page.attributes(element).get("href"), base)
        if address is None or _NO_FEED.search(address) or not _ANCHOR.search(address):
            continue
        first, last = int(page.elements.first[element]), int(page.elements.last[element])
        text = page.text[page.runs.text_start[first] : page.runs.text_end[last - 1]] if first < last else ""
        kind = "atom" if "atom" in address.lower() else "json" if address.endswith(".json") else "rss"
        offer = Offer(address, fold_space(text)[:200], kind, False, "anchor")
        if outlet_of(address) == own_outlet or "feedburner" in address:
            yield offer
        else:
            other_outlets.append(offer)
    yield from other_outlets
