"""The decider: facts in, intents out. Nothing here touches a clock, a network or a store."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.errors import ConnectionFailed, InvalidURL, NotNow, RobotsDisallowed, TooLarge
from tidings.fetch import Redirect, Response
from tidings.sources import Offer, ProblemKind, Schedule, SourceProblem
from tidings_portal.store.records_of_work import TWO_HOURS, NewSource, Source, SourceKind
from tidings_portal.watch import interval
from tidings_portal.watch.decide import TRIES, Again, GiveUp, SlowDown, after_page, after_poll
from tidings_portal.watch.poll_report import PollReport

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)  # a Monday
URL = "https://a.example/feed"
HOUR = timedelta(hours=1)
NEW = Source(1, NewSource(URL), NOON - HOUR, NOON)
KNOWN = replace(NEW, last_success=NOON - TWO_HOURS, state="ok")
WELL = Response(URL, 200, (("etag", '"1"'),))


def report_of(*, new: int = 0, shown: int = 10, **more: object) -> PollReport:
    return PollReport("rss 2.0", "A feed", shown, new, **more)  # type: ignore[arg-type]


def every(gap: timedelta, count: int = 10) -> tuple[datetime, ...]:
    return tuple(NOON - gap * (n + 1) for n in range(count))


def test_two_hours_to_begin_with() -> None:
    """N-EXT thesis 4.1.1: at the beginning of every two hours."""
    decision = after_poll(NEW, WELL, report_of(new=10), NOON)
    assert decision.intent == Again(NOON + TWO_HOURS)
    assert (decision.poll.pace, decision.poll.state, decision.poll.etag) == (TWO_HOURS, "ok", '"1"')


def test_a_source_is_polled_as_often_as_it_has_news() -> None:
    source = KNOWN
    for _ in range(12):
        poll = after_poll(source, WELL, report_of(new=1, published=every(timedelta(minutes=30))), NOON).poll
        source = replace(source, pace=poll.pace)
    assert timedelta(minutes=29) < source.pace < timedelta(minutes=35)
    for _ in range(12):
        poll = after_poll(source, WELL, report_of(published=every(timedelta(days=3))), NOON).poll
        source = replace(source, pace=poll.pace)
    assert timedelta(hours=23) < source.pace <= interval.SLOWEST


def test_without_dates_by_whether_there_was_news() -> None:
    assert after_poll(KNOWN, WELL, report_of(new=3), NOON).poll.pace < TWO_HOURS
    assert after_poll(KNOWN, WELL, report_of(), NOON).poll.pace > TWO_HOURS
    # All of it is new: some may have come and gone unseen.
    assert after_poll(KNOWN, WELL, report_of(new=10), NOON).poll.pace == TWO_HOURS / 2


def test_what_a_feed_asks_for_holds_unless_a_reader_says_otherwise() -> None:
    busy = report_of(new=1, published=every(timedelta(minutes=10)), schedule=Schedule(timedelta(hours=6)))
    assert after_poll(KNOWN, WELL, busy, NOON).poll.pace == timedelta(hours=6)
    own = replace(KNOWN, settings=replace(KNOWN.settings, interval=timedelta(minutes=5)))
    assert after_poll(own, WELL, busy, NOON).poll.pace == timedelta(minutes=5)


def test_hours_and_days_to_be_left_alone() -> None:
    quiet = Schedule(skip_hours=frozenset({14, 15, 16}))
    assert interval.next_poll(NOON, TWO_HOURS, quiet) == NOON + timedelta(hours=5)
    assert interval.next_poll(NOON, TWO_HOURS, Schedule(skip_days=frozenset({0}))) == NOON + timedelta(hours=12)
    for never in (Schedule(skip_hours=frozenset(range(24))), Schedule(skip_days=frozenset(range(7)))):
        assert interval.next_poll(NOON, TWO_HOURS, never) == NOON + TWO_HOURS


@given(
    st.lists(st.datetimes(datetime(1999, 1, 1), datetime(2027, 1, 1)), max_size=20),
    st.integers(0, 10**6),
    st.integers(0, 50),
    st.frozensets(st.integers(0, 23)),
    st.frozensets(st.integers(0, 6)),
    st.one_of(st.none(), st.integers(0, 10**9)),
)
def test_the_next_poll_is_always_to_come_and_never_far(
    times: list[datetime], pace: int, new: int, hours: frozenset[int], days: frozenset[int], ttl: int | None
) -> None:
    schedule = Schedule(None if ttl is None else timedelta(seconds=ttl), hours, days)
    source = replace(KNOWN, pace=timedelta(seconds=pace))
    published = tuple(time.replace(tzinfo=UTC) for time in times)
    decision = after_poll(source, WELL, report_of(new=new, published=published, schedule=schedule), NOON)
    assert interval.QUICKEST <= decision.poll.next_poll - NOON <= timedelta(days=15)


def test_failures_are_asked_for_less_and_less() -> None:
    error = ConnectionFailed(URL, "nobody answers")
    waits = []
    for failures in range(8):
        source = replace(KNOWN, failures=failures)
        poll = after_poll(source, error, None, NOON).poll
        assert (poll.failed, poll.state, poll.gone) == (True, "unreachable", False)
        waits.append(poll.next_poll - NOON)
    assert waits == sorted(waits)
    assert (waits[0], waits[-1]) == (TWO_HOURS, interval.SLOWEST)
    dead = replace(KNOWN, failures=30, last_success=NOON - timedelta(days=60))
    assert after_poll(dead, error, None, NOON).poll.next_poll == NOON + timedelta(days=7)


def test_410_ends_a_source_and_429_never_does() -> None:
    """HOSTILE 12."""
    gone = after_poll(KNOWN, Response(URL, 410), None, NOON)
    assert isinstance(gone.intent, GiveUp)
    assert gone.poll.gone
    for headers in ((), (("retry-after", "10800"),), (("retry-after", "Mon, 02 Mar 2026 15:00:00 GMT"),)):
        busy = after_poll(KNOWN, Response(URL, 429, headers), None, NOON)
        assert not busy.poll.gone
        assert busy.poll.next_poll >= NOON + TWO_HOURS
        if headers:
            assert busy.intent == SlowDown(NOON + timedelta(hours=3))
            assert busy.poll.next_poll == NOON + timedelta(hours=3)
            assert busy.poll.pace == 2 * TWO_HOURS
    for_ever = after_poll(KNOWN, Response(URL, 503, (("retry-after", "99999999999"),)), None, NOON)
    assert for_ever.poll.next_poll <= NOON + timedelta(days=1)


def test_unchanged_keeps_what_was_wrong() -> None:
    cut = replace(KNOWN, state="cut short", problem="is cut short")
    poll = after_poll(cut, Response(URL, 304), None, NOON).poll
    assert (poll.state, poll.problem, poll.etag) == ("cut short", "is cut short", None)
    assert after_poll(replace(KNOWN, failures=2, state="busy"), Response(URL, 304), None, NOON).poll.state == "ok"


def test_moved_for_good_is_followed_and_for_now_is_not() -> None:
    there = "https://b.example/feed"
    for status, moved in ((301, there), (308, there), (302, None), (307, None)):
        answer = Response(there, 200, redirects=(Redirect(URL, status, there),))
        assert after_poll(KNOWN, answer, report_of(new=1), NOON).moved_to == moved
    broken = Response(there, 200, redirects=(Redirect(URL, 301, there),))
    assert after_poll(KNOWN, broken, PollReport(problems=(SourceProblem(ProblemKind.EMPTY),)), NOON).moved_to is None


def test_a_web_page_instead_of_a_feed_offers_its_feed() -> None:
    page = PollReport(problems=(SourceProblem(ProblemKind.WEB_PAGE),), offers=(Offer("https://a.example/rss"),))
    poll = after_poll(KNOWN, WELL, page, NOON).poll
    assert (poll.state, poll.failed) == ("web page", True)
    assert "`tidings add https://a.example/rss`" in poll.problem
    assert (poll.etag, poll.last_modified) == ("", "")  # it is asked for anew the next time


@pytest.mark.parametrize("trouble", [trouble for trouble in ProblemKind if trouble.value != "dates that say nothing"])
def test_every_trouble_is_a_sentence(trouble: ProblemKind) -> None:
    for kind in SourceKind:
        source = replace(KNOWN, settings=replace(KNOWN.settings, kind=kind))
        poll = after_poll(source, WELL, PollReport(problems=(SourceProblem(trouble),)), NOON).poll
        assert poll.failed
        assert poll.state
        assert ";" in poll.problem or "," in poll.problem


def test_pages_that_cannot_be_had() -> None:
    assert isinstance(after_page(Response(URL, 404), 1, NOON), GiveUp)
    for error in (InvalidURL(URL, "x"), RobotsDisallowed(URL, "x"), TooLarge(URL, "x")):
        assert after_page(error, 1, NOON) == GiveUp("x")
    down = ConnectionFailed(URL, "nobody answers")
    assert after_page(down, 1, NOON) == Again(NOON + timedelta(minutes=10))
    assert after_page(down, TRIES, NOON) == GiveUp("nobody answers")
    later = NotNow(URL, "wait", (NOON + HOUR).timestamp())
    assert after_page(later, 50, NOON) == SlowDown(NOON + HOUR)  # nothing was tried, so nothing is given up
    busy = Response(URL, 503, (("retry-after", "120"),))
    assert after_page(busy, 1, NOON) == SlowDown(NOON + timedelta(minutes=2))
    assert after_page(Response(URL, 500), 2, NOON) == Again(NOON + timedelta(minutes=20))
