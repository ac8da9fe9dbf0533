"""The name of an article's site.

Sources in order: `og:site_name`, the publisher in the structured data, other declarations, the part of the title
element that resembles the host, the host. A declared name that is a whole headline or a sentence is skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tidings.fields.declared import Declared, text, types
from tidings.fields.keys import squashed
from tidings.fields.sourced import Sourced
from tidings.page import Page
from tidings.text.patterns import late_pattern
from tidings.urls import site_of

#: Separators between the headline and the site name in a title element.
_PARTED: Final = late_pattern(r"\s+[-–—|·•»«:/]+\s+|\s*[|｜]\s*|:\s+")
#: Longest name (a longer one is a slogan), and shortest name that is compared with the host.
_LONGEST, _SHORTEST = 60, 3
_LONGEST_TITLE: Final = 400
_META: Final = ("application-name", "apple-mobile-web-app-title", "publisher", "dc.publisher")


def find(page: Page, declared: Declared, canonical: str = "") -> Sourced[str] | None:
    """Return the name of a page's site with its provenance."""
    title = page.signals.title
    for name, by in _declared(page, declared):
        if name and len(name) <= _LONGEST and name != title:
            return Sourced(name, by)
    host = site_of(page.url) or site_of(canonical)
    if not host:
        return None
    whole, label = squashed(host), squashed(host.rpartition(".")[0])
    for part in reversed(_PARTED.split(title[:_LONGEST_TITLE])):
        name = squashed(part)
        if len(name) >= _SHORTEST and len(part) <= _LONGEST and (name in whole or (label and label in name)):
            return Sourced(part.strip(), "title element")
    return Sourced(host, "host")


def _declared(page: Page, declared: Declared) -> Iterator[tuple[str, str]]:
    signals = page.signals
    yield text(signals.named.get("og:site_name", ("",))[0]), "meta og:site_name"
    yield text(declared.get("publisher")), declared.by("publisher")
    for thing in signals.json_ld:
        if "WebSite" in types(thing):
            yield text(thing.get("name")), "json-ld WebSite"
    for name in _META:
        yield text(signals.named.get(name, ("",))[0]), f"meta {name}"
