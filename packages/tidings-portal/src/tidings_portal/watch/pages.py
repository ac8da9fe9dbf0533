"""Concurrent fetching of pages, and queues for reading them in batches.

Everything in progress is bounded: claimed tasks, responses to read, pages in a batch. Pages of a site wait for the same
reader, so that a site is learned once, while its pages are cached. A batch has pages of one site if possible, and
begins with the page that has waited longest. An idle reader takes pages from the busiest one. If the queue is full,
producers wait.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final, Generic, TypeVar

from tidings.errors import FetchError, StoreError
from tidings.fetch import Outcome
from tidings.fetch.politeness.pace import is_tired
from tidings.processes import JobFailed
from tidings.urls import site_of
from tidings_portal.store.quarantine import LOG, ItemName, new_entry
from tidings_portal.store.records_of_work import ItemKind, NewSource, PageTask, Source, Stage
from tidings_portal.watch.context import WatchContext
from tidings_portal.watch.decide import MOST_LEASES, GiveUp, SlowDown, after_page
from tidings_portal.watch.events import ArticleStored, Postponed, SetAside
from tidings_portal.watch.poll_source import page_request
from tidings_portal.watch.reading import Fetched, PageRead, Read, Wants
from tidings_portal.watch.teasers import FAILED, keep_teasers, reason_of

T = TypeVar("T")

#: The number of sites with a remembered reader; the least recently used are dropped.
_MOST_SITES: Final = 10_000


class SiteQueues(Generic[T]):
    """A queue of fetched pages for each worker that extracts pages.

    Args:
        count: the number of readers.
        batch: the maximum number of pages that a reader takes at once.
        room: the maximum number of waiting pages.
    """

    def __init__(self, count: int, batch: int, room: int) -> None:
        self._batch = batch
        self._room = room
        self._waiting: list[deque[tuple[str, T]]] = [deque() for _ in range(count)]
        self._sites: OrderedDict[str, int] = OrderedDict()
        self._has = [0] * count  # sites of each lane
        self._changed = asyncio.Condition()

    async def put(self, page: T, site: str) -> None:
        """Add a page to the queue of the worker that has its site. Waits while too many pages are queued."""
        async with self._changed:
            await self._changed.wait_for(lambda: sum(map(len, self._waiting)) < self._room)
            self._waiting[self._lane(site)].append((site, page))
            self._changed.notify_all()

    async def take(self, lane: int) -> list[T]:
        """Wait for pages and return a batch: from the worker's own queue, else from the end of the longest queue."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._source(lane) is not None)
            source = self._source(lane)
            assert source is not None  # noqa: S101  # that was waited for
            batch = self._own(source) if source is self._waiting[lane] else self._last(source)
            self._changed.notify_all()
        return batch

    def _own(self, waiting: deque[tuple[str, T]]) -> list[T]:
        """Return the page that has waited longest in the worker's own queue, others of its site, then the next."""
        first, _ = waiting[0]
        in_turn = [page for page in waiting if page[0] == first] + [page for page in waiting if page[0] != first]
        chosen = in_turn[: self._batch]
        ids = {id(page) for page in chosen}
        rest = [page for page in waiting if id(page) not in ids]
        waiting.clear()
        waiting.extend(rest)
        return [page for _, page in chosen]

    def _last(self, waiting: deque[tuple[str, T]]) -> list[T]:
        """Return the pages at the end of another worker's queue."""
        return [waiting.pop()[1] for _ in range(min(self._batch, len(waiting)))]

    def _source(self, lane: int) -> deque[tuple[str, T]] | None:
        """Return the queue from which a worker takes its next pages."""
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


#: How long a host with enough pages in progress is left out of claims.
_FULL: Final = timedelta(seconds=1)


class PageQueue:
    """The pages that are being fetched or wait for extraction, limited in number."""

    def __init__(self, context: WatchContext, group: asyncio.TaskGroup) -> None:
        self._context = context
        self._group = group
        batch = context.plan.batch
        self._queues: SiteQueues[Fetched] = SiteQueues(self.readers, batch, batch * (1 + self.readers))
        self._hosts: Counter[str] = Counter()
        self.tasks: set[asyncio.Task[None]] = set()

    @property
    def readers(self) -> int:
        """Return the number of workers that extract pages."""
        return max(1, self._context.plan.jobs)

    @property
    def under_way(self) -> int:
        """Return the number of pages that are being fetched or wait."""
        return self._hosts.total()

    async def claim(self) -> int:
        """Lease as many page tasks as there is room for, and start fetching them; return their number."""
        context, plan = self._context, self._context.plan
        room = plan.pages_at_once - self.under_way
        if self.under_way and room < plan.pages_at_once // 4:
            return 0
        for host in [host for host, count in self._hosts.items() if count >= plan.per_host]:
            await context.ask(context.store.hold_host, host, context.now() + _FULL)
        tasks = await context.ask(self._claimed, min(room, plan.pages_at_once))
        for task in tasks:
            self._hosts[_host(task)] += 1
            self._begin(partial(self._fetch, task), task)
        return len(tasks)

    def _begin(self, work: Callable[[], Awaitable[None]], task: PageTask) -> None:
        running = self._group.create_task(self._guarded(work, task))
        self.tasks.add(running)
        running.add_done_callback(self.tasks.discard)

    async def _guarded(self, work: Callable[[], Awaitable[None]], task: PageTask) -> None:
        """Run `work` for a page. A bug with one page does not stop the others."""
        try:
            await work()
        except StoreError:
            raise
        except Exception as error:  # the message names it
            await self._set_aside(task, f"fetching it raised {type(error).__name__}: {error}; please report this"[:500])

    def _claimed(self, count: int) -> list[PageTask]:
        context = self._context
        per_host = context.plan.per_host
        return context.store.claim(context.worker, count, context.plan.lease, context.now(), per_host=per_host)

    async def _fetch(self, task: PageTask) -> None:
        """Fetch a page and queue it for extraction."""
        context, address = self._context, task.link.seen.address
        if task.attempts > MOST_LEASES:
            await self._set_aside(task, f"it was begun {task.attempts} times and never ended; reading it may do harm")
            return
        source = await context.ask(self._source_of, task)
        if source is not None and source.settings.takes_feed_text:
            await self._to_read(
                Fetched(task, address, at=context.now(), trouble="its source is read by its feed alone")
            )
            return
        outcome = await context.fetcher.fetch(page_request(source, address))
        if not isinstance(outcome, FetchError) and outcome.ok:
            await self._to_read(_page(Fetched(task, address), outcome, context))
            return
        intent = after_page(outcome, task.attempts, context.now())
        retry_at = None if isinstance(intent, GiveUp) else intent.at
        if retry_at is not None and (isinstance(intent, SlowDown) or is_tired(outcome)):
            await context.ask(context.store.hold_host, _host(task), retry_at)
        if isinstance(intent, GiveUp):
            reason = intent.why
        else:
            reason = outcome.reason if isinstance(outcome, FetchError) else f"the server says {outcome.status}"
        await self._to_read(
            Fetched(
                *(task, address),
                at=context.now(),
                trouble=reason,
                teaser_reason=reason_of(outcome),
                retry_at=retry_at,
            )
        )

    async def _fetch_more(self, wants: Wants) -> None:
        """Make another fetch that a page needs: its next page, or itself in a browser."""
        context, page = self._context, wants.page
        await context.ask(context.store.renew, [page.task], context.now() + context.plan.lease)
        fetcher = context.browser if wants.by_browser and context.browser is not None else context.fetcher
        source = await context.ask(self._source_of, page.task)
        outcome = await fetcher.fetch(page_request(source, wants.address))
        if not isinstance(outcome, FetchError) and outcome.ok:
            await self._to_read(replace(_page(page, outcome, context), is_shown=wants.by_browser or page.is_shown))
        elif wants.by_browser:  # read it without a browser
            await self._to_read(replace(page, is_final=True))
        else:
            reason = outcome.reason if isinstance(outcome, FetchError) else f"the server says {outcome.status}"
            await self._to_read(replace(page, url=wants.address, trouble=reason))

    def _source_of(self, task: PageTask) -> Source | None:
        """Return the source whose settings apply to the request of a page, or None."""
        for number in task.link.sources:
            source = self._context.store.source(number)
            if source is not None and _is_special(source.settings):
                return source
        return None

    async def _to_read(self, page: Fetched) -> None:
        await self._queues.put(page, _host(page.task))

    async def read(self, lane: int) -> None:
        """Extract batches of fetched pages in the worker process with the number `lane`, forever."""
        while True:
            await self._read(await self._queues.take(lane), lane)

    async def _read(self, batch: list[Fetched], lane: int) -> None:
        try:
            results = await self._context.do(tuple(batch), lane)
        except JobFailed as failed:
            if len(batch) == 1:
                await self._set_aside(batch[0].task, str(failed))
                return
            for page in batch:  # isolate the page that crashed the worker
                await self._read([page], lane)
            return
        assert isinstance(results, list)  # noqa: S101  # pages give what became of them
        for result in results:
            self._settle(result)

    def _settle(self, result: Read) -> None:
        context = self._context
        if isinstance(result, Wants):
            self._begin(partial(self._fetch_more, result), result.page.task)
            return
        address = result.task.link.seen.address
        if isinstance(result, PageRead):
            context.tell(ArticleStored(address, result.saved.fate, result.title, result.reason))
        elif result.retry_at is None:
            context.tell(SetAside(address, result.reason))
        if result.retry_at is not None:
            context.tell(Postponed(address, result.reason))
        self._finish(result.task)

    async def _set_aside(self, task: PageTask, reason: str) -> None:
        context, link = self._context, task.link.seen
        name = ItemName(ItemKind.LINK, str(task.link.id), link.address)
        entry = new_entry(Stage.READING, name, reason, context.now())
        await context.ask(context.store.fail, task, reason, None, entry)
        await context.ask(keep_teasers, context.store, [task.link], FAILED, context.now())
        LOG.warning("%s", entry.sentence)
        self._finish(task)
        self._context.tell(SetAside(task.link.seen.address, reason))

    def _finish(self, task: PageTask) -> None:
        host = _host(task)
        self._hosts[host] -= 1
        if self._hosts[host] <= 0:
            del self._hosts[host]
        self._context.wake()


def _page(page: Fetched, outcome: Outcome, context: WatchContext) -> Fetched:
    assert not isinstance(outcome, FetchError)  # noqa: S101  # asked by the caller
    content_type = outcome.content_type or ""
    body, is_cut = outcome.body, outcome.truncated
    return replace(page, url=outcome.url, body=body, content_type=content_type, is_cut=is_cut, at=context.now())


def _is_special(settings: NewSource) -> bool:
    return bool(settings.takes_feed_text or settings.ignores_robots or settings.headers or settings.proxy)


def _host(task: PageTask) -> str:
    return site_of(task.link.seen.address)
