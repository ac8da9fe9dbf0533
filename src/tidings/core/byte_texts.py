"""Bytes on their way to a text: what they hold, line ends, and UTF-8 decoded."""

from __future__ import annotations

import ctypes
from typing import Final, NamedTuple

import numpy as np

from tidings.core import address_of, library, state, strings

_TOLD: Final = ctypes.c_uint64 * 3


def with_line_feeds(data: bytes) -> bytes | None:
    """Bytes with all line ends as line feeds; None if there is no core."""
    if not state().is_compiled:
        return None
    out = np.empty(len(data), np.uint8)
    return out[: library().tidings_line_feeds(data, len(data), address_of(out))].tobytes()


class ByteFacts(NamedTuple):
    """What bytes hold."""

    width: int  # in how many bytes a str would hold each of their characters; 0 if they are no UTF-8
    size: int  # how many characters there are
    has_nul: bool
    has_return: bool
    has_escape: bool
    is_ascii: bool
    has_controls: bool  # maybe: at the beginning are characters that texts seldom hold


#: What the bits of signs tell.
_SIGNS: Final = [
    (bool(bits & 1), bool(bits & 2), bool(bits & 4), not bits & 8, bool(bits & 16)) for bits in range(1 << 5)
]


def byte_facts(data: bytes) -> ByteFacts | None:
    """What bytes hold; None if there is no core."""
    if not state().is_compiled:
        return None
    out = _TOLD()
    library().tidings_held(data, len(data), out)
    width, size, signs = out
    return ByteFacts(width, size, *_SIGNS[signs])


def utf8_text(data: bytes, width: int, size: int) -> str | None:
    """The text of UTF-8 that is valid, of so many characters and of that width; None if Python has to decode it."""
    made = strings.blank(size, {1: 0xFF, 2: 0xFFFF}.get(width, 0x10FFFF))
    if made is None or library().tidings_fill(data, len(data), width, made[1], size):
        return None
    return made[0]
