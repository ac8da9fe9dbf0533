"""Where the outgoing feeds are: the addresses that `tidings.news.portal.feeds` answers at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

_BASE: Final = "/feeds"


@dataclass(frozen=True, slots=True)
class Feeds:
    """One list as a feed, in three formats."""

    rss: str
    atom: str
    json: str


def feeds_of_latest() -> Feeds:
    """The latest articles."""
    return _feeds(f"{_BASE}/latest")


def feeds_of_source(number: int) -> Feeds:
    """What a source brought."""
    return _feeds(f"{_BASE}/source/{number}")


def feeds_of_story(number: int) -> Feeds:
    """The articles of a story."""
    return _feeds(f"{_BASE}/story/{number}")


def feeds_of_category(name: str) -> Feeds:
    """The articles of a category."""
    return _feeds(f"{_BASE}/category/{quote(name, safe='')}")


def feeds_of_search(query: str) -> Feeds:
    """What a query finds."""
    return _feeds(f"{_BASE}/search", f"?q={quote(query, safe='')}")


def _feeds(path: str, query: str = "") -> Feeds:
    return Feeds(*(f"{path}.{form}{query}" for form in ("rss", "atom", "json")))
