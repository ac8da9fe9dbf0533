"""A store is readable by its owner alone: the file, its log, copies before a migration, backups."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.portal.store.made import NOON, new
from tidings_portal import store
from tidings_portal.store import migrations
from tidings_portal.store.records_of_work import NewSource

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def _modes(folder: Path) -> dict[str, str]:
    return {file.name: oct(file.stat().st_mode & 0o777) for file in sorted(folder.iterdir())}


def test_a_new_store_with_its_log(tmp_path: Path) -> None:
    with store.open(tmp_path / "news.tidings") as opened:
        opened.keep([new(1)])
        opened.add_sources([NewSource("https://a.example/feed")], NOON)
        modes = _modes(tmp_path)
    assert {"news.tidings", "news.tidings-wal", "news.tidings-shm"} <= modes.keys()
    assert set(modes.values()) == {"0o600"}


def test_copies(tmp_path: Path) -> None:
    with store.open(tmp_path / "news.tidings") as opened:
        opened.keep([new(1)])
        opened.backup_to(tmp_path / "copy.tidings")
    assert set(_modes(tmp_path).values()) == {"0o600"}


def test_the_copy_before_a_migration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where, latest = tmp_path / "news.tidings", migrations.latest()
    with monkeypatch.context() as older:
        older.setattr(migrations, "latest", lambda: latest - 1)
        store.open(where).close()
    with sqlite3.connect(where) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (latest - 1,)
    database.close()
    store.open(where).close()
    copy = tmp_path / f"news.tidings.version-{latest - 1}"
    assert oct(copy.stat().st_mode & 0o777) == "0o600"


def test_an_existing_file_keeps_its_permissions(tmp_path: Path) -> None:
    """An operator may give a group access."""
    where = tmp_path / "news.tidings"
    store.open(where).close()
    shutil.copy(where, tmp_path / "other.tidings")
    (tmp_path / "other.tidings").chmod(0o640)
    store.open(tmp_path / "other.tidings").close()
    assert _modes(tmp_path)["other.tidings"] == "0o640"
