"""WARC files (ISO 28500), read and written: what was fetched once, kept with its headers.

Reading never holds more than a piece of a record: the file is gone through once for where each record begins, and a
record is opened again when it is wanted. A compressed file is a row of gzip members or Zstandard frames, usually one a
record; where it is not, the record's place is its member and how far into it. Where `isal` is installed it inflates,
more than twice as fast as zlib.
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
from tidings.fetch.decompress import PIECE, ZSTD_WINDOW
from tidings.fetch.exchange import BOMB

#: A record's headers, and those of the answer in it, have so many bytes at the most.
MAX_HEAD: Final = 64 * 1024
#: A gzip member is looked at for being a bomb once it has grown beyond this.
_SUSPICIOUS: Final = 64 * 1024 * 1024
#: Names our records by what is in them, so that the same answers give the same file.
_NAMESPACE: Final = UUID("6f0a3c1e-6f9b-5a53-9d0f-6c8f3c0f5a11")
_GZIP: Final = b"\x1f\x8b\x08"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
#: Bytes of Zstandard that are decompressed at one time; 1 KB becomes 32 MB at the most.
_SLICE: Final = 1024


@dataclass(frozen=True, slots=True)
class RecordPlace:
    """Where a record begins: the byte of the file, and in a compressed file how far behind it."""

    offset: int
    inside: int = 0


@dataclass(frozen=True, slots=True)
class Head:
    """A record's headers and where it is."""

    place: RecordPlace
    fields: dict[str, str]  # names in lower case

    @property
    def kind(self) -> str:
        """response, request, resource, revisit, metadata, warcinfo …"""
        return self.fields.get("warc-type", "").lower()

    @property
    def url(self) -> str:
        """The address that it is about."""
        return self.fields.get("warc-target-uri", "").strip("<>")

    @property
    def length(self) -> int:
        """Bytes of the block behind the headers."""
        return int(self.fields["content-length"])

    @property
    def date(self) -> float:
        """When it was fetched, in seconds since 1970; 0 if it does not say."""
        try:
            return datetime.fromisoformat(self.fields.get("warc-date", "")).timestamp()
        except ValueError:
            return 0.0


def heads(path: Path) -> Iterator[Head]:
    """Yield all records of a file in order, without their blocks.

    Raises:
        BadArchive: it cannot be read, or is damaged from some place on.
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
    """Yield the block of a record, in pieces; stop asking when there is enough.

    Raises:
        BadArchive: it cannot be read, or ends too early.
    """
    with _opened(path) as file:
        source = RecordFile(file, head.place, str(path))
        source.head()
        left = head.length
        while left:
            piece = source.take(min(left, PIECE))
            if not piece:
                raise BadArchive(f"{path} ends in the middle of the record of {head.url}")
            left -= len(piece)
            yield piece


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise BadArchive(f"{path} cannot be read: {error.strerror}") from error


class RecordFile:
    """The bytes of a file from a place on, decompressed, and never more than a piece of them held."""

    def __init__(self, file: BinaryIO, place: RecordPlace, path: str) -> None:
        self._file = file
        self._path = path
        self._at = place.offset  # of the file, behind what `_raw` holds
        self._raw = b""
        self._held = b""  # decompressed, of one member
        self._size = file.seek(0, SEEK_END)
        file.seek(0)
        self._unpacking = unpacking(file.read(4))
        self._zipped = self._unpacking is not None
        self._member: Any = None  # as zlib.decompressobj
        self._began = place.offset  # of the member, or of `_held` in a file that is not compressed
        self._before = 0  # bytes of the member before `_held`
        self.skip(place.inside)

    @property
    def place(self) -> RecordPlace:
        """Where what comes next begins."""
        return RecordPlace(self._began, self._before) if self._zipped else RecordPlace(self._began + self._before)

    def head(self) -> Head | None:
        """Return the next record's headers, None at the end."""
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
        found = Head(place, dict(fields_of(lines)))
        said = found.fields.get("content-length", "")
        if not (version.startswith(b"WARC/") and said.isascii() and said.isdigit() and len(said) < 20):
            raise BadArchive(f"{self._path} is damaged: at byte {place.offset:,} there is no WARC record")
        return found

    def take(self, most: int) -> bytes:
        """Some bytes, at most so many; none at the end."""
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
        """Return the whole block of the record whose headers were read last.

        Raises:
            BadArchive: the file ends too early.
        """
        left, pieces = head.length, []
        while left:
            piece = self.take(left)
            if not piece:
                raise BadArchive(f"{self._path} ends in the middle of the record of {head.url}")
            left -= len(piece)
            pieces.append(piece)
        return b"".join(pieces)

    def skip(self, count: int) -> None:
        """Pass over some bytes; in a file that is not compressed they are not even read."""
        if not self._zipped and count > len(self._held):
            self._before += count
            # No system can go to any number that a record may name as its length.
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

    def _fill(self, wanted: int = 0) -> bool:
        """Return whether there is a byte to be had, and then it is held: not many more than are wanted, or than a
        piece.
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
            if not self._inflate(self._member, max(PIECE, wanted)):
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
    """What decompresses a member of a file that begins so; None if it is not compressed.

    Raises:
        MissingExtra: it is Zstandard, and that is not installed.
    """
    if begins.startswith(_GZIP):
        return _gzip_member
    if begins == _ZSTD or (len(begins) == 4 and begins[0] >> 4 == 5 and begins[1:] == b"\x2a\x4d\x18"):
        if not find_spec("zstandard"):
            raise MissingExtra("an archive in Zstandard", "bulk")
        return _ZstdMember
    return None


def next_record(file: BinaryIO, start: int) -> int | None:
    """Return the first byte from `start` on at which a record begins, or a compressed member with one; None behind all.

    A member is told by its first bytes and by what it decompresses to; a record that is not compressed by the empty
    line before it.
    """
    file.seek(0)
    opened = unpacking(file.read(4))
    sign = b"\r\n\r\nWARC/1." if opened is None else _GZIP if opened is _gzip_member else _ZSTD
    back = 4 if opened is None else 0
    if not start:
        return 0
    at = max(0, start - back)
    file.seek(at)
    held = b""
    while piece := file.read(1024 * 1024):
        held += piece
        place = held.find(sign)
        while place >= 0:
            if opened is None or _begins_record(opened, file, at + place):
                return at + place + back
            place = held.find(sign, place + 1)
        keep = len(sign) - 1
        at += max(0, len(held) - keep)
        held = held[-keep:]
        file.seek(at + len(held))
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
    """What decompressing raises where the data is damaged."""
    found: list[type[Exception]] = [zlib.error, _inflation().error]
    if find_spec("zstandard"):
        import zstandard

        found.append(zstandard.ZstdError)
    return tuple(found)


class _ZstdMember:
    """A frame of Zstandard, with the words that zlib has for a member of gzip."""

    def __init__(self) -> None:
        import zstandard

        self._frame = zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW).decompressobj()
        self.unused_data = self.unconsumed_tail = b""

    @property
    def eof(self) -> bool:
        """Whether the frame has ended."""
        return bool(self._frame.eof)

    def decompress(self, data: bytes, most: int) -> bytes:
        """About so many bytes; what is left of the data is in `unconsumed_tail`, or in `unused_data` at the end."""
        made = bytearray()
        at = 0
        while at < len(data) and len(made) < most and not self._frame.eof:
            made += self._frame.decompress(data[at : at + _SLICE])
            at = min(at + _SLICE, len(data))
        rest = data[at:]
        if self._frame.eof:
            self.unused_data, self.unconsumed_tail = self._frame.unused_data + rest, b""
        else:
            self.unconsumed_tail = rest
        return bytes(made)


def fields_of(lines: bytes) -> Iterator[tuple[str, str]]:
    """Yield header lines as names in lower case and values."""
    for line in lines.splitlines():
        name, colon, value = line.partition(b":")
        if colon:
            yield name.strip().lower().decode("latin-1"), value.strip().decode("utf-8", "replace")


def record(kind: str, url: str, block: bytes, content_type: str, when: float) -> bytes:
    """One record as it stands in a compressed file: a gzip member of its own."""
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
