"""What watchers share through the store: manners, what is known of sites, and who is there."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.portal.store.conftest import database, server  # noqa: F401  # fixtures
from tests.portal.watch.press import QUICK, Press
from tidings import Reader, newspaper
from tidings.fetch import HostState, Pace
from tidings.fetch.politeness.pace import Go, Wait, turn
from tidings.sites import SiteMemory
from tidings.sites.storage.backends import MOST_PAGES, SiteEvent, SitePage
from tidings_portal import store
from tidings_portal import watch as pipeline
from tidings_portal.store.records_of_work import NewSource, SeenLink
from tidings_portal.watch import presence
from tidings_portal.watch.events import WatchCounts
from tidings_portal.watch.host_states import StoredHostStates
from tidings_portal.watch.site_storage import StoredSites

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


def test_hosts_are_asked_in_turn_by_all_together(tmp_path: Path) -> None:
    with store.open(tmp_path / "a") as one, store.open(tmp_path / "a") as two:
        host_states = [StoredHostStates(one), StoredHostStates(two)]

        async def ask() -> list[object]:
            steps = [each.change("a.example", lambda s: turn(s, Pace(delay=1.0), 100.0)) for each in host_states * 5]
            return list(await asyncio.gather(*steps))

        intents = asyncio.run(ask())
    # Ten requests at one moment: one goes now, the others one second after each other.
    assert Counter(map(type, intents)) == {Go: 1, Wait: 9}
    assert sorted(one.until for one in intents if isinstance(one, Wait)) == [101.0 + n for n in range(9)]


def test_a_store_that_fails_does_not_stop_manners(tmp_path: Path) -> None:
    kept = store.open(tmp_path / "a", readonly=False)
    kept.save_state("a.example", b"nonsense", NOW, version=None, space="host")
    host_states = StoredHostStates(kept)
    said = asyncio.run(host_states.change("a.example", lambda s: (replace(s, failures=s.failures + 1), s)))
    assert said == HostState()
    kept.close()


def test_a_site_is_learned_once_by_all(tmp_path: Path) -> None:
    pages = list(newspaper.pages("gazette", page_type="article"))
    with store.open(tmp_path / "a") as kept:
        first = Reader(SiteMemory(StoredSites(kept)))
        for page in pages:
            first.extract(page.html, page.url)
        first.close()
        storage = StoredSites(kept)
        assert storage.names() == ["gazette.example"]
        assert storage.pages("gazette.example") == []
        assert [event.what for event in storage.events()] == ["learned"]
        second = Reader(SiteMemory(StoredSites(kept)))
        assert second.cut(pages[0].html, pages[0].url) is not None


def test_a_storage_is_bounded_and_notices_others(tmp_path: Path) -> None:
    with store.open(tmp_path / "a") as kept:
        storage = StoredSites(kept)
        assert storage.set("a.example", "one", 0)
        assert not storage.set("a.example", "other", 0)
        assert storage.get("a.example") == ("one", 1)
        for n in range(MOST_PAGES + 5):
            assert storage.keep("a.example", SitePage(f"https://a.example/{n}", b"x\n" * n)) <= MOST_PAGES
        assert storage.keep("a.example", SitePage("https://a.example/9", b"again")) == MOST_PAGES
        found = storage.pages("a.example")
        assert found[-1] == SitePage("https://a.example/9", b"again")
        assert len(found) == MOST_PAGES == len({page.url for page in found})
        for n in range(120):
            storage.tell(SiteEvent(NOW, "a.example", "learned", str(n)))
        assert [event.why for event in storage.events("a.example")] == [str(n) for n in range(20, 120)]
        storage.remove("a.example")
        assert (storage.get("a.example"), storage.pages("a.example")) == (None, [])


def test_what_a_dead_watcher_had_is_taken_over(tmp_path: Path) -> None:
    with store.open(tmp_path / "a") as kept:
        kept.note_links([SeenLink("https://a.example/1", ("1",))], NOW)
        alive = presence.Watcher.current(NOW)
        dead = replace(alive, name="dead", process=2**22 + 5)
        again = replace(alive, name="again", began="1")  # its number is used by another process now
        elsewhere = replace(alive, name="elsewhere", machine="another")
        contained = replace(alive, name="contained", process=2**22 + 5, among="pid:[1]")  # under this machine's name
        for watcher in (alive, dead, again, elsewhere, contained):
            watcher.beat(kept, NOW)
        assert kept.claim("dead", 1, timedelta(hours=1), NOW)
        taken = presence.take_over(kept, NOW + timedelta(minutes=1))
        assert {watcher.name for watcher in taken} == {"dead", "again"}
        assert kept.queue(NOW + timedelta(minutes=1)).waiting == 1
        assert {one.name for one in presence.take_over(kept, NOW + timedelta(hours=1))} == {"elsewhere", "contained"}
        assert [watcher.process for watcher, _ in presence.watchers(kept)] == [os.getpid()]
        kept.save_state("odd", b"[]", NOW, version=None, space=presence.SPACE)
        assert len(list(presence.watchers(kept))) == 1


@pytest.mark.gate
def test_two_watchers_on_postgresql(database: str) -> None:  # noqa: F811
    with Press() as press:
        feeds = [one for one in newspaper.sources() if one.kind not in ("opml", "sitemap")]
        with store.open(database) as kept:
            early = datetime.now(UTC) - timedelta(seconds=1)
            kept.add_sources([NewSource(press.url(one.url)) for one in feeds], early)

        async def both() -> list[WatchCounts]:
            async with press.live() as one, press.live() as two:
                plan = replace(QUICK, batch=3, pages_at_once=8, group=True)
                return await asyncio.gather(*(pipeline.watch(database, fetcher=live, plan=plan) for live in (one, two)))

        tallies = asyncio.run(both())
        assert max(Counter(press.asked()).values()) == 1
    with store.open(database) as kept:
        assert kept.check() == []
        assert kept.totals().articles == sum(tally.kept for tally in tallies) == 52
        assert 1 < kept.totals().stories <= 52


@pytest.mark.parametrize("shown", [True, False])
def test_a_page_that_is_empty_without_scripts(tmp_path: Path, shown: bool) -> None:
    from tests.fetch.server import reply
    from tests.portal.watch.test_watch import add, feed, item, rss, story
    from tidings.errors import BrowserFailed
    from tidings.fetch import Outcome, Request, Response

    class Shows:
        async def fetch(self, request: Request) -> Outcome:
            page = story("Seals", "A seal number")
            return Response(request.url, 200, body=page) if shown else BrowserFailed(request.url, "died")

    shell = b'<!doctype html><html><body><div id="root"></div><script src="/a.js"></script></body></html>'
    where = str(tmp_path / "news.tidings")
    with Press() as press:
        press.more["a.example/feed"] = rss(item("https://a.example/news/seals", "Seals of the estuary"))
        press.more["a.example/news/seals"] = reply(shell)
        add(where, feed(press, "a.example/feed"))

        async def once() -> WatchCounts:
            async with press.live() as live:
                return await pipeline.watch(where, fetcher=live, browser=Shows(), plan=QUICK)

        tally = asyncio.run(once())
    assert (tally.kept, tally.set_aside) == (1, 0)
    with store.open(where) as kept:
        assert [one.headline.teaser_reason for one in kept.each_article()] == ["" if shown else "wall"]
