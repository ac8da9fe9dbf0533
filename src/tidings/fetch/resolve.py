"""From names to addresses, without a thread that outlives its lookup or a lookup that outlives its deadline.

The C library's lookup cannot be interrupted, and the event loop's own pool of threads is waited for when the loop
ends. Here each lookup has a daemon thread of its own: who waits may give up, and nothing waits for it at the end.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable
from ipaddress import ip_address

from tidings.errors import UnknownHost
from tidings.fetch.addresses import IP, literal

#: Gives all addresses of a host in the order they are to be tried.
Resolver = Callable[[str], Awaitable[tuple[IP, ...]]]


async def resolve(host: str) -> tuple[IP, ...]:
    """The addresses of a host, as the system knows them.

    Raises:
        UnknownHost: there are none.
    """
    written = literal(host)
    if written is not None:
        return (written,)
    loop = asyncio.get_running_loop()
    found: asyncio.Future[tuple[IP, ...]] = loop.create_future()

    def look_up() -> None:
        try:
            answer = _look_up(host)
        except UnknownHost as error:
            _tell(loop, found, None, error)
        else:
            _tell(loop, found, answer, None)

    threading.Thread(target=look_up, name=f"resolving {host}", daemon=True).start()
    return await found


def _look_up(host: str) -> tuple[IP, ...]:
    try:
        answers = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "no name that can be looked up"
        raise UnknownHost(host, f"cannot be found ({reason}); check the name and the connection") from error
    names = [str(answer[4][0]).partition("%")[0] for answer in answers]
    return tuple(dict.fromkeys(ip_address(name) for name in names))


def _tell(
    loop: asyncio.AbstractEventLoop,
    found: asyncio.Future[tuple[IP, ...]],
    answer: tuple[IP, ...] | None,
    error: UnknownHost | None,
) -> None:
    """Hand the answer to whoever still waits for it."""

    def settle() -> None:
        if found.done():
            return
        if error is not None:
            found.set_exception(error)
        elif answer is not None:
            found.set_result(answer)

    try:
        loop.call_soon_threadsafe(settle)
    except RuntimeError:
        return  # the loop has ended: nobody waits
