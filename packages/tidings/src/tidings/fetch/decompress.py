"""Bodies decompressed piece by piece, so that memory stays flat whatever a few bytes claim to hold.

Content codings of RFC 9110, 8.4.1: gzip, deflate, br, zstd, at most a few one upon the other. Each stage hands on
pieces of at most `PIECE` bytes and the reader stops when it has enough: nothing is ever decompressed "to see how
large it is". Encodings are read as leniently as browsers do: deflate with and without its header, a gzip label on
a body that is not gzip, bytes behind the end.

Reading a body: decompressed on the way, held to its cap, and honest about what is missing.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any, Final, Protocol

import brotli

from tidings.errors import DecompressionBomb, FetchError, Incomplete, TooLarge, Undecodable
from tidings.fetch.exchange import BOMB, Cap, Kind, Over

PIECE: Final = 64 * 1024
#: Nobody who means well compresses twice; a few servers do by mistake.
MAX_STAGES: Final = 2
#: The window that content coding zstd may ask for (RFC 9659).
ZSTD_WINDOW: Final = 8 * 1024 * 1024
#: Four bytes of zstd can be a block of 128 KB, so its input goes in slices: 256 bytes become 8 MB at the most.
ZSTD_SLICE: Final = 256
#: Members of gzip or frames of zstd in one body; more than these are there to cost time.
MAX_PARTS: Final = 4096
_GZIP: Final = b"\x1f\x8b"


class BadData(ValueError):
    """What was to be decompressed is not what it was said to be."""


class DecodeStage(Protocol):
    """One step of decompression."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What becomes of some more bytes."""
        ...

    @property
    def complete(self) -> bool:
        """Whether the end, as the format marks it, has been seen."""
        ...


class Gzip:
    """gzip (RFC 1952), one member after the other; what is no gzip from the first byte on is passed on as it is."""

    def __init__(self) -> None:
        self._member: zlib._Decompress | None = None
        self._members = 0
        self._plain = False
        self._ended = False
        self._held = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What becomes of some more bytes."""
        if self._plain:
            yield data
            return
        data, self._held = self._held + data, b""
        while data and not self._ended:
            if self._member is None:
                if len(data) < 2:
                    self._held = data
                    return
                if not data.startswith(_GZIP):
                    if self._members:  # padding and rubbish behind the last member
                        self._ended = True
                        return
                    self._plain = True
                    yield data
                    return
                self._member = zlib.decompressobj(16 + zlib.MAX_WBITS)
                self._members = _one_more(self._members)
            yield from _inflated(self._member, data)
            data = self._member.unused_data
            if not self._member.eof:
                return
            self._member = None

    def rest(self) -> bytes:
        """Return a single byte that was waiting to be recognised."""
        return b"" if self._members else self._held

    @property
    def complete(self) -> bool:
        """Whether the last member ended."""
        return self._member is None


class Deflate:
    """deflate: zlib (RFC 1950) as the standard says, or bare (RFC 1951) as some servers send it."""

    def __init__(self) -> None:
        self._stream: zlib._Decompress | None = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What becomes of some more bytes."""
        if self._stream is None:
            if not data:
                return
            wrapped = (
                data[0] & 0x0F == 8 and data[0] >> 4 <= 7 and (len(data) < 2 or (data[0] << 8 | data[1]) % 31 == 0)
            )
            self._stream = zlib.decompressobj(zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS)
        if not self._stream.eof:
            yield from _inflated(self._stream, data)

    @property
    def complete(self) -> bool:
        """Whether the stream ended."""
        return self._stream is None or self._stream.eof


class Brotli:
    """br (RFC 7932)."""

    def __init__(self) -> None:
        self._stream = brotli.Decompressor()
        self._begun = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What becomes of some more bytes."""
        self._begun = self._begun or bool(data)
        try:
            while data or not self._stream.can_accept_more_data():
                if self._stream.is_finished():
                    return
                piece = self._stream.process(data, output_buffer_limit=PIECE)
                data = b""
                if piece:
                    yield piece
        except brotli.error as error:
            raise BadData("it is not brotli data") from error

    @property
    def complete(self) -> bool:
        """Whether the stream ended."""
        return not self._begun or self._stream.is_finished()


class Zstd:
    """zstd (RFC 8878), one frame after the other."""

    def __init__(self) -> None:
        import zstandard

        # The window in bytes is bounded by the decompressor: a larger one is refused.
        self._zstd = zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW)
        self._error = zstandard.ZstdError
        self._frame: Any = None
        self._frames = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What becomes of some more bytes."""
        at = 0
        try:
            while at < len(data):
                if self._frame is None:
                    self._frame = self._zstd.decompressobj()
                    self._frames = _one_more(self._frames)
                piece = self._frame.decompress(data[at : at + ZSTD_SLICE])
                at = min(at + ZSTD_SLICE, len(data))
                if piece:
                    yield piece
                if self._frame.eof:
                    at -= len(self._frame.unused_data)
                    self._frame = None
        except self._error as error:
            raise BadData("it is not zstd data, or needs too much memory") from error

    @property
    def complete(self) -> bool:
        """Whether the last frame ended."""
        return self._frame is None


def _one_more(parts: int) -> int:
    if parts >= MAX_PARTS:
        raise BadData(f"it is cut into more than {MAX_PARTS:,} compressed parts")
    return parts + 1


def _inflated(stream: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    try:
        while True:
            piece = stream.decompress(data, PIECE)
            if piece:
                yield piece
            data = stream.unconsumed_tail
            if stream.eof or (not data and len(piece) < PIECE):
                return
    except zlib.error as error:
        raise BadData("its compressed data is damaged") from error


STAGES: Final[dict[str, Callable[[], DecodeStage]]] = {
    "gzip": Gzip,
    "x-gzip": Gzip,
    "deflate": Deflate,
    "br": Brotli,
}
if find_spec("zstandard"):  # comes with `tidings[news]`; servers send zstd only to those who ask for it
    STAGES["zstd"] = Zstd
#: What we say that we can read.
ACCEPTED: Final = ", ".join(name for name in STAGES if not name.startswith("x-"))


class Decompressor:
    """Undoes all codings of a body.

    Args:
        codings: the Content-Encoding header's value.
        archive: whether a body that is itself a gzip file (`feed.xml.gz`) is to be opened too.

    Raises:
        BadData: a coding that nobody knows, or too many of them.
    """

    def __init__(self, codings: str, archive: bool = True) -> None:
        names = [name.strip().lower() for name in codings.split(",", 64)]
        wanted = [name for name in names if name not in ("", "identity", "none", "utf-8")]
        if len(wanted) > MAX_STAGES:
            raise BadData(f"it is compressed {len(wanted)} times over, and {MAX_STAGES} times are the most")
        unknown = [name for name in wanted if name not in STAGES]
        if unknown:
            raise BadData(f"it is compressed as {unknown[0]!r}, which is unknown here")
        self._stages = [STAGES[name]() for name in reversed(wanted)]
        if archive:
            self._stages.append(Gzip())

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What becomes of some more bytes, in pieces; stop asking when there is enough."""
        pieces: Iterable[bytes] = (data,)
        for stage in self._stages:
            pieces = _through(stage, pieces)
        return iter(pieces)

    def rest(self) -> bytes:
        """What is left when no more bytes come."""
        last = self._stages[-1] if self._stages else None
        return last.rest() if isinstance(last, Gzip) else b""

    @property
    def complete(self) -> bool:
        """Whether every coding came to its end."""
        return all(stage.complete for stage in self._stages)


def _through(stage: DecodeStage, pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        yield from stage.feed(piece)


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
    """Return all of a body, or as much of it as its kind may have.

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
    """Return the error for a body that is over its cap and not to be cut."""
    return TooLarge(url, f"is refused: a {kind} may have {cap.size:,} bytes, and this one has more; raise its cap")
