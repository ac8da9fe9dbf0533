"""Names that a site may have in titles. They are removed from headlines and are not authors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tidings.fields.declared import declared, text, types
from tidings.fields.keys import squashed
from tidings.fields.memo import memoized
from tidings.page import Page
from tidings.urls import URL

_META: Final = (
    "og:site_name",
    "application-name",
    "twitter:site",
    "apple-mobile-web-app-title",
    "publisher",
    "copyright",
)
_SITES: Final = frozenset({"Organization", "NewsMediaOrganization", "WebSite"})
#: Number of spaces in a name with initials; more are a slogan.
_FEWEST, _MOST = 2, 6
#: Generic labels of a host.
_EMPTY_LABELS: Final = frozenset("www www2 m mobile amp com co net org gov edu ac de news blog".split())


@memoized
def site_names(page: Page) -> frozenset[str]:
    """Return the names of a page's site from its declarations and its URL, as letters and digits only."""
    signals = page.signals
    named = signals.named
    values = [value for name in _META if name in named for value in named[name]]
    values.append(text(declared(page).get("publisher")))
    values += [text(thing) for thing in signals.json_ld if "@type" in thing and not _SITES.isdisjoint(types(thing))]
    names = {squashed(value) for value in values if value}
    names.update(_initials(value) for value in values if _FEWEST <= value.count(" ") < _MOST)
    if page.url or "og:url" in named:
        names.update(host_names(page.url or named["og:url"][0]))
    return frozenset([name for name in names if len(name) > 1])


def _initials(name: str) -> str:
    """Return the initials of capitalised words: "Harbour Trade Awards" → hta."""
    return "".join([word[0] for word in name.split() if word[0].isupper()]).lower()


def host_names(address: str) -> Iterable[str]:
    """Return the names in the host of a URL, as letters and digits only: `https://www.harbour-times.co.uk/…` →
    harbourtimes, harbourtimescouk.
    """
    url = URL.try_parse(address)
    if url is None:
        return ()
    host = url.host.removeprefix("www.")
    labels = [label for label in host.split(".")[:-1] if label not in _EMPTY_LABELS]
    return {squashed(host), *(squashed(label) for label in labels)}
