"""`watch`: sources are polled when they are due, what is new is fetched, read and kept; until told to stop.

Several watchers of one store, in one machine or in many, share the work: sources and pages are leased, hosts' turns are
kept in the store. After kill -9 the next one takes up what the last one had; finishing a page and keeping its article
are one step, so nothing is lost and nothing is twice (HOSTILE 27).
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
from tidings.news import store as stores
from tidings.news.store import Store
from tidings.news.store.quarantine import ItemName, Quarantine
from tidings.news.store.records_of_work import ItemKind, LinkState, Poll, Source, Stage
from tidings.news.watch import decide, feed_text, interval, presence
from tidings.news.watch.desk import Group, Job, Opening, Result
from tidings.news.watch.events import Event, Polled, Tally, Tell, Trouble
from tidings.news.watch.grouping import AT_ONCE, give_up
from tidings.news.watch.office import Office
from tidings.news.watch.pages import Pages
from tidings.news.watch.plan import Plan
from tidings.news.watch.polling import poll
from tidings.news.watch.reading import Reads
from tidings.news.watch.retries import retry, source_name, without_secrets
from tidings.news.watch.standings import StoreStandings
from tidings.processes import Ending, InlinePool, JobFailed, JobLimits, ProcessPool, WorkerPool

#: New articles after which stories are brought up to date.
_GROUPED_EVERY: Final = 500
#: Workers that may die in one go over putting articles into stories: four find the article it is of.
_MOST_DEATHS: Final = 12
#: A source that made us raise is left alone for a day: it may say something else tomorrow.
_ASIDE_FOR: Final = timedelta(days=1)


def _nobody(event: Event) -> None:
    """Nobody listens."""


async def watch(
    where: str | Path,
    *,
    fetcher: Fetcher | None = None,
    browser: Fetcher | None = None,
    reader: Callable[[], Reads] | None = None,
    plan: Plan | None = None,
    tell: Tell = _nobody,
    stop: asyncio.Event | None = None,
    clock: Clock = SYSTEM,
) -> Tally:
    """Watch the sources of a store.

    Args:
        where: the store: a file, or the address of a server.
        fetcher: who fetches; else a `Live` that shares its manners with other watchers of the store.
        browser: asked for pages that are empty without their scripts.
        reader: makes what takes articles out of pages, in each process; else one that learns sites and keeps what it
            learned in the store. A function of a module, for it is sent to worker processes.
        plan: how.
        tell: is told what happens.
        stop: ends it: what is under way is finished, the rest is left for the next one.
        clock: tells and passes the time.

    Raises:
        StoreError: the store cannot be opened, or cannot be written in a round that is to end by itself.
    """
    plan = plan or Plan()
    with stores.open(where) as opened:
        async with _web(fetcher, opened) as web, _pool(where, plan, reader, browser) as pool:
            me = presence.Watcher.here(datetime.now().astimezone())
            office = Office(opened, me.name, web, pool, plan, clock, tell, browser, stopping=stop or asyncio.Event())
            try:
                await office.ask(_correct_times, opened, office.now())
                await office.ask(presence.take_over, opened, office.now())
                await office.ask(retry, opened, office.now())
                await office.ask(me.beat, opened, office.now())
                await _Watch(office, me).run()
            except ExceptionGroup as group:  # not `except*`, which would put what is raised here into a group again
                of_store, others = group.split(StoreError)
                if of_store is None or others is not None:
                    raise
                raise of_store.exceptions[0] from None
            finally:
                await office.attempt(me.leave, opened, office.now())  # after all that was asked before
                office.close()
            return office.tally


@asynccontextmanager
async def _web(fetcher: Fetcher | None, opened: Store) -> AsyncIterator[Fetcher]:
    if fetcher is not None:
        yield fetcher
        return
    async with Live(standings=StoreStandings(opened)) as live:
        yield live


@asynccontextmanager
async def _pool(
    where: str | Path, plan: Plan, reader: Callable[[], Reads] | None, browser: Fetcher | None
) -> AsyncIterator[WorkerPool[Job, Result]]:
    opening = Opening(where, plan.keep_pages, browser is not None, plan.most_pages, reader)
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
    """A watch under way."""

    def __init__(self, office: Office, me: presence.Watcher) -> None:
        self._office = office
        self._me = me
        self._polls: set[asyncio.Task[None]] = set()
        # How long something took is told by the loop, which does not jump as clocks do.
        self._loop = asyncio.get_running_loop()
        self._quiet_until = 0.0  # when to ask again for sources that are due
        self._idle_since: float | None = None
        self._retained = self._loop.time()
        self._ahead = office.clock.now() - self._loop.time()
        self._grouped = 0

    async def run(self) -> None:
        """Until everything is done, or until told to stop."""
        async with asyncio.TaskGroup() as group:
            pages = Pages(self._office, group)
            always = [group.create_task(pages.read(lane)) for lane in range(pages.readers)]
            always.append(group.create_task(self._beat()))
            await self._main(group, pages)
            await self._wind_up(pages)
            # What has not come to its end by now is given back as it is.
            for task in (*always, *self._polls, *pages.tasks):
                task.cancel()
        if not self._office.stopping.is_set():  # whoever wants it to stop does not want to wait for that
            await self._upkeep()

    async def _main(self, group: asyncio.TaskGroup, pages: Pages) -> None:
        office = self._office
        while not office.stopping.is_set():
            office.woken.clear()
            begun = await self._claim_sources(group) + await pages.claim()
            await self._regularly()
            if begun or self._polls or pages.under_way:
                self._idle_since = None
            elif not office.plan.once and office.tally.kept > self._grouped:
                await self._group()  # there is nothing else to do, and those who look at the store want stories
            elif office.plan.once and await self._is_over():
                return
            await self._sleep(office.plan.tick)

    async def _claim_sources(self, group: asyncio.TaskGroup) -> int:
        """Begin to poll sources that are due."""
        office, plan = self._office, self._office.plan
        room = plan.polls_at_once - len(self._polls)
        is_busy = bool(self._polls) and room < plan.polls_at_once // 2
        if room <= 0 or is_busy or self._loop.time() < self._quiet_until:
            return 0
        due = await office.ask(office.store.claim_sources, office.worker, room, plan.lease, office.now())
        for source in due:
            task = group.create_task(self._poll(source))
            self._polls.add(task)
            task.add_done_callback(self._polled)
        if len(due) < room:
            self._quiet_until = self._loop.time() + plan.tick
        return len(due)

    async def _poll(self, source: Source) -> None:
        """Poll a source; a mistake of ours over one is no reason to leave the others."""
        office = self._office
        try:
            await poll(office, source)
        except StoreError:
            raise
        except Exception as error:  # the sentence says which
            at, reason = office.now(), without_secrets(f"{type(error).__name__}: {error}", source)
            sentence = f"polling it raised {reason}; please report this"
            failed = Poll(source.id, at, at + _ASIDE_FOR, source.pace, "failed", sentence[:500], failed=True)
            await office.ask(office.store.polled, failed)
            await office.ask(Quarantine(office.store, Stage.POLLING, at).put, source_name(source), reason)
            office.tell(Polled(source, failed))

    def _polled(self, task: asyncio.Task[None]) -> None:
        self._polls.discard(task)
        self._office.wake()

    async def _is_over(self) -> bool:
        """Whether a round is at its end: what still waits is for hosts that want to be left alone."""
        office = self._office
        state = await office.ask(office.store.queue, office.now())
        if not state.waiting:
            return True
        now = self._loop.time()
        self._idle_since = self._idle_since or now
        return now - self._idle_since > office.plan.held

    async def _wind_up(self, pages: Pages) -> None:
        """Let what is under way come to its end, for some seconds."""
        office = self._office
        until = self._loop.time() + office.plan.grace
        while (pages.under_way or self._polls) and self._loop.time() < until:
            office.woken.clear()
            await self._sleep(0.2)

    async def _sleep(self, seconds: float) -> None:
        """Until something happens that there may be work after, but not for long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._office.woken.wait()

    async def _beat(self) -> None:
        """Tell that we are there, and take over from those who are not any more."""
        office = self._office
        while True:
            await office.clock.sleep(presence.BEAT.total_seconds())
            await office.attempt(self._me.beat, office.store, office.now())
            await office.attempt(presence.take_over, office.store, office.now())

    async def _regularly(self) -> None:
        """What is done now and then while there is work."""
        office = self._office
        if office.tally.kept - self._grouped >= _GROUPED_EVERY:
            await self._group()
        ahead = office.clock.now() - self._loop.time()
        if abs(ahead - self._ahead) > presence.SILENT.total_seconds():  # it was set
            self._ahead = ahead
            await office.ask(_correct_times, office.store, office.now())
        if self._loop.time() - self._retained >= office.plan.retain_every.total_seconds():
            await office.ask(_correct_times, office.store, office.now())  # others may have a clock that was wrong
            await self._upkeep()

    async def _group(self) -> None:
        office = self._office
        self._grouped = office.tally.kept
        if not office.plan.group:
            return
        aside = Quarantine(office.store, Stage.STORIES, office.now())
        whole = ItemName(ItemKind.BATCH, "all")
        try:
            await self._group_in_batches()
        except JobFailed as failed:
            office.told(Trouble(f"new articles could not be put into stories: {failed}"))
            await office.ask(aside.put, whole, str(failed))
        else:
            await office.ask(aside.lift, [whole])

    async def _group_in_batches(self) -> None:
        """Batch after batch; where a worker dies over one, smaller ones, until the article it dies of stands alone."""
        office = self._office
        at_once, deaths = AT_ONCE, 0
        while not office.stopping.is_set():
            try:
                if not await office.do(Group(office.now(), office.worker, at_once)):
                    return
                at_once = min(at_once * 4, AT_ONCE)
            except JobFailed as failed:
                deaths += 1
                if failed.ending is Ending.RAISED or deaths > _MOST_DEATHS:
                    raise
                if at_once == 1:
                    await office.ask(give_up, office.store, office.now(), str(failed))
                at_once = max(at_once // 8, 1)

    async def _upkeep(self) -> None:
        """The end of a round: new articles into stories, what is not to be kept goes."""
        office = self._office
        self._retained = self._loop.time()
        await office.ask(retry, office.store, office.now())
        await self._group()
        await office.ask(office.store.lift_mutes, office.now())
        await office.ask(office.store.retain, office.plan.retention, office.now())
        await office.ask(_sweep, office.store)


def _correct_times(store: Store, now: datetime) -> int:
    """What was written while a clock was ahead would keep sources, pages and hosts waiting for as long (HOSTILE 32)."""
    return store.correct_times(now, sources=interval.LONGEST, others=decide.LONGEST)


def _sweep(store: Store) -> None:
    """Forget texts of feeds whose pages have been read, or never will be."""
    for name in store.states(feed_text.SPACE):
        link = store.link_for(name)
        if link is None or link.state is not LinkState.WAITING:
            feed_text.forget(store, name)
