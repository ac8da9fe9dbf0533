"""What other extractors would have taken of a page, and how much they agree with the one that read it.

Agreement is F1 over the characters that two of them keep. All of them together take a third of a second on a usual
page; on a large one it ends when its time is over, and says how many were not asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Final

from tidings.errors import TidingsError
from tidings.extractors import entries, extractor
from tidings.page import Page, Spans

_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class Row:
    """What one extractor would have taken."""

    name: str
    citation: str
    words: int
    percent: int  # agreement
    is_own: bool


@dataclass(frozen=True, slots=True)
class Others:
    """All that were asked, those who agree most first; and how many there was no time for."""

    rows: tuple[Row, ...]
    left_out: int

    @property
    def weight(self) -> int:
        """How much room they take in memory, about."""
        return 500 + 400 * len(self.rows)


def others(page: Page, own: str, seconds: float = _SECONDS, clock: Callable[[], float] = perf_counter) -> Others:
    """Ask other extractors about a page.

    Args:
        page: the page.
        own: the extractor that read it; always asked.
        seconds: time for all of them.
        clock: tells the time.
    """
    until = clock() + seconds
    taken = extractor(own)(page)
    rows = [Row(own, "", len(taken.words(page)), 100, is_own=True)]
    every = [entry for entry in entries() if entry.name != own]
    asked = 0
    for entry in every:
        if clock() >= until:
            break
        asked += 1
        try:
            spans = entry.make()(page)
        except TidingsError:  # one that needs what is not installed
            continue
        rows.append(Row(entry.name, entry.citation, len(spans.words(page)), agreement(taken, spans), is_own=False))
    return Others(tuple(sorted(rows, key=lambda row: (-row.percent, not row.is_own))), len(every) - asked)


def agreement(one: Spans, other: Spans) -> int:
    """How much two agree, in percent."""
    total = one.characters + other.characters
    return round(200 * (one & other).characters / total) if total else 100
