"""Throughput: megabytes and pages a second (SPEC 8; DANA thesis, tables 4.7 and 4.10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

#: No clock here tells shorter times apart.
_SHORTEST: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Throughput:
    """Work done and the time it took."""

    pages: int
    bytes: int  # of the pages as they came, before decoding
    seconds: float

    def __add__(self, other: Throughput) -> Throughput:
        return Throughput(self.pages + other.pages, self.bytes + other.bytes, self.seconds + other.seconds)

    @property
    def megabytes_per_second(self) -> float:
        """A megabyte is a million bytes."""
        return self.bytes / 1e6 / max(self.seconds, _SHORTEST)

    @property
    def pages_per_second(self) -> float:
        """Pages a second."""
        return self.pages / max(self.seconds, _SHORTEST)

    @property
    def milliseconds_per_page(self) -> float:
        """Mean time of a page, 0 without pages."""
        return 1000 * self.seconds / self.pages if self.pages else 0.0
