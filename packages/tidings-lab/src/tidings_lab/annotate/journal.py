"""An append-only journal of an annotation project, a JSON object per line.

Each change is on disk before it is acknowledged, so a crash of the server loses no work. An incomplete line is skipped.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tidings.errors import InputError

JOURNAL: Final = "journal.jsonl"


class Journal:
    """The journal of an annotation folder, locked by one server at a time.

    Raises:
        InputError: another server uses the folder, or it cannot be written to.
    """

    def __init__(self, folder: Path) -> None:
        self.file = folder / JOURNAL
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._stream = self.file.open("ab", buffering=0)
        except OSError as error:
            raise InputError(f"{self.file} cannot be written: {error.strerror or error}") from error
        if not _lock(self._stream.fileno()):
            self._stream.close()
            raise InputError(f"{folder} is being annotated by another tidings; close that one or name another --out")
        # An incomplete last line is terminated before the next one is written.
        self._is_incomplete = not self.file.read_bytes().endswith(b"\n") and self.file.stat().st_size > 0

    def entries(self) -> Iterator[dict[str, Any]]:
        """Yield all entries in order."""
        for line in self.file.read_bytes().split(b"\n"):
            try:
                entry = json.loads(line)
            except (ValueError, RecursionError):  # empty or incomplete
                continue
            if isinstance(entry, dict):
                yield entry

    def append(self, entry: dict[str, Any]) -> None:
        """Write an entry and flush it to disk.

        Raises:
            OSError: it could not be written.
        """
        line = json.dumps({"at": datetime.now(UTC).isoformat(timespec="seconds"), **entry}).encode() + b"\n"
        if self._is_incomplete:
            line = b"\n" + line
        self._is_incomplete = True
        while line:
            line = line[self._stream.write(line) :]
        os.fsync(self._stream.fileno())
        self._is_incomplete = False

    def close(self) -> None:
        """Close the journal, so that other servers can use the folder."""
        self._stream.close()


def _lock(descriptor: int) -> bool:
    """Lock a file until it is closed; return False if another process has locked it. Always succeeds on Windows, which
    has no such locks.
    """
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
