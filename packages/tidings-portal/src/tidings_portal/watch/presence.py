"""Presence of watchers, recorded in the store.

The work of a killed watcher is taken over at once, and `tidings status` lists the watchers.
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

from tidings_portal.store import Store

SPACE: Final = "watcher"
#: The interval of heartbeats, and the silence after which a watcher counts as dead.
BEAT: Final = timedelta(seconds=30)
SILENT: Final = timedelta(minutes=3)
#: A heartbeat further in the future comes from a wrong clock.
SKEWED: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Watcher:
    """A process that watches a store."""

    name: str
    machine: str
    process: int
    began: str  # start time; process numbers are reused
    since: str
    among: str = ""  # which processes its number is counted among: a container may have the name of its machine

    @classmethod
    def current(cls, at: datetime) -> Watcher:
        """Return the watcher of this process."""
        machine, process = socket.gethostname(), os.getpid()
        began = _began(process)
        return cls(f"{machine}-{process}-{token_hex(4)}", machine, process, began, at.isoformat(), _among())

    def beat(self, store: Store, at: datetime) -> None:
        """Record that the watcher is alive."""
        store.save_state(self.name, json.dumps(asdict(self)).encode(), at, version=None, space=SPACE)

    def leave(self, store: Store, at: datetime) -> None:
        """Release the leases of the watcher and delete its record, because it stops."""
        store.release(self.name, at, counted=False)
        store.forget_state(self.name, SPACE)

    def is_alive(self, last_beat: datetime, now: datetime) -> bool:
        """Return whether the watcher runs: by its process on this machine, else by its last heartbeat."""
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
    """Yield the recorded watchers with their last heartbeats."""
    for name in store.states(SPACE):
        state = store.load_state(name, SPACE)
        if state is None:
            continue
        try:
            fields = json.loads(state.value)
            yield Watcher(**fields), state.changed
        except (ValueError, TypeError):
            store.forget_state(name, SPACE)


def take_over(store: Store, now: datetime) -> list[Watcher]:
    """Release the leases of dead watchers and return these watchers.

    Attempts of their tasks count, because a page may have killed the watcher.
    """
    dead = [watcher for watcher, beat in watchers(store) if not watcher.is_alive(beat, now)]
    for watcher in dead:
        store.release(watcher.name, now, counted=True)
        store.forget_state(watcher.name, SPACE)
    return dead


def _began(process: int) -> str:
    """Return the start of a process in ticks since boot; "" if unknown."""
    try:
        status = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
    fields = status.rpartition(")")[2].split()
    if len(fields) < 20 or fields[0] == "Z":  # a zombie process
        return ""
    return fields[19]


def _among() -> str:
    """Return the name of this process's PID namespace (pid_namespaces(7)); "" if the system has none."""
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return ""
