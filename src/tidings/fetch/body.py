"""Reading a body: decompressed on the way, held to its cap, and honest about what is missing."""

from __future__ import annotations

from collections.abc import AsyncIterable
from dataclasses import dataclass, field
from typing import Final

from tidings.errors import DecompressionBomb, FetchError, Incomplete, TooLarge, Undecodable
from tidings.fetch.decompress import BadData, Decompressor
from tidings.fetch.exchange import Kind
from tidings.fetch.limits import BOMB, Cap, Over

#: Bytes decompressed in one step, so that what they grew by is known when it grows too much.
_SLICE: Final = 8 * 1024


class Broken(Exception):
    """The connection ended before the body did; raised by a source of bytes."""


@dataclass(frozen=True, slots=True)
class ResponseBody:
    """The bytes, and whether they are only the beginning."""

    data: bytes
    truncated: bool = False
    unread: bool = False  # the sender has more that nobody read


@dataclass(slots=True)
class _ReceivedBytes:
    """What has come in so far."""

    pieces: list[bytes] = field(default_factory=list)
    size: int = 0
    raw: int = 0

    async def fill(self, chunks: AsyncIterable[bytes], codec: Decompressor, most: int) -> bool:
        """Take all there is, or stop above the cap; whether it stopped."""
        async for chunk in chunks:
            for at in range(0, len(chunk), _SLICE):
                part = chunk[at : at + _SLICE]
                self.raw += len(part)
                for piece in codec.feed(part):
                    self.pieces.append(piece)
                    self.size += len(piece)
                    if self.size > most:
                        return True
                if self.raw > 2 * most:  # much goes in and little comes out
                    return True
        self.pieces.append(codec.rest())
        return False

    @property
    def data(self) -> bytes:
        return b"".join(self.pieces)


async def read_body(chunks: AsyncIterable[bytes], url: str, coding: str, kind: Kind, cap: Cap) -> ResponseBody:
    """All of a body, or as much of it as its kind may have.

    Raises:
        TooLarge: it has more, and its kind is not to be cut.
        DecompressionBomb: it has more, and was made to.
        Incomplete: the connection broke, and its kind is not to be cut.
        Undecodable: its compression cannot be undone.
    """
    held = _ReceivedBytes()
    missing: FetchError
    try:
        codec = Decompressor(coding, archive=kind is not Kind.PICTURE)
        if await held.fill(chunks, codec, cap.size):
            return _over(held, url, kind, cap)
        if codec.complete:
            return ResponseBody(held.data)
        missing = Incomplete(url, f"its compressed data ends in the middle, after {held.raw:,} bytes; try again later")
    except BadData as error:
        missing = Undecodable(url, f"cannot be read: {error}")
        missing.__cause__ = error
    except Broken as error:
        missing = Incomplete(url, f"the connection ended after {held.raw:,} bytes; try again later")
        missing.__cause__ = error
    if cap.over is Over.CUT and held.size:
        return ResponseBody(held.data, truncated=True, unread=isinstance(missing, Undecodable))
    raise missing


def _over(held: _ReceivedBytes, url: str, kind: Kind, cap: Cap) -> ResponseBody:
    if held.size > BOMB * held.raw:
        raise DecompressionBomb(
            url,
            f"is refused: {held.raw:,} bytes became more than {cap.size:,}, as nothing does that is meant to be read",
        )
    if cap.over is Over.CUT:
        return ResponseBody(held.data[: cap.size], truncated=True, unread=True)
    raise too_large(url, kind, cap)


def too_large(url: str, kind: Kind, cap: Cap) -> TooLarge:
    """The error for a body that is over its cap and not to be cut."""
    return TooLarge(url, f"is refused: a {kind} may have {cap.size:,} bytes, and this one has more; raise its cap")
