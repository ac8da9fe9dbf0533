"""Starting processes that work for this one: each with one thread for its numbers, all of them deaf to Ctrl-C.

A terminal sends Ctrl-C to every process of a command. It is meant for the one that started the others and will end
them; one that is still importing would say it in a traceback.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import Final

#: What the numeric libraries ask for the number of their threads: processes are the parallel part.
_THREADS: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@contextmanager
def starting() -> Iterator[None]:
    """Processes are started in here. Ctrl-C that comes meanwhile is heard at the end; they call `ignore_interrupts`."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        with _unheard():
            yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def _unheard() -> Iterator[None]:
    """Ctrl-C reaches nothing that is started in here, nor does it leave something half started."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    # The first process would start it, and that lets signals through again.
    resource_tracker.ensure_running()
    # What a thread does not hear, the processes that it starts do not hear from their first moment on. Another thread
    # of this process may hear it, and Python then raises in the main one.
    is_main = threading.current_thread() is threading.main_thread()
    raises = is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    heard: list[int] = []
    if raises:
        signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if raises:
            signal.signal(signal.SIGINT, signal.default_int_handler)
    if heard:
        raise KeyboardInterrupt


def ignore_interrupts() -> None:
    """Ctrl-C is for the one who started this process; called when it begins."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
