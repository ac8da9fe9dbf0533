"""The canonical URL of an article.

`link rel="canonical"` first, then `og:url`, then the structured data. Relative URLs are resolved. A URL with another
scheme than http is rejected, and so is the home page as the URL of another page: many templates declare it on every
page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tidings.fields.declared import Declared, address
from tidings.fields.sourced import Sourced
from tidings.fields.urls.sanitise import picture_address
from tidings.page import Page
from tidings.text.patterns import late_pattern
from tidings.urls import URL

#: A user name and password before the host are phishing, or a leak.
_USER: Final = late_pattern(r"(https?://)[^/?#@]*@", re.IGNORECASE)


def find(page: Page, declared: Declared, base: str) -> Sourced[str] | None:
    """Return the absolute canonical URL of a page with its provenance, or None if it declares none."""
    for value, by in _declared_urls(page, declared):
        url = picture_address(value, base) if value else None
        if url:
            url = url.partition("#")[0]
            if "@" in url:
                url = _USER.sub(r"\1", url)
            if not (_is_home(url) and page.url and not _is_home(page.url)):
                return Sourced(url, by)
    return None


def _declared_urls(page: Page, declared: Declared) -> Iterator[tuple[str, str]]:
    for rel, href in page.signals.links:
        if rel == "canonical":
            yield href, "link canonical"
    for value in page.signals.all("og:url"):
        yield value, "meta og:url"
    for name in ("url", "mainEntityOfPage"):
        url = address(declared.get(name))
        if "/" in url:
            yield url, declared.by(name)


def _is_home(url: str) -> bool:
    parsed = URL.try_parse(url)
    return parsed is not None and parsed.target == "/"
