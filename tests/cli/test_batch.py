"""Many pages on several processes; a worker that dies takes only its page with it."""

from __future__ import annotations

import os
import signal

import pytest

from tidings.cli.batch import run
from tidings.errors import InputError


def double(number: int) -> int:
    if number < 0:
        raise InputError(f"{number} is negative")
    if number == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * number


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_results_come_in_order(jobs: int) -> None:
    assert [done.result for done in run(double, range(12), jobs)] == [2 * number for number in range(12)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_expected_failure_is_a_reason(jobs: int) -> None:
    done = list(run(double, [1, -2, 3], jobs))
    assert [one.result for one in done] == [2, None, 6]
    assert done[1].reason == "-2 is negative"


def test_a_killed_worker_is_named_and_the_rest_goes_on() -> None:
    numbers = [*range(10), 13, *range(20, 40)]
    done = list(run(double, numbers, 2))
    assert [one.item for one in done] == numbers
    failed = [one for one in done if one.result is None]
    assert [one.item for one in failed] == [13]
    assert "died" in (failed[0].reason or "")
