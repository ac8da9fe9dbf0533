"""`GET /r/ADDRESS` and `POST /v2/scrape`: pages as programs for language models ask for them."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.portal.api.conftest import SmallWeb
from tidings_portal.app import application
from tidings_portal.store import Store
from tidings_portal.web.app_state import App
from tidings_portal.web.settings import PortalSettings, ReadAccess


def client_of(store: Store, web: SmallWeb, settings: PortalSettings | None = None) -> TestClient:
    app = App(store, web, web, settings or PortalSettings())
    return TestClient(application(app), "http://localhost", raise_server_exceptions=False, follow_redirects=False)


def test_an_address_as_markdown(store: Store) -> None:
    web = SmallWeb()
    answer = client_of(store, web).get("/r/https://coast.example/seals?page=2")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/markdown")
    assert "Grey seals are breeding again" in answer.text
    assert web.asked == ["https://coast.example/seals?page=2"]


def test_scrape_in_the_formats_asked_for(store: Store) -> None:
    client = client_of(store, SmallWeb())
    formats: list[Any] = ["markdown", {"type": "html"}, "rawHtml", "links"]
    told = client.post("/v2/scrape", json={"url": "https://coast.example/seals", "formats": formats}).json()
    assert told["success"] is True
    data = told["data"]
    assert "Wardens counted **forty** pups" in data["markdown"]
    assert "<script" not in data["html"]
    assert "<script>" in data["rawHtml"]
    assert data["links"] == ["https://coast.example/sandbank"]
    assert data["metadata"]["title"] == "Seals return"
    assert data["metadata"]["sourceURL"] == "https://coast.example/seals"
    plain = client.post("/v2/scrape", json={"url": "https://coast.example/seals"}).json()["data"]
    assert set(plain) == {"markdown", "metadata"}
    whole = {"url": "https://coast.example/seals", "onlyMainContent": False}
    assert "All rights reserved" in client.post("/v2/scrape", json=whole).json()["data"]["markdown"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"[" * 100_000, 400),
        (b"{}", 400),
        (b'{"url": 7}', 400),
        (b'{"url": "https://coast.example/", "formats": "markdown"}', 400),
        (b'{"url": "https://coast.example/", "formats": ["screenshot"]}', 400),
        (b'{"url": "https://coast.example/", "formats": []}', 400),
        (b'{"url": "https://coast.example/", "onlyMainContent": 1}', 400),
        (b'{"url": "http://127.0.0.1/"}', 403),
        (b'{"url": "file:///etc/passwd"}', 400),
        (b'{"url": "https://nowhere.example/"}', 502),
        (b'{"url": "https://coast.example/picture"}', 415),
    ],
)
def test_what_cannot_be_scraped_is_told(store: Store, body: bytes, status: int) -> None:
    answer = client_of(store, SmallWeb()).post("/v2/scrape", content=body)
    assert answer.status_code == status, answer.text
    assert answer.json()["success"] is False
    assert answer.json()["error"]


def test_who_may_have_pages_fetched(store: Store) -> None:
    web = SmallWeb()
    closed = client_of(store, web, PortalSettings(accounts=True, reading=ReadAccess.CLOSED))
    assert closed.get("/r/https://coast.example/seals").status_code == 401
    assert closed.post("/v2/scrape", json={"url": "https://coast.example/seals"}).status_code == 401
    elsewhere = {"sec-fetch-site": "cross-site", "origin": "https://evil.example"}
    assert client_of(store, web).get("/r/https://coast.example/seals", headers=elsewhere).status_code == 403
    few = client_of(store, web, PortalSettings(minute_fetches=1))
    assert few.get("/r/https://coast.example/seals").status_code == 200
    assert few.get("/r/https://coast.example/seals").status_code == 429
    assert few.get("/r/javascript:alert(1)").status_code in {400, 429}
