"""Results of core functions: numbers, rows of small numbers, and a text or other bytes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from tidings.core import Handle, library
from tidings.core.native import ENCODINGS

_OUT: Final = ctypes.c_uint64 * 8
_copied: Final = ctypes.string_at
_ANSWER: Final = int(Handle.ANSWER)
_NO_ROWS: Final = memoryview(b"").cast("i")


class CoreAnswer(NamedTuple):
    """The result of a core function (`core/src/boundary/answers.rs`)."""

    numbers: list[int]
    rows: memoryview[int]
    data: bytes
    width: int  # bytes per character of the text; 0 if the data is not text

    @property
    def text(self) -> str:
        """Return the result's bytes as text."""
        return self.data.decode(ENCODINGS[self.width], "surrogatepass")


def ask(function: Callable[..., Any], *arguments: Any) -> CoreAnswer:
    """Call a function whose last argument receives its result, and return the result.

    Raises:
        CoreError: the function failed.
    """
    out = _OUT()
    function(*arguments, out)
    handle, numbers, count, rows, size, data, length, width = out
    try:
        return CoreAnswer(
            memoryview(_copied(numbers, 8 * count)).cast("q").tolist(),
            memoryview(_copied(rows, 4 * size)).cast("i") if size else _NO_ROWS,
            _copied(data, length),
            width,
        )
    finally:
        library().tidings_free(_ANSWER, handle)
