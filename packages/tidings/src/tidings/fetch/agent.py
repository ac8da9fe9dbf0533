"""The user agent: name, contact, and the request headers for each kind of resource."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Final

from tidings.fetch.bodies.decompress import ACCEPTED
from tidings.fetch.messages import Kind

_ACCEPT: Final = {
    Kind.PAGE: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5",
    Kind.FEED: "application/atom+xml,application/rss+xml,application/feed+json,application/rdf+xml;q=0.9,"
    "application/xml;q=0.8,text/xml;q=0.8,application/json;q=0.7,*/*;q=0.5",
    Kind.SITEMAP: "application/xml,text/xml,text/plain;q=0.8,*/*;q=0.5",
    Kind.PICTURE: "image/avif,image/webp,image/*,*/*;q=0.5",
    Kind.ROBOTS: "text/plain,*/*;q=0.5",
}


@cache
def our_version() -> str:
    """Return the version of this package."""
    return version("tidings")


@dataclass(frozen=True, slots=True)
class Agent:
    """The identity of the crawler in headers and in robots.txt.

    Args:
        name: the product token that robots.txt names (RFC 9309, 2.2.1).
        contact: a URL that explains who fetches and why; recommended for heavy use.
        language: the Accept-Language header.
    """

    name: str = "Tidings"
    contact: str | None = None
    language: str = "*"

    def __str__(self) -> str:
        contact_part = f" (+{self.contact})" if self.contact else ""
        return f"{self.name}/{our_version()}{contact_part}"

    def headers(self, kind: Kind) -> list[tuple[str, str]]:
        """Return the headers for requests of a kind."""
        return [
            ("User-Agent", str(self)),
            ("Accept", _ACCEPT[kind]),
            ("Accept-Language", self.language),
            ("Accept-Encoding", ACCEPTED),
        ]
