"""`tidings watch` and `tidings crawl`: poll, fetch, read, keep."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.console import Console

from tidings.cli.log_options import Logging
from tidings.cli.output import ProgressBar, plain, progress_bars
from tidings.cli.serve import ReaderMail
from tidings.cli.stored import Web, WebByBrowser, WebOrBrowser, Where, length, opened, place, recipe_name
from tidings.errors import TidingsError
from tidings.news.log_lines import LogLevel, LogOptions

if TYPE_CHECKING:
    from tidings.fetch import Fetcher, Live
    from tidings.news.sending.deliveries import Sender
    from tidings.news.store import Store
    from tidings.news.watch.events import Event, Tell, WatchCounts
    from tidings.news.watch.plan import Plan
    from tidings.news.web.app_state import App
    from tidings.sources import CrawlBounds

T = TypeVar("T")

Jobs = Annotated[int, typer.Option("--jobs", "-j", min=0, help="Processes that read pages; 0 takes all cores.")]
NoPages = Annotated[bool, typer.Option("--no-pages", help="Do not keep pages as they were sent.")]
UsualRecipe = Annotated[
    str,
    typer.Option("--recipe", metavar="NAME|FILE", help="How sources that name none are read: see `tidings recipes`."),
]


def watch(
    once: Annotated[bool, typer.Option("--once", help="End when everything that is due has been done.")] = False,
    every: Annotated[
        str | None,
        typer.Option("--every", metavar="TIME", help="Poll all sources this often: 30m, 2h. Else as each has news."),
    ] = None,
    at_once: Annotated[bool, typer.Option("--now", help="Begin with all sources, also those not due.")] = False,
    jobs: Jobs = 0,
    keep_articles: Annotated[
        str | None, typer.Option("--keep-articles", metavar="TIME", help="Remove older articles: 90d. Else they stay.")
    ] = None,
    keep_pages: Annotated[
        str, typer.Option("--keep-pages", metavar="TIME", help="Remove older pages; articles stay.")
    ] = "30d",
    no_pages: NoPages = False,
    no_stories: Annotated[bool, typer.Option("--no-stories", help="Do not put articles into stories.")] = False,
    recipe: UsualRecipe = "",
    mail: ReaderMail = ReaderMail(),
    logging: Logging = Logging(),
    where: Where = None,
    web: WebOrBrowser = WebOrBrowser(),
) -> None:
    """Watch the sources: poll them when they are due, fetch what is new, read it, keep it. Ctrl-C ends it cleanly.

    Each source is polled every two hours at first, then as often as it has news. Several watchers of one store share
    the work. `tidings status` tells how the sources are. Readers' rules are followed and their messages sent, as by
    `tidings serve`: webhooks, and letters and files where you say how.

    For example:

      tidings watch
      tidings watch --once --now
      tidings watch --store postgresql://host/news --jobs 4
    """
    from tidings.news.watch.plan import RETENTION, Plan
    from tidings.processes import cores

    retention = replace(RETENTION, articles_for=length(keep_articles), pages_for=length(keep_pages))
    plan = Plan(
        once=once,
        jobs=jobs or cores(),
        every=length(every),
        keep_pages=not no_pages,
        group=not no_stories,
        retention=retention,
        recipe=recipe_name(where, recipe),
    )
    if at_once:
        with opened(where) as kept:
            for source in kept.sources():
                kept.poll_again(source.id, datetime.now(UTC))
    server = mail.server

    def messages(app: App) -> Sender:
        from tidings.news.sending.deliveries import Sender

        return Sender.beside_watch(app, server, mail.sender, mail.notes_folder)

    with _shown(logging.options(LogLevel.DEBUG)) as tell:
        tally = _run(_watched(place(where), web, plan, tell, messages))
    _tell(tally)


def crawl(
    site: Annotated[str, typer.Argument(metavar="SITE", help="The address of its front page.")],
    limit: Annotated[int, typer.Option("--limit", min=1, help="At most so many stories.")] = 100,
    depth: Annotated[int, typer.Option("--depth", min=0, help="Pages from the front page to a section.")] = 1,
    jobs: Jobs = 0,
    no_pages: NoPages = False,
    recipe: UsualRecipe = "",
    logging: Logging = Logging(),
    where: Where = None,
    web: WebByBrowser = WebByBrowser(),
) -> None:
    """Read a site once: the stories that its front page and sections link to, one host's turn after the other.

    For example:

      tidings crawl https://harbour.example/ --limit 50
      tidings crawl https://harbour.example/ --recipe lbnest
    """
    from tidings.news.watch.plan import Plan
    from tidings.processes import cores
    from tidings.sources import CrawlBounds

    bounds = CrawlBounds(stories=limit, depth=depth)
    plan = Plan(once=True, jobs=jobs or cores(), keep_pages=not no_pages, recipe=recipe_name(where, recipe))
    with _shown(logging.options(LogLevel.DEBUG)) as tell:
        stories, new, tally = _run(_crawled(place(where), web, plan, tell, site, bounds))
    typer.echo(f"{stories:,} stories found, {new:,} of them new", err=True)
    _tell(tally)
    if not stories:
        raise typer.Exit(3)


async def _crawled(
    where: str, web: Web, plan: Plan, tell: Tell, site: str, bounds: CrawlBounds
) -> tuple[int, int, WatchCounts]:
    from tidings.news import store
    from tidings.news.recipes.catalogue import RecipeCatalogue
    from tidings.news.watch.crawl import gather

    async with AsyncExitStack() as stack:
        kept = stack.enter_context(store.open(where))
        live = await stack.enter_async_context(web.live(kept))
        stories, new = await gather(kept, live, site, bounds, RecipeCatalogue(kept).recipe(plan.recipe).chain)
    return stories, new, await _watched(where, web, replace(plan, polls_at_once=0), tell)


async def _watched(
    where: str, web: Web, plan: Plan, tell: Tell, messages: Callable[[App], Sender] | None = None
) -> WatchCounts:
    from tidings.fetch import Browser
    from tidings.news import store
    from tidings.news import watch as pipeline
    from tidings.news.watch.events import WatchCounts
    from tidings.news.watch.sample_web import SETTING, SampleWeb
    from tidings.news.watch.supervisor import Supervisor

    stop = asyncio.Event()
    interrupts: list[int] = []
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # on Windows Ctrl-C raises instead
            loop.add_signal_handler(number, _stopping, stop, asyncio.current_task(), number, interrupts)
    async with AsyncExitStack() as stack:
        kept = stack.enter_context(store.open(where))
        live = await stack.enter_async_context(web.live(kept))
        # The newspaper of `tidings serve` is in the package: whoever watches brings it, the portal open or not.
        fetcher: Fetcher = SampleWeb(live) if kept.setting(SETTING) else live
        browser = await stack.enter_async_context(Browser(fetcher)) if web.browser else None
        sending = await stack.enter_async_context(_sending(kept, live, messages)) if messages else None
        counts = WatchCounts()

        async def watch() -> None:
            nonlocal counts
            counts = await pipeline.watch(where, fetcher=fetcher, browser=browser, plan=plan, tell=tell, stop=stop)

        await (watch() if plan.once else Supervisor(kept, stop, fatal=(TidingsError,)).run("watch", watch))
        if sending is not None and plan.once:
            await sending.once()
    if signal.SIGINT in interrupts and counts == WatchCounts():
        raise KeyboardInterrupt  # it had not begun: interrupted as any other command
    return counts


@asynccontextmanager
async def _sending(kept: Store, live: Live, messages: Callable[[App], Sender]) -> AsyncIterator[Sender]:
    """What sends messages while the sources are watched."""
    from tidings.news.watch.supervisor import Supervisor
    from tidings.news.web.app_state import App

    stop, sender = asyncio.Event(), messages(App(kept, live, live.unhurried))
    task = asyncio.create_task(Supervisor(kept, stop).run("send", partial(sender.run, stop)))
    try:
        yield sender
    finally:
        stop.set()
        await task


def _stopping(stop: asyncio.Event, task: asyncio.Task[object] | None, number: int, interrupts: list[int]) -> None:
    """The first Ctrl-C asks to stop, the second insists."""
    interrupts.append(number)
    if stop.is_set() and task is not None:
        task.cancel()
    elif not stop.is_set():
        typer.echo("\nstopping: what is under way is finished; once more to stop at once", err=True)
    stop.set()


def _run(work: Coroutine[Any, Any, T]) -> T:
    """Run it; stopped twice it ends like any program that was interrupted."""
    try:
        return asyncio.run(work)
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


@contextmanager
def _shown(log: LogOptions | None) -> Iterator[Tell]:
    """Bars on a terminal, lines where they are asked for."""
    from tidings.news.watch.events import WatchCounts

    console = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    if log is not None:
        from tidings.news.logs import log_event

        log.begin()
        yield log_event
    else:
        with progress_bars("sources", "pages", console=console) as (sources, pages):
            yield partial(_told, WatchCounts(), sources, pages, console)


def _told(tally: WatchCounts, sources: ProgressBar, pages: ProgressBar, console: Console, event: Event) -> None:
    """Something happened: sources were polled, pages read."""
    tally.count(event)
    done = tally.kept + tally.changed + tally.known + tally.skipped + tally.set_aside
    sources.reach(tally.polled, None, f"{tally.broken} broken" if tally.broken else "")
    said = f"{tally.kept} new articles" + (f", {tally.set_aside} set aside" if tally.set_aside else "")
    pages.reach(done, max(tally.found, done), said)
    _trouble(console, event)


def _trouble(console: Console, event: Event) -> None:
    from tidings.news.watch.events import StoreTrouble

    if isinstance(event, StoreTrouble):
        console.print(f"tidings: {plain(event.sentence)}" if event.sentence else "tidings: it goes on")


def _tell(tally: WatchCounts) -> None:
    """What came of it, in a sentence."""
    said = f"{tally.polled:,} sources polled, {tally.kept:,} new articles"
    for number, what in (
        (tally.changed, "changed"),
        (tally.skipped, "pages that are no stories"),
        (tally.set_aside, "pages set aside"),
        (tally.postponed, "pages to be tried again"),
        (tally.broken, "broken sources: see `tidings status --broken`"),
    ):
        said += f", {number:,} {what}" if number else ""
    typer.echo(said, err=True)
