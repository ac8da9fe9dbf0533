"""What is remembered of visitors for a while, and of so many only: turns that are left, attempts that failed, readings.

A ledger is held while it is changed (`with ledger as entries:`), so that nobody counts beside somebody else. This one
is the memory of one process; several processes that serve one house share another (`publish.workers.shared_ledger`).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from types import TracebackType
from typing import Protocol, Self, TypeAlias

#: A number, and when it was written: those of longest ago are forgotten first.
Entry: TypeAlias = tuple[float, float]


class Entries(Protocol):
    """Entries by key."""

    def get(self, key: str) -> Entry | None:
        """The entry of a key."""
        ...

    def put(self, key: str, entry: Entry) -> None:
        """Write an entry; where there is no room for it, an old one is forgotten."""
        ...

    def drop(self, key: str) -> None:
        """Forget an entry."""
        ...


class Ledger(Protocol):
    """Entries that only whoever holds them reads and changes: no other thread, no other process."""

    def __enter__(self) -> Entries:
        """Hold it, for a moment."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let it go."""
        ...


@dataclass(slots=True)
class Remembered:
    """A ledger in the memory of this process."""

    most: int = 20_000
    _entries: OrderedDict[str, Entry] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: str) -> Entry | None:
        """The entry of a key."""
        return self._entries.get(key)

    def put(self, key: str, entry: Entry) -> None:
        """Write an entry; the one that was written longest ago may have to go."""
        self._entries[key] = entry
        self._entries.move_to_end(key)
        if len(self._entries) > self.most:
            self._entries.popitem(last=False)

    def drop(self, key: str) -> None:
        """Forget an entry."""
        self._entries.pop(key, None)

    def __len__(self) -> int:
        return len(self._entries)

    def __enter__(self) -> Self:
        self._lock.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()
