"""How each of the serving processes is, where all of them can see it: one place in the shared memory for each.

A number is written by one process only, the one whose place it is, or by their parent while nobody has the place.
Hence no lock: eight bytes are written at once.
"""

from __future__ import annotations

import struct
import threading
import time
from dataclasses import dataclass, field
from typing import Final

from tidings.news.workers.memory import Memory

#: Processes that there can be.
MOST: Final = 64
_PLACE: Final = 64  # bytes
SIZE: Final = MOST * _PLACE
_CONNECTIONS, _CHANGES, _REPLACED, _BEAT = 0, 8, 16, 24
_NUMBER: Final = struct.Struct("=q")
_TIME: Final = struct.Struct("=d")
#: Connections of a place that nobody serves in.
_NOBODY: Final = -1


@dataclass(frozen=True, slots=True)
class Places:
    """The places of all serving processes, at the beginning of their memory."""

    memory: Memory
    count: int

    def connections(self, place: int) -> int | None:
        """The open connections of one; None: nobody serves there."""
        found = self._number(place, _CONNECTIONS)
        return None if found == _NOBODY else found

    def note_connections(self, place: int, connections: int | None) -> None:
        """Tell how many connections one has; None: nobody serves there."""
        self._write(place, _CONNECTIONS, _NUMBER.pack(_NOBODY if connections is None else connections))

    def ahead(self, place: int) -> int:
        """How many connections more one has than the one that has the fewest."""
        found = [self.connections(one) for one in range(self.count)]
        serving = [one for one in found if one is not None]
        return (found[place] or 0) - min(serving, default=0)

    def beat(self, place: int) -> None:
        """Tell that one is well."""
        self._write(place, _BEAT, _TIME.pack(time.monotonic()))

    def silence(self, place: int) -> float:
        """Seconds since one was last well."""
        at = place * _PLACE + _BEAT
        told: float = _TIME.unpack_from(self.memory.bytes, at)[0]
        return time.monotonic() - told

    def note_replaced(self, place: int) -> None:
        """Tell that the one here has to be started again."""
        self._write(place, _REPLACED, _NUMBER.pack(self._number(place, _REPLACED) + 1))

    @property
    def replaced(self) -> int:
        """How many were started again."""
        return sum(self._number(place, _REPLACED) for place in range(self.count))

    @property
    def serving(self) -> int:
        """How many serve."""
        return sum(self.connections(place) is not None for place in range(self.count))

    def changes(self) -> int:
        """How often somebody has changed what is shown, in all processes together."""
        return sum(self._number(place, _CHANGES) for place in range(self.count))

    def note_change(self, place: int) -> None:
        """One has changed what is shown."""
        self._write(place, _CHANGES, _NUMBER.pack(self._number(place, _CHANGES) + 1))

    def _number(self, place: int, at: int) -> int:
        found: int = _NUMBER.unpack_from(self.memory.bytes, place * _PLACE + at)[0]
        return found

    def _write(self, place: int, at: int, packed: bytes) -> None:
        at += place * _PLACE
        self.memory.bytes[at : at + len(packed)] = packed


@dataclass(frozen=True, slots=True)
class SharedAge:
    """The age (`publish.web.keeping.Age`) of what all processes show."""

    places: Places
    place: int
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def now(self) -> int:
        """The number, which grows with every change in any of them."""
        return self.places.changes()

    def advance(self) -> None:
        """Something was changed here."""
        with self._lock:
            self.places.note_change(self.place)
