"""A store that cannot be reached for a while, as when PostgreSQL is started anew: a watch says so and waits, a round
that is to end by itself ends with the sentence, and who wants it to stop does not wait for the server.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.portal.watch.press import QUICK, Press
from tests.portal.watch.test_watch import GAZETTE, QuickClock, add, feed
from tidings.errors import StoreUnreachable
from tidings_portal import store
from tidings_portal import watch as pipeline
from tidings_portal.store.store import Store
from tidings_portal.watch.events import ArticleStored, Event, StoreTrouble


class Outage:
    """The server is away: sources cannot be claimed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lasts = True
        claim = Store.claim_sources

        def claim_sources(kept: Store, *values: Any) -> Any:
            if self.lasts:
                raise StoreUnreachable("the store cannot be reached; check the server")
            return claim(kept, *values)

        monkeypatch.setattr(Store, "claim_sources", claim_sources)


@pytest.fixture
def where(tmp_path: Path) -> str:
    return str(tmp_path / "news.tidings")


@pytest.fixture
def outage(monkeypatch: pytest.MonkeyPatch) -> Outage:
    return Outage(monkeypatch)


def test_a_watch_goes_on_when_the_store_is_back(where: str, outage: Outage) -> None:
    events: list[Event] = []

    async def watched(press: Press) -> None:
        stop = asyncio.Event()

        def tell(event: Event) -> None:
            events.append(event)
            outage.lasts = False  # the first thing that is told is that it is away
            if sum(isinstance(one, ArticleStored) for one in events) == 9:
                stop.set()

        async with press.live() as live:
            plan = replace(QUICK, once=False)
            await pipeline.watch(where, fetcher=live, plan=plan, tell=tell, stop=stop, clock=QuickClock())

    with Press() as press:
        add(where, feed(press, GAZETTE))
        asyncio.run(watched(press))
    troubles = [event.sentence for event in events if isinstance(event, StoreTrouble)]
    assert troubles == ["the store cannot be reached; check the server", ""]
    with store.open(where) as kept:
        assert kept.totals().articles == 9
        assert kept.check() == []


@pytest.mark.usefixtures("outage")
def test_a_round_ends_with_the_error_itself(where: str) -> None:
    """Not with a group of errors: it was raised among tasks (PEP 654 puts what `except*` raises into a group again)."""
    with Press() as press:
        add(where, feed(press, GAZETTE))

        async def watched() -> None:
            async with press.live() as live:
                await pipeline.watch(where, fetcher=live, plan=QUICK, clock=QuickClock())

        with pytest.raises(StoreUnreachable, match="check the server"):
            asyncio.run(watched())


@pytest.mark.usefixtures("outage")
def test_who_wants_it_to_stop_does_not_wait_for_the_server(where: str) -> None:
    class Slow(QuickClock):
        async def sleep(self, seconds: float) -> None:  # noqa: ARG002  # however short, it does not end
            await asyncio.Event().wait()

    async def watched() -> None:
        stop = asyncio.Event()

        def tell(event: Event) -> None:
            asyncio.get_running_loop().call_soon(stop.set)

        async with asyncio.timeout(60):
            await pipeline.watch(where, plan=replace(QUICK, once=False), tell=tell, stop=stop, clock=Slow())

    with pytest.raises(StoreUnreachable):
        asyncio.run(watched())
