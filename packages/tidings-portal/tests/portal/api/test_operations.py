"""What each operation answers, by hand."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.portal.api.conftest import NOW, SmallWeb, Visitor
from tests.portal.api.covered import COVERED, covers
from tests.portal.store.made import NOON, new
from tidings.sites import Rule, Site, SiteMemory, Template
from tidings.sites.templates.site import TrackedTemplate
from tidings_portal.api import stories as trends
from tidings_portal.api.openapi import OPERATIONS
from tidings_portal.store import Store
from tidings_portal.store.records_of_people import Scope
from tidings_portal.trends import Rising, Talk
from tidings_portal.watch.site_storage import StoredSites
from tidings_portal.web.app_state import App


def test_every_operation_has_a_test() -> None:
    import tests.portal.api.test_extracting  # these cover some
    import tests.portal.api.test_own
    import tests.portal.pages.test_themes
    import tests.portal.reader.test_sent_pages  # noqa: F401

    assert {one.name for one in OPERATIONS} - COVERED == set()


@covers("list_articles")
def test_articles_are_listed_by_everything_that_they_are(stranger: Visitor) -> None:
    every = stranger.get("/articles")
    assert [one["id"] for one in every["items"]] == [1, 2, 3, 4, 5, 6, 7]
    assert every["next"] is None
    first = every["items"][0]
    assert first["title"] == "Grey seals are back"
    assert first["authors"] == ["Ann Lee"]
    assert first["time"] == "2024-03-05T11:00:00+00:00"

    def numbers(**told: object) -> list[int]:
        return [one["id"] for one in stranger.get("/articles", **told)["items"]]

    assert numbers(category="nature") == [1, 6]
    assert numbers(source=2) == [2]
    assert numbers(site="harbour.example", language="fa") == [3]
    assert numbers(author="ann lee") == [1]
    assert numbers(story=1) == [1, 6]
    assert numbers(since="2024-03-05T08:00:00Z") == [1, 2, 3, 4]
    assert numbers(since="2024-03-05T08:00:00+00:00", until="2024-03-05T09:30:00Z") == [3, 4]
    assert numbers(until="2024-03-04") == []
    assert numbers(until="2024-03-05") == [1, 2, 3, 4, 5, 6, 7]  # a day counts whole


def test_a_list_goes_on_where_it_ended(stranger: Visitor) -> None:
    seen: list[int] = []
    cursor: dict[str, str] = {}
    while True:
        page = stranger.get("/articles", limit=3, **cursor)
        seen += [one["id"] for one in page["items"]]
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
    assert seen == [1, 2, 3, 4, 5, 6, 7]


@covers("most_read_articles")
def test_what_is_read_most_comes_first(stranger: Visitor, store: Store) -> None:
    store.count_reads({3: 5, 2: 9}, NOW - timedelta(days=1))
    assert [one["id"] for one in stranger.get("/articles/most-read")["items"]] == [2, 3]


@covers("get_article")
def test_an_article_comes_whole_with_where_it_is_from(stranger: Visitor) -> None:
    told = stranger.get("/articles/7")
    assert told["item"]["id"] == 7
    assert told["maker"] == "learned 1"
    assert told["article"]["title"] == "Seals return"
    assert told["article"]["blocks"] == [{"kind": "paragraph", "inlines": [{"text": "Forty pups."}]}]
    assert told["version"] == 1
    assert stranger.get("/articles/6")["article"]["text"] == "It fell. Nobody was hurt."
    assert stranger.get("/articles/6", version=1)["article"]["text"] == "It fell."
    assert stranger.get("/articles/6", 404, version=3)["detail"] == "there is no article 6 version 3"
    assert stranger.get("/articles/3", shape="mercury")["direction"] == "rtl"
    markdown = stranger.ask("GET", "/articles/7", headers={"Accept": "text/markdown"})
    assert markdown.text == "Forty pups.\n"
    assert markdown.headers["content-type"] == "text/markdown; charset=utf-8"


@covers("list_versions", "list_similar")
def test_versions_and_articles_alike(stranger: Visitor, store: Store) -> None:
    assert [one["version"] for one in stranger.get("/articles/6/versions")["items"]] == [1, 2]
    assert stranger.get("/articles/1/similar")["items"] == []  # article 7 shares one word with it
    store.keep([new(8, "Grey seals breed in the estuary")])
    assert [one["id"] for one in stranger.get("/articles/1/similar")["items"]] == [8]
    for path in ("/articles/99/versions", "/articles/99/similar"):
        assert stranger.get(path, 404)["detail"] == "there is no article 99"


@covers("get_page")
def test_a_page_comes_as_it_was_sent_and_can_run_nowhere(stranger: Visitor) -> None:
    page = stranger.ask("GET", "/articles/7/page")
    assert "onerror" in page.text
    assert page.headers["content-type"] == "application/octet-stream"
    assert page.headers["x-tidings-content-type"] == "text/html; charset=utf-8"
    assert "sandbox" in page.headers["content-security-policy"]
    assert page.headers["content-disposition"] == 'attachment; filename="article-7.html"'
    assert page.headers["x-content-type-options"] == "nosniff"
    assert "not kept" in stranger.get("/articles/1/page", 404)["detail"]


@covers("search_articles")
def test_search_tells_where_it_found_what(stranger: Visitor) -> None:
    told = stranger.get("/search", q="title:seals")
    assert {one["article"]["id"] for one in told["items"]} == {1, 7}
    assert told["total"] == 2
    assert told["total_is_at_least"] is False
    by_time = stranger.get("/search", q="seals", order="time", limit=1)
    (first,) = by_time["items"]
    assert first["article"]["id"] == 1
    assert first["title"]["text"][slice(*first["title"]["marks"][0])] == "seals"
    (second,) = stranger.get("/search", q="seals", order="time", limit=1, cursor=by_time["next"])["items"]
    assert second["article"]["id"] == 7
    wrong = stranger.get("/search", 400, q="title:(")
    assert wrong["code"] == "query"
    assert "^" in wrong["detail"]


@covers("list_stories", "top_stories", "get_story", "get_timeline")
def test_stories_with_their_articles_and_days(stranger: Visitor, store: Store) -> None:
    (told,) = stranger.get("/stories")["items"]
    assert told["title"] == "The coast this week"
    assert told["articles"] == 2
    assert told["feeds"]["atom"] == "/feeds/story/1.atom"
    assert stranger.get("/stories", least=3)["items"] == []
    assert [one["id"] for one in stranger.get("/stories/top")["items"]] == [1]
    assert stranger.get("/stories/top", hours=1)["items"] == []
    one = stranger.get("/stories/1")
    assert [article["id"] for article in one["articles"]] == [1, 6]
    store.keep([new(8, "Seals, a day before", url="https://other.example/8", published=NOON - timedelta(days=1))])
    assert store.join_story(1, [8])
    line = stranger.get("/stories/1/timeline")
    assert [(day["day"], [a["id"] for a in day["articles"]]) for day in line["days"]] == [
        ("2024-03-04", [8]),
        ("2024-03-05", [6, 1]),
    ]
    assert [day["new_sites"] for day in line["days"]] == [["other.example"], ["harbour.example"]]
    assert line["complete"] is True
    assert stranger.get("/stories/9", 404)["detail"] == "there is no story 9"


@covers("list_sources", "get_source")
def test_sources_are_shown_with_their_health_and_without_their_passwords(stranger: Visitor) -> None:
    every = stranger.ask("GET", "/sources")
    assert "secret" not in every.text
    assert [one["title"] for one in every.json()["items"]] == ["Gazete", "The Harbour Gazette"]
    one = stranger.get("/sources/1")
    assert one["address"] == "https://harbour.example/feed"
    assert one["has_credentials"] is True
    assert one["state"] == "new"
    assert one["articles"] == 2
    assert one["feeds"]["rss"] == "/feeds/source/1.rss"


@covers("add_source")
def test_a_source_is_looked_at_and_added(keeper: Visitor, web: SmallWeb, app: App) -> None:
    told = keeper.send(
        "POST", "/sources", 201, {"address": "https://coast.example/feed", "folder": "Sea", "minutes": 30}
    )
    assert told["new"] == 1
    (item,) = told["items"]
    assert item["kind"] == "feed"
    assert item["title"] == "Coast"
    assert item["minutes"] == 30
    assert web.asked == ["https://coast.example/feed"]
    again = keeper.send("POST", "/sources", 201, {"address": "https://coast.example/feed", "kind": "feed"})
    assert again["new"] == 0
    assert again["items"][0]["folder"] == "Sea"
    unseen = keeper.send("POST", "/sources", 201, {"address": "https://dead.example/x", "kind": "sitemap"})
    assert unseen["items"][0]["kind"] == "sitemap"
    assert len(web.asked) == 1
    front = {"address": "https://front.example/", "kind": "front", "recipe": "lbnest"}
    assert keeper.send("POST", "/sources", 201, front)["items"][0]["recipe"] == "lbnest"
    assert (
        "there is no recipe 'nothing'" in keeper.send("POST", "/sources", 422, front | {"recipe": "nothing"})["detail"]
    )
    private = {"address": "https://p.example/f", "kind": "feed", "credentials": "ann:pass-word"}
    assert "pass-word" not in str(keeper.send("POST", "/sources", 201, private))
    assert keeper.send("POST", "/sources", 400, {"address": "file:///etc/passwd"})["code"] == "address"
    assert keeper.send("POST", "/sources", 400, {"address": "ftp://a.example", "kind": "feed"})["code"] == "address"
    assert keeper.send("POST", "/sources", 403, {"address": "http://127.0.0.1/feed"})["code"] == "refused"
    assert keeper.send("POST", "/sources", 502, {"address": "https://nowhere.example/"})["code"] == "fetch"
    assert app.store.totals().sources == 6


@covers("change_source", "poll_source", "remove_source")
def test_a_source_is_changed_polled_and_removed(keeper: Visitor, store: Store) -> None:
    told = keeper.send("PATCH", "/sources/1", 200, {"title": "Harbour", "minutes": 15, "muted": True})
    assert (told["title"], told["folder"], told["minutes"], told["muted"]) == ("Harbour", "Coast", 15, True)
    source = store.source(1)
    assert source is not None
    assert "reader:secret@" in source.settings.address  # what was not given stays
    assert keeper.send("PATCH", "/sources/1", 200, {"minutes": 0})["minutes"] is None
    assert keeper.send("PATCH", "/sources/1", 200, {"recipe": "n-ext"})["recipe"] == "n-ext"
    assert keeper.send("PATCH", "/sources/1", 200, {"minutes": 0})["recipe"] == "n-ext"
    assert keeper.send("PATCH", "/sources/1", 200, {"recipe": ""})["recipe"] == ""
    assert keeper.send("PATCH", "/sources/1", 422, {"recipe": "nothing"})["code"]
    polled = keeper.send("POST", "/sources/1/poll", 202)
    assert polled["next_poll"] == "2024-03-05T16:00:00+00:00"
    assert keeper.send("DELETE", "/sources/1", 204) is None
    for method, path in (("DELETE", "/sources/1"), ("POST", "/sources/1/poll")):
        assert keeper.send(method, path, 404)["detail"] == "there is no source 1"
    assert keeper.send("PATCH", "/sources/1", 404, {})["code"] == "missing_page"
    assert keeper.get("/articles/1")["article"]["title"] == "Grey seals are back"  # its articles stay


@covers("get_opml", "add_opml")
def test_lists_of_feeds_go_out_without_passwords_and_come_in_with_folders(keeper: Visitor, stranger: Visitor) -> None:
    out = stranger.ask("GET", "/opml")
    assert out.headers["content-type"] == "text/x-opml; charset=utf-8"
    assert "secret" not in out.text
    assert 'xmlUrl="https://harbour.example/feed"' in out.text
    listed = (
        '<opml version="2.0"><body><outline text="Sea"><outline text="Tides" xmlUrl="https://tides.example/rss"/>'
        "</outline></body></opml>"
    )
    headers = {"Content-Type": "text/x-opml"}
    told = keeper.ask("POST", "/opml", content=listed, headers=headers).json()
    assert told["new"] == 1
    assert told["items"][0]["folder"] == "Sea"
    empty = keeper.ask("POST", "/opml", content="<opml/>", headers=headers)
    assert empty.status_code == 422
    assert "no list of feeds" in empty.json()["detail"]


@covers("list_sites", "get_site", "forget_site")
def test_rules_of_sites_are_shown_and_forgotten(keeper: Visitor, stranger: Visitor, store: Store) -> None:
    template = Template(rules=(Rule("main", left="<main>", right="</main>"),), learned="from 5 pages")
    SiteMemory(StoredSites(store)).write(Site("harbour.example", (TrackedTemplate(template),)), "for a test")
    (item,) = stranger.get("/sites")["items"]
    assert item == {"site": "harbour.example", "templates": 1, "served": 0, "doubted": 0, "last_served": None}
    told = stranger.get("/sites/harbour.example")
    assert told["templates"][0]["rules"] == [
        {"field": "main", "way": "delimiters", "rule": "between '<main>' and '</main>'"}
    ]
    assert told["log"][0]["why"] == "for a test"
    assert stranger.get("/sites/harbour.example", format="json")["site"] == "harbour.example"
    assert stranger.ask("GET", "/sites/harbour.example?format=xml").headers["content-type"] == "application/xml"
    assert stranger.ask("GET", "/sites/harbour.example?format=text").text
    keeper.send("DELETE", "/sites/harbour.example", 204)
    assert stranger.get("/sites")["items"] == []
    assert keeper.send("DELETE", "/sites/harbour.example", 404)["detail"] == "nothing is known of harbour.example"
    assert stranger.get("/sites/harbour.example", 404)["status"] == 404


@covers("get_trends")
def test_trends_tell_how_much_articles_are_about_queries(stranger: Visitor) -> None:
    told = stranger.ask("GET", "/trends?q=seals&q=harbour&by=day&since=2024-03-04&until=2024-03-06").json()
    assert [one["name"] for one in told["periods"]] == ["2024-03-04", "2024-03-05", "2024-03-06"]
    seals, harbour = told["trends"]
    assert seals["query"] == "seals"
    assert [(one["articles"], one["found"]) for one in seals["points"]] == [(0, 0), (7, 2), (0, 0)]
    assert seals["points"][1]["value"] == pytest.approx(2 / 7)
    assert [one["found"] for one in harbour["points"]] == [0, 1, 0]
    assert seals["changes"] == []
    cosine = stranger.get("/trends", q="seals", by="month", measure="cosine", until="2024-03-31")
    (trend,) = cosine["trends"]
    assert trend["points"][-1]["articles"] == 5  # those in English
    assert 0 < trend["points"][-1]["value"] < 1
    assert len(stranger.get("/trends", q="seals")["periods"]) == 30
    for by, first in (("week", "2024-03-04"), ("month", "2024-03-01"), ("year", "2024-01-01")):
        (period,) = stranger.get("/trends", q="x", by=by, since="2024-03-05", until="2024-03-06")["periods"]
        assert period["first"] == first
    assert "later than" in stranger.get("/trends", 400, q="x", since="2024-03-05", until="2024-03-01")["detail"]
    assert "more than 90" in stranger.get("/trends", 400, q="x", since="2020-01-01")["detail"]
    for absurd in ({"until": "9999-12-31"}, {"since": "0001-01-01"}, {"until": "0001-01-01T00:00:00+23:00"}):
        assert "between the years" in stranger.get("/trends", 400, q="x", **absurd)["detail"]


@covers("list_rising")
def test_what_rises_is_told_and_kept_a_while(stranger: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def talk(store: Store, now: datetime, most: int) -> Talk:
        assert store.totals().articles == 7
        asked.append(most)
        return Talk((Rising("seals", "en", 4, 1, 5.25),), now)

    monkeypatch.setattr(trends, "talk", talk)
    for _ in range(2):
        told = stranger.get("/trends/rising", limit=3)
        assert told == {
            "since": "2024-03-05T16:00:00+00:00",
            "items": [{"word": "seals", "language": "en", "now": 4, "before": 1, "surprise": 5.25}],
        }
    assert asked == [100]
    monkeypatch.undo()
    assert stranger.get("/trends/rising")["since"] is not None


@covers("list_categories", "list_authors", "list_hosts", "list_languages", "get_totals", "list_feeds")
def test_what_there_is(stranger: Visitor) -> None:
    assert stranger.get("/categories")["items"][0] == {"name": "Nature", "articles": 2}
    assert stranger.get("/authors", limit=1)["items"] == [{"name": "Ann Lee", "articles": 1}]
    assert stranger.get("/hosts", limit=1)["items"] == [{"name": "harbour.example", "articles": 6}]
    assert stranger.get("/languages")["items"] == ["en", "fa", "tr"]
    totals = stranger.get("/totals")
    assert (totals["articles"], totals["versions"], totals["stories"], totals["sources"]) == (7, 8, 1, 2)
    assert totals["queue"]["waiting"] == 0
    feeds = {one["name"]: one["feeds"] for one in stranger.get("/feeds")["items"]}
    assert feeds["Dünya"]["json"] == "/feeds/category/D%C3%BCnya.json"


@covers("list_mutes", "set_mutes")
def test_mutes_are_for_those_with_tokens(keeper: Visitor, reader: Visitor, stranger: Visitor) -> None:
    assert stranger.get("/mutes", 401)["code"] == "sign_in"
    assert reader.get("/mutes")["items"] == []
    rules = {"rules": [{"query": "seals", "reason": "enough", "until": "2030-01-01T00:00:00Z"}]}
    told = keeper.send("PUT", "/mutes", 200, rules)
    assert told["muted"] == 2
    assert told["items"][0]["until"] == "2030-01-01T00:00:00+00:00"
    assert 1 not in [one["id"] for one in stranger.get("/articles")["items"]]
    assert 1 in [one["id"] for one in stranger.get("/articles", muted="true")["items"]]
    assert keeper.send("PUT", "/mutes", 400, {"rules": [{"query": "title:("}]})["code"] == "query"
    assert keeper.send("PUT", "/mutes", 200, {"rules": []})["muted"] == 0


@covers("list_tokens", "revoke_token")
def test_a_token_can_take_itself_back(keeper: Visitor, reader: Visitor) -> None:
    told = keeper.ask("GET", "/tokens")
    assert keeper.secret not in told.text
    mine = next(one for one in told.json()["items"] if one["is_this"])
    assert mine["scopes"] == [Scope.READ, Scope.WRITE]
    assert mine["used"] is None
    assert keeper.secret.startswith(mine["beginning"])
    assert reader.send("DELETE", f"/tokens/{mine['id']}", 403)["code"] == "forbidden"
    keeper.send("DELETE", f"/tokens/{mine['id']}", 204)
    assert keeper.get("/tokens", 401)["code"] == "sign_in"


@covers("list_extractors")
def test_extractors_are_named(stranger: Visitor) -> None:
    assert "learned" in [one["name"] for one in stranger.get("/extractors")["items"]]


@pytest.mark.parametrize("path", ["/articles", "/articles/1", "/sources", "/stories/1"])
def test_what_is_known_is_not_sent_again(stranger: Visitor, path: str) -> None:
    first = stranger.ask("GET", path)
    again = stranger.ask("GET", path, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert stranger.ask("GET", path, headers={"If-None-Match": '"other"'}).status_code == 200


@covers("list_years")
def test_articles_of_a_source_by_year(stranger: Visitor) -> None:
    found = stranger.get("/sources/1/years")["items"]
    assert [one["year"] for one in found] == list(range(found[0]["year"], 2025))
    assert found[-1]["articles"] > 0
    assert sum(one["articles"] for one in found) == stranger.get("/sources/1")["articles"]
    assert stranger.send("GET", "/sources/99/years", 404)["code"] == "missing_page"
