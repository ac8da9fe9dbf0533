"""What is written down later, many at once: how often articles were read, and when somebody was last here.

Reading is told by a beacon, never by the request for a page. One browser counts once for an article in a day.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from tidings.errors import StoreError
from tidings.news.store import Store
from tidings.news.web.counters import Counters, CounterTable, MemoryCounters

LOG: Final = logging.getLogger("tidings.news")
#: Articles and logins waiting to be written; more are not counted.
_MOST_WAITING: Final = 20_000
_SECONDS: Final = 5.0


@dataclass
class Counting:
    """Counts in memory, until somebody has it written. Safe for many threads."""

    store: Store
    now: Callable[[], datetime]
    seen: Counters = field(default_factory=MemoryCounters)  # readings, so that none counts twice
    _reads: Counter[int] = field(default_factory=Counter)
    _used: dict[str, datetime] = field(default_factory=dict)
    _tokens: dict[str, datetime] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def read(self, article: int, visitor: str) -> bool:
        """A browser shows an article to somebody. False: it has told so before on the same day."""
        if not self.is_first(article, visitor):
            return False
        with self._lock:
            if len(self._reads) < _MOST_WAITING:
                self._reads[article] += 1
        return True

    def is_first(self, article: int, who: str) -> bool:
        """Whether this is the first that is told on a day of somebody, or some browser, and an article."""
        now = self.now()
        reading = f"{who}\0{article}\0{now.toordinal()}"

        def work(seen: CounterTable) -> bool:
            is_first = seen.get(reading) is None
            if is_first:
                seen.put(reading, (1, now.timestamp()))
            return is_first

        return self.seen.change(work)

    def used(self, login: str) -> None:
        """Somebody who is signed in is here."""
        with self._lock:
            if len(self._used) < _MOST_WAITING:
                self._used[login] = self.now()

    def token_used(self, token: str) -> None:
        """A program has shown a token, by its digest."""
        with self._lock:
            if len(self._tokens) < _MOST_WAITING:
                self._tokens[token] = self.now()

    def write(self) -> None:
        """Write what was counted. What cannot be written now waits for the next time."""
        with self._lock:
            reads, used, tokens = self._reads, self._used, self._tokens
            self._reads, self._used, self._tokens = Counter(), {}, {}
        try:
            if reads:
                self.store.count_reads(reads, self.now())
            reads = Counter()
            self.store.logins_used(used)
            self.store.tokens_used(tokens)
        except StoreError as error:
            LOG.warning("what was read is counted later: %s", error)
            with self._lock:
                self._reads.update(reads)

    async def keep_writing(self, stop: asyncio.Event, seconds: float = _SECONDS) -> None:
        """Write every few seconds until told to stop, and then once more."""
        while not stop.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), seconds)
            await asyncio.to_thread(self.write)
