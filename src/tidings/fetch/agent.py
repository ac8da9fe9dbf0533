"""Who we say we are, and what we say we can read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Final

from tidings.fetch.decompress import ACCEPTED
from tidings.fetch.exchange import Kind

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
    """The version of this package."""
    return version("tidings")


@dataclass(frozen=True, slots=True)
class Agent:
    """The name by which sites know us, in headers and in robots.txt.

    Args:
        name: the product token that robots.txt names (RFC 9309, 2.2.1).
        contact: an address where people can read who fetches and why; worth setting for anyone who fetches much.
        language: what Accept-Language says.
    """

    name: str = "Tidings"
    contact: str | None = None
    language: str = "*"

    def __str__(self) -> str:
        told = f" (+{self.contact})" if self.contact else ""
        return f"{self.name}/{our_version()}{told}"

    def headers(self, kind: Kind) -> list[tuple[str, str]]:
        """What is sent with every request of a kind."""
        return [
            ("User-Agent", str(self)),
            ("Accept", _ACCEPT[kind]),
            ("Accept-Language", self.language),
            ("Accept-Encoding", ACCEPTED),
        ]
