"""Signing up, in and out, as a browser does it."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.portal import housed
from tests.portal.accounts.browsing import PASSWORD, Site, site_of
from tidings_portal.accounts.passwords import Passwords
from tidings_portal.web.access import digest_of
from tidings_portal.web.settings import PortalSettings, ReadAccess


def test_the_first_account_needs_the_setup_token(site: Site) -> None:
    site.app.settings = replace(site.app.settings, sign_up=True)
    browser = site.browser()
    for wrong in ("", "0" * 32, "ungültig"):
        refused = browser.send("/sign-up", page="/sign-up", name="Mallory", password=PASSWORD, setup=wrong)
        assert refused.status_code == 422
        assert "This is not the setup token" in refused.text
    assert site.app.store.persons() == []
    token = site.sessions.setup_token
    opened = browser.send("/sign-up", page="/sign-up", name="Ann", password=PASSWORD, setup=token)
    assert opened.status_code == 303
    assert [person.settings.admin for person in site.app.store.persons()] == [True]
    assert 'name="setup"' not in site.browser("192.0.2.2").get("/sign-up").text
    other = site.browser("192.0.2.2").send("/sign-up", page="/sign-up", name="Bob", password=PASSWORD)
    assert other.status_code == 303


def test_the_first_person_runs_the_house_and_then_it_is_closed(site: Site) -> None:
    browser = site.browser()
    assert browser.get("/sign-in").headers["location"] == "/sign-up"
    assert "The first account is the administrator" in browser.get("/sign-up").text
    ann = site.person("Ann")
    assert ann.get("/account").status_code == 200
    assert "Administrator" in ann.get("/account").text
    assert browser.get("/sign-up").headers["location"] == "/sign-in"
    refused = browser.send("/sign-up", name="Mallory", password=PASSWORD)
    assert refused.status_code == 422
    assert "Ask the administrator" in refused.text
    assert [one.name for one in site.app.store.persons()] == ["Ann"]


def test_where_anybody_may_come(filled: Path, tmp_path: Path) -> None:
    settings = PortalSettings(accounts=True, sign_up=True)
    with housed.app(housed.copy_of(filled, tmp_path), settings) as app:
        site = site_of(app)
        for name in ("Ann", "Bo"):
            assert site.browser().send("/sign-up", name=name, password=PASSWORD).status_code == 303
        assert [one.settings.admin for one in app.store.persons()] == [True, False]
        taken = site.browser().send("/sign-up", name=" ANN ", password=PASSWORD)
        assert taken.status_code == 422
        assert "This name is already in use" in taken.text
        assert 'value="ANN"' in taken.text
        for number in range(3):
            site.browser().send("/sign-up", name=f"More {number}", password=PASSWORD)
        many = site.browser().send("/sign-up", name="One more", password=PASSWORD)
        assert many.status_code == 429
        assert int(many.headers["retry-after"]) > 0


@pytest.mark.parametrize(
    ("name", "password", "told"),
    [
        ("", PASSWORD, "Choose a name"),
        ("x" * 41, PASSWORD, "Choose a name"),
        ("a\u202eb", PASSWORD, "Choose a name"),
        ("Ann", "short", "too short"),
        ("Ann", "x" * 600, "too long"),
        ("Annabel Lee", "annabel lee", "too easy to guess"),
        ("<script>alert(1)</script>", "short", "&lt;script&gt;"),
    ],
)
def test_names_and_passwords_that_cannot_be_taken(site: Site, name: str, password: str, told: str) -> None:
    answer = site.browser().send("/sign-up", name=name, password=password)
    assert answer.status_code == 422
    assert told in answer.text
    assert "<script>alert" not in answer.text
    assert site.app.store.persons() == []


def test_in_and_out(site: Site) -> None:
    ann = site.person("Ann")
    secret = ann.session
    stolen = site.browser()
    stolen.client.cookies.set("tidings_session", secret)
    assert stolen.get("/account").status_code == 200
    out = ann.send("/sign-out")
    assert (out.status_code, out.headers["location"]) == (303, "/")
    assert ann.session == ""
    assert ann.get("/account").headers["location"] == "/sign-in?next=/account"
    assert stolen.get("/account").status_code == 303
    again = ann.sign_in("ann", next="/saved?after=9")
    assert (again.status_code, again.headers["location"]) == (303, "/saved?after=9")
    assert ann.get("/sign-in?next=/unread").headers["location"] == "/unread"


def test_the_cookie(site: Site, filled: Path, tmp_path: Path) -> None:
    ann = site.person("Ann")
    ann.send("/sign-out")
    (cookie,) = [one for one in ann.sign_in("Ann").headers.get_list("set-cookie") if one.startswith("tidings_session")]
    assert cookie.endswith("; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax")
    assert len(ann.session) == 43  # 256 bits
    folder = tmp_path / "secure"
    folder.mkdir()
    settings = PortalSettings(accounts=True, address="https://news.example")
    with housed.app(housed.copy_of(filled, folder), settings) as app:
        browser = site_of(app).browser(here="https://news.example")
        answer = browser.send("/sign-up", name="Ann", password=PASSWORD)
        (cookie,) = [one for one in answer.headers.get_list("set-cookie") if one.startswith("tidings_session")]
        assert "; Secure" in cookie


def test_a_new_secret_at_every_sign_in(site: Site) -> None:
    """A browser that was handed a session before signing in does not keep it; the one it had ends."""
    ann = site.person("Ann")
    before = ann.session
    ann.sign_in("Ann")
    assert ann.session not in {"", before}
    assert site.sessions.login(before) is None
    fixed = site.browser()
    fixed.client.cookies.set("tidings_session", "planted")
    fixed.sign_in("Ann")
    assert site.sessions.login("planted") is None


def test_only_digests_are_kept_and_nothing_is_logged(
    site: Site, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    ann = site.person("Ann")
    ann.sign_in("Ann", "a wrong password")
    secret = ann.session
    assert site.app.store.login(digest_of(secret), site.app.now()) is not None
    site.app.store.tidy()
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert digest_of(secret).encode() in kept
    for hidden in (secret, PASSWORD, "a wrong password"):
        assert hidden.encode() not in kept
        assert hidden not in caplog.text
    assert secret not in repr(site.sessions.login(secret))


def test_a_wrong_name_and_a_wrong_password_say_the_same(site: Site) -> None:
    site.person("Ann")
    browser = site.browser()
    page = browser.get("/sign-in").text
    assert 'autocomplete="current-password"' in page
    answers = [browser.sign_in("Ann", "wrong password"), browser.sign_in("Nobody", PASSWORD)]
    assert [one.status_code for one in answers] == [422, 422]
    wrong, unknown = (one.text.replace("Ann", "NAME").replace("Nobody", "NAME") for one in answers)
    assert wrong == unknown
    assert "Wrong name or password" in wrong
    assert browser.session == ""


def test_attempts_are_throttled(site: Site) -> None:
    site.person("Ann")
    browser = site.browser("198.51.100.7")
    for _ in range(5):
        assert browser.sign_in("Ann", "wrong password").status_code == 422
    told = browser.sign_in("ANN", PASSWORD)
    assert told.status_code == 429
    assert int(told.headers["retry-after"]) >= 1
    browser.client.headers["x-forwarded-for"] = "203.0.113.5"
    assert browser.sign_in("Ann", PASSWORD).status_code == 429
    assert site.browser("192.0.2.9").sign_in("Ann").status_code == 303


def test_a_password_is_made_anew_when_parameters_change(site: Site) -> None:
    ann = site.person("Ann")
    (before,) = site.app.store.persons()
    site.sessions.passwords = Passwords(2, 16, 1)
    assert ann.sign_in("Ann").status_code == 303
    (after,) = site.app.store.persons()
    assert before.settings.password.startswith("$argon2id$v=19$m=8,t=1,")
    assert after.settings.password.startswith("$argon2id$v=19$m=16,t=2,")
    assert ann.sign_in("Ann").status_code == 303


def test_a_login_is_over_after_thirty_days(site: Site) -> None:
    ann = site.person("Ann")
    start = site.app.now()
    site.app.now = lambda: start + timedelta(days=29)
    assert ann.get("/account").status_code == 200
    site.app.now = lambda: start + timedelta(days=30)
    assert ann.get("/account").status_code == 303


def test_last_used_is_written_later_and_by_no_get(site: Site) -> None:
    ann = site.person("Ann")
    (person,) = site.app.store.persons()
    start = site.app.now()
    site.app.now = lambda: start + timedelta(hours=3)
    site.sessions.counting.now = site.app.now
    ann.get("/account")
    (login,) = site.app.store.logins(person.id, start)
    assert login.used == start
    site.sessions.counting.write()
    (login,) = site.app.store.logins(person.id, start)
    assert login.used == start + timedelta(hours=3)


def test_language_and_look_come_with_the_person(site: Site) -> None:
    ann = site.person("Ann")
    assert ann.send("/account/look", page="/account", language="tr", theme="dark").status_code == 303
    assert "Açık oturumlarınız" in ann.get("/account").text
    other = site.browser()
    assert "Front page" in other.get("/").text
    other.sign_in("Ann")
    page = other.get("/").text
    assert 'data-theme="dark"' in page
    assert '<html lang="tr"' in page
    other.send("/preferences", language="en", theme="light")
    third = site.browser()
    third.sign_in("Ann")
    assert 'data-theme="light"' in third.get("/").text
    assert ann.send("/account/look", page="/account", language="xx", theme="").status_code == 400
    assert ann.send("/account/look", page="/account", language="", theme="").status_code == 303
    assert "Where you are signed in" in ann.get("/account").text


def test_a_closed_house(filled: Path, tmp_path: Path) -> None:
    settings = PortalSettings(accounts=True, reading=ReadAccess.CLOSED)
    with housed.app(housed.copy_of(filled, tmp_path), settings) as app:
        site = site_of(app)
        ann = site.person("Ann")
        stranger = site.browser()
        for path in ("/", "/article/1", "/search?q=x", "/columnists", "/picture/1/2", "/nowhere"):
            answer = stranger.get(path)
            assert answer.status_code == 303, path
            assert answer.headers["location"].startswith("/sign-in?next=/"), path
        assert stranger.client.post("/article/1/save").status_code == 401
        assert stranger.get("/sign-in").status_code == 200
        assert ann.get("/article/1").status_code == 200


def test_where_there_are_no_accounts_there_is_no_sign_in(local: Site) -> None:
    browser = local.browser()
    for path in ("/sign-in", "/sign-up", "/account", "/people"):
        assert browser.get(path).status_code == 404
    for path in ("/sign-in", "/sign-up", "/sign-out", "/account/password", "/people/add", "/account/remove"):
        assert browser.send(path, name="Ann", password=PASSWORD).status_code == 404
    assert local.app.store.persons() == []
