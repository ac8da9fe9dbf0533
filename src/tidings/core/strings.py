"""The characters of a str where CPython holds them (PEP 393): in one, two or four bytes each, behind a head.

Where they stand is tried out when it is first asked for. Where that is not known, characters are copied.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

#: Characters in so many bytes each.
ENCODINGS: Final = {1: "latin-1", 2: "utf-16-le", 4: "utf-32-le"}
_LAST: Final = 0x10FFFF


class _StringLayout(NamedTuple):
    """How far behind its address the characters of a str stand, and how one of so many characters is made."""

    plain: int  # of one in ASCII
    other: int
    new: Callable[[int, int], str]


@cache
def _layout() -> _StringLayout | None:
    """None if it is not known."""
    plain, other = sys.getsizeof("") - 1, sys.getsizeof("\u0100") - 4  # the size of a short one tells the place
    try:
        prototype = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_ssize_t, ctypes.c_uint32)
        new = prototype(("PyUnicode_New", ctypes.pythonapi))
    except (AttributeError, ValueError):  # another interpreter, or a later one without
        return None
    for sample, at, encoding in (
        ("<p>", plain, "ascii"), ("<\xe9>", other, "latin-1"), ("<\u0100>", other, f"utf-16-{sys.byteorder[0]}e"),
        ("<\U00010000>", other, f"utf-32-{sys.byteorder[0]}e"),
    ):  # fmt: skip
        copied, expected = "".join(list(sample)), sample.encode(encoding)
        if ctypes.string_at(id(copied) + at, len(expected)) != expected:
            return None
        made = new(len(sample), ord(sample[1]))
        ctypes.memmove(id(made) + at, expected, len(expected))
        if made != sample:
            return None
    return _StringLayout(plain, other, new)


def address(text: str) -> int | None:
    """Where the characters of a str stand in memory, for as long as it is held; None if that is not known."""
    layout = _layout()
    if layout is None or type(text) is not str:
        return None
    return id(text) + (layout.plain if text.isascii() else layout.other)


def blank(size: int, bits: int) -> tuple[str, int] | None:
    """A str of so many characters, to be written before anybody sees it, and where they stand; None if not known.

    `bits` are those of all its characters together, which tell how many bytes each of them has (`width`).
    """
    layout = _layout()
    if layout is None or not size:
        return None
    made = layout.new(size, min(bits, _LAST))
    return made, id(made) + (layout.plain if bits < 0x80 else layout.other)


def width(bits: int) -> int:
    """In how many bytes a str holds each of its characters."""
    return 1 if bits < 0x100 else 2 if bits < 0x10000 else 4


def width_of_new(text: str) -> int:
    """Return in how many bytes a str that was just made holds each of its characters; 0 if that is not known.

    A str that others have used may hold a second, encoded copy of itself, and its size says nothing then.
    """
    layout = _layout()
    if layout is None or text.isascii():
        return int(layout is not None)
    width, rest = divmod(sys.getsizeof(text) - layout.other, len(text) + 1)
    return width if rest == 0 and width in ENCODINGS else 0


def units(source: str) -> tuple[bytes, int]:
    """The characters of a text in one, two or four bytes each."""
    try:
        return source.encode("latin-1"), 1
    except UnicodeEncodeError:
        raw = source.encode("utf-16-le", "surrogatepass")
        return (raw, 2) if len(raw) == 2 * len(source) else (source.encode("utf-32-le", "surrogatepass"), 4)
