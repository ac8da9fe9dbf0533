"""SQLite files that several processes have open."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from tidings.processes.shared_files import connect, write_ahead

AT_ONCE = 4


def test_several_begin_one_new_file_at_once(tmp_path: Path) -> None:
    def begin(path: Path, barrier: threading.Barrier) -> str:
        with closing(sqlite3.connect(path, timeout=20, isolation_level=None)) as connection:
            barrier.wait()
            write_ahead(connection, 20)
            return str(connection.execute("PRAGMA journal_mode").fetchone()[0])

    for turn in range(40):  # without trying again one in three such files is locked to somebody
        barrier = threading.Barrier(AT_ONCE)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            begun = [pool.submit(begin, tmp_path / f"{turn}.db", barrier) for _ in range(AT_ONCE)]
            assert [one.result() for one in begun] == ["wal"] * AT_ONCE


def test_who_finds_the_file_locked_tries_again_and_is_told_when_it_takes_too_long(tmp_path: Path) -> None:
    path = tmp_path / "held.db"
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as holder:
        holder.execute("CREATE TABLE seal (name)")
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            connect(path, 0.05)
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as waiting:
            ending = threading.Timer(0.1, holder.execute, ["ROLLBACK"])
            ending.start()
            write_ahead(waiting, 20)
            ending.join()
            assert waiting.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_what_is_no_such_file_is_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "page.db"
    path.write_text("<p>Seals are back in the estuary.</p>" * 99)
    with pytest.raises(sqlite3.DatabaseError, match="not a database"):
        connect(path, 20)
