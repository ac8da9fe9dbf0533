"""HOSTILE 36: the limit of time that the caller names is for everything, whatever is slow."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from tests.fetch.server import AT_ONCE, LOCAL, Asked, Misbehaviour, Reply, Server, moved, reply
from tidings.errors import DeadlineExceeded, NotNow
from tidings.fetch import Browser, Limits, Live, Outcome, Pace, Request, Response
from tidings.fetch.deadline import Deadline

#: The limit of these tests, and what a busy machine may add to it: what is slow here takes eight seconds at least.
LIMIT = 1.0
TOLERANCE = 5.0
LATEST = LIMIT + TOLERANCE
HTML = {"Content-Type": "text/html; charset=utf-8"}


def after(seconds: float, answer: Callable[[Asked], bytes]) -> Misbehaviour:
    """An answer that takes its time."""

    async def slow(asked: Asked, out: asyncio.StreamWriter) -> None:
        await asyncio.sleep(seconds)
        out.write(answer(asked))
        await out.drain()

    return slow


async def drop_by_drop(asked: Asked, out: asyncio.StreamWriter) -> None:
    out.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    while True:
        out.write(b"x")
        await out.drain()
        await asyncio.sleep(0.05)


PAGE = reply(b"<p>Seals</p>", headers=HTML)
NEXT = after(0.4, lambda asked: moved(f"/{int(asked.path[1:] or 0) + 1}", Connection="close"))
SLOW: dict[str, dict[str, Reply]] = {
    "robots.txt": {"/robots.txt": after(30, lambda _: reply(b"")), "*": PAGE},
    "body of robots.txt": {"/robots.txt": drop_by_drop, "*": PAGE},
    "redirects of robots.txt": {
        "/robots.txt": after(0.4, lambda _: moved("/1", Connection="close")),
        "*": NEXT,
    },
    "redirects": {"/robots.txt": reply(b"", 404), "*": NEXT},
    "answer": {"/robots.txt": reply(b"", 404), "*": after(30, lambda _: PAGE)},
    "body": {"/robots.txt": reply(b"", 404), "*": drop_by_drop},
    "everything": {"/robots.txt": after(0.4, lambda _: reply(b"", 404)), "*": NEXT},
}


def fetch(table: Mapping[str, Reply], live: Callable[[], Live], seconds: float | None = LIMIT) -> tuple[Outcome, float]:
    """What came, and after how many seconds, closing not counted."""

    async def once(url: str) -> tuple[Outcome, float]:
        async with live() as fetcher:
            begin = time.monotonic()
            outcome = await fetcher.fetch(Request(url, seconds=seconds))
            return outcome, time.monotonic() - begin

    with Server(table) as server:
        return asyncio.run(once(server.url()))


def usual() -> Live:
    """As it is where nobody says otherwise: robots.txt, a second between requests, one retry after a pause."""
    return Live(guard=LOCAL)


def hasty() -> Live:
    """A fetcher whose every request has the limit."""
    return Live(guard=LOCAL, limits=Limits(deadline=LIMIT))


def test_a_request_takes_no_longer_than_its_limit() -> None:
    assert late([partial(fetch, table, usual) for table in SLOW.values()]) == []


def test_nor_than_the_limit_of_its_fetcher() -> None:
    own = [table for what, table in SLOW.items() if "redirects" not in what and what != "everything"]
    assert late([partial(fetch, table, hasty, None) for table in own]) == []


def late(fetches: list[Callable[[], tuple[Outcome, float]]]) -> list[tuple[Outcome, float]]:
    """Those of several slow things, all at once, that were not ended in time."""
    with ThreadPoolExecutor(len(fetches)) as threads:
        ended = list(threads.map(lambda one: one(), fetches))
    return [(what, took) for what, took in ended if not isinstance(what, DeadlineExceeded | NotNow) or took >= LATEST]


@pytest.mark.parametrize("status", [503, 429])
def test_a_pause_before_a_retry_is_part_of_it(status: int) -> None:
    """What the host said comes back when there is no time to ask it again."""
    table = {"*": reply(b"", status)}
    outcome, took = fetch(table, lambda: Live(guard=LOCAL, robots=False, pace=Pace(retries=5)))
    assert isinstance(outcome, Response)
    assert outcome.status == status
    assert took < LATEST


def test_a_retry_has_what_is_left() -> None:
    answers: list[Reply] = [reply(b"", 503, {"Retry-After": "0", "Connection": "close"})]

    async def first_busy_then_slow(asked: Asked, out: asyncio.StreamWriter) -> None:
        if answers:
            told = answers.pop()
            assert isinstance(told, bytes)
            out.write(told)
            await out.drain()
            return
        await asyncio.sleep(30)

    pace = Pace(delay=0.3, retries=1)
    outcome, took = fetch({"*": first_busy_then_slow}, lambda: Live(guard=LOCAL, robots=False, pace=pace))
    assert isinstance(outcome, Response)
    assert outcome.status == 503
    assert took < LATEST


def test_waiting_for_a_turn_counts_where_the_caller_names_a_limit() -> None:
    async def both(url: str) -> tuple[list[Outcome], float]:
        async with Live(guard=LOCAL, robots=False, pace=Pace(delay=5)) as live:
            begin = time.monotonic()
            requests = [Request(f"{url}{number}", seconds=LIMIT) for number in range(3)]
            return list(await asyncio.gather(*map(live.fetch, requests))), time.monotonic() - begin

    with Server({"*": PAGE}) as server:
        outcomes, took = asyncio.run(both(server.url()))
    assert isinstance(outcomes[0], Response)
    assert all(isinstance(outcome, NotNow) for outcome in outcomes[1:]), outcomes
    assert took < LATEST


def test_and_so_does_a_host_with_enough_under_way() -> None:
    async def both(url: str) -> tuple[list[Outcome], float]:
        async with Live(guard=LOCAL, robots=False, pace=Pace(delay=0, at_once=1, retries=0)) as live:
            slow = asyncio.create_task(live.fetch(Request(f"{url}slow", seconds=3 * LIMIT)))
            await asyncio.sleep(0.1)
            begin = time.monotonic()
            outcome = await live.fetch(Request(url, seconds=LIMIT))
            took = time.monotonic() - begin
            slow.cancel()
            return [outcome], took

    with Server({"/slow": after(30, lambda _: PAGE), "*": PAGE}) as server:
        outcomes, took = asyncio.run(both(server.url()))
    assert isinstance(outcomes[0], DeadlineExceeded)
    assert took < LATEST


def test_turns_do_not_count_against_the_usual_limit() -> None:
    """Those who name ten pages of a host mean to wait for them."""

    async def several(url: str) -> list[Outcome]:
        limits, pace = Limits(deadline=1.5), Pace(delay=0.5, retries=0)
        async with Live(guard=LOCAL, robots=False, pace=pace, limits=limits) as live:
            return list(await asyncio.gather(*(live.fetch(Request(f"{url}{number}")) for number in range(5))))

    with Server({"*": PAGE}) as server:
        outcomes = asyncio.run(several(server.url()))
    assert all(isinstance(outcome, Response) for outcome in outcomes), outcomes


def test_one_who_has_no_time_for_robots_txt_does_not_decide_for_all() -> None:
    """Its answer is waited for by those who have the time, and asked for once."""

    async def both(url: str) -> tuple[Outcome, Outcome]:
        async with Live(guard=LOCAL, pace=AT_ONCE) as live:
            patient = asyncio.create_task(live.fetch(Request(url)))
            hurried = await live.fetch(Request(url, seconds=0.2))
            return hurried, await patient

    with Server({"/robots.txt": after(0.6, lambda _: reply(b"", 404)), "*": PAGE}) as server:
        hurried, patient = asyncio.run(both(server.url()))
        assert server.paths == ["/robots.txt", "/"]
    assert isinstance(hurried, DeadlineExceeded)
    assert "robots.txt" in str(hurried)
    assert isinstance(patient, Response)


@pytest.mark.parametrize("seconds", [0.0, -1.0])
def test_no_time_at_all(seconds: float) -> None:
    outcome, took = fetch({"*": PAGE}, usual, seconds)
    assert isinstance(outcome, DeadlineExceeded | NotNow)
    assert took < TOLERANCE


def test_a_deadline_carries_on() -> None:
    async def counted() -> tuple[float, float, float]:
        named, usual = Deadline.after(5.0, 60.0), Deadline.after(None, 60.0)
        for one in (named, usual):
            async with one.turn():
                await asyncio.sleep(0.2)
        return named.remaining, usual.remaining, Deadline.after(None).remaining

    named, usual, never = asyncio.run(counted())
    assert named <= 4.8 + 0.01
    assert 59.7 < usual <= 60.0
    assert never == float("inf")


@pytest.mark.parametrize("page", ["<script>for (;;) {}</script>", "<script src=/slow.js></script>"])
def test_the_browser_has_what_is_left(chromium: str, page: str) -> None:
    async def once(url: str) -> tuple[Outcome, float]:
        async with Live(guard=LOCAL, robots=False, pace=AT_ONCE) as live, Browser(live, executable=chromium) as browser:
            await browser.fetch(Request(f"{url}plain"))  # it is running
            begin = time.monotonic()
            outcome = await browser.fetch(Request(url, seconds=2 * LIMIT))
            return outcome, time.monotonic() - begin

    whole = f"<!DOCTYPE html><body>{page}</body>".encode()
    table: dict[str, Reply] = {
        "/plain": PAGE,
        "/": after(1.5 * LIMIT, lambda _: reply(whole, headers={**HTML, "Connection": "close"})),
        "/slow.js": after(30, lambda _: reply(b"")),
    }
    with Server(table) as server:
        outcome, took = asyncio.run(once(server.url()))
    assert isinstance(outcome, DeadlineExceeded)
    assert took < 2 * LIMIT + TOLERANCE
