"""One bad source, link, page or article costs itself and nothing else, is named, is not tried for ever: HOSTILE 29."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.portal.watch.press import QUICK, Press
from tests.portal.watch.test_grouping import NOW, thirty
from tidings.article import Article
from tidings.fetch.clock import SYSTEM
from tidings.processes import JobFailed
from tidings.sites.storage.backends import SitePage as KeptSitePage
from tidings.sources import Feed, Link, read_feed
from tidings_portal import store
from tidings_portal import watch as pipeline
from tidings_portal.recipes.catalogue import RecipeCatalogue
from tidings_portal.store import Store
from tidings_portal.store.quarantine import ItemName, Quarantine
from tidings_portal.store.records_of_articles import NewArticle
from tidings_portal.store.records_of_work import ItemKind, NewSource, Stage
from tidings_portal.stories.report import Report
from tidings_portal.stories.tracker import Tracker
from tidings_portal.stories.weights import TermWeights
from tidings_portal.watch import feed_text, grouping, parse_source, store_links
from tidings_portal.watch.context import WatchContext
from tidings_portal.watch.events import Event, StoreTrouble, WatchCounts
from tidings_portal.watch.presence import Watcher
from tidings_portal.watch.quarantine import retry
from tidings_portal.watch.site_storage import StoredSites
from tidings_portal.watch.watcher import _Watch
from tidings_portal.watch.worker import GroupStories, Job, Result

GAZETTE = "gazette.example/feeds/news.xml"


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Store]:
    """A store of thirty articles."""
    with store.open(tmp_path / "a.tidings") as opened:
        opened.keep([NewArticle(one, NOW) for one in thirty()])
        yield opened


def placed(kept: Store) -> list[int]:
    return sorted(number for _, members in kept.each_story() for number in members)


def quarantined(where: str, stage: Stage) -> list[str]:
    with store.open(where) as opened:
        return [entry.item for entry in opened.quarantine(stage)]


def bad_weights(monkeypatch: pytest.MonkeyPatch, *bad: int, title: str = "") -> list[int]:
    """Make weighing fail for articles with these numbers or this title; return the numbers of those weighed."""
    tried: list[int] = []
    real = TermWeights.of

    def of(self: TermWeights, report: Report) -> dict[str, float]:
        tried.append(report.id)
        if report.id in bad or report.title == title:
            raise IndexError("string index out of range")
        return real(self, report)

    monkeypatch.setattr(TermWeights, "of", of)
    return tried


# -- stories --------------------------------------------------------------------------------------------------------


def test_a_bad_article_among_thirty(
    kept: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    others = [number for number in range(1, 31) if number not in (1, 17, 30)]
    with monkeypatch.context() as patch:
        tried = bad_weights(patch, 1, 17, 30)
        assert grouping.group(kept, NOW) == 30
        assert placed(kept) == others
        assert sorted(entry.item for entry in kept.quarantine(Stage.STORIES)) == ["1", "17", "30"]
        assert "article 17 (The thing16 of thing16shire) is set aside in stories: IndexError" in caplog.text
        # The next rounds leave them alone, and new articles come through.
        tried.clear()
        kept.keep([NewArticle(replace(thirty()[0], url="https://paper.example/new", title="A new one"), NOW)])
        assert grouping.group(kept, NOW) == 1
        assert grouping.group(kept, NOW) == 0
        assert set(tried) == {31}
        # Somebody asks: they are tried once, and still fail.
        assert kept.retry_quarantine(NOW) == 3
        tried.clear()
        grouping.group(kept, NOW)
        assert {1, 17, 30} <= set(tried)
        assert {entry.attempts for entry in kept.quarantine()} == {2}
    # The software is mended.
    assert kept.retry_quarantine(NOW) == 3
    assert grouping.group(kept, NOW) == 3
    assert placed(kept) == list(range(1, 32))
    assert kept.quarantine() == []
    assert kept.check() == []


def test_a_poisoned_article_among_thirty(kept: Store) -> None:
    kept.database.write(lambda session: session.run("UPDATE version SET body = ? WHERE article = 9", b"\x28\xb5"))
    assert grouping.group(kept, NOW) == 29
    assert placed(kept) == [number for number in range(1, 31) if number != 9]
    assert [(entry.stage, entry.item) for entry in kept.quarantine()] == [(Stage.STORE, "9")]


def test_a_stage_that_cannot_do_anything_blames_no_article(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Tracker, "state", lambda _self: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            grouping.group(kept, NOW)
    assert kept.quarantine() == []
    assert grouping.group(kept, NOW) == 30  # at once: nobody is at it any more


class Deadly:
    """A crew whose worker dies over one article."""

    def __init__(self, kept: Store, bad: int) -> None:
        self._kept = kept
        self._bad = bad
        self.deaths = 0

    async def do(self, job: Job, worker: int | None = None) -> Result:  # noqa: ARG002  # there is one only
        """Put articles into stories, or die."""
        assert isinstance(job, GroupStories)
        pending = grouping.pending(self._kept, Quarantine(self._kept, Stage.STORIES), job.at_once)
        if any(one.headline.id == self._bad for one in pending):
            self.deaths += 1
            self._kept.save_state("lease", b"busy " + job.owner.encode(), job.at, version=None, space=grouping.SPACE)
            raise JobFailed("the process was ended by SIGKILL")
        return grouping.group(self._kept, job.at, owner=job.owner, at_once=job.at_once, batches=1)

    async def close(self) -> None:
        """Nothing is open."""


def test_an_article_that_kills_whoever_places_it(kept: Store) -> None:
    events: list[Event] = []

    async def once() -> Deadly:
        crew = Deadly(kept, 23)
        me = Watcher.current(NOW)
        context = WatchContext(kept, me.name, None, crew, QUICK, SYSTEM, events.append, RecipeCatalogue(kept))  # type: ignore[arg-type]
        context.plan = replace(QUICK, group=True)
        try:
            await _Watch(context, me)._group()
        finally:
            context.close()
        return crew

    crew = asyncio.run(once())
    assert placed(kept) == [number for number in range(1, 31) if number != 23]
    (entry,) = kept.quarantine()
    assert (entry.item, entry.stage) == ("23", Stage.STORIES)
    assert "SIGKILL" in entry.reason
    assert crew.deaths <= 12
    assert not [event for event in events if isinstance(event, StoreTrouble)]


def test_links_that_nobody_shows_any_more_are_forgotten(kept: Store) -> None:
    name = ItemName(ItemKind.LINK, "https://a.example/x")
    Quarantine(kept, Stage.LINKS, NOW).add(name, "why")
    retry(kept, NOW + timedelta(days=29))
    assert len(kept.quarantine()) == 1
    retry(kept, NOW + timedelta(days=31))
    assert kept.quarantine() == []


def test_articles_that_can_be_read_and_found_again(kept: Store) -> None:
    aside = [Quarantine(kept, stage, NOW) for stage in (Stage.STORE, Stage.SEARCH)]
    for one in aside:
        one.add(ItemName(ItemKind.ARTICLE, "3"), "why")
        one.add(ItemName(ItemKind.ARTICLE, "99"), "it is gone")
    retry(kept, NOW)
    assert len(kept.quarantine()) == 4  # this version has failed on them, and nobody asked
    kept.retry_quarantine(NOW)
    retry(kept, NOW)
    assert kept.quarantine() == []


def test_a_page_of_a_site_that_cannot_be_unpacked(kept: Store) -> None:
    storage = StoredSites(kept)
    for number in range(3):
        storage.keep("a.example", KeptSitePage(f"https://a.example/{number}", b"<p>a page"))
    space = "site page a.example"
    kept.save_state(kept.states(space)[1], b"no page", NOW, version=None, space=space)
    assert [one.url for one in storage.pages("a.example")] == ["https://a.example/0", "https://a.example/2"]
    assert len(kept.states(space)) == 2


# -- the whole watch ------------------------------------------------------------------------------------------------


class MistakenReader:
    """Has a mistake that one page brings out."""

    def extract(self, data: bytes | str, url: str | None = None) -> Article:
        import tidings

        if url is not None and url.endswith("storm-ilse-live"):
            raise RecursionError("a mistake over this page")
        return tidings.extract(data, url)


def watched(press: Press, where: str, events: list[Event], reader: type | None = MistakenReader) -> WatchCounts:
    async def once() -> WatchCounts:
        async with press.live() as live:
            plan = replace(QUICK, group=True)
            return await pipeline.watch(where, fetcher=live, plan=plan, tell=events.append, reader=reader)

    return asyncio.run(once())


def test_one_of_each_in_a_watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    where = str(tmp_path / "news.tidings")
    seen_link = store_links.seen_link

    def bad_feed(body: bytes, url: str, *more: object, **told: object) -> Feed:
        if "rss.asp" in url:
            raise LookupError("a mistake over this feed")
        return read_feed(body, url, *more, **told)  # type: ignore[arg-type]

    def bad_link(link: Link, keys: tuple[str, ...]) -> object:
        if "nine-walks" in link.canonical_url:
            raise AttributeError("a mistake over this link")
        return seen_link(link, keys)

    with Press() as press, caplog.at_level(logging.WARNING, "tidings.quarantine"):
        kiyi = NewSource(press.url("kiyi.example/rss.asp").replace("http://", "http://me:secret@"))
        with store.open(where) as kept:
            kept.add_sources([NewSource(press.url(GAZETTE)), kiyi], datetime.now(UTC))
        with monkeypatch.context() as patch:
            patch.setattr(parse_source, "read_feed", bad_feed)
            patch.setattr(store_links, "seen_link", bad_link)
            tried = bad_weights(patch, title="Parliament opens debate on a water price that rises with the bath")
            tally = watched(press, where, [])
            # Rounds go by, and nothing of it is tried again: the page is not fetched, the article not weighed.
            asked = len(press.asked("gazette.example/news/"))
            bad = {int(item) for item in quarantined(where, Stage.STORIES)}
            tried.clear()
            watched(press, where, [])
            assert len(press.asked("gazette.example/news/")) == asked
            assert not bad & set(tried)
        with store.open(where) as kept:
            aside = {entry.stage: entry for entry in kept.quarantine()}
            brought = kept.totals().articles
            assert set(aside) == {Stage.POLLING, Stage.LINKS, Stage.READING, Stage.STORIES}
            assert "LookupError" in aside[Stage.POLLING].reason
            assert aside[Stage.POLLING].item == "2"
            assert "nine-walks" in aside[Stage.LINKS].item
            assert aside[Stage.READING].name.endswith("storm-ilse-live")
            assert "RecursionError" in aside[Stage.READING].reason
            assert aside[Stage.STORIES].name.startswith("Parliament opens debate")
            assert placed(kept) == [number for number in range(1, brought + 1) if number not in bad]
            assert {entry.attempts for entry in aside.values()} == {1}
            assert [source.failures for source in kept.sources() if source.id == 2] == [1]
        assert tally.set_aside == 1
        assert "secret" not in caplog.text
        for said in ("source 2", "nine-walks", "storm-ilse-live", "Parliament opens debate"):
            assert said in caplog.text
        # The mistakes are mended, and somebody asks.
        with store.open(where) as kept:
            assert kept.retry_quarantine(datetime.now(UTC)) == 4
            kept.poll_again(1, datetime.now(UTC))
        watched(press, where, [], None)
        with store.open(where) as kept:
            assert kept.quarantine() == []
            assert kept.totals().articles > brought + 2
            titles = [one.title for one in kept.articles(limit=100).items]
            assert len(titles) == len(set(titles))
            assert kept.check() == []


def test_a_new_version_tries_again_by_itself(tmp_path: Path) -> None:
    where = str(tmp_path / "news.tidings")
    with Press() as press:
        with store.open(where) as kept:
            kept.add_sources([NewSource(press.url(GAZETTE))], datetime.now(UTC))
        watched(press, where, [])
        with store.open(where) as kept:
            (entry,) = kept.quarantine()
            kept.set_aside([replace(entry, version="0.0.1")])
        watched(press, where, [], None)
    with store.open(where) as kept:
        assert kept.quarantine() == []
        assert kept.failed_links() == []


def test_what_nobody_can_group_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = str(tmp_path / "news.tidings")
    events: list[Event] = []
    with Press() as press:
        with store.open(where) as kept:
            kept.add_sources([NewSource(press.url(GAZETTE))], datetime.now(UTC))
            kept.keep([NewArticle(one, NOW) for one in thirty()])
        with monkeypatch.context() as patch:
            patch.setattr(Tracker, "state", lambda _self: 1 / 0)
            watched(press, where, events, None)
        with store.open(where) as kept:
            (entry,) = kept.quarantine()
            assert (entry.stage, entry.kind) == (Stage.STORIES, ItemKind.BATCH)
            assert "ZeroDivisionError" in entry.sentence
            assert any("ZeroDivisionError" in event.sentence for event in events if isinstance(event, StoreTrouble))
        watched(press, where, events, None)
        with store.open(where) as kept:
            assert kept.quarantine() == []
            assert kept.totals().stories > 30


def test_an_entry_without_a_page_that_raises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = feed_text.of_link

    def of_link(link: Link) -> Article | None:
        if "Bad" in link.title:
            raise KeyError("a mistake")
        return real(link)

    monkeypatch.setattr(feed_text, "of_link", of_link)
    entries = "".join(
        f"<item><title>{title} one</title><guid isPermaLink='false'>{title}</guid><description>Some words of it, and"
        " some more, so that it is a text that can be kept.</description></item>"
        for title in ("Good", "Bad", "Better")
    )
    body = f"<rss version='2.0'><channel><title>Bare</title>{entries}</channel></rss>".encode()
    with store.open(tmp_path / "a.tidings") as kept:
        (number,) = kept.add_sources([NewSource("https://bare.example/rss")], NOW)
        source = kept.source(number)
        assert source is not None
        job = parse_source.SourceAnswer(
            source, source.settings.address, body, "application/rss+xml", NOW + timedelta(hours=1)
        )
        told = parse_source.parse_source(kept, None, job, RecipeCatalogue(kept))  # type: ignore[arg-type]  # shapes are of front pages
        assert (told.links, told.new) == (3, 2)
        assert [entry.item for entry in kept.quarantine(Stage.LINKS)] == ["Bad"]
