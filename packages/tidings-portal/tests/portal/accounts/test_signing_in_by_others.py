"""Signing in by others: an OpenID provider of our own, and the header of a named proxy (HOSTILE 41)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.portal import housed
from tests.portal.accounts.browsing import Browser, Site, site_of
from tests.portal.accounts.openid_provider import MODULUS, encoded, signed
from tidings.fetch import Outcome, Request, Response
from tidings_portal.web.proxies import TrustedProxies
from tidings_portal.web.settings import OpenIdProvider, PortalSettings

ISSUER = "https://login.example"


@dataclass
class Provider:
    """A small provider: it lets in whoever comes, under a name, and may be made to lie."""

    nonce: str = ""
    challenge: str = ""
    claims: dict[str, Any] = field(default_factory=dict)
    method: str = "RS256"
    issuer: str = ISSUER
    asked: list[Request] = field(default_factory=list)

    async def fetch(self, request: Request) -> Outcome:
        self.asked.append(request)
        path = urlsplit(request.url).path
        if path.endswith("openid-configuration"):
            places = {"authorization_endpoint": "enter", "token_endpoint": "token", "jwks_uri": "keys"}
            told = {name: f"{ISSUER}/{place}" for name, place in places.items()}
            return self._said(request, {"issuer": self.issuer, **told})
        if path == "/keys":
            modulus = encoded(MODULUS.to_bytes(256))
            return self._said(request, {"keys": [{"kty": "RSA", "kid": "a", "n": modulus, "e": "AQAB"}]})
        fields = {name: value[0] for name, value in parse_qs((request.data or b"").decode()).items()}
        if encoded(sha256(fields.get("code_verifier", "").encode()).digest()) != self.challenge:
            return Response(request.url, 400, (), b"{}", request.kind)
        return self._said(request, {"id_token": self._token()})

    def _said(self, request: Request, told: dict[str, Any]) -> Response:
        return Response(request.url, 200, (), json.dumps(told).encode(), request.kind)

    def _token(self) -> str:
        now = int(housed.NOW.timestamp())
        told = {
            "iss": ISSUER, "aud": "portal", "sub": "u-1", "nonce": self.nonce, "exp": now + 300, "iat": now,
            "preferred_username": "Ann", **self.claims,
        }  # fmt: skip
        return signed(told, self.method, "s3cret")


@pytest.fixture
def open_site(filled: Path, tmp_path: Path) -> Iterator[Site]:
    provider = OpenIdProvider(ISSUER, "portal", "s3cret", "The <b>Club</b>")
    settings = PortalSettings(accounts=True, openid=provider)
    with housed.app(housed.copy_of(filled, tmp_path), settings) as app:
        yield site_of(app)


def sent(site: Site, browser: Browser, provider: Provider, path: str = "/sign-in/openid?next=/saved") -> dict[str, str]:
    """Somebody is led to the provider; what they are sent with."""
    site.app.pictures = provider
    answer = browser.get(path)
    assert answer.status_code == 303
    place = urlsplit(answer.headers["location"])
    assert f"{place.scheme}://{place.netloc}{place.path}" == f"{ISSUER}/enter"
    asked = {name: value[0] for name, value in parse_qs(place.query).items()}
    provider.nonce, provider.challenge = asked["nonce"], asked["code_challenge"]
    assert asked["code_challenge_method"] == "S256"
    return asked


def back(browser: Browser, asked: dict[str, str], **other: str) -> Any:
    told = {"code": "abc", "state": asked["state"], **other}
    return browser.client.get("/sign-in/openid/callback", params=told)


@pytest.mark.parametrize("method", ["RS256", "HS256"])
def test_somebody_comes_in_and_is_the_same_the_next_time(open_site: Site, method: str) -> None:
    page = open_site.person("Owner").get("/").text
    assert page
    browser, provider = open_site.browser(), Provider(method=method)
    assert "The &lt;b&gt;Club&lt;/b&gt;" in browser.get("/sign-in").text
    answer = back(browser, sent(open_site, browser, provider))
    assert (answer.status_code, answer.headers["location"]) == (303, "/saved")
    assert browser.get("/saved").status_code == 200
    first = browser.key
    (token,) = (one for one in provider.asked if one.url.endswith("/token"))
    assert dict(token.headers)["Authorization"].startswith("Basic ")
    again = open_site.browser()
    back(again, sent(open_site, again, Provider(method=method, claims={"preferred_username": "Other"})))
    assert again.key == first
    assert len(open_site.app.store.persons()) == 2


def test_a_provider_does_not_open_the_first_account(open_site: Site) -> None:
    browser = open_site.browser()
    answer = back(browser, sent(open_site, browser, Provider()))
    assert answer.status_code == 403
    assert "setup token" in answer.text
    assert open_site.app.store.persons() == []


def test_a_name_is_nobodys_proof(open_site: Site) -> None:
    ann = open_site.person("Ann")
    browser = open_site.browser()
    back(browser, sent(open_site, browser, Provider()))
    assert browser.key != ann.key
    assert sorted(one.name for one in open_site.app.store.persons()) == ["Ann", "Ann 2"]


def test_whoever_is_signed_in_is_known_by_the_provider_too(open_site: Site) -> None:
    ann = open_site.person("Ann")
    back(ann, sent(open_site, ann, Provider()))
    key = ann.key
    other = open_site.browser()
    back(other, sent(open_site, other, Provider()))
    assert other.key == key
    assert len(open_site.app.store.persons()) == 1


@pytest.mark.parametrize(
    ("claims", "method"),
    [
        ({"iss": "https://evil.example"}, "RS256"),
        ({"aud": "another"}, "RS256"),
        ({"aud": ["portal", "another"]}, "RS256"),
        ({"nonce": "of another one"}, "RS256"),
        ({"exp": 1}, "RS256"),
        ({"exp": "never"}, "RS256"),
        ({"iat": 9_999_999_999}, "RS256"),
        ({"sub": ""}, "RS256"),
        ({}, "none"),
        ({}, "ES256"),
    ],
)
def test_a_token_that_is_not_as_it_has_to_be(open_site: Site, claims: dict[str, Any], method: str) -> None:
    open_site.person("Owner")
    browser = open_site.browser()
    answer = back(browser, sent(open_site, browser, Provider(claims=claims, method=method)))
    assert answer.status_code == 403
    assert len(open_site.app.store.persons()) == 1
    assert not browser.session


def test_a_sign_in_that_was_not_begun_here(open_site: Site) -> None:
    open_site.person("Owner")
    browser, provider = open_site.browser(), Provider()
    asked = sent(open_site, browser, provider)
    assert back(open_site.browser(), asked).status_code == 403  # another browser
    assert back(browser, {**asked, "state": "x" * 43}).status_code == 403
    assert back(browser, asked, iss="https://evil.example").status_code == 403
    assert back(browser, asked, code="").status_code == 403
    provider.challenge = "another"
    assert back(browser, asked).status_code == 502
    later = housed.NOW.timestamp() + 601
    open_site.app.now = lambda: housed.NOW.fromtimestamp(later, housed.NOW.tzinfo)
    assert back(browser, asked).status_code == 403
    forged = browser.client.cookies.get("tidings_oidc") or ""
    browser.client.cookies.set("tidings_oidc", "x" + forged)
    assert back(browser, asked).status_code == 403


def test_a_provider_that_calls_itself_something_else(open_site: Site) -> None:
    open_site.app.pictures = Provider(issuer="https://evil.example")
    assert open_site.browser().get("/sign-in/openid").status_code == 502


def test_nowhere_else_to_go(open_site: Site) -> None:
    open_site.person("Owner")
    browser = open_site.browser()
    answer = back(browser, sent(open_site, browser, Provider(), "/sign-in/openid?next=//evil.example"))
    assert answer.headers["location"] == "/"


def test_there_is_none(site: Site, local: Site) -> None:
    for one in (site, local):
        for path in ("/sign-in/openid", "/sign-in/openid/callback?state=x&code=y"):
            assert one.browser().get(path).status_code == 404


PROXY, STRANGER = "10.1.2.3", "192.0.2.9"


@pytest.fixture
def proxied(site: Site) -> Site:
    named = TrustedProxies.named([PROXY])
    site.app.settings = replace(site.app.settings, user_header="X-Remote-User", proxies=named)
    return site


def called(browser: Browser, *names: str, path: str = "/saved") -> Any:
    return browser.client.get(path, headers=[(b"X-Remote-User", name.encode()) for name in names])


def test_whom_a_named_proxy_lets_in(proxied: Site) -> None:
    browser = proxied.browser(PROXY)
    assert called(browser, "Ann").status_code == 200
    first = browser.key
    assert called(browser, "ANN").status_code == 200
    assert browser.key == first
    assert called(browser, "Ann", path="/account").status_code == 200
    assert called(browser, "Bob").status_code == 200
    assert browser.key != first  # whoever the proxy says it is now
    assert len(proxied.app.store.persons()) == 2
    assert [one.settings.admin for one in proxied.app.store.persons()] == [True, False]


def test_nobody_else_is_believed(proxied: Site) -> None:
    proxied.person("Ann")
    for address in (STRANGER, "127.0.0.1", "10.1.2.4"):
        assert called(proxied.browser(address), "Ann").status_code == 303  # to the sign-in
    through = proxied.browser(PROXY)
    for names in (("Ann", "Bob"), ("",), ("x" * 41,), ("Ann\u202e",)):
        assert called(through, *names).status_code == 303
    assert len(proxied.app.store.persons()) == 1


def test_without_the_header_a_session_opens_nothing_at_the_proxy(proxied: Site) -> None:
    browser = proxied.browser(PROXY)
    called(browser, "Şule")
    assert [one.name for one in proxied.app.store.persons()] == ["Şule"]
    assert browser.session
    assert browser.get("/saved").status_code == 303
