"""Who takes a connection: whoever has the fewest, and somebody in any case."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Iterator
from typing import cast

import pytest

from tidings.news.workers.accepting import Accepting


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0), backlog=100) as made:
        made.setblocking(False)
        yield made


def connected(listening: socket.socket, count: int) -> list[socket.socket]:
    return [socket.create_connection(listening.getsockname()) for _ in range(count)]


def test_each_gets_its_share(listening: socket.socket) -> None:
    taken: tuple[list[socket.socket], list[socket.socket]] = ([], [])

    async def both() -> None:
        with listening.dup() as other:
            made = [
                Accepting(
                    one,
                    lambda own=own: len(own) - min(map(len, taken)),  # type: ignore[misc]
                    own.append,
                )
                for one, own in zip((listening, other), taken, strict=True)
            ]
            for one in made:
                one.begin()
            while sum(map(len, taken)) < 20:
                await asyncio.sleep(0)
            for one in made:
                one.end()

    visitors = connected(listening, 20)
    asyncio.run(both())
    assert sorted(map(len, taken)) in ([8, 12], [9, 11], [10, 10])
    for one in [*visitors, *taken[0], *taken[1]]:
        one.close()


def test_one_that_nobody_else_takes_is_taken(listening: socket.socket) -> None:
    taken: list[socket.socket] = []

    async def alone() -> None:
        accepting = Accepting(listening, lambda: 100, taken.append)
        accepting.begin()
        async with asyncio.timeout(30):
            while len(taken) < 3:
                await asyncio.sleep(0.001)
        accepting.end()

    visitors = connected(listening, 3)
    asyncio.run(alone())
    assert not any(one.getblocking() for one in taken)
    for one in [*visitors, *taken]:
        one.close()


class _Full:
    """A socket in a process that has no room for another file."""

    def __init__(self, listening: socket.socket) -> None:
        self._listening = listening
        self.asked = 0

    def fileno(self) -> int:
        return self._listening.fileno()

    def accept(self) -> None:
        self.asked += 1
        raise OSError(errno.EMFILE, "Too many open files")


def test_where_there_is_no_room_it_is_tried_later_and_said(
    listening: socket.socket, caplog: pytest.LogCaptureFixture
) -> None:
    full = _Full(listening)

    async def crowded() -> None:
        accepting = Accepting(cast("socket.socket", full), lambda: 0, lambda _: None)
        accepting.begin()
        for _ in range(100):
            await asyncio.sleep(0)
        accepting.end()

    visitors = connected(listening, 2)
    asyncio.run(crowded())
    assert full.asked == 1  # the rest of the time is not spent asking
    assert caplog.messages == ["no connection can be taken: Too many open files"]
    for one in visitors:
        one.close()
