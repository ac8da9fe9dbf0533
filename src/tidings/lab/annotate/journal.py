"""Every change goes to disk before it is answered: whatever happens to the server, no work is lost.

The journal is a file that only grows, a JSON object a line. A line that was cut off by a crash is passed over.

The marks of one page and every change to them: what was done can be undone, and done again.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tidings.errors import InputError
from tidings.lab.marks import Marks, UnitMark


@dataclass(frozen=True, slots=True)
class MarkChange:
    """Units that got a mark, and what each had before."""

    units: tuple[int, ...]
    before: tuple[int, ...]
    mark: UnitMark


@dataclass(slots=True)
class History:
    """What a page's units are now, and how they came to be so."""

    marks: Marks
    done: list[MarkChange] = field(default_factory=list)
    undone: list[MarkChange] = field(default_factory=list)

    def mark(self, units: Sequence[int], mark: UnitMark, *, always: bool = False) -> bool:
        """Mark units; says whether there was something to do. What was undone before cannot be done again.

        To confirm a mark that a unit has already is a change too, the first time: somebody decided. `always` makes it
        one in any case.

        Raises:
            ValueError: there is no such unit.
        """
        if wrong := [unit for unit in units if not 0 <= unit < len(self.marks)]:
            raise ValueError(f"there is no unit {wrong[0]}: the page has {len(self.marks)}")
        chosen = tuple(dict.fromkeys(units))
        decided = self.decided
        if not always and not [unit for unit in chosen if self.marks[unit] != mark or unit not in decided]:
            return False
        self.undone.clear()
        self._do(MarkChange(chosen, tuple(int(self.marks[unit]) for unit in chosen), mark))
        return True

    def undo(self) -> bool:
        """Take back the last change; says whether there was one."""
        if not self.done:
            return False
        change = self.done.pop()
        self.marks[list(change.units)] = change.before
        self.undone.append(change)
        return True

    def redo(self) -> bool:
        """Do again what was taken back last; says whether there was something."""
        if not self.undone:
            return False
        self._do(self.undone.pop())
        return True

    def _do(self, change: MarkChange) -> None:
        self.marks[list(change.units)] = change.mark
        self.done.append(change)

    @property
    def decided(self) -> set[int]:
        """Blocks that somebody has marked, if only to confirm what they were."""
        return {unit for change in self.done for unit in change.units}


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
