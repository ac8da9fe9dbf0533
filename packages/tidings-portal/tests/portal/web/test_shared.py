"""Several processes are one portal: what is counted once for all of them lies in the store, whichever it is."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.portal.housed import Web
from tidings.errors import InputError, StoreBusy
from tidings_portal import store
from tidings_portal.accounts.read_tracking import ReadCounter
from tidings_portal.accounts.sessions import LoginThrottle, sessions
from tidings_portal.cli.serve import serve
from tidings_portal.serve import _measures_folder
from tidings_portal.store import Store
from tidings_portal.store.verbs.retention import CounterRows
from tidings_portal.web.app_state import App, SharedState, shared_in_store
from tidings_portal.web.counters import CounterTable, RateLimits, StoreCounters
from tidings_portal.web.page_cache import MOST_BYTES, PageCache

SECRET = bytes(range(32))


def common(kept: Store, count: int = 2) -> list[SharedState]:
    return [shared_in_store(kept, SECRET, count) for _ in range(count)]


def test_a_reading_counts_once_and_attempts_together(tmp_path: Path) -> None:
    now = datetime(2026, 3, 20, 12, tzinfo=UTC)
    with store.open(tmp_path / "news.tidings") as kept:
        both = common(kept)
        counting = [ReadCounter(kept, lambda: now, one.readings) for one in both]
        assert [one.read(7, "a browser") for one in (*counting, *counting)] == [True, False, False, False]
        attempts = [LoginThrottle(lambda: 1000.0, one.attempts) for one in both]
        waits = [attempts[number % 2].begin("ann", "192.0.2.1") for number in range(6)]
        assert waits == [0, 0, 0, 0, 0, 1]
        attempts[0].succeeded("ann", "192.0.2.1")
        assert attempts[1].begin("ann", "192.0.2.1") == 0


def test_turns_are_one_number_for_all(tmp_path: Path) -> None:
    time = 5000.0
    with store.open(tmp_path / "news.tidings") as kept:
        both = [RateLimits(lambda: time, one.turns) for one in common(kept)]
        assert [both[number % 2].take("fetch", "ann", 3).wait for number in range(4)] == [0, 0, 0, 20]
        assert both[0].take("fetch", "ben", 3).wait == 0
        time = 5020.0
        assert [one.take("fetch", "ann", 3).wait for one in both] == [0, 20]


def test_many_turns_are_taken_a_part_at_a_time_and_never_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = 5000.0
    written: list[str] = []
    with store.open(tmp_path / "news.tidings") as kept:
        both = [RateLimits(lambda: time, one.turns) for one in common(kept)]
        change = kept.change_counters

        def noted(space: str, work: Callable[[CounterRows], Any]) -> Any:
            written.append(space)
            return change(space, work)

        monkeypatch.setattr(kept, "change_counters", noted)
        taken = [both[number % 2].take("reads", "ann", 600) for number in range(620)]
    assert [turn.wait for turn in taken].count(0) == 600
    assert len(written) < 60
    assert taken[0].left == 599
    assert all(turn.wait for turn in taken[600:])


def test_turns_of_many_threads_are_all_counted(tmp_path: Path) -> None:
    with store.open(tmp_path / "news.tidings") as kept:
        both = [RateLimits(lambda: 1000.0, one.turns) for one in common(kept)]
        waits: list[int] = []

        def ask(turns: RateLimits) -> None:
            waits.append(turns.take("fetch", "ann", 7).wait)

        crew = [threading.Thread(target=ask, args=(one,)) for one in both * 10]
        for one in crew:
            one.start()
        for one in crew:
            one.join()
    assert waits.count(0) == 7


def test_where_the_store_cannot_be_written_each_counts_for_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object) -> None:
        raise StoreBusy("somebody writes")

    with store.open(tmp_path / "news.tidings") as kept:
        turns = RateLimits(lambda: 1000.0, common(kept)[0].turns)
        monkeypatch.setattr(type(kept), "change_counters", busy)
        assert [turns.take("fetch", "ann", 3).wait for _ in range(4)] == [0, 0, 0, 20]


def test_what_one_forgets_all_forget(tmp_path: Path) -> None:
    with store.open(tmp_path / "news.tidings") as kept:
        both = [PageCache(generation=one.generation) for one in common(kept)]
        made = iter(range(9))
        assert [one.get("page", lambda: next(made), 60) for one in (*both, *both)] == [0, 1, 0, 1]
        both[0].forget()
        assert [one.get("page", lambda: next(made), 60) for one in both] == [2, 3]


def written(table: CounterTable, key: str, at: float) -> None:
    table.put(key, (1, at))


def test_who_visits_stands_nowhere_and_what_is_old_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "news.tidings"
    with store.open(path) as kept:
        counters = StoreCounters(kept, "attempts", 3, SECRET)
        for number in range(9):
            counters.change(partial(written, key=f"192.0.2.{number}", at=4e9 + number))
        counters.change(partial(written, key="old", at=1000.0))
        counters.tidy()
        assert counters.change(lambda table: table.get("old")) is None
        assert counters.change(lambda table: table.get("192.0.2.5")) is None
        assert counters.change(lambda table: table.get("192.0.2.6")) == (1.0, 4e9 + 6)
        kept.tidy()
    assert b"192.0.2." not in path.read_bytes()
    assert SECRET.hex() not in repr(counters)


def test_they_share_the_memory_that_one_may_use(tmp_path: Path) -> None:
    with store.open(tmp_path / "news.tidings") as kept:
        houses = [App(kept, Web(), Web(), common=one) for one in common(kept, 4)]
        assert sum(one.cache.most + one.picture_cache.most for one in houses) == 2 * MOST_BYTES
        assert len({one.secret for one in houses}) == 1
        assert sessions(houses[0]).passwords.at_once == 1  # of 64 MB each
        assert sessions(App(kept, Web(), Web())).passwords.at_once == 2


def test_without_a_folder_for_measures_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="TMPDIR"), _measures_folder():
        pass


def test_windows_serves_with_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(InputError, match="--workers"):
        serve(workers=2)
