"""Every change goes to disk before it is answered: whatever happens to the server, no work is lost.

The journal is a file that only grows, a JSON object a line. A line that was cut off by a crash is passed over.
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

if sys.platform != "win32":
    import fcntl

JOURNAL: Final = "journal.jsonl"


class Journal:
    """The journal of one folder, held by one server at a time.

    Raises:
        InputError: another server works on the folder, or it cannot be written to.
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
        # A line that a crash left open is ended before the next one.
        self._torn = not self.file.read_bytes().endswith(b"\n") and self.file.stat().st_size > 0

    def entries(self) -> Iterator[dict[str, Any]]:
        """Everything that was written, in order."""
        for line in self.file.read_bytes().split(b"\n"):
            try:
                entry = json.loads(line)
            except (ValueError, RecursionError):  # empty, or cut off in the middle
                continue
            if isinstance(entry, dict):
                yield entry

    def append(self, entry: dict[str, Any]) -> None:
        """Write an entry; it is on disk when this returns.

        Raises:
            OSError: it could not be written.
        """
        line = json.dumps({"at": datetime.now(UTC).isoformat(timespec="seconds"), **entry}).encode() + b"\n"
        if self._torn:
            line = b"\n" + line
        self._torn = True
        while line:
            line = line[self._stream.write(line) :]
        os.fsync(self._stream.fileno())
        self._torn = False

    def close(self) -> None:
        """Let another server have the folder."""
        self._stream.close()


def _lock(descriptor: int) -> bool:
    """Hold a file until it is closed; where the system has no such locks, hope."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
