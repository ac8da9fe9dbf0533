"""The reading list: folders with what is unread, sorting, older ones, undoing, labels and notes, scrolling."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.portal.accounts.browsing import Browser, Site
from tests.portal.store.made import new
from tidings_portal.store.records_of_articles import Retention
from tidings_portal.store.records_of_people import LOCAL
from tidings_portal.store.verbs.streams import StreamQuery


@pytest.fixture(params=["a person", "the local reader"])
def reader(request: pytest.FixtureRequest) -> Browser:
    if request.param == "a person":
        site: Site = request.getfixturevalue("site")
        return site.person("Ann")
    local: Site = request.getfixturevalue("local")
    return local.browser()


def listed(page: str) -> list[int]:
    return [int(number) for number in re.findall(r'<h\d class="row-title"><a href="/article/(\d+)"', page)]


def test_without_accounts_all_sources_are_ones_own_in_their_folders(local: Site) -> None:
    store, browser = local.app.store, local.browser()
    first, second = store.sources()[:2]
    store.change_source(first.id, replace(first.settings, folder="Coast & <sea>"))
    page = browser.get("/unread").text
    assert page.count("Coast &amp; &lt;sea&gt;") >= 2  # beside the list, and in the drawer
    assert "<sea>" not in page
    inside = listed(browser.get("/unread?folder=Coast+%26+%3Csea%3E").text)
    found = {one.id: set(one.sources) for one in store.articles(limit=500).items}
    assert inside
    assert all(first.id in found[number] for number in inside)
    assert listed(browser.get(f"/unread?source={second.id}").text)
    assert browser.get("/my/sources").headers["location"] == "/sources"
    assert browser.get("/unread?folder=none").status_code == 404
    assert 'class="outlet"' in page  # icons of outlets, from here
    browser.send("/my/sources/rename-folder", folder="Coast & <sea>", name="Shore", next="/unread")
    assert store.source(first.id).settings.folder == "Shore"  # type: ignore[union-attr]


def test_a_list_of_feeds_brings_its_folders_into_the_reading_list(reader: Browser) -> None:
    store = reader.site.app.store
    known = store.sources()[0]
    store.change_source(known.id, replace(known.settings, folder=""))
    lines = "".join(
        f'<outline text="{folder}"><outline type="rss" xmlUrl="{address}" text="{name}"/></outline>'
        for folder, address, name in (
            ("Shore", known.settings.address, "Known"),
            ("Hills", "https://hill.example/f", "New"),
        )
    )
    body = f'<opml version="2.0"><head/><body>{lines}</body></opml>'.encode()
    token = re.findall(r'name="token" value="([^"]+)"', reader.get("/sources").text)[0]
    answer = reader.client.post("/sources/import", data={"token": token}, files={"file": ("a.opml", body)})
    assert answer.status_code == 303
    page = reader.get("/unread").text
    for folder in ("Shore", "Hills"):
        assert f'href="/unread?folder={folder}"' in page
    assert listed(reader.get("/unread?folder=Shore").text)


def test_sorting_and_what_is_read_too(reader: Browser) -> None:
    store, person = reader.site.app.store, reader.key if reader.session else LOCAL
    newest = listed(reader.get("/unread").text)
    oldest = listed(reader.get("/unread?order=old").text)
    times = {one.id: one.time for one in store.articles(limit=500).items}
    assert [times[one] for one in oldest] == sorted(times[one] for one in oldest)
    assert newest[0] not in oldest
    store.mark_read(person, newest[:1])
    assert newest[0] not in listed(reader.get("/unread").text)
    assert newest[0] in listed(reader.get("/unread?show=all").text)
    (after,) = re.findall(r'href="(/unread[^"]*after=[^"]*)"', reader.get("/unread?order=old").text)
    assert not set(listed(reader.get(after.replace("&amp;", "&")).text)) & set(oldest)


def test_older_ones_are_marked_and_that_is_undone(reader: Browser) -> None:
    app = reader.site.app
    store, person = app.store, reader.key if reader.session else LOCAL
    before = store.count_unread(person).number
    border = app.now() - timedelta(days=3)
    older = sum(one.time < border for one in store.articles(limit=500).items)
    assert 0 < older < before
    reader.send("/unread/all-read", page="/unread", up_to=store.latest_number(), folder="", source="", days=3)
    assert store.count_unread(person).number == before - older
    assert 'action="/unread/undo"' in reader.get("/unread").text
    assert reader.send("/unread/undo", page="/unread").status_code == 303
    assert store.count_unread(person).number == before
    assert 'action="/unread/undo"' not in reader.get("/unread").text
    assert reader.send("/unread/undo", page="/unread").status_code == 303  # twice does nothing
    assert store.count_unread(person).number == before
    assert reader.send("/unread/all-read", up_to=1, days=4).status_code == 400


def test_everything_is_marked_and_that_is_undone(reader: Browser) -> None:
    store, person = reader.site.app.store, reader.key if reader.session else LOCAL
    store.mark_read(person, [1, 2])
    before = {one.id for one in store.unread(person, limit=500).items}
    reader.send("/unread/all-read", page="/unread", up_to=store.latest_number(), folder="", source="")
    assert store.count_unread(person).number == 0
    store.keep([new(950, "Just in")])
    store.mark_read(person, [3], read=False)
    reader.send("/unread/undo", page="/unread")
    assert {one.id for one in store.unread(person, limit=500).items} == before | {store.latest_number()}


def test_labels(reader: Browser) -> None:
    evil = "Read <b>soon</b>"
    assert reader.send("/article/3/label", page="/article/3", name=evil).headers["location"] == "/article/3"
    page = reader.get("/article/3").text
    assert "Read &lt;b&gt;soon&lt;/b&gt;" in page
    assert evil not in page
    (address,) = set(re.findall(r'href="(/unread\?label=[^"]+)"', reader.get("/unread").text))
    assert listed(reader.get(address).text) == [3]
    reader.send("/labels/rename", label=evil, name="Later")
    assert listed(reader.get("/unread?label=Later").text) == [3]
    reader.send("/article/3/unlabel", name="Later")
    assert listed(reader.get("/unread?label=Later").text) == []
    assert reader.send("/labels/rename", label="Later", name="x").status_code == 404
    for number in ("999999", "x", "0"):
        assert reader.send(f"/article/{number}/label", name="x").status_code == 404


def test_notes_stay_with_their_articles(reader: Browser) -> None:
    app = reader.site.app
    evil = "</textarea><script>alert(1)</script>\nsecond line"
    assert reader.send("/article/3/note", page="/article/3", note=evil).status_code == 303
    page = reader.get("/article/3").text
    assert "&lt;/textarea&gt;" in page
    assert "<script>alert" not in page
    assert listed(reader.get("/unread?notes=1").text) == [3]
    app.store.label("kept", [4], LOCAL)
    app.store.retain(Retention(articles_for=timedelta(0)), app.now() + timedelta(days=1))
    assert {one.id for one in app.store.articles(limit=500).items} == {3, 4}
    reader.send("/article/3/note", note="")
    assert listed(reader.get("/unread?notes=1").text) == []
    assert reader.send("/article/999999/note", note="x").status_code == 404


def test_notes_and_labels_are_nobody_elses(site: Site) -> None:
    ann, bob = site.person("Ann"), site.person("Bob")
    ann.send("/article/3/note", note="between us")
    ann.send("/article/3/label", name="of Ann")
    assert "between us" not in bob.get("/article/3").text
    assert "of Ann" not in bob.get("/unread").text
    assert site.app.store.stream(bob.key, StreamQuery(noted=True)).items == ()


def test_marking_while_scrolling_is_a_choice(reader: Browser) -> None:
    store, person = reader.site.app.store, reader.key if reader.session else LOCAL
    assert "data-scrolling" not in reader.get("/unread").text
    reader.send("/unread/scrolling", page="/unread", on="yes")
    assert "data-scrolling" in reader.get("/unread").text
    assert reader.send("/unread/seen", articles="1,2,x,-3,999999").status_code == 204
    assert store.unread_among(person, [1, 2, 3]) == {3}
    assert reader.client.post("/unread/seen", data={"articles": "3"}).status_code == 403  # a form of nobody's
    assert reader.get("/unread/seen").status_code == 405


def test_reading_time_stands_beside_articles(reader: Browser) -> None:
    assert re.search(r"\d+ minutes? to read", reader.get("/unread").text)


def test_one_button_subscribes_to_all_sources_or_to_a_folder(site: Site) -> None:
    store, ann = site.app.store, site.person("Ann")
    first, second = store.sources()[:2]
    store.change_source(first.id, replace(first.settings, folder="Coast"))
    assert f"Subscribe to all {len(store.sources())}" in ann.get("/my/sources").text
    ann.send("/my/sources/subscribe-to-all", folder="Coast", next="/my/sources")
    assert [(one.source.id, one.folder) for one in store.subscriptions(ann.key)] == [(first.id, "Coast")]
    ann.send("/my/sources/subscribe-to-all", next="/my/sources")
    assert {one.source.id for one in store.subscriptions(ann.key)} == {one.id for one in store.sources()}
    assert second.id in {one.source.id for one in store.subscriptions(ann.key)}


def test_no_language_is_left_out_and_all_counts_agree(local: Site) -> None:
    client = local.browser().client
    store = local.app.store
    total = store.count_unread(LOCAL).number
    assert len(store.languages()) > 3
    assert total == store.totals().articles
    for spoken in ("en", "pl", "tr-TR,tr;q=0.9,en;q=0.5", ""):
        page = client.get("/unread", headers={"accept-language": spoken, "cookie": "tidings_language=en"}).text
        assert f"{total} unread" in page, spoken
        count = re.search(r'href="/unread" aria-current="true">[^<]*<span class="left">(\d+)', page)
        assert count is not None
        assert int(count[1]) == total
    folder = store.sources()[0].settings
    for source in store.sources()[:3]:
        store.change_source(source.id, replace(source.settings, folder="Some"))
    numbers = [one.id for one in store.sources() if one.settings.folder == "Some"]
    local.app.cache.forget()
    page = client.get("/unread?folder=Some").text
    inside = store.count_unread(LOCAL, numbers).number
    assert folder.folder == ""
    assert f"{inside} unread" in page
    assert re.search(rf'href="/unread\?folder=Some"[^>]*>Some <span class="left">{inside}<', page)
