"""The same work on many items, on several cores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Final, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

#: Fewer items than this are not worth the start of a process.
_FEW: Final = 20


def parallel(work: Callable[[Item], Result], items: Sequence[Item], jobs: int) -> list[Result]:
    """Results in the order of the items."""
    if jobs < 2 or len(items) < _FEW:
        return list(map(work, items))
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        return list(pool.map(work, items, chunksize=8))
