"""Every address that something fetched can name goes through the one guard (HOSTILE 3): a server of this machine that
nobody allowed is named in all the places there are, and is never even connected to.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.fetch.server import AT_ONCE, Server, reply
from tests.portal import housed
from tests.portal.watch.press import QUICK, Press
from tests.portal.watch.test_watch import GAZETTE, add, feed, item, rss, run, story
from tidings.cli.app import app as command
from tidings.fetch import Live, Outcome, Request
from tidings_portal import store
from tidings_portal import watch as pipeline
from tidings_portal.store.records_of_work import NewSource, SourceKind
from tidings_portal.watch.store_links import address_key
from tidings_portal.web.pictures import picture_at

TOLD_INSIDE = "what only this machine knows of the herring"


@pytest.fixture
def inside() -> Iterator[Server]:
    """A server on this machine that answers everything, and that nobody has allowed."""
    feed_inside = rss(item("http://127.0.0.1:1/x", TOLD_INSIDE)).partition(b"\r\n\r\n")[2]
    with Server({"/feed": reply(feed_inside), "*": reply(story(TOLD_INSIDE, TOLD_INSIDE))}) as server:
        yield server
    assert server.connections == 0


@pytest.fixture
def where(tmp_path: Path) -> str:
    return str(tmp_path / "news.tidings")


def at(server: Server, path: str) -> str:
    """Its address by number: only names are allowed in these tests."""
    return f"http://127.0.0.1:{server.port}{path}"


def titles(where: str) -> set[str]:
    with store.open(where) as kept:
        return {one.article.title for one in kept.each_article()}


def test_entries_of_a_feed(where: str, inside: Server) -> None:
    with Press() as press:
        press.more["a.example/feed"] = rss(
            item(at(inside, "/entry"), "Inside"), item("https://a.example/news/seals", "The seals are back")
        )
        press.more["a.example/news/seals"] = reply(story("The seals are back", "A seal"))
        add(where, feed(press, "a.example/feed"))
        tally = run(press, where)
    assert (tally.kept, tally.set_aside) == (2, 0)
    assert titles(where) == {"The seals are back", "Inside"}  # what the feed says of it
    with store.open(where) as kept:
        refused = kept.link_for(address_key(at(inside, "/entry")))
        assert refused is not None
        assert "is refused" in refused.problem


def test_a_source_is_told_to_be_private(where: str, inside: Server) -> None:
    with Press() as press:
        add(where, NewSource(at(inside, "/feed")), feed(press, GAZETTE))
        assert run(press, where).kept == 9
    with store.open(where) as kept:
        source = kept.source_at(at(inside, "/feed"))
    assert source is not None
    assert source.state == "refused"
    assert "127.0.0.1" in source.problem


def test_entries_of_a_list_of_feeds(where: str, inside: Server, tmp_path: Path) -> None:
    """By the command that people use: a list is imported, and watched with the guard as it is."""
    listed = tmp_path / "list.opml"
    listed.write_text(
        f'<opml version="2.0"><body><outline text="x" type="rss" xmlUrl="{at(inside, "/feed")}"/>'
        f'<outline text="y" htmlUrl="{at(inside, "/")}" xmlUrl="http://localhost:{inside.port}/feed"/></body></opml>',
        encoding="utf-8",
    )
    assert CliRunner().invoke(command, ["import", str(listed), "--store", where]).exit_code == 0
    asyncio.run(pipeline.watch(where, fetcher=_Guarded(), plan=QUICK))
    with store.open(where) as kept:
        assert [source.state for source in kept.sources()] == ["refused", "refused"]
        assert kept.totals().articles == 0


def test_sitemaps(where: str, inside: Server) -> None:
    index = (
        f"<sitemapindex><sitemap><loc>{at(inside, '/map')}</loc></sitemap>"
        "<sitemap><loc>https://a.example/own</loc></sitemap></sitemapindex>"
    )
    own = f"<urlset><url><loc>{at(inside, '/news/a-story-from-inside')}</loc></url></urlset>"
    with Press() as press:
        press.more |= {"a.example/map": reply(index.encode()), "a.example/own": reply(own.encode())}
        add(where, feed(press, "a.example/map", kind=SourceKind.SITEMAP))
        run(press, where)
        assert press.asked("a.example/") == ["a.example/map", "a.example/own"]
    assert titles(where) == set()


def test_links_of_a_front_page(where: str, inside: Server) -> None:
    links = "".join(
        f'<li><a href="{at(inside, f"/news/2026/story-{n}")}">Story {n} of the harbour, told at some length</a></li>'
        for n in range(4)
    )
    with Press() as press:
        press.more["a.example/"] = reply(f"<title>Harbour News</title><body><ul>{links}</ul>".encode())
        add(where, feed(press, "a.example/", kind=SourceKind.FRONT_PAGE))
        run(press, where)
    assert titles(where) == set()


#: What a page can name. Some of it is never fetched at all; none of it may be from here.
NAMED: dict[str, Callable[[Server], str]] = {
    "canonical": lambda inside: f'<link rel=canonical href="{at(inside, "/news/long-story")}">',
    "meta refresh": lambda inside: f'<meta http-equiv=refresh content="0;url={at(inside, "/refresh")}">',
    "next page": lambda inside: (
        f'<link rel=next href="{at(inside, "/news/long-story/2")}">'
        f'<a href="{at(inside, "/news/long-story/2")}" rel=next>2</a>'
    ),
    "all on one page": lambda inside: f'<a href="{at(inside, "/news/long-story?page=all")}">View all on one page</a>',
    "favicon": lambda inside: f'<link rel=icon href="{at(inside, "/favicon.ico")}">',
    "picture": lambda inside: (
        f'<meta property="og:image" content="{at(inside, "/a.png")}">'
        f'<figure><img src="{at(inside, "/b.png")}" width=600 height=400><figcaption>A seal</figcaption></figure>'
    ),
    "base": lambda inside: f'<base href="{at(inside, "/")}"><a href="/news/long-story/2">2</a>',
    "feed": lambda inside: f'<link rel=alternate type="application/rss+xml" href="{at(inside, "/feed")}">',
    "amp": lambda inside: f'<link rel=amphtml href="{at(inside, "/amp")}">',
}


@pytest.mark.parametrize("named", NAMED)
def test_what_a_page_names(where: str, inside: Server, named: str) -> None:
    with Press() as press:
        press.more |= {
            "a.example/feed": rss(item("https://a.example/news/long-story", "A long story")),
            "a.example/news/long-story": reply(story("A long story", "A line", NAMED[named](inside))),
        }
        add(where, feed(press, "a.example/feed"))
        assert run(press, where).kept == 1
    with store.open(where) as kept:
        (one,) = kept.each_article()
    assert "A line 7" in one.article.text
    assert TOLD_INSIDE not in one.article.text


def test_pictures_that_the_portal_shows(inside: Server, tmp_path: Path) -> None:
    """The portal fetches pictures for its readers, with the guard that `tidings serve` has."""
    path = tmp_path / "empty.tidings"
    store.open(path).close()
    with housed.app(path, web=_Guarded()) as app:  # type: ignore[arg-type]  # a fetcher as good as any
        browser = housed.client(app)
        for address in (at(inside, "/a.png"), f"http://localhost:{inside.port}/b.png", f"http://[::1]:{inside.port}/c"):
            answer = browser.get(picture_at(app, address))
            assert answer.status_code == 404
            assert TOLD_INSIDE.encode() not in answer.content


class _Guarded:
    """The real web."""

    async def fetch(self, request: Request) -> Outcome:
        async with Live(pace=AT_ONCE, robots=False) as live:
            return await live.fetch(request)
