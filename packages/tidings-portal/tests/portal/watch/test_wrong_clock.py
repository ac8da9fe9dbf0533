"""HOSTILE 32: the clock was wrong for a while. When it is right again, everything goes on at once."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.fetch.server import Reply, Server, reply
from tests.portal.store.conftest import database, server, where  # noqa: F401  # fixtures
from tests.portal.watch.press import QUICK, Press
from tests.portal.watch.test_watch import item, rss, story
from tidings.cli.app import app
from tidings.fetch import HostState, Pace
from tidings.fetch.clock import SystemClock
from tidings.fetch.politeness.pace import Go, Later, turn
from tidings_portal import store
from tidings_portal import watch as pipeline
from tidings_portal.store.records_of_work import NewSource, SeenLink
from tidings_portal.watch import decide, interval, presence
from tidings_portal.watch.events import Event, Polled, WatchCounts
from tidings_portal.watch.host_states import SPACE, StoredHostStates

TEN_YEARS = timedelta(days=3652)
JUMPS = pytest.mark.parametrize("jump", [TEN_YEARS, timedelta(days=12), -TEN_YEARS], ids=["ahead", "days", "behind"])
#: Turns are kept, and so written down, but nobody waits long.
PACE = Pace(delay=0.01, retries=0)
FEED = "clock.example/feed.xml"


class SetClock(SystemClock):
    """A clock that somebody sets."""

    def __init__(self, jump: timedelta = timedelta()) -> None:
        self.jump = jump

    def now(self) -> float:
        return time.time() + self.jump.total_seconds()


@pytest.fixture
def press() -> Iterator[Press]:
    pages: dict[str, Reply] = {
        f"clock.example/{name}": reply(story(f"The {name} clock", f"Of the {name} clock")) for name in "abcd"
    }
    with Press(more=pages) as press:
        yield press


def show(press: Press, *names: str) -> None:
    """What the feed shows from now on."""
    press.more[FEED] = rss(*(item(f"https://clock.example/{name}", f"The {name} clock") for name in names))


def run(press: Press, where: str, clock: SetClock) -> WatchCounts:  # noqa: F811
    async def once() -> WatchCounts:
        with store.open(where) as kept:
            async with press.live(PACE, host_states=StoredHostStates(kept), clock=clock) as live:
                return await pipeline.watch(where, fetcher=live, plan=QUICK, clock=clock)

    return asyncio.run(once())


@JUMPS
def test_sources_are_polled_again_when_it_is_right(press: Press, where: str, jump: timedelta) -> None:  # noqa: F811
    with store.open(where) as kept:
        kept.add_sources([NewSource(press.url(FEED))], datetime.now(UTC) + jump - timedelta(seconds=1))
    show(press, "a")
    assert run(press, where, SetClock(jump)).kept == 1
    show(press, "a", "b")
    tally = run(press, where, SetClock())
    assert (tally.polled, tally.broken, tally.kept) == (1, 0, 1)
    with store.open(where) as kept:
        source = kept.sources()[0]
        assert timedelta() < source.next_poll - datetime.now(UTC) < timedelta(days=1)
        assert source.last_success is not None
        assert source.last_success <= datetime.now(UTC)


@JUMPS
def test_and_where_it_was_right_before(press: Press, where: str, jump: timedelta) -> None:  # noqa: F811
    with store.open(where) as kept:
        kept.add_sources([NewSource(press.url(FEED))], datetime.now(UTC) - timedelta(seconds=1))
    for names, clock in (("a", SetClock()), ("ab", SetClock(jump)), ("abc", SetClock())):
        show(press, *names)
        tally = run(press, where, clock)
        assert (tally.polled, tally.broken, tally.kept) == (1, 0, 1)


@JUMPS
def test_pages_that_failed_and_hosts_that_were_left_alone(press: Press, where: str, jump: timedelta) -> None:  # noqa: F811
    with store.open(where) as kept:
        kept.add_sources([NewSource(press.url(FEED))], datetime.now(UTC) + jump - timedelta(seconds=1))
    show(press, "a", "b")
    well = press.more["clock.example/a"]
    press.more["clock.example/a"] = reply(b"", 503, {"Retry-After": "3600"})
    run(press, where, SetClock(jump))
    with store.open(where) as kept:  # their headlines are there
        assert {one.headline.teaser_reason for one in kept.each_article()} & {"503", "waiting"}
    press.more["clock.example/a"] = well
    if jump < timedelta():
        with store.open(where) as kept:  # an hour is over
            assert kept.queue(datetime.now(UTC)).waiting
    run(press, where, SetClock())
    with store.open(where) as kept:
        assert [one.headline.teaser_reason for one in kept.each_article()] == ["", ""]


def test_it_is_set_while_a_watch_runs(press: Press, where: str) -> None:  # noqa: F811
    clock = SetClock(TEN_YEARS)
    with store.open(where) as kept:
        kept.add_sources([NewSource(press.url(FEED))], datetime.now(UTC))
    show(press, "a")
    polls: list[datetime] = []

    async def both() -> None:
        stop = asyncio.Event()

        def tell(event: Event) -> None:
            if isinstance(event, Polled):
                polls.append(event.poll.at)
                if len(polls) == 1:
                    show(press, "a", "b")
                    clock.jump = timedelta()
                else:
                    stop.set()

        with store.open(where) as kept:
            async with press.live(PACE, host_states=StoredHostStates(kept), clock=clock) as live:
                plan = replace(QUICK, once=False)
                watching = pipeline.watch(where, fetcher=live, plan=plan, tell=tell, stop=stop, clock=clock)
                await asyncio.wait_for(watching, 30)

    asyncio.run(both())
    assert polls[0] - polls[1] > timedelta(days=3000)


@pytest.mark.parametrize("far", [TEN_YEARS, timedelta(hours=12)], ids=["years", "half a day"])
def test_now_always_works(tmp_path: Path, far: timedelta) -> None:
    path = str(tmp_path / "news.tidings")
    ahead = datetime.now(UTC) + far
    table = {"/robots.txt": reply(b"", 404), "/feed.xml": rss(), "*": reply(b"", 404)}
    with Server(table) as local:
        with store.open(path) as kept:
            kept.add_sources([NewSource(local.url("/feed.xml"))], ahead)
            kept.poll_again(1, ahead)
            kept.claim_sources("somebody", 1, timedelta(minutes=15), ahead)
            free_at = ahead.timestamp()
            value = json.dumps([free_at, free_at if far == TEN_YEARS else 0.0, 1]).encode()
            kept.save_state("localhost", value, ahead, version=0, space=SPACE)
            kept.hold_host("localhost", ahead)
        said = CliRunner().invoke(
            app,
            ["watch", "--once", "--now", "--jobs", "1", "--no-stories", "--store", path, "--allow-host", "localhost"],
        )
    assert said.exit_code == 0, said.output
    assert "1 sources polled" in said.output
    assert "broken" not in said.output
    assert [asked.path for asked in local.asked] == ["/robots.txt", "/feed.xml"]


def test_leases_of_the_future_end(where: str) -> None:  # noqa: F811
    now = datetime.now(UTC)
    with store.open(where) as kept:
        kept.add_sources([NewSource("https://a.example/feed"), NewSource("https://b.example/feed")], now)
        kept.note_links([SeenLink("https://a.example/1", ("k",))], now)
        lease = timedelta(minutes=15)
        assert len(kept.claim_sources("ahead", 2, lease, now + TEN_YEARS)) == 2
        assert len(kept.claim("ahead", 1, lease, now + TEN_YEARS)) == 1
        kept.hold_host("a.example", now + TEN_YEARS)
        assert kept.claim_sources("right", 2, lease, now) == []
        assert kept.correct_times(now, sources=interval.LONGEST, tasks=decide.LONGEST) == 4
        assert len(kept.claim_sources("right", 2, lease, now)) == 2
        assert len(kept.claim("right", 1, lease, now, per_host=8)) == 1
        assert kept.correct_times(now, sources=interval.LONGEST, tasks=decide.LONGEST) == 0


def test_what_somebody_can_have_asked_for_is_believed(where: str) -> None:  # noqa: F811
    now = datetime.now(UTC)
    month = NewSource("https://b.example/feed", interval=timedelta(days=30))
    with store.open(where) as kept:
        kept.add_sources([NewSource("https://a.example/feed"), month], now)
        kept.poll_again(1, now + timedelta(days=15))
        kept.poll_again(2, now + timedelta(days=38))
        kept.note_links([SeenLink("https://a.example/1", ("k",))], now + timedelta(hours=23))
        kept.hold_host("a.example", now + timedelta(days=1))
        assert kept.correct_times(now, sources=interval.LONGEST, tasks=decide.LONGEST) == 0
        assert kept.claim_sources("right", 2, timedelta(minutes=15), now) == []


def test_a_watcher_last_heard_of_in_the_future_is_no_more(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    with store.open(tmp_path / "news.tidings") as kept:
        for name, beat in (("ahead", now + TEN_YEARS), ("near", now + timedelta(minutes=10)), ("now", now)):
            presence.Watcher(name, "elsewhere", 1, "", now.isoformat()).beat(kept, beat)
        assert [one.name for one in presence.take_over(kept, now)] == ["ahead"]


@pytest.mark.parametrize("wrong", [3.2e8, 90_000, float("inf")])
def test_standings_of_the_future_are_not_believed(wrong: float) -> None:
    now, pace = 1.7e9, Pace()
    standing, intent = turn(HostState(now + wrong, now + wrong, 3), pace, now)
    assert intent == Go()
    assert standing == HostState(now + pace.delay, 0.0, 3)
    assert turn(HostState(now + 30, now + 86_000), pace, now)[1] == Later(now + 86_000)
