"""Bytes that processes share, and a lock on them that a dead process cannot keep.

Whoever holds the lock changes a few bytes, which takes microseconds; it is asked for without waiting, and again after a
moment. To wait inside the system's call would mean to let go of the interpreter, and to get that back, with the lock
already taken, behind twenty threads that make pages: all processes would wait for the busiest. Whoever has not got it
after two seconds takes it that its holder was killed over it, and frees it. Should that be wrong, somebody gets a turn
too many.
"""

from __future__ import annotations

import mmap
import multiprocessing
import os
import tempfile
import time
from contextlib import suppress
from multiprocessing.reduction import DupFd
from multiprocessing.synchronize import Lock
from types import TracebackType
from typing import Any, Final, Self

#: Seconds until the lock is asked for again, and until its holder is taken for dead.
_MOMENT: Final = 0.0002
_DEAD: Final = 2.0


class Memory:
    """Memory that is handed to a process which is started with it."""

    def __init__(self, file: int, size: int, lock: Lock) -> None:
        self._file = file
        self._size = size
        self._lock = lock
        self.bytes = mmap.mmap(file, size)

    @classmethod
    def made(cls, size: int) -> Memory:
        """New memory, all zeros. It has no name: when nobody has it any more it is gone."""
        if hasattr(os, "memfd_create"):
            file = os.memfd_create("tidings")
        else:
            with tempfile.TemporaryFile() as unnamed:
                file = os.dup(unnamed.fileno())
        os.ftruncate(file, size)
        return cls(file, size, multiprocessing.get_context("spawn").Lock())

    def __reduce__(self) -> tuple[Any, ...]:
        return _joined, (DupFd(self._file), self._size, self._lock)

    def close(self) -> None:
        """Let go of it; the others still have it."""
        self.bytes.close()
        os.close(self._file)

    def __enter__(self) -> Self:
        if not self._lock.acquire(block=False):
            self._wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._free()

    def _wait(self) -> None:
        dead = time.monotonic() + _DEAD
        while not self._lock.acquire(block=False):
            if time.monotonic() > dead:
                self._free()
                dead = time.monotonic() + _DEAD
            time.sleep(_MOMENT)

    def _free(self) -> None:
        with suppress(ValueError):  # somebody took us for dead, and it is free already
            self._lock.release()


def _joined(file: Any, size: int, lock: Lock) -> Memory:
    """The memory in a process that it was handed to."""
    number = file.detach()
    os.set_inheritable(number, False)
    return Memory(number, size, lock)
