"""From an address to an article, and what importing the seam loads."""

from __future__ import annotations

import asyncio
import doctest

import pytest

import tidings
from tests.fetch.server import AT_ONCE, LOCAL, Server, local, moved, reply
from tests.test_import import modules_after
from tidings import fetch, newspaper, read_url
from tidings.errors import BadStatus, NotHTML, RefusedAddress
from tidings.fetch import Fetcher, Folder, Live, Outcome, Request, Response

WEB = newspaper.path() / "html"
STORY = "http://gazette/grey-seals-return.html"


def test_an_article_from_the_web() -> None:
    page = (WEB / "gazette" / "grey-seals-return.html").read_bytes()
    with Server({"/": moved("/seals"), "/seals": reply(page, headers={"Content-Type": "text/html"})}) as server:
        article = read_url.read(server.url(), open_=local)
    assert "Grey seals are back in the estuary of the Anselm." in article.text
    assert article.url == server.url("/seals")


def test_its_twin_from_a_replay() -> None:
    article = asyncio.run(tidings.aread(STORY, fetcher=Folder(WEB)))
    assert "Grey seals are back in the estuary of the Anselm." in article.text


def test_the_charset_of_the_header_reaches_the_page() -> None:
    text = "Тюлени вернулись в устье реки, сообщает газета. " * 3  # in an encoding that cannot be told from the bytes
    data = f"<html><body><p>{text}</p></body></html>".encode("koi8-r")
    with Server({"/": reply(data, headers={"Content-Type": "text/html; charset=KOI8-R"})}) as server:
        response = fetch.get(server.url(), open_=local)
    assert read_url.page_of(response).text.strip() == text.strip()
    assert read_url.page_of(response).encoding_source == "HTTP header"


def test_read_asks_the_guard() -> None:
    with Server({"/": reply(b"secret")}) as server, pytest.raises(RefusedAddress):
        tidings.read(server.url())
    assert server.connections == 0


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (reply(b"no", 404), BadStatus),
        (reply(b"%PDF-1.7 x", headers={"Content-Type": "text/html"}), NotHTML),
    ],
)
def test_what_is_no_article(answer: bytes, error: type[Exception]) -> None:
    with Server({"/": answer}) as server, pytest.raises(error):
        read_url.read(server.url(), open_=local)


def test_a_browser_is_asked_only_where_a_page_is_empty_without_scripts() -> None:
    class Shows:
        """A browser that has run the scripts."""

        def __init__(self) -> None:
            self.asked: list[str] = []

        async def fetch(self, request: Request) -> Outcome:
            self.asked.append(request.url)
            return Response(request.url, 200, body=(WEB / "gazette" / "grey-seals-return.html").read_bytes())

    shell = b'<html><body><div id="root"></div><script src="/static/js/main.1a2b3c.js"></script></body></html>'
    browser = Shows()

    async def both(server: Server) -> list[str]:
        async with local() as live:
            paths = ("/shell", "/story")
            articles = [await tidings.aread(server.url(path), fetcher=live, browser=browser) for path in paths]
            return [article.text for article in articles]

    story = (WEB / "gazette" / "grey-seals-return.html").read_bytes()
    with Server({"/shell": reply(shell), "/story": reply(story)}) as server:
        texts = asyncio.run(both(server))
    assert browser.asked == [server.url("/shell")]
    assert all("Grey seals are back" in text for text in texts)


def test_all_siblings_are_fetchers() -> None:
    live = Live(guard=LOCAL, pace=AT_ONCE)
    siblings = [live, live.unhurried, Folder(WEB), fetch.Browser(live), fetch.Recording(live, WEB), fetch.replay(WEB)]
    assert all(isinstance(sibling, Fetcher) for sibling in siblings)


def test_importing_it_starts_nothing_and_loads_no_browser() -> None:
    loaded = modules_after("import tidings.fetch")
    assert not any(name.partition(".")[0] in ("playwright", "warcio", "numpy.testing", "httpx2") for name in loaded)


def test_the_exported_names() -> None:
    assert fetch.__all__ == sorted(fetch.__all__, key=lambda name: (name.islower(), name))
    assert all(hasattr(fetch, name) for name in fetch.__all__)


def test_the_example_of_the_package() -> None:
    failed, tried = doctest.testmod(fetch)
    assert tried
    assert not failed
