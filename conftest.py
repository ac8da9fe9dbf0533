"""What all tests share: how thorough they are, the real pages, and how growth is measured.

`make test` runs what a change should be tried with, the same way each time: neither what needs real pages nor what is
marked `gate`, and the tests of the laboratory only where something has changed that it reads (`unread_by_the_lab`); the
cases of a test are one item (`--fold`, tests/folding.py).
`make gate` runs those, and `make soak` what takes long; both set TIDINGS_GATE=1: then Hypothesis looks for new
examples, and all real pages are compared instead of a sample. CI runs `make test` and `make gate`, and the laboratory
always.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.folding import pytest_addoption, pytest_pycollect_makeitem
from tests.support import GATE, ROOT, SHARED, Growth, missing

__all__ = ["pytest_addoption", "pytest_pycollect_makeitem"]

#: Below this a first measurement is not repeated: four times the input in six times the time is no square.
GROWTH_IS_FINE = 6
LAB = ROOT / "packages/tidings-lab/tests/lab"
LAB_PASSED = ROOT / ".pytest_cache" / "lab"
#: What the laboratory learns from and measures, and itself.
READ_BY_THE_LAB = (
    *("core/", "pyproject.toml", "conftest.py", "packages/tidings-lab/", "packages/tidings/tests/extractors/"),
    *(
        f"packages/tidings/src/tidings/{name}"
        for name in "article core errors extractors fields newspaper page processes sources/front text urls".split()
    ),
    "packages/tidings-portal/src/tidings_portal/stories",
)

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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What times its own work belongs to `make soak`: a busy machine must not fail a change. What needs a browser
    belongs to `make gate`. The laboratory waits until something has changed that it reads.
    """
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "growth" in fixtures:
            item.add_marker(pytest.mark.soak)
        if "chromium" in fixtures:
            item.add_marker(pytest.mark.gate)
    if lab_waits():
        waiting = [item for item in items if LAB in item.path.parents]
        config.hook.pytest_deselected(items=waiting)
        items[:] = [item for item in items if LAB not in item.path.parents]


def pytest_report_header() -> list[str]:
    """Say what is left out."""
    left = "the tests of tidings-lab are left out: nothing has changed that they read; TIDINGS_LAB=all runs them"
    return [left] if lab_waits() else []


def lab_waits() -> bool:
    """Whether the tests of the laboratory are left out of this run."""
    return os.environ.get("TIDINGS_LAB") == "when changed" and unread_by_the_lab()


@cache
def unread_by_the_lab() -> bool:
    """Whether all that the laboratory reads is as it was when its tests last passed here, or as it is on the trunk,
    where CI has run them: a fresh clone has nothing to try again.
    """
    if os.environ.get("TIDINGS_NO_SKIP"):  # in CI
        return False
    if LAB_PASSED.is_file() and LAB_PASSED.read_text() == lab_digest():
        return True
    try:
        base = _git("merge-base", "HEAD", "origin/HEAD").strip()
        changed = [
            *_git("diff", "--name-only", base).split(),
            *_git("ls-files", "--others", "--exclude-standard").split(),
        ]
    except (OSError, subprocess.CalledProcessError):  # no repository, or one without history: everything is new
        return False
    return not any(name.startswith(READ_BY_THE_LAB) for name in changed)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Remember what the laboratory has passed with, where `make test` has run all of it."""
    all_ran = os.environ.get("TIDINGS_LAB") == "when changed" and not unread_by_the_lab()
    if all_ran and exitstatus == pytest.ExitCode.OK and not hasattr(session.config, "workerinput"):
        LAB_PASSED.parent.mkdir(exist_ok=True)
        LAB_PASSED.write_text(lab_digest())


@cache
def lab_digest() -> str:
    """A digest of all that the laboratory reads."""
    made = blake2b(digest_size=16)
    for start in READ_BY_THE_LAB:
        whole = sorted(ROOT.joinpath(start).rglob("*")) if ROOT.joinpath(start).is_dir() else [*ROOT.glob(f"{start}*")]
        for path in whole:
            if path.is_file() and "__pycache__" not in path.parts and "target" not in path.parts:
                made.update(f"{path.relative_to(ROOT)} {path.stat().st_size} ".encode() + path.read_bytes())
    return made.hexdigest()


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout
