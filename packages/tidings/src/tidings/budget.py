"""A CPU budget for one extraction, in any thread and without signals.

`limit` sets the budget of the current context. Functions that take long call `check`, which raises `ExtractionTimeout`
once the thread has used more processor time than it was given. The compiled core is not interrupted: it takes a
fraction of a second for the largest page.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import thread_time
from typing import Any, Final

from tidings.errors import BadArgument, ExtractionTimeout

#: The budget in seconds, and the processor time of the thread at which it is used up.
_budget: Final[ContextVar[tuple[float, float] | None]] = ContextVar("tidings budget", default=None)


@contextmanager
def limit(seconds: float | None) -> Iterator[None]:
    """Limit the processor time of the code in a `with` block; None sets no limit.

    Raises:
        BadArgument: the number of seconds is not above 0.
        ExtractionTimeout: the budget is used up.
    """
    if seconds is None:
        yield
        return
    value: Any = seconds  # callers without types too
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        raise BadArgument(f"timeout must be a number of seconds above 0, not {seconds!r}")
    token = _budget.set((seconds, thread_time() + seconds))
    try:
        yield
        check()
    finally:
        _budget.reset(token)


def check() -> None:
    """Raise `ExtractionTimeout` if the budget of the current context is used up."""
    budget = _budget.get()
    if budget is not None and thread_time() > budget[1]:
        raise ExtractionTimeout(f"the page takes more than the {budget[0]:g} s of processor time that it was given")
