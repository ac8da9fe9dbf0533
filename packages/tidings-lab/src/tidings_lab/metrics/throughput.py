"""Throughput: megabytes and pages per second (SPEC 8; DANA thesis, tables 4.7 and 4.10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

#: The resolution of the clocks.
_SHORTEST: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Throughput:
    """Work done and the time it took."""

    pages: int
    bytes: int  # of the pages before decoding
    seconds: float

    def __add__(self, other: Throughput) -> Throughput:
        return Throughput(self.pages + other.pages, self.bytes + other.bytes, self.seconds + other.seconds)

    @property
    def megabytes_per_second(self) -> float:
        """Return megabytes per second, a megabyte being a million bytes."""
        return self.bytes / 1e6 / max(self.seconds, _SHORTEST)

    @property
    def pages_per_second(self) -> float:
        """Return pages per second."""
        return self.pages / max(self.seconds, _SHORTEST)
