"""Search: what is found is marked, filters filter, lists go on to their end, and what cannot be read is explained."""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tests.portal import housed
from tests.portal.pages.looked_at import Seen, harm
from tests.portal.store.made import new
from tidings.errors import BadQuery
from tidings_portal.portal.search import SearchForm, pointed
from tidings_portal.store import parse
from tidings_portal.web.app_state import App


def article_ids_in(page: str) -> list[str]:
    return re.findall(r'class="row-title"><a href="/article/(\d+)"', page)


def folded(page: str) -> list[str]:
    """Those that a row names because they have its text."""
    return [one for line in re.findall(r"The same text: (.*)", page) for one in re.findall(r'"/article/(\d+)"', line)]


def test_what_is_found_is_marked_and_counted(reader: TestClient, portal: App) -> None:
    page = reader.get("/search?q=harbour+bridge&language=en").text
    assert page.count("<mark>") > 5
    count = portal.store.count("harbour bridge lang:en").number
    assert f"{count} articles" in page
    assert len(article_ids_in(page)) == count


@pytest.mark.parametrize(
    ("given_", "query"),
    [
        ("q=Robbe&language=de", "Robbe lang:de"),
        ("language=ar", "lang:ar"),
        ("site=www.gazette.example", "site:gazette.example"),
        ("category=sport", "category:sport"),
        ("q=storm&since=2026-03-14&until=2026-03-14", "storm on:2026-03-14"),
        ("source=3", "source:3"),
    ],
)
def test_filters_find_what_the_query_language_finds(reader: TestClient, portal: App, given_: str, query: str) -> None:
    expected = {str(hit.headline.id) for hit in portal.store.search(query, limit=100).items}
    assert expected
    assert set(article_ids_in(reader.get(f"/search?{given_}").text)) == expected


def test_a_source_that_there_is_none_of_finds_nothing(reader: TestClient) -> None:
    for source in ("0", "x", "999999"):
        assert "Nothing was found" in reader.get(f"/search?q=storm&source={source}").text


@pytest.mark.parametrize("order", ["relevance", "time"])
def test_lists_go_on_to_the_end_and_repeat_nothing(reader: TestClient, portal: App, order: str) -> None:
    address: str | None = f"/search?q=the+OR+und+OR+ve+OR+le+OR+a*&order={order}"
    seen: list[str] = []
    while address:
        page = reader.get(address).text
        seen += article_ids_in(page) + folded(page)
        onward = re.search(r'rel="next" class="button" href="([^"]+)"', page)
        address = onward[1].replace("&amp;", "&") if onward else None
    assert len(seen) == len(set(seen)) == portal.store.count("the OR und OR ve OR le OR a*").number > 20


def test_nothing_found_says_what_to_try(reader: TestClient) -> None:
    page = reader.get("/search?q=xyzzyx&language=en").text
    assert "Nothing was found" in page
    assert "Search without the filters" in page
    turkish = reader.get("/search?q=xyzzyx&language=en", headers={"accept-language": "tr"}).text
    assert "Hiçbir şey bulunamadı" in turkish


def test_a_query_that_cannot_be_read_is_pointed_at(reader: TestClient) -> None:
    answer = reader.get("/search", params={"q": 'bridge "open'})
    assert answer.status_code == 400
    assert "bridge <mark>&#34;</mark>open" in answer.text
    assert "How to search" in answer.text
    assert '<details class="help" open>' in answer.text
    turkish = reader.get("/search", params={"q": 'bridge "open'}, headers={"accept-language": "tr"}).text
    assert "Geçersiz arama" in turkish


def test_the_same_search_is_a_feed_and_a_trend(reader: TestClient) -> None:
    page = reader.get("/search?q=bridge+OR+ferry&language=en&category=City").text
    (feed,) = {one["href"] for one in Seen(page).all("a") if one.get("href", "").startswith("/feeds/search.rss")}
    (trend,) = {one["href"] for one in Seen(page).all("a") if one.get("href", "").startswith("/trends?")}
    for address in (feed, trend):
        assert parse_qs(urlsplit(address).query)["q"] == ['(bridge OR ferry) lang:"en" category:"City"']
        assert reader.get(address).status_code == 200


@given(st.text(max_size=30), st.text(max_size=20))
def test_words_and_filters_as_one_query_can_be_read(words: str, category: str) -> None:
    try:
        parse(words)
        parse(category)
    except BadQuery:
        return
    whole = SearchForm(q=words.strip(), category=category.strip(), since="2026-03-01").whole
    assert "2026-03-01" in str(parse(whole))


@given(st.text(max_size=200), st.integers(0, 200))
def test_the_place_that_is_pointed_at_is_in_the_text(query: str, at: int) -> None:
    shown = pointed(BadQuery(query, min(at, len(query)), "reason"))
    assert all(0 <= start < end <= len(shown.text) for start, end in shown.marks)


def test_a_browser_can_be_told_of_the_search(reader: TestClient, portal: App) -> None:
    answer = reader.get("/opensearch.xml")
    assert answer.headers["content-type"].startswith("application/opensearchdescription+xml")
    root = ElementTree.fromstring(answer.content)  # our own
    templates = [one.get("template") for one in root if one.tag.endswith("Url")]
    assert templates[0] == "http://localhost/search?q={searchTerms}"
    assert 'type="application/opensearchdescription+xml"' in reader.get("/search").text


def test_what_is_searched_for_is_only_text(reader: TestClient) -> None:
    for field in ("q", "language", "category", "site", "source", "since", "until", "order", "after"):
        page = reader.get("/search", params={"q": "bridge"} | {field: '"><script>alert(1)</script>'}).text
        assert not harm(page)


def test_headlines_new_ones_and_the_readers_languages_come_first(empty: App) -> None:
    text = "The mayor spoke of the ferry, and of the ferry again. " * 12
    empty.store.keep(
        [
            new(1, "A day at the quay", text, published=housed.NOW - timedelta(days=1), at=housed.NOW),
            new(2, "Ferry runs again", published=housed.NOW - timedelta(days=200), at=housed.NOW),
            new(3, "Ferry runs late", published=housed.NOW - timedelta(days=1), at=housed.NOW),
            new(4, "Ferry fährt", published=housed.NOW - timedelta(days=1), language="de", at=housed.NOW),
            # Else every word is in nearly all articles, and the rarity of a stem in one language decides.
            *(new(number, f"Other news {number}", language="de" if number % 2 else "en") for number in range(5, 40)),
        ]
    )
    titles = [hit.headline.title for hit in empty.store.search("ferry", prefer=("en",)).items]
    assert titles.index("Ferry runs late") < titles.index("Ferry runs again") < titles.index("A day at the quay")
    assert titles.index("Ferry fährt") > titles.index("Ferry runs again")
    german = [hit.headline.title for hit in empty.store.search("ferry", prefer=("de",)).items]
    assert german[0] == "Ferry fährt"
    first = empty.store.search("ferry", prefer=("en",), limit=2)
    rest = empty.store.search("ferry", prefer=("en",), limit=2, after=first.after)
    assert [hit.headline.title for hit in (*first.items, *rest.items)] == titles
