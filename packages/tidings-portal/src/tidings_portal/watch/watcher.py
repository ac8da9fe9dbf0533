"""The watcher: polls due sources, and fetches, reads and stores new articles, until it is stopped.

Several watchers of a store, on one or more machines, share the work: sources and pages are leased, and rate limits of
hosts are in the store. After kill -9 the next watcher continues. Finishing a page and storing its article are one
transaction, so nothing is lost or stored twice (HOSTILE 27).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from tidings.errors import StoreError
from tidings.fetch import Fetcher, Live
from tidings.fetch.clock import SYSTEM, Clock
from tidings.processes import Ending, InlinePool, JobFailed, JobLimits, ProcessPool, WorkerPool
from tidings_portal import store as stores
from tidings_portal.recipes.catalogue import RecipeCatalogue
from tidings_portal.recipes.recipe_reader import PageReading
from tidings_portal.store import Store
from tidings_portal.store.quarantine import ItemName, Quarantine
from tidings_portal.store.records_of_work import ItemKind, Poll, Source, Stage
from tidings_portal.watch import decide, feed_text, interval, presence
from tidings_portal.watch.context import WatchContext
from tidings_portal.watch.events import Event, Polled, StoreTrouble, Tell, WatchCounts
from tidings_portal.watch.grouping import AT_ONCE, give_up
from tidings_portal.watch.host_states import StoredHostStates
from tidings_portal.watch.pages import PageQueue
from tidings_portal.watch.plan import Plan
from tidings_portal.watch.poll_source import poll_source
from tidings_portal.watch.quarantine import retry, source_name, without_secrets
from tidings_portal.watch.teasers import WAITING, keep_teasers
from tidings_portal.watch.worker import GroupStories, Job, Result, WatchWorkerSetup

#: The number of new articles that triggers grouping.
_GROUPED_EVERY: Final = 500
#: Worker crashes in one grouping run: four isolate the article.
_MOST_DEATHS: Final = 12
#: The delay after a source raised an exception: its content may change.
_ASIDE_FOR: Final = timedelta(days=1)
#: An item whose page has been queued for this long is stored as a teaser until the page is read.
_PATIENCE: Final = timedelta(minutes=2)
#: How often, in seconds, the queue is searched for such items.
_TEASERS_EVERY: Final = 30.0


def _nobody(event: Event) -> None:
    """Ignore an event."""


async def watch(
    where: str | Path,
    *,
    fetcher: Fetcher | None = None,
    browser: Fetcher | None = None,
    reader: Callable[[], PageReading] | None = None,
    plan: Plan | None = None,
    tell: Tell = _nobody,
    stop: asyncio.Event | None = None,
    clock: Clock = SYSTEM,
) -> WatchCounts:
    """Watch the sources of a store.

    Args:
        where: the store: a file, or the URL of a server.
        fetcher: the fetcher; None: a `Live` that shares rate limits with other watchers of the store.
        browser: the fetcher for pages that are empty without scripts.
        reader: creates the reader in each process; None: a reader that saves its site rules in the store. It must be
            a function of a module, because it is sent to worker processes.
        plan: the settings.
        tell: called with each event.
        stop: stops the watch: running tasks finish, the rest stays in the queue.
        clock: the clock and its sleep.

    Raises:
        StoreError: the store cannot be opened, or cannot be written in a round that is to end by itself.
    """
    plan = plan or Plan()
    with stores.open(where) as opened:
        async with _web(fetcher, opened) as web, _pool(where, plan, reader, browser) as pool:
            me = presence.Watcher.current(datetime.now().astimezone())
            context = WatchContext(
                *(opened, me.name, web, pool, plan, clock, tell, RecipeCatalogue(opened), browser),
                stopping=stop or asyncio.Event(),
            )
            try:
                await context.ask(_correct_times, opened, context.now())
                await context.ask(presence.take_over, opened, context.now())
                await context.ask(retry, opened, context.now())
                await context.ask(me.beat, opened, context.now())
                await _Watch(context, me).run()
            except ExceptionGroup as group:  # not `except*`, which would wrap the raised exception in a group again
                of_store, rest = group.split(StoreError)
                if of_store is None or rest is not None:
                    raise
                raise of_store.exceptions[0] from None
            finally:
                await context.attempt(me.leave, opened, context.now())  # after all earlier calls
                context.close()
            return context.tally


@asynccontextmanager
async def _web(fetcher: Fetcher | None, opened: Store) -> AsyncIterator[Fetcher]:
    if fetcher is not None:
        yield fetcher
        return
    async with Live(host_states=StoredHostStates(opened)) as live:
        yield live


@asynccontextmanager
async def _pool(
    where: str | Path, plan: Plan, reader: Callable[[], PageReading] | None, browser: Fetcher | None
) -> AsyncIterator[WorkerPool[Job, Result]]:
    opening = WatchWorkerSetup(where, plan.keep_pages, browser is not None, plan.most_pages, reader, plan.recipe)
    if not plan.jobs:
        inline = InlinePool(opening)
        try:
            yield inline
        finally:
            await inline.close()
        return
    pool = ProcessPool(opening, plan.jobs, JobLimits(plan.patience))
    try:
        pool.start()
        yield pool
    finally:
        await pool.close()


class _Watch:
    """A watcher while it runs: its tasks and counts."""

    def __init__(self, context: WatchContext, me: presence.Watcher) -> None:
        self._context = context
        self._me = me
        self._polls: set[asyncio.Task[None]] = set()
        # Durations use the time of the loop, which does not jump like a clock.
        self._loop = asyncio.get_running_loop()
        self._quiet_until = 0.0  # time of the next query for due sources
        self._idle_since: float | None = None
        self._retained = self._tidied = self._teasers_stored = self._loop.time()
        self._ahead = context.clock.now() - self._loop.time()
        self._teasers = 0  # articles that were stored as teasers because their pages waited
        self._grouped = 0  # of `_stored`: how many were there at the last grouping

    async def run(self) -> None:
        """Run until all planned work is done or the watcher is stopped."""
        async with asyncio.TaskGroup() as group:
            pages = PageQueue(self._context, group)
            always = [group.create_task(pages.read(lane)) for lane in range(pages.readers)]
            always.append(group.create_task(self._beat()))
            await self._main(group, pages)
            await self._wind_up(pages)
            # Release unfinished tasks.
            for task in (*always, *self._polls, *pages.tasks):
                task.cancel()
        context = self._context
        if not context.stopping.is_set():  # a stop does not wait for grouping
            if await context.ask(self._is_alone):  # else other watchers read these pages
                await self._store_teasers(timedelta(0))
            await self._upkeep()

    async def _main(self, group: asyncio.TaskGroup, pages: PageQueue) -> None:
        context = self._context
        while not context.stopping.is_set():
            context.woken.clear()
            started = await self._claim_sources(group) + await pages.claim()
            await self._regularly()
            if started or self._polls or pages.under_way:
                self._idle_since = None
            elif not context.plan.once and self._stored > self._grouped:
                await self._group()  # idle: readers of the store want stories
            elif context.plan.once and await self._is_over():
                return
            await self._sleep(context.plan.tick)

    async def _claim_sources(self, group: asyncio.TaskGroup) -> int:
        """Start polling due sources; return their number."""
        context, plan = self._context, self._context.plan
        room = plan.polls_at_once - len(self._polls)
        is_busy = bool(self._polls) and room < plan.polls_at_once // 2
        if room <= 0 or is_busy or self._loop.time() < self._quiet_until:
            return 0
        due = await context.ask(context.store.claim_sources, context.worker, room, plan.lease, context.now())
        for source in due:
            task = group.create_task(self._poll(source))
            self._polls.add(task)
            task.add_done_callback(self._polled)
        if len(due) < room:
            self._quiet_until = self._loop.time() + plan.tick
        return len(due)

    async def _poll(self, source: Source) -> None:
        """Poll a source. A bug with one source does not stop the others."""
        context = self._context
        try:
            await poll_source(context, source)
        except StoreError:
            raise
        except Exception as error:  # the sentence says which
            at, reason = context.now(), without_secrets(f"{type(error).__name__}: {error}", source)
            sentence = f"polling it raised {reason}; please report this"
            failed = Poll(source.id, at, at + _ASIDE_FOR, source.pace, "failed", sentence[:500], failed=True)
            await context.ask(context.store.polled, failed)
            await context.ask(Quarantine(context.store, Stage.POLLING, at).add, source_name(source), reason)
            context.tell(Polled(source, failed))

    def _polled(self, task: asyncio.Task[None]) -> None:
        self._polls.discard(task)
        self._context.wake()

    async def _is_over(self) -> bool:
        """Return whether a single round is finished: the remaining pages wait for hosts that must not be
        requested now.
        """
        context = self._context
        state = await context.ask(context.store.queue, context.now())
        if not state.waiting:
            return True
        now = self._loop.time()
        self._idle_since = self._idle_since or now
        return now - self._idle_since > context.plan.hold

    async def _wind_up(self, pages: PageQueue) -> None:
        """Let running tasks finish within some seconds."""
        context = self._context
        until = self._loop.time() + context.plan.grace
        while (pages.under_way or self._polls) and self._loop.time() < until:
            context.woken.clear()
            await self._sleep(0.2)

    async def _sleep(self, seconds: float) -> None:
        """Sleep until there may be work, or for at most `seconds`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._context.woken.wait()

    async def _beat(self) -> None:
        """Record that this watcher is alive, and release the tasks of dead watchers."""
        context = self._context
        while True:
            await context.clock.sleep(presence.BEAT.total_seconds())
            await context.attempt(self._me.beat, context.store, context.now())
            await context.attempt(presence.take_over, context.store, context.now())

    @property
    def _stored(self) -> int:
        """Return the number of articles stored or changed. A text that replaces a teaser counts, as it belongs into a
        story.
        """
        return self._context.tally.kept + self._context.tally.changed + self._teasers

    def _is_alone(self) -> bool:
        context = self._context
        return not any(
            watcher.name != self._me.name and watcher.is_alive(beat, context.now())
            for watcher, beat in presence.watchers(context.store)
        )

    async def _store_teasers(self, patience: timedelta) -> None:
        """Store items as teasers whose pages have been queued for longer than `patience`."""
        context = self._context
        self._teasers_stored = self._loop.time()
        while links := await context.ask(context.store.unread_items, context.now() - patience, context.now()):
            count = await context.ask(keep_teasers, context.store, links, WAITING, context.now())
            self._teasers += count
            if not count:
                break

    async def _regularly(self) -> None:
        """Run periodic tasks if they are due."""
        context = self._context
        if self._loop.time() - self._teasers_stored >= _TEASERS_EVERY:
            await self._store_teasers(_PATIENCE)
        if self._stored - self._grouped >= _GROUPED_EVERY:
            await self._group()
        ahead = context.clock.now() - self._loop.time()
        if abs(ahead - self._ahead) > presence.SILENT.total_seconds():  # it was set
            self._ahead = ahead
            await context.ask(_correct_times, context.store, context.now())
        if self._loop.time() - self._retained >= context.plan.retain_every.total_seconds():
            await context.ask(_correct_times, context.store, context.now())  # other machines may have a wrong clock
            await self._upkeep()

    async def _group(self) -> None:
        context = self._context
        self._grouped = self._stored
        if not context.plan.group:
            return
        aside = Quarantine(context.store, Stage.STORIES, context.now())
        whole = ItemName(ItemKind.BATCH, "all")
        try:
            await self._group_in_batches()
        except JobFailed as failed:
            context.listener(StoreTrouble(f"new articles could not be put into stories: {failed}"))
            await context.ask(aside.add, whole, str(failed))
        else:
            await context.ask(aside.lift, [whole])

    async def _group_in_batches(self) -> None:
        """Group batch after batch of articles into stories; after a crash in smaller batches, until the bad article is
        isolated.
        """
        context = self._context
        at_once, deaths = AT_ONCE, 0
        while not context.stopping.is_set():
            try:
                if not await context.do(GroupStories(context.now(), context.worker, at_once)):
                    return
                at_once = min(at_once * 4, AT_ONCE)
            except JobFailed as failed:
                deaths += 1
                if failed.ending is Ending.RAISED or deaths > _MOST_DEATHS:
                    raise
                if at_once == 1:
                    await context.ask(give_up, context.store, context.now(), str(failed))
                at_once = max(at_once // 8, 1)

    async def _upkeep(self) -> None:
        """End a round: group new articles and apply the retention policy."""
        context = self._context
        self._retained = self._loop.time()
        await context.ask(retry, context.store, context.now())
        await self._group()
        await context.ask(context.store.lift_mutes, context.now())
        await context.ask(context.store.retain, context.plan.retention, context.now())
        await context.ask(_sweep, context.store)
        if self._loop.time() - self._tidied >= context.plan.tidy_every.total_seconds():
            self._tidied = self._loop.time()
            await context.ask(context.store.tidy)


def _correct_times(store: Store, now: datetime) -> int:
    """Reset stored times too far in the future, written while a clock was wrong (HOSTILE 32); return their number."""
    return store.correct_times(now, sources=interval.LONGEST, tasks=decide.LONGEST)


def _sweep(store: Store) -> None:
    """Delete feed texts whose pages have been read, or never will be."""
    for name in store.states(feed_text.SPACE):
        link = store.link_for(name)
        if link is None or not store.queued([link.id]):
            feed_text.forget(store, name)
