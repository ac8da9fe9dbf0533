"""`tidings serve`: the house opened on this machine, with somebody who watches the sources while it is open."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from tidings.errors import InputError, StoreError
from tidings.fetch import Browser, Guard, Live
from tidings.news import store
from tidings.news import watch as pipeline
from tidings.news.portal import sample
from tidings.news.server import Server, config, keep_open
from tidings.news.serving import application
from tidings.news.watch.events import Event, Trouble
from tidings.news.watch.plan import Plan
from tidings.news.watch.sample_web import SampleWeb
from tidings.news.watch.standings import StoreStandings
from tidings.news.web.common import Common
from tidings.news.web.house import House
from tidings.news.web.reading_pool import (
    AT_ONCE,
    MEMORY,
    SECONDS,
    ReadingPool,
    ReadingProcesses,
    ReadingThreads,
)
from tidings.news.web.terms import Terms

LOG: Final = logging.getLogger("tidings.news")


@dataclass(frozen=True, slots=True)
class Opening:
    """How and where the house is opened."""

    where: str
    host: str = "127.0.0.1"
    port: int = 8080
    terms: Terms = field(default_factory=Terms)
    watch: bool = True
    with_sample: bool = True
    allow: tuple[str, ...] = ()  # hosts of private networks that may be fetched from
    robots: bool = True
    browser: bool = False
    proxy: str | None = None
    jobs: int = 1  # processes that read pages
    readers: int = AT_ONCE  # processes that read what strangers send or point at; 0: the one that serves
    reading_memory: int = MEMORY  # bytes that one such page may take
    reading_seconds: float = SECONDS  # of processor time
    workers: int = 1  # processes that serve; more than one: see `publish.workers.foreman`


async def serve(opening: Opening, ready: Callable[[str], None], stop: asyncio.Event) -> None:
    """Keep the house open in this process until told to stop.

    Args:
        opening: how.
        ready: is told the address as soon as it answers.
        stop: ends it: requests and pages under way are finished.

    Raises:
        InputError: the address is taken.
        StoreError: the store cannot be opened.
    """
    with bound(opening.host, opening.port) as listening:
        async with opened(opening) as house:
            app, address = application(house), address_of(listening)
            async with asyncio.TaskGroup() as group:
                if opening.watch:
                    group.create_task(watching(opening, house, stop))
                await keep_open(Server(config(app)), app, [listening], lambda: ready(address), stop)


@asynccontextmanager
async def opened(opening: Opening, common: Common | None = None) -> AsyncIterator[House]:
    """The house with its store and its web; where the store is empty, with the sample newspaper in it.

    Args:
        opening: how it is opened.
        common: what this process shares with others that serve it; nothing, if it is the only one.

    Raises:
        StoreError: the store cannot be opened.
    """
    with store.open(opening.where) as kept:
        guard, standings = Guard.allowing(opening.allow), StoreStandings(kept)
        async with Live(guard=guard, robots=opening.robots, proxy=opening.proxy, standings=standings) as live:
            web = SampleWeb(live)
            if opening.with_sample and sample.add(kept, datetime.now(UTC)):
                await pipeline.watch(opening.where, fetcher=web, plan=Plan(once=True, jobs=0))
            reading = _reading(opening)
            try:
                unhurried = SampleWeb(live.unhurried)
                yield House(kept, web, unhurried, opening.terms, common=common or Common(), reading=reading)
            finally:
                await reading.close()


def _reading(opening: Opening) -> ReadingPool:
    """Where pages of strangers are read; processes that serve share those that read."""
    if not opening.readers:
        return ReadingThreads()
    size = max(1, opening.readers // opening.workers)
    return ReadingProcesses(size, opening.reading_memory, opening.reading_seconds)


@contextmanager
def bound(host: str, port: int) -> Iterator[socket.socket]:
    """A socket at an address of this machine.

    Raises:
        InputError: the address is taken, or none of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Only where TCP is named does asyncio switch off Nagle's algorithm, which holds back the second part of an answer
    # for 40 ms until the first is acknowledged (RFC 896, RFC 1122 4.2.3.2).
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as made:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, port))
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InputError(f"{host}, port {port}: {reason}; choose another with --port") from error
        yield made


def address_of(listening: socket.socket) -> str:
    """Where a browser finds a socket."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


async def watching(opening: Opening, house: House, stop: asyncio.Event) -> None:
    """Watch the sources while the house is open. Where that is impossible the house stays open all the same."""

    def tell(event: Event) -> None:
        if isinstance(event, Trouble) and event.sentence:
            LOG.warning("%s", event.sentence)

    plan = Plan(jobs=opening.jobs)
    async with AsyncExitStack() as stack:
        browser = await stack.enter_async_context(Browser(house.fetcher)) if opening.browser else None
        try:
            await pipeline.watch(opening.where, fetcher=house.fetcher, browser=browser, plan=plan, tell=tell, stop=stop)
        except StoreError as error:
            LOG.error("the sources are not watched any more: %s", error)  # noqa: TRY400  # the sentence says it all
