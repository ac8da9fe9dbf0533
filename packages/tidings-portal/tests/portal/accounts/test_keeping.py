"""What each person keeps: saved and unread articles, own sources, stories and columnists they follow."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta

import pytest

from tests.portal.accounts.browsing import Browser, Site
from tests.portal.store.made import DAY, NOON, new
from tidings.sources import read_opml
from tidings_portal.store.records_of_articles import ArticleSubject, Only, StoryDraft
from tidings_portal.store.records_of_people import LOCAL
from tidings_portal.store.records_of_work import NewSource


@pytest.fixture(params=["a person", "the local reader"])
def reader(request: pytest.FixtureRequest) -> Browser:
    """Whoever reads: the same for those who signed in and for the one who need not."""
    if request.param == "a person":
        site: Site = request.getfixturevalue("site")
        return site.person("Ann")
    local: Site = request.getfixturevalue("local")
    return local.browser()


def key_of(reader: Browser) -> str:
    return reader.key if reader.session else LOCAL


def articles_on(page: str) -> list[int]:
    return [int(number) for number in re.findall(r'<h\d class="row-title"><a href="/article/(\d+)"', page)]


def test_saving(reader: Browser) -> None:
    assert "Nothing is saved" in reader.get("/saved").text
    answer = reader.send("/article/3/save", page="/article/3", next="/article/3")
    assert (answer.status_code, answer.headers["location"]) == (303, "/article/3")
    assert 'action="/article/3/unsave"' in reader.get("/article/3").text
    assert articles_on(reader.get("/saved").text) == [3]
    assert reader.send("/article/3/unsave", next="/saved").headers["location"] == "/saved"
    assert articles_on(reader.get("/saved").text) == []
    for number in ("999999", "0", "x", "9" * 30):
        assert reader.send(f"/article/{number}/save").status_code == 404
        assert reader.send(f"/article/{number}/unsave").status_code == 404


def test_read_and_unread(reader: Browser) -> None:
    store = reader.site.app.store
    total = store.totals().articles
    page = reader.get("/unread").text
    shown = articles_on(page)
    assert f"{total} unread" in page
    assert len(shown) == 30
    assert reader.send(f"/article/{shown[0]}/read", next="/unread").headers["location"] == "/unread"
    assert shown[0] not in articles_on(reader.get("/unread").text)
    assert f'action="/article/{shown[0]}/unread"' in reader.get(f"/article/{shown[0]}").text
    assert reader.send(f"/article/{shown[0]}/unread").status_code == 303
    assert articles_on(reader.get("/unread").text) == shown
    assert reader.send("/article/999999/read").status_code == 404


def test_all_read_but_what_came_meanwhile(reader: Browser) -> None:
    store = reader.site.app.store
    (up_to,) = set(re.findall(r'name="up_to" value="(\d+)"', reader.get("/unread").text))
    store.keep([new(900, "Just in")])
    reader.send("/unread/all-read", page="/unread", up_to=up_to, folder="", source="", next="/unread")
    page = reader.get("/unread").text
    assert articles_on(page) == [store.latest_number()]
    assert "1 unread" in page
    for wrong in ("", "x", "-1"):
        assert reader.send("/unread/all-read", up_to=wrong).status_code == 400


def test_own_sources_in_folders(site: Site) -> None:
    reader = site.person("Ann")
    store = site.app.store
    first, second = (one.id for one in store.sources()[:2])
    reader.send("/my/sources/subscribe", source=first, folder="Coast & <sea>", title="Mine <b>")
    reader.send("/my/sources/subscribe", source=second)
    page = reader.get("/my/sources").text
    assert "Mine &lt;b&gt;" in page
    assert "Coast &amp; &lt;sea&gt;" in page
    for address, wanted in (
        ("/unread", {first, second}), ("/unread?folder=Coast+%26+%3Csea%3E", {first}),
        (f"/unread?source={second}", {second}),
    ):  # fmt: skip
        found = articles_on(reader.get(address).text)
        listed = {one.id: set(one.sources) for one in store.articles(limit=500).items}
        assert found
        assert all(listed[number] & wanted for number in found), address
    assert reader.get("/unread?folder=other").status_code == 404
    assert reader.get(f"/unread?source={store.sources()[2].id}").status_code == 404
    listing = read_opml(reader.get("/my/sources.opml").content)
    assert [(one.title, one.folder) for one in listing.feeds if one.folder] == [("Mine <b>", ("Coast & <sea>",))]
    assert len(listing.feeds) == 2
    answer = reader.send("/my/sources/rename-folder", folder="Coast & <sea>", name="Shore")
    assert answer.headers["location"] == "/my/sources"
    reader.send("/unread/all-read", up_to=store.latest_number(), folder="Shore", source="")
    assert articles_on(reader.get("/unread?folder=Shore").text) == []
    assert articles_on(reader.get("/unread").text)
    assert reader.send("/my/sources/unsubscribe", source=first).status_code == 303
    for fields in ({"source": "999"}, {"source": str(first)}):
        assert reader.send("/my/sources/unsubscribe", **fields).status_code == 404
    assert reader.send("/my/sources/subscribe", source=999).status_code == 404
    assert reader.send("/my/sources/rename-folder", folder="", name="All").status_code == 404
    assert reader.send("/my/sources/rename-folder", folder="none", name="All").status_code == 404


def test_the_password_of_a_private_feed_is_nobodys_business(reader: Browser) -> None:
    store = reader.site.app.store
    (number,) = store.add_sources([NewSource("https://ann:s3cret@private.example/feed")], reader.site.app.now())
    sources = "/my/sources" if reader.session else "/sources"
    assert "https://private.example/feed" in reader.get(sources).text
    reader.send("/my/sources/subscribe", source=number)
    for page in (sources, f"/unread?source={number}", "/my/sources.opml"):
        found = reader.get(page).text
        assert "private.example" in found
        assert "s3cret" not in found


def test_too_many_sources_are_told(reader: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tidings_portal.store.verbs.unread.MOST_SUBSCRIPTIONS", 1)
    first, second = (one.id for one in reader.site.app.store.sources()[:2])
    assert reader.send("/my/sources/subscribe", source=first).status_code == 303
    assert reader.send("/my/sources/subscribe", source=second).status_code == 409


def test_following_stories_and_columnists(reader: Browser) -> None:
    store = reader.site.app.store
    assert "You follow nothing yet" in reader.get("/followed").text
    store.save_subjects({number: ArticleSubject("opinion") for number in range(1, 60)})
    writer = store.columnists(least=1)[0].name
    page = reader.get("/columnists").text
    assert writer in page
    answer = reader.send(f"/columnist/{writer}/follow", page=f"/columnist/{writer}", next=f"/columnist/{writer}")
    assert answer.status_code == 303
    assert "Following – unfollow" in reader.get(f"/columnist/{writer}").text
    (story,) = store.save_stories([StoryDraft((1, 2), "The <i>harbour</i>")])
    assert reader.send(f"/story/{story}/follow").headers["location"] == f"/story/{story}"
    found = reader.get("/followed").text
    assert "The &lt;i&gt;harbour&lt;/i&gt;" in found
    wanted = {1, 2} | {one.id for one in store.articles(Only(author=writer), limit=99).items}
    assert set(articles_on(found)) == wanted
    assert store.followed(key_of(reader))[0].followers == 1
    assert reader.send(f"/story/{story}/unfollow").headers["location"] == "/followed"
    assert reader.send(f"/columnist/{writer}/unfollow", next="/followed").headers["location"] == "/followed"
    assert "You follow nothing yet" in reader.get("/followed").text
    for path in ("/story/999/follow", "/story/x/follow", f"/story/{story}/unfollow"):
        assert reader.send(path).status_code == 404
    for path in ("/columnist/Nobody/follow", "/columnist/Nobody/unfollow", f"/columnist/{writer}/unfollow"):
        assert reader.send(path).status_code == 404


def test_a_columnist_of_any_name_has_a_page(local: Site) -> None:
    name = 'A/B "C" <script>alert(1)</script> ?#&; é'
    local.app.store.keep(
        [new(901, "One", authors=(name,)), new(902, "Two", authors=(name, "نجوى"), published=NOON - DAY)]
    )
    browser = local.browser()
    numbers = [one.headline.id for one in local.app.store.each_article()]
    local.app.store.save_subjects({number: ArticleSubject("opinion") for number in numbers})
    local.app.cache.forget()
    page = browser.get("/columnists").text
    assert "<script>alert" not in page
    (address,) = re.findall(r'href="(/columnist/A%[^"]+)"', page)
    found = browser.get(address)
    assert found.status_code == 200
    assert "<script>alert" not in found.text
    assert {"One", "Two"} <= set(re.findall(r">(\w+)</a>.*</h2>", found.text))
    (feed,) = re.findall(r'<a href="(/feeds/columnist/[^"]+)"', found.text)
    assert browser.get(feed).headers["content-type"].startswith("application/rss+xml")
    assert browser.get("/feeds/columnist/Nobody.rss").status_code == 404
    (form,) = re.findall(r'action="(/columnist/A%[^"]+)"', found.text)
    assert browser.send(form, page=address).status_code == 303
    assert local.app.store.is_followed_columnist(name, LOCAL)
    assert browser.get("/columnist/نجوى").status_code == 200
    for nobody in ("/columnist/", "/columnist/%00", "/columnist/" + "x" * 3000):
        assert browser.get(nobody).status_code == 404


def test_the_same_in_turkish(reader: Browser) -> None:
    reader.send("/preferences", language="tr", theme="")
    for address, told in (
        ("/saved", "Kayıtlı bir şey yok"), ("/unread", "okunmamış"), ("/followed", "takip etmiyorsunuz"),
        ("/my/sources" if reader.session else "/sources", "Kaynak"), ("/tokens", "Erişim anahtarı yok"),
        ("/columnists", "Köşe yazarları"),
    ):  # fmt: skip
        assert told in reader.get(address).text, address


def test_those_who_are_not_signed_in_find_the_way(site: Site) -> None:
    site.person("Ann")
    stranger = site.browser()
    for path in ("/saved", "/unread?folder=x", "/followed", "/my/sources", "/tokens", "/account", "/people"):
        answer = stranger.get(path)
        assert answer.status_code == 303, path
        assert answer.headers["location"].startswith("/sign-in?next=/"), path
    assert stranger.get("/unread?folder=x").headers["location"] == "/sign-in?next=/unread%3Ffolder%3Dx"
    for path in (
        "/article/1/save", "/article/1/unsave", "/article/1/read", "/unread/all-read", "/story/1/follow",
        "/columnist/Mara%20Ellison/follow", "/tokens/make", "/tokens/revoke", "/my/sources/subscribe",
        "/my/sources/unsubscribe", "/my/sources/rename-folder", "/account/password", "/account/remove", "/people/add",
    ):  # fmt: skip
        answer = stranger.send(path, source=1, days=30, number=1, up_to=1, folder="x")
        assert answer.status_code == 401, path
        assert "Please sign in" in answer.text, path
    assert "/sign-in?next=" in stranger.get("/columnist/Mara%20Ellison").text


# -- The beacon ------------------------------------------------------------------------------------------------------


def mark_on(page: str) -> str:
    found = re.search(r'data-mark="([0-9a-f]+)"', page)
    assert found
    return found[1]


def reads(reader: Browser, number: int) -> int:
    reader.site.sessions.counting.write()
    (found,) = reader.site.app.store.articles_by_number([number])
    return found.headline.reads


def beacon(browser: Browser, article: int | str, mark: str, **headers: str) -> int:
    data = {"article": str(article), "mark": mark}
    return browser.client.post("/beacon", data=data, headers=headers).status_code


def test_reading_is_told_by_a_beacon_once_a_day(reader: Browser) -> None:
    mark = mark_on(reader.get("/article/3").text)
    assert reads(reader, 3) == 0
    assert 3 in reader.site.app.store.unread_among(key_of(reader), [3])
    assert [beacon(reader, 3, mark) for _ in range(3)] == [204, 204, 204]
    assert reads(reader, 3) == 1
    assert reader.site.app.store.unread_among(key_of(reader), [3]) == set()
    start = reader.site.app.now()
    reader.site.sessions.counting.now = lambda: start + timedelta(days=1)
    assert beacon(reader, 3, mark) == 204
    assert reads(reader, 3) == 2
    other = reader.site.browser()
    assert beacon(other, 3, mark) == 403
    assert beacon(other, 3, mark_on(other.get("/article/3").text)) == 204
    assert reads(reader, 3) == 3


def test_two_people_at_one_browser(site: Site) -> None:
    """One reading is counted, and each has read the article."""
    site.person("Bo")
    ann = site.person("Ann")
    first = ann.key
    beacon(ann, 3, mark_on(ann.get("/article/3").text))
    ann.sign_in("Bo")
    beacon(ann, 3, mark_on(ann.get("/article/3").text))
    assert reads(ann, 3) == 1
    for key in (first, ann.key):
        assert site.app.store.unread_among(key, [3]) == set()


def test_beacons_that_are_not_believed(local: Site) -> None:
    browser = local.browser()
    mark = mark_on(browser.get("/article/3").text)
    assert beacon(browser, 4, mark) == 403
    assert beacon(browser, 3, "") == 403
    assert beacon(browser, 3, "ü" * 64) == 403
    assert beacon(browser, "x", mark) == 400
    assert beacon(browser, 3, mark, **{"sec-fetch-site": "cross-site"}) == 403
    assert beacon(browser, 3, mark, origin="https://evil.example") == 403
    assert browser.get("/beacon").status_code in {404, 405}
    assert browser.client.post("/beacon", data={f"f{n}": "x" for n in range(100)}).status_code == 413
    assert browser.client.post("/beacon", content=b"\xff" * 100).status_code == 400
    assert reads(browser, 3) == reads(browser, 4) == 0


def test_beacons_are_bounded(local: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """One address that forgets its cookies counts so often in a minute and no more."""
    monkeypatch.setattr("tidings_portal.accounts.read_tracking._A_MINUTE", 3)
    browser = local.browser()
    answers = []
    for _ in range(5):
        browser.client.cookies.clear()
        answers.append(beacon(browser, 3, mark_on(browser.get("/article/3").text)))
    assert answers == [204, 204, 204, 429, 429]
    assert reads(browser, 3) == 3


def test_what_is_counted_is_written_when_the_house_closes(local: Site) -> None:
    browser = local.browser()
    beacon(browser, 3, mark_on(browser.get("/article/3").text))

    async def close() -> None:
        stop = asyncio.Event()
        writing = asyncio.create_task(local.sessions.counting.keep_writing(stop, 60.0))
        await asyncio.sleep(0)
        stop.set()
        await writing

    asyncio.run(close())
    (found,) = local.app.store.articles_by_number([3])
    assert found.headline.reads == 1


def test_what_cannot_be_written_now_is_written_later(local: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    from tidings.errors import StoreBusy

    browser = local.browser()
    beacon(browser, 3, mark_on(browser.get("/article/3").text))

    def busy(*_: object) -> None:
        raise StoreBusy("another program keeps it locked; wait")

    with monkeypatch.context() as patch:
        patch.setattr(local.app.store, "count_reads", busy)
        local.sessions.counting.write()
    assert reads(browser, 3) == 1


def test_what_was_kept_without_accounts_is_the_first_persons(site: Site) -> None:
    store, now = site.app.store, site.app.now()
    source = store.sources()[0].id
    (story,) = store.save_stories([StoryDraft((1, 2), "The harbour")])
    store.save_subjects({number: ArticleSubject("opinion") for number in range(1, 60)})
    writer = store.columnists(least=1)[0].name
    store.save(3, LOCAL, now)
    store.mark_read(LOCAL, [1])
    store.follow(story, LOCAL, now)
    store.follow_columnist(writer, LOCAL, now)
    store.subscribe(source, LOCAL, now, folder="Mornings")
    first, second = site.person("Ann"), site.person("Bo")
    assert articles_on(first.get("/saved").text) == [3]
    assert store.unread_among(first.key, [1, 2]) == {2}
    assert [one.followers for one in store.followed(first.key)] == [1]
    assert [one.name for one in store.followed_columnists(first.key)] == [writer]
    assert [one.folder for one in store.subscriptions(first.key) if one.source.id == source] == ["Mornings"]
    for other in (second.key, LOCAL):
        assert not store.saved(other).items
        assert not store.followed(other)
        assert store.unread_among(other, [1, 2]) == {1, 2}
        assert not store.subscriptions(other)


@pytest.mark.parametrize("has_folder", [False, True])
def test_the_first_account_inherits_all_sources(site: Site, has_folder: bool) -> None:
    store = site.app.store
    every = {one.id for one in store.sources()}
    if has_folder:
        store.subscribe(min(every), LOCAL, site.app.now(), folder="Mornings")
    total = store.count_unread(LOCAL).number
    ann = site.person("Ann")
    assert f"{total} unread" in ann.get("/unread").text
    assert set(store.sources_read(ann.key) or every) == every
    (added,) = store.add_sources([NewSource("https://hill.example/feed")], site.app.now())
    store.begin_subscriptions(ann.key, site.app.now())
    store.subscribe(added, ann.key, site.app.now())
    assert {one.source.id for one in store.subscriptions(ann.key)} == {*every, added}


def test_lists_show_what_is_unread_and_the_head_counts_it(reader: Browser) -> None:
    store = reader.site.app.store
    total = store.totals().articles
    assert f">{total}</span>" in reader.get("/about").text
    number = articles_on(reader.get("/latest").text)[0]

    def shown(path: str) -> set[str]:
        return set(re.findall(rf'class="row ([a-z-]+)"[^>]*data-article="{number}"', reader.get(path).text))

    query = f"/search?q=site:{store.articles(Only(), limit=1).items[0].site}&order=time"
    assert shown("/latest") == shown("/") == shown(query) == {"is-unread"}
    assert reader.send(f"/article/{number}/read").status_code == 303
    reader.site.app.cache.forget()  # the one reader without accounts sees what is kept for some seconds
    assert shown("/latest") == shown("/") == shown(query) == {"is-read"}
    assert f">{total - 1}</span>" in reader.get("/about").text
    assert reader.send("/unread/all-read", up_to=store.latest_number()).status_code == 303
    assert "data-count" not in reader.get("/unread").text


def test_nobody_has_read_or_unread_articles(site: Site) -> None:
    stranger = site.browser()
    for path in ("/", "/latest", "/article/1", "/events"):
        page = stranger.get(path).text
        assert "is-unread" not in page
        assert "is-read" not in page
        assert "data-count" not in page
        assert "data-person" not in page


def test_an_article_leads_to_the_next_unread_one(reader: Browser) -> None:
    latest, after, *_ = articles_on(reader.get("/unread").text)
    assert articles_on(reader.get(f"/article/{latest}").text)[0] == after
    assert articles_on(reader.get(f"/article/{after}").text)[0] == latest
    reader.send("/unread/all-read", up_to=reader.site.app.store.latest_number())
    assert "Next unread" not in reader.get(f"/article/{latest}").text
