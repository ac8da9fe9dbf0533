"""What all tests share: how thorough they are, the real pages, and how growth is measured.

`make test` runs everything once, the same way each time. `make gate` sets TIDINGS_GATE=1: then Hypothesis looks for new
examples, and the comparisons with real pages take all of them instead of a sample.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

GATE = os.environ.get("TIDINGS_GATE") == "1"
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"

settings.register_profile(
    "tidings",
    deadline=None,  # the machine is shared; time is tested apart
    derandomize=not GATE,
    max_examples=1000 if GATE else 100,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("tidings")

#: Time of one piece of work, in seconds.
Stopwatch = Callable[[Callable[[], object]], float]


@pytest.fixture(scope="session")
def gate() -> bool:
    """Whether this run may take its time."""
    return GATE


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real pages beside the repository."""
    if not SHARED.is_dir():
        pytest.skip(f"needs the real pages, and there is no {SHARED}")
    return SHARED


@pytest.fixture(scope="session")
def best_of_3() -> Stopwatch:
    """The shortest of three times: what the work takes when nobody else uses the machine."""

    def measure(work: Callable[[], object]) -> float:
        times = []
        for _ in range(3):
            start = time.perf_counter()
            work()
            times.append(time.perf_counter() - start)
        return min(times)

    return measure
