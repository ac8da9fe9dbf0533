"""Pages are fetched many at once, each host in its turn, and read in batches by the crew.

What is under way is bounded everywhere: tasks that are claimed, answers that wait to be read, pages in a batch.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from tidings.addresses import site_of
from tidings.errors import FetchError, StoreError
from tidings.fetch import Fetcher, Kind, Outcome, Request
from tidings.fetch.pace import is_tired
from tidings.news.store.quarantine import LOG, ItemName, new_entry
from tidings.news.store.records_of_work import ItemKind, Stage, Task
from tidings.news.watch.decide import MOST_LEASES, GiveUp, SlowDown, after_page
from tidings.news.watch.events import Kept, Postponed, SetAside
from tidings.news.watch.lanes import Lanes
from tidings.news.watch.office import Office
from tidings.news.watch.reading import Done, Failed, Fetched, Read, Wants
from tidings.processes import JobFailed

#: How long a host with enough under way is left out of what is claimed.
_FULL: Final = timedelta(seconds=1)


class Pages:
    """The pages that a watch has under way."""

    def __init__(self, office: Office, group: asyncio.TaskGroup) -> None:
        self._office = office
        self._group = group
        batch = office.plan.batch
        self._lanes: Lanes[Fetched] = Lanes(self.readers, batch, batch * (1 + self.readers))
        self._hosts: Counter[str] = Counter()
        self.tasks: set[asyncio.Task[None]] = set()

    @property
    def readers(self) -> int:
        """How many there are to read at the same time."""
        return max(1, self._office.plan.jobs)

    @property
    def under_way(self) -> int:
        """How many there are."""
        return self._hosts.total()

    async def claim(self) -> int:
        """Take on as many pages as there is room for; how many that were."""
        office, plan = self._office, self._office.plan
        room = plan.pages_at_once - self.under_way
        if self.under_way and room < plan.pages_at_once // 4:
            return 0
        for host in [host for host, count in self._hosts.items() if count >= plan.per_host]:
            await office.ask(office.store.hold_host, host, office.now() + _FULL)
        tasks = await office.ask(self._claimed, min(room, plan.pages_at_once))
        for task in tasks:
            self._hosts[_host(task)] += 1
            self._begin(self._fetch(task), task)
        return len(tasks)

    def _begin(self, work: Coroutine[Any, Any, None], task: Task) -> None:
        running = self._group.create_task(self._guarded(work, task))
        self.tasks.add(running)
        running.add_done_callback(self.tasks.discard)

    async def _guarded(self, work: Coroutine[Any, Any, None], task: Task) -> None:
        """A mistake of ours over one page is no reason to leave the others."""
        try:
            await work
        except StoreError:
            raise
        except Exception as error:  # the sentence says which
            await self._set_aside(task, f"fetching it raised {type(error).__name__}: {error}; please report this"[:500])

    def _claimed(self, count: int) -> list[Task]:
        office = self._office
        per_host = office.plan.per_host
        return office.store.claim(office.worker, count, office.plan.lease, office.now(), per_host=per_host)

    async def _fetch(self, task: Task) -> None:
        """Fetch one page and hand it on."""
        office, address = self._office, task.link.seen.address
        if task.attempts > MOST_LEASES:
            await self._set_aside(task, f"it was begun {task.attempts} times and never ended; reading it may do harm")
            return
        outcome = await _asked(office.fetcher, address)
        if not isinstance(outcome, FetchError) and outcome.ok:
            await self._to_read(_page(Fetched(task, address), outcome, office))
            return
        intent = after_page(outcome, task.attempts, office.now())
        if isinstance(intent, GiveUp):
            await self._to_read(Fetched(task, address, at=office.now(), trouble=intent.why))
            return
        if isinstance(intent, SlowDown) or is_tired(outcome):
            await office.ask(office.store.hold_host, _host(task), intent.at)
        reason = outcome.reason if isinstance(outcome, FetchError) else f"the server says {outcome.status}"
        await office.ask(office.store.fail, task, reason, intent.at)
        self._ended(task)
        office.tell(Postponed(address, reason))

    async def _fetch_more(self, wanted: Wants) -> None:
        """Fetch what a page needs besides itself: its next page, or itself by a browser."""
        office, page = self._office, wanted.page
        await office.ask(office.store.renew, [page.task], office.now() + office.plan.lease)
        fetcher = office.browser if wanted.by_browser and office.browser is not None else office.fetcher
        outcome = await _asked(fetcher, wanted.address)
        if not isinstance(outcome, FetchError) and outcome.ok:
            await self._to_read(replace(_page(page, outcome, office), is_shown=wanted.by_browser or page.is_shown))
        elif wanted.by_browser:  # then as it is
            await self._to_read(replace(page, is_final=True))
        else:
            reason = outcome.reason if isinstance(outcome, FetchError) else f"the server says {outcome.status}"
            await self._to_read(replace(page, url=wanted.address, trouble=reason))

    async def _to_read(self, page: Fetched) -> None:
        await self._lanes.put(page, _host(page.task))

    async def read(self, lane: int) -> None:
        """Read what was fetched, for ever, in one lane: as many at once as have come in meanwhile."""
        while True:
            await self._read(await self._lanes.take(lane), lane)

    async def _read(self, batch: list[Fetched], lane: int) -> None:
        try:
            results = await self._office.do(tuple(batch), lane)
        except JobFailed as failed:
            if len(batch) == 1:
                await self._set_aside(batch[0].task, str(failed))
                return
            for page in batch:  # one of them did it; alone it is found
                await self._read([page], lane)
            return
        assert isinstance(results, list)  # noqa: S101  # pages give what became of them
        for result in results:
            self._settle(result)

    def _settle(self, result: Read) -> None:
        office = self._office
        if isinstance(result, Wants):
            self._begin(self._fetch_more(result), result.page.task)
            return
        address = result.task.link.seen.address
        if isinstance(result, Done):
            office.tell(Kept(address, result.saved.fate, result.title, result.reason))
        elif isinstance(result, Failed):
            office.tell(SetAside(address, result.reason))
        self._ended(result.task)

    async def _set_aside(self, task: Task, reason: str) -> None:
        office, seen = self._office, task.link.seen
        name = ItemName(ItemKind.LINK, str(task.link.id), seen.address)
        entry = new_entry(Stage.READING, name, reason, office.now())
        await office.ask(office.store.fail, task, reason, None, entry)
        LOG.warning("%s", entry.sentence)
        self._ended(task)
        self._office.tell(SetAside(task.link.seen.address, reason))

    def _ended(self, task: Task) -> None:
        host = _host(task)
        self._hosts[host] -= 1
        if self._hosts[host] <= 0:
            del self._hosts[host]
        self._office.wake()


async def _asked(fetcher: Fetcher, address: str) -> Outcome:
    return await fetcher.fetch(Request(address, Kind.PAGE))


def _page(page: Fetched, outcome: Outcome, office: Office) -> Fetched:
    assert not isinstance(outcome, FetchError)  # noqa: S101  # asked by the caller
    content_type = outcome.content_type or ""
    body, is_cut = outcome.body, outcome.truncated
    return replace(page, url=outcome.url, body=body, content_type=content_type, is_cut=is_cut, at=office.now())


def _host(task: Task) -> str:
    return site_of(task.link.seen.address)
