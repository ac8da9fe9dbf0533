"""Work in processes: whatever one job does to its worker, the others are done."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tidings.errors import InputError, PageTooLarge, TidingsError
from tidings.processes import Ending, InlinePool, JobFailed, JobLimits, JobResult, ProcessPool, in_order, system, worker
from tidings.processes.system import Stopwatch, Usage, read_usage

#: Long enough for any honest job on a busy machine, short enough to wait for one that hangs.
LIMITS = JobLimits(seconds=2.0)
MEGABYTE = 1_000_000


class Odd(PageTooLarge):
    """Cannot be sent as it is."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(f"{first} and {second}")


def act(job: str) -> str:  # noqa: C901  # one branch for each
    """Do what the name of the job says."""
    if job == "raise":
        raise ValueError(f"no {job}")
    if job == "refuse":
        raise InputError(f"{job} is no number")
    if job == "odd":
        raise Odd("one", "two")
    if job == "exit":
        raise SystemExit(3)
    if job == "die":
        os._exit(9)
    if job == "abort":
        os.abort()
    if job == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if job == "grow":
        return str(len(bytearray(400 * MEGABYTE)))
    while job == "hang":
        pass
    if job == "wait":
        threading.Event().wait()
    return os.environ["OMP_NUM_THREADS"] if job == "threads" else job


@dataclass(frozen=True)
class Acting:
    """A worker of which it is known what it did."""

    def open(self) -> Remembering:
        return Remembering()


class Remembering:
    def __init__(self) -> None:
        self._done: list[str] = []

    def do(self, job: str) -> str:
        result = act(job)
        self._done.append(result)
        return " ".join(self._done)

    def close(self) -> None:
        """Nothing is open."""


class Closed:
    """Cannot be opened."""

    def open(self) -> Remembering:
        raise InputError("there is nothing to open")


class Unpicklable:
    """Arrives at the worker as something that cannot be made there."""

    def __reduce__(self) -> tuple[object, ...]:
        return int, ("no number",)

    def open(self) -> Remembering:  # pragma: no cover  # it never arrives
        raise NotImplementedError


def endings(done: list[JobResult[str, str]]) -> dict[str, Ending | None]:
    return {one.job: one.failure.ending if one.failure else None for one in done}


def reasons(done: list[JobResult[str, str]]) -> dict[str, str]:
    return {one.job: one.reason for one in done if one.failure}


@pytest.mark.parametrize("setup", [Acting(), Closed()], ids=["opens", "cannot be opened"])
def test_a_worker_that_nobody_listens_to_any_more_ends_without_a_word(
    setup: Acting | Closed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "_OURS", set())  # this process is not a fork
    ours, theirs = multiprocessing.Pipe()
    ours.close()  # as Ctrl-C does while it still loads
    kept = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        worker._serve(theirs, setup, JobLimits())
    finally:
        gc.unfreeze()
        theirs.close()
        for one, handler in kept.items():
            signal.signal(one, handler)


@pytest.mark.gate
def test_every_job_that_goes_wrong_costs_itself_alone() -> None:
    groups = [
        ["one", "raise", "two"],
        ["die", "three", "hang", "four"],
        ["wait", "five"],
        ["exit", "abort", "six"],
        [],
        ["refuse", "odd"],
    ]
    with ProcessPool(Acting(), 2, LIMITS) as pool:
        done = list(pool.run(groups))
    assert endings(done) == {
        **dict.fromkeys(["one", "two", "three", "four", "five", "six"], None),
        **dict.fromkeys(["raise", "exit", "refuse", "odd"], Ending.RAISED),
        **dict.fromkeys(["hang", "wait"], Ending.TIME),
        **dict.fromkeys(["die", "abort"], Ending.DIED),
    }
    assert reasons(done) == {
        "raise": "it raised ValueError: no raise",
        "refuse": "refuse is no number",
        "odd": "one and two",
        "exit": "it raised SystemExit: 3",
        "die": "the process ended itself with code 9",
        "abort": "the process was ended by SIGABRT",
        "hang": "it took longer than 2 seconds and was ended",
        "wait": "it took longer than 2 seconds and was ended",
    }
    errors = {one.job: type(one.failure.error) for one in done if one.failure}
    assert errors["refuse"] is InputError
    assert errors["odd"] is PageTooLarge  # the next of its ancestors that can be sent
    # The rest of a group goes on where it was, unless its worker is gone: then with a new one, or one that is free.
    assert {one.job: one.result for one in done}["two"] == "one two"
    assert {one.job: one.result for one in done}["three"] in ("three", "one two three")


@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted by Linux")
def test_a_job_that_needs_too_much_memory() -> None:
    with ProcessPool(Acting(), 1, JobLimits(memory=200 * MEGABYTE)) as pool:
        done = list(pool.run([["one", "grow", "two"]]))
    assert endings(done) == {"one": None, "grow": Ending.MEMORY, "two": None}


def test_jobs_that_come_now_and_then() -> None:
    async def go() -> list[object]:
        pool = ProcessPool(Acting(), 2, LIMITS)
        jobs = ["one", "die", "refuse", "hang", "two"]
        try:
            results: list[object] = list(
                await asyncio.gather(*(pool.do(job, 0) for job in jobs), return_exceptions=True)
            )
            ended = pool.processes[1]
            os.kill(ended, signal.SIGKILL)
            while any(child.pid == ended for child in multiprocessing.active_children()):
                await asyncio.sleep(0.01)
            return [*results, await pool.do("three", 1), await pool.do("four")]
        finally:
            await pool.close()

    one, die, refuse, hang, two, three, four = asyncio.run(go())
    assert (one, two, three) == ("one", "two", "three")
    assert isinstance(four, str)
    assert isinstance(die, JobFailed)
    assert die.ending is Ending.DIED
    assert isinstance(refuse, JobFailed)
    assert isinstance(refuse.error, InputError)
    assert isinstance(hang, JobFailed)
    assert hang.ending is Ending.TIME


def test_jobs_in_this_process() -> None:
    async def go() -> None:
        pool = InlinePool(Acting())
        try:
            assert await pool.do("one") == "one"
            with pytest.raises(JobFailed, match="it raised ValueError: no raise") as raised:
                await pool.do("raise")
            assert raised.value.ending is Ending.RAISED
        finally:
            await pool.close()

    asyncio.run(go())


@pytest.mark.parametrize(("setup", "says"), [(Closed(), "nothing to open"), (Unpicklable(), "could not start")])
def test_a_worker_that_cannot_start_is_an_error_and_no_endless_loop(setup: Any, says: str) -> None:
    with ProcessPool(setup, 1, LIMITS) as pool, pytest.raises(TidingsError, match=says):
        list(pool.run([["one"]]))


def test_a_worker_counts_with_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    with ProcessPool(Acting(), 1, LIMITS) as pool:
        assert [done.result for done in pool.run([["threads"]])] == ["1"]
    assert os.environ["OMP_NUM_THREADS"] == "7"
    assert "MKL_NUM_THREADS" not in os.environ


def test_what_nobody_waited_for_is_no_part_of_the_next_run() -> None:
    with ProcessPool(Acting(), 1, LIMITS) as pool:
        unfinished = pool.run([["one", "two", "three"]])
        assert next(unfinished).result == "one"
        unfinished.close()
        assert [done.result for done in pool.run([["four"]])] == ["four"]


#: Two workers that are copies and have nothing to do; then this process is gone from one moment to the next.
_COPIES = """
import os, signal, sys
from tidings.processes import ProcessPool
class Copied:
    loaded = "here only"
    def open(self): return self
    def do(self, job):
        if job == "die": os._exit(9)
        return f"{self.loaded} {os.getpid()}"
    def close(self): pass
Copied.loaded = "in the copies too"
pool = ProcessPool(Copied(), 2, as_copies=True)
for done in pool.run([["one", "die", "two"], ["three"]], ordered=True):
    print(done.job, done.reason or done.result, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux only")
def test_workers_that_are_copies_have_all_that_was_loaded_and_end_with_the_one_they_are_copies_of() -> None:
    run = subprocess.run([sys.executable, "-c", _COPIES], capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == -signal.SIGKILL, run.stderr
    told = [line.split(" ", 1) for line in run.stdout.splitlines()]
    assert [job for job, _ in told] == ["one", "die", "two", "three"]
    assert told[1][1] == "the process ended itself with code 9"
    assert all(said.startswith("in the copies too ") for job, said in told if job != "die")
    # `run` read their output to its end: they hold it too, so they are gone.


# -- one function, many items


def double(number: int) -> int:
    if number < 0:
        raise InputError(f"{number} is negative")
    if number == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * number


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_results_come_in_order(processes: int) -> None:
    assert [done.result for done in in_order(double, range(20, 140), processes)] == list(range(40, 280, 2))


@pytest.mark.parametrize("processes", [1, 2])
def test_an_expected_failure_is_a_reason(processes: int) -> None:
    done = list(in_order(double, [1, -2, 3], processes))
    assert [one.result for one in done] == [2, None, 6]
    assert done[1].reason == "-2 is negative"


@pytest.mark.gate
def test_a_killed_worker_is_named_and_the_rest_goes_on() -> None:
    numbers = [*range(10), 13, *range(20, 140)]
    done = list(in_order(double, numbers, 2))
    assert [one.job for one in done] == numbers
    failed = [one for one in done if one.result is None]
    assert [one.job for one in failed] == [13]
    assert failed[0].reason == "the process was ended by SIGKILL (out of memory?)"


@pytest.mark.parametrize("processes", [1, 2])
def test_a_mistake_is_raised(processes: int) -> None:
    wrong: Callable[[str], str] = act
    with pytest.raises(ValueError, match="no raise"):
        list(in_order(wrong, ["one", "raise"], processes))


# -- the time of a process


def test_time_is_charged_for_what_a_process_does(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 0.25, 0.5, 100.0, 100.25])
    states = iter([(5.0, False), (5.1, True), (5.1, True), (5.1, False), None])
    monkeypatch.setattr(system, "monotonic", lambda: next(clock))
    monkeypatch.setattr(system, "usage", lambda _: None if (state := next(states)) is None else Usage(*state))
    watch = Stopwatch(1)
    watch.restart()
    assert watch.charge() == pytest.approx(0.1)  # it ran: what it got
    assert watch.charge() == pytest.approx(0.1)  # it would have run, but others did
    assert watch.charge() == pytest.approx(1.1)  # it waited, while the machine stood still
    assert watch.charge() == pytest.approx(1.35)  # nobody knows: the clock on the wall


def test_what_the_system_tells_of_a_process() -> None:
    line = "42 (a ) R (b) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20 0 1 0"
    assert read_usage(line) == Usage(200 / os.sysconf("SC_CLK_TCK"), runs=False)
    with pytest.raises(ValueError, match="substring"):
        read_usage("nothing of the kind")
    assert system.usage(-1) is None
