"""Pages: kept for some seconds, known by their ETag, in the reader's language and look."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tests.portal import housed
from tidings_portal.store.records_of_articles import Snippet
from tidings_portal.web import translations as tables
from tidings_portal.web.app_state import App, RenderSlots
from tidings_portal.web.page_cache import PageCache
from tidings_portal.web.pages import marked
from tidings_portal.web.translations import LANGUAGES, best_language, words


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_has_blanks_around_it(language: str) -> None:
    assert all(text.strip() == text for text in words(language).texts.values())


def test_numbers_and_counts_are_written_as_in_the_language() -> None:
    assert words("en")("count.articles", n=1) == "1 article"
    assert words("en")("count.articles", n=1234) == "1,234 articles"
    assert words("tr")("count.articles", n=1234) == "1.234 haber"
    assert [words("ru")("count.articles", n=n) for n in (1, 3, 5)] == ["1 статья", "3 статьи", "5 статей"]
    assert words("ar")("count.articles", n=2) == "مقالتان"
    with pytest.raises(KeyError):
        words("en")("no.such.text")


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("tr-TR,tr;q=0.9,en;q=0.8", "tr"),
        ("sw, en;q=0.3, tr;q=0.4", "tr"),
        ("sw", "en"),
        ("", "en"),
        ("tr;q=x, en", "en"),
        ("tr;q=0", "en"),
    ],
)
def test_the_language_is_the_one_a_browser_asks_for(asked: str, language: str) -> None:
    assert best_language(asked) == language


@given(st.text(max_size=200))
def test_any_header_asks_for_some_language(asked: str) -> None:
    assert best_language(asked) in LANGUAGES


def test_the_interface_follows_the_browser_and_then_the_choice(client: TestClient) -> None:
    assert 'lang="en"' in client.get("/").text
    page = client.get("/", headers={"accept-language": "tr"}).text
    assert '<html lang="tr"' in page
    assert "Son haberler" in page
    token = housed.token_in(page)
    client.post("/preferences", data={"token": token, "language": "tr", "theme": "dark", "next": "/latest"})
    page = client.get("/latest").text
    assert '<html lang="tr" dir="ltr" data-theme="dark">' in page


def test_a_page_that_is_known_is_not_sent_again(client: TestClient) -> None:
    first = client.get("/latest")
    again = client.get("/latest", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304
    assert not again.content
    other = client.get("/latest", headers={"if-none-match": first.headers["etag"], "accept-language": "tr"})
    assert other.status_code == 200


def test_what_is_kept_is_never_another_visitors(app: App) -> None:
    first, second = housed.client(app), housed.client(app)
    assert housed.token_in(first.get("/").text) != housed.token_in(second.get("/").text)


def test_files_are_kept_for_ever_under_an_address_of_their_content(client: TestClient) -> None:
    page = client.get("/").text
    for address in re.findall(r'"(/static/[^"]+)"', page):
        answer = client.get(address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
    assert client.get("/static/0/portal.css").headers["cache-control"] == "no-cache"
    for name in ("../routes.py", "%2e%2e/routes.py", "nothing.css", ""):
        assert client.get(f"/static/0/{name}").status_code == 404


def test_nothing_on_a_page_comes_from_elsewhere(client: TestClient) -> None:
    for path in ("/", "/latest", "/article/1", "/article/7"):
        page = client.get(path).text
        loaded = re.findall(r'<(?:img|script|iframe)[^>]+src="([^"]+)"', page)
        loaded += re.findall(r'<link rel="(?:icon|stylesheet)"[^>]+href="([^"]+)"', page)
        assert loaded
        assert all(one.startswith("/") and not one.startswith("//") for one in loaded), loaded


def test_found_words_are_marked_and_all_else_escaped() -> None:
    snippet = Snippet("a <b> & seal</mark>", ((8, 12),))
    assert marked(snippet) == "a &lt;b&gt; &amp; <mark>seal</mark>&lt;/mark&gt;"
    assert marked(Snippet("\x02seal\x03 pup", ((1, 5),))) == " <mark>seal</mark>  pup"
    assert marked(Snippet("no \x02mark\x03")) == "no  mark "


def test_what_has_grown_old_is_made_by_one_and_given_to_all_meanwhile() -> None:
    time = 0.0
    kept = PageCache(clock=lambda: time)
    assert kept.get("page", lambda: b"old", 5) == b"old"
    time = 6.0
    inside, finish = threading.Event(), threading.Event()

    def slow() -> bytes:
        inside.set()
        assert finish.wait(10)
        return b"new"

    maker = threading.Thread(target=kept.get, args=("page", slow, 5))
    maker.start()
    assert inside.wait(10)
    assert kept.get("page", lambda: b"never", 5) == b"old"
    finish.set()
    maker.join()
    assert kept.get("page", lambda: b"never", 5) == b"new"


@pytest.mark.parametrize("fails", [False, True])
def test_what_there_is_not_yet_is_made_once_for_all_who_wait(fails: bool) -> None:
    kept = PageCache()
    inside, finish = threading.Event(), threading.Event()
    made: list[str] = []

    def first() -> bytes:
        made.append("first")
        inside.set()
        assert finish.wait(10)
        if fails:
            raise LookupError
        return b"page"

    def another() -> bytes:
        made.append("another")
        return b"page"

    def ask(make: Callable[[], bytes]) -> bytes:
        return kept.get("page", make, 5)

    with ThreadPoolExecutor(5) as readers:
        maker = readers.submit(ask, first)
        assert inside.wait(10)
        others = [readers.submit(ask, another) for _ in range(4)]
        finish.set()
        assert {one.result(10) for one in others} == {b"page"}
        assert isinstance(maker.exception(10), LookupError) is fails
    assert fails or made == ["first"]
    assert not kept._pending


def test_what_could_not_be_made_is_tried_again() -> None:
    time = 0.0
    kept = PageCache(clock=lambda: time)
    kept.get("page", lambda: b"old", 5)
    time = 6.0
    with pytest.raises(ZeroDivisionError):
        kept.get("page", lambda: 1 // 0, 5)
    assert kept.get("page", lambda: b"new", 5) == b"new"


def test_no_more_is_kept_than_there_is_room_for() -> None:
    kept = PageCache(most=1000)
    for number in range(20):
        kept.get(number, lambda: b"a" * 100, 5)
    assert kept.peek(0, 5) is None
    assert kept.peek(19, 5) == b"a" * 100
    kept.forget()
    assert kept.peek(19, 5) is None


def test_the_tables_are_part_of_the_package() -> None:
    assert tables.words("xx").language == "en"


def test_places_to_make_pages_at_are_given_in_the_order_of_pending() -> None:
    places, done = RenderSlots(1), threading.Event()
    came: list[int] = []

    def come(number: int) -> None:
        with places:
            came.append(number)

    def wait_until(waiting: int) -> None:
        while len(places._waiting) < waiting:
            done.wait(0.001)

    visitors = [threading.Thread(target=come, args=(number,)) for number in range(8)]
    with places:
        for number, one in enumerate(visitors):
            one.start()
            wait_until(number + 1)
        assert came == []
    for one in visitors:
        one.join(10)
    assert came == list(range(8))
    with pytest.raises(ValueError, match="no page"), places:
        raise ValueError("no page")
    come(8)  # the place is free again
    assert came[-1] == 8
