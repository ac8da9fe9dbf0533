"""Rows on disk, by what they were made of: the page, its gold, the system with its code, and the measures.

One SQLite file. Only the process that watches the workers writes, and each page's rows are written when they are there,
so that a run that was ended in the middle goes on where it was.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from tidings.errors import InputError

FILE: Final = "rows.sqlite"
_AT_ONCE: Final = 500  # keys in one question; SQLite takes 999 in its oldest builds


def default_folder() -> Path:
    """Where this platform keeps what may be deleted at any time."""
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "tidings" / "lab"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "tidings" / "lab"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "tidings" / "lab"


class Cache:
    """Records by key, in a folder.

    Raises:
        InputError: the folder cannot be written to, or the file in it is none of ours.
    """

    def __init__(self, folder: Path) -> None:
        self.file = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(self.file, timeout=30, isolation_level=None)
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=NORMAL")
            self._base.execute("CREATE TABLE IF NOT EXISTS rows (key TEXT PRIMARY KEY, record TEXT) WITHOUT ROWID")
        except (OSError, sqlite3.Error) as error:
            raise InputError(f"{self.file} cannot be used as a cache: {error}; name another with --cache") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._base.close()

    def get(self, keys: Iterable[str]) -> dict[str, dict[str, Any]]:
        """The records there are; one that cannot be read is not there."""
        wanted, found = list(keys), {}
        for start in range(0, len(wanted), _AT_ONCE):
            some = wanted[start : start + _AT_ONCE]
            marks = ",".join("?" * len(some))
            query = f"SELECT key, record FROM rows WHERE key IN ({marks})"  # noqa: S608  # question marks only
            for key, text in self._base.execute(query, some):
                try:
                    found[str(key)] = json.loads(text)
                except ValueError:
                    continue
        return found

    def put(self, records: Mapping[str, Mapping[str, Any]]) -> None:
        """Keep records; those of the same key are replaced."""
        rows = [(key, json.dumps(record, separators=(",", ":"))) for key, record in records.items()]
        self._base.execute("BEGIN")
        self._base.executemany("INSERT OR REPLACE INTO rows VALUES (?, ?)", rows)
        self._base.execute("COMMIT")
