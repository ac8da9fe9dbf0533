"""A watch from end to end, over real sockets: the bundled newspaper, then everything that goes wrong."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.fetch.server import FakeClock, moved, reply
from tests.portal.watch.press import QUICK, Press, answers
from tidings import newspaper
from tidings.article import Article
from tidings.errors import StoreFull
from tidings.fetch import Limits, Outcome, Request
from tidings_portal import store
from tidings_portal import watch as pipeline
from tidings_portal.store.records_of_articles import Fate
from tidings_portal.store.records_of_work import NewSource, SourceKind
from tidings_portal.watch.events import ArticleStored, Event, Polled, SetAside, WatchCounts
from tidings_portal.watch.plan import Plan

GAZETTE = "gazette.example/feeds/news.xml"


@pytest.fixture
def where(tmp_path: Path) -> str:
    return str(tmp_path / "news.tidings")


def add(where: str, *sources: NewSource) -> list[int]:
    with store.open(where) as kept:
        return kept.add_sources(sources, datetime.now(UTC) - timedelta(seconds=1))


def feed(press: Press, address: str, **told: object) -> NewSource:
    return NewSource(press.url(address), **told)  # type: ignore[arg-type]


def run(
    press: Press, where: str, plan: Plan = QUICK, limits: Limits | None = None, events: list[Event] | None = None
) -> WatchCounts:
    async def once() -> WatchCounts:
        async with press.live(limits=limits) as live:
            told: list[Event] = [] if events is None else events
            return await pipeline.watch(where, fetcher=live, plan=plan, tell=told.append)

    return asyncio.run(once())


def again(where: str) -> None:
    """All sources are due."""
    with store.open(where) as kept:
        for source in kept.sources():
            kept.poll_again(source.id, datetime.now(UTC) - timedelta(seconds=1))


def story(title: str, words: str, more: str = "") -> bytes:
    """A page with a story on it."""
    text = "".join(f"<p>{words} {n} was told by the harbour master on a rainy Tuesday morning.</p>" for n in range(8))
    page = f"<!DOCTYPE html><html lang=en><head><title>{title}</title></head><body><h1>{title}</h1>{text}{more}</body>"
    return page.encode()


def rss(*items: str, more: str = "") -> bytes:
    body = "".join(items)
    return reply(f'<rss version="2.0"><channel><title>A feed</title>{more}{body}</channel></rss>'.encode())


def item(address: str, title: str = "A title", guid: str = "", content: str = "") -> str:
    encoded = f"<description><![CDATA[{content}]]></description>" if content else ""
    guid = f"<guid isPermaLink='false'>{guid}</guid>" if guid else ""
    return f"<item><title>{title}</title><link>{address}</link>{guid}{encoded}</item>"


def test_the_whole_newspaper_each_article_once(where: str) -> None:
    kinds = {"sitemap": SourceKind.SITEMAP}
    with Press() as press:
        feeds = [one for one in newspaper.sources() if one.kind != "opml"]
        add(where, *(feed(press, one.url, kind=kinds.get(one.kind, SourceKind.FEED)) for one in feeds))
        add(where, *(feed(press, one.url, kind=SourceKind.FRONT_PAGE) for one in newspaper.pages(page_type="front")))
        tally = run(press, where)
        asked = Counter(press.asked())
        assert max(asked.values()) == 1
        again(where)
        assert run(press, where).kept == 0
    stories = [page for page in newspaper.pages() if page.page_type != "front"]
    assert tally.kept == len(stories)
    with store.open(where) as kept:
        assert kept.check() == []
        titles = Counter(one.article.title for one in kept.each_article())
        gold = Counter(page.gold["title"] for page in stories)
        assert (titles & gold).total() >= 0.9 * len(stories)
        assert kept.totals().pages == len(stories)
        assert kept.search("seals").items


@pytest.mark.gate
def test_worker_processes_and_a_page_that_kills_one(where: str) -> None:
    with Press() as press:
        # Reading this page takes more memory than the worker is given; here it is the reader that ends its process.
        add(where, feed(press, GAZETTE))
        events: list[Event] = []

        async def once() -> WatchCounts:
            async with press.live() as live:
                plan = replace(QUICK, jobs=1)
                return await pipeline.watch(where, fetcher=live, plan=plan, tell=events.append, reader=DeadlyReader)

        tally = asyncio.run(once())
    aside = [event for event in events if isinstance(event, SetAside)]
    assert [event.address.rpartition("/")[2] for event in aside] == ["storm-ilse-live"]
    assert "ended by SIGKILL" in aside[0].reason
    assert tally.kept == 8
    with store.open(where) as kept:
        assert [entry.name for entry in kept.quarantine()] == [aside[0].address]
        assert [one.headline.teaser_reason for one in kept.each_article()].count("failed") == 1


class DeadlyReader:
    """Dies over one page."""

    def extract(self, data: bytes | str, url: str | None = None) -> Article:
        import os
        import signal

        import tidings

        if url is not None and url.endswith("storm-ilse-live"):
            os.kill(os.getpid(), signal.SIGKILL)
        return tidings.extract(data, url)


def test_identity_survives_guids_parameters_and_five_feeds(where: str) -> None:
    page = "https://a.example/news/seals-return-to-the-estuary"
    other = "https://a.example/news/bridge-opens-after-storm"
    with Press() as press:
        press.more["a.example/news/seals-return-to-the-estuary"] = reply(story("Seals", "A seal number"))
        press.more["a.example/news/bridge-opens-after-storm"] = reply(story("Bridge", "A bridge number"))
        # The same article with five sets of parameters and GUIDs; another one with a GUID that is used twice.
        for n in range(5):
            press.more[f"a.example/feed{n}"] = rss(
                item(f"{page}?utm_source=feed{n}&amp;fbclid=x{n}", "Seals return", f"guid-{n}"),
                item(other, "Bridge opens", "guid-0"),
            )
        add(where, *(feed(press, f"a.example/feed{n}") for n in range(5)))
        tally = run(press, where)
        # The GUID changes with the next poll, and the title is edited.
        press.more["a.example/feed0"] = rss(item(page, "Seals have returned", "guid-new"))
        again(where)
        second = run(press, where)
    assert (tally.kept, second.kept) == (2, 0)
    # The edited title is a correction: its page is fetched again, and has not changed.
    assert len(press.asked("a.example/news/seals")) == 2
    assert len(press.asked("a.example/news/bridge")) == 1
    with store.open(where) as kept:
        sources = {one.headline.title: len(one.headline.sources) for one in kept.each_article()}
    assert sources == {"Seals": 5, "Bridge": 5}


BAD = {
    "html": (reply(b"<!doctype html><html><head><link rel=alternate type=application/rss+xml href=/real.xml></head>"),
             "web page", "tidings add http://html.example"),
    "empty": (reply(b""), "empty", "nothing at all"),
    "truncated": (reply(b"<rss version='2.0'><channel><title>x</title><item><title>Half a"), "", ""),
    "binary": (reply(bytes(range(256)) * 20), "not text", "no text"),
    "laughs": (reply(b'<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><rss version="2.0"><channel>'
                     b"<title>&b;</title></channel></rss>"), "", ""),
    "external": (reply(b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss version="2.0"><channel><item>'
                       b"<title>&x;</title><link>https://bad.example/x</link></item></channel></rss>"), "", ""),
    "gone": (reply(b"", 410), "gone", "polled no more"),
    "missing": (reply(b"", 404), "not found", "tidings links"),
    "private": (reply(b"", 401), "password", "--user"),
    "circle": (moved("/circle"), "redirects", "circle"),
    "forever": (moved("/foreverx"), "redirects", "more than 10 times"),
    "busy": (reply(b"", 429, {"Retry-After": "7200"}), "busy", "less often"),
}  # fmt: skip


def test_every_bad_feed_is_a_clear_state_and_the_rest_goes_on(where: str) -> None:
    with Press() as press:
        for name, (answer, _, _) in BAD.items():
            press.more[f"{name}.example/{name}"] = answer
        for n in range(12):
            press.more[f"forever.example/forever{'x' * n}"] = moved(f"/forever{'x' * (n + 1)}")
        press.more["big.example/feed"] = reply(b"<rss><channel>" + b"x" * 300_000)
        small = Limits()
        caps = {**small.caps, **{kind: replace(cap, size=200_000) for kind, cap in small.caps.items()}}
        add(where, *(feed(press, f"{name}.example/{name}") for name in BAD), feed(press, "big.example/feed"))
        add(where, feed(press, GAZETTE))
        tally = run(press, where, limits=replace(small, caps=caps))
    assert tally.kept == 9 + 1  # an item of the feed with an entity has no page: its title stays
    with store.open(where) as kept:
        found = {source.settings.address.rpartition("/")[2]: source for source in kept.sources()}
        assert kept.check() == []
    for name, (_, state, said) in BAD.items():
        source = found[name]
        if state:
            assert source.state == state, name
        assert source.problem, name
        assert said in source.problem, (name, source.problem)
        assert source.gone is (name == "gone")
    assert found["feed"].state == "too large"
    assert found["news.xml"].state == "ok"
    assert "root:" not in str(found)
    wait = found["busy"].next_poll - datetime.now(UTC)
    assert timedelta(minutes=115) < wait <= timedelta(hours=4)


def test_a_byte_every_ten_seconds(where: str) -> None:
    async def drip(asked: object, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        while True:
            writer.write(b"<")
            await writer.drain()
            await asyncio.sleep(10)

    from tests.fetch.server import AT_ONCE, LOCAL, Server
    from tidings.fetch import Live

    with Press() as press, Server({"/slow": drip}) as slow:
        add(where, NewSource(slow.url("/slow")), feed(press, GAZETTE))

        async def once() -> WatchCounts:
            async with (
                press.live() as live,
                Live(guard=LOCAL, pace=AT_ONCE, robots=False, limits=Limits(deadline=0.5)) as impatient,
            ):

                class Both:
                    async def fetch(self, request: Request) -> Outcome:
                        return await (impatient if "/slow" in request.url else live).fetch(request)

                return await pipeline.watch(where, fetcher=Both(), plan=QUICK)

        tally = asyncio.run(once())
    assert tally.kept == 9
    with store.open(where) as kept:
        source = kept.source_at(slow.url("/slow"))
    assert source is not None
    assert source.state == "too slow"


def test_conditional_get_and_moving_for_good(where: str) -> None:
    def answer(asked: object) -> bytes:
        if asked.headers.get("if-none-match") == '"1"':  # type: ignore[attr-defined]
            return reply(b"", 304)
        return reply(
            rss(item("https://a.example/one", "One story of today")).partition(b"\r\n\r\n")[2], 200, {"ETag": '"1"'}
        )

    with Press() as press:
        press.more["a.example/feed"] = answer
        press.more["a.example/old"] = moved("/feed", 301)
        press.more["a.example/one"] = reply(story("One", "One"))
        (number,) = add(where, feed(press, "a.example/old"))
        assert run(press, where).kept == 1
        again(where)
        assert run(press, where).found == 0
    assert press.asked("a.example/") == ["a.example/old", "a.example/feed", "a.example/one", "a.example/feed"]
    with store.open(where) as kept:
        source = kept.source(number)
    assert source is not None
    assert (source.settings.address, source.state, source.etag) == (press.url("a.example/feed"), "ok", '"1"')


def test_a_source_that_moves_to_where_another_is(where: str) -> None:
    with Press() as press:
        press.more["a.example/feed"] = rss(item("https://a.example/one", "One story of today"))
        press.more["a.example/old"] = moved("/feed", 308)
        press.more["a.example/one"] = reply(story("One", "One"))
        old, _ = add(where, feed(press, "a.example/old"), feed(press, "a.example/feed"))
        assert run(press, where).kept == 1
    with store.open(where) as kept:
        source = kept.source(old)
    assert source is not None
    assert source.state == "moved"
    assert f"tidings remove {old}" in source.problem


def test_the_text_of_the_feed_where_the_page_cannot_be_had(where: str) -> None:
    text = "<p>The ferry will not sail before the storm has passed, the harbour master said on Tuesday.</p>" * 6
    wall = b"<!doctype html><title>Log in</title><form><input type=password></form><p>Please log in to go on."
    with Press() as press:
        press.more |= {
            "a.example/feed": rss(
                item("https://a.example/forbidden", "The ferry stays", "1", text),
                item("https://a.example/wall", "The ferry waits", "2", text),
                item("https://a.example/nothing", "No text at all", "3"),
            ),
            "a.example/forbidden": reply(b"", 403),
            "a.example/wall": reply(wall),
            "a.example/nothing": reply(b"", 404),
        }
        add(where, feed(press, "a.example/feed"))
        tally = run(press, where)
    assert (tally.kept, tally.set_aside) == (3, 0)
    with store.open(where) as kept:
        articles = {one.article.title: one for one in kept.each_article()}
        assert set(articles) == {"The ferry stays", "The ferry waits", "No text at all"}
        nothing = articles.pop("No text at all")
        assert nothing.headline.teaser_reason == "404"
        for one in articles.values():
            assert one.article.provenance["body"] == "feed"
            assert "ferry will not sail" in one.article.text
            assert one.headline.teaser_reason == ""
        assert kept.states("feed text") == []


def test_entries_without_a_page_are_articles(where: str) -> None:
    episode = "<p>In this episode the crew talk about the seals of the estuary and who counts them.</p>" * 4
    with Press() as press:
        press.more["a.example/feed"] = rss(
            item("https://a.example/", "Episode one", "e1", episode),
            item("https://a.example/", "Episode two", "e2", episode + "x"),
        )
        add(where, feed(press, "a.example/feed"))
        run(press, where)
        again(where)
        run(press, where)
    assert press.asked("a.example/") == ["a.example/feed"] * 2
    with store.open(where) as kept:
        assert sorted(one.article.title for one in kept.each_article()) == ["Episode one", "Episode two"]


def test_pages_of_one_story_are_joined(where: str) -> None:
    def part(number: int, more: str) -> bytes:
        return reply(story("A long story", f"Part {number} line", more))

    with Press() as press:
        press.more |= {
            "a.example/feed": rss(item("https://a.example/news/long-story", "A long story")),
            "a.example/news/long-story": part(1, '<a href="/news/long-story/2">2</a>'),
            "a.example/news/long-story/2": part(2, '<a href="/news/long-story/3">3</a>'),
            "a.example/news/long-story/3": part(3, '<a href="/news/long-story/2">2</a>'),
        }
        add(where, feed(press, "a.example/feed"))
        tally = run(press, where)
    assert tally.kept == 1
    with store.open(where) as kept:
        (one,) = kept.each_article()
    for number in (1, 2, 3):
        assert f"Part {number} line 0" in one.article.text
    assert one.article.provenance["pages"] == "3"


def test_teasers_are_verified_on_the_page(where: str) -> None:
    front = """<!doctype html><html><head><title>Harbour News</title></head><body>
      <div><p>Grey seals have come back to the estuary after thirty years, rangers counted forty pups.</p>
        <a href="/story.php?id=1234">Read more</a></div>
      <div><p>The bridge over the lower quay was closed by the storm and opens again on Friday morning.</p>
        <a href="/story.php?id=5678">Read more</a></div></body></html>"""
    seals = "Grey seals have come back to the estuary after thirty years, rangers counted forty pups"
    with Press() as press:
        press.more |= {
            "a.example/": reply(front.encode()),
            "a.example/story.php?id=1234": reply(story("Grey seals return", seals)),
            "a.example/story.php?id=5678": reply(story("Subscribe", "Our newsletter has offers for readers")),
        }
        add(where, feed(press, "a.example/", kind=SourceKind.FRONT_PAGE))
        events: list[Event] = []
        tally = run(press, where, events=events)
    if tally.found < 2:
        pytest.fail(f"the teasers were not found: {events}")
    assert (tally.kept, tally.skipped) == (1, 1)
    assert [e.reason for e in events if isinstance(e, ArticleStored) and e.fate is Fate.SKIPPED] == [
        "the page does not bear out the teaser that led to it"
    ]


def test_a_sitemap_index_that_names_itself(where: str) -> None:
    now = datetime.now(UTC).isoformat()
    dated = '<p>Published <time datetime="2026-03-01T08:00:00Z" itemprop=datePublished>1 March 2026</time></p>'
    index = "<sitemapindex><sitemap><loc>https://a.example/map</loc></sitemap><sitemap><loc>https://a.example/b</loc></sitemap></sitemapindex>"
    inner = f"<urlset><url><loc>https://a.example/news/the-seals-are-back</loc><lastmod>{now}</lastmod></url><url><loc>https://a.example/news/the-old-story-of-1999</loc><lastmod>1999-01-01</lastmod></url></urlset>"
    with Press() as press:
        press.more |= {
            "a.example/map": reply(index.encode()),
            "a.example/b": reply(inner.encode()),
            "a.example/news/the-seals-are-back": reply(story("Seals", "A seal", dated)),
        }
        add(where, feed(press, "a.example/map", kind=SourceKind.SITEMAP))
        tally = run(press, where)
    assert tally.kept == 1
    assert press.asked("a.example/map") == ["a.example/map"]


def test_an_edited_article_becomes_a_version(where: str) -> None:
    def entry(updated: datetime) -> bytes:
        return reply(
            f'<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><entry><title>Seals</title><id>1</id>'
            f'<link href="https://a.example/news/seals"/><updated>{updated.isoformat()}</updated></entry></feed>'.encode()
        )

    early = datetime.now(UTC) - timedelta(days=1)
    with Press() as press:
        press.more["a.example/feed"] = entry(early)
        press.more["a.example/news/seals"] = answers(
            reply(story("Seals", "A seal")), reply(story("Seals", "Two seals"))
        )
        add(where, feed(press, "a.example/feed"))
        run(press, where)
        again(where)
        assert run(press, where).changed == 0
        press.more["a.example/feed"] = entry(datetime.now(UTC) + timedelta(seconds=0))
        again(where)
        assert run(press, where).changed == 1
    with store.open(where) as kept:
        (one,) = kept.each_article()
        assert one.version == 2
        assert "Two seals" in one.article.text


def test_a_canonical_that_all_pages_share_loses_none(where: str) -> None:
    with Press() as press:
        words = ("seals", "bridge", "ferry")
        own = '<link rel=canonical href="https://a.example/news/overview">'
        press.more |= {
            "a.example/feed": rss(*(item(f"https://a.example/news/{word}", f"The {word} of today") for word in words)),
            **{f"a.example/news/{word}": reply(story(word, f"A {word} number", own)) for word in words},
        }
        add(where, feed(press, "a.example/feed"))
        assert run(press, where).kept == 3


@pytest.mark.gate
def test_two_watchers_share_the_work(where: str) -> None:
    with Press() as press:
        feeds = [one for one in newspaper.sources() if one.kind not in ("opml", "sitemap")]
        add(where, *(feed(press, one.url) for one in feeds))

        async def both() -> list[WatchCounts]:
            async with press.live() as one, press.live() as two:
                return await asyncio.gather(
                    *(
                        pipeline.watch(where, fetcher=live, plan=replace(QUICK, batch=2, pages_at_once=8))
                        for live in (one, two)
                    )
                )

        tallies = asyncio.run(both())
        assert max(Counter(press.asked()).values()) == 1
    with store.open(where) as kept:
        assert kept.check() == []
        assert kept.totals().articles == sum(tally.kept for tally in tallies) == 52
        assert kept.states("watcher") == []


def test_a_full_disk_ends_one_round_and_is_waited_for_in_a_long_one(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tidings_portal.store import Store

    finish = Store.finish
    full = [StoreFull("the disk is full; make room")] * 3

    def failing(self: Store, done: object) -> object:
        if full:
            raise full.pop()
        return finish(self, done)  # type: ignore[arg-type]

    monkeypatch.setattr(Store, "finish", failing)
    with Press() as press:
        add(where, feed(press, GAZETTE))
        with pytest.raises(StoreFull):
            run(press, where)
        events: list[Event] = []

        async def long() -> None:
            stop = asyncio.Event()

            def tell(event: Event) -> None:
                events.append(event)
                if sum(isinstance(one, ArticleStored) for one in events) == 9:
                    stop.set()

            async with press.live() as live:
                plan = replace(QUICK, once=False)
                await pipeline.watch(where, fetcher=live, plan=plan, tell=tell, stop=stop, clock=QuickClock())

        asyncio.run(long())
    told = [event.sentence for event in events if isinstance(event, pipeline.events.StoreTrouble)]
    assert told == ["the disk is full; make room", ""]
    with store.open(where) as kept:
        assert kept.totals().articles == 9
        assert kept.check() == []


class QuickClock(FakeClock):
    """Waits are over at once, but the time is that of the machine."""

    def now(self) -> float:
        return datetime.now(UTC).timestamp()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(min(seconds, 0.01))


def test_stopping_gives_back_what_is_under_way(where: str) -> None:
    with Press() as press:
        add(where, feed(press, GAZETTE))

        async def stopped() -> WatchCounts:
            stop = asyncio.Event()

            def tell(event: Event) -> None:
                if isinstance(event, Polled):
                    stop.set()

            async with press.live() as live:
                return await pipeline.watch(where, fetcher=live, plan=replace(QUICK, once=False), tell=tell, stop=stop)

        first = asyncio.run(stopped())
        with store.open(where) as kept:
            state = kept.queue(datetime.now(UTC))
            assert (state.leased, state.waiting) == (0, 9 - first.kept)
        assert first.kept + run(press, where).kept == 9


def test_a_mistake_of_ours_costs_one_page_or_one_source(where: str) -> None:
    with Press() as press:
        numbers = add(where, feed(press, GAZETTE), feed(press, "kiyi.example/rss.asp"))
        events: list[Event] = []

        async def once() -> WatchCounts:
            async with press.live() as live:

                class Mistaken:
                    async def fetch(self, request: Request) -> Outcome:
                        if "storm-ilse-live" in request.url or "rss.asp" in request.url:
                            raise KeyError("a mistake")
                        return await live.fetch(request)

                return await pipeline.watch(where, fetcher=Mistaken(), plan=QUICK, tell=events.append)

        tally = asyncio.run(once())
    assert (tally.kept, tally.set_aside, tally.broken) == (8, 1, 1)
    with store.open(where) as kept:
        broken = kept.source(numbers[1])
        assert broken is not None
        assert "KeyError" in broken.problem
        assert any("KeyError" in entry.reason for entry in kept.quarantine())
        assert kept.totals().articles == 9  # the headline of the page that raised is there
        counts = kept.item_counts()[numbers[0]]
        assert (counts.items, counts.articles, counts.teasers, counts.reason) == (9, 9, 1, "failed")


def test_the_store_is_tidied_once_a_day(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tidied: list[str] = []
    tidy = store.Store.tidy

    def counted(opened: store.Store) -> None:
        tidied.append(where)
        tidy(opened)

    monkeypatch.setattr(store.Store, "tidy", counted)
    with Press() as press:
        add(where, feed(press, GAZETTE))
        run(press, where)
        assert not tidied
        again(where)
        run(press, where, replace(QUICK, tidy_every=timedelta(0)))
    assert tidied == [where]
