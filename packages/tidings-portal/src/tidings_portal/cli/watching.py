"""Run the watcher with progress bars, for the commands that watch."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.console import Console

from tidings.cli.fetch_options import FetchOptions
from tidings.cli.output import ProgressBar, plain, progress_bars
from tidings.errors import TidingsError
from tidings_portal.cli.store_options import shared_live
from tidings_portal.log_lines import LogOptions

if TYPE_CHECKING:
    from tidings.fetch import Fetcher, Live
    from tidings_portal.sending.deliveries import Sender
    from tidings_portal.store import Store
    from tidings_portal.watch.events import Event, Tell, WatchCounts
    from tidings_portal.watch.plan import Plan
    from tidings_portal.web.app_state import App


T = TypeVar("T")


Jobs = Annotated[int, typer.Option("--jobs", "-j", min=0, help="Processes that extract pages; 0: all cores.")]


NoPages = Annotated[bool, typer.Option("--no-pages", help="Do not store the HTML of pages.")]


UsualRecipe = Annotated[
    str,
    typer.Option(
        "--recipe", metavar="NAME|FILE", help="The recipe of sources without their own: see `tidings recipes`."
    ),
]


async def watch_store(
    where: str, web: FetchOptions, plan: Plan, tell: Tell, messages: Callable[[App], Sender] | None = None
) -> WatchCounts:
    """Watch the store until all planned work is done or the process is interrupted; return the counts of what
    happened.
    """
    from tidings.fetch import Browser
    from tidings_portal import store
    from tidings_portal import watch as pipeline
    from tidings_portal.watch.events import WatchCounts
    from tidings_portal.watch.sample_web import SETTING, SampleWeb
    from tidings_portal.watch.supervisor import Supervisor

    stop = asyncio.Event()
    interrupts: list[int] = []
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # on Windows Ctrl-C raises instead
            loop.add_signal_handler(number, _stopping, stop, asyncio.current_task(), number, interrupts)
    async with AsyncExitStack() as stack:
        opened = stack.enter_context(store.open(where))
        live = await stack.enter_async_context(shared_live(web, opened))
        # The sample newspaper is part of the package: its pages are served from there, not fetched.
        fetcher: Fetcher = SampleWeb(live) if opened.setting(SETTING) else live
        browser = await stack.enter_async_context(Browser(fetcher)) if web.browser else None
        sending = await stack.enter_async_context(_sending(opened, live, messages)) if messages else None
        counts = WatchCounts()

        async def watch() -> None:
            nonlocal counts
            counts = await pipeline.watch(where, fetcher=fetcher, browser=browser, plan=plan, tell=tell, stop=stop)

        await (watch() if plan.once else Supervisor(opened, stop, fatal=(TidingsError,)).run("watch", watch))
        if sending is not None and plan.once:
            await sending.once()
    if signal.SIGINT in interrupts and counts == WatchCounts():
        raise KeyboardInterrupt  # interrupted before the first poll
    return counts


def _stopping(stop: asyncio.Event, task: asyncio.Task[object] | None, number: int, interrupts: list[int]) -> None:
    """Handle an interrupt: stop after running tasks at the first signal, immediately at the second."""
    interrupts.append(number)
    if stop.is_set() and task is not None:
        task.cancel()
    elif not stop.is_set():
        typer.echo("\nstopping after running tasks; press Ctrl-C again to stop immediately", err=True)
    stop.set()


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine. If it is cancelled, raise KeyboardInterrupt."""
    try:
        return asyncio.run(work)
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


@contextmanager
def show_progress(log: LogOptions | None) -> Iterator[Tell]:
    """Yield a function that reports events: with progress bars, or to the log if there is one."""
    from tidings_portal.watch.events import WatchCounts

    console = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    if log is not None:
        from tidings_portal.logs import log_event

        log.begin()
        yield log_event
    else:
        with progress_bars("sources", "pages", console=console) as (sources, pages):
            yield partial(_show_event, WatchCounts(), sources, pages, console)


def _show_event(tally: WatchCounts, sources: ProgressBar, pages: ProgressBar, console: Console, event: Event) -> None:
    """Update the progress bars after an event of the watcher."""
    tally.count(event)
    done = tally.kept + tally.changed + tally.known + tally.skipped + tally.set_aside
    sources.reach(tally.polled, None, f"{tally.broken} failing" if tally.broken else "")
    note = f"{tally.kept} new articles" + (f", {tally.set_aside} quarantined" if tally.set_aside else "")
    pages.reach(done, max(tally.found, done), note)
    _trouble(console, event)


def _trouble(console: Console, event: Event) -> None:
    from tidings_portal.watch.events import StoreTrouble

    if isinstance(event, StoreTrouble):
        console.print(f"tidings: {plain(event.sentence)}" if event.sentence else "tidings: the store works again")


def print_summary(tally: WatchCounts) -> None:
    """Print a summary of the run in one sentence."""
    summary = f"{tally.polled:,} sources polled, {tally.kept:,} new articles"
    for number, what in (
        (tally.changed, "changed"),
        (tally.skipped, "pages without an article"),
        (tally.set_aside, "pages quarantined"),
        (tally.postponed, "pages to be retried"),
        (tally.broken, "failing sources: see `tidings status --broken`"),
    ):
        summary += f", {number:,} {what}" if number else ""
    typer.echo(summary, err=True)


@asynccontextmanager
async def _sending(store: Store, live: Live, messages: Callable[[App], Sender]) -> AsyncIterator[Sender]:
    """Send queued notifications while the watcher runs."""
    from tidings_portal.watch.supervisor import Supervisor
    from tidings_portal.web.app_state import App

    stop, sender = asyncio.Event(), messages(App(store, live, live.unhurried))
    task = asyncio.create_task(Supervisor(store, stop).run("send", partial(sender.run, stop)))
    try:
        yield sender
    finally:
        stop.set()
        await task
