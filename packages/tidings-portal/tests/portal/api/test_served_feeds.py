"""Outgoing feeds as they are served: addresses, ETags, pages, passwords, absurd questions."""

from __future__ import annotations

import json
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from tests.portal.api.conftest import NOW, SmallWeb
from tests.portal.store.made import new
from tidings_portal.app import application
from tidings_portal.store import Store
from tidings_portal.stories.topics import topic_names
from tidings_portal.web.app_state import App
from tidings_portal.web.settings import PortalSettings

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.mark.parametrize(
    ("path", "title", "titles"),
    [
        ("/feeds/source/1", "The Harbour Gazette", ["Grey seals are back", "Harbour wall falls"]),
        ("/feeds/story/1", "The coast this week", ["Grey seals are back", "Harbour wall falls"]),
        ("/feeds/category/nature", "nature", ["Grey seals are back", "Harbour wall falls"]),
        ("/feeds/columnist/Ann%20Lee", "Ann Lee", ["Grey seals are back"]),
        ("/feeds/category/D%C3%BCnya", "Dünya", ["Işıklar İzmir'de söndü"]),
    ],
)
def test_every_list_in_every_format(client: TestClient, path: str, title: str, titles: list[str]) -> None:
    told = client.get(f"{path}.json")
    assert told.headers["content-type"] == "application/feed+json; charset=utf-8"
    feed = told.json()
    assert feed["title"] == title
    assert [one["title"] for one in feed["items"]] == titles
    assert "secret" not in told.text
    rss = client.get(f"{path}.rss")
    assert rss.headers["content-type"] == "application/rss+xml; charset=utf-8"
    assert [one.text for one in ElementTree.fromstring(rss.content).iter("title")][1:] == titles
    atom = client.get(f"{path}.atom")
    assert len(ElementTree.fromstring(atom.content).findall(f"{ATOM}entry")) == len(titles)


def test_search_and_latest(client: TestClient) -> None:
    found = client.get("/feeds/search.json", params={"q": 'title:"seals" & lang:en'})
    assert {one["title"] for one in found.json()["items"]} == {"Grey seals are back", "Seals return"}
    assert "q=title" in found.json()["feed_url"]
    latest = client.get("/feeds/latest.json").json()
    assert len(latest["items"]) == 7
    assert latest["items"][0]["content_html"].startswith("<article")
    summaries = client.get("/feeds/latest.json?content=summary").json()
    assert "content_html" not in summaries["items"][0]


@pytest.mark.parametrize("form", ["rss", "atom", "json"])
def test_what_is_known_is_not_sent_again(client: TestClient, form: str) -> None:
    path = f"/feeds/latest.{form}"
    first = client.get(path)
    for headers in (
        {"If-None-Match": first.headers["etag"]},
        {"If-None-Match": f'"x", W/{first.headers["etag"]}'},
        {"If-Modified-Since": first.headers["last-modified"]},
    ):
        again = client.get(path, headers=headers)
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
    assert client.get(path, headers={"If-None-Match": '"x"'}).status_code == 200
    assert client.get(path, headers={"If-Modified-Since": "nonsense"}).status_code == 200


def test_a_feed_in_pages(client: TestClient, store: Store, app: App) -> None:
    store.keep([new(number, category="Long") for number in range(100, 160)])
    app.cache.forget()
    first = client.get("/feeds/category/Long.json").json()
    assert len(first["items"]) == 50
    following = urlsplit(first["next_url"])
    second = client.get(f"{following.path}?{following.query}").json()
    assert len(second["items"]) == 10
    assert "next_url" not in second


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/feeds/latest.xml", 404),
        ("/feeds/latest", 404),
        ("/feeds/source/9.rss", 404),
        ("/feeds/source/x.rss", 404),
        (f"/feeds/source/{'9' * 100}.rss", 404),
        ("/feeds/story/0.rss", 404),
        ("/feeds/category/none-such.rss", 404),
        ("/feeds/category/%00.rss", 404),
        ("/feeds/category/../../etc.rss", 404),
        ("/feeds/search.rss", 400),
        ("/feeds/search.rss?q=(", 400),
        ("/feeds/search.rss?q=" + "a" * 1001, 400),
        ("/feeds/latest.rss?after=nonsense", 400),
        ("/feeds/latest.rss?after=" + "9" * 19, 400),
        ("/feeds/latest.rss?after=1", 200),
    ],
)
def test_absurd_questions(client: TestClient, path: str, status: int) -> None:
    assert client.get(path).status_code == status


def test_the_address_of_the_house_is_the_one_that_its_owner_names(store: Store, web: SmallWeb) -> None:
    settings = PortalSettings(hosts=("testserver",), address="https://news.example/")
    client = TestClient(application(App(store, web, web, settings, now=lambda: NOW)))
    feed = client.get("/feeds/latest.json", headers={"X-Forwarded-Host": "evil.example"}).json()
    assert feed["feed_url"] == "https://news.example/feeds/latest.json"
    assert feed["home_page_url"] == "https://news.example/"
    assert "evil" not in json.dumps(feed)


def test_feeds_are_asked_for_in_turns(store: Store, web: SmallWeb) -> None:
    app = App(store, web, web, PortalSettings(hosts=("testserver",), minute_reads=2))
    app.turns.clock = lambda: 0.0
    client = TestClient(application(app))
    assert [client.get("/feeds/latest.rss").status_code for _ in range(3)] == [200, 200, 429]


def test_a_feed_in_one_language(client: TestClient) -> None:
    for path in ("/feeds/latest.json", "/feeds/category/D%C3%BCnya.json"):
        feed = client.get(f"{path}?language=tr").json()
        assert [one["title"] for one in feed["items"]] == ["Işıklar İzmir'de söndü"]
        assert feed["feed_url"].endswith(f"{path}?language=tr")
        assert feed["home_page_url"].endswith("?language=tr")
        assert feed["language"] == "tr"
    assert len(client.get("/feeds/latest.json").json()["items"]) > 1  # what is kept of the one is not the other
    assert client.get("/feeds/category/D%C3%BCnya.json?language=en").status_code == 404


def test_topics_have_feeds_that_the_page_of_feeds_lists(client: TestClient, app: App) -> None:
    page = client.get("/feeds").text
    assert "/feeds/category/" not in page
    topics = {one.name for one in app.store.topics()} & set(topic_names())
    for topic in topics:
        assert f"/feeds/topic/{topic}.rss" in page
        assert client.get(f"/feeds/topic/{topic}.json").json()["items"]
    assert client.get("/feeds/topic/none-such.rss").status_code == 404
