"""Reading of a response body: decompressed on the fly, limited in size, and marked if something is missing."""

from __future__ import annotations

from collections.abc import AsyncIterable
from dataclasses import dataclass, field
from typing import Final

from tidings.errors import DecompressionBomb, FetchError, Incomplete, TooLarge, Undecodable
from tidings.fetch.bodies.decompress import BadData, Decompressor
from tidings.fetch.limits import BOMB, Cap, Over
from tidings.fetch.messages import Kind

#: Number of bytes decompressed in one step, so that excessive growth is noticed early.
_SLICE: Final = 8 * 1024


class Broken(Exception):
    """The connection ended before the body did."""


@dataclass(frozen=True, slots=True)
class ResponseBody:
    """The bytes of a response body, and whether they are incomplete."""

    data: bytes
    truncated: bool = False
    unread: bool = False  # the sender has more data


@dataclass(slots=True)
class _ReceivedBytes:
    """The decompressed bytes received up to now."""

    pieces: list[bytes] = field(default_factory=list)
    size: int = 0
    raw: int = 0

    async def fill(self, chunks: AsyncIterable[bytes], codec: Decompressor, most: int) -> bool:
        """Decompress chunks until their end, or until the size limit is exceeded. Return whether it is exceeded."""
        async for chunk in chunks:
            for at in range(0, len(chunk), _SLICE):
                part = chunk[at : at + _SLICE]
                self.raw += len(part)
                for piece in codec.feed(part):
                    self.pieces.append(piece)
                    self.size += len(piece)
                    if self.size > most:
                        return True
                if self.raw > 2 * most:  # large input with little output
                    return True
        self.pieces.append(codec.rest())
        return False

    @property
    def data(self) -> bytes:
        return b"".join(self.pieces)


async def read_body(chunks: AsyncIterable[bytes], url: str, coding: str, kind: Kind, cap: Cap) -> ResponseBody:
    """Read a response body up to the size limit of its kind.

    Raises:
        TooLarge: the body is larger, and its kind must not be truncated.
        DecompressionBomb: the body grows far too much when decompressed.
        Incomplete: the connection broke, and its kind must not be truncated.
        Undecodable: the body cannot be decompressed.
    """
    received = _ReceivedBytes()
    missing: FetchError
    try:
        codec = Decompressor(coding, archive=kind is not Kind.PICTURE)
        if await received.fill(chunks, codec, cap.size):
            return _over(received, url, kind, cap)
        if codec.complete:
            return ResponseBody(received.data)
        missing = Incomplete(
            url, f"its compressed data ends in the middle, after {received.raw:,} bytes; try again later"
        )
    except BadData as error:
        missing = Undecodable(url, f"cannot be read: {error}")
        missing.__cause__ = error
    except Broken as error:
        missing = Incomplete(url, f"the connection ended after {received.raw:,} bytes; try again later")
        missing.__cause__ = error
    if cap.over is Over.CUT and received.size:
        return ResponseBody(received.data, truncated=True, unread=isinstance(missing, Undecodable))
    raise missing


def _over(received: _ReceivedBytes, url: str, kind: Kind, cap: Cap) -> ResponseBody:
    if received.size > BOMB * received.raw:
        raise DecompressionBomb(
            url,
            f"is refused: {received.raw:,} bytes became more than {cap.size:,}, which no honest document does",
        )
    if cap.over is Over.CUT:
        return ResponseBody(received.data[: cap.size], truncated=True, unread=True)
    raise too_large(url, kind, cap)


def too_large(url: str, kind: Kind, cap: Cap) -> TooLarge:
    """Return the error for a response body above its limit."""
    return TooLarge(url, f"is refused: a {kind} may have {cap.size:,} bytes, and this one has more; raise its cap")
