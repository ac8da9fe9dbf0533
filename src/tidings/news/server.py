"""The application behind uvicorn: how it is set up, and how it is kept open until somebody ends it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import uvicorn
from starlette.applications import Starlette

from tidings.news.connections import AT_ONCE, HttpConnection, RequestTimeouts

#: Connections that may wait to be taken, as uvicorn has it.
WAITING: Final = 2048
#: Ticks of uvicorn, ten a second, between two looks at all connections.
_LOOK: Final = 10


class Server(uvicorn.Server):
    """A server that looks after its connections and leaves signals to whoever runs it: the watch has to end as well."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them alone."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to take connections: a few at once, while many may wait. To asyncio the two are one number."""
        await super().startup(sockets)
        for one in sockets or ():
            one.listen(WAITING)

    async def on_tick(self, counter: int) -> bool:
        """What is done ten times a second; whether to end."""
        if counter % _LOOK == 0:
            now = asyncio.get_running_loop().time()
            for connection in list(self.server_state.connections):
                if isinstance(connection, HttpConnection):
                    connection.look(now)
        return await super().on_tick(counter)


def config(app: Starlette) -> uvicorn.Config:
    """How it answers."""
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # whoever sends them may lie (HOSTILE 25)
        http=HttpConnection,
        ws="none",
        backlog=AT_ONCE,
        timeout_keep_alive=int(RequestTimeouts().idle),
        timeout_graceful_shutdown=5,
        h11_max_incomplete_event_size=65_536,  # a path of a megabyte ends here (HOSTILE 26)
        lifespan="off",
    )


async def keep_open(
    server: uvicorn.Server, app: Starlette, sockets: list[socket.socket], ready: Callable[[], None], stop: asyncio.Event
) -> None:
    """Serve until told to stop; requests under way are finished, and what was counted is written.

    Args:
        server: who serves.
        app: what.
        sockets: where.
        ready: is told as soon as it answers.
        stop: ends it, and is set when it has ended.
    """
    async with asyncio.TaskGroup() as group:
        group.create_task(_ending(server, stop))
        group.create_task(app.state.reception.counting.keep_writing(stop))
        group.create_task(_telling(server, ready))
        await server.serve(sockets=sockets)
        stop.set()


async def _telling(server: uvicorn.Server, ready: Callable[[], None]) -> None:
    while not server.started and not server.should_exit:
        await asyncio.sleep(0.01)
    ready()


async def _ending(server: uvicorn.Server, stop: asyncio.Event) -> None:
    await stop.wait()
    server.should_exit = True
