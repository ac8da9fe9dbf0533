"""How a source is read, as somebody chose: feed text, robots.txt, headers and cookies, proxy; and files that play."""

from __future__ import annotations

import asyncio
import logging
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.fetch.server import Reply, reply
from tests.portal.housed import app as housed_app
from tests.portal.housed import client
from tests.portal.watch.press import QUICK, Press
from tidings_portal import store
from tidings_portal import watch as pipeline
from tidings_portal.store.records_of_work import NewSource
from tidings_portal.watch.poll_source import own_headers, page_request

SECRET = "c00kie-9a1"  # noqa: S105  # of nobody
FEED = b"""<rss version="2.0"><channel><title>Own</title><link>/</link>
<item><title>Seals are back</title><link>/news/seals</link><description>Short words of the feed.</description>
<enclosure url="https://cdn.example/episode.mp3" type="audio/mpeg" length="12"/></item>
<item><title>Elsewhere</title><link>http://gazette.example/news/other</link></item></channel></rss>"""
PAGE = b"<!DOCTYPE html><html lang=en><title>Seals are back</title><body><article><h1>Seals are back</h1>" + (
    b"<p>Grey seals are back in the estuary, wardens said on Monday, and more are coming with the tide.</p>" * 4
)


def watched(where: Path, press: Press, **told: object) -> None:
    with store.open(where) as kept:
        kept.add_sources([NewSource(press.url("own.example/feed"), **told)], datetime.now(UTC))  # type: ignore[arg-type]

    async def once() -> None:
        async with press.live(robots=True) as live:
            await pipeline.watch(str(where), fetcher=live, plan=QUICK, tell=lambda _event: None)

    asyncio.run(once())


def answers() -> dict[str, Reply]:
    html = {"Content-Type": "text/html; charset=utf-8"}
    return {"own.example/feed": reply(FEED), "own.example/news/seals": reply(PAGE, headers=html)}


def texts(where: Path) -> dict[str, str]:
    with store.open(where) as kept:
        return {one.headline.title: one.article.text for one in kept.each_article()}


def test_the_text_of_the_feed(tmp_path: Path) -> None:
    with Press(answers()) as press:
        watched(tmp_path / "a.tidings", press, takes_feed_text=True)
        assert not [one for one in press.server.asked if one.path == "/news/seals"]
    assert "Short words of the feed." in texts(tmp_path / "a.tidings")["Seals are back"]


@pytest.mark.parametrize("takes_feed_text", [False, True])
def test_the_recording_of_the_feed_is_in_the_article(tmp_path: Path, takes_feed_text: bool) -> None:
    with Press(answers()) as press:
        watched(tmp_path / "a.tidings", press, takes_feed_text=takes_feed_text)
    with store.open(tmp_path / "a.tidings") as kept:
        found = {one.headline.title: one.article for one in kept.each_article()}["Seals are back"]
    (file,) = [block.embed for block in found.blocks if block.embed is not None]
    assert (file.provider, file.url.rpartition("/")[2], file.size) == ("audio", "episode.mp3", 12)


def test_headers_go_to_the_site_alone_and_into_no_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    where = tmp_path / "a.tidings"
    with caplog.at_level(logging.DEBUG), Press(answers()) as press:
        watched(where, press, headers=f"Cookie: session={SECRET}\nX-Key: abc")
        sent = {(one.headers.get("host", "").split(":")[0], one.path): one.headers for one in press.server.asked}
    assert sent["own.example", "/feed"]["cookie"] == f"session={SECRET}"
    assert sent["own.example", "/news/seals"]["x-key"] == "abc"
    assert all("cookie" not in headers for (host, _), headers in sent.items() if host != "own.example")
    assert SECRET not in caplog.text
    with store.open(where) as kept:
        (source,) = kept.sources()
        assert SECRET not in repr(source)
        assert not any(SECRET in str(one) for one in kept.each_article())
    with housed_app(where) as app:
        browser = client(app)
        for path in ("/sources", f"/sources/{source.id}", "/sources.opml", "/unread", "/api/v1/sources"):
            assert SECRET not in browser.get(path).text, path


def test_robots_are_not_asked_for_what_a_person_added(tmp_path: Path) -> None:
    for ignores in (False, True):
        more = answers() | {"own.example/robots.txt": reply(b"User-agent: *\nDisallow: /")}
        where = tmp_path / f"{ignores}.tidings"
        with Press(more) as press:
            watched(where, press, ignores_robots=ignores)
        assert ("Seals are back" in texts(where)) == ignores


def test_what_is_no_header_is_left_out() -> None:
    said = "Cookie: a=b\nno header\nBad Name: x\nX-A: ok\nX-B:\nX-C: a\x00b\n"
    assert own_headers(said) == (("Cookie", "a=b"), ("X-A", "ok"))
    assert page_request(None, "https://a.example/").headers == ()


def test_secrets_are_not_sent_without_encryption_where_the_source_has_it(tmp_path: Path) -> None:
    with store.open(tmp_path / "a.tidings") as kept:
        told = NewSource("https://own.example/f", headers="Cookie: a=b", proxy="http://proxy.example:1")
        (number,) = kept.add_sources([told], datetime.now(UTC))
        source = kept.source(number)
    assert source is not None
    assert page_request(source, "https://www.own.example/1").headers == (("Cookie", "a=b"),)
    assert page_request(source, "http://own.example/1").headers == ()
    assert page_request(source, "https://other.example/1").headers == ()
    assert page_request(source, "https://other.example/1").proxy == "http://proxy.example:1"


def test_an_episode_plays(tmp_path: Path) -> None:
    where = tmp_path / "a.tidings"
    with Press(answers()) as press:
        watched(where, press)
    with housed_app(where) as app:
        (found,) = (one for one in app.store.articles(limit=9).items if one.title == "Seals are back")
        answer = client(app).get(f"/article/{found.id}")
        assert re.search(r'<audio controls preload="none" src="https?://cdn.example[^"]*/episode.mp3">', answer.text)
        assert "media-src https: http:" in answer.headers["content-security-policy"]
        assert "media-src" not in client(app).get("/latest").headers["content-security-policy"]


def test_the_form_of_a_source(tmp_path: Path) -> None:
    from tests.portal.accounts.browsing import site_of

    where = tmp_path / "a.tidings"
    with store.open(where) as kept:
        (number,) = kept.add_sources([NewSource("https://own.example/f")], datetime.now(UTC))
    with housed_app(where) as app:
        browser, here = site_of(app).browser(), f"/sources/{number}"
        fields = {"title": "", "folder": "", "interval": "0", "feed_text": "yes", "no_robots": "yes"}
        secret = {"headers": f"Cookie: {SECRET}", "proxy": "http://ann:pw@proxy.example:3128"}
        assert browser.send(here, page=here, **fields, **secret).status_code == 303
        told = app.store.source(number).settings  # type: ignore[union-attr]
        assert (told.takes_feed_text, told.ignores_robots, told.headers) == (True, True, f"Cookie: {SECRET}")
        page = browser.get(here).text
        assert SECRET not in page
        assert "ann:pw" not in page
        browser.send(
            here, page=here, title="New", folder="", interval="0", headers="", proxy="http://proxy.example:3128"
        )
        told = app.store.source(number).settings  # type: ignore[union-attr]
        assert (told.title, told.headers, told.proxy) == ("New", f"Cookie: {SECRET}", secret["proxy"])
        assert browser.send(here, page=here, title="", headers="nonsense").status_code == 400
        assert browser.send(here, page=here, title="", proxy="ftp://x").status_code == 400
        browser.send(here, page=here, title="", no_headers="yes")
        assert app.store.source(number).settings.headers == ""  # type: ignore[union-attr]
