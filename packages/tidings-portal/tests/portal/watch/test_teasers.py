"""Items whose pages cannot be read: stored as title and teaser with the reason, fetched again, replaced in place."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.fetch.server import Reply, reply
from tests.portal import housed
from tests.portal.accounts.browsing import site_of
from tests.portal.greader.test_conversation import phone
from tests.portal.watch.press import QUICK, Press, answers
from tests.portal.watch.test_watch import add, again, feed, item, rss, run, story
from tidings_portal import store
from tidings_portal import watch as pipeline
from tidings_portal.app import application
from tidings_portal.portal.edition import edition
from tidings_portal.store.records_of_articles import ItemCounts, KeptArticle, teaser_sentence
from tidings_portal.store.records_of_people import LOCAL
from tidings_portal.store.records_of_work import NewSource, Source
from tidings_portal.watch import grouping
from tidings_portal.watch.decide import TRIES, next_teaser_try
from tidings_portal.watch.health import with_content
from tidings_portal.web.app_state import App
from tidings_portal.web.translations import LANGUAGES, words

NOW = datetime(2026, 11, 18, 6, tzinfo=UTC)
WALLED = rss(
    item("https://wall.example/one", "The ferry stays in port", content="What the harbour master said of the storm."),
    item("https://wall.example/two", "The bridge opens early"),
)


@pytest.fixture
def where(tmp_path: Path) -> str:
    return str(tmp_path / "news.tidings")


def read(press: Press, where: str, answer: Reply) -> list[KeptArticle]:
    """Add the walled feed if it is not there, read it once, and return its articles."""
    press.more |= {"wall.example/feed": WALLED, "wall.example/one": answer, "wall.example/two": answer}
    add(where, feed(press, "wall.example/feed"))
    run(press, where)
    with store.open(where) as kept:
        return list(kept.each_article())


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (reply(b"", 403), "403"),
        (reply(b"", 404), "404"),
        (reply(b"", 503), "503"),
        (reply(b"<!doctype html><title>x</title>"), "empty"),
    ],
)
def test_an_item_without_a_page_is_an_article_with_the_reason(where: str, answer: Reply, reason: str) -> None:
    with Press() as press:
        articles = read(press, where, answer)
    assert [one.article.title for one in articles] == ["The ferry stays in port", "The bridge opens early"]
    assert [one.article.text for one in articles] == ["What the harbour master said of the storm.", ""]
    assert articles[0].headline.teaser_reason == reason
    with store.open(where) as kept:
        assert kept.queue(datetime.now(UTC)).later == 2
        assert kept.totals().teasers == 2
        source = with_content(kept.sources()[0], kept.item_counts()[1])
        assert source.state == "teasers"
        assert "2 items, only teasers: " in source.problem
        assert kept.search("harbour master").items


def test_a_page_that_comes_later_replaces_the_teaser_and_keeps_what_was_read(where: str) -> None:
    with Press() as press:
        read(press, where, reply(b"", 403))
        with store.open(where) as kept:
            grouping.group(kept, NOW)
            kept.mark_read(LOCAL, [1])
            first_story = kept.articles_by_number([1])[0].headline.story
            kept.fetch_again([1, 2], datetime.now(UTC) - timedelta(seconds=1))
        press.more["wall.example/one"] = reply(story("The ferry stays in port", "A ferry number"))
        assert run(press, where).changed == 1
    with store.open(where) as kept:
        one, two = kept.articles_by_number([1, 2])
        assert (one.version, one.headline.teaser_reason, two.version, two.headline.teaser_reason) == (1, "", 1, "403")
        assert one.headline.versions == 1
        assert "A ferry number 7" in one.article.text
        assert kept.unread_among(LOCAL, [1, 2]) == {2}
        assert kept.totals().articles == 2
        assert not kept.signatures_of([1])
        grouping.group(kept, NOW)
        assert list(kept.signatures_of([1, 2])) == [1]  # it is compared with others from now on
        assert kept.articles_by_number([1])[0].headline.story == first_story
        assert kept.check() == []


def test_a_text_that_replaces_a_teaser_comes_into_a_story_without_delay(where: str) -> None:
    with Press() as press:
        read(press, where, reply(b"", 403))
        with store.open(where) as kept:
            grouping.group(kept, NOW)
            kept.fetch_again([1], datetime.now(UTC) - timedelta(seconds=1))
        press.more["wall.example/one"] = reply(story("The ferry stays in port", "A ferry number"))

        async def until_grouped() -> None:
            stop = asyncio.Event()

            async def stop_when_grouped() -> None:
                with store.open(where) as kept:
                    while not kept.signatures_of([1]):
                        await asyncio.sleep(0.05)
                stop.set()

            async with press.live() as live, asyncio.timeout(30):
                plan = replace(QUICK, once=False, group=True)
                watching = pipeline.watch(where, fetcher=live, plan=plan, stop=stop)
                await asyncio.gather(watching, stop_when_grouped())

        asyncio.run(until_grouped())


def test_an_article_with_its_text_is_not_replaced_by_a_teaser(where: str) -> None:
    with Press() as press:
        read(press, where, reply(story("The ferry stays in port", "A ferry number")))
        press.more["wall.example/one"] = reply(b"", 403)
        with store.open(where) as kept:
            kept.fetch_again([1], datetime.now(UTC) - timedelta(seconds=1))
        run(press, where)
    with store.open(where) as kept:
        one = kept.articles_by_number([1])[0]
    assert (one.version, one.headline.teaser_reason) == (1, "")


@pytest.mark.parametrize(
    ("counts", "state"),
    [
        (ItemCounts(6, 6, 6, "403"), "teasers"),
        (ItemCounts(6, 6, 5, "403"), "ok"),
        (ItemCounts(6, 0), "no articles"),
        (ItemCounts(0, 0), "ok"),
        (None, "ok"),
    ],
)
def test_a_source_with_items_and_no_text_is_not_well(counts: ItemCounts | None, state: str) -> None:
    source = Source(1, NewSource("https://a.example/feed"), NOW, NOW, state="ok")
    told = with_content(source, counts)
    assert (told.state, bool(told.problem)) == (state, state != "ok")
    broken = replace(source, state="not found", problem="the server says 404")
    assert with_content(broken, counts) == broken


def test_pages_of_teasers_are_tried_again_with_longer_pauses_and_then_no_more() -> None:
    tries = [next_teaser_try(attempts, NOW) for attempts in range(1, TRIES + 1)]
    assert [None if at is None else (at - NOW) // timedelta(hours=1) for at in tries] == [1, 4, 12, 12, None]


def test_items_of_a_host_that_asks_for_time_are_not_held_back(where: str) -> None:
    tired = answers(reply(b"", 429, {"Retry-After": "3600"}))
    with Press() as press:
        read(press, where, tired)
    with store.open(where) as kept:
        reasons = sorted(one.headline.teaser_reason for one in kept.each_article())
        assert len(reasons) == 2
        assert set(reasons) <= {"429", "waiting"}


def test_the_url_is_fetched_as_the_feed_has_it_and_known_without_its_tracking(where: str) -> None:
    with Press() as press:
        press.more |= {
            "utm.example/a": rss(item("https://utm.example/story?utm_source=rss&amp;id=7", "Seals return")),
            "utm.example/b": rss(item("https://utm.example/story?id=7&amp;utm_source=mail", "Seals return")),
            "utm.example/story?utm_source=rss&id=7": reply(story("Seals return", "A seal number")),
            "utm.example/story?id=7&utm_source=mail": reply(story("Seals return", "A seal number")),
        }
        add(where, feed(press, "utm.example/a"), feed(press, "utm.example/b"))
        tally = run(press, where)
    assert (tally.kept, tally.postponed) == (1, 0)
    with store.open(where) as kept:
        (one,) = kept.each_article()
    assert one.headline.sources == (1, 2)
    assert one.headline.teaser_reason == ""


def dated(address: str, title: str, published: str, content: str = "") -> str:
    return item(address, title, content=content).replace("</item>", f"<pubDate>{published}</pubDate></item>")


@pytest.mark.parametrize("change", ["title", "date", "text"])
def test_a_correction_in_rss_is_fetched_again_and_becomes_a_version(where: str, change: str) -> None:
    date = "Tue, 17 Nov 2026 12:00:00 GMT"
    old = [f"https://c.example/{number}" for number in range(4)]
    items = [dated(one, f"Story {one[-1]}", date, f"Teaser {one[-1]}.") for one in old]
    first = dated(
        old[0],
        "Story 0, corrected" if change == "title" else "Story 0",
        "Tue, 17 Nov 2026 15:00:00 GMT" if change == "date" else date,
        "Another teaser." if change == "text" else "Teaser 0.",
    )
    with Press() as press:
        for address in old:
            press.more[address.removeprefix("https://")] = reply(story(f"Story {address[-1]}", f"Word {address[-1]}"))
        press.more["c.example/feed"] = rss(*items)
        add(where, feed(press, "c.example/feed"))
        assert run(press, where).kept == 4
        again(where)
        assert run(press, where).polled == 1  # nothing has changed
        press.more["c.example/feed"] = rss(first, *items[1:])
        press.more["c.example/0"] = reply(story("Story 0, corrected", "A corrected word"))
        again(where)
        tally = run(press, where)
        assert (tally.kept, tally.changed) == (0, 1)
        assert [len(press.asked(f"c.example/{number}")) for number in range(4)] == [2, 1, 1, 1]
    with store.open(where) as kept:
        one = kept.articles_by_number([1])[0]
        assert (one.version, one.article.title) == (2, "Story 0, corrected")


def test_a_feed_that_dates_all_its_items_anew_has_corrected_none(where: str) -> None:
    with Press() as press:
        for number in range(4):
            press.more[f"d.example/{number}"] = reply(story(f"Story {number}", f"Word {number}"))

        def at(hour: int) -> bytes:
            published = f"Tue, 17 Nov 2026 {hour}:00:00 GMT"
            return rss(*(dated(f"https://d.example/{number}", f"Story {number}", published) for number in range(4)))

        press.more["d.example/feed"] = at(12)
        add(where, feed(press, "d.example/feed"))
        run(press, where)
        press.more["d.example/feed"] = at(13)
        again(where)
        run(press, where)
        assert [len(press.asked(f"d.example/{number}")) for number in range(4)] == [1, 1, 1, 1]


def test_an_item_without_a_page_and_without_text_stays_and_is_corrected(where: str) -> None:
    with Press() as press:
        press.more["n.example/feed"] = rss(
            "<item><title>A note</title><guid isPermaLink='false'>n1</guid></item>",
            "<item><title>Another</title><guid isPermaLink='false'>n2</guid></item>",
        )
        add(where, feed(press, "n.example/feed"))
        run(press, where)
        press.more["n.example/feed"] = rss(
            "<item><title>A corrected note</title><guid isPermaLink='false'>n1</guid></item>",
            "<item><title>Another</title><guid isPermaLink='false'>n2</guid></item>",
        )
        again(where)
        run(press, where)
    with store.open(where) as kept:
        versions = {one.article.title: one.version for one in kept.each_article()}
        assert versions == {"A corrected note": 2, "Another": 1}


def test_pages_of_the_portal_name_the_reason_and_lead_out(where: str) -> None:
    with Press() as press:
        read(press, where, reply(b"", 403))
        press.more |= {
            "full.example/feed": rss(item("https://full.example/one", "A whole story of seals")),
            "full.example/one": reply(story("A whole story of seals", "A seal number")),
        }
        add(where, feed(press, "full.example/feed"))
        run(press, where, replace(QUICK, group=True))
    with store.open(where) as kept:
        app = App(kept, housed.Web(), housed.Web(), now=lambda: datetime.now(UTC) + timedelta(minutes=5))
        client, near = housed.client(app), TestClient(application(app), housed.HERE, client=("127.0.0.1", 50_000))
        article = client.get("/article/1").text
        assert "Only the teaser: the site answered 403." in article
        assert article.count("What the harbour master said of the storm.") <= 2  # once in the head's description
        assert 'href="http://wall.example' in article
        source = client.get("/sources/1").text
        assert "Only teasers" in source
        assert ">OK<" not in source
        assert "The bridge opens early" in source
        assert "only teasers: 2" in client.get("/sources").text
        assert ">OK<" in client.get("/sources/2").text
        assert client.get("/unread").text.count('class="tag">Only the teaser: the site answered 403.<') == 2
        phone_items = phone(site_of(app)).get("stream/contents", n="10")["items"]
        contents = {one["title"]: one["summary"]["content"] for one in phone_items}
        assert "Only the teaser: the site answered 403." in contents["The bridge opens early"]
        told = client.get("/api/v1/sources").json()["items"]
        assert [(one["state"], one["articles"], one["teasers"]) for one in told] == [("teasers", 2, 2), ("ok", 1, 0)]
        listed = {one["id"]: one["teaser_reason"] for one in client.get("/api/v1/articles").json()["items"]}
        assert listed == {1: "the site answered 403", 2: "the site answered 403", 3: ""}
        assert "Only the teaser: the site answered 403." in client.get("/feeds/latest.rss").text
        assert "tidings_teaser_articles 2.0" in near.get("/metrics").text
        made = edition(kept, app.now(), named=lambda one: one.site)
        assert made.top[0].story.title == "A whole story of seals"
        assert {one.story.title for one in made.teasers} == {
            *("A whole story of seals", "The ferry stays in port", "The bridge opens early")
        }


def test_reasons_are_said_in_all_languages_and_alike_in_english() -> None:
    reasons = ("slow", "robots", "unreachable", "empty", "wall", "failed", "waiting")
    for language in LANGUAGES:
        assert all(words(language)(f"teaser.{reason}") for reason in reasons), language
        assert "403" in words(language)("teaser.status", status="403"), language
    english = words("en")
    assert [english(f"teaser.{reason}") for reason in reasons] == [teaser_sentence(reason) for reason in reasons]
    assert english("teaser.status", status="403") == teaser_sentence("403")


def test_a_date_in_the_future_is_shown_alike_in_list_and_article(where: str) -> None:
    ahead = datetime.now(UTC) + timedelta(hours=3)
    published = ahead.strftime("%a, %d %b %Y %H:%M:%S GMT")
    with Press() as press:
        press.more["f.example/feed"] = rss(dated("https://f.example/one", "Tomorrow's paper", published))
        press.more["f.example/one"] = reply(story("Tomorrow's paper", "A word"))
        add(where, feed(press, "f.example/feed"))
        run(press, where)
    with store.open(where) as kept:
        app = App(kept, housed.Web(), housed.Web(), now=lambda: datetime.now(UTC))
        (one,) = kept.articles().items
        assert one.published is not None
        assert one.is_dated_ahead
        assert one.time == one.first_seen
        page = housed.client(app).get("/article/1").text
        assert "First seen" in page
        assert "Published" not in page


def test_killed_between_two_tries_the_retry_is_still_in_the_queue(where: str) -> None:
    with Press() as press:
        read(press, where, reply(b"", 404))
    with store.open(where) as kept:
        later = datetime.now(UTC) + timedelta(hours=2)
        tasks = kept.claim("another", 10, timedelta(minutes=5), later)
        assert [task.attempts for task in tasks] == [2, 2]
