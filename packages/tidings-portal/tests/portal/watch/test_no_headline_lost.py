"""A round of 190 feeds, 15 of them broken, walled or corrected: each item of each feed is on the web and on a phone."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from html import escape
from pathlib import Path

import pytest

from tests.fetch.server import AT_ONCE, Asked, Server, moved, reply
from tests.portal import housed
from tests.portal.accounts.browsing import PASSWORD, Browser, site_of
from tests.portal.greader.client import LABEL, STATE, GReaderClient
from tests.portal.greader.test_conversation import phone
from tests.portal.watch.press import QUICK, everybody_is_here
from tidings.fetch import Guard, Limits, Live
from tidings_portal import store
from tidings_portal import watch as pipeline
from tidings_portal.store.records_of_articles import Only
from tidings_portal.store.records_of_work import NewSource
from tidings_portal.web.app_state import App
from tidings_portal.web.settings import PortalSettings

FEEDS, ITEMS = 190, 3
#: What is wrong with the first feeds. The next ones are podcasts whose episodes have no page, and outlets that publish
#: the articles of another one; all others are well.
FAULTS = (
    "403", "403", "404", "empty", "slow", "wall", "robots", "query", "moved feed", "moved pages",
    "corrected", "corrected wall", "not well-formed", "cut short", "no feed",
)  # fmt: skip
PODCASTS = range(15, 18)
COPIES = range(18, 24)
FOLDERS = ("", "Coast", "Hills")
#: Seconds: a slow page takes longer than a request may, and that is more than any other takes on a busy machine.
PATIENCE, SLOW = 10.0, 60.0
READ = f"{STATE}read"
PUBLISHED = "Tue, 17 Nov 2026 {:02}:00:00 GMT"


@dataclass
class Outlet:
    """A generated outlet: its feed in one of three formats, its pages, and what is wrong with them."""

    number: int
    fault: str = ""
    is_corrected: bool = False
    words: list[str] = field(init=False)

    def __post_init__(self) -> None:
        chance = random.Random(self.original)  # words, not secrets
        letters = "bcdfghklmnprstvz"
        self.words = ["".join(chance.choice(letters) + chance.choice("aeiou") for _ in range(3)) for _ in range(90)]

    @property
    def original(self) -> int:
        """Return the number of the outlet whose articles it publishes: itself, or a healthy one."""
        return self.number + len(COPIES) if self.number in COPIES else self.number

    @property
    def host(self) -> str:
        return f"outlet{self.number}.example"

    @property
    def format(self) -> str:
        is_xml = self.fault in {"not well-formed", "cut short"} or self.fault.startswith("corrected")
        is_xml = is_xml or self.number in PODCASTS
        return "rss" if is_xml else ("rss", "atom", "json")[self.number % 3]

    @property
    def content(self) -> str:
        return "teaser" if self.fault else ("teaser", "title", "full")[self.number // 3 % 3]

    def title(self, item: int) -> str:
        correction = " (corrected)" if self.is_corrected and item == 0 else ""
        return f"{self.words[item]} {self.words[item + 10]} of {self.words[item + 20]} {self.original}{correction}"

    def text(self, item: int) -> list[str]:
        chance = random.Random(1000 * self.original + item)
        return [f"The {' '.join(chance.choices(self.words, k=24))} said on Tuesday." for _ in range(5)]

    def teaser(self, item: int) -> str:
        return f"{self.title(item)}: what the {self.words[item + 30]} means & what follows." if self.content else ""

    def items(self) -> int:
        """Return how many items can be read from its feed."""
        return 0 if self.fault == "no feed" else ITEMS

    def url(self, item: int, port: int) -> str:
        query = "?utm_source=rss&utm_medium=feed" if self.fault == "query" else ""
        return f"http://{self.host}:{port}/{self.number}/story-{item}-{self.words[item]}{query}"

    def feed(self, port: int) -> str:
        if self.fault == "no feed":
            return "\0\1\2 nothing of a feed"
        if self.format == "json":
            told = [self._json(item, port) for item in range(ITEMS)]
            return json.dumps({"version": "https://jsonfeed.org/version/1.1", "title": self.host, "items": told})
        if self.format == "atom":
            entries = "".join(self._atom(item, port) for item in range(ITEMS))
            return f'<feed xmlns="http://www.w3.org/2005/Atom"><title>{self.host}</title>{entries}</feed>'
        items = "".join(self._rss(item, port) for item in range(ITEMS))
        feed = f'<rss version="2.0"><channel><title>{self.host}</title>{items}</channel></rss>'
        if self.fault == "cut short":
            return feed.removesuffix("</channel></rss>") + "<item><ti"
        return feed.replace("&amp;", "&") if self.fault == "not well-formed" else feed

    def _rss(self, item: int, port: int) -> str:
        told = {
            "teaser": escape(self.teaser(item)),
            "full": escape("".join(f"<p>{one}</p>" for one in self.text(item))),
        }
        description = f"<description>{told[self.content]}</description>" if self.content in told else ""
        hour = 12 + item + (3 if self.is_corrected and item == 0 else 0)
        url = escape(self.url(item, port))
        link = f"<link>{url}</link>"
        if self.number in PODCASTS:
            link = (
                f'<guid isPermaLink="false">{self.number}-{item}</guid><enclosure url="{url}.mp3" type="audio/mpeg"/>'
            )
        return (
            f"<item><title>{escape(self.title(item))}</title>{link}{description}"
            f"<pubDate>{PUBLISHED.format(hour)}</pubDate></item>"
        )

    def _atom(self, item: int, port: int) -> str:
        full = escape("".join(f"<p>{one}</p>" for one in self.text(item)))
        told = {
            "teaser": f"<summary>{escape(self.teaser(item))}</summary>",
            "full": f'<content type="html">{full}</content>',
        }
        return (
            f"<entry><id>urn:{self.number}:{item}</id><title>{escape(self.title(item))}</title>"
            f'<link href="{escape(self.url(item, port))}"/><updated>2026-11-17T{12 + item}:00:00Z</updated>'
            f"{told.get(self.content, '')}</entry>"
        )

    def _json(self, item: int, port: int) -> dict[str, str]:
        told = {
            "teaser": {"summary": self.teaser(item)},
            "full": {"content_html": "".join(f"<p>{one}</p>" for one in self.text(item))},
        }
        common = {"id": str(item), "url": self.url(item, port), "title": self.title(item)}
        return {**common, "date_published": f"2026-11-17T{12 + item}:00:00Z", **told.get(self.content, {})}

    def page(self, item: int) -> bytes:
        text = "".join(f"<p>{one}</p>" for one in self.text(item))
        title = escape(self.title(item))
        return f"<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1><article>{text}</article>".encode()

    def answer(self, asked: Asked, port: int) -> bytes:
        """Return the response to a request of this host."""
        path = asked.path
        if path == "/robots.txt":
            rules = f"User-agent: *\nDisallow: /{self.number}/\n" if self.fault == "robots" else ""
            return reply(rules.encode()) if rules else reply(b"", 404)
        if path == "/feed" and self.fault == "moved feed":
            return moved("/new-feed", 301)
        if path in {"/feed", "/new-feed"}:
            return reply(self.feed(port).encode())
        match = re.fullmatch(rf"/{self.number}/(?:moved/)?story-(\d)-\w+", path)
        if match is None:
            return reply(b"<!doctype html><title>Offer</title><h1>Subscribe today</h1><p>Read on for a euro a week.")
        return self._page_answer(asked, int(match[1]))

    def _page_answer(self, asked: Asked, item: int) -> bytes:
        path = asked.path
        failures = {
            **dict.fromkeys(("403", "corrected wall"), reply(b"", 403)),
            "404": reply(b"", 404),
            "empty": reply(b"<!doctype html><title>Nothing</title><div></div>"),
            "wall": moved("/subscribe"),
        }
        if self.fault in failures:
            return failures[self.fault]
        if self.fault == "query" and "utm_source" not in asked.target:
            return reply(b"", 404)
        if self.fault == "moved pages" and "/moved/" not in path:
            return moved(f"/{self.number}/moved{path.removeprefix(f'/{self.number}')}")
        return reply(self.page(item), headers={"Content-Type": "text/html; charset=utf-8"})


@dataclass
class Outlets:
    """All outlets on one server, told apart by their host names."""

    outlets: list[Outlet]
    server: Server = field(init=False)

    def __post_init__(self) -> None:
        by_host = {one.host: one for one in self.outlets}

        async def answer(asked: Asked, writer: asyncio.StreamWriter) -> None:
            outlet = by_host[asked.headers["host"].partition(":")[0]]
            if outlet.fault == "slow" and "story" in asked.path:
                await asyncio.sleep(SLOW)
            writer.write(outlet.answer(asked, self.server.port))
            await writer.drain()

        self.server = Server({"*": answer})

    def read(self, where: str) -> None:
        """Poll all sources and read what is new."""
        guard = Guard.allowing([one.host for one in self.outlets])

        async def once() -> None:
            limits = Limits(deadline=PATIENCE)
            live = Live(guard=guard, pace=AT_ONCE, limits=limits, resolver=everybody_is_here)
            async with live:
                await pipeline.watch(where, fetcher=live, plan=replace(QUICK, group=True))

        asyncio.run(once())


def web_list(browser: Browser, path: str) -> dict[int, str]:
    """Return the titles of a reading list by number, page after page."""
    found: dict[int, str] = {}
    while path:
        page = browser.get(path).text
        rows = re.findall(r'data-article="(\d+)">.*?<a href="/article/\1">(.*?)</a>', page, re.DOTALL)
        found |= {int(number): title for number, title in rows}
        more = re.search(r'<a rel="next" class="button" href="([^"]+)"', page)
        path = "" if more is None else more[1].replace("&amp;", "&")
    return found


def phone_list(client: GReaderClient, source: int) -> dict[int, str]:
    """Return the titles of the stream of a source, by number."""
    items = client.get(f"stream/contents/feed/{source}", n="1000")["items"]
    assert all(one["canonical"][0]["href"].startswith("http") for one in items)
    return {int(one["id"].rpartition("/")[2], 16): escape(one["title"]) for one in items}


@dataclass(frozen=True)
class Figures:
    """How many items are in feeds, on the web and on the phone, and how many rows the list has: a copy has none."""

    feeds: int
    web: int
    phone: int
    rows: int


def compare(browser: Browser, client: GReaderClient, outlets: Mapping[int, Outlet]) -> Figures:
    """Assert that each source has the same items everywhere, and that all counts agree."""
    store = browser.site.app.store
    unread = client.get("unread-count")
    counts = {one["id"]: one["count"] for one in unread["unreadcounts"]}
    on_web: set[int] = set()
    for number, outlet in outlets.items():
        titles = sorted(escape(outlet.title(item)) for item in range(outlet.items()))
        web, phone = web_list(browser, f"/unread?source={number}"), phone_list(client, number)
        assert sorted(web.values()) == titles, (outlet, web)
        assert phone == web, outlet
        assert counts.get(f"feed/{number}", 0) == len(titles), outlet
        on_web |= web.keys()
    ids = {int(one) for one in client.numbers(n="1000", xt=READ)}
    assert ids == on_web
    rows = web_list(browser, "/unread")
    copies = {copy.id for one in store.headlines_of(sorted(rows)) for copy in one.copies}
    assert rows.keys() | copies == ids
    assert not rows.keys() & copies
    assert unread["max"] == counts[f"{STATE}reading-list"] == len(ids)
    folders = {folder for folder in FOLDERS if folder}
    for folder in folders:
        inside = [number for number in outlets if FOLDERS[number % 3] == folder]
        assert counts[LABEL + folder] == sum(outlets[number].items() for number in inside)
        assert f"{counts[LABEL + folder]} unread" in browser.get(f"/unread?folder={folder}").text
    for language in ("en", "pl", "en,pl", ""):
        page = browser.client.get("/unread", headers={"accept-language": language}).text
        assert f"{len(ids)} unread" in page, language
        assert re.search(rf'aria-current="true">[^<]*<span class="left">{len(ids)}<', page), language
    return Figures(sum(one.items() for one in outlets.values()), len(on_web), len(ids), len(rows))


@pytest.mark.gate
def test_items_in_feeds_are_items_on_the_web_and_on_the_phone(tmp_path: Path) -> None:
    where = str(tmp_path / "news.tidings")
    all_outlets = [Outlet(n, FAULTS[n] if n < len(FAULTS) else "") for n in range(FEEDS)]
    outlets = Outlets(all_outlets)
    with outlets.server as server, store.open(where) as kept:
        urls = [f"http://{one.host}:{server.port}/feed" for one in all_outlets]
        numbers = range(1, FEEDS + 1)
        sources = [NewSource(url, folder=FOLDERS[number % 3]) for number, url in zip(numbers, urls, strict=True)]
        assert kept.add_sources(sources, datetime.now(UTC) - timedelta(seconds=1)) == [*numbers]
        by_number = dict(zip(numbers, all_outlets, strict=True))
        settings = PortalSettings(accounts=True)
        portal = site_of(App(kept, housed.Web(), housed.Web(), settings, now=lambda: datetime.now(UTC)))
        ann = portal.person("Ann")  # who subscribes to nothing, and so reads everything
        client = phone(portal, "Ann", PASSWORD)
        outlets.read(where)
        first = compare(ann, client, by_number)
        for one in all_outlets:
            one.is_corrected = one.fault.startswith("corrected")
        for number in numbers:
            kept.poll_again(number, datetime.now(UTC) - timedelta(seconds=1))
        outlets.read(where)
        second = compare(ann, client, by_number)
        print(f"\n{FEEDS} feeds; first round {first}; second round {second}")  # noqa: T201
        in_feeds = first.feeds
        assert first == second == Figures(in_feeds, in_feeds, in_feeds, in_feeds - ITEMS * len(COPIES))
        counts = kept.item_counts()
        reasons = {one.fault: counts[number].reason for number, one in by_number.items() if number in counts}
        assert {fault: reason for fault, reason in reasons.items() if reason} == {
            **{fault: fault for fault in ("403", "404", "empty", "slow", "wall", "robots")},
            "corrected wall": "403",
        }
        states = {one.fault: source.state for number, one in by_number.items() if (source := kept.source(number))}
        broken = [states[fault] for fault in ("not well-formed", "cut short", "no feed")]
        assert broken == ["damaged", "cut short", "not a feed"]
        corrected = next(number for number, one in by_number.items() if one.fault == "corrected")
        versions = sorted(one.versions for one in kept.articles(Only(source=corrected), limit=10).items)
        assert versions == [1, 1, 2]
