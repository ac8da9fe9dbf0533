"""The walls of the house: what is too much, comes from elsewhere, or leads elsewhere, does not get in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tests.portal.housed import token_in
from tidings_portal.web.app_state import App
from tidings_portal.web.counters import RateLimits
from tidings_portal.web.forms import local_path
from tidings_portal.web.settings import PortalSettings


def test_every_answer_forbids_inline_scripts_and_frames(client: TestClient) -> None:
    for path in ("/", "/latest", "/article/1", "/nothing", "/static/x/portal.css"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"


def test_another_name_that_leads_here_is_refused(client: TestClient) -> None:
    answer = client.get("/", headers={"host": "evil.example"})
    assert answer.status_code == 421
    assert "Unknown host name" in answer.text
    assert client.get("/", headers={"host": "127.0.0.1:8080"}).status_code == 200
    assert client.get("/", headers={"host": "[::1]:8080"}).status_code == 200


def test_a_house_answers_to_its_own_address() -> None:
    settings = PortalSettings(address="https://news.example", hosts=("Inner.Example",))
    assert settings.answers_to("news.example")
    assert settings.answers_to("inner.example:81")
    assert not settings.answers_to("news.example.evil")
    assert not settings.answers_to("")
    assert PortalSettings(hosts=("*",)).answers_to("any.example")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/" + "a" * 5000, 414),
        ("/search?q=" + "a" * 9000, 414),
        ("/search?" + "&".join(f"a{n}=1" for n in range(1000)), 400),
        ("/?" + "&".join("a" for _ in range(150)), 400),
    ],
)
def test_long_addresses_are_refused_at_once(client: TestClient, path: str, status: int) -> None:
    response = client.get(path)
    assert response.status_code == status
    assert status != 414 or len(response.content) < 1000, "the path is not repeated"


def test_large_forms_are_refused_at_once(client: TestClient) -> None:
    token = token_in(client.get("/").text)
    answer = client.post("/preferences", data={"token": token, "next": "a" * 10_000_000})
    assert answer.status_code == 413
    pieces = (b"a" * 100_000 for _ in range(100))  # without a length
    answer = client.post("/preferences", content=pieces, headers={"content-type": "application/x-www-form-urlencoded"})
    assert answer.status_code == 413


def test_a_field_larger_than_a_form_may_be_is_refused(client: TestClient) -> None:
    token = token_in(client.get("/").text)
    assert client.post("/preferences", data={"token": token, "next": "a" * 1_500_000}).status_code == 413
    fields = {f"f{n}": "1" for n in range(300)}
    assert client.post("/preferences", data={"token": token, **fields}).status_code in {400, 413}


@pytest.mark.parametrize("length", ["-1", "x", "1 1"])
def test_a_length_that_is_none_is_refused(client: TestClient, length: str) -> None:
    headers = {"content-length": length}
    assert client.post("/preferences", content=b"", headers=headers).status_code == 400


def test_a_form_needs_its_token(client: TestClient) -> None:
    token = token_in(client.get("/").text)
    wrong = ("", "0" * 32, token[:-1], token + "0")
    for tried in wrong:
        answer = client.post("/preferences", data={"token": tried, "language": "tr"})
        assert answer.status_code == 403
        assert "tidings_language" not in answer.headers.get("set-cookie", "")
    assert client.post("/preferences", data={"language": "tr"}).status_code == 403
    assert client.post("/preferences", data={"token": token, "language": "tr"}).status_code == 303
    assert client.cookies["tidings_language"] == "tr"


def test_the_token_of_another_visitor_does_not_do(app: App, client: TestClient) -> None:
    from tests.portal import housed

    other = token_in(housed.client(app).get("/").text)
    assert other != token_in(client.get("/").text)
    assert client.post("/preferences", data={"token": other}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_form_from_another_site_is_refused(client: TestClient, headers: dict[str, str]) -> None:
    token = token_in(client.get("/").text)
    assert client.post("/preferences", data={"token": token}, headers=headers).status_code == 403
    own = {"origin": "http://localhost", "sec-fetch-site": "same-origin"}
    assert client.post("/preferences", data={"token": token}, headers=own).status_code == 303


@pytest.mark.parametrize(
    "address",
    [
        "//evil",
        "/\\evil",
        "https://evil",
        "javascript:alert(1)",
        "",
        "evil",
        "/\tevil",
        "/\n/evil",
        "/a\r\nX: y",
        "\\/evil",
    ],
)
def test_nobody_is_led_elsewhere(client: TestClient, address: str) -> None:
    assert local_path(address) == "/"
    token = token_in(client.get("/").text)
    answer = client.post("/preferences", data={"token": token, "next": address})
    assert answer.headers["location"] == "/"


@given(st.text(max_size=30))
def test_wherever_one_is_led_is_here(address: str) -> None:
    from urllib.parse import urljoin, urlsplit

    found = local_path("/" + address)
    assert urlsplit(urljoin("http://here.example/form", found)).netloc == "here.example"
    assert found.isascii()
    assert "\\" not in found


def test_pages_of_this_house_are_led_to() -> None:
    assert local_path("/story/3?after=x%20y#top") == "/story/3?after=x%20y#top"


def test_an_address_with_a_script_in_it_is_escaped(client: TestClient) -> None:
    for path in (
        "/<script>alert(1)</script>",
        "/article/<script>alert(1)</script>",
        "/category/<script>alert(1)</script>",
    ):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "<script>alert" not in answer.text


def test_get_is_not_enough_for_what_changes_something(client: TestClient) -> None:
    for path in ("/preferences", "/sample/remove"):
        assert client.get(path).status_code == 405


def test_turns_come_back_with_time() -> None:
    time = 0.0
    turns = RateLimits(clock=lambda: time)
    assert [turns.take("read", "ann", 3).wait for _ in range(3)] == [0, 0, 0]
    assert turns.take("read", "ann", 3).wait == 20
    assert turns.take("read", "ben", 3).wait == 0
    assert turns.take("other", "ann", 3).wait == 0
    time = 19.0
    assert turns.take("read", "ann", 3).wait == 1
    time = 20.0
    assert turns.take("read", "ann", 3).wait == 0


def test_the_store_stays_out_of_reach_of_a_broken_page(
    app: App, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> object:
        raise RuntimeError("secret path /srv/news")

    monkeypatch.setattr(type(app.store), "articles", broken)
    answer = client.get("/latest")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "went wrong here" in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_a_locked_store_is_said_in_the_readers_language(
    app: App, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tidings.errors import StoreBusy

    def locked(*_: object, **__: object) -> object:
        raise StoreBusy("somebody writes")

    for verb in ("articles", "categories", "count_unread", "subscriptions"):
        monkeypatch.setattr(type(app.store), verb, locked)
    answer = client.get("/latest", headers={"accept-language": "tr"})
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "5"
    assert "Depo meşgul" in answer.text
