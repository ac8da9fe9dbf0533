"""HOSTILE 12: the right wait per host. 410 stops a source, 429 never does; nobody sleeps in these tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fetch.server import LOCAL, FakeClock, Server, moved, reply
from tidings.errors import ConnectionFailed, DeadlineExceeded, FetchError, NotNow, RefusedAddress, TooLarge
from tidings.fetch import HostState, Live, Outcome, Pace, Request, Response
from tidings.fetch.politeness.pace import Go, Gone, HostStatesInMemory, Later, Wait, advice, after, is_tired, turn
from tidings.fetch.politeness.polite import PoliteFetcher
from tidings.fetch.politeness.retry_after import retry_after

NOW = 1_800_000_000.0
DATE = format_datetime(datetime.fromtimestamp(NOW + 90, UTC), usegmt=True)


def says(status: int, after_: str | None = None) -> Response:
    return Response("http://a.example/", status, (("retry-after", after_),) if after_ is not None else ())


# -- Retry-After ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        (DATE, 90.0),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 0.0),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 0.0),
        ("Sun Nov  6 08:49:37 1994", 0.0),
        (None, None),
        ("", None),
        ("-5", None),
        ("soon", None),
        ("1.5", None),
        ("١٢", None),
        ("Mon, 99 Foo 9999 99:99:99 GMT", None),
    ],
)
def test_retry_after(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, NOW) == seconds


@given(st.text(max_size=40))
def test_any_header_is_a_wait_or_nothing(value: str) -> None:
    wait = retry_after(value, NOW)
    assert wait is None or wait >= 0


# -- the decider ------------------------------------------------------------------------------------------------


def test_a_new_host_is_asked_at_once_and_then_in_turns() -> None:
    pace = Pace(delay=2, patience=5)
    standing, intent = turn(HostState(), pace, NOW)
    assert intent == Go()
    standing, intent = turn(standing, pace, NOW)
    assert intent == Wait(NOW + 2)
    standing, intent = turn(standing, pace, NOW)
    assert intent == Wait(NOW + 4)
    same, intent = turn(standing, pace, NOW)
    assert intent == Later(NOW + 6)  # more than its patience
    assert same == standing  # and no turn is taken


def test_a_crawl_delay_is_kept_where_it_is_longer() -> None:
    for asked, kept in ((7.0, 7.0), (0.1, 1.0), (1e9, 60.0), (float("inf"), 60.0)):
        standing, _ = turn(HostState(), Pace(delay=1), NOW, asked)
        assert standing.free_at == NOW + kept


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(("wish", "pause"), [("120", 120.0), (DATE, 90.0), ("999999999", 86_400.0)])
def test_what_the_host_asks_for(status: int, wish: str, pause: float) -> None:
    standing = after(HostState(), says(status, wish), Pace(), NOW, 0.5)
    assert standing.not_before == NOW + pause
    assert turn(standing, Pace(), NOW)[1] == Later(NOW + pause)


def test_without_a_wish_pauses_double_to_a_limit() -> None:
    pace = Pace(first_pause=2, longest_pause=20)
    standing = HostState()
    pauses = []
    for _ in range(6):
        standing = after(standing, says(429), pace, NOW, 1.0)
        pauses.append(standing.not_before - NOW)
    assert pauses == [2, 4, 8, 16, 20, 20]
    assert after(HostState(), says(429), pace, NOW, 0.0).not_before == NOW + 1  # half of it at the least
    assert after(HostState(failures=10_000), says(429), pace, NOW, 1.0).not_before == NOW + 20


@given(st.integers(0, 10_000), st.floats(0, 1), st.sampled_from([429, 502, 503, 504]))
def test_pauses_are_bounded(failures: int, chance: float, status: int) -> None:
    pace = Pace()
    standing = after(HostState(failures=failures), says(status), pace, NOW, chance)
    assert pace.first_pause / 2 <= standing.not_before - NOW <= pace.longest_pause


def test_a_good_answer_forgets_the_failures() -> None:
    tired = after(HostState(), says(503), Pace(), NOW, 0.5)
    assert tired.failures == 1
    assert after(tired, says(200), Pace(), NOW + 100, 0.5).failures == 0
    assert after(tired, says(404), Pace(), NOW + 100, 0.5).failures == 0


@pytest.mark.parametrize(
    ("outcome", "tired"),
    [
        (says(200), False),
        (says(404), False),
        (says(410), False),
        (says(500), False),  # one page's mistake
        (says(429), True),
        (says(503), True),
        (ConnectionFailed("http://a/", ""), True),
        (DeadlineExceeded("http://a/", ""), True),
        (TooLarge("http://a/", ""), False),
        (RefusedAddress("http://a/", ""), False),
    ],
)
def test_what_is_the_hosts_and_what_is_the_pages(outcome: Outcome, tired: bool) -> None:
    assert is_tired(outcome) == tired


def test_410_ends_a_source_and_429_never_does() -> None:
    assert advice(says(410), HostState(), NOW) == Gone()
    standing = HostState()
    for _ in range(1000):
        standing = after(standing, says(429), Pace(), NOW, 0.5)
        assert advice(says(429), standing, NOW) == Later(standing.not_before)
    assert advice(says(404), HostState(), NOW) == Go()
    assert advice(says(304), HostState(), NOW) == Go()


def test_hosts_not_asked_for_longest_are_forgotten() -> None:
    async def fill() -> list[float]:
        memory = HostStatesInMemory(most=2)
        for host in ("a", "b", "a", "c"):
            await memory.change(host, lambda old: (HostState(old.free_at + 1), None))
        return [await memory.change(host, lambda old: (old, old.free_at)) for host in ("a", "c", "b")]

    assert asyncio.run(fill()) == [2, 1, 0]


# -- carried out ------------------------------------------------------------------------------------------------


class Says:
    """Answers one after the other, the last one for ever, and notes when it was asked."""

    def __init__(self, clock: FakeClock, *answers: Outcome, takes: float = 0.0) -> None:
        self.clock = clock
        self.answers = list(answers)
        self.takes = takes
        self.at: list[float] = []
        self.under_way = 0
        self.most = 0

    async def fetch(self, request: Request) -> Outcome:  # noqa: ARG002  # all are the same to it
        self.at.append(self.clock.time)
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        self.clock.time += self.takes
        self.under_way -= 1
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def polite(clock: FakeClock, inner: Says, pace: Pace, chance: Callable[[], float] = lambda: 1.0) -> PoliteFetcher:
    return PoliteFetcher(inner, pace, clock=clock, chance=chance)


def ask(fetcher: PoliteFetcher, urls: Sequence[str]) -> list[Outcome]:
    async def all_() -> list[Outcome]:
        return list(await asyncio.gather(*(fetcher.fetch(Request(url)) for url in urls)))

    return asyncio.run(all_())


def test_one_host_is_asked_in_turns_and_others_do_not_wait() -> None:
    clock = FakeClock(NOW)
    inner = Says(clock, says(200))
    fetcher = polite(clock, inner, Pace(delay=10, at_once=5))
    ask(fetcher, ["http://a.example/1", "http://b.example/1", "http://a.example/2", "http://a.example/3"])
    assert sorted(inner.at) == [NOW, NOW, NOW + 10, NOW + 20]


def test_no_more_at_once_than_allowed() -> None:
    clock = FakeClock(NOW)
    inner = Says(clock, says(200))
    ask(polite(clock, inner, Pace(delay=0, at_once=3)), [f"http://a.example/{number}" for number in range(20)])
    assert inner.most == 3


def test_a_wish_within_patience_is_waited_for() -> None:
    clock = FakeClock(NOW)
    inner = Says(clock, says(503, "30"), says(200))
    (outcome,) = ask(polite(clock, inner, Pace(delay=0)), ["http://a.example/"])
    assert isinstance(outcome, Response)
    assert outcome.status == 200
    assert inner.at == [NOW, NOW + 30]


def test_a_wish_beyond_patience_comes_back_as_it_is_and_holds_for_the_host() -> None:
    clock = FakeClock(NOW)
    inner = Says(clock, says(429, "3600"))
    fetcher = polite(clock, inner, Pace(delay=0))
    (first,) = ask(fetcher, ["http://a.example/"])
    assert isinstance(first, Response)
    assert first.status == 429
    (second,) = ask(fetcher, ["http://a.example/other"])
    assert isinstance(second, NotNow)
    assert second.until == NOW + 3600
    assert "60 minutes" in str(second)
    assert inner.at == [NOW]
    clock.time += 3601
    ask(fetcher, ["http://a.example/other"])
    assert inner.at == [NOW, NOW + 3601]


def test_those_who_wait_in_line_keep_a_pause_that_the_first_one_was_asked_for() -> None:
    clock = FakeClock(NOW)
    inner = Says(clock, says(429, "40"), says(200))
    ask(polite(clock, inner, Pace(delay=5, at_once=5, retries=0)), ["http://a.example/1", "http://a.example/2"])
    assert inner.at[0] == NOW
    assert inner.at[1] >= NOW + 40


def test_pauses_are_the_same_for_the_same_chance() -> None:
    def times(seed: int) -> list[float]:
        clock = FakeClock(NOW)
        inner = Says(clock, says(503))
        ask(polite(clock, inner, Pace(retries=4), Random(seed).random), ["http://a.example/"])  # pauses
        return inner.at

    assert times(1) == times(1)
    assert times(1) != times(2)
    assert len(times(1)) == 5


def test_failures_are_tried_again_and_then_returned() -> None:
    clock = FakeClock(NOW)
    inner = Says(clock, ConnectionFailed("http://a.example/", "no"), says(200))
    (outcome,) = ask(polite(clock, inner, Pace()), ["http://a.example/"])
    assert isinstance(outcome, Response)
    inner = Says(clock, ConnectionFailed("http://b.example/", "no"))
    (outcome,) = ask(polite(clock, inner, Pace(retries=2)), ["http://b.example/"])
    assert isinstance(outcome, ConnectionFailed)
    assert len(inner.at) == 3


def test_an_address_that_is_none() -> None:
    clock = FakeClock(NOW)
    (outcome,) = ask(polite(clock, Says(clock, says(200)), Pace()), ["mailto:x"])
    assert isinstance(outcome, FetchError)


# -- against a server -------------------------------------------------------------------------------------------


def test_every_hop_of_a_redirect_takes_its_turn() -> None:
    clock = FakeClock(NOW)

    async def once(url: str) -> Outcome:
        async with Live(guard=LOCAL, pace=Pace(delay=3), clock=clock, robots=False) as live:
            return await live.fetch(Request(url))

    with Server({"/": moved("/b"), "/b": moved("/c"), "/c": reply(b"x")}) as server:
        outcome = asyncio.run(once(server.url()))
    assert isinstance(outcome, Response)
    assert clock.slept == [3, 3]


def test_429_with_an_empty_body_and_503_with_a_date() -> None:
    clock = FakeClock(NOW)

    async def several(server: Server) -> list[Outcome]:
        async with Live(guard=LOCAL, pace=Pace(delay=0), clock=clock, robots=False) as live:
            return [await live.fetch(Request(server.url(path))) for path in ("/429", "/503", "/410")]

    answers = {
        "/429": [reply(b"", 429, {"Retry-After": "7"}), reply(b"good")],
        "/503": [
            reply(b"", 503, {"Retry-After": format_datetime(datetime.fromtimestamp(NOW + 17, UTC), usegmt=True)}),
            reply(b"good"),
        ],
        "/410": [reply(b"", 410)],
    }
    with Server({"*": lambda asked: answers[asked.target].pop(0)}) as server:
        outcomes = asyncio.run(several(server))
    assert [outcome.status for outcome in outcomes if isinstance(outcome, Response)] == [200, 200, 410]
    assert clock.time == NOW + 17
    assert isinstance(outcomes[2], Response)
    assert outcomes[2].is_gone
