"""Which process gets a connection: twenty readers who keep theirs, and processes that serve them, in three ways.

    python -m benchmarks.connection_spread [--workers 2] [--connections 20] [--rounds 30]

- one socket: all processes wait at one listening socket, as asyncio and uvicorn do;
- own sockets: each has one of its own at the same port (SO_REUSEPORT); the system spreads by address;
- each its share: one socket, and whoever is ahead waits a moment, as `tidings serve` does (`workers.accepting`).

Readers come all at once or one after the other; processes are idle, or work out something in four threads, as the
portal does for its pages. Told is the share of the process that has most: 50 % is best for two of them. The time is
that until a reader has a first answer, at the 95th percentile.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import socket
import statistics
import threading
import time
from collections import Counter
from multiprocessing.connection import Connection
from typing import Final

from tidings.news.workers.accepting import Accepting
from tidings.news.workers.memory import Memory
from tidings.news.workers.places import SIZE, Places

WAYS: Final = ("one socket", "own sockets", "each its share")
SPAWN: Final = multiprocessing.get_context("spawn")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--connections", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=30)
    asked = parser.parse_args()
    print(f"{asked.connections} connections, {asked.workers} processes, {asked.rounds} rounds")
    print(f"{'':<16}{'processes':<12}{'readers come':<14}{'mean share':>11}{'worst':>8}{'p95, ms':>9}")
    for busy in (False, True):
        for gap in (0.0, 0.01):
            for way in WAYS:
                shares, waits = measured(way, asked.workers, asked.connections, asked.rounds, busy=busy, gap=gap)
                told = f"{way:<16}{'busy' if busy else 'idle':<12}{'one by one' if gap else 'at once':<14}"
                late = 1000 * sorted(waits)[int(len(waits) * 0.95)]
                print(f"{told}{statistics.mean(shares):>11.0%}{max(shares):>8.0%}{late:>9.1f}")


def measured(
    way: str, workers: int, connections: int, rounds: int, *, busy: bool, gap: float
) -> tuple[list[float], list[float]]:
    """The share of the process that had most, and the times until each first answer."""
    sockets = [listening()] if way != "own sockets" else [reused(0)]
    port = sockets[0].getsockname()[1]
    if way == "own sockets":
        sockets += [reused(port) for _ in range(workers - 1)]
    memory = Memory.made(SIZE)
    lines = []
    for place in range(workers):
        ours, theirs = SPAWN.Pipe()
        task = (theirs, way, place, workers, sockets[place % len(sockets)], memory, busy)
        SPAWN.Process(target=serve, args=task, daemon=True).start()
        lines.append(ours)
    for line in lines:
        line.recv()
    shares, waits = [], []
    for _ in range(rounds):
        served, took = asyncio.run(visited(port, connections, gap))
        shares.append(max(served.values()) / connections)
        waits += took
        time.sleep(0.1)
    for line in lines:
        line.close()
    for one in sockets:
        one.close()
    memory.close()
    return shares, waits


async def visited(port: int, connections: int, gap: float) -> tuple[Counter[bytes], list[float]]:
    """Who served each reader, and how long each waited."""
    open_: list[asyncio.StreamWriter] = []

    async def visit(number: int) -> tuple[bytes, float]:
        await asyncio.sleep(number * gap)
        begun = time.perf_counter()
        incoming, outgoing = await asyncio.open_connection("127.0.0.1", port)
        open_.append(outgoing)
        return await incoming.readexactly(1), time.perf_counter() - begun

    told = await asyncio.gather(*(visit(number) for number in range(connections)))
    for one in open_:
        one.close()
    return Counter(place for place, _ in told), [took for _, took in told]


def listening() -> socket.socket:
    made = socket.create_server(("127.0.0.1", 0), backlog=2048)
    made.setblocking(False)
    return made


def reused(port: int) -> socket.socket:
    made = socket.create_server(("127.0.0.1", port), backlog=2048, reuse_port=True)
    made.setblocking(False)
    return made


class Answering(asyncio.Protocol):
    """Tells the reader who serves, and stays."""

    def __init__(self, place: int, places: Places) -> None:
        self._place, self._places = place, places

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Tell."""
        assert isinstance(transport, asyncio.WriteTransport)
        transport.write(b"%d" % self._place)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # however it ended
        """One fewer."""
        self._places.note_connections(self._place, (self._places.connections(self._place) or 0) - 1)


def serve(
    line: Connection, way: str, place: int, workers: int, listening: socket.socket, memory: Memory, busy: bool
) -> None:
    """One of the processes."""
    places = Places(memory, workers)

    async def serving() -> None:
        loop = asyncio.get_running_loop()
        stop = asyncio.Event()
        loop.add_reader(line.fileno(), stop.set)

        def take(connection: socket.socket) -> None:
            places.note_connections(place, (places.connections(place) or 0) + 1)
            tasks.append(loop.create_task(loop.connect_accepted_socket(lambda: Answering(place, places), connection)))

        tasks: list[asyncio.Task[object]] = []
        if way == "each its share":
            Accepting(listening, lambda: places.ahead(place), take).begin()
        else:
            await loop.create_server(lambda: Answering(place, places), sock=listening, backlog=2048)
        if busy:
            for _ in range(4):
                threading.Thread(target=work, args=(stop,), daemon=True).start()
        line.send(place)
        await stop.wait()

    asyncio.run(serving())


def work(stop: asyncio.Event) -> None:
    """What a page costs: some milliseconds of it in turn with a little rest."""
    while not stop.is_set():
        until = time.perf_counter() + 0.01
        while time.perf_counter() < until:
            sum(range(200))
        time.sleep(0.02)


if __name__ == "__main__":
    main()
