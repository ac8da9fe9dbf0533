"""Bytes on their way to a text: what they hold, line ends, and UTF-8 decoded."""

from __future__ import annotations

import ctypes
from typing import Final, NamedTuple

from tidings.core import library

_TOLD: Final = ctypes.c_uint64 * 3
#: Invisible characters of a page that there is room for at first.
_FEW: Final = 16


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


def byte_facts(data: bytes) -> ByteFacts:
    """Return what bytes hold.

    Raises:
        CoreMissing: there is no core.
    """
    out = _TOLD()
    library().tidings_held(data, len(data), out)
    width, size, signs = out
    return ByteFacts(width, size, *_SIGNS[signs])


class InvisibleCharacter(NamedTuple):
    """Byte range of an invisible character that has to be removed."""

    start: int
    end: int
    kind: int  # its class (`tidings.page.invisible.CLASSES`)
    leaves_space: int  # 1 if a space takes its place


def invisible(data: bytes) -> list[InvisibleCharacter]:
    """Find the invisible characters of UTF-8 that have to be removed (`core/src/invisible.rs`).

    Raises:
        CoreMissing: there is no core.
    """
    find, room = library().tidings_invisible, _FEW
    while True:
        out = (ctypes.c_uint64 * (4 * room))()
        count: int = find(data, len(data), out, room)
        if count <= room:
            return [InvisibleCharacter(*out[at : at + 4]) for at in range(0, 4 * count, 4)]
        room = count
