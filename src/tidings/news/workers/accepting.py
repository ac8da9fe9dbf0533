"""Connections taken from a socket that several processes listen on, so that each gets its share.

The system gives a connection to whoever asks first, and a process that is awake takes all that wait: of twenty readers
who come at once and keep their connections, one process has most, or all. Sockets of their own at one port
(SO_REUSEPORT) throw dice instead, leave a connection to a process that may have died, and are not the same on every
system. Here each process sees how many connections the others have, and whoever has more than another leaves a new one
to it for a moment: the more it is ahead, the longer. A process that does not come in that time loses its turn, not the
visitor. `benchmarks.connection_spread` measures the three.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import Final

from tidings.news.connections import AT_ONCE

LOG: Final = logging.getLogger("tidings.news")
#: Seconds that a connection is left to the others for each that one is ahead; and at most.
_LEFT: Final = 0.004
_LONGEST: Final = 0.05
#: Seconds to wait when none can be taken, as when the system has no room for another open file.
_FULL: Final = 1.0


class Accepting:
    """Takes connections while others do.

    Args:
        listening: the socket, which does not block.
        ahead: tells how many connections more we have than another process.
        take: is given each connection.
    """

    def __init__(
        self, listening: socket.socket, ahead: Callable[[], int], take: Callable[[socket.socket], None]
    ) -> None:
        self._listening = listening
        self._ahead = ahead
        self._take = take
        self._loop = asyncio.get_running_loop()
        self._later: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """From now on, take what comes."""
        self._loop.add_reader(self._listening.fileno(), self._come)

    def end(self) -> None:
        """Take nothing more."""
        self._loop.remove_reader(self._listening.fileno())
        if self._later is not None:
            self._later.cancel()

    def _come(self) -> None:
        """Somebody knocks, or several do."""
        for _ in range(AT_ONCE):
            ahead = self._ahead()
            if ahead > 0:
                self._pause(min(_LEFT * ahead, _LONGEST))
                return
            if not self._accept():
                return

    def _pause(self, seconds: float) -> None:
        self._loop.remove_reader(self._listening.fileno())
        self._later = self._loop.call_later(seconds, self._again)

    def _again(self) -> None:
        """Nobody else may have come: take one, and look further."""
        self.begin()
        self._accept()

    def _accept(self) -> bool:
        """Take one; False if there is none."""
        try:
            connection, _ = self._listening.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):  # another one was quicker, or it hung up
            return False
        except OSError as error:
            LOG.error("no connection can be taken: %s", error.strerror)  # noqa: TRY400  # the sentence says it all
            self._pause(_FULL)
            return False
        connection.setblocking(False)
        self._take(connection)
        return True
