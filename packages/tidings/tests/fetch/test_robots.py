"""HOSTILE 11: robots.txt by RFC 9309."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from tests.fetch.server import LOCAL, FakeClock, Reply, Server, moved, reply
from tidings.errors import ConnectionFailed, NotNow, RobotsDisallowed, TooManyRedirects
from tidings.fetch import Agent, Live, Outcome, Pace, Request, Response
from tidings.fetch.politeness.robots import DAY, TROUBLE, judge

NOW = 1_000_000.0
PACE = Pace(delay=0, retries=0)
PAGE = reply(b"page")


def fetch(table: Mapping[str, Reply], path: str = "/story", agent: Agent | None = None) -> tuple[Outcome, list[str]]:
    async def once(server: Server) -> Outcome:
        async with Live(agent or Agent(), LOCAL, pace=PACE, clock=FakeClock(NOW)) as live:
            return await live.fetch(Request(server.url(path)))

    with Server({"*": PAGE, **table}) as server:
        outcome = asyncio.run(once(server))
    return outcome, server.paths


def robots(text: str) -> dict[str, Reply]:
    return {"/robots.txt": reply(text.encode())}


def allowed(outcome: Outcome) -> bool:
    if isinstance(outcome, Response):
        assert outcome.body == b"page"
        return True
    assert isinstance(outcome, RobotsDisallowed)
    return False


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
def test_unavailable_is_allowed(status: int) -> None:
    assert allowed(fetch({"/robots.txt": reply(b"User-agent: *\nDisallow: /", status)})[0])


@pytest.mark.parametrize("status", [500, 502, 503, 599, 429])
def test_trouble_is_not_now(status: int) -> None:
    outcome, paths = fetch({"/robots.txt": reply(b"", status)})
    assert isinstance(outcome, NotNow)
    assert outcome.until == NOW + TROUBLE
    assert paths == ["/robots.txt"]


@pytest.mark.parametrize(
    ("text", "path", "may"),
    [
        ("", "/story", True),
        ("User-agent: *\nDisallow: /", "/story", False),
        ("User-agent: *\nDisallow: /private", "/story", True),
        ("User-agent: *\nDisallow: /private", "/a/../private/x", False),
        ("User-agent: *\nDisallow: /private", "/%70rivate", False),
        ("User-agent: *\nDisallow: /\nAllow: /story", "/story", True),  # the longest match counts (2.2.2)
        ("User-agent: *\nDisallow: /*.pdf$", "/a.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/a.pdfx", True),
        ("User-agent: *\nDisallow: /\n\nUser-agent: tidings\nAllow: /", "/story", True),
        ("User-agent: *\nAllow: /\n\nUser-agent: Tidings\nDisallow: /", "/story", False),
        ("user-agent:tidings\ndisallow:/", "/story", False),
        ("\ufeffUser-agent: *\nDisallow: /", "/story", False),
        ("User-agent: *\r\nDisallow: /", "/story", False),
        ("User-agent: *\nDisallow: /\0", "/story", False),
        ("<!DOCTYPE html><html>not found</html>", "/story", True),
    ],
)
def test_rules(text: str, path: str, may: bool) -> None:
    assert allowed(fetch(robots(text), path)[0]) == may


def test_another_name() -> None:
    table = robots("User-agent: *\nAllow: /\n\nUser-agent: herald\nDisallow: /")
    assert allowed(fetch(table)[0])
    assert not allowed(fetch(table, agent=Agent("Herald", "https://herald.example/bot"))[0])
    assert str(Agent("Herald", "https://herald.example/bot")).endswith(" (+https://herald.example/bot)")


def test_only_the_first_500_kib_count() -> None:
    filler = "# " + "x" * 98 + "\n"
    lines = 500 * 1024 // len(filler)
    inside = "User-agent: *\nDisallow: /inside\n" + filler * (lines - 1)
    assert len(inside) < 500 * 1024
    whole = inside + filler * 2000 + "Disallow: /beyond\n"
    assert len(whole) > 600_000
    assert not allowed(fetch(robots(whole), "/inside")[0])
    assert allowed(fetch(robots(whole), "/beyond")[0])


def test_five_redirects_are_followed_and_the_sixth_means_none() -> None:
    rules = reply(b"User-agent: *\nDisallow: /")
    five: dict[str, Reply] = {f"/{number}": moved(f"/{number + 1}") for number in range(1, 5)}
    assert not allowed(fetch({"/robots.txt": moved("/1"), **five, "/5": rules})[0])
    six = {**five, "/5": moved("/6"), "/6": rules}
    assert allowed(fetch({"/robots.txt": moved("/1"), **six})[0])


def test_kept_for_a_day_and_no_longer() -> None:
    clock = FakeClock(NOW)

    async def visits(server: Server) -> list[Outcome]:
        outcomes = []
        async with Live(guard=LOCAL, pace=PACE, clock=clock) as live:
            for passed in (0.0, DAY - 1, 2.0):
                clock.time += passed
                outcomes.append(await live.fetch(Request(server.url("/story"))))
        return outcomes

    answers = [reply(b"User-agent: *\nDisallow: /"), reply(b"")]
    with Server({"/robots.txt": lambda _: answers.pop(0), "*": PAGE}) as server:
        outcomes = asyncio.run(visits(server))
    assert [allowed(outcome) for outcome in outcomes] == [False, False, True]


def test_rules_that_were_read_when_the_clock_was_ahead_are_asked_for_anew() -> None:
    """HOSTILE 32."""
    clock = FakeClock(NOW + 3650 * DAY)

    async def visits(server: Server) -> list[Outcome]:
        outcomes = []
        async with Live(guard=LOCAL, pace=PACE, clock=clock) as live:
            for time in (clock.time, NOW, NOW - 3650 * DAY):
                clock.time = time
                outcomes.append(await live.fetch(Request(server.url("/story"))))
        return outcomes

    answers = [reply(b"User-agent: *\nDisallow: /"), reply(b""), reply(b"User-agent: *\nDisallow: /")]
    with Server({"/robots.txt": lambda _: answers.pop(0), "*": PAGE}) as server:
        outcomes = asyncio.run(visits(server))
    assert [allowed(outcome) for outcome in outcomes] == [False, True, False]


def test_an_older_copy_serves_while_the_server_is_in_trouble() -> None:
    before = judge(Response("http://a/robots.txt", 200, body=b"User-agent: *\nDisallow: /no"), NOW)
    for outcome in (Response("http://a/robots.txt", 503), ConnectionFailed("http://a/robots.txt", "")):
        still = judge(outcome, NOW + DAY + 1, before)
        assert still.trouble is None
        assert not still.allow("http://a/no", "Tidings")
        assert still.until == NOW + DAY + 1 + TROUBLE
    assert judge(Response("http://a/robots.txt", 503), NOW).trouble is not None
    assert judge(TooManyRedirects("http://a/robots.txt", ""), NOW).trouble is None


def test_many_tasks_ask_once() -> None:
    async def many(server: Server) -> None:
        async with Live(guard=LOCAL, pace=Pace(delay=0, at_once=50)) as live:
            await asyncio.gather(*(live.fetch(Request(server.url(f"/{number}"))) for number in range(50)))

    with Server({"/robots.txt": reply(b""), "*": PAGE}) as server:
        asyncio.run(many(server))
    assert server.paths.count("/robots.txt") == 1
    assert len(server.paths) == 51


def test_the_target_of_a_redirect_has_rules_of_its_own() -> None:
    with Server({"/robots.txt": reply(b"User-agent: *\nDisallow: /"), "*": PAGE}) as second:
        outcome, _ = fetch({"/robots.txt": reply(b"", 404), "/story": moved(second.url("/story"))})
    assert isinstance(outcome, RobotsDisallowed)
    assert second.paths == ["/robots.txt"]


@pytest.mark.parametrize(
    ("asked", "waited"), [("7", 7.0), ("100000", 60.0), ("0", 0.0), ("nan", 0.0), ("-1", 0.0), ("x", 0.0)]
)
def test_crawl_delay(asked: str, waited: float) -> None:
    clock = FakeClock(NOW)

    async def twice(server: Server) -> None:
        async with Live(guard=LOCAL, pace=PACE, clock=clock) as live:
            await live.fetch(Request(server.url("/a")))
            await live.fetch(Request(server.url("/b")))

    with Server({**robots(f"User-agent: *\nCrawl-delay: {asked}"), "*": PAGE}) as server:
        asyncio.run(twice(server))
    assert sum(clock.slept) == waited


def test_nobody_is_asked_where_the_user_says_so() -> None:
    async def once(server: Server) -> Outcome:
        async with Live(guard=LOCAL, pace=PACE, robots=False) as live:
            assert live.robots is None
            return await live.fetch(Request(server.url("/story")))

    with Server({**robots("User-agent: *\nDisallow: /"), "*": PAGE}) as server:
        assert allowed(asyncio.run(once(server)))
    assert server.paths == ["/story"]


def test_sitemaps_that_it_names() -> None:
    rules = judge(
        Response("http://a/robots.txt", 200, body=b"Sitemap: http://a/news.xml\nSitemap: http://a/b.xml"), NOW
    )
    assert rules.sitemaps == ("http://a/news.xml", "http://a/b.xml")


def test_a_hostile_pattern_takes_no_time() -> None:
    text = "User-agent: *\nDisallow: /" + "*a" * 2000 + "b$\n"
    rules = judge(Response("http://a/robots.txt", 200, body=text.encode()), NOW)
    assert rules.allow("http://a/" + "a" * 10_000, "Tidings")


def test_a_refused_connection_for_robots_txt_is_told_as_a_refused_connection() -> None:
    with Server({"*": PAGE}) as server:
        url = server.url("/story")

    async def once() -> Outcome:
        async with Live(guard=LOCAL, pace=PACE, clock=FakeClock(NOW)) as live:
            return await live.fetch(Request(url))

    outcome = asyncio.run(once())  # nobody listens there any more
    assert isinstance(outcome, ConnectionFailed)
    assert outcome.url == url
