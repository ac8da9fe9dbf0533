"""Who may do what: tokens of others, old ones, weak ones; cookies; closed houses (HOSTILE 25)."""

from __future__ import annotations

import hmac
import logging
from dataclasses import replace
from datetime import timedelta

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.portal.api.conftest import NOW, MakeToken, SmallWeb, Visitor
from tests.portal.store.made import NOON
from tidings_portal.api.openapi import OPERATIONS
from tidings_portal.api.operations import Operation
from tidings_portal.app import application
from tidings_portal.store import Store
from tidings_portal.store.records_of_people import LOCAL, NewPerson, Scope
from tidings_portal.web import access
from tidings_portal.web.access import Access, digest_of
from tidings_portal.web.app_state import App
from tidings_portal.web.settings import PortalSettings, ReadAccess

CHANGES = [one for one in OPERATIONS if one.access is not Access.READING]


def test_everything_that_changes_anything_needs_a_token_that_may_write() -> None:
    for one in OPERATIONS:
        changes = one.method != "GET" and one.name != "extract"
        assert (one.access in {Access.OWN, Access.HOUSE}) == changes, one.name


def _at(operation: Operation) -> str:
    return operation.path.replace("{id}", "1").replace("{site}", "a.example")


def test_without_a_token_nothing_is_changed_or_told(stranger: Visitor, store: Store) -> None:
    before = store.totals(), store.sources(), store.mutes()
    for one in CHANGES:
        told = stranger.ask(one.method, _at(one), json={})
        assert told.status_code == 401, one.name
        assert told.headers["www-authenticate"] == 'Bearer realm="tidings"'
        assert told.headers["content-type"] == "application/problem+json"
    assert (store.totals(), store.sources(), store.mutes()) == before


def test_a_token_that_may_read_changes_nothing(reader: Visitor, store: Store) -> None:
    before = store.totals(), store.sources(), store.mutes()
    for one in CHANGES:
        if one.access is not Access.TOKEN:
            told = reader.ask(one.method, _at(one), json={})
            assert told.status_code == 403, one.name
            assert 'error="insufficient_scope"' in told.headers["www-authenticate"]
    assert (store.totals(), store.sources(), store.mutes()) == before


def _ann(session: str) -> str | None:
    return "person 1" if session == "good" else None


def test_cookies_change_nothing(store: Store, web: SmallWeb) -> None:
    settings = PortalSettings(hosts=("testserver",), accounts=True)
    app = App(store, web, web, settings, now=lambda: NOW)
    client = TestClient(application(app), cookies={"tidings_session": "good"})
    app.recognise = _ann
    body = {"address": "https://a.example/feed", "kind": "feed"}
    assert Visitor(client).send("POST", "/sources", 401, body)["code"] == "sign_in"
    assert store.totals().sources == 2


def test_a_closed_house_is_read_with_a_token_or_signed_in(store: Store, web: SmallWeb, token: MakeToken) -> None:
    settings = PortalSettings(hosts=("testserver",), reading=ReadAccess.CLOSED, accounts=True)
    app = App(store, web, web, settings, now=lambda: NOW)
    asgi = application(app)
    app.recognise = _ann
    stranger, reader = Visitor(TestClient(asgi)), Visitor(TestClient(asgi), token(Scope.READ))
    signed_in = Visitor(TestClient(asgi, cookies={"tidings_session": "good"}))
    for one in OPERATIONS:
        assert stranger.ask(one.method, _at(one)).status_code == 401, one.name
    assert web.asked == []
    assert reader.get("/articles")["items"]
    assert signed_in.get("/articles")["items"]
    client = TestClient(asgi)
    for name in ("latest", "source/1", "source/99", "story/1", "category/none", "search"):
        assert client.get(f"/feeds/{name}.rss").status_code == 401, name  # what there is, is not told either
    assert client.get("/feeds/latest.rss", headers={"Authorization": f"Bearer {reader.secret}"}).status_code == 200
    assert client.get("/api/openapi.json").status_code == 200  # how to ask is no secret


def test_without_accounts_a_closed_house_takes_tokens_only(store: Store, web: SmallWeb) -> None:
    settings = PortalSettings(hosts=("testserver",), reading=ReadAccess.CLOSED)
    client = TestClient(application(App(store, web, web, settings)), cookies={"tidings_session": "x"})
    assert Visitor(client).get("/articles", 401)["code"] == "sign_in"


@pytest.mark.parametrize(
    "header",
    [
        "Bearer",
        "Bearer ",
        "Bearer tidings_nonsense",
        "Bearer " + "a" * 2000,
        "Basic dXNlcjpwYXNz",
        "tidings_nonsense",
        "Bearer \xff\xfe",
        "Bearer a b c",
        "Bearer null",
    ],
)
def test_what_is_no_token_opens_nothing(stranger: Visitor, header: str) -> None:
    told = stranger.ask("GET", "/articles", headers={"Authorization": header.encode("latin-1")})
    assert told.status_code == 401
    assert 'error="invalid_token"' in told.headers["www-authenticate"]
    assert header[:40] not in told.text.removeprefix("Bearer")


def test_tokens_end(client: TestClient, store: Store, token: MakeToken) -> None:
    expired = Visitor(client, token(Scope.READ, expires=NOW - timedelta(seconds=1)))
    assert expired.get("/articles", 401)["code"] == "sign_in"
    good = Visitor(client, token(Scope.READ, expires=NOW + timedelta(seconds=1)))
    good.get("/articles")
    (last, *_) = store.tokens(LOCAL)
    assert store.revoke_token(last.id, LOCAL, NOW)
    assert good.get("/articles", 401)["code"] == "sign_in"


def test_tokens_of_others(client: TestClient, store: Store, token: MakeToken, keeper: Visitor) -> None:
    admin = store.add_person(NewPerson("Ann", "x"), NOON)
    person = store.add_person(NewPerson("Bob", "x"), NOON)
    assert admin is not None
    assert person is not None
    hers = Visitor(client, token(Scope.READ, Scope.WRITE, person=admin.key))
    his = Visitor(client, token(Scope.READ, Scope.WRITE, person=person.key))
    ours = keeper.get("/tokens")["items"]
    (her,) = hers.get("/tokens")["items"]
    (his_own,) = his.get("/tokens")["items"]
    assert her["id"] not in {one["id"] for one in ours}
    for foreign in (her["id"], *(one["id"] for one in ours)):  # another one's number is no number at all
        assert his.send("DELETE", f"/tokens/{foreign}", 404)["code"] == "missing_page"
    assert hers.get("/tokens")["items"][0]["revoked"] is None
    added = his.send("POST", "/sources", 201, {"address": "https://bob.example/feed", "kind": "feed"})
    assert added["items"][0]["id"] in [one.source.id for one in store.subscriptions(person.key)]
    assert len(store.subscriptions(person.key)) == len(store.sources())  # he read everything before, and still does
    assert his.send("DELETE", "/sources/1", 403)["code"] == "forbidden"
    assert his.send("PUT", "/mutes", 403, {"rules": []})["code"] == "forbidden"
    assert his.send("DELETE", "/sites/a.example", 403)["code"] == "forbidden"
    assert hers.send("PUT", "/mutes", 200, {"rules": []})["muted"] == 0
    assert store.set_admin(person.id, True)
    assert his.send("PUT", "/mutes", 200, {"rules": []})["muted"] == 0
    assert store.remove_person(person.id)
    assert his.get("/tokens", 401)["code"] == "sign_in"
    assert his_own["id"]


def test_the_store_knows_digests_only(store: Store, token: MakeToken) -> None:
    secret = token(Scope.READ)
    (kept,) = store.tokens(LOCAL)
    assert kept.settings.digest == digest_of(secret)
    assert secret not in repr(kept)
    assert secret.removeprefix(kept.settings.beginning) not in repr(kept)
    assert len(kept.settings.beginning) <= 12
    with store.database.reading() as session:
        assert secret not in str(session.all("SELECT * FROM token"))


def test_digests_are_compared_in_constant_time(reader: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return hmac.compare_digest(one, other)

    monkeypatch.setattr(access, "compare_digest", compare)
    reader.get("/articles")
    assert compared == [(digest_of(reader.secret).encode(),) * 2]


def test_a_digest_that_the_store_gives_wrongly_opens_nothing(
    app: App, reader: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    (kept,) = app.store.tokens(LOCAL)
    other = replace(kept, settings=replace(kept.settings, digest="0" * 64))
    monkeypatch.setattr(app.store, "token", lambda *_: other)
    assert reader.get("/articles", 401)["code"] == "sign_in"


def test_tokens_are_logged_nowhere(
    client: TestClient, keeper: Visitor, app: App, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("something that nobody thought of")

    caplog.set_level(logging.DEBUG)
    keeper.get("/articles")
    keeper.ask("DELETE", "/sources/99")
    client.get("/api/v1/articles", headers={"Authorization": f"Bearer {keeper.secret}x"})
    monkeypatch.setattr(app.store, "articles", broken)
    assert keeper.get("/articles", 500) == {
        "type": "about:blank",
        "title": "Internal Server Error",
        "status": 500,
        "code": "server",
    }
    assert "something that nobody thought of" in caplog.text
    assert keeper.secret not in caplog.text
    assert digest_of(keeper.secret) not in caplog.text


@pytest.mark.parametrize("name", ["token", "access_token", "api_key", "authorization"])
def test_a_token_in_an_address_is_refused(stranger: Visitor, keeper: Visitor, name: str) -> None:
    told = stranger.get("/articles", 400, **{name: keeper.secret})
    assert keeper.secret not in str(told)
    assert stranger.get("/tokens", 401, **{name: keeper.secret})["code"] == "sign_in"


def test_when_a_token_was_used_is_written_later(asgi: Starlette, app: App, reader: Visitor) -> None:
    assert reader.get("/articles")["items"]
    assert app.store.tokens(LOCAL)[0].used is None  # nobody waits for the disk
    asgi.state.sessions.counting.write()
    assert app.store.tokens(LOCAL)[0].used == NOW


def test_a_site_that_is_named_may_read_but_not_with_cookies(store: Store, web: SmallWeb, token: MakeToken) -> None:
    friend, evil = "https://tools.example", "https://evil.example"
    settings = PortalSettings(hosts=("testserver",), accounts=True, reading=ReadAccess.CLOSED, origins=(friend,))
    app = App(store, web, web, settings, now=lambda: NOW)
    client = TestClient(application(app), cookies={"tidings_session": "good"})
    app.recognise = _ann
    path, asks = "/api/v1/articles", {"Access-Control-Request-Method": "GET"}
    before = client.options(path, headers={"Origin": friend, **asks})
    assert before.status_code == 204
    assert before.headers["access-control-allow-origin"] == friend
    assert "authorization" in before.headers["access-control-allow-headers"].lower()
    bearer = {"Authorization": f"Bearer {token(Scope.READ)}"}
    told = client.get(path, headers={"Origin": friend, **bearer})
    assert told.status_code == 200
    assert told.headers["access-control-allow-origin"] == friend
    assert told.headers["cross-origin-resource-policy"] == "cross-origin"
    assert "Origin" in told.headers["vary"]
    assert "access-control-allow-credentials" not in told.headers
    assert client.get(path).status_code == 200  # signed in, on a page of ours
    assert client.get(path, headers={"Origin": friend}).status_code == 401  # not on a page of theirs
    for other in (evil, "null", "", friend + ".evil.example", friend.upper()):
        for answer in (
            client.options(path, headers={"Origin": other, **asks}),
            client.get(path, headers={"Origin": other}),
        ):
            assert "access-control-allow-origin" not in answer.headers
    assert "access-control-allow-origin" not in client.get("/", headers={"Origin": friend}).headers
    read = {"Origin": friend, "Sec-Fetch-Site": "cross-site"}
    assert client.get("/api/v1/read?url=https://a.example", headers=read | bearer).status_code == 200


def test_other_sites_are_told_nothing(client: TestClient) -> None:
    headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    told = client.options("/api/v1/sources", headers=headers)
    assert told.status_code == 405
    for path in ("/api/v1/articles", "/api/openapi.json", "/feeds/latest.json"):
        answer = client.get(path, headers={"Origin": "https://evil.example"})
        assert not [name for name in answer.headers if name.startswith("access-control")]
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
