"""Nothing that is fetched can run in the reader, or ask for anything: by what its pages hold (HOSTILE 23, 24)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode
from starlette.testclient import TestClient

import tidings
from tests.portal import housed
from tests.portal.reader import hostile
from tidings import Page
from tidings.article import Options, render
from tidings.reading import read_and_show
from tidings_portal import store
from tidings_portal.reader.article_view import ReadingRequest
from tidings_portal.web.article_html import safe
from tidings_portal.web.settings import PortalSettings

ADDRESS = "https://hostile.example/"

#: Attributes whose value is an address.
ADDRESSES = {
    "href",
    "src",
    "action",
    "formaction",
    "data",
    "poster",
    "background",
    "cite",
    "longdesc",
    "srcset",
    "ping",
}
FORBIDDEN = (
    "iframe frame object embed applet base svg math style template noscript video audio source marquee form input"
)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    path: Path = tmp_path_factory.mktemp("reader") / "news.tidings"
    store.open(path).close()
    pages = {
        f"https://hostile.example/{at}": ("text/html; charset=utf-8", hostile.page(piece))
        for at, piece in enumerate(hostile.PIECES.values())
    }
    with housed.app(path, PortalSettings(minute_fetches=10_000), housed.Web(pages)) as app:
        yield housed.client(app)


def nodes(html: str) -> list[LexborNode]:
    root = LexborHTMLParser(html).root
    assert root is not None
    return [node for node in root.traverse() if node.tag and not node.tag.startswith("-")]


def problems(html: str) -> list[str]:
    """What in a page of ours could run or ask elsewhere."""
    found = []
    for node in nodes(html):
        for name, value in node.attributes.items():
            said = (value or "").strip()
            if name.startswith("on") or name in {"style", "srcdoc", "http-equiv"}:
                found.append(f"{node.tag} {name}={said[:80]}")
            if name in ADDRESSES and not is_harmless(node.tag or "", name, said):
                found.append(f"{node.tag} {name}={said[:80]}")
        if node.tag == "script" and not (node.attributes.get("src") or "").startswith("/static/"):
            found.append(f"script {node.text()[:80]}")
        if node.tag == "link" and not (node.attributes.get("href") or "").startswith("/"):
            found.append(f"link {node.attributes}")
    return found


def is_harmless(tag: str, name: str, said: str) -> bool:
    if said.startswith("/") and not said.startswith(("//", "/\\")):
        return True
    if said.startswith("#"):
        return True
    # Links of our own to the page itself, which only a person follows.
    return tag == "a" and name == "href" and urlsplit(said).scheme in {"http", "https", "mailto"}


def test_the_pages_are_hostile() -> None:
    """Else the tests below could not fail: shown as they are, nearly all of these would do something."""
    harmless = {name for name, piece in hostile.PIECES.items() if not problems(hostile.page(piece).decode())}
    assert harmless <= {"form mutation"}  # which takes a second reading


@pytest.mark.parametrize("at", range(len(hostile.PIECES)), ids=list(hostile.PIECES))
@pytest.mark.parametrize("method", ["", "everything"])
def test_pages_are_harmless(client: TestClient, at: int, method: str) -> None:
    address = f"https://hostile.example/{at}"
    answer = client.get("/read", params={"url": address, "with": method})
    assert answer.status_code == 200
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert problems(answer.text) == []
    prose = LexborHTMLParser(answer.text).css_first(".prose")
    assert prose is not None
    inside = {node.tag for node in prose.traverse()}
    assert not inside & set(FORBIDDEN.split())
    assert "Grey seals are breeding again" in prose.text()
    # What a browser makes of it once more is the same: nothing mutates.
    assert problems(LexborHTMLParser(answer.text).html or "") == []


@pytest.mark.parametrize("at", range(len(hostile.PIECES)), ids=list(hostile.PIECES))
def test_what_was_taken_is_harmless(client: TestClient, at: int) -> None:
    params = {"url": f"https://hostile.example/{at}"}
    answer = client.get("/read/taken", params=params)
    assert answer.status_code == 200
    assert problems(answer.text) == []
    (frame,) = LexborHTMLParser(answer.text).css("iframe")
    assert frame.attributes["sandbox"] in {"", None}
    drawn = client.get("/read/drawn", params=params)
    policy = drawn.headers["content-security-policy"]
    assert "sandbox;" in policy
    assert "default-src 'none'" in policy
    assert "script" not in policy
    assert drawn.headers["x-content-type-options"] == "nosniff"
    assert "Grey seals are breeding again" in drawn.text


@pytest.mark.parametrize("piece", hostile.PIECES.values(), ids=list(hostile.PIECES))
def test_what_is_pasted_is_harmless(client: TestClient, piece: str) -> None:
    token = housed.token_in(client.get("/read").text)
    html = hostile.page(piece).decode()
    answer = client.post("/read", data={"token": token, "html": html, "url": "https://hostile.example/"})
    assert answer.status_code == 200
    found = [one for one in problems(answer.text) if not one.startswith("form action=/")]
    assert found == []


@pytest.mark.parametrize(
    "url",
    [
        "<script>alert(1)</script>",
        'https://x.example/"><script>alert(1)</script>',
        "https://x.example/'onmouseover='alert(1)",
        "javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "https://x.example/\x00\r\nSet-Cookie: a=b",
        "https://<img src=x onerror=alert(1)>/",
        "//evil.example/",
    ],
)
def test_bad_addresses_are_escaped(client: TestClient, url: str) -> None:
    """HOSTILE 24: in the page that says what is wrong, too."""
    for path in ("/read", "/read/taken", "/read/drawn"):
        answer = client.get(path, params={"url": url})
        assert 400 <= answer.status_code < 600
        assert "set-cookie: a=b" not in str(answer.headers).lower()
        assert problems(answer.text) == []
        assert "<script>alert" not in answer.text


def test_expressions_are_escaped(client: TestClient) -> None:
    for said in ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "union(<svg/onload=alert(1)>)"):
        for key in ("expression", "with"):
            answer = client.get("/read", params={"url": "https://hostile.example/0", key: said})
            assert answer.status_code == 400
            assert problems(answer.text) == []


def test_no_file_of_this_machine_can_be_named(client: TestClient) -> None:
    said = "learned(model=/etc/passwd)"
    answer = client.get("/read", params={"url": "https://hostile.example/0", "expression": said})
    assert answer.status_code == 400
    assert "model" in answer.text


def test_pictures_come_from_here_and_are_signed(client: TestClient) -> None:
    answer = client.get("/read", params={"url": f"https://hostile.example/{list(hostile.PIECES).index('onerror')}"})
    pictures = re.findall(r'<img[^>]+src="([^"]+)"', answer.text)
    assert pictures
    assert all(one.startswith("/picture/") for one in pictures)
    assert client.get(pictures[0]).headers["content-security-policy"].startswith("default-src 'none'")
    forged = re.sub(r"/picture/[0-9a-f]+/", "/picture/" + "0" * 32 + "/", pictures[0])
    assert client.get(forged).status_code == 404


@given(st.lists(st.sampled_from((*hostile.PIECES.values(), "<p>words ", "</p>", "<b>", "<table><td>")), max_size=6))
def test_pieces_together_are_harmless(pieces: list[str]) -> None:
    """What is harmless alone may not be beside or inside something else."""
    article, _ = read_and_show(Page("<p>first</p>" + "".join(pieces), ADDRESS), tidings.extractor("everything"))
    wish = ReadingRequest(ADDRESS)
    html = safe(render(article, "html", Options(images=True)), link=wish.link, picture=lambda _: "/picture/x")
    assert problems(html) == []
    assert not {node.tag for node in nodes(html)} & set(FORBIDDEN.split())
