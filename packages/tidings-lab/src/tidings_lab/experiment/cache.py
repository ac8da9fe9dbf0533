"""A cache of result rows on disk, keyed by everything they depend on: page, ground truth, system with its code,
measures.

The cache is one SQLite file. Only the parent process writes, and it writes the rows of each page as they arrive, so
that an interrupted run continues where it stopped.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, Self

from tidings.errors import InputError
from tidings.processes.shared_files import connect

FILE: Final = "rows.sqlite"
_AT_ONCE: Final = 500  # keys per query; old builds of SQLite allow 999 parameters


def default_folder() -> Path:
    """Return the platform's folder for caches."""
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "tidings" / "lab"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "tidings" / "lab"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "tidings" / "lab"


class Cache:
    """A store of records by key, in a folder.

    Raises:
        InputError: the folder cannot be written to, or its file is no cache.
    """

    def __init__(self, folder: Path) -> None:
        self.file = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._base = connect(self.file, 30)
            self._base.execute("CREATE TABLE IF NOT EXISTS rows (key TEXT PRIMARY KEY, record TEXT) WITHOUT ROWID")
        except (OSError, sqlite3.Error) as error:
            raise InputError(f"{self.file} cannot be used as a cache: {error}; name another with --cache") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._base.close()

    def get(self, keys: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Return the existing records; unreadable ones count as missing."""
        all_keys, records = list(keys), {}
        for start in range(0, len(all_keys), _AT_ONCE):
            batch = all_keys[start : start + _AT_ONCE]
            placeholders = ",".join("?" * len(batch))
            query = f"SELECT key, record FROM rows WHERE key IN ({placeholders})"  # noqa: S608  # placeholders only
            for key, text in self._base.execute(query, batch):
                try:
                    records[str(key)] = json.loads(text)
                except ValueError:
                    continue
        return records

    def put(self, records: Mapping[str, Mapping[str, Any]]) -> None:
        """Store records; those with the same key are replaced."""
        rows = [(key, json.dumps(record, separators=(",", ":"))) for key, record in records.items()]
        self._base.execute("BEGIN")
        self._base.executemany("INSERT OR REPLACE INTO rows VALUES (?, ?)", rows)
        self._base.execute("COMMIT")
