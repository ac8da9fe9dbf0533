"""Incremental decompression with constant memory, however much a few bytes decompress to.

Content codings of RFC 9110, 8.4.1: gzip, deflate, br, zstd, at most a few nested. Each stage returns pieces of at most
`PIECE` bytes, and the reader stops when it has enough: nothing is decompressed only to find out its size. Decoding is
as lenient as in browsers: deflate with and without header, a gzip label on other data, bytes after the end.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from typing import Any, Final, Protocol

import brotli

PIECE: Final = 64 * 1024
#: A few servers compress twice by mistake; more stages are an attack.
MAX_STAGES: Final = 2
#: The window that content coding zstd may ask for (RFC 9659).
ZSTD_WINDOW: Final = 8 * 1024 * 1024
#: Four bytes of zstd may be a block of 128 KB, so its input is sliced: 256 bytes become at most 8 MB.
ZSTD_SLICE: Final = 256
#: Limit on gzip members or zstd frames in a body; more are an attack.
MAX_PARTS: Final = 4096
_GZIP: Final = b"\x1f\x8b"


class BadData(ValueError):
    """Compressed data that does not match its coding."""


class DecodeStage(Protocol):
    """A stage of decompression, for one content coding."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decompress more bytes."""
        ...

    @property
    def complete(self) -> bool:
        """Return whether the end mark of the format has been read."""
        ...


class Gzip:
    """Decompressor for gzip (RFC 1952) with several members. Data that does not begin as gzip passes unchanged."""

    def __init__(self) -> None:
        self._member: zlib._Decompress | None = None
        self._members = 0
        self._plain = False
        self._ended = False
        self._held = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decompress more bytes."""
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
                    if self._members:  # padding or garbage after the last member
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
        """Return the byte that was held back to detect gzip, if there is one."""
        return b"" if self._members else self._held

    @property
    def complete(self) -> bool:
        """Return whether the last member is complete."""
        return self._member is None


class Deflate:
    """Decompressor for deflate: zlib (RFC 1950) by the standard, or raw (RFC 1951) as some servers send it."""

    def __init__(self) -> None:
        self._stream: zlib._Decompress | None = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decompress more bytes."""
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
        """Return whether the stream is complete."""
        return self._stream is None or self._stream.eof


class Brotli:
    """Decompressor for br (RFC 7932)."""

    def __init__(self) -> None:
        self._stream = brotli.Decompressor()
        self._begun = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decompress more bytes."""
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
        """Return whether the stream is complete."""
        return not self._begun or self._stream.is_finished()


class Zstd:
    """Decompressor for zstd (RFC 8878) with several frames."""

    def __init__(self) -> None:
        import zstandard

        # The decompressor rejects larger windows.
        self._zstd = zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW)
        self._error = zstandard.ZstdError
        self._frame: Any = None
        self._frames = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decompress more bytes."""
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
        """Return whether the last frame is complete."""
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
if find_spec("zstandard"):  # optional; servers send zstd only on request
    STAGES["zstd"] = Zstd
#: The Accept-Encoding header.
ACCEPTED: Final = ", ".join(name for name in STAGES if not name.startswith("x-"))


class Decompressor:
    """A decompressor for all content codings of a response body.

    Args:
        codings: the value of the Content-Encoding header.
        archive: whether to unpack a body that is itself a gzip file (`feed.xml.gz`).

    Raises:
        BadData: a coding is unknown, or there are too many.
    """

    def __init__(self, codings: str, archive: bool = True) -> None:
        names = [name.strip().lower() for name in codings.split(",", 64)]
        effective = [name for name in names if name not in ("", "identity", "none", "utf-8")]
        if len(effective) > MAX_STAGES:
            raise BadData(f"it is compressed {len(effective)} times over, and {MAX_STAGES} times are the most")
        unknown = [name for name in effective if name not in STAGES]
        if unknown:
            raise BadData(f"it is compressed as {unknown[0]!r}, which is unknown here")
        self._stages = [STAGES[name]() for name in reversed(effective)]
        if archive:
            self._stages.append(Gzip())

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the decompressed pieces of further bytes. Callers may stop iterating when they have enough."""
        pieces: Iterable[bytes] = (data,)
        for stage in self._stages:
            pieces = _through(stage, pieces)
        return iter(pieces)

    def rest(self) -> bytes:
        """Return the remaining bytes at the end of input."""
        last = self._stages[-1] if self._stages else None
        return last.rest() if isinstance(last, Gzip) else b""

    @property
    def complete(self) -> bool:
        """Return whether all stages are complete."""
        return all(stage.complete for stage in self._stages)


def _through(stage: DecodeStage, pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        yield from stage.feed(piece)
