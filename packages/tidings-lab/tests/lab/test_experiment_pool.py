"""Workers that are watched: whatever a step does, the others are done."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.lab import misbehaving
from tidings.errors import TidingsError
from tidings_lab.experiment.pool import StepPool, StepTask
from tidings_lab.experiment.rows import StepOutcome

#: Long enough for any honest step on a busy machine, short enough to wait for one that hangs.
TIMEOUT = 2.0


def test_every_step_that_goes_wrong_costs_itself_alone(capfd: pytest.CaptureFixture[str]) -> None:
    tasks = [
        StepTask(1, ("one", "raise", "two")),
        StepTask(2, ("die", "one", "hang", "two")),
        StepTask(5, ("wait", "one")),
        StepTask(3, ("print", "exit", "connect", "abort", "one")),
        StepTask(4, ()),
    ]
    with StepPool(misbehaving.steps, 2, TIMEOUT) as pool:
        done = {(step.item, step.step): step for step in pool.run(tasks)}
    assert {key: step.outcome for key, step in done.items()} == {
        (1, "one"): StepOutcome.READ,
        (1, "raise"): StepOutcome.RAISED,
        (1, "two"): StepOutcome.READ,
        (2, "die"): StepOutcome.DIED,
        (2, "one"): StepOutcome.READ,
        (2, "hang"): StepOutcome.KILLED,
        (2, "two"): StepOutcome.READ,
        (5, "wait"): StepOutcome.KILLED,
        (5, "one"): StepOutcome.READ,
        (3, "print"): StepOutcome.READ,
        (3, "exit"): StepOutcome.RAISED,
        (3, "connect"): StepOutcome.RAISED,
        (3, "abort"): StepOutcome.DIED,
        (3, "one"): StepOutcome.READ,
    }
    assert done[1, "one"].result == "1 one"
    assert done[1, "raise"].reason == "ValueError: no 1"
    assert done[2, "die"].reason == "the process ended itself with code 9"
    assert done[2, "hang"].reason == "it took longer than 2 seconds and was ended"
    assert done[3, "abort"].reason == "the process was ended by SIGABRT"
    assert "no network" in done[3, "connect"].reason
    assert "talks" not in "".join(capfd.readouterr())


def test_a_worker_that_cannot_start_is_an_error_and_no_endless_loop() -> None:
    with StepPool(_Unpicklable(), 1, TIMEOUT) as pool, pytest.raises(TidingsError, match="could not start"):
        list(pool.run([StepTask(1, ("one",))]))


def test_a_worker_counts_with_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    with StepPool(misbehaving.steps, 1, TIMEOUT) as pool:
        assert [step.result for step in pool.run([StepTask(1, ("threads",))])] == ["1"]
    assert os.environ["OMP_NUM_THREADS"] == "7"
    assert "MKL_NUM_THREADS" not in os.environ


def test_what_nobody_waited_for_is_no_part_of_the_next_run() -> None:
    with StepPool(misbehaving.steps, 1, TIMEOUT) as pool:
        unfinished = pool.run([StepTask(1, ("one", "two", "three"))])
        assert next(unfinished).result == "1 one"
        unfinished.close()
        assert [step.result for step in pool.run([StepTask(2, ("one",))])] == ["2 one"]


class _Unpicklable:
    """Arrives at the worker as something that cannot be made there."""

    def __reduce__(self) -> tuple[object, ...]:
        return int, ("no number",)

    def __call__(self, item: int, names: tuple[str, ...]) -> Iterator[str]:  # pragma: no cover  # it never arrives
        raise NotImplementedError
