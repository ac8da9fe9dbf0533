"""Pictures: only those that a page of ours shows, through the guard, and nothing in them can run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.portal import housed
from tidings_portal.web.app_state import App
from tidings_portal.web.pictures import media_type, picture_at

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20


def test_the_newspapers_pictures_are_shown_from_here(client: TestClient) -> None:
    found = re.findall(r'src="(/picture/[^"]+)"', client.get("/").text)
    assert found
    for address in found:
        answer = client.get(address)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "image/svg+xml"
        assert b"<svg" in answer.content
        assert "sandbox" in answer.headers["content-security-policy"]
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_only_signed_addresses_are_fetched(filled: Path) -> None:
    web = housed.Web({"https://a.example/a.png": ("image/png", PNG)})
    with housed.app(filled, web=web) as app:
        client = housed.client(app)
        address = picture_at(app, "https://a.example/a.png")
        assert client.get(address).content == PNG
        assert web.asked == ["https://a.example/a.png"]
        other = picture_at(app, "https://a.example/b.png")
        mark = address.split("/")[2]
        assert client.get(f"/picture/{mark}/{other.split('/')[3]}").status_code == 404
        assert client.get("/picture/0/aHR0cDovLzEyNy4wLjAuMS8").status_code == 404
        assert client.get("/picture/0/!!!").status_code == 404
        assert web.asked == ["https://a.example/a.png"]
        client.get(address)
        assert len(web.asked) == 1  # kept


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("image/png", b"<html><script>alert(1)</script>"),
        ("text/html", b"<script>alert(1)</script>"),
        ("image/svg+xml", b"<!doctype html><svg onload=alert(1)>"),
        ("application/pdf", b"%PDF-1.7"),
        ("image/png", b""),
    ],
)
def test_what_is_no_picture_is_not_sent(filled: Path, kind: str, body: bytes) -> None:
    web = housed.Web({"https://a.example/x": (kind, body)})
    with housed.app(filled, web=web) as app:
        answer = housed.client(app).get(picture_at(app, "https://a.example/x"))
        assert (answer.status_code, answer.content) == (404, b"")
        assert picture_at(app, "https://a.example/x") == ""  # pages leave it out from now on


def test_the_next_picture_is_sent_where_one_cannot_be_loaded(filled: Path) -> None:
    png = b"\x89PNG\r\n\x1a\n" + b"0" * 20
    web = housed.Web({"https://a.example/x": ("text/html", b"no"), "https://b.example/y.png": ("image/png", png)})
    with housed.app(filled, web=web) as app:
        answer = housed.client(app).get(picture_at(app, "https://a.example/x", "", "https://b.example/y.png"))
        assert (answer.status_code, answer.content) == (200, png)
        assert picture_at(app, "https://a.example/x", "https://b.example/y.png") == picture_at(
            app, "https://b.example/y.png"
        )


def test_a_drawing_with_a_script_cannot_run_it(filled: Path) -> None:
    body = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    web = housed.Web({"https://a.example/x.svg": ("image/svg+xml", body)})
    with housed.app(filled, web=web) as app:
        answer = housed.client(app).get(picture_at(app, "https://a.example/x.svg"))
        policy = answer.headers["content-security-policy"]
        assert "sandbox;" in policy
        assert "allow-scripts" not in policy
        assert "default-src 'none'" in policy


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:image/png;base64,AAAA", "file:///etc/passwd", "", "x" * 9000]
)
def test_some_addresses_are_no_pictures(app: App, address: str) -> None:
    assert picture_at(app, address) == ""


def test_kinds_are_told_by_how_they_begin() -> None:
    assert media_type(PNG) == "image/png"
    assert media_type(b"\xff\xd8\xff\xe0") == "image/jpeg"
    assert media_type(b"GIF89a") == "image/gif"
    assert media_type(b"RIFF0000WEBPVP8 ") == "image/webp"
    assert media_type(b"0000ftypavif") == "image/avif"
    assert media_type(b'<?xml version="1.0"?>\n<!-- a -->\n<svg width="1">') == "image/svg+xml"
    assert media_type(b"<svgscript>") == ""
    assert media_type(b"GIF") == ""
