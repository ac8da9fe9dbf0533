"""Articles a minute from feeds to a store: `tidings watch` against the same job written with trafilatura's own
functions for feeds, downloads and extraction, in one run; and whether memory stays flat.

A server in a process of its own has 200 feeds of 20 hosts (all names lead to it), each host with the templates of one
outlet of the bundled newspaper and texts made up for each page; all of it is made before anything is timed. Ours:
polled, fetched, read, kept with versions, pages and a full-text index; reading is done in as many processes as there
are cores, starting them and learning the sites is part of the time. Theirs: `find_feed_urls`, `buffered_downloads` with
16 threads, `bare_extraction` with metadata, a line of JSON an article, nothing indexed; its functions know of no
processes, so extraction is on one core, downloads beside it. It is given fewer articles: its time is the same for each.
Neither waits between requests to one host, asks for robots.txt, or puts articles into stories. Where others use the
machine, the two processor times tell more than the ratio of the clock.
Run: python -m benchmarks.pipeline_speed [articles, 10000] [feeds, 200] [articles for trafilatura, 1000]
"""

from __future__ import annotations

import asyncio
import gzip
import json
import multiprocessing
import os
import re
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from html import escape
from ipaddress import IPv4Address
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from time import perf_counter
from unittest.mock import patch

from benchmarks import machine
from tidings import newspaper
from tidings.fetch import Guard, Live, Pace
from tidings_portal import store
from tidings_portal import watch as pipeline
from tidings_portal.store.records_of_work import NewSource
from tidings_portal.watch.events import ArticleStored, Event, WatchCounts
from tidings_portal.watch.host_states import StoredHostStates
from tidings_portal.watch.plan import Plan

HOSTS = 20
NAMES = [f"paper-{number}.example" for number in range(HOSTS)]
THREADS = 16
#: Outlets whose pages are in scripts and languages that both can read.
OUTLETS = ("gazette", "tagblatt", "depeche", "kiyi")
_WORD = re.compile(r"[^\W\d_]+")


class Templates:
    """Pages of the newspaper with made-up texts: the paragraphs of each story are replaced, and so is its headline."""

    def __init__(self) -> None:
        self.pages = [
            [_cut(page) for page in newspaper.pages(outlet, page_type="article") if page.lang not in ("ja", "zh")]
            for outlet in OUTLETS
        ]

    def page(self, host: int, number: int) -> bytes:
        """A page of a host: its template is that of one outlet."""
        chance = Random(host * 1_000_003 + number)  # no secret
        pages = self.pages[host % len(OUTLETS)]
        pieces, lengths, words, codec = pages[number % len(pages)]
        made = [f"{' '.join(chance.choices(words, k=length))} {number}." for length in lengths]
        shown = "".join(piece if at is None else made[at] for piece, at in pieces)
        return shown.encode(codec, "replace")


def _cut(page: newspaper.SamplePage) -> tuple[list[tuple[str, int | None]], list[int], list[str], str]:
    """A page as pieces: what stays, and where its texts stood; how many words each has; and words to fill them with."""
    html = re.sub(r'<link[^>]*rel="?canonical[^>]*>', "", page.html.decode(page.codec, "replace"))
    texts = [page.gold["title"], *page.gold["paragraphs"]]
    spellings = {spelling: at for at, text in enumerate(texts) for spelling in (text, escape(text, quote=False))}
    pattern = "|".join(re.escape(one) for one in sorted(spellings, key=len, reverse=True))
    pieces = [(piece, spellings.get(piece)) for piece in re.split(f"({pattern})", html)]
    return pieces, [max(3, len(text.split())) for text in texts], _WORD.findall(page.gold["text"]), page.codec


def feed(host: str, first: int, count: int) -> bytes:
    """A feed of some pages."""
    now = datetime.now(UTC)
    items = "".join(
        f"<item><title>Story {n}</title><link>http://{host}/news/story-{n}.html</link><guid>{n}</guid>"
        f"<pubDate>{now - timedelta(hours=n % 48):%a, %d %b %Y %H:%M:%S} GMT</pubDate></item>"
        for n in range(first, first + count)
    )
    return f'<rss version="2.0"><channel><title>Feed {first} of {host}</title>{items}</channel></rss>'.encode()


def _answer(media: bytes, body: bytes) -> bytes:
    packed = gzip.compress(body, 1)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n"
    return head % (media, len(packed)) + packed


async def _serve(pipe: Connection, per_feed: int, feeds: int) -> None:
    """Serve what was made before: making it is no part of the job."""
    answers: dict[tuple[str, str], bytes] = {}

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                target = head.split(b" ", 2)[1].decode()
                said = re.search(rb"\r\nhost: ([^\r:]+)", head, re.IGNORECASE)
                asked = said[1].decode() if said else "", target
                writer.write(answers.get(asked, b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    templates, addresses = Templates(), []
    for n in range(feeds):
        host, part = NAMES[n % HOSTS], n // HOSTS
        addresses.append(f"http://{host}:{port}/feeds/{part}.xml")
        shown = feed(f"{host}:{port}", part * per_feed, per_feed)
        answers[host, f"/feeds/{part}.xml"] = _answer(b"application/rss+xml", shown)
        for number in range(part * per_feed, (part + 1) * per_feed):
            page = templates.page(n % HOSTS, number)
            answers[host, f"/news/story-{number}.html"] = _answer(b"text/html", page)
    pipe.send(addresses)
    await server.serve_forever()


def _server(pipe: Connection, per_feed: int, feeds: int) -> None:
    asyncio.run(_serve(pipe, per_feed, feeds))


@contextmanager
def served(per_feed: int, feeds: int) -> Iterator[list[str]]:
    """The addresses of the feeds of a server that runs meanwhile."""
    ours, theirs = multiprocessing.Pipe()
    arguments = (theirs, per_feed, feeds)
    process = multiprocessing.get_context("fork").Process(target=_server, args=arguments, daemon=True)
    process.start()
    try:
        yield ours.recv()
    finally:
        process.terminate()
        process.join()


def resident() -> list[int]:
    """Megabytes that this process and the processes it started hold, itself first."""
    own = multiprocessing.current_process().pid or 0
    found = [own, *(child.pid or 0 for child in multiprocessing.active_children() if "reader" in child.name)]
    sizes = []
    for process in found:
        told = Path(f"/proc/{process}/status")
        match = re.search(r"VmRSS:\s+(\d+)", told.read_text()) if told.exists() else None
        sizes.append(int(match[1]) // 1024 if match else 0)
    return sizes


async def _all_here(host: str) -> tuple[IPv4Address]:
    """All names lead to this machine."""
    assert host
    return (IPv4Address("127.0.0.1"),)


@contextmanager
def all_here() -> Iterator[None]:
    """The same for whoever asks the system."""
    known = socket.getaddrinfo

    def found(host: object, *rest: object, **more: object) -> object:
        return known("127.0.0.1" if host in NAMES else host, *rest, **more)  # type: ignore[arg-type]  # as it came

    with patch("socket.getaddrinfo", found):
        yield


def by_tidings(feeds: list[str], marks: tuple[int, ...]) -> tuple[int, float, dict[int, list[int]]]:
    """Articles, seconds, and the memory at some numbers of articles."""
    tally, memory = WatchCounts(), dict[int, list[int]]()

    def tell(event: Event) -> None:
        tally.count(event)
        if isinstance(event, ArticleStored) and tally.kept in marks and tally.kept not in memory:
            memory[tally.kept] = resident()

    async def run(where: Path) -> None:
        with store.open(where) as kept:
            kept.add_sources([NewSource(feed) for feed in feeds], datetime.now(UTC))
            pace = Pace(delay=0, at_once=THREADS)
            guard, host_states = Guard.allowing(NAMES), StoredHostStates(kept)
            live = Live(guard=guard, pace=pace, robots=False, host_states=host_states, resolver=_all_here)
            async with live:
                await pipeline.watch(where, fetcher=live, plan=Plan(once=True, group=False, per_host=64), tell=tell)

    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder) / "news.tidings"
        begin = perf_counter()
        asyncio.run(run(where))
        spent = perf_counter() - begin
        with store.open(where) as kept:
            assert kept.check() == []
            assert kept.totals().articles == tally.kept
        return tally.kept, spent, memory


def by_trafilatura(feeds: list[str]) -> tuple[int, float]:
    """Articles and seconds."""
    from trafilatura import bare_extraction
    from trafilatura.downloads import add_to_compressed_dict, buffered_downloads, load_download_buffer
    from trafilatura.feeds import find_feed_urls
    from trafilatura.settings import DEFAULT_CONFIG

    DEFAULT_CONFIG["DEFAULT"]["SSRF_PROTECTION"] = "off"
    begin = perf_counter()
    urls = [url for feed in feeds for url in find_feed_urls(feed, sleep_time=0)]
    waiting = add_to_compressed_dict(urls)
    count = 0
    with tempfile.NamedTemporaryFile("w") as lines:
        while not waiting.done:
            bufferlist, waiting = load_download_buffer(waiting, sleep_time=0)
            for url, page in buffered_downloads(bufferlist, THREADS):
                article = bare_extraction(page, url=url, with_metadata=True) if page else None
                if article is not None:
                    lines.write(
                        json.dumps(article if isinstance(article, dict) else article.as_dict(), default=str) + "\n"
                    )
                    count += 1
    return count, perf_counter() - begin


def _spent() -> float:
    """Seconds of processor time of this process and of those it started that have ended: the workers."""
    told = os.times()
    return told.user + told.system + told.children_user + told.children_system


def main() -> None:
    articles, feeds, fewer = (int(told) for told in (*sys.argv[1:], *("10000", "200", "1000")[len(sys.argv) - 1 :]))
    print(machine.describe("tidings", "trafilatura"))
    per_feed = articles // feeds
    marks = (articles // 4, articles // 2, articles)
    with served(per_feed, feeds) as addresses:
        with all_here():
            spent = _spent()
            theirs, their_time = by_trafilatura(addresses[: max(1, fewer // per_feed)])
            their_cost = _spent() - spent
        spent = _spent()
        ours, our_time, memory = by_tidings(addresses, marks)
        our_cost = _spent() - spent
    print(f"processor time an article: {1000 * our_cost / ours:.1f} ms against {1000 * their_cost / theirs:.1f} ms")
    our_rate, their_rate = 60 * ours / our_time, 60 * theirs / their_time
    print(f"tidings     {ours:>6} articles from {feeds} feeds in {our_time:6.1f} s: {our_rate:8.0f} a minute")
    print(f"trafilatura {theirs:>6} articles                in {their_time:6.1f} s: {their_rate:8.0f} a minute")
    print(f"ratio {our_rate / their_rate:.1f}")
    for count, sizes in memory.items():
        print(f"after {count:>6} articles: {sizes[0]} MB here, {sizes[1:]} MB in workers")


if __name__ == "__main__":
    main()
