"""Reader and writer of WARC files (ISO 28500).

Memory use is limited to a piece of a record: the file is scanned once for the offsets of records, and a record is
opened again when needed. A compressed file consists of gzip members or Zstandard frames, usually one per record;
otherwise a record's place is the offset of its member and the offset inside. If the isal package is installed, it
inflates more than twice as fast as zlib.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.util import find_spec
from os import SEEK_END
from pathlib import Path
from typing import Any, BinaryIO, Final
from uuid import UUID, uuid5

from tidings.errors import BadArchive, MissingExtra
from tidings.fetch.bodies.decompress import PIECE, ZSTD_WINDOW
from tidings.fetch.limits import BOMB

#: Limit on the headers of a record, and on those of the response in it.
MAX_HEAD: Final = 64 * 1024
#: A gzip member is checked for being a bomb above this size.
_SUSPICIOUS: Final = 64 * 1024 * 1024
#: Namespace of record IDs by content, so that the same responses produce the same file.
_NAMESPACE: Final = UUID("6f0a3c1e-6f9b-5a53-9d0f-6c8f3c0f5a11")
_GZIP: Final = b"\x1f\x8b\x08"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
#: Bytes of Zstandard that are decompressed in one step; 1 KB becomes at most 32 MB.
_SLICE: Final = 1024


@dataclass(frozen=True, slots=True)
class RecordPlace:
    """The position of a record in a WARC file: an offset in the file and, if it is compressed, an offset in the
    decompressed member.
    """

    offset: int
    inside: int = 0


@dataclass(frozen=True, slots=True)
class Head:
    """The headers of a WARC record and its position in the file."""

    place: RecordPlace
    fields: dict[str, str]  # names in lower case

    @property
    def kind(self) -> str:
        """Return the WARC type: response, request, resource, revisit, metadata, warcinfo …"""
        return self.fields.get("warc-type", "").lower()

    @property
    def url(self) -> str:
        """Return the target URL."""
        return self.fields.get("warc-target-uri", "").strip("<>")

    @property
    def length(self) -> int:
        """Return the length of the record's block (content) in bytes."""
        return int(self.fields["content-length"])

    @property
    def date(self) -> float:
        """Return the fetch time in seconds since 1970; 0 if it is missing."""
        try:
            return datetime.fromisoformat(self.fields.get("warc-date", "")).timestamp()
        except ValueError:
            return 0.0


def heads(path: Path) -> Iterator[Head]:
    """Yield the headers of all records of a file in order.

    Raises:
        BadArchive: the file cannot be read, or is damaged.
    """
    with _opened(path) as file:
        source = RecordFile(file, RecordPlace(0), str(path))
        head = source.head()
        if head is None and path.stat().st_size:
            raise BadArchive(f"{path} has no WARC record in it")
        while head is not None:
            yield head
            source.skip(head.length)
            head = source.head()


def block(path: Path, head: Head) -> Generator[bytes, None, None]:
    """Yield the block of a record in pieces.

    Raises:
        BadArchive: the file cannot be read, or ends too early.
    """
    with _opened(path) as file:
        source = RecordFile(file, head.place, str(path))
        source.head()
        remaining = head.length
        while remaining:
            piece = source.take(min(remaining, PIECE))
            if not piece:
                raise BadArchive(f"{path} ends in the middle of the record of {head.url}")
            remaining -= len(piece)
            yield piece


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise BadArchive(f"{path} cannot be read: {error.strerror}") from error


class RecordFile:
    """The decompressed bytes of a WARC file from a position on, with at most one piece in memory."""

    def __init__(self, file: BinaryIO, place: RecordPlace, path: str) -> None:
        self._file = file
        self._path = path
        self._at = place.offset  # file offset after `_raw`
        self._raw = b""
        self._held = b""  # decompressed bytes of one member
        self._size = file.seek(0, SEEK_END)
        file.seek(0)
        self._unpacking = unpacking(file.read(4))
        self._zipped = self._unpacking is not None
        self._member: Any = None  # like zlib.decompressobj
        self._began = place.offset  # offset of the member, or of `_held` in an uncompressed file
        self._before = 0  # number of bytes of the member before `_held`
        self.skip(place.inside)

    @property
    def place(self) -> RecordPlace:
        """Return the position of the next byte."""
        return RecordPlace(self._began, self._before) if self._zipped else RecordPlace(self._began + self._before)

    def head(self) -> Head | None:
        """Return the headers of the next record; None at the end."""
        while self._fill() and self._held[:1] in (b"\r", b"\n"):
            self.take(1)
        if not self._held:
            return None
        place = self.place
        end = self._held.find(b"\r\n\r\n", 0, MAX_HEAD - 4) + 4
        head = bytearray(self.take(end) if end > 3 and b"\n\n" not in self._held[:end] else b"")
        while not head.endswith((b"\r\n\r\n", b"\n\n")):
            line = self._line()
            if not line or len(head) + len(line) > MAX_HEAD:
                raise BadArchive(f"{self._path} is damaged: at byte {place.offset:,} there is no WARC record")
            head += line
        version, _, lines = bytes(head).partition(b"\n")
        head_found = Head(place, dict(fields_of(lines)))
        length = head_found.fields.get("content-length", "")
        if not (version.startswith(b"WARC/") and length.isascii() and length.isdigit() and len(length) < 20):
            raise BadArchive(f"{self._path} is damaged: at byte {place.offset:,} there is no WARC record")
        return head_found

    def take(self, most: int) -> bytes:
        """Return up to `most` bytes; none at the end."""
        if not self._fill(most):
            return b""
        if len(self._held) <= most:
            piece, self._held = self._held, b""
            self._before += len(piece)
            return piece
        piece, self._held = self._held[:most], self._held[most:]
        self._before += len(piece)
        return piece

    def block(self, head: Head) -> bytes:
        """Return the whole block of the current record.

        Raises:
            BadArchive: the file ends too early.
        """
        remaining, pieces = head.length, []
        while remaining:
            piece = self.take(remaining)
            if not piece:
                raise BadArchive(f"{self._path} ends in the middle of the record of {head.url}")
            remaining -= len(piece)
            pieces.append(piece)
        return b"".join(pieces)

    def skip(self, count: int) -> None:
        """Skip a number of bytes. In an uncompressed file they are not read."""
        if not self._zipped and count > len(self._held):
            self._before += count
            # A record may declare a length beyond any valid offset.
            self._at = min(self._at + count - len(self._held), max(self._at, self._size))
            self._held = b""
            return
        while count and (piece := self.take(min(count, PIECE))):
            count -= len(piece)

    def _line(self) -> bytes:
        line = b""
        while len(line) < MAX_HEAD and self._fill():
            end = self._held.find(b"\n") + 1
            line += self.take(end or len(self._held))
            if end:
                break
        return line

    def _fill(self, most: int = 0) -> bool:
        """Read more bytes if the buffer is empty; return whether it has any now. `most` is the approximate number of
        bytes needed.
        """
        while not self._held:
            if self._unpacking is None:
                self._held = self._more()
                return bool(self._held)
            if self._member is None or self._member.eof:
                self._raw = self._raw or self._more()
                if not self._raw:
                    return False
                self._began, self._before = self._at - len(self._raw), 0
                self._member = self._unpacking()
            if not self._inflate(self._member, max(PIECE, most)):
                return False
        return True

    def _inflate(self, member: Any, most: int) -> bool:
        self._raw = self._raw or self._more()
        if not self._raw:
            return False
        try:
            self._held = member.decompress(self._raw, most)
        except _damage() as error:
            raise BadArchive(f"{self._path} is damaged: its compressed data at byte {self._began:,}") from error
        self._raw = member.unused_data if member.eof else member.unconsumed_tail
        grown, read = self._before + len(self._held), self._at - len(self._raw) - self._began
        if grown > _SUSPICIOUS and grown > BOMB * read:
            raise BadArchive(f"{self._path} is refused: {read:,} bytes of it become more than {grown:,}")
        return True

    def _more(self) -> bytes:
        self._file.seek(self._at)
        piece = self._file.read(PIECE)
        self._at += len(piece)
        return piece


def unpacking(begins: bytes) -> Callable[[], Any] | None:
    """Return a factory of decompressors for a file with these first bytes; None if it is not compressed.

    Raises:
        MissingExtra: the file is Zstandard, which is not installed.
    """
    if begins.startswith(_GZIP):
        return _gzip_member
    if begins == _ZSTD or (len(begins) == 4 and begins[0] >> 4 == 5 and begins[1:] == b"\x2a\x4d\x18"):
        if not find_spec("zstandard"):
            raise MissingExtra("an archive in Zstandard", "bulk")
        return _ZstdMember
    return None


def next_record(file: BinaryIO, start: int) -> int | None:
    """Return the first offset from `start` at which a record or a compressed member with one begins; None at the end.

    A member is recognised by its first bytes and its decompressed content, an uncompressed record by the empty line
    before it.
    """
    file.seek(0)
    opened = unpacking(file.read(4))
    sign = b"\r\n\r\nWARC/1." if opened is None else _GZIP if opened is _gzip_member else _ZSTD
    back = 4 if opened is None else 0
    if not start:
        return 0
    at = max(0, start - back)
    file.seek(at)
    buffer = b""
    while piece := file.read(1024 * 1024):
        buffer += piece
        place = buffer.find(sign)
        while place >= 0:
            if opened is None or _begins_record(opened, file, at + place):
                return at + place + back
            place = buffer.find(sign, place + 1)
        keep = len(sign) - 1
        at += max(0, len(buffer) - keep)
        buffer = buffer[-keep:]
        file.seek(at + len(buffer))
    return None


def _begins_record(opened: Callable[[], Any], file: BinaryIO, place: int) -> bool:
    file.seek(place)
    try:
        return bool(opened().decompress(file.read(PIECE), 16).startswith(b"WARC/1."))
    except _damage():
        return False


def _gzip_member() -> Any:
    return _inflation().decompressobj(16 + zlib.MAX_WBITS)


@cache
def _inflation() -> Any:
    try:
        from isal import isal_zlib
    except ImportError:
        return zlib
    return isal_zlib


def _damage() -> tuple[type[Exception], ...]:
    """Return the exceptions that decompressing damaged data can raise."""
    errors: list[type[Exception]] = [zlib.error, _inflation().error]
    if find_spec("zstandard"):
        import zstandard

        errors.append(zstandard.ZstdError)
    return tuple(errors)


class _ZstdMember:
    """A Zstandard frame with the interface of zlib's decompressor."""

    def __init__(self) -> None:
        import zstandard

        self._frame = zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW).decompressobj()
        self.unused_data = self.unconsumed_tail = b""

    @property
    def eof(self) -> bool:
        """Return whether the frame has ended."""
        return bool(self._frame.eof)

    def decompress(self, data: bytes, most: int) -> bytes:
        """Return about `most` bytes. The rest is in `unconsumed_tail`, or in `unused_data` at the end."""
        output = bytearray()
        at = 0
        while at < len(data) and len(output) < most and not self._frame.eof:
            output += self._frame.decompress(data[at : at + _SLICE])
            at = min(at + _SLICE, len(data))
        rest = data[at:]
        if self._frame.eof:
            self.unused_data, self.unconsumed_tail = self._frame.unused_data + rest, b""
        else:
            self.unconsumed_tail = rest
        return bytes(output)


def fields_of(lines: bytes) -> Iterator[tuple[str, str]]:
    """Yield header lines as lower-case names and values."""
    for line in lines.splitlines():
        name, colon, value = line.partition(b":")
        if colon:
            yield name.strip().lower().decode("latin-1"), value.strip().decode("utf-8", "replace")


def record(kind: str, url: str, block: bytes, content_type: str, when: float) -> bytes:
    """Return a record for a compressed WARC file, as a gzip member of its own."""
    date = datetime.fromtimestamp(when, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    name = uuid5(_NAMESPACE, f"{kind} {url} {date} {zlib.crc32(block)}")
    head = (
        "WARC/1.1\r\n"
        f"WARC-Type: {kind}\r\n"
        f"WARC-Record-ID: <urn:uuid:{name}>\r\n"
        f"WARC-Date: {date}\r\n"
        + (f"WARC-Target-URI: {url}\r\n" if url else "")
        + f"Content-Type: {content_type}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return gzip.compress(head.encode("utf-8") + block + b"\r\n\r\n", mtime=0)
