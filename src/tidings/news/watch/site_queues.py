"""Pages that wait to be read, each site's for the same reader: a site is then learned once, from pages that its reader
still has in mind, and not by all readers at the same time. A batch is of one site as far as it can be; it begins
with the page that has waited longest. A reader with nothing to do takes over from the busiest.

What waits is bounded: whoever brings more is kept waiting.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from typing import Final, Generic, TypeVar

T = TypeVar("T")

#: Sites whose reader is remembered; those that had no page for longest are forgotten.
_MOST_SITES: Final = 10_000


class SiteQueues(Generic[T]):
    """As many queues as there are readers.

    Args:
        count: how many readers there are.
        batch: pages that a reader takes at once.
        room: pages that may wait, in all.
    """

    def __init__(self, count: int, batch: int, room: int) -> None:
        self._batch = batch
        self._room = room
        self._waiting: list[deque[tuple[str, T]]] = [deque() for _ in range(count)]
        self._sites: OrderedDict[str, int] = OrderedDict()
        self._has = [0] * count  # sites of each lane
        self._changed = asyncio.Condition()

    async def put(self, page: T, site: str) -> None:
        """Bring a page of a site."""
        async with self._changed:
            await self._changed.wait_for(lambda: sum(map(len, self._waiting)) < self._room)
            self._waiting[self._lane(site)].append((site, page))
            self._changed.notify_all()

    async def take(self, lane: int) -> list[T]:
        """Pages for a reader, as soon as there are any: its own, or some that another one will not come to for long."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._source(lane) is not None)
            source = self._source(lane)
            assert source is not None  # noqa: S101  # that was waited for
            taken = self._own(source) if source is self._waiting[lane] else self._last(source)
            self._changed.notify_all()
        return taken

    def _own(self, waiting: deque[tuple[str, T]]) -> list[T]:
        """The page that has waited longest, others of its site, then the next."""
        first, _ = waiting[0]
        in_turn = [page for page in waiting if page[0] == first] + [page for page in waiting if page[0] != first]
        chosen = in_turn[: self._batch]
        left = {id(page) for page in chosen}
        rest = [page for page in waiting if id(page) not in left]
        waiting.clear()
        waiting.extend(rest)
        return [page for _, page in chosen]

    def _last(self, waiting: deque[tuple[str, T]]) -> list[T]:
        """Those that another reader would come to last."""
        return [waiting.pop()[1] for _ in range(min(self._batch, len(waiting)))]

    def _source(self, lane: int) -> deque[tuple[str, T]] | None:
        """Where a reader gets its next pages from."""
        if self._waiting[lane]:
            return self._waiting[lane]
        longest = max(self._waiting, key=len)
        return longest if len(longest) > self._batch else None

    def _lane(self, site: str) -> int:
        lane = self._sites.pop(site, None)
        if lane is None:
            lane = min(range(len(self._has)), key=lambda one: (self._has[one], len(self._waiting[one])))
            self._has[lane] += 1
        self._sites[site] = lane
        if len(self._sites) > _MOST_SITES:
            _, forgotten = self._sites.popitem(last=False)
            self._has[forgotten] -= 1
        return lane
