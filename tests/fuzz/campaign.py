"""Many cases in worker processes: a case that hangs or kills its process costs itself, and the run goes on.

What fails is written to a folder, one file for each cause, made smaller where that is simple, with the command that
repeats it.
"""

from __future__ import annotations

import faulthandler
import hashlib
import json
import multiprocessing
import os
import re
import resource
import signal
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection, wait
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.fuzz.cases import FAILURES, Fate, Outcome, is_sanitised, made, seconds_for, tried
from tests.fuzz.targets import TARGETS, Target

_BATCH: Final = 50  # cases that a worker is given at once
_PATIENCE: Final = 20  # times the processor time of a case by the clock: the machine may have others to serve
_ADDRESS_SPACE: Final = 4 << 30  # bytes; a case that wants more gets a MemoryError, not the whole machine
_KEEP: Final = 3  # inputs of one cause
_ATTEMPTS: Final = 300  # to make an input smaller
_SHRINKING: Final = 10.0  # seconds for all of them: meanwhile nobody hears the workers


@dataclass
class Tally:
    """What is known of the cases of one target."""

    fates: Counter[Fate] = field(default_factory=Counter)
    slowest: float = 0.0
    largest: int = 0

    def add(self, outcome: Outcome) -> None:
        self.fates[outcome.fate] += 1
        self.slowest = max(self.slowest, outcome.seconds)
        self.largest = max(self.largest, outcome.memory)


@dataclass
class _Worker:
    process: Any  # of the spawn context, whose class has no name of its own
    pipe: Connection
    waiting: list[tuple[str, int]] = field(default_factory=list)  # cases it has not told of yet
    since: float = 0.0
    is_gone: bool = False  # it has hung up


@dataclass
class Campaign:
    """A run of so many cases.

    Args:
        seed: with the number of a case it makes the input.
        cases: how many.
        jobs: worker processes.
        folder: where failing inputs go.
        only: names of targets, and their shares of the cases where they are not the usual ones; all if empty.
        seconds: no further cases are begun after that; None for no end but the last case.
        targets: by name; another table is for tests of this module.
    """

    seed: int
    cases: int
    jobs: int
    folder: Path
    only: Mapping[str, int | None] = field(default_factory=dict)
    seconds: float | None = None
    targets: Callable[[], dict[str, Target]] | None = None
    tallies: dict[str, Tally] = field(default_factory=dict)
    causes: dict[tuple[str, Fate, str], list[Path]] = field(default_factory=dict)
    counts: Counter[tuple[str, Fate, str]] = field(default_factory=Counter)
    _again: set[tuple[str, int]] = field(default_factory=set)

    def run(self) -> None:
        """All cases; `tallies` and `causes` then say what became of them."""
        plan = self._plan()
        began = time.monotonic()
        workers = [self._start() for _ in range(self.jobs)]
        for worker in workers:
            self._give(worker, plan)
        while any(worker.waiting for worker in workers):
            over = self.seconds is not None and time.monotonic() - began > self.seconds
            plan = iter(()) if over else plan
            wait([worker.pipe for worker in workers], timeout=1.0)
            for at, worker in enumerate(workers):
                self._hear(worker)
                if worker.waiting and self._is_lost(worker):
                    workers[at] = self._replace(worker)
                if len(workers[at].waiting) < _BATCH // 2:
                    self._give(workers[at], plan)
        for worker in workers:
            worker.pipe.close()
            worker.process.join()

    def _plan(self) -> Iterator[tuple[str, int]]:
        known = (self.targets or all_targets)()
        names = [name for name in known if not self.only or name in self.only]
        shares = [self.only.get(name) or known[name].share for name in names]
        rng = Random(f"{self.seed}/plan")
        return ((rng.choices(names, shares)[0], number) for number in range(self.cases))

    def _start(self) -> _Worker:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, self.seed, self.targets or all_targets), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours, since=time.monotonic() + 60)  # it has all of Tidings to import first

    def _give(self, worker: _Worker, plan: Iterator[tuple[str, int]]) -> None:
        batch = list(islice(plan, _BATCH))
        if batch:
            worker.since = max(worker.since, time.monotonic()) if not worker.waiting else worker.since
            worker.waiting += batch
            worker.pipe.send(batch)

    def _hear(self, worker: _Worker) -> None:
        try:
            while worker.pipe.poll():
                name, number, outcome = worker.pipe.recv()
                worker.waiting.remove((name, number))
                worker.since = time.monotonic()
                self._note(name, number, outcome)
        except (EOFError, OSError):
            worker.is_gone = True

    def _is_lost(self, worker: _Worker) -> bool:
        if worker.is_gone:
            return True
        name, number = worker.waiting[0]
        late = time.monotonic() - worker.since
        if late < _PATIENCE * seconds_for(0):
            return False
        return late > _PATIENCE * seconds_for(len(made((self.targets or all_targets)()[name], self.seed, number)))

    def _replace(self, worker: _Worker) -> _Worker:
        """Another worker, for the rest of what this one was given; the first case of it is what killed it.

        One that gave no answer is tried once more: a machine that swaps stands still, too.
        """
        if not worker.is_gone:
            os.kill(worker.process.pid, signal.SIGUSR1)  # it says where it is
            time.sleep(0.5)
            worker.process.kill()
        worker.process.join()
        (name, number), *rest = worker.waiting
        if worker.is_gone or (name, number) in self._again:
            why = f"ended with {worker.process.exitcode}" if worker.is_gone else "gave no answer"
            self._note(name, number, Outcome(Fate.DIED, where=why, details=f"its process {why}"))
        else:
            self._again.add((name, number))
            rest = worker.waiting
        fresh = self._start()
        fresh.waiting = rest
        if rest:
            fresh.pipe.send(rest)
        return fresh

    def _note(self, name: str, number: int, outcome: Outcome) -> None:
        self.tallies.setdefault(name, Tally()).add(outcome)
        if outcome.fate not in FAILURES:
            return
        target = (self.targets or all_targets)()[name]
        cause = (name, outcome.fate, outcome.where)
        self.counts[cause] += 1
        paths = self.causes.setdefault(cause, [])
        if len(paths) < _KEEP:
            data = made(target, self.seed, number)
            if outcome.fate is Fate.UNTYPED and not paths:
                data = smaller(target, data, outcome)
            paths.append(kept(self.folder, name, data, outcome, f"{self.seed}/{number}"))

    def told(self) -> str:
        """What became of all cases, as a table, and each cause of failures with the command that repeats it."""
        lines = [f"{'target':<12}{'cases':>8}{'read':>8}{'refused':>9}{'failed':>8}{'slowest':>10}{'memory':>10}"]
        for name, tally in sorted(self.tallies.items()):
            failed = sum(tally.fates[fate] for fate in FAILURES)
            read, refused = tally.fates[Fate.READ], tally.fates[Fate.REFUSED]
            lines.append(
                f"{name:<12}{tally.fates.total():>8}{read:>8}{refused:>9}{failed:>8}"
                f"{tally.slowest:>8.2f} s{tally.largest / 1e6:>7.0f} MB"
            )
        for (name, fate, where), paths in sorted(self.causes.items()):
            lines += ["", f"{name}: {fate}, {self.counts[name, fate, where]} times: {where}"]
            lines += [f"    python -m tests.fuzz repeat {path}" for path in paths[:1]]
        return "\n".join(lines)


def all_targets() -> dict[str, Target]:
    """The targets of Tidings."""
    return TARGETS


def _work(pipe: Connection, seed: int, targets: Callable[[], dict[str, Target]]) -> None:
    """What a worker does: the cases that it is given, one after the other, each told of when it is over."""
    prepare()
    known = targets()
    warm: set[str] = set()
    try:
        while True:
            for name, number in pipe.recv():
                if name not in warm:  # models and tables are read once, and are no memory of a case
                    warm.add(name)
                    tried(known[name], made(known[name], seed, -1))
                pipe.send((name, number, tried(known[name], made(known[name], seed, number))))
    except (EOFError, OSError):
        return


def prepare() -> None:
    """What a process that runs cases does first: warnings are errors, and memory has an end."""
    warnings.simplefilter("error")
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1)
    if not is_sanitised():  # whose runtime reserves terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, resource.getrlimit(resource.RLIMIT_AS)[1]))
    os.environ.setdefault("OMP_NUM_THREADS", "1")


def smaller(target: Target, data: bytes, outcome: Outcome) -> bytes:
    """A smaller input that fails for the same cause: pieces are taken out as long as it does, large ones first."""
    size = max(1, len(data) // 2)
    attempts, end = 0, time.monotonic() + _SHRINKING
    while size and attempts < _ATTEMPTS and time.monotonic() < end:
        at = 0
        while at < len(data) and attempts < _ATTEMPTS and time.monotonic() < end:
            shorter = data[:at] + data[at + size :]
            attempts += 1
            found = tried(target, shorter)
            if (found.fate, found.where) == (outcome.fate, outcome.where):
                data = shorter
            else:
                at += size
        size //= 2
    return data


def kept(folder: Path, name: str, data: bytes, outcome: Outcome, case: str = "") -> Path:
    """A failing input as a file, and what is known of it beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    cause = re.sub(r"\W+", "-", f"{outcome.fate}-{outcome.where}")[:60].strip("-")
    path = folder / f"{name}-{cause}-{hashlib.sha256(data).hexdigest()[:8]}.bin"
    path.write_bytes(data)
    told = {"target": name, "fate": outcome.fate, "where": outcome.where, "bytes": len(data)}
    told["case"] = case  # seed and number
    told |= {"seconds": round(outcome.seconds, 3), "details": outcome.details}
    path.with_suffix(".json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    return path
