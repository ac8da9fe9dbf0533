"""The reader as a person uses it: address, bookmarklet, paste, methods, appearance, saving; and what goes wrong."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser
from starlette.testclient import TestClient

from tests.fetch.server import AT_ONCE, LOCAL, Asked, Reply, Server, moved, reply
from tests.portal import housed
from tidings import newspaper
from tidings.fetch import Live
from tidings_portal import store
from tidings_portal.app import application
from tidings_portal.reader import article_view as fetching
from tidings_portal.reader import pages
from tidings_portal.reader.article_view import ReadingRequest, address
from tidings_portal.web import reading_pool
from tidings_portal.web.app_state import App
from tidings_portal.web.settings import PortalSettings

SEALS = next(newspaper.pages("gazette", page_type="article"))
ADDRESS = "https://harbour.example/news/seals"
HTML = {"Content-Type": "text/html; charset=utf-8"}
PAGE = b"""<!DOCTYPE html><html lang="en"><head><title>Seals return</title></head><body>
<nav><a href="/">Home</a> <a href="/a">World</a></nav><article><h1>Seals return</h1>
<p>Grey seals are breeding again in the estuary, the harbour office said on Monday after a count at dawn.</p>
<p>Wardens counted <b>forty</b> pups on the <a href="/sandbank?a=1&amp;b=2#x">sandbank</a>, more than ever before.</p>
<p>Boats are asked to keep away; <a href="mailto:office@harbour.example">write</a> to the office, it said.</p>
</article><footer>Copyright 2026. All rights reserved.</footer></body></html>"""


@pytest.fixture
def web() -> housed.Web:
    kind = "text/html; charset=utf-8"
    return housed.Web({ADDRESS: (kind, PAGE), SEALS.url: (kind, SEALS.html)})


@pytest.fixture
def app(tmp_path: Path, web: housed.Web) -> Iterator[App]:
    store.open(tmp_path / "news.tidings").close()
    with housed.app(tmp_path / "news.tidings", web=web) as opened:
        yield opened


@pytest.fixture
def client(app: App) -> TestClient:
    return housed.client(app)


def prose(page: str) -> str:
    found = LexborHTMLParser(page).css_first(".prose")
    assert found is not None, page
    return found.text()


def heading(page: str) -> str:
    found = LexborHTMLParser(page).css_first("h1")
    assert found is not None
    return found.text()


def test_a_page_is_reduced_to_its_content(client: TestClient) -> None:
    answer = client.get("/read", params={"url": ADDRESS})
    assert answer.status_code == 200
    assert heading(answer.text) == "Seals return"
    assert answer.text.count("Seals return</h1>") == 1  # the headline stands above the text only
    assert "Wardens counted forty pups" in prose(answer.text)
    assert "Copyright" not in answer.text
    assert "World" not in prose(answer.text)


def test_links_stay_in_the_reader_with_the_method(client: TestClient) -> None:
    answer = client.get("/read", params={"url": ADDRESS, "expression": "bte | dana"})
    links = [node.attributes["href"] or "" for node in LexborHTMLParser(answer.text).css(".prose a")]
    stays = next(link for link in links if link.startswith("/read?"))
    told = parse_qs(urlsplit(stays).query)
    assert told == {"url": ["https://harbour.example/sandbank?a=1&b=2#x"], "expression": ["bte | dana"]}
    assert "mailto:office@harbour.example" in links


def test_an_address_without_its_beginning(client: TestClient, web: housed.Web) -> None:
    assert client.get("/read", params={"url": "harbour.example/news/seals"}).status_code == 200
    assert web.asked == [ADDRESS]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("example.org", "https://example.org"),
        ("example.org:8080/a?b#c", "https://example.org:8080/a?b#c"),
        ("http://example.org", "http://example.org"),
        ("javascript:alert(1)", "javascript:alert(1)"),
        ("mailto:a@example.org", "mailto:a@example.org"),
        ("a@example.org", "a@example.org"),
        ("words of a search", "words of a search"),
        ("", ""),
    ],
)
def test_addresses(said: str, meant: str) -> None:
    assert address(said) == meant


def test_methods_can_be_switched_without_fetching_again(client: TestClient, web: housed.Web) -> None:
    for params in ({}, {"with": "bte"}, {"with": "everything"}, {"expression": "vote(learned, bte, dana; 2)"}):
        answer = client.get("/read", params={"url": ADDRESS, **params})
        assert answer.status_code == 200
        assert "forty pups" in prose(answer.text)
    everything = client.get("/read", params={"url": ADDRESS, "with": "everything"})
    assert "Copyright 2026" in prose(everything.text)
    selected = LexborHTMLParser(everything.text).css_first("select[name=with] option[selected]")
    assert selected is not None
    assert selected.attributes["value"] == "everything"
    assert web.asked == [ADDRESS]


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"expression": "union(bte, "}, "^"),
        ({"expression": "vote(bte; 7)"}, "quorum"),
        ({"with": "lerned"}, "did you mean"),
        ({"expression": "x" * 5000}, "the most"),
        ({"expression": "gswce(iterations=100000)"}, "at most 1000"),
        ({"expression": "gswce(iterations=1000000000)"}, "to 1,000,000"),
        ({"expression": "union(" + ", ".join(["bte"] * 20) + ")"}, "at most 8"),
    ],
)
def test_wrong_methods_are_told_kindly(client: TestClient, web: housed.Web, params: dict[str, str], said: str) -> None:
    answer = client.get("/read", params={"url": ADDRESS, **params}, headers={"accept-language": "tr"})
    assert answer.status_code == 400
    assert heading(answer.text) == "Bu yöntem kullanılamıyor"
    alert = LexborHTMLParser(answer.text).css_first("[role=alert]")
    assert alert is not None
    assert said in alert.text()
    assert ADDRESS in answer.text  # the form is still filled in
    assert web.asked == []  # and nothing was fetched for it


def test_methods_that_need_a_browser_say_so(client: TestClient) -> None:
    assert "layout-vips" not in client.get("/read", params={"url": ADDRESS}).text
    answer = client.get("/read", params={"url": ADDRESS, "with": "layout-vips"})
    assert answer.status_code == 400
    assert "browser" in answer.text


def test_the_form_and_the_bookmarklet(client: TestClient) -> None:
    page = LexborHTMLParser(client.get("/read").text)
    mark = page.css_first("a.bookmarklet")
    assert mark is not None
    assert mark.attributes["href"] == (
        "javascript:void(location.href='http://localhost/read?url='+encodeURIComponent(location.href))"
    )
    assert page.css_first("input[name=url]") is not None


def test_our_own_address_stands_in_the_bookmarklet(tmp_path: Path) -> None:
    store.open(tmp_path / "news.tidings").close()
    settings = PortalSettings(address="https://news.example", hosts=("*",))
    with housed.app(tmp_path / "news.tidings", settings) as app:
        assert "'https://news.example/read?url='" in (housed.client(app).get("/read").text.replace("&#39;", "'"))
    odd = PortalSettings(hosts=("*",))
    with housed.app(tmp_path / "news.tidings", odd) as app:
        answer = housed.client(app).get("/read", headers={"host": "x');alert(1);('"})
        assert "alert(1)" not in answer.text


def test_pasted_pages(client: TestClient) -> None:
    token = housed.token_in(client.get("/read").text)
    answer = client.post("/read", data={"token": token, "html": PAGE.decode(), "url": ADDRESS, "with": "bte"})
    assert answer.status_code == 200
    assert "forty pups" in prose(answer.text)
    area = LexborHTMLParser(answer.text).css_first("textarea[name=html]")
    assert area is not None
    assert area.text().strip() == PAGE.decode().strip()  # another method can be tried
    wrong = client.post("/read", data={"token": token, "html": PAGE.decode(), "expression": "union("})
    assert wrong.status_code == 400
    kept = LexborHTMLParser(wrong.text).css_first("textarea[name=html]")
    assert kept is not None
    assert "forty" in kept.text()  # nothing that was typed is lost
    file = client.post("/read", data={"token": token}, files={"file": ("page.html", PAGE, "text/html")})
    assert "forty pups" in prose(file.text)
    assert client.post("/read", data={"token": token, "html": "  "}).status_code == 400
    assert client.post("/read", data={"html": "<p>x</p>"}).status_code == 403  # no token
    assert client.post("/read", data={"token": token, "html": "x" * 10_000_000}).status_code == 413


def test_appearance_is_kept_in_the_browser(client: TestClient) -> None:
    page = client.get("/read", params={"url": ADDRESS}).text
    form = {"token": housed.token_in(page), "size": "huge", "width": "narrow", "letters": "sans", "theme": "dark"}
    answer = client.post("/read/look", data={**form, "next": f"/read?url={ADDRESS}"})
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/read?url={ADDRESS}"
    body = LexborHTMLParser(client.get("/read", params={"url": ADDRESS}).text).body
    assert body is not None
    assert {"size-huge", "width-narrow", "letters-sans"} <= set((body.attributes["class"] or "").split())
    assert 'data-theme="dark"' in client.get("/read").text
    wrong = client.post("/read/look", data={**form, "size": '"><script>', "next": "//evil.example"})
    assert wrong.headers["location"] == "/read"
    assert "script" not in wrong.headers["set-cookie"]
    assert client.post("/read/look", data={"size": "huge"}).status_code == 403
    assert client.get("/read/look").status_code == 405


def test_what_was_taken(client: TestClient) -> None:
    page = LexborHTMLParser(client.get("/read/taken", params={"url": SEALS.url}).text)
    rows = {row.css("th")[0].text(): row.css("td")[1].text() for row in page.css("tbody tr")}
    assert rows["authors"] == "json-ld author"
    frame = page.css_first("iframe")
    assert frame is not None
    drawn = client.get(frame.attributes["src"] or "")
    assert '<mark class="tidings">' in drawn.text
    assert client.get("/read/taken").status_code == 400


def test_saving_into_the_store(client: TestClient, app: App) -> None:
    page = client.get("/read", params={"url": ADDRESS}).text
    assert app.store.totals().articles == 0  # looking changes nothing
    form = {"token": housed.token_in(page), "url": ADDRESS}
    answer = client.post("/read/save", data=form)
    assert answer.status_code == 303
    number = int(answer.headers["location"].removeprefix("/article/"))
    kept = app.store.article(number)
    assert kept is not None
    assert kept.headline.title == "Seals return"
    assert kept.maker == "reader: learned"
    raw = app.store.page_of(number)
    assert raw is not None
    assert app.store.is_saved(number, "local")
    assert f'href="/article/{number}"' in client.get("/read", params={"url": ADDRESS}).text
    client.post("/read/save", data=form)
    assert app.store.totals().articles == 1
    assert client.post("/read/save", data={"url": ADDRESS}).status_code == 403
    assert client.get("/read/save", params={"url": ADDRESS}).status_code == 405


def test_a_page_without_a_story_says_so(client: TestClient, web: housed.Web) -> None:
    web.pages[ADDRESS] = (
        "text/html",
        b"<html><body><nav><a href='/'>Home</a><a href='/w'>World</a></nav></body></html>",
    )
    answer = client.get("/read", params={"url": ADDRESS})
    assert answer.status_code == 200
    assert "No article was found" in answer.text
    assert "with=everything" in answer.text


def test_right_to_left_and_turkish(client: TestClient, web: housed.Web) -> None:
    for outlet, lang, direction in (("nahr", "fa", "rtl"), ("nahr", "ar", "rtl"), (None, "tr", "ltr")):
        sample = next(newspaper.pages(outlet, lang=lang, page_type="article"))
        web.pages[sample.url] = (f"text/html; charset={sample.charset}", sample.html)
        page = LexborHTMLParser(client.get("/read", params={"url": sample.url}).text)
        article = page.css_first(".prose article")
        head = page.css_first(".story-text header")
        assert article is not None
        assert head is not None
        assert article.attributes["dir"] == head.attributes["dir"] == direction
        assert (article.attributes["lang"] or "").startswith(lang)


def test_what_has_no_story_in_it(client: TestClient, web: housed.Web) -> None:
    """A PDF, a picture, a feed, data, nothing: a page in the reader's language with the right status."""
    rss = b'<?xml version="1.0"?>\n<!-- a feed --><rss version="2.0"><channel><title>x</title></channel></rss>'
    table = {
        "pdf": ("application/pdf", b"%PDF-1.7\n\x00\x01\x02", 415, "Bu bir sayfa değil"),
        "pdf as html": ("text/html", b"%PDF-1.7\n\x00\x01\x02", 415, "Bu bir sayfa değil"),
        "png": ("image/png", b"\x89PNG\r\n\x1a\n" + b"\0" * 50, 415, "Bu bir sayfa değil"),
        "rss": ("application/rss+xml", rss, 415, "Bu bir akış, sayfa değil"),
        "rss as html": ("text/html", rss, 415, "Bu bir akış, sayfa değil"),
        "json": ("application/json", b'{"a": 1}', 415, "Bu bir sayfa değil"),
        "empty": ("text/html", b" \n", 422, "Bu sayfa okunamıyor"),
        "large": ("text/html", b"<p>" + b"word " * 2_000_000, 413, "İstek çok büyük"),
    }
    for name, (kind, body, status, title) in table.items():
        url = f"https://harbour.example/{name.replace(' ', '-')}"
        web.pages[url] = (kind, body)
        answer = client.get("/read", params={"url": url}, headers={"accept-language": "tr"})
        assert (answer.status_code, heading(answer.text)) == (status, title), name
        assert f'href="{url}"' in answer.text  # the way to the thing itself


def test_a_feed_can_be_added(client: TestClient, web: housed.Web, app: App) -> None:
    url = "https://harbour.example/feed?a=1&b=2"
    web.pages[url] = (
        "application/atom+xml",
        b'<feed xmlns="http://www.w3.org/2005/Atom"><title>Harbour</title></feed>',
    )
    page = client.get("/read", params={"url": url}).text
    form = LexborHTMLParser(page).css_first("form[action='/sources']")
    assert form is not None
    fields = {str(one.attributes["name"]): one.attributes["value"] for one in form.css("input")}
    assert fields["address"] == url
    assert client.post("/sources", data=fields).status_code == 303
    assert [one.settings.address for one in app.store.sources()] == [url]


@pytest.fixture
def on_the_web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A house whose pages come from real servers, through the guard: only `localhost` is allowed."""
    store.open(tmp_path / "news.tidings").close()
    monkeypatch.setattr(fetching, "_PATIENCE", 2.0)
    # No pause after a failure: it would be longer than that patience.
    live = Live(guard=LOCAL, pace=replace(AT_ONCE, first_pause=0.0), robots=False)
    with (
        store.open(tmp_path / "news.tidings") as kept,
        TestClient(application(App(kept, live, live)), housed.HERE, raise_server_exceptions=False) as made,
    ):
        yield made
        assert made.portal is not None
        made.portal.call(live.aclose)


def test_what_goes_wrong_on_the_way(on_the_web: TestClient) -> None:
    async def slow(asked: Asked, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(30)

    table: dict[str, Reply] = {
        "/page": reply(PAGE, headers=HTML),
        "/inside": moved("http://127.0.0.1:1/admin"),
        "/circle": moved("/circle"),
        "/error": reply(b"broken", 500, HTML),
        "/missing": reply(b"none", 404, HTML),
        "/slow": slow,
        "/script": moved("javascript:alert(1)"),
    }
    with Server(table) as web:
        told = {}
        for path in table:
            answer = on_the_web.get("/read", params={"url": web.url(path)})
            told[path] = (answer.status_code, heading(answer.text))
        for url in ("http://127.1/", "http://[::ffff:7f00:1]/", "http://169.254.169.254/", "http://10.1.2.3/"):
            answer = on_the_web.get("/read", params={"url": url})
            assert (answer.status_code, heading(answer.text)) == (403, "This URL is not fetched"), url
    assert told == {
        "/page": (200, "Seals return"),
        "/inside": (403, "This URL is not fetched"),
        "/circle": (502, "The page could not be fetched"),
        "/error": (502, "The page could not be fetched"),
        "/missing": (502, "The page could not be fetched"),
        "/slow": (504, "The site did not answer in time"),
        "/script": (400, "This is not a URL"),
    }
    for url in ("file:///etc/passwd", "ftp://x.example/", "no address"):
        answer = on_the_web.get("/read", params={"url": url})
        assert (answer.status_code, heading(answer.text)) == (400, "This is not a URL"), url
    with Server({}) as gone:
        dead = gone.url()
    assert on_the_web.get("/read", params={"url": dead}).status_code == 502


def test_each_visitor_has_turns(tmp_path: Path, web: housed.Web) -> None:
    store.open(tmp_path / "news.tidings").close()
    for at in range(5):
        web.pages[f"{ADDRESS}/{at}"] = ("text/html", PAGE)
    with housed.app(tmp_path / "news.tidings", PortalSettings(minute_fetches=3), web) as app:
        client = housed.client(app)
        # Neither a fresh browser nor a header makes another visitor.
        answers = []
        for at in range(5):
            client.cookies.clear()
            headers = {"x-forwarded-for": f"203.0.113.{at}"}
            answers.append(client.get("/read", params={"url": f"{ADDRESS}/{at}"}, headers=headers))
        assert [one.status_code for one in answers] == [200, 200, 200, 429, 429]
        assert int(answers[-1].headers["retry-after"]) > 0
        assert heading(answers[-1].text) == "Too many requests"
        assert len(web.asked) == 3
        # What is kept already costs nothing.
        assert client.get("/read", params={"url": f"{ADDRESS}/0", "with": "bte"}).status_code == 200


def test_other_sites_cannot_have_pages_fetched(client: TestClient, web: housed.Web) -> None:
    """A picture or a script of another site that names the reader; somebody who follows a link or bookmarklet may."""
    crossing = {"sec-fetch-site": "cross-site"}
    for mode, goal in (("no-cors", "image"), ("cors", "empty"), ("no-cors", "script"), ("navigate", "iframe")):
        headers = {**crossing, "sec-fetch-mode": mode, "sec-fetch-dest": goal}
        assert client.get("/read", params={"url": ADDRESS}, headers=headers).status_code == 403
    assert web.asked == []
    headers = {**crossing, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert client.get("/read", params={"url": ADDRESS}, headers=headers).status_code == 200


def test_with_accounts_only_those_signed_in_have_pages_fetched(tmp_path: Path, web: housed.Web) -> None:
    """Else a portal on the web is a proxy for everybody."""
    store.open(tmp_path / "news.tidings").close()
    with housed.app(tmp_path / "news.tidings", PortalSettings(accounts=True), web) as app:
        client = housed.client(app)
        assert client.get("/read").status_code == 200
        assert client.get("/read", params={"url": ADDRESS}).status_code == 401
        token = housed.token_in(client.get("/read").text)
        assert client.post("/read", data={"token": token, "html": PAGE.decode()}).status_code == 401
        assert client.post("/read/save", data={"token": token, "url": ADDRESS}).status_code == 401
    assert web.asked == []


def test_reading_that_takes_too_long(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()

    def stuck(*given: object) -> None:
        ended.wait(1)

    monkeypatch.setattr(reading_pool, "PATIENCE", 0.05)
    monkeypatch.setattr(pages, "reduced", stuck)
    answer = client.get("/read", params={"url": ADDRESS})
    ended.set()
    assert answer.status_code == 503
    assert heading(answer.text) == "Reading this page takes too long"


def test_long_addresses_stay_outside() -> None:
    wish = ReadingRequest(ADDRESS)
    long = "https://harbour.example/" + "a" * 3000
    assert wish.link(long) == long
    assert wish.link("javascript:alert(1)") is None
    assert wish.link("/relative") is None


def test_large_pages_are_not_kept(client: TestClient, web: housed.Web) -> None:
    web.pages[ADDRESS] = ("text/html", PAGE + b"<!--" + b"x" * fetching._KEPT_BYTES + b"-->")
    client.get("/read", params={"url": ADDRESS})
    client.get("/read", params={"url": ADDRESS})
    assert web.asked == [ADDRESS, ADDRESS]
