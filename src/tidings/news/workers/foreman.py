"""The parent of the serving processes: it has the port and the watch, and sees that there are as many as there should.

It serves nobody itself. One that dies is started again: at once the first time, then after longer and longer, so that
one which cannot live does not keep the machine busy. One that gives no sign of life for a minute is ended and started
again too. The port stays open all the while, and whoever knocks is let in by another.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Final

from tidings.news.opening import Opening, address_of, bound, opened, watching
from tidings.news.server import WAITING
from tidings.news.workers import measuring
from tidings.news.workers.shared import Shared, shared
from tidings.news.workers.worker import Task, work

LOG: Final = logging.getLogger("tidings.news")
_SPAWN: Final = multiprocessing.get_context("spawn")
#: Seconds before the second start after a death, twice as many before the next, and at most.
_FIRST_DELAY: Final = 0.5
_LONGEST_DELAY: Final = 30.0
#: Seconds that one must have lived for its death to be counted as the first.
_LIVED: Final = 60.0
#: Seconds without a sign of life, and before the first one, on a busy machine.
_SILENT: Final = 60.0
_START: Final = 120.0
#: Seconds between two looks whether one still lives.
_LOOK: Final = 5.0
#: Seconds to finish what is under way: five for requests, the rest for what was counted.
_GRACE: Final = 15.0


async def serve(opening: Opening, ready: Callable[[str], None], stop: asyncio.Event) -> None:
    """Keep the house open, with several processes that serve, until told to stop.

    Args:
        opening: how.
        ready: is told the address as soon as all of them answer.
        stop: ends it: requests and pages under way are finished.

    Raises:
        InputError: the address is taken.
        StoreError: the store cannot be opened.
    """
    with bound(opening.host, opening.port) as listening, shared(opening.workers) as common:
        async with opened(replace(opening, readers=0)) as house:  # it reads nothing for visitors
            listening.listen(WAITING)
            listening.setblocking(False)
            staff = [_Place(number, opening, listening, common, stop) for number in range(opening.workers)]
            async with asyncio.TaskGroup() as group:
                for place in staff:
                    group.create_task(place.keep())
                if opening.watch:
                    group.create_task(watching(opening, house, stop))
                group.create_task(_telling(staff, stop, lambda: ready(address_of(listening))))


async def _telling(staff: list[_Place], stop: asyncio.Event, ready: Callable[[], None]) -> None:
    """Tell when all have begun or failed to, and one of them serves."""
    while not stop.is_set():
        if all(place.tried for place in staff) and any(place.served for place in staff):
            ready()
            return
        await asyncio.sleep(0.01)


@dataclass(slots=True)
class _Place:
    """A place for a serving process, and those who come into it one after the other."""

    number: int
    opening: Opening
    listening: socket.socket
    shared: Shared
    stop: asyncio.Event
    tried: bool = False  # one has begun, or has failed to
    served: bool = False

    async def keep(self) -> None:
        """See that somebody serves here, until told to stop."""
        deaths = 0
        while not self.stop.is_set():
            begun = time.monotonic()
            how = await self._life()
            self.tried = True
            if how is None or await _within(self.stop, 0.2):  # a signal to all of them reaches us a moment later
                return
            deaths = 1 if time.monotonic() - begun > _LIVED else deaths + 1
            delay = min(_LONGEST_DELAY, _FIRST_DELAY * 2 ** min(deaths - 2, 20)) if deaths > 1 else 0.0
            when = f"in {delay:g} s" if delay else "now"
            LOG.warning("serving process %d %s; it is started again %s", self.number + 1, how, when)
            self.shared.places.note_replaced(self.number)
            await _within(self.stop, delay)

    async def _life(self) -> str | None:
        """Start one, and stay with it to its end; how it ended, or None if that was wanted."""
        measuring.prepare(self.shared.folder, self.number)
        self.shared.places.beat(self.number)
        worker = _Worker.started(Task(self.number, self.opening, self.listening, self.shared, os.getpid()))
        stopped = asyncio.create_task(self.stop.wait())
        try:
            how = await self._heard(worker, stopped)
        finally:
            stopped.cancel()
            code = await worker.end()
            self.shared.places.note_connections(self.number, None)
            measuring.prepare(self.shared.folder, self.number)
        return None if self.stop.is_set() else how or _ending(worker.number, code)

    async def _heard(self, worker: _Worker, stopped: asyncio.Task[bool]) -> str:
        """What is heard of one until it ends or has to; empty if that tells nothing."""
        patience = _START
        hearing = asyncio.create_task(worker.hear())
        try:
            while not stopped.done():
                await asyncio.wait({hearing, stopped}, timeout=_LOOK, return_when=asyncio.FIRST_COMPLETED)
                if hearing.done():
                    said = hearing.result()
                    if said != "":
                        return "" if said is None else f"could not begin: {said}"
                    patience = _SILENT
                    self.tried = self.served = True
                    hearing = asyncio.create_task(worker.hear())
                elif self.shared.places.silence(self.number) > patience:
                    worker.process.kill()
                    return f"({worker.number}) gave no sign of life for {patience:g} s and was ended"
        finally:
            hearing.cancel()
        return ""


class _Worker:
    """One serving process and the line to it; when the line is closed, it ends."""

    def __init__(self, process: BaseProcess, line: Connection) -> None:
        self.process = process
        self._line = line

    @classmethod
    def started(cls, task: Task) -> _Worker:
        """A new one. Ctrl-C, which reaches all processes of a terminal, is not for it, from its first moment on."""
        ours, theirs = _SPAWN.Pipe()
        process = _SPAWN.Process(target=work, args=(theirs, task), name=f"tidings: serving {task.place + 1}")
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            theirs.close()
        return cls(process, ours)

    @property
    def number(self) -> int:
        """The number of the process."""
        return self.process.pid or 0

    async def hear(self) -> str | None:
        """The next thing it says; None: it is no more."""
        loop = asyncio.get_running_loop()
        said = asyncio.Event()
        file = self._line.fileno()
        loop.add_reader(file, said.set)
        try:
            await said.wait()
        finally:
            loop.remove_reader(file)
        try:
            told: str = self._line.recv()
        except (EOFError, OSError):
            return None
        return told

    async def end(self) -> int | None:
        """Let it finish what it does, and end it if that takes too long; its exit code."""
        self._line.close()
        await asyncio.to_thread(self.process.join, _GRACE)
        if self.process.is_alive():
            LOG.warning("serving process %d did not end in %g s and was killed", self.number, _GRACE)
            self.process.kill()
            await asyncio.to_thread(self.process.join)
        return self.process.exitcode


async def _within(event: asyncio.Event, seconds: float) -> bool:
    """Whether something happens within some seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()


def _ending(number: int, code: int | None) -> str:
    if code is not None and code < 0:
        name = next((one.name for one in signal.Signals if one == -code), f"signal {-code}")
        return f"({number}) was ended by {name}" + (" (out of memory?)" if name == "SIGKILL" else "")
    return f"({number}) ended with code {code}"
