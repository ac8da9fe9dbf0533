"""A fetcher that answers requests for the sample newspaper from the package, and a sample news agency.

The agency has plain reports about the events that the outlets of the newspaper cover. With them a demo portal has
stories from several sources. They have no ground truth, so `newspaper.pages()` leaves them out.
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

from tidings import newspaper
from tidings.errors import NotRecorded
from tidings.fetch import Fetcher, Outcome, Request, Response
from tidings.urls import URL
from tidings_portal.store.records_of_work import NewSource, SourceKind

HOST: Final = "agency.example"
NAME: Final = "Marenia News Agency"
#: The feeds of the agency, by language.
FEEDS: Final[Mapping[str, str]] = {lang: f"https://{HOST}/{lang}/feed.xml" for lang in ("en", "tr")}


@dataclass(frozen=True, slots=True)
class WireReport:
    """A report of the sample news agency."""

    slug: str
    lang: str
    title: str
    published: str
    section: str
    picture: str  # a file in the newspaper's folder of pictures
    paragraphs: Sequence[str]

    @property
    def url(self) -> str:
        """Return the URL of the report."""
        return f"https://{HOST}/{self.lang}/{self.slug}"


@cache
def reports() -> tuple[WireReport, ...]:
    """Return all reports of the sample news agency."""
    table = tomllib.loads(files("tidings.newspaper").joinpath("wire.toml").read_text("utf-8"))
    return tuple(WireReport(**fields) for fields in table["report"])


@cache
def answers() -> Mapping[str, tuple[str, bytes]]:
    """Return the responses of the news agency's server by URL: media type and body."""
    sent = {report.url: ("text/html; charset=utf-8", _page(report).encode()) for report in reports()}
    return sent | {url: ("application/rss+xml", _feed(lang).encode()) for lang, url in FEEDS.items()}


def _page(report: WireReport) -> str:
    text = "\n".join(f"<p>{escape(paragraph)}</p>" for paragraph in report.paragraphs)
    paragraphs = "".join(
        f'<li><a href="{two.url}">{escape(two.title)}</a></li>'
        for two in reports()
        if two.lang == report.lang and two != report
    )
    return f"""<!doctype html>
<html lang="{report.lang}"><head><meta charset="utf-8"><title>{escape(report.title)} | {NAME}</title>
<meta property="og:title" content="{escape(report.title)}"><meta property="og:site_name" content="{NAME}">
<meta property="og:image" content="https://{HOST}/pictures/{report.picture}">
<meta property="article:published_time" content="{report.published}">
<meta property="article:section" content="{escape(report.section)}"></head>
<body><header><a href="https://{HOST}/{report.lang}/">{NAME}</a></header>
<main><article><h1>{escape(report.title)}</h1>
<p class="dateline"><time datetime="{report.published}">{report.published[:10]}</time></p>
<div class="text">
{text}
</div></article></main>
<aside><h2>{NAME}</h2><ul>{paragraphs}</ul></aside>
<footer><p>© {NAME}</p></footer></body></html>
"""


def _feed(lang: str) -> str:
    items = "".join(
        f"<item><title>{escape(report.title)}</title><link>{report.url}</link><guid>{report.url}</guid>"
        f"<category>{escape(report.section)}</category>"
        f"<pubDate>{format_datetime(datetime.fromisoformat(report.published))}</pubDate></item>\n"
        for report in reports()
        if report.lang == lang
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
    """A fetcher for the sample newspaper, which needs no network."""

    fallback: Fetcher

    async def fetch(self, request: Request) -> Outcome:
        """Return the response for a URL of the sample newspaper; other URLs go to `fallback`."""
        url = URL.try_parse(request.url)
        if url is None or url.host not in hosts():
            return await self.fallback.fetch(request)
        answer = _answers().get(request.url) or _picture(url)
        if answer is None:
            return NotRecorded(request.url, "the sample newspaper has no such page")
        media_type, body = answer
        return Response(request.url, 200, (("content-type", media_type),), body, request.kind)


def sources() -> list[NewSource]:
    """Return the feeds of the sample newspaper."""
    feeds = (source for source in newspaper.sources() if source.kind not in {"sitemap", "opml"})
    languages = {source.url: source.lang or "" for source in feeds} | {url: lang for lang, url in FEEDS.items()}
    return [NewSource(url, SourceKind.FEED, language=lang) for url, lang in languages.items()]


@cache
def hosts() -> frozenset[str]:
    """Return the hosts of the sample newspaper. They end in .example, which is reserved (RFC 2606)."""
    urls = [page.url for page in newspaper.pages()] + [source.url for source in newspaper.sources()]
    return frozenset({HOST} | {URL.parse(url).host for url in urls if url})


@cache
def _answers() -> dict[str, tuple[str, bytes]]:
    found = {one.url: (f"text/html; charset={one.charset}", one.html) for one in newspaper.pages()}
    return found | dict(answers()) | {one.url: (one.media_type, one.content) for one in newspaper.sources()}


def _picture(url: URL) -> tuple[str, bytes] | None:
    name = url.path.rpartition(_PICTURES)[2]
    folder = newspaper.path() / "pictures"
    if name in {file.name for file in folder.iterdir()}:
        return "image/svg+xml", folder.joinpath(name).read_bytes()
    return None
