"""HOSTILE 25 and 26: forms of others, other people's numbers, ways out of the house, and GET that changes nothing."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

from starlette.routing import Route

from tests.portal.accounts.browsing import PASSWORD, Browser, Site
from tests.portal.housed import token_in
from tidings_portal.accounts.routes import ROUTES
from tidings_portal.store.records_of_articles import StoryDraft

OURS = [one for one in ROUTES if isinstance(one, Route)]
FORMS = sorted(one.path for one in OURS if one.methods == {"POST"} and one.path != "/beacon")
PAGES = sorted(one.path for one in OURS if "GET" in (one.methods or ()))


def real(path: str) -> str:
    return path.replace("{number}", "1").replace("{name:path}", "Mara Ellison")


def content(path: Path) -> list[str]:
    """Everything in the store."""
    with sqlite3.connect(path) as connection:
        lines = [line for line in connection.iterdump() if '"words_' not in line]
    connection.close()
    return lines


EVIL = [
    "//evil.example", "/\\evil.example", "\\\\evil.example", "https://evil.example", "/\t/evil.example",
    "/\n/evil.example", " //evil.example", "javascript:alert(1)", "/%0d%0aSet-Cookie:x", "///evil.example", "evil",
    "/\u2044evil.example", "//evil.example/%2f..", "/ok\r\nLocation: //evil.example", "",
]  # fmt: skip


def test_no_way_out_of_the_house(site: Site) -> None:
    ann = site.person("Ann")
    site.sessions.attempts.clock = lambda: 0.0
    for goal in EVIL:
        answers = [
            ann.send("/article/1/save", next=goal),
            ann.client.get("/sign-in", params={"next": goal}),
            ann.send("/sign-out", next=goal),
            ann.client.get("/sign-in", params={"next": goal}),
            ann.sign_in("Ann", next=goal),
        ]
        for answer in answers:
            where = answer.headers.get("location", "/")
            assert where.startswith("/"), goal
            assert not where.startswith(("//", "/\\")), goal
            assert "evil" not in where, goal
            assert not set(where) & set("\r\n\t"), goal
        _, _, form = answers[3].text.partition('action="/sign-in"')
        (shown,) = re.findall(r'name="next" value="([^"]*)"', form.partition("</form>")[0])
        assert shown == ("/" if "evil" in goal or "/" not in goal[:1] else goal), goal


def test_every_form_needs_its_token(site: Site, tmp_path: Path) -> None:
    ann, bo = site.person("Ann"), site.person("Bo")
    fields = dict.fromkeys(("source", "number", "up_to", "login"), "1")
    fields |= {"days": "30", "person": "2", "password": PASSWORD}
    own, theirs = token_in(ann.get("/").text), token_in(bo.get("/").text)
    before = content(tmp_path / "news.tidings")
    for path in map(real, FORMS):
        for wrong in (None, "", theirs, "ü", own[:-1], own.upper()):
            told = fields if wrong is None else {**fields, "token": wrong}
            assert ann.client.post(path, data=told).status_code == 403, (path, wrong)
        for name, value in (
            ("sec-fetch-site", "cross-site"), ("sec-fetch-site", "same-site"), ("origin", "https://evil.example"),
            ("origin", "null"),
        ):  # fmt: skip
            answer = ann.client.post(path, data={**fields, "token": own}, headers={name: value})
            assert answer.status_code == 403, (path, value)
    assert content(tmp_path / "news.tidings") == before
    assert len(FORMS) > 20


def test_no_other_method_does_what_a_form_does(site: Site, tmp_path: Path) -> None:
    ann = site.person("Ann")
    before = content(tmp_path / "news.tidings")
    fields = {"token": token_in(ann.get("/").text), "source": "1", "days": "30", "up_to": "1", "name": "x"}
    for path in FORMS:
        status = ann.client.get(real(path), params=fields).status_code
        assert status == (303 if path in PAGES else 405) or "{name:path}" in path, path
        for method in ("PUT", "DELETE", "PATCH"):
            assert ann.client.request(method, real(path), params=fields).status_code == 405
    assert content(tmp_path / "news.tidings") == before


def test_no_page_changes_anything(site: Site, tmp_path: Path) -> None:
    ann = site.person("Ann")
    before = content(tmp_path / "news.tidings")
    for path in [*PAGES, "/article/1", "/story/1", "/unread?after=5", "/saved?after=x"]:
        usual = {404} if path.startswith("/sign-in/openid") else {200, 303, 400}  # there is no provider
        assert ann.get(real(path)).status_code in usual, path
    assert content(tmp_path / "news.tidings") == before


def everything(browser: Browser) -> None:
    browser.send("/article/1/save")
    browser.send("/my/sources/subscribe", source=1, folder="Mine")
    browser.send("/story/1/follow")
    browser.send("/columnist/Mara Ellison/follow")
    browser.send("/tokens/make", days=30)


def test_what_is_another_ones_is_not_there(site: Site) -> None:
    site.app.store.save_stories([StoryDraft((1, 2), "One")])
    ann, bo = site.person("Ann"), site.person("Bo")
    everything(ann)
    (token,) = site.app.store.tokens(ann.key)
    (login,) = site.app.store.logins(1, site.app.now())
    for path, fields in (
        ("/tokens/revoke", {"number": token.id}), ("/account/logins/end", {"login": login.id}),
        ("/article/1/unsave", {}), ("/my/sources/unsubscribe", {"source": 1}),
        ("/my/sources/rename-folder", {"folder": "Mine", "name": "Yours"}), ("/story/1/unfollow", {}),
        ("/columnist/Mara Ellison/unfollow", {}), ("/people/remove", {"person": 1}),
    ):  # fmt: skip
        assert bo.send(path, **fields).status_code == 404, path
    assert bo.get("/unread?folder=Mine").status_code == 404
    for page in ("/saved", "/followed", "/tokens", "/my/sources"):
        assert "Mine" not in bo.get(page).text
    assert ann.get("/account").status_code == 200
    assert site.app.store.tokens(ann.key) == [token]
    assert len(site.app.store.saved(ann.key).items) == 1


def test_what_everybody_sees_is_changed_by_those_who_run_the_house(site: Site) -> None:
    ann, bo, stranger = site.person("Ann"), site.person("Bo"), site.browser()
    store = site.app.store
    number = store.sources()[0].id
    for path in ("/sample/remove", f"/sources/{number}", f"/sources/{number}/remove"):
        assert stranger.send(path, title="Mine").status_code == 401, path
        assert bo.send(path, title="Mine").status_code == 403, path
    assert bo.get(f"/sources/{number}/remove").status_code == 403
    assert bo.get(f"/sources/{number}").status_code == 200
    assert len(store.sources()) > 5
    assert store.sources()[0].name != "Mine"
    assert ann.send(f"/sources/{number}", title="Mine").status_code == 303
    assert ann.send(f"/sources/{number}/remove").status_code == 303
    assert ann.send("/sample/remove").status_code == 303
    assert store.source(number) is None


def test_a_form_of_before_the_sign_in_is_not_good_after_it(site: Site) -> None:
    ann = site.person("Ann")
    ann.send("/sign-out")
    old = token_in(ann.get("/").text)
    ann.sign_in("Ann")
    assert ann.client.post("/article/1/save", data={"token": old}).status_code == 403
    mine = token_in(ann.get("/").text)
    ann.send("/sign-out")
    ann.sign_in("Ann")
    assert ann.client.post("/article/1/save", data={"token": mine}).status_code == 403


def test_sessions_that_nobody_was_given(site: Site) -> None:
    site.person("Ann")
    for secret in ("x", "x" * 5000, "..%2f", "'", "None", "local", "person 1", "\x7f"):
        stranger = site.browser()
        stranger.client.headers["cookie"] = f"tidings_session={secret}"
        assert stranger.get("/account").status_code == 303, secret


def test_too_much_is_refused(site: Site) -> None:
    """HOSTILE 26: ten megabytes in a field, ten thousand fields."""
    ann = site.person("Ann")
    token = token_in(ann.get("/").text)
    for path in ("/sign-in", "/tokens/make", "/beacon"):
        large = ann.client.post(path, data={"token": token, "name": "x" * 10_000_000})
        assert large.status_code == 413
        many = ann.client.post(path, data={"token": token, **{f"field{n}": "" for n in range(10_000)}})
        assert many.status_code in {400, 413}


def test_somebody_called_local_is_nobody_else(site: Site) -> None:
    """The reader of a house without accounts and a person of that name keep their things apart."""
    site.person("Ann")
    site.app.store.save(1, "local", site.app.now())
    other = site.person("local")
    assert other.key == "person 2"
    assert "Nothing is saved" in other.get("/saved").text
