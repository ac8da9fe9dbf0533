"""What all tests share: how thorough they are, the real pages, and how growth is measured.

`make test` runs all tests without a marker; the markers `gate`, `shared` and `soak` are described in pyproject.toml.
`make gate` and `make soak` set TIDINGS_GATE=1: then Hypothesis searches for new examples, and all real pages are
compared instead of a sample.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support import GATE, SHARED, Growth, missing

#: Below this a first measurement is not repeated: four times the input in six times the time is no square.
GROWTH_IS_FINE = 6

#: Where temporary files lie in memory, and how much room there has to be: a store that is written waits for a disk.
MEMORY = Path("/dev/shm")  # noqa: S108  # pytest makes a folder there that is its own
ROOM = 4 << 30

if MEMORY.is_dir():
    _room = os.statvfs(MEMORY)
    if _room.f_bavail * _room.f_frsize > ROOM and not _room.f_flag & os.ST_NOEXEC:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

settings.register_profile(
    "tidings",
    deadline=None,  # the machine is shared; time is tested apart
    derandomize=not GATE,
    max_examples=1000 if GATE else 30,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("tidings")


@pytest.fixture(scope="session")
def gate() -> bool:
    """Whether this run may take its time."""
    return GATE


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real pages beside the repository."""
    if not SHARED.is_dir():
        missing(f"needs the real pages, and there is no {SHARED}")
    return SHARED


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where the browser is; `scripts/system-packages` installs it."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    return missing("needs Chromium, and none is installed: run scripts/system-packages as root")


@pytest.fixture(scope="session")
def growth() -> Growth:
    """Times the same work on a small and on a large input, and says how it grew: processor time, the best of three, as
    others use the machine. What takes less than 10 ms counts as 10 ms; below that, caches tell more than the work does.
    """

    def measure(small: Callable[[], object], large: Callable[[], object]) -> float:
        times: list[list[float]] = [[], []]
        for _ in range(3):
            for taken, work in zip(times, (small, large), strict=True):
                start = time.thread_time()
                work()
                taken.append(time.thread_time() - start)
            ratio = min(times[1]) / max(min(times[0]), 0.01)
            if ratio < GROWTH_IS_FINE:
                break
        return ratio

    return measure


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that time their own work as `soak`, as a busy machine must not fail a change, and tests that need a
    browser as `gate`.
    """
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "growth" in fixtures:
            item.add_marker(pytest.mark.soak)
        if "chromium" in fixtures:
            item.add_marker(pytest.mark.gate)
