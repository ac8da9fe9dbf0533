"""No room on the disk, as SQLite itself finds it (`max_page_count`, which ends in the same SQLITE_FULL): a watch says
so and waits, `tidings status` says so, and when there is room again nothing is lost and nothing is twice.
"""

from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.portal.watch.press import QUICK, Press
from tests.portal.watch.test_watch import GAZETTE, QuickClock, add, feed
from tidings.cli.app import app
from tidings.errors import StoreFull
from tidings_portal import store
from tidings_portal import watch as pipeline
from tidings_portal.store.sqlite import SQLite
from tidings_portal.watch.events import ArticleStored, Event, StoreTrouble

ENOUGH = 1_000_000


class Disk:
    """How many pages fit, for all connections of this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.pages = ENOUGH
        self.connections: list[sqlite3.Connection] = []
        opened = SQLite._opened

        def limited(database: SQLite, uri: str) -> sqlite3.Connection:
            connection = opened(database, uri)
            connection.execute(f"PRAGMA max_page_count = {self.pages}")
            self.connections.append(connection)
            return connection

        monkeypatch.setattr(SQLite, "_opened", limited)

    def has(self, pages: int) -> None:
        self.pages = pages
        for connection in self.connections:
            try:
                connection.execute(f"PRAGMA max_page_count = {pages}")
            except sqlite3.ProgrammingError:  # closed
                continue


@pytest.fixture
def where(tmp_path: Path) -> str:
    return str(tmp_path / "news.tidings")


def test_a_watch_waits_for_room_and_status_says_so(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk(monkeypatch)
    with Press() as press:
        add(where, feed(press, GAZETTE))
        with store.open(where) as kept, kept.database.reading() as session:
            disk.has(session.value("PRAGMA page_count") + 4)  # the watch can begin, and keep nothing
        with pytest.raises(StoreFull, match="no room"):  # one round ends with a sentence
            asyncio.run(watched(press, where, [], once=True))
        status = CliRunner().invoke(app, ["status", "--store", where])
        assert "nothing can be written to the store: there is no room left" in status.output + status.stderr

        with store.open(where) as kept:
            assert kept.totals().articles == 0
        events: list[Event] = []
        asyncio.run(watched(press, where, events, once=False, at_trouble=lambda: disk.has(ENOUGH)))
    troubles = [event.sentence for event in events if isinstance(event, StoreTrouble)]
    assert len(troubles) == 2
    assert "no room left" in troubles[0]
    assert troubles[1] == ""
    assert sum(isinstance(event, ArticleStored) for event in events) == 9
    with store.open(where) as kept:
        assert kept.totals().articles == 9
        assert kept.check() == []
    status = CliRunner().invoke(app, ["status", "--store", where])
    assert "nothing new can be kept" not in status.output + status.stderr


async def watched(press: Press, where: str, events: list[Event], *, once: bool, at_trouble=lambda: None) -> None:  # type: ignore[no-untyped-def]
    stop = asyncio.Event()

    def tell(event: Event) -> None:
        events.append(event)
        if isinstance(event, StoreTrouble) and event.sentence:
            at_trouble()
        if sum(isinstance(one, ArticleStored) for one in events) == 9:
            stop.set()

    async with press.live() as live:
        plan = replace(QUICK, once=once)
        await pipeline.watch(where, fetcher=live, plan=plan, tell=tell, stop=stop, clock=QuickClock())
