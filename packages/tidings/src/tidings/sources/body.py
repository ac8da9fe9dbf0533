"""The body of an answer as text: unpacked, decoded, never more than a cap (HOSTILE 8, 10, 16)."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Final

from tidings.errors import EmptyPage, PageError
from tidings.page.decode import decode
from tidings.sources.link import ProblemKind, SourceProblem

#: The largest feeds of newspapers have a few MB; what is longer is cut, and its first entries are read.
LARGEST: Final = 16 * 1024 * 1024
_GZIP: Final = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class DecodedText:
    """Text, and what was wrong on the way to it."""

    text: str
    problems: tuple[SourceProblem, ...] = ()


def body(data: bytes | str, content_type: str | None = None, largest: int = LARGEST) -> DecodedText:
    """Return the text of an answer.

    Args:
        data: the bytes as they came, packed by gzip or not; or text.
        content_type: the HTTP header, for its charset.
        largest: bytes, unpacked, that are looked at; what lies behind is left out.
    """
    problems = []
    if isinstance(data, bytes) and data.startswith(_GZIP):
        unpacked = _unpacked(data, largest)
        if unpacked is None:
            return DecodedText("", (SourceProblem(ProblemKind.BINARY, "gzip data that cannot be unpacked"),))
        data, whole = unpacked
        if not whole:
            problems.append(SourceProblem(ProblemKind.CUT_SHORT, "the gzip data ends too soon"))
    if len(data) > largest:
        problems.append(SourceProblem(ProblemKind.TOO_LARGE, f"only the first {largest:,} bytes were read"))
        data = data[:largest]
    try:
        return DecodedText(decode(data, content_type).text, tuple(problems))
    except EmptyPage:
        return DecodedText("", (*problems, SourceProblem(ProblemKind.EMPTY)))
    except PageError as error:
        return DecodedText("", (*problems, SourceProblem(ProblemKind.BINARY, str(error))))


def _unpacked(data: bytes, largest: int) -> tuple[bytes, bool] | None:
    """At most one byte more than may be, and whether nothing is missing at the end; None if it is no gzip data."""
    worker = zlib.decompressobj(wbits=31)
    try:
        found = worker.decompress(data, largest + 1)
    except zlib.error:
        return None
    return found, worker.eof or len(found) > largest
