"""One's own account, other people's, and tokens."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from tests.portal.accounts.browsing import PASSWORD, Site
from tidings_portal.store.records_of_people import LOCAL, Scope
from tidings_portal.web.access import digest_of

NEW = "three gulls over the quay"


def test_another_password_signs_out_everywhere_else(site: Site) -> None:
    ann, phone = site.person("Ann"), site.browser()
    phone.sign_in("Ann")
    done = ann.send("/account/password", page="/account", old=PASSWORD, password=NEW)
    assert done.status_code == 200
    assert "The password was changed" in done.text
    assert ann.get("/account").status_code == 200
    assert phone.get("/account").status_code == 303
    assert phone.sign_in("Ann", PASSWORD).status_code == 422
    assert phone.sign_in("Ann", NEW).status_code == 303


@pytest.mark.parametrize(
    ("old", "new", "told"), [("wrong", NEW, "password is wrong"), (PASSWORD, "short", "too short")]
)
def test_a_password_that_is_not_changed(site: Site, old: str, new: str, told: str) -> None:
    ann = site.person("Ann")
    answer = ann.send("/account/password", page="/account", old=old, password=new)
    assert answer.status_code == 422
    assert told in answer.text
    assert site.browser().sign_in("Ann").status_code == 303


def test_guessing_the_old_password_is_throttled(site: Site) -> None:
    ann = site.person("Ann")
    answers = [ann.send("/account/password", page="/account", old="x", password=NEW) for _ in range(6)]
    assert [one.status_code for one in answers] == [422] * 5 + [429]


def test_where_one_is_signed_in(site: Site) -> None:
    ann, phone = site.person("Ann"), site.browser()
    phone.client.headers["user-agent"] = 'Phone "<b>4</b>" ' + "x" * 5000
    phone.sign_in("Ann")
    page = ann.get("/account").text
    assert "Phone &#34;&lt;b&gt;4&lt;/b&gt;&#34;" in page
    assert "This browser" in page
    (number,) = re.findall(r'name="login" value="(\d+)"', page)
    assert ann.send("/account/logins/end", page="/account", login=number).status_code == 303
    assert phone.get("/account").status_code == 303
    assert ann.send("/account/logins/end", page="/account", login=number).status_code == 404
    phone.sign_in("Ann")
    (own,) = re.findall(r'name="login" value="(\d+)"', phone.get("/account").text)
    assert ann.send("/account/logins/end", page="/account", login=own).status_code == 400
    assert ann.send("/account/logins/end-others", page="/account").status_code == 303
    assert phone.get("/account").status_code == 303
    assert ann.get("/account").status_code == 200


def test_removing_the_account(site: Site) -> None:
    ann, bo = site.person("Ann"), site.person("Bo")
    bo.send("/article/1/save")
    key = bo.key
    assert bo.send("/account/remove", page="/account", password=NEW).status_code == 422
    refused = ann.send("/account/remove", page="/account", password=PASSWORD)
    assert refused.status_code == 422
    assert "There must be an administrator" in refused.text
    assert bo.send("/account/remove", page="/account", password=PASSWORD).headers["location"] == "/"
    assert bo.session == ""
    assert [one.name for one in site.app.store.persons()] == ["Ann"]
    assert site.app.store.saved(key).items == ()
    assert ann.send("/account/remove", page="/account", password=PASSWORD).status_code == 303
    assert site.app.store.persons() == []


def test_people(site: Site) -> None:
    ann = site.person("Ann")
    assert ann.send("/people/add", page="/people", name="Bo", password=PASSWORD).status_code == 303
    assert ann.send("/people/add", page="/people", name="bo", password=PASSWORD).status_code == 422
    bo = site.browser()
    bo.sign_in("Bo")
    assert "Bo" in ann.get("/people").text
    assert bo.get("/people").status_code == 404
    _, person = site.app.store.persons()
    fields = {"name": "Mallory", "password": PASSWORD, "person": str(person.id), "admin": "yes"}
    for path in ("/people/add", "/people/change", "/people/remove"):
        assert bo.send(path, **fields).status_code == 404
    assert ann.send("/people/change", page="/people", person=1, admin="no").status_code == 422
    assert ann.send("/people/change", page="/people", person=person.id, admin="yes").status_code == 303
    assert bo.get("/people").status_code == 200
    assert bo.send("/people/remove", page="/people", person=person.id).status_code == 400
    assert bo.send("/people/remove", page="/people", person=99).status_code == 404
    assert bo.send("/people/remove", page="/people", person="x").status_code == 400
    assert bo.send("/people/remove", page="/people", person=1).status_code == 303
    assert ann.get("/account").status_code == 303


def test_a_token_is_shown_once(site: Site) -> None:
    ann = site.person("Ann")
    made = ann.send("/tokens/make", page="/tokens", name="my <b>phone</b>", scope="write", days=30)
    assert made.status_code == 200
    assert made.headers["cache-control"] == "no-store"
    assert "etag" not in made.headers
    (secret,) = re.findall(r'value="(tidings_[\w-]{43})"', made.text)
    token = site.app.store.token(digest_of(secret), site.app.now())
    assert token is not None
    assert token.person == ann.key
    assert token.settings.scopes == {Scope.READ, Scope.WRITE}
    assert token.settings.expires == site.app.now() + timedelta(days=30)
    page = ann.get("/tokens").text
    assert secret not in page
    assert secret[:12] in page
    assert "my &lt;b&gt;phone&lt;/b&gt;" in page
    assert ann.send("/tokens/revoke", page="/tokens", number=token.id).status_code == 303
    assert site.app.store.token(digest_of(secret), site.app.now()) is None
    assert ann.send("/tokens/revoke", page="/tokens", number=token.id).status_code == 404


def test_tokens_that_cannot_be_made(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = site.person("Ann")
    for days in ("", "-1", "31", "9" * 400, "x"):
        assert ann.send("/tokens/make", page="/tokens", days=days).status_code == 400
    ann.send("/tokens/make", page="/tokens", days=0, scope="everything")
    (token,) = site.app.store.tokens(ann.key)
    assert token.settings.scopes == {Scope.READ}
    assert token.settings.expires is None
    monkeypatch.setattr("tidings_portal.store.verbs.people.MOST_TOKENS", 1)
    many = ann.send("/tokens/make", page="/tokens", days=0)
    assert many.status_code == 422
    assert "too many tokens" in many.text


def test_the_local_reader_has_tokens_too(local: Site) -> None:
    browser = local.browser()
    assert browser.send("/tokens/make", page="/tokens", days=0, name="script").status_code == 200
    (token,) = local.app.store.tokens(LOCAL)
    assert token.settings.name == "script"
    assert "Without a name" not in browser.get("/tokens").text
