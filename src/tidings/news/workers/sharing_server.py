"""A server whose connections come from a socket that other processes take from as well, each its share."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import uvicorn

from tidings.news.server import Server
from tidings.news.workers.accepting import Accepting
from tidings.news.workers.places import Places


class SharingServer(Server):
    """A server among others; the others see how many connections it has.

    Args:
        config: how it answers.
        listening: the socket that all of them take from.
        places: where they see each other.
        place: our own.
    """

    def __init__(self, config: uvicorn.Config, listening: socket.socket, places: Places, place: int) -> None:
        super().__init__(config)
        self._listening = listening
        self._places = places
        self._place = place
        self._coming: set[asyncio.Task[None]] = set()  # taken, and not yet known to uvicorn
        self.server_state.connections = _Noted(self._note)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to take connections."""
        await super().startup(sockets)
        self._note()
        self._accepting = Accepting(self._listening, lambda: self._places.ahead(self._place), self._take)
        self._accepting.begin()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Leave new connections to the others, and finish those that are here."""
        self._accepting.end()
        self._places.note_connections(self._place, None)
        await asyncio.gather(*self._coming)
        await super().shutdown(sockets)

    def _take(self, connection: socket.socket) -> None:
        task = asyncio.create_task(self._connected(connection))
        self._coming.add(task)
        task.add_done_callback(self._come)
        self._note()

    async def _connected(self, connection: socket.socket) -> None:
        try:
            await asyncio.get_running_loop().connect_accepted_socket(self._protocol, connection)
        except OSError:  # it hung up meanwhile
            connection.close()

    def _come(self, task: asyncio.Task[None]) -> None:
        self._coming.discard(task)
        self._note()

    def _protocol(self) -> asyncio.Protocol:
        make: Callable[..., asyncio.Protocol] = self.config.http_protocol_class
        return make(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

    def _note(self) -> None:
        if not self.should_exit:
            self._places.note_connections(self._place, len(self.server_state.connections) + len(self._coming))


class _Noted(set[Any]):
    """The open connections; somebody is told when there are more or fewer."""

    def __init__(self, tell: Callable[[], None]) -> None:
        super().__init__()
        self._tell = tell

    def add(self, connection: Any) -> None:
        super().add(connection)
        self._tell()

    def discard(self, connection: Any) -> None:
        super().discard(connection)
        self._tell()
