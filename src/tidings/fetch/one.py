"""One thing, here and now: for people rather than pipelines. Failures are raised."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from tidings.fetch.exchange import Fetcher, Kind, Request, Response, require
from tidings.fetch.live import Live

T = TypeVar("T")


async def aget(url: str, kind: Kind = Kind.PAGE, *, fetcher: Fetcher | None = None) -> Response:
    """What is at an address.

    Args:
        url: where; http or https.
        kind: what it is expected to be.
        fetcher: who fetches; a `Live` of the caller's own for many pages, for other settings, or a replay.

    Raises:
        FetchError: it cannot be had; each kind of reason has its own error.
    """
    request = Request(url, kind)
    if fetcher is not None:
        return require(await fetcher.fetch(request))
    async with Live() as live:
        return require(await live.fetch(request))


def get(url: str, kind: Kind = Kind.PAGE, *, open_: Callable[[], Live] = Live) -> Response:
    """What is at an address, for code that awaits nothing.

    Args:
        url: where; http or https.
        kind: what it is expected to be.
        open_: makes the fetcher, where it is to be another than usual: `lambda: Live(guard=…)`.

    Raises:
        FetchError: it cannot be had; each kind of reason has its own error.
    """

    async def once() -> Response:
        async with open_() as live:
            return require(await live.fetch(Request(url, kind)))

    return run(once())


def run(work: Coroutine[Any, Any, T]) -> T:
    """Do asynchronous work from ordinary code, also where an event loop runs already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    done: list[T] = []
    failed: list[BaseException] = []

    def apart() -> None:
        try:
            done.append(asyncio.run(work))
        except BaseException as error:  # handed to the caller below
            failed.append(error)

    thread = threading.Thread(target=apart, name="tidings: one page")
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return done[0]
