"""One of the serving processes: it opens the house for itself, and takes its share of the visitors.

It ends when it is told to (SIGTERM), and when the line to its parent is closed, which happens when the parent wants it
to end and also when the parent is no more, however that came about.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Final

from anyio import to_thread

from tidings.errors import TidingsError
from tidings.news.opening import Opening, opened
from tidings.news.server import config, keep_open
from tidings.news.serving import application
from tidings.news.workers import measuring
from tidings.news.workers.shared import Shared
from tidings.news.workers.sharing_server import SharingServer

#: Threads that make pages, in all processes together, as in one (anyio has forty): each may need a connection to the
#: store, and a server of PostgreSQL has a hundred unless told otherwise. And the fewest in one process.
_THREADS: Final = 40
_FEWEST: Final = 8
#: Seconds between two signs of life.
BEAT: Final = 1.0


@dataclass(frozen=True, slots=True)
class Task:
    """What a serving process is told when it is started."""

    place: int
    opening: Opening
    listening: socket.socket
    shared: Shared
    parent: int


def work(line: Connection, task: Task) -> None:
    """Serve until told to end. The line tells the parent that it serves (an empty string), or why it cannot."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, who has blocked it until now
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    measuring.write_into(task.shared.folder, task.place)
    try:
        asyncio.run(_serving(line, task))
    except TidingsError as error:
        with suppress(OSError):
            line.send(str(error))
    finally:
        task.listening.close()
        measuring.close()
        if os.getppid() != task.parent:  # nobody else is left to tidy up
            shutil.rmtree(task.shared.folder, ignore_errors=True)


async def _serving(line: Connection, task: Task) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stop.set)

    def line_closed() -> None:
        loop.remove_reader(line.fileno())
        stop.set()

    def ready() -> None:
        with suppress(OSError):
            line.send("")

    loop.add_reader(line.fileno(), line_closed)  # nothing is ever sent this way
    to_thread.current_default_thread_limiter().total_tokens = max(_FEWEST, _THREADS // task.shared.count)
    async with opened(replace(task.opening, with_sample=False), task.shared.common(task.place)) as house:
        app = application(house)
        server = SharingServer(config(app), task.listening, task.shared.places, task.place)
        beating = asyncio.create_task(_beating(task))
        try:
            await keep_open(server, app, [], ready, stop)
        finally:
            beating.cancel()
            loop.remove_reader(line.fileno())


async def _beating(task: Task) -> None:
    while True:
        task.shared.places.beat(task.place)
        await asyncio.sleep(BEAT)
