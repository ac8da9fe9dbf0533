"""Feeds and front pages, in turn with others: a feed of 1,000 entries, a broken one, and large front pages.

Processor time of one thread, the best of three. feedparser as it is and with cleaning and resolving off; trafilatura's
own function for links of feeds, which gives addresses only. Run: python -m benchmarks.sources_speed
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from time import thread_time

import feedparser
from trafilatura.feeds import FeedParameters, extract_links

from benchmarks import machine
from benchmarks.pages import SHARED
from tidings.page import Page
from tidings.sources import front_page, read_feed

ROUNDS = 3
HOME = "https://gazette.example/"


def feed(entries: int) -> bytes:
    """A feed as newspapers have them: a summary of a hundred words an entry, a picture, a name, a date."""
    items = "".join(
        f"<item><title>Council votes {at} times on the harbour wall</title>"
        f"<link>{HOME}news/{at}/story-{at}?utm_source=rss</link>"
        f'<guid isPermaLink="false">g{at}</guid><pubDate>Mon, 16 Mar 2026 10:{at % 60:02d}:00 +0100</pubDate>'
        f"<dc:creator>Ann Lee</dc:creator><category>News</category>"
        f"<description>&lt;p&gt;{'words and more words ' * 30}&lt;/p&gt;</description>"
        '<media:content url="https://x.example/a.jpg" medium="image"/></item>'
        for at in range(entries)
    )
    names = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"'
    whole = f'<rss version="2.0" {names}><channel><title>G</title><link>{HOME}</link>{items}</channel></rss>'
    return f'<?xml version="1.0"?>{whole}'.encode()


def seconds(work: Callable[[], object]) -> float:
    begin = thread_time()
    work()
    return thread_time() - begin


def compare(what: str, systems: dict[str, Callable[[], object]]) -> None:
    best = dict.fromkeys(systems, float("inf"))
    for _ in range(ROUNDS):
        for name, work in systems.items():
            best[name] = min(best[name], seconds(work))
    first = next(iter(best.values()))
    print(what)
    for name, taken in best.items():
        print(f"  {name:34} {taken * 1000:8.1f} ms  {taken / first:6.2f}")


def front_pages(most: int = 6) -> list[tuple[str, bytes, str]]:
    """The largest front pages of the shared data, where they are."""
    folder = SHARED / "frontpages"
    if not folder.is_dir():
        return []
    records = map(json.loads, (folder / "pages.jsonl").read_text(encoding="utf-8").splitlines())
    largest = sorted(records, key=lambda one: -one["html_bytes"])[:most]
    return [(one["id"], gzip.decompress((folder / one["html_file"]).read_bytes()), one["url"]) for one in largest]


def main() -> None:
    print(machine.describe("tidings", "feedparser", "trafilatura"))
    data = feed(1000)
    quiet = {"sanitize_html": False, "resolve_relative_uris": False}
    compare(
        f"a feed of 1,000 entries, {len(data) / 1e6:.1f} MB",
        {
            "tidings.sources.read_feed": lambda: read_feed(data, HOME),
            "feedparser": lambda: feedparser.parse(io.BytesIO(data)),
            "feedparser, neither cleaning": lambda: feedparser.parse(io.BytesIO(data), **quiet),
            "trafilatura.feeds.extract_links": lambda: extract_links(
                data.decode(), FeedParameters(HOME, "gazette.example", HOME)
            ),
        },
    )
    broken = data.replace(b"<title>Council votes 7 ", b"<title>Council <b>votes 7 ", 1)
    compare(
        "the same with one broken entry",
        {
            "tidings.sources.read_feed": lambda: read_feed(broken, HOME),
            "feedparser": lambda: feedparser.parse(io.BytesIO(broken)),
        },
    )
    for name, html, url in front_pages():
        page = Page(html, url)

        def links(html: bytes = html, url: str = url) -> float:
            held = Page(html, url)
            begin = thread_time()
            front_page(held)
            return thread_time() - begin

        beyond = min(links() for _ in range(ROUNDS))
        alone = min(seconds(lambda html=html: Page(html)) for _ in range(ROUNDS))  # type: ignore[misc]  # bound now
        count = len(front_page(page).links)
        times = f"Page {alone * 1000:.1f} ms, links {beyond * 1000:.1f} ms"
        print(f"{name}, {len(html) / 1e6:.1f} MB: {times}, {count} found")


if __name__ == "__main__":
    main()
