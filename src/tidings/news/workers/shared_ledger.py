"""A ledger (`publish.web.ledger`) that processes share: a table in their memory, as a processor's cache is built.

A key is known by sixteen bytes of its digest, made with a secret, so that no visitor can choose where it falls. These
tell the set of eight places that it may stand in; where all are taken, the one that was written longest ago goes.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from hashlib import blake2b
from types import TracebackType
from typing import Final, Self

from tidings.news.web.ledger import Entry
from tidings.news.workers.memory import Memory

_ENTRY: Final = struct.Struct("=16sdd")
_PLACES: Final = 8
_SET: Final = _PLACES * _ENTRY.size
_NOBODY: Final = bytes(16)
#: Rooms for one entry that is wanted: few sets are full before the whole is.
_ROOMS: Final = 2


def size_for(entries: int) -> int:
    """The bytes of a table that remembers so many entries: a power of two, and one set at least."""
    return max(_SET, _ENTRY.size * (1 << (entries * _ROOMS - 1).bit_length()))


@dataclass(frozen=True, slots=True)
class SharedLedger:
    """A table in shared memory."""

    memory: Memory
    start: int  # where in it
    size: int
    secret: bytes = field(repr=False)

    def get(self, key: str) -> Entry | None:
        """The entry of a key."""
        digest, start = self._found(key)
        for at in range(start, start + _SET, _ENTRY.size):
            known, number, written = _ENTRY.unpack_from(self.memory.bytes, at)
            if known == digest:
                return number, written
        return None

    def put(self, key: str, entry: Entry) -> None:
        """Write an entry: where it stands, or in place of the oldest of its set."""
        digest, start = self._found(key)
        best, oldest = start, float("inf")
        for at in range(start, start + _SET, _ENTRY.size):
            known, _, written = _ENTRY.unpack_from(self.memory.bytes, at)
            if known == digest:
                best = at
                break
            age = float("-inf") if known == _NOBODY else written
            if age < oldest:
                best, oldest = at, age
        self.memory.bytes[best : best + _ENTRY.size] = _ENTRY.pack(digest, *entry)

    def drop(self, key: str) -> None:
        """Forget an entry."""
        digest, start = self._found(key)
        for at in range(start, start + _SET, _ENTRY.size):
            if self.memory.bytes[at : at + len(digest)] == digest:
                self.memory.bytes[at : at + _ENTRY.size] = bytes(_ENTRY.size)

    def _found(self, key: str) -> tuple[bytes, int]:
        digest = blake2b(key.encode("utf-8", "surrogatepass"), key=self.secret, digest_size=16).digest()
        return digest, self.start + int.from_bytes(digest[:8], "little") % (self.size // _SET) * _SET

    def __enter__(self) -> Self:
        self.memory.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.memory.__exit__(kind, error, trace)
