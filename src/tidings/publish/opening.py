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

import uvicorn
from starlette.applications import Starlette

from tidings import pipeline, store
from tidings.errors import InputError, StoreError
from tidings.fetch import Browser, Guard, Live
from tidings.pipeline.events import Event, Trouble
from tidings.pipeline.plan import Plan
from tidings.pipeline.sample_web import SampleWeb
from tidings.pipeline.standings import StoreStandings
from tidings.publish.portal import sample
from tidings.publish.serving import application
from tidings.publish.web.house import House
from tidings.publish.web.terms import Terms

LOG: Final = logging.getLogger("tidings.publish")


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
    jobs: int = 1


async def serve(opening: Opening, ready: Callable[[str], None], stop: asyncio.Event) -> None:
    """Keep the house open until told to stop.

    Args:
        opening: how.
        ready: is told the address as soon as it answers.
        stop: ends it: requests and pages under way are finished.

    Raises:
        InputError: the address is taken.
        StoreError: the store cannot be opened.
    """
    with _listening(opening.host, opening.port) as listening:
        async with opened(opening) as house:
            app = application(house)
            server = _Server(_config(app))
            async with asyncio.TaskGroup() as group:
                group.create_task(_ending(server, stop))
                group.create_task(app.state.reception.counting.keep_writing(stop))
                if opening.watch:
                    group.create_task(_watching(opening, house, stop))
                group.create_task(_telling(server, _address(listening), ready))
                await server.serve(sockets=[listening])
                stop.set()


@asynccontextmanager
async def opened(opening: Opening) -> AsyncIterator[House]:
    """The house with its store and its web; where the store is empty, with the sample newspaper in it."""
    with store.open(opening.where) as kept:
        guard, standings = Guard.allowing(opening.allow), StoreStandings(kept)
        async with Live(guard=guard, robots=opening.robots, proxy=opening.proxy, standings=standings) as live:
            web = SampleWeb(live)
            if opening.with_sample and sample.add(kept, datetime.now(UTC)):
                await pipeline.watch(opening.where, fetcher=web, plan=Plan(once=True, jobs=0))
            yield House(kept, web, SampleWeb(live.unhurried), opening.terms)


class _Server(uvicorn.Server):
    """A server that leaves signals to whoever runs it: the watch has to end as well."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _config(app: Starlette) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # whoever sends them may lie (HOSTILE 25)
        timeout_keep_alive=30,
        timeout_graceful_shutdown=5,
        h11_max_incomplete_event_size=65_536,  # a path of a megabyte ends here (HOSTILE 26)
        lifespan="off",
    )


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as made:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, port))
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InputError(f"{host}, port {port}: {reason}; choose another with --port") from error
        yield made


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


async def _telling(server: uvicorn.Server, address: str, ready: Callable[[str], None]) -> None:
    while not server.started and not server.should_exit:
        await asyncio.sleep(0.01)
    ready(address)


async def _ending(server: uvicorn.Server, stop: asyncio.Event) -> None:
    await stop.wait()
    server.should_exit = True


async def _watching(opening: Opening, house: House, stop: asyncio.Event) -> None:
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
