"""Options of commands that fetch pages: hosts to allow, robots.txt, a proxy and a browser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.output import progress

if TYPE_CHECKING:
    from tidings.fetch import Fetcher, HostStates, Live, Outcome

AllowHost = Annotated[
    list[str] | None,
    typer.Option("--allow-host", metavar="HOST", help="Fetch from this host even if it is on a private network."),
]


def is_url(name: str) -> bool:
    """Return whether an argument is a URL rather than a file."""
    return name.lower().startswith(("http://", "https://"))


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """Options of commands that fetch pages; a record of options (`tidings.cli.output.with_records`)."""

    allow_host: AllowHost = None
    ignore_robots: Annotated[bool, typer.Option("--ignore-robots", help="Do not ask the site's robots.txt.")] = False
    browser: bool = False  # no option of this record; its subclasses have one
    proxy: Annotated[str | None, typer.Option("--proxy", metavar="URL", help="Fetch through this HTTP proxy.")] = None

    def fetch(self, urls: Sequence[str]) -> list[Outcome]:
        """Fetch URLs, with a progress bar on a terminal; one request at a time for each host."""
        from tidings.fetch.live import run

        with progress("fetching", len(urls)) as bar:
            return run(self._fetch(urls, bar.advance))

    def live(self, host_states: HostStates | None = None) -> Live:
        """Create an HTTP client with these options.

        Args:
            host_states: where the last request to each host is recorded, if several processes share it.
        """
        from tidings.fetch import Guard, Live

        guard = Guard.allowing(self.allow_host or ())
        return Live(guard=guard, robots=not self.ignore_robots, proxy=self.proxy, host_states=host_states)

    async def _fetch(self, urls: Sequence[str], advance: Callable[[], None]) -> list[Outcome]:
        import asyncio

        from tidings.fetch import Browser, Guard, Live, Pace, Request

        # Somebody who names a hundred pages of one host means to wait for them.
        pace = Pace(patience=Pace().patience + len(urls))
        async with AsyncExitStack() as stack:
            guard, robots = Guard.allowing(self.allow_host or ()), not self.ignore_robots
            live = await stack.enter_async_context(Live(guard=guard, pace=pace, robots=robots, proxy=self.proxy))
            fetcher: Fetcher = await stack.enter_async_context(Browser(live)) if self.browser else live

            async def fetch_url(url: str) -> Outcome:
                outcome = await fetcher.fetch(Request(url))
                advance()
                return outcome

            return list(await asyncio.gather(*(fetch_url(url) for url in urls)))


@dataclass(frozen=True, slots=True)
class BrowserFetchOptions(FetchOptions):
    """Options of commands that can fetch every page with Chromium."""

    browser: Annotated[bool, typer.Option("--browser", help="Let Chromium run a fetched page's scripts first.")] = False


@dataclass(frozen=True, slots=True)
class FallbackBrowserFetchOptions(FetchOptions):
    """Options of commands that can load a page again with Chromium if it is empty without its scripts."""

    browser: Annotated[
        bool, typer.Option("--browser", help="Show pages that are empty without their scripts in Chromium.")
    ] = False
