"""Read counts of articles: reported by a beacon in the browser, counted in memory and written in batches.

Only the beacon counts, not the request for the page. It carries a signature for the browser and the article, so that
nobody can count by guessing ids. A browser counts once per article and day. The time of a user's last visit is written
in the same batches.
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

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from tidings.errors import StoreError
from tidings_portal.store import Store
from tidings_portal.web.app_state import App, app_of
from tidings_portal.web.counters import Counters, CounterTable, MemoryCounters
from tidings_portal.web.csrf import is_same_origin
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.forms import number_in, text
from tidings_portal.web.pages import recount
from tidings_portal.web.proxies import address_of
from tidings_portal.web.sessions import visit_of

LOG: Final = logging.getLogger("tidings")
#: Articles and logins waiting to be written; more are not counted.
_MOST_WAITING: Final = 20_000
_SECONDS: Final = 5.0


@dataclass
class ReadCounter:
    """A thread-safe counter of reads, with a method that writes the counts to the store."""

    store: Store
    now: Callable[[], datetime]
    seen: Counters = field(default_factory=MemoryCounters)  # readings, so that none counts twice
    _reads: Counter[int] = field(default_factory=Counter)
    _used: dict[str, datetime] = field(default_factory=dict)
    _tokens: dict[str, datetime] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def read(self, article: int, visitor: str) -> bool:
        """Count a reading. Return False if the browser has already counted today."""
        if not self.is_first(article, visitor):
            return False
        with self._lock:
            if len(self._reads) < _MOST_WAITING:
                self._reads[article] += 1
        return True

    def is_first(self, article: int, who: str) -> bool:
        """Return whether this is the first reading of an article today by a user or browser."""
        now = self.now()
        reading = f"{who}\0{article}\0{now.toordinal()}"

        def work(counters: CounterTable) -> bool:
            is_first = counters.get(reading) is None
            if is_first:
                counters.put(reading, (1, now.timestamp()))
            return is_first

        return self.seen.change(work)

    def used(self, login: str) -> None:
        """Record that a login session is in use."""
        with self._lock:
            if len(self._used) < _MOST_WAITING:
                self._used[login] = self.now()

    def token_used(self, token: str) -> None:
        """Record that an API token is in use, by its digest."""
        with self._lock:
            if len(self._tokens) < _MOST_WAITING:
                self._tokens[token] = self.now()

    def write(self) -> None:
        """Write the counts to the store. Counts that cannot be written are kept for the next call."""
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
        """Write the counts every few seconds until `stop` is set, and then once more."""
        while not stop.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), seconds)
            await asyncio.to_thread(self.write)


#: Readings that one address may tell in a minute: a busy office, not a program.
_A_MINUTE: Final = 120
_MOST_BYTES: Final = 1000
_PURPOSE: Final = "read"


def beacon_mark(app: App, article: int, visitor: str) -> str:
    """Return the signature that the beacon of an article page sends."""
    return app.sign(_PURPOSE, f"{article} {visitor}")


async def beacon(request: Request) -> Response:
    """Handle the beacon: count a reading, and mark the article as read for signed-in users."""
    if not is_same_origin(request):
        raise HttpProblem(403, "forged")
    try:
        form = await request.form(max_files=0, max_fields=4, max_part_size=_MOST_BYTES)
    except HTTPException as error:
        raise HttpProblem(413, "large") from error
    app, visit = app_of(request), visit_of(request)
    article = number_in(form, "article")
    if not app.is_signed(_PURPOSE, f"{article} {visit.visitor}", text(form, "mark", 64)):
        raise HttpProblem(403, "forged")
    await run_in_threadpool(_count, request, article)
    return Response(status_code=204)


def _count(request: Request, article: int) -> None:
    """Count a read of an article. Errors are ignored, except that the rate limit is exceeded."""
    app, visit, counting = app_of(request), visit_of(request), counting_of(request)
    wait = app.turns.take("beacon", address_of(request), _A_MINUTE).wait
    if wait:
        raise HttpProblem(429, "often", headers={"Retry-After": str(wait)})
    with suppress(StoreError):  # nobody waits for the answer to a beacon
        counting.read(article, visit.visitor)
        if visit.person is not None and counting.is_first(article, visit.person):
            app.store.mark_read(visit.person, [article])
            recount(app, visit.person)


def counting_of(connection: HTTPConnection) -> ReadCounter:
    """Return the read counter of the application."""
    counter: ReadCounter = connection.app.state.counting
    return counter
