"""The body of a response as text: unpacked and decoded, up to a size limit (HOSTILE 8, 10, 16)."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Final

from tidings.errors import EmptyPage, PageError
from tidings.page.decode import decode
from tidings.sources.problems import ProblemKind, SourceProblem

#: The largest newspaper feeds have a few MB. Of a longer body only the first entries are read.
LARGEST: Final = 16 * 1024 * 1024
_GZIP: Final = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class DecodedText:
    """Decoded text and the problems of decoding it."""

    text: str
    problems: tuple[SourceProblem, ...] = ()


def body(data: bytes | str, content_type: str | None = None, largest: int = LARGEST) -> DecodedText:
    """Decode the body of a response.

    Args:
        data: the bytes, optionally gzip-compressed; or text.
        content_type: the HTTP header, for its charset.
        largest: limit of uncompressed bytes; the rest is ignored.
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
    """Unpack gzip data up to one byte above the limit. Return it and whether it is complete; None if it is not gzip."""
    worker = zlib.decompressobj(wbits=31)
    try:
        unpacked = worker.decompress(data, largest + 1)
    except zlib.error:
        return None
    return unpacked, worker.eof or len(unpacked) > largest
