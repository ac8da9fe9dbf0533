"""What a function of the core found: numbers, rows of small numbers, a text or other bytes."""

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
    """What a function found (`core/src/boundary/answers.rs`)."""

    numbers: list[int]
    rows: memoryview[int]
    data: bytes
    width: int  # bytes of a character of the text, 0 if the data is none

    @property
    def text(self) -> str:
        """The data as text."""
        return self.data.decode(ENCODINGS[self.width], "surrogatepass")


def ask(function: Callable[..., Any], *arguments: Any) -> CoreAnswer:
    """Call a function whose last argument is where its answer goes, and return that.

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
