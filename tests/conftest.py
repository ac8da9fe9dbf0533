"""What all tests share: how thorough they are, the real pages, and how growth is measured.

`make test` runs everything but what needs real pages, the same way each time. `make gate` runs those, and `make soak`
what takes long; both set TIDINGS_GATE=1: then Hypothesis looks for new examples, and all real pages are compared
instead of a sample.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import HealthCheck, settings

GATE = os.environ.get("TIDINGS_GATE") == "1"
#: Below this a first measurement is not repeated: four times the input in six times the time is no square.
GROWTH_IS_FINE = 6
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"

settings.register_profile(
    "tidings",
    deadline=None,  # the machine is shared; time is tested apart
    derandomize=not GATE,
    max_examples=1000 if GATE else 30,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("tidings")

#: How many times longer the second piece of work takes than the first.
Growth = Callable[[Callable[[], object], Callable[[], object]], float]


def missing(reason: str) -> NoReturn:
    """Skip a test whose means are not here; where TIDINGS_NO_SKIP is set, as in CI, that is a failure."""
    if os.environ.get("TIDINGS_NO_SKIP"):
        pytest.fail(reason)
    pytest.skip(reason)


def needs_core() -> None:
    """Skip a test of the compiled core where there is none; a run that asks for Python (TIDINGS_PURE) never has it."""
    from tidings import core

    if os.environ.get("TIDINGS_PURE", "") not in ("", "0"):
        pytest.skip("a test of the compiled core, and TIDINGS_PURE is set")
    if not core.state().is_compiled:
        missing(f"needs the compiled core: {core.state().reason}")


def needs(module: str) -> Any:
    """A module that not every installation has; without it the test is skipped, in CI it fails."""
    try:
        return import_module(module)
    except ImportError:
        reason = f"{module} is not installed"
        if os.environ.get("TIDINGS_NO_SKIP"):
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason, allow_module_level=True)


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
        if found := shutil.which(name):
            return found
    missing("needs Chromium, and none is installed: run scripts/system-packages as root")


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
    """What times its own work belongs to `make soak`: a busy machine must not fail a change."""
    for item in items:
        if "growth" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.soak)
