"""Archives and pages to read in bulk."""

from __future__ import annotations

from pathlib import Path

from tidings.fetch.archives.warc import record

WHEN = 1_700_000_000.0
HANGS = "http://hostile.test/hangs"
KILLS = "http://hostile.test/kills"


def page(number: int) -> bytes:
    """A page with a story."""
    return f"""<html lang=en><title>Seals number {number} are back</title>
<meta property="article:published_time" content="2024-05-03T08:00:00Z">
<nav><a href=/>Home</a> <a href=/s>Sport</a></nav>
<article class=story><h1>Seals number {number} are back in the estuary</h1>
<p>Twelve grey seals have come back to the mouth of the river number {number}, the harbour office said on Friday, after
nine years in which not one was seen there.</p>
<p>They came with the herring, said the warden, who counts them every morning from the old pier and writes the number
{number} on a board that hangs at the door.</p>
<p>Boats have been asked to keep a hundred metres away until the pups can swim, which takes about three weeks, and to
turn their lamps down when they come in at night.</p></article><footer>The Estuary Post</footer></html>""".encode()


def answer(body: bytes, kind: str = "text/html", code: int = 200, more: str = "") -> bytes:
    """An HTTP answer."""
    return f"HTTP/1.1 {code} X\r\nContent-Type: {kind}\r\n{more}\r\n".encode() + body


def response(url: str, body: bytes, kind: str = "text/html", code: int = 200, more: str = "") -> bytes:
    """A record of an archive."""
    return record("response", url, answer(body, kind, code, more), "application/http; msgtype=response", WHEN)


def address(number: int) -> str:
    """Of a page."""
    return f"http://post.test/news/{number}"


def archive(path: Path, count: int = 5, first: int = 0) -> Path:
    """An archive of pages, with records that are none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = record("warcinfo", "", b"software: tests\r\n", "application/warc-fields", WHEN)
    for number in range(first, first + count):
        made += record("request", address(number), b"GET / HTTP/1.1\r\n\r\n", "application/http; msgtype=request", WHEN)
        made += response(address(number), page(number))
    path.write_bytes(made)
    return path
