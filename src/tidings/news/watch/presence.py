"""Which watchers there are, written in the store: so that work of one that was killed is taken up at once, and so that
`tidings status` can name them.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from secrets import token_hex
from typing import Final

from tidings.news.store import Store

SPACE: Final = "watcher"
#: A watcher tells that it is there this often; one that has not for so long is not there any more.
BEAT: Final = timedelta(seconds=30)
SILENT: Final = timedelta(minutes=3)
#: One that was last heard of in the future had a clock that was wrong. Machines may differ by less.
SKEWED: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Watcher:
    """A process that watches a store."""

    name: str
    machine: str
    process: int
    began: str  # as the system tells it: process numbers are used again
    since: str
    among: str = ""  # which processes its number is counted among: a container may have the name of its machine

    @classmethod
    def here(cls, at: datetime) -> Watcher:
        """This process."""
        machine, process = socket.gethostname(), os.getpid()
        began = _began(process)
        return cls(f"{machine}-{process}-{token_hex(4)}", machine, process, began, at.isoformat(), _among())

    def beat(self, store: Store, at: datetime) -> None:
        """Tell that it is there."""
        store.save_state(self.name, json.dumps(asdict(self)).encode(), at, version=None, space=SPACE)

    def leave(self, store: Store, at: datetime) -> None:
        """Give back what it has, and go."""
        store.release(self.name, at, counted=False)
        store.forget_state(self.name, SPACE)

    def is_alive(self, last_beat: datetime, now: datetime) -> bool:
        """Whether it is still there: on this machine the system knows, of others their silence tells."""
        if (self.machine, self.among) != (socket.gethostname(), _among()):
            return -SKEWED < now - last_beat < SILENT
        try:
            os.kill(self.process, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return not self.began or _began(self.process) == self.began


def watchers(store: Store) -> Iterator[tuple[Watcher, datetime]]:
    """The watchers that are written down, and when each was last heard of."""
    for name in store.states(SPACE):
        kept = store.load_state(name, SPACE)
        if kept is None:
            continue
        try:
            told = json.loads(kept.value)
            yield Watcher(**told), kept.changed
        except (ValueError, TypeError):
            store.forget_state(name, SPACE)


def take_over(store: Store, now: datetime) -> list[Watcher]:
    """Free what watchers have that are no more; who they were.

    Attempts count: a page may have been the reason.
    """
    dead = [watcher for watcher, beat in watchers(store) if not watcher.is_alive(beat, now)]
    for watcher in dead:
        store.release(watcher.name, now, counted=True)
        store.forget_state(watcher.name, SPACE)
    return dead


def _began(process: int) -> str:
    """When a process began, in ticks since the machine did; empty where the system does not say."""
    try:
        told = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
    fields = told.rpartition(")")[2].split()
    if len(fields) < 20 or fields[0] == "Z":  # a zombie is no watcher
        return ""
    return fields[19]


def _among() -> str:
    """The name of this process's PID namespace (pid_namespaces(7)); empty where the system has none."""
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return ""
