"""Backup and restore, copy, check, prune, doctor."""

from __future__ import annotations

import sqlite3
import threading
from datetime import UTC, datetime
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from tests.cli.test_commands import Tidings, tidings
from tests.portal.conftest import fill
from tests.portal.store.made import new
from tidings_portal import store as stores

__all__ = ["tidings"]


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("TIDINGS_STORE", str(tmp_path / "news.tidings"))


@pytest.fixture
def stocked(tmp_path: Path) -> Path:
    path = tmp_path / "news.tidings"
    with stores.open(path) as kept:
        fill(kept)
    return path


def articles(path: Path) -> int:
    with stores.open(path) as kept:
        assert kept.check() == []
        return kept.totals().articles


def test_a_backup_is_a_store_and_comes_back(tidings: Tidings, stocked: Path, tmp_path: Path) -> None:
    file = tmp_path / "backup.tidings"
    run = tidings("backup", file)
    assert run.code == 0, run.errors
    assert articles(file) == 6
    assert file.stat().st_mode & 0o077 == 0
    assert tidings("backup", file).code == 2
    assert tidings("backup", file, "--replace").code == 0
    with stores.open(stocked) as kept:
        kept.remove_articles([1, 2, 3])
    refused = tidings("restore", file)
    assert refused.code == 2
    assert "--replace" in refused.errors
    run = tidings("restore", file, "--replace")
    assert run.code == 0, run.errors
    assert articles(stocked) == 6
    aside = next(tmp_path.glob("news.tidings.before-*"))
    assert articles(aside) == 3
    assert tidings("search", "seals").code == 0


def test_a_backup_while_somebody_writes(tidings: Tidings, stocked: Path, tmp_path: Path) -> None:
    stop = threading.Event()

    def write() -> None:
        with stores.open(stocked) as kept:
            number = 100
            while not stop.is_set():
                kept.keep([new(number, f"Story {number}", "Text.")])
                number += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        runs = [tidings("backup", tmp_path / f"{number}.tidings") for number in range(3)]
    finally:
        stop.set()
        writer.join()
    assert [run.code for run in runs] == [0, 0, 0]
    found = [articles(tmp_path / f"{number}.tidings") for number in range(3)]
    assert found == sorted(found)
    assert found[0] >= 6


def test_a_damaged_backup_is_not_restored(tidings: Tidings, stocked: Path, tmp_path: Path) -> None:
    file = tmp_path / "backup.tidings"
    tidings("backup", file)
    with sqlite3.connect(file) as damaged:
        damaged.execute("PRAGMA foreign_keys = OFF")
        damaged.execute("DELETE FROM article WHERE id = 1")
    damaged.close()
    run = tidings("restore", file, "--replace")
    assert run.code == 2
    assert articles(stocked) == 6
    assert tidings("restore", tmp_path / "none").code == 2


def test_copy_and_check(tidings: Tidings, stocked: Path, tmp_path: Path) -> None:
    assert tidings("copy", tmp_path / "other.tidings").code == 0
    assert articles(tmp_path / "other.tidings") == 6
    again = tidings("copy", tmp_path / "other.tidings")
    assert again.code == 2
    assert "not empty" in again.errors
    assert tidings("copy", tmp_path / "x", "--store", tmp_path / "none").code == 2
    run = tidings("check")
    assert run.code == 0
    assert "undamaged" in run.errors


def test_prune(tidings: Tidings, stocked: Path) -> None:
    assert tidings("prune").code == 2
    assert tidings("prune", "--pages-size", "much").code == 2
    with stores.open(stocked) as kept:
        kept.save(1, "local", datetime.now(UTC))
    run = tidings("prune", "--older-than", "1d", "--pages-size", "1MB")
    assert run.code == 0
    assert articles(stocked) == 1


@pytest.mark.parametrize(
    ("is_installed", "line"), [(True, "ok     {}is installed"), (False, "note   {}is not installed")]
)
def test_the_doctor_says_which_extras_are_installed(
    tidings: Tidings, monkeypatch: pytest.MonkeyPatch, line: str, *, is_installed: bool
) -> None:
    spec = ModuleSpec("psycopg", None) if is_installed else None
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: spec)
    assert line.format("the optional extra postgres ") in tidings("doctor").output


def test_the_doctor_says_what_is_wrong(tidings: Tidings, stocked: Path, tmp_path: Path) -> None:
    run = tidings("doctor")
    assert run.code == 1
    assert "wrong  no watcher is running" in run.output
    assert "the store has 6 articles of 2 sources and is undamaged" in run.output
    stocked.write_bytes(b"no database at all, but long enough to be looked at" * 100)
    run = tidings("doctor")
    assert run.code == 1
    assert "the store cannot be opened" in run.output
    (tmp_path / "bad.toml").write_text("[serve]\nport = 'x'\n")
    run = tidings("--config", tmp_path / "bad.toml", "doctor")
    assert "line 2" in run.output
    fresh = tidings("doctor", "--store", tmp_path / "fresh.tidings")
    assert "there is no store" in fresh.output
