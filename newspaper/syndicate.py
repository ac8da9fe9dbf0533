"""Feeds, the news sitemap and the list of feeds (OPML): how links to the stories reach a reader."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from email.utils import format_datetime

from jinja2 import Environment

from press import CODECS, Newspaper, Outlet
from storyfile import Story

MARENIA = timezone(timedelta(hours=1))
BUILT = datetime(2026, 3, 20, 18, 0, tzinfo=MARENIA)  # the newest story is older than this

OPML = "https://outlets.example/marenia.opml"

MEDIA_TYPES = {
    "rss": "application/rss+xml",
    "rss-wordpress": "application/rss+xml",
    "atom": "application/atom+xml",
    "rdf": "application/rdf+xml",
    "json": "application/feed+json",
    "sitemap": "application/xml",
    "opml": "text/x-opml",
}


@dataclass(frozen=True, slots=True)
class Source:
    """A file that lists links: its address, its format, and where it lies."""

    outlet: str | None
    lang: str | None
    url: str
    kind: str
    file: str
    content: bytes

    @property
    def record(self) -> dict[str, str | None]:
        """The line in `sources.jsonl`."""
        named = {name: getattr(self, name) for name in ("outlet", "lang", "url", "kind", "file")}
        return {**named, "media_type": MEDIA_TYPES[self.kind]}


def moment(published: datetime | date) -> datetime:
    """A full time stamp; a story that gives only its day counts from six in the morning."""
    if isinstance(published, datetime):
        return published
    return datetime.combine(published, time(6), MARENIA)


def rfc822(published: datetime | date) -> str:
    """The date form of RSS 2.0."""
    return format_datetime(moment(published))


def rfc3339(published: datetime | date) -> str:
    """The date form of Atom, RSS 1.0, JSON Feed and sitemaps."""
    return moment(published).isoformat()


def sources(paper: Newspaper, templates: Environment) -> list[Source]:
    """Every feed, one news sitemap, and one OPML file that lists the feeds."""
    feeds = [
        feed(paper, outlet, lang, templates)
        for outlet in paper.outlets.values()
        for lang in (outlet.langs if outlet.front_by_lang else outlet.langs[:1])
    ]
    gazette = paper.outlets["gazette"]
    sitemap = templates.get_template("feeds/sitemap.xml").render(
        outlet=gazette, entries=[(gazette.url_of(story), story) for story in paper.stories_of(gazette)]
    )
    opml = templates.get_template("feeds/outlets.opml").render(
        feeds=[(paper.outlets[item.outlet], item) for item in feeds if item.outlet], built=BUILT
    )
    url = f"https://{gazette.host}/sitemap-news.xml"
    return [
        *feeds,
        Source("gazette", "en", url, "sitemap", "feeds/gazette-sitemap.xml", sitemap.encode()),
        Source(None, None, OPML, "opml", "feeds/outlets.opml", opml.encode()),
    ]


def feed(paper: Newspaper, outlet: Outlet, lang: str, templates: Environment) -> Source:
    """The feed of an outlet, in one language where the outlet keeps them apart."""
    stories = paper.stories_of(outlet, lang if outlet.front_by_lang else None)
    url = f"https://{outlet.host}" + outlet.feed_path.format(lang=lang)
    stem = f"feeds/{outlet.slug}-{lang}" if outlet.front_by_lang else f"feeds/{outlet.slug}"
    entries = [(outlet.url_of(story), story) for story in stories]
    if outlet.feed == "json":
        return Source(outlet.slug, lang, url, "json", f"{stem}.json", json_feed(outlet, url, entries).encode())
    charset = outlet.charsets.get("feed", "utf-8")
    content = templates.get_template(f"feeds/{outlet.feed}.xml").render(
        outlet=outlet, entries=entries, url=url, lang=lang, charset=charset, built=BUILT
    )
    encoded = content.encode(CODECS[charset], "xmlcharrefreplace")
    return Source(outlet.slug, lang, url, outlet.feed, f"{stem}.xml", encoded)


def json_feed(outlet: Outlet, url: str, entries: list[tuple[str, Story]]) -> str:
    """A feed after JSON Feed 1.1."""
    content = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": outlet.title,
        "home_page_url": f"https://{outlet.host}/",
        "feed_url": url,
        "language": outlet.langs[0],
        "items": [
            {
                "id": address,
                "url": address,
                "title": story.title,
                "summary": story.summary,
                "date_published": moment(story.published).astimezone(UTC).isoformat().replace("+00:00", "Z"),
                "language": story.lang,
                "tags": list(story.tags),
                **({"authors": [{"name": name} for name in story.authors]} if story.authors else {}),
            }
            for address, story in entries
        ],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"
