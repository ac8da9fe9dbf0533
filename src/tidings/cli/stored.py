"""The store that commands work on: where it is, and lengths of time as people write them.

Pages of the web for the commands: fetched with the guard, the manners and the limits of `tidings.fetch`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tidings.cli.output import progress
from tidings.cli.state import state
from tidings.errors import InputError, did_you_mean
from tidings.text.patterns import late_pattern

if TYPE_CHECKING:
    from tidings.fetch import Fetcher, Live, Outcome
    from tidings.news.store import Store
    from tidings.news.store.records_of_work import NewSource, Source
    from tidings.news.watch.new_sources import AddressSources

Where = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="FILE",
        help="The store: a file, or postgresql://…; else TIDINGS_STORE, else news.tidings in your data folder.",
    ),
]

_LENGTH: Final = late_pattern(r"(\d{1,6})\s*(s|sec|m|min|h|d|w)?", re.IGNORECASE)
_UNITS: Final = {"s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400, "w": 604_800}


def place(where: str | None) -> str:
    """Where the store is; the folder it lies in by default is made."""
    configured = state.config.values.get("store") if state.config is not None else None
    if named := where or os.environ.get("TIDINGS_STORE") or configured:
        return str(named)
    from tidings.sites.place import data_folder

    folder = data_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the folder {folder} cannot be made: {error}; name a file with --store") from error
    return str(folder / "news.tidings")


@contextmanager
def opened(where: str | None) -> Iterator[Store]:
    """The store, open."""
    from tidings.news import store

    with store.open(place(where)) as kept:
        yield kept


def length(said: str | None) -> timedelta | None:
    """A length of time: `90` or `90m` are minutes, `2h`, `1d`, `1w`."""
    if said is None:
        return None
    match = _LENGTH.fullmatch(said.strip())
    if match is None or not int(match[1]):
        raise InputError(f"{said!r} is no length of time; write 30m, 2h, 1d or 1w")
    return timedelta(seconds=int(match[1]) * _UNITS[(match[2] or "m").lower()])


def source(kept: Store, named: str) -> Source:
    """A source by its number or its address.

    Raises:
        InputError: there is none.
    """
    found = kept.source(int(named)) if named.isascii() and named.isdigit() else kept.source_at(named)
    if found is None:
        known = tuple(one.told.address for one in kept.sources())
        advice = did_you_mean(named, known) if 0 < len(known) <= 20 else "`tidings list` shows those there are"
        raise InputError(f"there is no source {named!r}; {advice}")
    return found


def recipe_name(where: str | None, said: str) -> str:
    """The name of the recipe that somebody names; a file is put into the store.

    Raises:
        BadRecipe: there is none, or it cannot be used.
    """
    if not said:
        return ""
    from tidings.news.recipes.catalogue import RecipeCatalogue

    with opened(where) as kept:
        return RecipeCatalogue(kept).named(said, datetime.now(UTC)).name


AllowHost = Annotated[
    list[str] | None,
    typer.Option("--allow-host", metavar="HOST", help="Fetch from this host even if it is on a private network."),
]


def is_address(name: str) -> bool:
    """Whether an argument is an address on the web rather than a file."""
    return name.lower().startswith(("http://", "https://"))


@dataclass(frozen=True, slots=True)
class Web:
    """How the commands fetch: a record of options (`tidings.cli.output.with_records`)."""

    allow_host: AllowHost = None
    ignore_robots: Annotated[bool, typer.Option("--ignore-robots", help="Do not ask the site's robots.txt.")] = False
    browser: bool = False  # no option of theirs
    proxy: Annotated[str | None, typer.Option("--proxy", metavar="URL", help="Fetch through this HTTP proxy.")] = None

    def bring(self, urls: Sequence[str]) -> list[Outcome]:
        """What is at some addresses, each host in its turn, with a bar on a terminal."""
        from tidings.fetch.live import run

        with progress("fetching", len(urls)) as bar:
            return run(self._bring(urls, bar.advance))

    def live(self, shared: Store | None = None) -> Live:
        """The web; where several processes share a store, they are polite together."""
        from tidings.fetch import Guard, Live
        from tidings.news.watch.host_states import StoredHostStates

        host_states = None if shared is None else StoredHostStates(shared)
        guard = Guard.allowing(self.allow_host or ())
        return Live(guard=guard, robots=not self.ignore_robots, proxy=self.proxy, host_states=host_states)

    def look(self, told: NewSource) -> AddressSources:
        """What an address is, for somebody who adds it as a source."""
        from tidings.fetch.live import run
        from tidings.news.watch.new_sources import look_at

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
            guard, robots = Guard.allowing(self.allow_host or ()), not self.ignore_robots
            live = await stack.enter_async_context(Live(guard=guard, pace=pace, robots=robots, proxy=self.proxy))
            fetcher: Fetcher = await stack.enter_async_context(Browser(live)) if self.browser else live

            async def one(url: str) -> Outcome:
                outcome = await fetcher.fetch(Request(url))
                advance()
                return outcome

            return list(await asyncio.gather(*(one(url) for url in urls)))


@dataclass(frozen=True, slots=True)
class WebByBrowser(Web):
    """Fetching, if somebody wants by Chromium."""

    browser: Annotated[bool, typer.Option("--browser", help="Let Chromium run a fetched page's scripts first.")] = False


@dataclass(frozen=True, slots=True)
class WebOrBrowser(Web):
    """Fetching, and Chromium where that brings nothing."""

    browser: Annotated[
        bool, typer.Option("--browser", help="Show pages that are empty without their scripts in Chromium.")
    ] = False
