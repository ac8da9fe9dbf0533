"""Pages that are sent, or read at an address, in every shape and format."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.extractors.test_parameters import parameters
from tests.portal.api.conftest import PAGE, SmallWeb, Visitor
from tests.portal.api.covered import covers
from tidings.article import FORMATS, article_from_json
from tidings.extractors import entries
from tidings_portal.web.app_state import App

URL = "https://harbour.example/seals"
#: The fields of the Postlight parser's answer, in its order.
MERCURY = (
    "title content author date_published lead_image_url dek next_page_url url domain excerpt word_count direction"
    " total_pages rendered_pages"
).split()


@covers("read")
def test_an_address_is_read(stranger: Visitor, web: SmallWeb) -> None:
    told = stranger.get("/read", url=URL)
    assert told["title"] == "Seals return"
    assert told["url"] == URL
    assert told["text"].startswith("Grey seals are breeding again")
    assert web.asked == [URL]
    assert article_from_json(json.dumps(told)).authors == ("Ann Lee",)


@covers("extract")
def test_html_is_read_as_it_is_or_inside_json(stranger: Visitor, web: SmallWeb) -> None:
    sent = stranger.ask(
        "POST", f"/extract?url={URL}", content=PAGE, headers={"Content-Type": "text/html; charset=utf-8"}
    )
    told = stranger.send("POST", "/extract", 200, {"html": PAGE, "url": URL})
    assert sent.json() == told
    assert told["title"] == "Seals return"
    assert {"text": "sandbank", "href": "https://harbour.example/sandbank"} in told["blocks"][1]["inlines"]
    assert web.asked == []
    fetched = stranger.send("POST", "/extract", 200, {"url": URL})
    assert fetched["text"] == told["text"]
    assert web.asked == [URL]


def test_a_question_is_answered_within_a_budget(stranger: Visitor) -> None:
    told = stranger.send("POST", "/extract", 200, {"html": PAGE, "url": URL})
    word = told["blocks"][0]["inlines"][0]["text"]
    some = stranger.send("POST", "/extract", 200, {"html": PAGE, "url": URL, "about": word, "tokens": 40})
    assert 0 < len(some["blocks"]) < len(told["blocks"])
    assert stranger.get("/read", url=URL, about=word, tokens=40)["blocks"] == some["blocks"]


def test_the_charset_of_the_header_counts(stranger: Visitor) -> None:
    page = "<p>Işıklar söndü, şehir karanlıkta kaldı.</p>".encode("iso-8859-9")
    told = stranger.ask(
        "POST", "/extract?with=everything", content=page, headers={"Content-Type": "text/html; charset=iso-8859-9"}
    )
    assert told.json()["text"] == "Işıklar söndü, şehir karanlıkta kaldı."


def test_the_shape_of_todays_readers(stranger: Visitor) -> None:
    told = stranger.get("/read", url=URL, shape="mercury")
    assert list(told) == MERCURY
    assert told["author"] == "Ann Lee"
    assert told["domain"] == "harbour.example"
    assert told["lead_image_url"] == "https://harbour.example/seal.jpg"
    assert told["dek"] == "The estuary has its seals back."
    assert told["content"].startswith("<article")
    assert told["word_count"] > 40
    assert told["next_page_url"] is None
    assert (told["total_pages"], told["rendered_pages"]) == (1, 1)
    assert stranger.send("POST", "/extract", 200, {"html": PAGE, "shape": "mercury"})["title"] == "Seals return"


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("text/markdown", "text/markdown; charset=utf-8"),
        ("text/plain", "text/plain; charset=utf-8"),
        ("text/html", "text/html; charset=utf-8"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html; charset=utf-8"),
        ("*/*", "application/json"),
        ("text/*;q=0.5, text/plain;q=0.9", "text/plain; charset=utf-8"),
        ("text/*", "text/markdown; charset=utf-8"),
        ("application/json;q=0, text/markdown;q=0.1", "text/markdown; charset=utf-8"),
        ("application/ld+json", "application/ld+json"),
        ("", "application/json"),
    ],
)
def test_the_format_is_what_accept_says(stranger: Visitor, accept: str, kind: str) -> None:
    told = stranger.ask("GET", "/read", params={"url": URL}, headers={"Accept": accept})
    assert told.status_code == 200, told.text
    assert told.headers["content-type"] == kind
    assert told.headers["vary"] == "Accept, Authorization, Cookie"


@pytest.mark.parametrize("accept", ["image/png", "json", "text/markdown;q=nan", "text/markdown;q=0", ";;;,,,"])
def test_what_nobody_accepts_is_not_sent(stranger: Visitor, accept: str) -> None:
    told = stranger.ask("GET", "/read", params={"url": URL}, headers={"Accept": accept})
    assert told.status_code == 406
    assert told.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_can_be_asked_for(stranger: Visitor, form: str) -> None:
    told = stranger.ask("GET", "/read", params={"url": URL, "format": form}, headers={"Accept": "image/png"})
    assert told.headers["content-type"].partition(";")[0] == FORMATS[form].media_type
    assert "forty" in told.text
    for bad in ("onerror", "<script", "alert("):
        assert bad not in told.text


def test_html_runs_in_no_origin(stranger: Visitor) -> None:
    told = stranger.ask("GET", "/read", params={"url": URL, "format": "html"})
    assert "sandbox" in told.headers["content-security-policy"]
    assert "default-src 'none'" in told.headers["content-security-policy"]
    assert told.headers["x-content-type-options"] == "nosniff"


def test_another_extractor_and_another_preference(stranger: Visitor) -> None:
    everything = stranger.get("/read", **{"url": URL, "with": "everything"})
    assert "All rights reserved" in everything["text"]
    assert everything["provenance"]["body"] == "everything"
    combined = stranger.get("/read", **{"url": URL, "with": "union(dana, bte)"})
    assert "forty" in combined["text"]
    assert stranger.get("/read", url=URL, prefer="recall")["title"] == "Seals return"
    for wrong in ({"with": "nothing-like-it"}, {"with": "dana("}, {"with": "dana", "prefer": "recall"}):
        assert stranger.get("/read", 400, url=URL, **wrong)["code"] == "input"


@pytest.mark.parametrize(
    "named",
    [
        "learned(model=/etc/passwd)",
        'learned(model="/etc/passwd")',
        "union(dana, mss(model=secret.npz))",
        "crunch(cells=everything)",
        f"union({', '.join(['dana'] * 9)})",
        f"union({', '.join(['dana'] * 60)})",
    ],
)
def test_no_file_of_this_machine_and_not_too_much(stranger: Visitor, web: SmallWeb, named: str) -> None:
    assert stranger.get("/read", 400, **{"url": URL, "with": named})["code"] in {"input", "request"}
    assert web.asked == []


@pytest.mark.parametrize(
    ("url", "status", "code"),
    [
        ("file:///etc/passwd", 400, "address"),
        ("javascript:alert(1)", 400, "address"),
        ("nonsense", 400, "address"),
        ("http://localhost/admin", 403, "refused"),
        ("https://nowhere.example/", 502, "fetch"),
        ("https://a.example/404", 502, "fetch"),
        ("https://a.example/picture.png", 415, "not_html"),
    ],
)
def test_what_cannot_be_read_says_why(stranger: Visitor, url: str, status: int, code: str) -> None:
    told = stranger.get("/read", status, url=url)
    assert (told["code"], told["status"]) == (code, status)
    assert told["detail"]


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({}, 422, "nothing to read"),
        ({"html": ""}, 422, "empty"),
        ({"html": 5}, 422, "html is no text"),
        ({"html": "<p>x</p>", "withh": "dana"}, 422, "did you mean with?"),
        ({"html": "<p>x</p>", "format": "pdf"}, 422, "format is one of json"),
        ([], 422, "no object"),
    ],
)
def test_a_body_that_is_wrong_says_how(stranger: Visitor, body: object, status: int, says: str) -> None:
    assert says in stranger.send("POST", "/extract", status, body)["detail"]


@pytest.mark.parametrize(
    ("data", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b'{"html": "\xff"}', "application/json", 400),
        (b'{"html": NaN}', "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b"<p>x</p>", "text/plain", 415),
        (b"<p>x</p>", "", 415),
        (b"a=b", "application/x-www-form-urlencoded", 415),
        (b"", "text/html", 422),
        (b"\x00\x00", "text/html", 422),
        (b"%PDF-1.7 \x00\x01", "text/html", 415),
        (b'{"html": "\\ud800 <p>half</p>", "with": "everything"}', "application/json", 200),
        (b"<p>\xff\xfe\x00 broken \xf0\x9f</p>", "text/html; charset=utf-8", 200),
        (b"<p>x</p>", "text/html; charset=no-such", 200),
    ],
)
def test_bodies_of_all_sorts(stranger: Visitor, data: bytes, kind: str, status: int) -> None:
    told = stranger.ask("POST", "/extract", content=data, headers={"Content-Type": kind})
    assert told.status_code == status, told.text
    told.json()


def test_a_page_of_another_site_may_have_nothing_fetched(stranger: Visitor, reader: Visitor, web: SmallWeb) -> None:
    headers = {"Sec-Fetch-Site": "cross-site"}
    assert stranger.ask("GET", "/read", params={"url": URL}, headers=headers).status_code == 403
    assert web.asked == []
    assert reader.ask("GET", "/read", params={"url": URL}, headers=headers).status_code == 200


@pytest.mark.parametrize(
    "value", ["-1", *(pytest.param(one, marks=pytest.mark.gate) for one in ("1.5", "1e999", "9" * 30))]
)
def test_parameters_that_no_extractor_can_have(stranger: Visitor, app: App, value: str) -> None:
    app.settings = replace(app.settings, minute_fetches=10_000, minute_reads=10_000)
    html = "<h1>Seals</h1><p>Grey seals are back in the estuary, and the wardens have counted forty pups there.</p>"
    for entry in entries():
        for name in parameters(entry):
            told = stranger.ask("POST", "/extract", json={"html": html, "with": f"{entry.name}({name}={value})"})
            assert told.status_code in (200, 400), told.text
            assert told.status_code == 200 or name in told.json()["detail"], told.text
