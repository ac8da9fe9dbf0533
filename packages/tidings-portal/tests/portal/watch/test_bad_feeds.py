"""Feeds in a wrong encoding, and feeds of a hundred megabytes against the caps as they are: from the socket to
`tidings status`.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fetch.server import AT_ONCE, LOCAL, Asked, Server, reply
from tests.portal.watch.press import QUICK, Press
from tests.portal.watch.test_watch import add, feed, run, story
from tidings.fetch import Kind, Live
from tidings.fetch.limits import CAPS
from tidings_portal import store
from tidings_portal import watch as pipeline
from tidings_portal.store.records_of_work import NewSource
from tidings_portal.watch.events import WatchCounts

TITLE = "Limanda fırtına: şehir suskun"
CHANNEL = (
    "<rss version='2.0'><channel><title>Kıyı</title><item><title>" + TITLE + "</title>"
    "<link>https://coast.example/news/storm.html</link></item></channel></rss>"
)
WRONG = {
    "says UTF-8, is Windows-1254": ("<?xml version='1.0' encoding='utf-8'?>" + CHANNEL, "cp1254", ""),
    "header says UTF-8, is Windows-1254": (CHANNEL, "cp1254", "; charset=utf-8"),
    "says Windows-1254, is UTF-8": ("<?xml version='1.0' encoding='windows-1254'?>" + CHANNEL, "utf-8", ""),
    "header says Latin-1, is UTF-8": ("<?xml version='1.0' encoding='utf-8'?>" + CHANNEL, "utf-8", "; charset=latin1"),
    "says UTF-8, is UTF-16": ("<?xml version='1.0' encoding='utf-8'?>" + CHANNEL, "utf-16-le", ""),
    "says what nobody knows": ("<?xml version='1.0' encoding='x-harbour'?>" + CHANNEL, "utf-8", ""),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_feed_in_a_wrong_encoding(tmp_path: Path, name: str) -> None:
    text, codec, charset = WRONG[name]
    where = str(tmp_path / "news.tidings")
    with Press() as press:
        # As it stands: the address in it is led to the server before it is encoded.
        body = press.here(text.encode()).decode().encode(codec)
        press.more["coast.example/feed"] = reply(body, headers={"Content-Type": "application/rss+xml" + charset})
        press.more["coast.example/news/storm.html"] = reply(story("", "The storm"))
        add(where, feed(press, "coast.example/feed"))
        tally = run(press, where)
    assert tally.kept == 1
    with store.open(where) as kept:
        (source,) = kept.sources()
        link = kept.link(1)
    assert (source.state, source.problem) == ("ok", "")
    assert link is not None
    assert link.seen.title == TITLE


HUNDRED_MB = 100 * 1024 * 1024
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\n"


def items() -> Iterator[bytes]:
    """A hundred megabytes of feed, a few at a time."""
    yield b"<?xml version='1.0'?><rss version='2.0'><channel><title>Endless</title>"
    made, number = 0, 0
    while made < HUNDRED_MB:
        part = b"".join(
            b"<item><title>Story %d</title><link>http://big.example/%d</link><description>%s</description></item>"
            % (one, one, b"word %d " % (one * 7919) * 50)
            for one in range(number, number + 500)
        )
        number += 500
        made += len(part)
        yield part


class Sending:
    """Sends a feed, and counts what went out before the other side had enough."""

    def __init__(self, *, packed: bool, says_length: bool) -> None:
        self.packed = packed
        self.says_length = says_length
        self.made = 0

    async def send(self, _: Asked, writer: asyncio.StreamWriter) -> None:
        length = b"Content-Length: %d\r\n" % HUNDRED_MB if self.says_length else b""
        writer.write(_HEAD + (b"Content-Encoding: gzip\r\n" if self.packed else b"") + length + b"\r\n")
        packer = zlib.compressobj(1, zlib.DEFLATED, 31)
        try:
            for part in items():
                self.made += len(part)
                writer.write(packer.compress(part) if self.packed else part)
                await writer.drain()
        except ConnectionError:
            return


@pytest.mark.parametrize(
    ("packed", "says_length"), [(False, False), (False, True), (True, False)], ids=["plain", "announced", "packed"]
)
def test_a_feed_of_a_hundred_megabytes(tmp_path: Path, packed: bool, says_length: bool) -> None:
    """Refused at the cap as it is, long before its end, and said so; the rest goes on."""
    where = str(tmp_path / "news.tidings")
    sending = Sending(packed=packed, says_length=says_length)
    with Server({"/feed": sending.send}) as server, Press() as press:
        add(where, NewSource(server.url("/feed")), feed(press, "gazette.example/feeds/news.xml"))

        async def once() -> WatchCounts:
            async with press.live() as live, Live(guard=LOCAL, pace=AT_ONCE, robots=False) as other:

                class Both:
                    async def fetch(self, request):  # type: ignore[no-untyped-def]
                        return await (other if "localhost" in request.url else live).fetch(request)

                return await pipeline.watch(where, fetcher=Both(), plan=QUICK)

        tally = asyncio.run(once())
    assert tally.kept == 9
    with store.open(where) as kept:
        source = kept.source_at(server.url("/feed"))
    assert source is not None
    assert source.state == "too large"
    assert "32" in source.problem
    buffers = 32 * 1024 * 1024  # of both sockets, which a busy machine fills further
    assert sending.made < CAPS[Kind.FEED].size + buffers
