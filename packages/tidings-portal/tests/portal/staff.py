"""Serving processes seen from outside: who they are, by the listening socket that they hold, and one of them alone."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.portal.serving import Served

PATIENCE = 60.0


def staff(portal: Served) -> list[int]:
    """The processes that serve a portal: those that hold its listening socket, without their parent."""
    inode = _inode(portal.port)
    numbers = [int(one.name) for one in Path("/proc").iterdir() if one.name.isdigit()]
    return sorted(number for number in numbers if number != portal.process.pid and inode in _sockets(number))


@contextmanager
def only(portal: Served, number: int) -> Iterator[None]:
    """While the block runs, only one of the processes can answer."""
    others = [one for one in staff(portal) if one != number]
    for one in others:
        os.kill(one, signal.SIGSTOP)
    try:
        yield
    finally:
        for one in others:
            os.kill(one, signal.SIGCONT)


def is_alive(number: int) -> bool:
    """Whether there is such a process."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def until(happened: Callable[[], bool]) -> None:
    """Wait for something to happen."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def _inode(port: int) -> str:
    """The number of the listening socket at a port, as the system tells it."""
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[3] == "0A" and int(fields[1].partition(":")[2], 16) == port:
            return f"socket:[{fields[9]}]"
    raise AssertionError(f"nobody listens at {port}")


def _sockets(number: int) -> set[str]:
    found = set()
    with suppress(OSError):
        for file in Path(f"/proc/{number}/fd").iterdir():
            with suppress(OSError):
                found.add(str(file.readlink()))
    return found
