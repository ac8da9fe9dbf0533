"""A house over the store with articles, tokens to it, and a web of three pages that is never the real one."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.portal.conftest import fill
from tests.portal.store.made import NOON, new
from tidings.errors import FetchError, RefusedAddress, UnknownHost
from tidings.fetch import Outcome, Request, Response
from tidings.urls import URL
from tidings_portal import store as stores
from tidings_portal.app import application
from tidings_portal.store import Store
from tidings_portal.store.records_of_articles import RawPage
from tidings_portal.store.records_of_people import LOCAL, Scope
from tidings_portal.web.access import make_token
from tidings_portal.web.app_state import App
from tidings_portal.web.settings import LOOPBACK, PortalSettings

PAGE = """<!DOCTYPE html><html lang="en"><head><title>Seals return - Gazette</title>
<meta property="og:image" content="https://harbour.example/seal.jpg"><meta name="author" content="Ann Lee">
<meta name="description" content="The estuary has its seals back."></head><body>
<nav><a href="/">Home</a> <a href="/a">World</a> <a href="/b">Sport</a></nav>
<article><h1>Seals return</h1>
<p>Grey seals are breeding again in the estuary, the harbour office said on Monday after a count at dawn.</p>
<p>Wardens counted <b>forty</b> pups on the <a href="/sandbank">sandbank</a>, more than in any year on record.</p>
<p>Boats are asked to keep a hundred metres away until the end of the season, the office said.
<img src=x onerror="alert(1)"><script>alert(2)</script></p></article>
<footer>Copyright. All rights reserved.</footer></body></html>"""
FEED = """<?xml version="1.0"?><rss version="2.0"><channel><title>Coast</title><link>https://coast.example/</link>
<item><title>Tide</title><link>https://coast.example/1</link></item></channel></rss>"""
NOW = NOON + timedelta(hours=4)


@dataclass
class SmallWeb:
    """A web that answers every address: with a page, a feed under /feed, an error where asked for."""

    asked: list[str] = field(default_factory=list)

    async def fetch(self, request: Request) -> Outcome:
        self.asked.append(request.url)
        try:
            url = URL.parse(request.url).url
        except FetchError as error:
            return error
        if "localhost" in url or "127." in url:
            return RefusedAddress(url, "is refused: it is for this machine")
        if "nowhere" in url:
            return UnknownHost(url, "leads nowhere")
        if "picture" in url:
            return Response(url, 200, (("content-type", "image/png"),), b"\x89PNG\r\n\x1a\n" + bytes(100))
        if url.endswith("/404"):
            return Response(url, 404, (("content-type", "text/html"),), b"no")
        body = FEED if "feed" in url else PAGE
        kind = "application/rss+xml" if "feed" in url else "text/html; charset=utf-8"
        return Response(url, 200, (("content-type", kind),), body.encode())


@dataclass
class Visitor:
    """Somebody at the door: a client with a token, or none."""

    client: TestClient
    secret: str = field(default="", repr=False)

    def ask(self, method: str, path: str, **told: Any) -> Any:
        headers = dict(told.pop("headers", {}))
        if self.secret:
            headers.setdefault("Authorization", f"Bearer {self.secret}")
        return self.client.request(method, f"/api/v1{path}", headers=headers, **told)

    def get(self, path: str, status: int = 200, /, **told: Any) -> Any:
        answer = self.ask("GET", path, params=told or None)
        assert answer.status_code == status, answer.text
        return answer.json()

    def send(self, method: str, path: str, status: int = 200, json: object = None) -> Any:
        answer = self.ask(method, path, json=json)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None


@pytest.fixture(scope="session")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with articles in it, to be copied: making one anew takes ten times as long."""
    where = tmp_path_factory.mktemp("stocked") / "news.tidings"
    with stores.open(where) as kept:
        fill(kept)
        page = RawPage("https://www.harbour.example/7", PAGE.encode(), NOON, "text/html; charset=utf-8")
        kept.keep([new(7, "Seals return", "Forty pups.", page=page, maker="learned 1")])
    return where


@pytest.fixture
def store(stocked: Path, tmp_path: Path) -> Iterator[Store]:
    """Seven articles of two sources; the last with the page it came from."""
    with stores.open(shutil.copy(stocked, tmp_path / "news.tidings")) as kept:
        yield kept


@pytest.fixture
def web() -> SmallWeb:
    return SmallWeb()


@pytest.fixture
def settings() -> PortalSettings:
    return PortalSettings(hosts=("testserver", *LOOPBACK))


@pytest.fixture
def app(store: Store, web: SmallWeb, settings: PortalSettings) -> App:
    """The house, at four in the afternoon."""
    return App(store, web, web, settings, now=lambda: NOW)


@pytest.fixture
def asgi(app: App) -> Starlette:
    return application(app)


@pytest.fixture
def client(asgi: Starlette) -> Iterator[TestClient]:
    with TestClient(asgi, client=("203.0.113.9", 50_000)) as opened:
        yield opened


MakeToken = Callable[..., str]


@pytest.fixture
def token(store: Store) -> MakeToken:
    """Makes tokens."""

    def made(*scopes: Scope, person: str = LOCAL, expires: datetime | None = None) -> str:
        one = make_token("a test", frozenset(scopes), expires)
        assert store.add_token(one.record, person, NOON) is not None
        return one.secret

    return made


@pytest.fixture
def stranger(client: TestClient) -> Visitor:
    """Somebody without a token."""
    return Visitor(client)


@pytest.fixture
def reader(client: TestClient, token: MakeToken) -> Visitor:
    """Somebody with a token that may read."""
    return Visitor(client, token(Scope.READ))


@pytest.fixture
def keeper(client: TestClient, token: MakeToken) -> Visitor:
    """Somebody who runs the house."""
    return Visitor(client, token(Scope.READ, Scope.WRITE))
