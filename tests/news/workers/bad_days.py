"""A serving process that has bad days: first it cannot begin, then it hangs."""

from __future__ import annotations

import os
import signal
from multiprocessing.connection import Connection

from tidings.news.workers.worker import Task


def work(line: Connection, task: Task) -> None:
    """Stand for `publish.workers.worker.work`."""
    if task.shared.places.replaced == 0:
        line.send("the store has gone for a walk")
    else:
        line.send("")
        os.kill(os.getpid(), signal.SIGSTOP)
