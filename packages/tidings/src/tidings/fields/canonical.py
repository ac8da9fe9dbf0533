"""The address under which a story wants to be known.

`link rel="canonical"` first, then `og:url`, then the structured data. Relative addresses are resolved; an address of
another scheme than http is refused, and so is the home page as the address of any other page: templates that name
their own site on every page are frequent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tidings.fields.addresses import picture_address
from tidings.fields.declared import Declared, address
from tidings.fields.sourced import Sourced
from tidings.page import Page
from tidings.text.patterns import late_pattern
from tidings.urls import URL

#: A name and a password before the host are a trick, or a leak.
_USER: Final = late_pattern(r"(https?://)[^/?#@]*@", re.IGNORECASE)


def find(page: Page, declared: Declared, base: str) -> Sourced[str] | None:
    """Return the canonical address of a page, absolute, with what told it."""
    for told, by in _told(page, declared):
        found = picture_address(told, base) if told else None
        if found:
            found = found.partition("#")[0]
            if "@" in found:
                found = _USER.sub(r"\1", found)
            if not (_is_home(found) and page.url and not _is_home(page.url)):
                return Sourced(found, by)
    return None


def _told(page: Page, declared: Declared) -> Iterator[tuple[str, str]]:
    for rel, href in page.signals.links:
        if rel == "canonical":
            yield href, "link canonical"
    for value in page.signals.all("og:url"):
        yield value, "meta og:url"
    for name in ("url", "mainEntityOfPage"):
        found = address(declared.get(name))
        if "/" in found:
            yield found, declared.by(name)


def _is_home(found: str) -> bool:
    url = URL.try_parse(found)
    return url is not None and url.target == "/"
