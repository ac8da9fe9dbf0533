"""One case: its input, made from a seed and a number, and what became of it."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from random import Random
from types import FrameType
from typing import Final

from tests.fuzz.targets import Target
from tidings.errors import TidingsError

#: Processor time that an input of up to a megabyte may take, and each further megabyte (HOSTILE 15).
SECONDS: Final = 5.0
#: Memory that reading may need above what the process had before: HOSTILE 30.
MEGABYTES, TIMES = 60, 40
_MB: Final = 1_000_000


class Fate(StrEnum):
    """What became of a case."""

    READ = "read"
    REFUSED = "refused"  # with an error of tidings.errors
    UNTYPED = "untyped"  # with any other
    SLOW = "slow"
    LARGE = "large"  # in memory
    DIED = "died"  # its process did


FAILURES: Final = frozenset({Fate.UNTYPED, Fate.SLOW, Fate.LARGE, Fate.DIED})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case, how long it took and what it needed."""

    fate: Fate
    seconds: float = 0.0
    memory: int = 0  # bytes above what the process had before
    where: str = ""  # what failures of the same cause have in common
    details: str = ""


class _TooSlow(BaseException):  # no `except Exception` may stop it
    pass


def made(target: Target, seed: int, number: int) -> bytes:
    """The input of a case: the same on every machine."""
    return target.make(Random(f"{seed}/{target.name}/{number}"))


def is_sanitised() -> bool:
    """Return whether this process runs under AddressSanitizer (`make sanitised`)."""
    return "libasan" in os.environ.get("LD_PRELOAD", "")


def seconds_for(size: int) -> float:
    """The processor time that an input may take: ten times as much under AddressSanitizer."""
    return SECONDS * max(1.0, size / _MB) * (10 if is_sanitised() else 1)


def memory_for(size: int) -> int:
    """The memory that an input may need: without end under AddressSanitizer, which frees late."""
    return sys.maxsize if is_sanitised() else MEGABYTES * _MB + TIMES * size


def tried(target: Target, data: bytes) -> Outcome:
    """Give an input to a target, in this process."""
    before = _memory(reset=True)
    began = time.process_time()
    fate, where, details = Fate.READ, "", ""
    try:
        with _limited(seconds_for(len(data))):
            target.read(data)
    except TidingsError as error:
        fate, where = Fate.REFUSED, type(error).__name__
        if not str(error).strip():
            fate, details = Fate.UNTYPED, f"{where} without a word"
    except _TooSlow as error:
        fate, where, details = Fate.SLOW, _where(error), traceback.format_exc()
    except Exception as error:  # that is what is looked for
        fate, where, details = Fate.UNTYPED, f"{type(error).__name__} {_where(error)}", traceback.format_exc()
    seconds, memory = time.process_time() - began, _memory() - before
    if fate not in FAILURES and memory > memory_for(len(data)):
        fate, where = Fate.LARGE, target.name
        details = f"{memory / _MB:.0f} MB for {len(data):,} bytes; {memory_for(len(data)) / _MB:.0f} MB are allowed"
    return Outcome(fate, seconds, memory, where, details)


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raises in the midst of it when the processor time is over. What hangs without processor time, others see."""

    def over(_signal: int, _frame: FrameType | None) -> None:
        raise _TooSlow(f"more than {seconds:.0f} s")

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _where(error: BaseException) -> str:
    """The innermost place in our own code."""
    ours = [one for one in traceback.extract_tb(error.__traceback__) if "/tidings/" in one.filename]
    return f"{Path(ours[-1].filename).name}:{ours[-1].name}" if ours else "elsewhere"


def _memory(*, reset: bool = False) -> int:
    """The most bytes this process has held; since the last reset, where the system knows how to forget that."""
    try:
        if reset:
            Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024
    except (OSError, ValueError, IndexError):
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
