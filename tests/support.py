"""What test modules of all packages import: paths, thoroughness, and skips that fail in CI."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import settings

#: Whether this run is thorough: `make gate` and `make soak` set TIDINGS_GATE=1.
GATE = os.environ.get("TIDINGS_GATE") == "1"
ROOT = Path(__file__).resolve().parents[1]
#: Real pages with ground truth, beside the repository.
SHARED = ROOT.parent / "shared" / "data"
#: For a process of its own: where the packages and the tests are.
PYTHONPATH = os.pathsep.join(
    [*(str(ROOT / "packages" / name) for name in ("tidings/src", "tidings-portal/src", "tidings-lab/src")),
     *(str(ROOT / "packages" / name) for name in ("tidings", "tidings-portal", "tidings-lab")), str(ROOT)]
)  # fmt: skip

#: How many times longer the second piece of work takes than the first.
Growth = Callable[[Callable[[], object], Callable[[], object]], float]


def examples(number: int) -> settings:
    """Return settings for a property that needs many examples: all of them in the gate, a fifth in `make test`."""
    return settings(max_examples=number if os.environ.get("TIDINGS_EXAMPLES") == "all" or GATE else number // 5)


def missing(reason: str) -> NoReturn:
    """Skip a test that cannot run here; where TIDINGS_NO_SKIP is set, as in CI, fail it."""
    if os.environ.get("TIDINGS_NO_SKIP"):
        pytest.fail(reason)
    pytest.skip(reason)


def needs(module: str) -> Any:
    """Return an optional module; without it the test module is skipped, in CI it fails."""
    try:
        return import_module(module)
    except ImportError:
        reason = f"{module} is not installed"
        if os.environ.get("TIDINGS_NO_SKIP"):
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason, allow_module_level=True)
