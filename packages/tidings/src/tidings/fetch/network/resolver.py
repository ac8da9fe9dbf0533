"""Name resolution without threads that outlive their lookup, or lookups that outlive their deadline.

The lookup of the C library cannot be interrupted, and the event loop waits for its own thread pool at the end. So each
lookup has a daemon thread: the caller may give up, and nothing waits for the thread.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable
from ipaddress import ip_address

from tidings.errors import UnknownHost
from tidings.urls import IP, literal

#: Returns all addresses of a host in the order in which to try them.
Resolver = Callable[[str], Awaitable[tuple[IP, ...]]]


async def resolve(host: str) -> tuple[IP, ...]:
    """Resolve a host with the system's resolver.

    Raises:
        UnknownHost: the host has no address.
    """
    literal_address = literal(host)
    if literal_address is not None:
        return (literal_address,)
    loop = asyncio.get_running_loop()
    future: asyncio.Future[tuple[IP, ...]] = loop.create_future()

    def look_up() -> None:
        try:
            answer = _look_up(host)
        except UnknownHost as error:
            _set_result(loop, future, None, error)
        else:
            _set_result(loop, future, answer, None)

    threading.Thread(target=look_up, name=f"resolving {host}", daemon=True).start()
    return await future


def _look_up(host: str) -> tuple[IP, ...]:
    try:
        answers = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "no name that can be looked up"
        raise UnknownHost(host, f"cannot be found ({reason}); check the name and the connection") from error
    names = [str(answer[4][0]).partition("%")[0] for answer in answers]
    return tuple(dict.fromkeys(ip_address(name) for name in names))


def _set_result(
    loop: asyncio.AbstractEventLoop,
    future: asyncio.Future[tuple[IP, ...]],
    answer: tuple[IP, ...] | None,
    error: UnknownHost | None,
) -> None:
    """Pass the result of a lookup to the caller, unless it has given up."""

    def settle() -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        elif answer is not None:
            future.set_result(answer)

    try:
        loop.call_soon_threadsafe(settle)
    except RuntimeError:
        return  # the loop has ended
