"""Pages of the web for the commands: fetched with the guard, the manners and the limits of `tidings.fetch`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from tidings.fetch import Fetcher, Live, Outcome
    from tidings.news.store import Store
    from tidings.news.store.records_of_work import NewSource
    from tidings.news.watch.adding import AddressSources

AllowHost = Annotated[
    list[str] | None,
    typer.Option("--allow-host", metavar="HOST", help="Fetch from this host even if it is on a private network."),
]
IgnoreRobots = Annotated[bool, typer.Option("--ignore-robots", help="Do not ask the site's robots.txt.")]
ShowFirst = Annotated[bool, typer.Option("--browser", help="Let Chromium run a fetched page's scripts first.")]
Proxy = Annotated[str | None, typer.Option("--proxy", metavar="URL", help="Fetch through this HTTP proxy.")]


def is_address(name: str) -> bool:
    """Whether an argument is an address on the web rather than a file."""
    return name.lower().startswith(("http://", "https://"))


@dataclass(frozen=True, slots=True)
class Web:
    """How the commands fetch."""

    allow: tuple[str, ...] = ()
    robots: bool = True
    browser: bool = False
    proxy: str | None = None

    def bring(self, urls: Sequence[str]) -> list[Outcome]:
        """What is at some addresses, each host in its turn, with a bar on a terminal."""
        from tidings.fetch.live import run

        with _progress(len(urls)) as advance:
            return run(self._bring(urls, advance))

    def live(self, shared: Store | None = None) -> Live:
        """The web; where several processes share a store, they are polite together."""
        from tidings.fetch import Guard, Live
        from tidings.news.watch.host_states import StoredHostStates

        host_states = None if shared is None else StoredHostStates(shared)
        return Live(guard=Guard.allowing(self.allow), robots=self.robots, proxy=self.proxy, host_states=host_states)

    def look(self, told: NewSource) -> AddressSources:
        """What an address is, for somebody who adds it as a source."""
        from tidings.fetch.live import run
        from tidings.news.watch.adding import look_at

        async def once() -> AddressSources:
            async with self.live() as live:
                return await look_at(live, told)

        return run(once())

    async def _bring(self, urls: Sequence[str], advance: Callable[[], None]) -> list[Outcome]:
        import asyncio

        from tidings.fetch import Browser, Guard, Live, Pace, Request

        # Someone who names a hundred pages of one host means to wait for them.
        pace = Pace(patience=Pace().patience + len(urls))
        async with AsyncExitStack() as stack:
            guard = Guard.allowing(self.allow)
            live = await stack.enter_async_context(Live(guard=guard, pace=pace, robots=self.robots, proxy=self.proxy))
            fetcher: Fetcher = await stack.enter_async_context(Browser(live)) if self.browser else live

            async def one(url: str) -> Outcome:
                outcome = await fetcher.fetch(Request(url))
                advance()
                return outcome

            return list(await asyncio.gather(*(one(url) for url in urls)))


@contextmanager
def _progress(total: int) -> Iterator[Callable[[], None]]:
    """A bar for several pages, a word for one, nothing where nobody looks."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda: None
    elif total == 1:
        with console.status("fetching"):
            yield lambda: None
    else:
        columns = (TextColumn("fetching"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task("", total=total)
            yield lambda: bar.advance(task)
