"""Connections to a database, lent to one thread at a time.

A connection is opened when none is idle, and given back when its work is done; a few are kept. A process that was
forked opens its own: neither SQLite nor PostgreSQL lets two processes share one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final, Generic, Protocol, TypeVar

#: More than this are closed when they come back.
_IDLE: Final = 8


class Closable(Protocol):
    """What can be closed."""

    def close(self) -> None:
        """Close it."""


C = TypeVar("C", bound=Closable)


class Connections(Generic[C]):
    """A stack of idle connections: the one that was used last is lent first, as its cache is warm."""

    def __init__(self, connect: Callable[[], C], broken: Callable[[C], bool], most_idle: int = _IDLE) -> None:
        self._most_idle = most_idle
        self._connect = connect
        self._broken = broken
        self._idle: list[C] = []
        self._left: list[C] = []  # of the process that was forked from: not ours to use, nor to close
        self._lock = Lock()
        self._process = os.getpid()
        self._closed = False

    @contextmanager
    def lent(self) -> Iterator[C]:
        """A connection for as long as the block runs."""
        connection = self._take()
        try:
            yield connection
        finally:
            self._give(connection)

    def close(self) -> None:
        """Close those that are idle; those that are lent are closed when they come back."""
        with self._lock:
            idle, self._idle, self._closed = self._idle, [], True
        if self._process == os.getpid():
            for connection in idle:
                connection.close()

    def _take(self) -> C:
        if self._process != os.getpid():
            self._process, self._lock = os.getpid(), Lock()
            self._left, self._idle = self._left + self._idle, []
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return self._connect()

    def _give(self, connection: C) -> None:
        with self._lock:
            if not self._closed and len(self._idle) < self._most_idle and not self._broken(connection):
                self._idle.append(connection)
                return
        connection.close()
