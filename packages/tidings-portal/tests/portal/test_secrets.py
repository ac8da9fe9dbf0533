"""The password of a private feed (HOSTILE 41): it goes to the feed's own server, and into nothing that is given out."""

from __future__ import annotations

import asyncio
import gzip
import logging
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.fetch.server import Reply, reply
from tests.portal.watch.press import QUICK, Press
from tidings.article import FORMATS, Options, render
from tidings_portal import store
from tidings_portal import watch as pipeline
from tidings_portal.exports import export
from tidings_portal.store.records_of_work import NewSource

SECRET = "hunter2-7f3a"  # noqa: S105  # of nobody
_TEXT = """<p>The page of this story cannot be had, so that its text is what the feed has of it:
<a href="/more">more</a> <img src="/seal.jpg"></p>"""
FEED = f"""<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Private</title>
<link>/</link><item><title>Seals</title><link>/news/seals</link><enclosure url="/seal.jpg" type="image/jpeg"/></item>
<item><title>Forbidden</title><link>/news/forbidden</link>
<content:encoded><![CDATA[{_TEXT * 6}]]></content:encoded></item></channel></rss>""".encode()
PAGE = b"""<!DOCTYPE html><html lang=en><head><title>Seals</title><link rel=canonical href="/news/seals"></head>
<body><article><h1>Seals</h1><p>Grey seals are back in the estuary, wardens said on Monday, and
<a href="/more">more</a> are coming.</p>
<img src="/seal.jpg"><p>Nine of them lay on the sands at low water, among them three pups of this year.</p>
</article><a rel=next href="/news/seals?page=2">next</a></body></html>"""


@pytest.fixture
def watched(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> tuple[Path, Press]:
    """A store after two rounds of a watch over a private feed, and who was asked for what."""
    where = tmp_path / "news.tidings"

    async def once(press: Press) -> None:
        async with press.live() as live:
            await pipeline.watch(str(where), fetcher=live, plan=QUICK, tell=lambda _event: None)

    html = {"Content-Type": "text/html; charset=utf-8"}
    answers: dict[str, Reply] = {
        "private.example/feed": reply(FEED),
        "private.example/news/seals": reply(PAGE, headers=html),
    }
    answers["private.example/news/forbidden"] = reply(b"", 403)
    with caplog.at_level(logging.DEBUG), Press(answers) as press:
        address = press.url("private.example/feed").replace("http://", f"http://ann:{SECRET}@")
        with store.open(where) as kept:
            kept.add_sources([NewSource(address)], datetime.now(UTC))
        asyncio.run(once(press))
    return where, press


def test_it_is_in_nothing_that_is_given_out(
    watched: tuple[Path, Press], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    where, press = watched
    assert any("authorization" in asked.headers for asked in press.server.asked if asked.path == "/feed")
    with store.open(where) as kept:
        articles = [one.article for one in kept.each_article()]
        assert len(articles) == 2
        for article in articles:
            assert SECRET not in repr(article), "provenance included"
            for name in FORMATS:
                assert SECRET not in render(article, name, Options(images=True, comments=True))
        for name in ("all.jsonl.gz", "all.sqlite", "markdown"):
            export(kept, tmp_path / name)
    assert SECRET.encode() not in gzip.decompress((tmp_path / "all.jsonl.gz").read_bytes())
    with sqlite3.connect(tmp_path / "all.sqlite") as database:
        assert SECRET not in "\n".join(database.iterdump())
    database.close()
    texts = [path.read_text(encoding="utf-8") for path in (tmp_path / "markdown").rglob("*.md")]
    assert len(texts) == 2
    assert SECRET not in "".join(texts)
    assert SECRET not in caplog.text
