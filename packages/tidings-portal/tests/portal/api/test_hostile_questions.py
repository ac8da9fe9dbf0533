"""Absurd questions: each is answered at once, with 4xx and a sentence (HOSTILE 24, 26); and a store that is locked."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from tests.portal.api.conftest import NOW, SmallWeb, Visitor
from tests.portal.store.made import NOON
from tidings_portal import store as stores
from tidings_portal.app import application
from tidings_portal.store.records_of_people import LOCAL, Scope
from tidings_portal.web.access import make_token
from tidings_portal.web.app_state import App
from tidings_portal.web.settings import PortalSettings


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/articles/0", 404),
        ("/articles/-1", 404),
        ("/articles/9223372036854775807", 404),
        ("/articles/9223372036854775808", 404),
        ("/articles/" + "9" * 3000, 404),
        ("/articles/abc", 404),
        ("/articles/1.5", 404),
        ("/articles/%00", 404),
        ("/articles/١", 404),
        ("/articles/1%2F..%2F2", 404),
        ("/articles/%FF%FE", 404),
        ("/sources/99999999999999999999", 404),
        ("/stories/9223372036854775807", 404),
        ("/stories/9223372036854775807/timeline", 404),
        ("/articles/<script>alert(1)</script>", 404),
        ("/sites/%2e%2e%2f%2e%2e", 404),
        ("/sites/" + "a" * 301, 404),
        ("/no/such/thing", 404),
        ("/articles?limit=0", 400),
        ("/articles?limit=101", 400),
        ("/articles?limit=-5", 400),
        ("/articles?limit=1e3", 400),
        ("/articles?limit=١", 400),
        ("/articles?limit=%00", 400),
        ("/articles?limit=5&limit=6", 400),
        ("/articles?source=9223372036854775808", 400),
        ("/articles?source=9223372036854775807", 200),
        ("/articles?since=yesterday", 400),
        ("/articles?since=2024-02-30", 400),
        ("/articles?since=0001-01-01&until=9999-12-31", 200),
        ("/articles?since=0001-01-01T00:00:00%2B23:59", 200),
        ("/articles?since=9999-12-31T23:59:59-23:59", 200),
        ("/articles?since=99999-01-01", 400),
        ("/articles?category=%00%01%ff", 200),
        ("/articles?category=" + "a" * 201, 400),
        ("/articles?author=%F0%9F", 200),
        ("/articles?muted=yes", 400),
        ("/articles?cursor=nonsense", 400),
        ("/articles?cursor=" + "9" * 30, 400),
        ("/articles?cursor=-1", 400),
        ("/articles/most-read?cursor=-a", 400),
        ("/articles/most-read?cursor=9223372036854775807-9223372036854775807", 200),
        ("/articles?lmit=5", 400),
        ("/articles?%00=1", 400),
        ("/articles?<script>=1", 400),
        ("/search", 400),
        ("/search?q=", 400),
        ("/search?q=%00", 400),
        ("/search?q=%22", 400),
        ("/search?q=" + "(" * 50, 400),
        ("/search?q=" + quote("(" * 39 + "a" + ")" * 39), 200),
        ("/search?q=" + "NOT+" * 60 + "a", 400),
        ("/search?q=" + "a+" * 250, 400),
        ("/search?q=a" + "%20OR%20a" * 150, 200),
        ("/search?q=story:999999999999999999", 200),
        ("/search?q=story:99999999999999999999", 400),
        ("/search?q=site:%25_%5C", 200),
        ("/search?q=" + quote("' OR 1=1; DROP TABLE article; --"), 200),
        ("/search?q=%ED%A0%80", 400),
        ("/search?q=a*&cursor=nan/1/1", 400),
        ("/search?q=a*&cursor=inf/1/1", 200),
        ("/search?q=a*&cursor=1e999/9223372036854775807/0", 200),
        ("/search?q=a&order=random", 400),
        ("/trends?q=a&by=second", 400),
        ("/trends?" + "q=a&" * 5 + "q=a", 400),
        ("/trends", 400),
        ("/stories?least=9223372036854775807", 200),
        ("/read?url=", 400),
        ("/read?url=http://", 400),
        ("/read?url=http://[::1", 400),
        ("/read?url=" + "http://a.example/" + "a" * 4000, 400),
        ("/totals?limit=1", 400),
    ],
)
def test_absurd_questions(stranger: Visitor, path: str, status: int) -> None:
    told = stranger.ask("GET", path)
    assert told.status_code == status, told.text
    if status >= 400:
        assert told.headers["content-type"] == "application/problem+json"
        assert told.json()["status"] == status
        assert len(told.content) < 2000


def test_ten_thousand_parameters_a_long_path_and_a_large_body(stranger: Visitor, keeper: Visitor) -> None:
    assert stranger.ask("GET", f"/articles?{'a=1&' * 10_000}").status_code == 414
    assert stranger.ask("GET", "/articles?" + "&" * 5000).status_code == 400
    assert stranger.ask("GET", "/articles?" + "a=1&" * 101).status_code == 400
    assert stranger.ask("GET", "/articles/" + "a" * 60_000).status_code == 414  # no client sends more
    large = keeper.ask("POST", "/opml", content=b"<" * 10_000_000, headers={"Content-Type": "text/x-opml"})
    assert large.status_code == 413

    def unannounced() -> object:
        for _ in range(100):
            yield b"<" * 100_000

    large = keeper.ask("POST", "/extract", content=unannounced(), headers={"Content-Type": "text/html"})
    assert large.status_code == 413
    assert large.json()["code"] == "large"


@pytest.mark.parametrize("length", ["-1", "abc", "1" * 5000, "١"])
def test_a_length_that_is_none(client: TestClient, length: str) -> None:
    headers = {"Content-Type": "text/html", "Content-Length": length.encode()}
    told = client.post("/api/v1/extract", content=b"x", headers=headers)  # type: ignore[arg-type]
    assert told.status_code in {400, 413}


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"address": ""}, "address is empty"),
        ({"address": None}, "address is null"),
        ({"address": ["https://a.example"]}, "address is no text"),
        ({"address": "https://a.example", "minutes": 0}, "minutes is at least 1"),
        ({"address": "https://a.example", "minutes": 1.5}, "minutes is no whole number"),
        ({"address": "https://a.example", "minutes": 1e300}, "minutes is at most"),
        ({"address": "https://a.example", "minutes": True}, "minutes is no whole number"),
        ({"address": "https://a.example", "minutes": "5"}, "minutes is no whole number"),
        ({"address": "https://a.example", "muted": 1}, "muted is true or false"),
        ({"address": "https://a.example", "kind": "opml"}, "kind is one of auto"),
        ({"address": "https://a.example", "titel": "x"}, "did you mean title?"),
        ({"address": "https://a.example/" + "a" * 4000}, "4,000 is the most"),
        ({}, "address is missing"),
        ("https://a.example", "no object"),
        (None, "no object"),
    ],
)
def test_wrong_fields_are_named(keeper: Visitor, body: object, says: str) -> None:
    told = (
        keeper.ask("POST", "/sources", json=body)
        if body is not None
        else keeper.ask("POST", "/sources", content=b"null", headers={"Content-Type": "application/json"})
    )
    assert told.status_code == 422, told.text
    assert says in told.json()["detail"]


def test_rules_inside_rules_are_named_too(keeper: Visitor) -> None:
    told = keeper.send("PUT", "/mutes", 422, {"rules": [{"query": "a"}, {"query": "b", "until": "soon"}]})
    assert told["detail"].startswith("until is neither a day")
    assert keeper.send("PUT", "/mutes", 422, {"rules": {"query": "a"}})["detail"] == "rules is no array"
    assert "at most 200" in keeper.send("PUT", "/mutes", 422, {"rules": [{"query": "a"}] * 201})["detail"]


def test_half_characters_come_back_whole(keeper: Visitor) -> None:
    body = b'{"address": "https://a.example/\\ud800", "kind": "feed", "title": "\\udfff\\u0000x"}'
    told = keeper.ask("POST", "/sources", content=body, headers={"Content-Type": "application/json"})
    assert told.status_code in {201, 400}, told.text
    wrong = keeper.ask("POST", "/sources", content=b'{"\\ud800": 1}', headers={"Content-Type": "application/json"})
    assert wrong.status_code == 422
    wrong.json()


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "OPTIONS", "POST"])
def test_other_methods_are_told_which_there_are(stranger: Visitor, method: str) -> None:
    told = stranger.ask(method, "/stories")
    assert told.status_code == 405
    assert set(told.headers["allow"].split(", ")) == {"GET", "HEAD"}
    assert set(stranger.ask("PUT", "/sources/1").headers["allow"].split(", ")) == {"GET", "HEAD", "PATCH", "DELETE"}


def test_another_name_for_this_house_is_refused(client: TestClient) -> None:
    told = client.get("/api/v1/articles", headers={"Host": "evil.example"})
    assert told.status_code == 421


def test_rates_are_told_and_kept(store: stores.Store, web: SmallWeb) -> None:
    app = App(store, web, web, PortalSettings(hosts=("testserver",), minute_reads=5, minute_fetches=2), now=lambda: NOW)
    clock = [0.0]
    app.turns.clock = lambda: clock[0]
    one, other = (TestClient(application(app), client=(address, 1)) for address in ("192.0.2.1", "192.0.2.2"))
    first = one.get("/api/v1/languages")
    assert first.headers["ratelimit-policy"] == '"reads";q=5;w=60'
    assert first.headers["ratelimit"] == '"reads";r=4;t=0'
    read = one.get("/api/v1/read?url=https://a.example")
    assert read.headers["ratelimit"] == '"fetch";r=1;t=0'
    one.get("/api/v1/read?url=https://a.example")
    late = one.get("/api/v1/read?url=https://a.example", headers={"X-Forwarded-For": "198.51.100.1"})
    assert late.status_code == 429
    assert late.headers["retry-after"] == "30"
    assert late.json()["code"] == "often"
    assert len(web.asked) == 2
    assert one.get("/api/v1/languages").status_code == 200
    over = one.get("/api/v1/languages", headers={"Authorization": "Bearer guess"})
    assert over.status_code == 429  # guessing costs turns as well
    assert over.headers["retry-after"] == "12"
    assert other.get("/api/v1/languages").status_code == 200
    clock[0] = 12
    assert one.get("/api/v1/languages").status_code == 200


def test_a_locked_store_says_so_and_when_to_come_again(tmp_path: Path) -> None:
    where = tmp_path / "news.tidings"
    with stores.open(where, patience=0.05) as kept:
        made = make_token(scopes=frozenset(Scope))
        kept.add_token(made.record, LOCAL, NOON)
        web = SmallWeb()
        client = TestClient(application(App(kept, web, web, PortalSettings(hosts=("testserver",)), now=lambda: NOW)))
        keeper = Visitor(client, made.secret)
        keeper.get("/articles")
        locking = sqlite3.connect(where, isolation_level=None)
        try:
            locking.execute("BEGIN IMMEDIATE")
            told = keeper.ask("PUT", "/mutes", json={"rules": []})
            assert told.status_code == 503
            assert told.headers["content-type"] == "application/problem+json"
            assert told.headers["retry-after"] == "5"
            assert told.json()["code"] == "busy"
            assert keeper.get("/articles")["items"] == []  # readers go on
            assert client.get("/readyz").status_code == 200
        finally:
            locking.close()
        assert keeper.send("PUT", "/mutes", 200, {"rules": []})["muted"] == 0
