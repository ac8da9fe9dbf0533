"""Measures and health: few labels, nothing that a visitor wrote, and not for everybody (HOSTILE 25)."""

from __future__ import annotations

import re

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.portal.api.conftest import Visitor
from tidings.errors import StoreDamaged
from tidings_portal.store import Store
from tidings_portal.web.app_state import App


@pytest.fixture
def near(asgi: Starlette) -> TestClient:
    """Somebody at this machine."""
    return TestClient(asgi, client=("127.0.0.1", 50_000))


def measured(client: TestClient) -> dict[str, dict[tuple[str, ...], float]]:
    told = client.get("/metrics")
    assert told.status_code == 200
    assert told.headers["content-type"].startswith("text/plain; version=0.0.4")
    return {
        family.name: {tuple(sample.labels.values()): sample.value for sample in family.samples}
        for family in text_string_to_metric_families(told.text)
    }


def test_requests_are_counted_by_route_and_status(near: TestClient) -> None:
    for path in (
        "/api/v1/articles/1",
        "/api/v1/articles/2",
        "/api/v1/articles/99",
        "/nothing/<script>",
        "/api/v1/tokens",
    ):
        near.get(path)
    near.request("BREW", "/api/v1/articles")
    found = measured(near)["tidings_http_requests"]
    assert found["GET", "/api/v1/articles/{id}", "200"] == 2
    assert found["GET", "/api/v1/articles/{id}", "404"] == 1
    assert found["GET", "/api/v1/tokens", "401"] == 1
    assert found["GET", "none", "404"] == 1
    assert found["other", "/api/v1/articles", "405"] == 1
    assert "script" not in near.get("/metrics").text
    seconds = measured(near)["tidings_http_request_seconds"]
    assert seconds["GET", "/api/v1/articles/{id}", "200"] > 0


def test_refused_and_broken_requests_are_counted_too(
    near: TestClient, asgi: Starlette, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a mistake")

    near.get("/api/v1/articles?" + "&" * 200)
    monkeypatch.setattr(app.store, "languages", broken)
    near.get("/api/v1/languages")
    found = measured(near)["tidings_http_requests"]
    assert found["GET", "none", "400"] == 1
    assert found["GET", "/api/v1/languages", "500"] == 1


def test_labels_do_not_grow_with_what_is_asked(near: TestClient) -> None:
    near.get("/api/v1/articles/1")
    before = len(measured(near)["tidings_http_requests"])
    for number in range(50):
        near.get(f"/api/v1/articles/{number}?x{number}=1", headers={"Host": f"localhost:{8000 + number}"})
        near.get(f"/nothing/{number}")
        near.request(f"M{number}", f"/{number}")
    assert len(measured(near)["tidings_http_requests"]) <= before + 5


def test_the_store_is_measured(near: TestClient, store: Store) -> None:
    found = measured(near)
    assert found["tidings_store_up"] == {(): 1}
    assert found["tidings_articles"] == {(): 7}
    assert found["tidings_stories"] == {(): 1}
    assert found["tidings_sources"] == {("new",): 2}
    assert found["tidings_queue"] == {("failed",): 0, ("later",): 0, ("leased",): 0, ("waiting",): 0}
    assert found["tidings_page_bytes"][()] == store.totals().page_bytes


def test_a_store_that_is_away_is_a_measure_as_well(near: TestClient, app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged() -> None:
        raise StoreDamaged("the file is damaged")

    monkeypatch.setattr(app.store, "totals", damaged)
    assert measured(near)["tidings_store_up"] == {(): 0}


@pytest.mark.parametrize(
    "header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via", "X-Forwarded-Host", "X-Forwarded-Proto"]
)
def test_nobody_comes_from_here_by_saying_so(client: TestClient, near: TestClient, header: str) -> None:
    assert client.get("/metrics", headers={header: "127.0.0.1"}).status_code == 401  # from elsewhere, and lies
    assert near.get("/metrics", headers={header: "127.0.0.1"}).status_code == 401  # through a proxy on this machine
    assert near.get("/metrics").status_code == 200


def test_a_token_opens_them_from_elsewhere(client: TestClient, reader: Visitor) -> None:
    told = client.get("/metrics", headers={"Authorization": f"Bearer {reader.secret}"})
    assert told.status_code == 200
    assert reader.secret not in told.text
    assert client.get("/metrics", headers={"Authorization": "Bearer x"}).status_code == 401
    assert re.search(r"tidings_articles 7\.0", told.text)


def test_health(client: TestClient, app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").json() == {"status": "ok"}

    def damaged() -> None:
        raise StoreDamaged("/home/ann/news.tidings is damaged")

    monkeypatch.setattr(app.store, "languages", damaged)
    assert client.get("/healthz").status_code == 200
    told = client.get("/readyz")
    assert told.status_code == 503
    assert told.headers["content-type"] == "application/problem+json"
    assert told.headers["retry-after"] == "5"
    assert told.json()["detail"] == "The store's file is damaged."
    assert "/home" not in told.text

    def broken() -> None:
        raise RuntimeError("secret details")

    monkeypatch.setattr(app.store, "languages", broken)
    told = client.get("/readyz")
    assert told.status_code == 503
    assert "secret" not in told.text
