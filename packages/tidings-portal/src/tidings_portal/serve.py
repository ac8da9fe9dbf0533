"""`tidings serve`: runs the portal, and the watcher that polls its sources.

A single process does both. With `--workers`, the parent process polls the sources, and uvicorn's supervisor runs that
many server processes. Their shared state is in the store (`tidings_portal.web.app_state`).
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import signal
import socket
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from multiprocessing import parent_process
from pathlib import Path
from typing import Any, Final

import uvicorn
from anyio import to_thread
from prometheus_client.multiprocess import mark_process_dead
from starlette.applications import Starlette
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from tidings.errors import InputError, StoreError
from tidings.fetch import Browser, Guard, Live
from tidings_portal import store
from tidings_portal import watch as pipeline
from tidings_portal.accounts.sessions import setup_token
from tidings_portal.app import AT_ONCE as CONNECTIONS_AT_ONCE
from tidings_portal.app import HttpConnection, RequestTimeouts, application, attach
from tidings_portal.log_lines import LogOptions
from tidings_portal.logs import log_event
from tidings_portal.portal import sample
from tidings_portal.portal.edition_mail import MailServer
from tidings_portal.sending.deliveries import Sender
from tidings_portal.watch.host_states import StoredHostStates
from tidings_portal.watch.plan import Plan
from tidings_portal.watch.sample_web import SampleWeb
from tidings_portal.watch.supervisor import Supervisor
from tidings_portal.web.app_state import App, SharedState, secret_of, shared_in_store
from tidings_portal.web.metrics import measures_of
from tidings_portal.web.reading_pool import AT_ONCE, MEMORY, SECONDS, ReadingPool, ReadingProcesses, ReadingThreads
from tidings_portal.web.settings import PortalSettings

LOG: Final = logging.getLogger("tidings")
#: Connections that may wait to be taken, as uvicorn has it.
WAITING: Final = 2048
#: Threads that make pages, in all processes together, as in one (anyio has forty): each may need a connection to the
#: store, and a server of PostgreSQL has a hundred unless told otherwise. And the fewest in one process.
_THREADS: Final = 40
_FEWEST: Final = 8
#: Seconds in which a serving process must answer its parent: it may be loading, on a busy machine.
_SILENT: Final = 60
#: Seconds between two times that old counters are forgotten.
_TIDY: Final = 600.0
#: Where prometheus_client looks for the folder that processes write their measures into.
_MEASURES: Final = "PROMETHEUS_MULTIPROC_DIR"


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """The options of `tidings serve`."""

    where: str
    host: str = "127.0.0.1"
    port: int = 8080
    settings: PortalSettings = field(default_factory=PortalSettings)
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
    workers: int = 1  # processes that serve
    log: LogOptions = field(default_factory=LogOptions)
    recipe: str = ""  # of sources that name none
    mail: MailServer | None = None  # where letters are handed over
    sender: str = ""  # whose address they have
    notes_folder: Path | None = None  # where articles are written as Markdown


async def serve(options: ServeOptions, ready: Callable[[str], None], stop: asyncio.Event) -> None:
    """Run the portal until `stop` is set.

    Args:
        options: the options of the command.
        ready: called with the URL of the portal when it accepts requests.
        stop: stops the portal; running requests and pages are finished first.

    Raises:
        InputError: the port is in use.
        StoreError: the store cannot be opened.
    """
    options.log.begin()
    by = _serve_by_processes if options.workers > 1 else _serve_here
    with bound(options.host, options.port) as listening:
        own = replace(options, readers=0) if options.workers > 1 else options  # a parent reads nothing for visitors
        async with opened(own) as app, asyncio.TaskGroup() as group:
            if app.settings.accounts and not app.store.persons():
                LOG.warning(
                    "nobody has an account yet; whoever opens the first one needs the setup token %s", setup_token(app)
                )
            supervisor = Supervisor(app.store, stop)
            if options.watch:
                group.create_task(supervisor.run("watch", partial(watching, options, app, stop)))
            sender = Sender(app, options.mail, options.sender, options.notes_folder)
            group.create_task(supervisor.run("tidy", partial(_tidying, app, stop)))
            group.create_task(supervisor.run("send", partial(sender.run, stop)))
            await by(options, app, listening, partial(ready, address_of(listening)), stop)
            stop.set()


async def _serve_here(
    options: ServeOptions,  # noqa: ARG001  # as the other way
    app: App,
    listening: socket.socket,
    ready: Callable[[], None],
    stop: asyncio.Event,
) -> None:
    asgi = application(app)
    server = Server(config(asgi))
    async with asyncio.TaskGroup() as group:
        supervisor = Supervisor(app.store, stop)
        group.create_task(supervisor.run("stop", partial(_ending, server, stop)))
        group.create_task(supervisor.run("count reads", partial(asgi.state.counting.keep_writing, stop)))
        group.create_task(supervisor.run("announce", partial(_telling, server, ready)))
        await server.serve(sockets=[listening])
        stop.set()


async def _telling(server: uvicorn.Server, ready: Callable[[], None]) -> None:
    while not server.started and not server.should_exit:
        await asyncio.sleep(0.01)
    ready()


async def _ending(server: uvicorn.Server, stop: asyncio.Event) -> None:
    await stop.wait()
    server.should_exit = True


async def _tidying(app: App, stop: asyncio.Event) -> None:
    """Delete expired rate limit counters periodically, until `stop` is set."""
    while not stop.is_set():
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), _TIDY)
        with suppress(StoreError):
            await asyncio.to_thread(app.common.tidy)


class Server(uvicorn.Server):
    """A uvicorn server without signal handlers, because the watcher in the same process must stop too."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Install no signal handlers."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to accept connections. The socket's backlog is larger than the number that asyncio accepts at once."""
        await super().startup(sockets)
        for one in sockets or ():
            one.listen(WAITING)


def config(asgi: Callable[..., Any], **more: Any) -> uvicorn.Config:
    """Return the uvicorn configuration of the portal; `more` overrides settings."""
    settings: dict[str, Any] = {
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
        "proxy_headers": False,  # whoever sends them may lie (HOSTILE 25)
        "http": HttpConnection,
        "ws": "none",
        "backlog": CONNECTIONS_AT_ONCE,
        "timeout_keep_alive": int(RequestTimeouts().idle),
        "timeout_graceful_shutdown": 5,
        "h11_max_incomplete_event_size": 65_536,  # a path of a megabyte ends here (HOSTILE 26)
        "lifespan": "off",
    }
    return uvicorn.Config(asgi, **settings | more)


async def _serve_by_processes(
    options: ServeOptions,
    app: App,
    listening: socket.socket,
    ready: Callable[[], None],
    stop: asyncio.Event,
) -> None:
    loop = asyncio.get_running_loop()
    with _measures_folder() as folder:
        factory = partial(_process_application, options, folder)
        how = config(
            factory, factory=True, lifespan="on", workers=options.workers, backlog=1, timeout_worker_healthcheck=_SILENT
        )
        servers = _ServingProcesses(how, listening, folder, partial(loop.call_soon_threadsafe, ready))
        async with asyncio.TaskGroup() as group:
            group.create_task(Supervisor(app.store, stop).run("stop", partial(_servers_ending, servers, stop)))
            await asyncio.to_thread(servers.run)
            stop.set()
    if any(one.exitcode == STARTUP_FAILURE for one in servers.processes):
        raise StoreError("a serving process could not begin; the reason stands above")


async def _servers_ending(servers: Multiprocess, stop: asyncio.Event) -> None:
    await stop.wait()
    servers.should_exit.set()


class _ServingProcesses(Multiprocess):
    """uvicorn's supervisor, which reports when all processes serve and which it has replaced."""

    def __init__(
        self, how: uvicorn.Config, listening: socket.socket, folder: Path, ready: Callable[[], object]
    ) -> None:
        listening.listen(WAITING)
        super().__init__(how, [listening])
        self._listening, self._folder, self._ready = listening, folder, ready
        self._told = False

    def keep_subprocess_alive(self) -> None:
        """Restart ended server processes, log them, and call `ready` once all serve."""
        before = {one.pid: one for one in self.processes}
        super().keep_subprocess_alive()
        for number in before.keys() - {one.pid for one in self.processes}:
            LOG.warning("serving process %s ended (%s) and was started again", number, before[number].exitcode)
            mark_process_dead(number, str(self._folder))  # type: ignore[no-untyped-call]
        if not self._told and all(one.is_ready() for one in self.processes):
            self._told = True
            self._ready()
        self._listening.listen(WAITING)  # one that begins sets it to what asyncio takes at once


@contextmanager
def _measures_folder() -> Iterator[Path]:
    """Yield a temporary folder in which server processes share metrics (prometheus_client's multiprocess mode).

    Raises:
        InputError: no temporary folder can be created.
    """
    try:
        folder = tempfile.TemporaryDirectory(prefix="tidings-", ignore_cleanup_errors=True)
    except OSError as error:
        raise InputError(f"several processes need a folder for temporary files; set TMPDIR to one ({error})") from error
    with folder as name:
        os.environ[_MEASURES] = name
        try:
            yield Path(name)
        finally:
            os.environ.pop(_MEASURES, None)


def _process_application(options: ServeOptions, folder: Path) -> Starlette:
    """Create the application of one of several server processes, which opens the store itself."""
    options.log.begin()

    @asynccontextmanager
    async def lifespan(asgi: Starlette) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = max(_FEWEST, _THREADS // options.workers)
        stop = asyncio.Event()
        with _ended_with_parent(folder):
            async with opened(replace(options, with_sample=False), folder) as app:
                attach(asgi, app)
                measures_of(asgi)
                async with asyncio.TaskGroup() as group:
                    writing = partial(asgi.state.counting.keep_writing, stop)
                    group.create_task(Supervisor(app.store, stop).run("count reads", writing))
                    yield
                    stop.set()

    return application(lifespan=lifespan)


@contextmanager
def _ended_with_parent(folder: Path) -> Iterator[None]:
    """End this process when its parent process ends, for the duration of the context."""
    parent = parent_process()
    if parent is None:
        yield
        return
    loop, sentinel = asyncio.get_running_loop(), parent.sentinel

    def parent_ended() -> None:
        loop.remove_reader(sentinel)
        shutil.rmtree(folder, ignore_errors=True)  # nobody else is left to tidy up
        os.kill(os.getpid(), signal.SIGTERM)

    loop.add_reader(sentinel, parent_ended)
    try:
        yield
    finally:
        loop.remove_reader(sentinel)


@asynccontextmanager
async def opened(options: ServeOptions, measures: Path | None = None) -> AsyncIterator[App]:
    """Yield the state of the application with an open store. An empty store gets the sample newspaper.

    Args:
        options: the options of the command.
        measures: the folder for the metrics of several server processes.

    Raises:
        StoreError: the store cannot be opened.
    """
    with store.open(options.where) as kept:
        guard, host_states = Guard.allowing(options.allow), StoredHostStates(kept)
        async with Live(guard=guard, robots=options.robots, proxy=options.proxy, host_states=host_states) as live:
            web = SampleWeb(live)
            if options.with_sample and sample.add(kept, datetime.now(UTC)):
                await pipeline.watch(options.where, fetcher=web, plan=Plan(once=True, jobs=0))
            reading, shared = _reading(options), SharedState()
            if options.workers > 1:
                shared = shared_in_store(kept, secret_of(kept), options.workers, measures)
            try:
                unhurried = SampleWeb(live.unhurried)
                yield App(kept, web, unhurried, options.settings, common=shared, reading=reading)
            finally:
                await reading.close()


def _reading(options: ServeOptions) -> ReadingPool:
    """Create the pool of worker processes that extract pages for visitors. Server processes divide the workers among
    them.
    """
    if not options.readers:
        return ReadingThreads()
    size = max(1, options.readers // options.workers)
    return ReadingProcesses(size, options.reading_memory, options.reading_seconds)


@contextmanager
def bound(host: str, port: int) -> Iterator[socket.socket]:
    """Yield a socket that listens on an IP address and port of this machine.

    Raises:
        InputError: the port is in use, or the address is not one of this machine.
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
    """Return the URL of a listening socket."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


async def watching(options: ServeOptions, app: App, stop: asyncio.Event) -> None:
    """Run the watcher until `stop` is set."""
    plan = Plan(jobs=options.jobs, recipe=options.recipe)
    async with AsyncExitStack() as stack:
        browser = await stack.enter_async_context(Browser(app.fetcher)) if options.browser else None
        await pipeline.watch(options.where, fetcher=app.fetcher, browser=browser, plan=plan, tell=log_event, stop=stop)
