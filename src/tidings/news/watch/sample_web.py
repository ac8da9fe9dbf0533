"""The web with the sample newspaper in it: its made-up hosts are answered from the package, all others as usual."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final
from urllib.parse import urlsplit

from tidings.errors import NotRecorded
from tidings.fetch import Fetcher, Outcome, Request, Response
from tidings.news import newspaper
from tidings.news.newspaper import wire
from tidings.news.store.records_of_work import NewSource, SourceKind

#: The setting that says that the newspaper is in a store.
SETTING: Final = "sample"
_PICTURES: Final = "/pictures/"


@dataclass(frozen=True, slots=True)
class SampleWeb:
    """A fetcher that knows the sample newspaper."""

    others: Fetcher

    async def fetch(self, request: Request) -> Outcome:
        """What is at an address of the newspaper; everything else is asked of the others."""
        if urlsplit(request.url).hostname not in hosts():
            return await self.others.fetch(request)
        found = _answers().get(request.url) or _picture(request.url)
        if found is None:
            return NotRecorded(request.url, "the sample newspaper has no such page")
        media_type, body = found
        return Response(request.url, 200, (("content-type", media_type),), body, request.kind)


def sources() -> list[NewSource]:
    """The feeds of the newspaper."""
    feeds = (one for one in newspaper.sources() if one.kind not in {"sitemap", "opml"})
    told = {one.url: one.lang or "" for one in feeds} | {url: lang for lang, url in wire.FEEDS.items()}
    return [NewSource(url, SourceKind.FEED, language=lang) for url, lang in told.items()]


@cache
def hosts() -> frozenset[str]:
    """The hosts of the newspaper; they end in .example, which nobody can own (RFC 2606)."""
    pages = {urlsplit(one.url).hostname or "" for one in newspaper.pages()}
    return frozenset(pages | {wire.HOST} | {urlsplit(one.url).hostname or "" for one in newspaper.sources()})


@cache
def _answers() -> dict[str, tuple[str, bytes]]:
    found = {one.url: (f"text/html; charset={one.charset}", one.html) for one in newspaper.pages()}
    return found | dict(wire.answers()) | {one.url: (one.media_type, one.content) for one in newspaper.sources()}


def _picture(url: str) -> tuple[str, bytes] | None:
    name = urlsplit(url).path.rpartition(_PICTURES)[2]
    kept = newspaper.path() / "pictures"
    if name in {one.name for one in kept.iterdir()}:
        return "image/svg+xml", kept.joinpath(name).read_bytes()
    return None
