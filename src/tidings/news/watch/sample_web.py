"""The web with the sample newspaper in it: its made-up hosts are answered from the package, all others as usual.

A news agency of the sample newspaper: plain reports about the events that its outlets write about.

With them a portal over the newspaper has stories that several sources tell. There is no gold for these: they are for
looking at, so they are none of `newspaper.pages()`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from functools import cache
from html import escape
from importlib.resources import files
from typing import Final

from tidings.errors import NotRecorded
from tidings.fetch import Fetcher, Outcome, Request, Response
from tidings.news import newspaper
from tidings.news.store.records_of_work import NewSource, SourceKind
from tidings.urls import URL

HOST: Final = "agency.example"
NAME: Final = "Marenia News Agency"
#: The feeds of the agency, by language.
FEEDS: Final[Mapping[str, str]] = {lang: f"https://{HOST}/{lang}/feed.xml" for lang in ("en", "tr")}


@dataclass(frozen=True, slots=True)
class WireReport:
    """One report."""

    slug: str
    lang: str
    title: str
    published: str
    section: str
    picture: str  # a file in the newspaper's folder of pictures
    paragraphs: Sequence[str]

    @property
    def url(self) -> str:
        """Where it is."""
        return f"https://{HOST}/{self.lang}/{self.slug}"


@cache
def reports() -> tuple[WireReport, ...]:
    """All reports."""
    table = tomllib.loads(files("tidings.news.newspaper").joinpath("wire.toml").read_text("utf-8"))
    return tuple(WireReport(**one) for one in table["report"])


@cache
def answers() -> Mapping[str, tuple[str, bytes]]:
    """What the agency's server sends, media type and body, by address."""
    sent = {one.url: ("text/html; charset=utf-8", _page(one).encode()) for one in reports()}
    return sent | {url: ("application/rss+xml", _feed(lang).encode()) for lang, url in FEEDS.items()}


def _page(one: WireReport) -> str:
    text = "\n".join(f"<p>{escape(paragraph)}</p>" for paragraph in one.paragraphs)
    others = "".join(
        f'<li><a href="{two.url}">{escape(two.title)}</a></li>'
        for two in reports()
        if two.lang == one.lang and two != one
    )
    return f"""<!doctype html>
<html lang="{one.lang}"><head><meta charset="utf-8"><title>{escape(one.title)} | {NAME}</title>
<meta property="og:title" content="{escape(one.title)}"><meta property="og:site_name" content="{NAME}">
<meta property="og:image" content="https://{HOST}/pictures/{one.picture}">
<meta property="article:published_time" content="{one.published}">
<meta property="article:section" content="{escape(one.section)}"></head>
<body><header><a href="https://{HOST}/{one.lang}/">{NAME}</a></header>
<main><article><h1>{escape(one.title)}</h1>
<p class="dateline"><time datetime="{one.published}">{one.published[:10]}</time></p>
<div class="text">
{text}
</div></article></main>
<aside><h2>{NAME}</h2><ul>{others}</ul></aside>
<footer><p>© {NAME}</p></footer></body></html>
"""


def _feed(lang: str) -> str:
    items = "".join(
        f"<item><title>{escape(one.title)}</title><link>{one.url}</link><guid>{one.url}</guid>"
        f"<category>{escape(one.section)}</category>"
        f"<pubDate>{format_datetime(datetime.fromisoformat(one.published))}</pubDate></item>\n"
        for one in reports()
        if one.lang == lang
    )
    return f"""<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>{NAME}</title><link>https://{HOST}/{lang}/</link><description>{NAME}</description>
<language>{lang}</language>
{items}</channel></rss>
"""


#: The setting that says that the newspaper is in a store.
SETTING: Final = "sample"
_PICTURES: Final = "/pictures/"


@dataclass(frozen=True, slots=True)
class SampleWeb:
    """A fetcher that knows the sample newspaper."""

    others: Fetcher

    async def fetch(self, request: Request) -> Outcome:
        """What is at an address of the newspaper; everything else is asked of the others."""
        url = URL.try_parse(request.url)
        if url is None or url.host not in hosts():
            return await self.others.fetch(request)
        found = _answers().get(request.url) or _picture(url)
        if found is None:
            return NotRecorded(request.url, "the sample newspaper has no such page")
        media_type, body = found
        return Response(request.url, 200, (("content-type", media_type),), body, request.kind)


def sources() -> list[NewSource]:
    """The feeds of the newspaper."""
    feeds = (one for one in newspaper.sources() if one.kind not in {"sitemap", "opml"})
    told = {one.url: one.lang or "" for one in feeds} | {url: lang for lang, url in FEEDS.items()}
    return [NewSource(url, SourceKind.FEED, language=lang) for url, lang in told.items()]


@cache
def hosts() -> frozenset[str]:
    """The hosts of the newspaper; they end in .example, which nobody can own (RFC 2606)."""
    urls = [page.url for page in newspaper.pages()] + [source.url for source in newspaper.sources()]
    return frozenset({HOST} | {URL.parse(url).host for url in urls if url})


@cache
def _answers() -> dict[str, tuple[str, bytes]]:
    found = {one.url: (f"text/html; charset={one.charset}", one.html) for one in newspaper.pages()}
    return found | dict(answers()) | {one.url: (one.media_type, one.content) for one in newspaper.sources()}


def _picture(url: URL) -> tuple[str, bytes] | None:
    name = url.path.rpartition(_PICTURES)[2]
    kept = newspaper.path() / "pictures"
    if name in {one.name for one in kept.iterdir()}:
        return "image/svg+xml", kept.joinpath(name).read_bytes()
    return None
