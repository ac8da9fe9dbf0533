"""Invalid URLs cost a 400 with a sentence: as input, by a redirect, and in a feed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.fetch.server import Server, moved
from tests.portal.housed import client, token_in
from tidings.errors import InvalidURL
from tidings.fetch import Guard, Live, Request
from tidings.sources import read_feed
from tidings.sources.addresses import canonical
from tidings.urls import URL
from tidings_portal import store
from tidings_portal.watch.sample_web import SampleWeb
from tidings_portal.web.app_state import App
from tidings_portal.web.settings import PortalSettings

INVALID = ["http://[::1", "http://[:::1]/", "https://[/", "http://a]b/", "https://\uff3b/", "http://a.example:x/"]
#: A lone surrogate; only JSON can carry it.
SURROGATE = "http://a.example/\ud800"


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[TestClient]:
    live = Live(guard=Guard.allowing(["localhost"]), robots=False)
    with store.open(tmp_path / "news.tidings") as opened:
        app = App(opened, SampleWeb(live), SampleWeb(live), PortalSettings())
        with client(app) as visitor:
            yield visitor


def _routes(browser: TestClient, url: str) -> dict[str, int]:
    statuses = {
        "/api/v1/read": browser.get("/api/v1/read", params={"url": url}),
        "/read": browser.get("/read", params={"url": url}),
        "/r/": browser.get(f"/r/{url}"),
        "/api/v1/extract": browser.post("/api/v1/extract", json={"url": url}),
        "/v2/scrape": browser.post("/v2/scrape", json={"url": url}),
    }
    return {route: response.status_code for route, response in statuses.items()}


@pytest.mark.parametrize("url", INVALID)
def test_every_route_answers_an_invalid_url_with_400(browser: TestClient, url: str) -> None:
    assert set(_routes(browser, url).values()) == {400}
    token = token_in(browser.get("/sources").text)
    response = browser.post("/sources", data={"address": url, "token": token})
    assert response.status_code == 400
    assert "Traceback" not in response.text


@pytest.mark.parametrize("url", ["http://[::1", "http://[:::1]/", "//[/"])
def test_a_redirect_to_an_invalid_url_is_400(browser: TestClient, url: str) -> None:
    with Server({"/": moved(url)}) as server:
        assert set(_routes(browser, server.url("/")).values()) == {400}


def test_a_lone_surrogate_is_400(browser: TestClient) -> None:
    body = b'{"url": "http://a.example/\\ud800"}'
    response = browser.post("/v2/scrape", content=body, headers={"content-type": "application/json"})
    assert response.status_code == 400


@pytest.mark.parametrize("url", [*INVALID, SURROGATE])
def test_the_fetcher_of_serve_returns_a_typed_error(url: str) -> None:
    async def fetch() -> object:
        async with Live() as live:
            return await SampleWeb(live).fetch(Request(url))

    assert isinstance(asyncio.run(fetch()), InvalidURL)


def test_canonical_urls_can_be_parsed() -> None:
    for url in ("https://\uff3b/", "https://\uff3b\uff3d/b", "http://\uff3d\uff3b1.2.3.4", "http://a\uff0fb.example/"):
        result = canonical(url, "http://b.example/")
        assert result is None or str(URL.parse(result)) == result


def test_an_invalid_link_costs_a_feed_that_link_alone() -> None:
    links = "".join(
        f"<item><title>Story {number}</title><link>{url}</link></item>"
        for number, url in enumerate([*INVALID, "http://a.example/good"])
    )
    feed = read_feed(
        f'<rss version="2.0" xmlns:a="http://www.w3.org/2005/Atom"><channel><title>T</title>'
        f'<a:link rel="hub" href="https://\uff3b/"/>{links}</channel></rss>'.encode(),
        "http://a.example/feed",
    )
    assert "http://a.example/good" in [link.canonical_url for link in feed.items]
    assert all(not link.canonical_url or URL.try_parse(link.canonical_url) for link in feed.items)
