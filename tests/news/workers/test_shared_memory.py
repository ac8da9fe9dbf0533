"""What serving processes share: ledgers that agree with one in plain memory, a lock that no dead process keeps."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from multiprocessing.connection import Connection

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tidings.news.web.keeping import Keeping
from tidings.news.web.ledger import Entry, Remembered
from tidings.news.web.turns import Turns
from tidings.news.workers.memory import Memory
from tidings.news.workers.places import SIZE, Places, SharedAge
from tidings.news.workers.shared_ledger import SharedLedger, size_for

SPAWN = multiprocessing.get_context("spawn")
SECRET = b"chosen for these tests"
KEYS = some.sampled_from([f"visitor {number}" for number in range(40)] + ["", "\0", "ışık", "\ud800"])
WORDS = some.lists(some.tuples(some.sampled_from("put get drop".split()), KEYS, some.floats(0, 1e9)), max_size=80)


@pytest.fixture
def memory() -> Iterator[Memory]:
    made = Memory.made(SIZE + size_for(1000))
    yield made
    made.close()


def ledger_in(memory: Memory, entries: int = 1000) -> SharedLedger:
    return SharedLedger(memory, SIZE, size_for(entries), SECRET)


@given(WORDS)
def test_a_shared_ledger_says_what_one_in_plain_memory_says(words: list[tuple[str, str, float]]) -> None:
    memory = Memory.made(SIZE + size_for(1000))
    here, there = Remembered(), ledger_in(memory)
    try:
        for word, key, number in words:
            with here as plain, there as common:
                if word == "put":
                    plain.put(key, (number, 1.0))
                    common.put(key, (number, 1.0))
                elif word == "drop":
                    plain.drop(key)
                    common.drop(key)
                assert common.get(key) == plain.get(key)
    finally:
        memory.close()


def test_when_it_is_full_the_oldest_are_forgotten(memory: Memory) -> None:
    ledger = ledger_in(memory, 100)
    with ledger as entries:
        for number in range(5000):
            entries.put(f"visitor {number}", (number, float(number)))
            assert entries.get(f"visitor {number}") == (number, float(number))
        left = [number for number in range(5000) if entries.get(f"visitor {number}") is not None]
    assert 100 <= len(left) <= 256
    assert min(left) > 3000


@pytest.mark.parametrize("wanted", [1, 100, 10_000, 100_000])
def test_a_table_has_room_for_what_is_wanted(wanted: int) -> None:
    size = size_for(wanted)
    assert 2 * wanted * 32 <= size < max(257, 4 * wanted * 32)
    assert size & (size - 1) == 0


def _take(line: Connection, memory: Memory) -> None:
    """Take as many turns as there are, at a time that stands still."""
    turns = Turns(lambda: 1000.0, ledger_in(memory))
    line.send("here")
    line.recv()
    line.send(sum(turns.take("read", "192.0.2.1", 100) == 0 for _ in range(300)))


def test_two_processes_have_the_turns_of_one(memory: Memory) -> None:
    lines = []
    for _ in range(2):
        ours, theirs = SPAWN.Pipe()
        SPAWN.Process(target=_take, args=(theirs, memory), daemon=True).start()
        lines.append(ours)
    assert [line.recv() for line in lines] == ["here", "here"]
    for line in lines:
        line.send("now")
    assert sum(line.recv() for line in lines) == 100


def _hold(line: Connection, memory: Memory) -> None:
    with memory:
        line.send("held")
        line.recv()


def test_the_lock_of_a_killed_process_is_free(memory: Memory) -> None:
    ours, theirs = SPAWN.Pipe()
    holder = SPAWN.Process(target=_hold, args=(theirs, memory), daemon=True)
    holder.start()
    assert ours.recv() == "held"
    got = threading.Event()

    def take() -> None:
        with memory:
            got.set()

    waiting = threading.Thread(target=take, daemon=True)
    waiting.start()
    assert not got.is_set()
    assert holder.pid
    os.kill(holder.pid, signal.SIGKILL)
    assert got.wait(30)
    waiting.join()
    holder.join()


def test_what_one_process_changes_all_make_anew(memory: Memory) -> None:
    places = Places(memory, 3)
    first, second = (Keeping(age=SharedAge(places, place)) for place in (0, 2))
    made: list[str] = []

    def make() -> Entry:
        made.append("made")
        return (1.0, 2.0)

    for keeping in (first, second, first, second):
        keeping.get("front page", make, 60)
    assert len(made) == 2
    second.forget()
    for keeping in (first, second, first, second):
        keeping.get("front page", make, 60)
    assert len(made) == 4


def test_places_tell_who_is_ahead(memory: Memory) -> None:
    places = Places(memory, 3)
    places.note_connections(0, 5)
    places.note_connections(1, 3)
    places.note_connections(2, None)
    assert [places.ahead(0), places.ahead(1)] == [2, 0]
    assert places.serving == 2
    places.note_connections(1, None)
    assert places.ahead(0) == 0
    places.note_replaced(1)
    places.note_replaced(2)
    assert places.replaced == 2
