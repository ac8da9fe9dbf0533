"""Readers of the pages in a split (part of the input), from any position on.

Pages are undecoded bytes. A damaged part becomes a record with the reason, and reading continues at the next record.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import tarfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from hashlib import blake2b
from importlib import import_module
from io import BytesIO
from itertools import islice
from typing import Any, BinaryIO, Final, Self

from tidings.bulk import files
from tidings.bulk.schema import parquet
from tidings.bulk.splits import InputSplit
from tidings.errors import BadArchive, InputError, TidingsError, printable
from tidings.fetch import Guard, Live, Request, require
from tidings.fetch.archives.replay import dechunked
from tidings.fetch.archives.warc import Head, RecordFile, RecordPlace, fields_of, next_record
from tidings.fetch.bodies.decompress import BadData, Decompressor
from tidings.fetch.limits import BOMB

#: A place in a split: in an archive the byte offset and an offset inside the member, else a number.
Place = tuple[int, int]
_CONTENT: Final = ("content", "html", "body", "bytes", "raw", "raw_content", "page")
_URL: Final = ("url", "uri", "address", "link", "warc_target_uri")
_PAGE_KINDS: Final = ("response", "resource")
#: The place after the end.
_END: Final = (2**62, 0)
_MOST_LINE: Final = 1024 * 1024
_TELLS_PAGE: Final = ("html", "text/plain", "xml", "octet-stream", "unknown")


@dataclass(frozen=True, slots=True)
class PageRecord:
    """A page of an archive, folder or table, or the reason why it cannot be read."""

    url: str
    content: bytes
    source: str
    offset: int = 0
    content_type: str = ""
    fetched: float | None = None  # seconds since 1970
    status: str = ""  # set if the page must not be read
    reason: str = ""
    length: int | None = None  # size of the page if `content` is missing
    place: Place = (0, 0)  # place of the record
    next: Place = (0, 0)  # place of the next record
    record_id: str = ""  # WARC-Record-ID
    file: str = ""  # identity of the split, for a record without content

    @property
    def digest(self) -> str:
        """Return the digest of the content, or an empty string if there is none."""
        return blake2b(self.content, digest_size=16).hexdigest() if self.content else ""

    @property
    def id(self) -> str:
        """Return a digest that identifies the page independently of the path of its file: of the WARC-Record-ID, else
        of URL and content, else of its position in the file.
        """
        key = self.record_id or self.digest or f"{self.file} {self.offset} {self.place}"
        return blake2b(f"{key}\n{self.url}".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def pages(split: InputSplit, place: Place = (0, 0), *, largest: int = 16 * 1024 * 1024) -> Iterator[PageRecord]:
    """Yield the pages of a split of the input.

    Args:
        split: the split.
        place: the place to start at: `next` of the previous page, or (0, 0).
        largest: largest page in bytes; larger ones are rejected.

    Raises:
        InputError: the file cannot be read, or has another format.
    """
    for record in _READERS[split.form](split, place, largest):
        yield record if record.content else replace(record, file=split.identity)


# -- WARC -------------------------------------------------------------------------------------------------------------


def _warc(split: InputSplit, place: Place, largest: int) -> Iterator[PageRecord]:
    with files.open_file(split.source) as file:
        if place == (0, 0):
            first = next_record(file, split.start)
            if first is None:
                return
            place = (first, 0)
        at: Place | None = place
        while at is not None and (split.end is None or at[0] < split.end):
            try:
                yield from _records(file, split, at, largest)
                return
            except _DamagedAt as damage:
                next_place = next_record(file, damage.place.offset + 1)
                at = None if next_place is None else (next_place, 0)
                yield PageRecord(
                    "",
                    b"",
                    split.source,
                    damage.place.offset,
                    status="error",
                    reason=str(damage),
                    place=(damage.place.offset, damage.place.inside),
                    next=at or _END,
                )


class _DamagedAt(BadArchive):
    """An archive is unreadable from a position on."""

    def __init__(self, place: RecordPlace, reason: str) -> None:
        super().__init__(reason)
        self.place = place


def _records(file: BinaryIO, split: InputSplit, place: Place, largest: int) -> Iterator[PageRecord]:
    """Yield the pages of a file from a position on.

    Raises:
        _DamagedAt: there is no record at a place.
    """
    at = RecordPlace(*place)
    if at.offset >= split.size:
        return
    try:
        source = RecordFile(file, at, split.source)
        while (head := _head(source)) is not None:
            at = head.place
            if split.end is not None and at.offset >= split.end:
                return
            if head.kind not in (*_PAGE_KINDS, "revisit"):
                source.skip(head.length)
            elif head.length > largest + _MOST_LINE:
                source.skip(head.length)
                yield _record(split, head, source, b"", largest)
            else:
                yield _record(split, head, source, source.block(head), largest)
    except _DamagedAt:
        raise
    except BadArchive as error:
        raise _DamagedAt(at, str(error)) from error


def _head(source: RecordFile) -> Head | None:
    """Return the headers of the next record in an archive. Errors are located at the end of the previous
    record.
    """
    try:
        return source.head()
    except BadArchive as error:
        raise _DamagedAt(source.place, str(error)) from error


def _record(split: InputSplit, head: Head, source: RecordFile, block: bytes, largest: int) -> PageRecord:  # noqa: PLR0911  # one per kind
    page_record = partial(
        PageRecord,
        head.url,
        source=split.source,
        offset=head.place.offset,
        fetched=head.date or None,
        place=(head.place.offset, head.place.inside),
        record_id=head.fields.get("warc-record-id", ""),
    )
    end_place = source.place
    go_on = (end_place.offset, end_place.inside)
    if head.kind == "revisit":
        return page_record(content=b"", status="nothing", reason="a revisit: the page is in another record", next=go_on)
    if not block:
        if head.length:
            return page_record(
                content=b"", status="refused", reason=_too_long(head.length, largest), length=head.length, next=go_on
            )
        return page_record(content=b"", next=go_on)
    if head.kind == "resource":
        return page_record(content=block, content_type=head.fields.get("content-type", ""), next=go_on)
    code, headers, body = http_answer(block)
    kind = headers.get("content-type", "")
    if code is None:
        return page_record(content=b"", status="error", reason="the record contains no HTTP response", next=go_on)
    if not 200 <= code < 300:
        return page_record(
            content=b"", status="nothing", reason=f"the server answered {code}", length=len(body), next=go_on
        )
    if not is_page_type(kind):
        reason = f"the server calls it {printable(kind, 80)}"
        return page_record(
            content=b"", content_type=kind, status="not-html", reason=reason, length=len(body), next=go_on
        )
    try:
        content = decoded_body(body, headers, largest)
    except BadData as error:
        return page_record(
            content=b"", content_type=kind, status="error", reason=str(error), length=len(body), next=go_on
        )
    if len(content) > largest:
        reason = _too_long(len(content), largest)
        return page_record(
            content=b"", content_type=kind, status="refused", reason=reason, length=len(content), next=go_on
        )
    return page_record(content=content, content_type=kind, next=go_on)


def _too_long(length: int, largest: int) -> str:
    return f"it has {length:,} bytes or more, and a page may have {largest:,}"


def is_page_type(content_type: str) -> bool:
    """Return whether a Content-Type is HTML, XHTML or plain text, or missing."""
    kind = content_type.partition(";")[0].strip().lower()
    return not kind or any(word in kind for word in _TELLS_PAGE)


def http_answer(block: bytes) -> tuple[int | None, dict[str, str], bytes]:
    """Return status, headers and body of an HTTP response; the status is None if it is invalid."""
    end = block.find(b"\r\n\r\n") + 4
    bare = block.find(b"\n\n", 0, end if end > 3 else len(block)) + 2
    end = bare if bare > 1 else end
    first, _, lines = block[:end].partition(b"\n") if end > 3 else (b"", b"", b"")
    words = first.split()
    if not first.startswith(b"HTTP/") or len(words) < 2 or not words[1].isdigit():
        return None, {}, b""
    return int(words[1]), dict(fields_of(lines)), block[end:]


def decoded_body(body: bytes, headers: Mapping[str, str], largest: int) -> bytes:
    """Decompress a response body. Of a body above the limit, slightly more than the limit is returned.

    Raises:
        BadData: the body cannot be decompressed, or is a decompression bomb.
    """
    if "chunked" in headers.get("transfer-encoding", "").lower():
        body = b"".join(dechunked(iter((body,))))
    coding = headers.get("content-encoding", "")
    if not coding.strip() and not body.startswith(b"\x1f\x8b"):
        return body
    unpack = Decompressor(coding, archive=True)
    output = bytearray()
    for piece in unpack.feed(body):
        output += piece
        if len(output) > largest:
            if len(output) > BOMB * max(len(body), 1):
                raise BadData(f"{len(body):,} compressed bytes become more than {len(output):,}")
            break
    return bytes(output) + (unpack.rest() if len(output) <= largest else b"")


# -- files, tar, tables -----------------------------------------------------------------------------------------------


def _files(split: InputSplit, place: Place, largest: int) -> Iterator[PageRecord]:
    for number in range(place[0], len(split.names)):
        name = split.names[number]
        try:
            with files.open_file(name) as stream:
                content = stream.read(largest + 1)
            yield _file(name, name, 0, content, largest, number)
        except InputError as error:
            yield PageRecord("", b"", name, status="error", reason=str(error), place=(number, 0), next=(number + 1, 0))


def _file(name: str, source: str, offset: int, content: bytes, largest: int, number: int) -> PageRecord:
    status = reason = ""
    if name.lower().endswith(".gz"):
        try:
            with gzip.open(BytesIO(content)) as stream:
                content = stream.read(largest + 1)
        except (OSError, EOFError, zlib.error) as error:
            status, reason = "error", f"{name} cannot be decompressed: {error}"
    if len(content) > largest:
        status, reason = "refused", _too_long(len(content), largest)
    return PageRecord(
        "",
        b"" if status else content,
        source,
        offset,
        status=status,
        reason=reason,
        length=len(content),
        place=(number, 0),
        next=(number + 1, 0),
    )


def _tar(split: InputSplit, place: Place, largest: int) -> Iterator[PageRecord]:
    with files.open_file(split.source) as file:
        stream: Any = file
        if split.source.lower().endswith(".zst"):
            import zstandard

            stream = zstandard.ZstdDecompressor().stream_reader(file)
        try:
            with tarfile.open(fileobj=stream, mode="r|*") as archive:
                members = (member_found for member_found in archive if member_found.isfile())
                for number, member in enumerate(islice(members, place[0], None), place[0]):
                    if member.name.lower().endswith((".html", ".htm", ".xhtml", ".shtml", ".html.gz", ".htm.gz")):
                        content = archive.extractfile(member)
                        data = content.read(largest + 1) if content else b""
                        yield _file(member.name, split.source, member.offset, data, largest, number)
        except (tarfile.TarError, OSError, EOFError, zlib.error) as error:
            reason = f"{split.source} is damaged, or no tar file: {error}"
            yield PageRecord("", b"", split.source, -1, status="error", reason=reason, next=_END)


def _parquet(split: InputSplit, place: Place, largest: int) -> Iterator[PageRecord]:
    first = max(split.start, place[0])
    with files.open_file(split.source) as file:
        try:
            table = parquet().ParquetFile(file)
        except (ValueError, OSError) as error:  # pyarrow's ArrowInvalid is a ValueError
            raise InputError(f"{split.source} is no Parquet file: {error}") from error
        content, url, column_names = _columns(split.source, table.schema_arrow.names)
        end = table.metadata.num_rows if split.end is None else split.end
        row = 0
        groups = []
        for number in range(table.metadata.num_row_groups):
            count = table.metadata.row_group(number).num_rows
            if row + count > first and row < end:
                groups.append((number, row))
            row += count
        for number, begins in groups:
            row = begins
            for batch in table.iter_batches(batch_size=64, row_groups=[number], columns=column_names):
                if row + batch.num_rows > first and row < end:
                    columns = {name: batch.column(name) for name in column_names}
                    for at in range(max(0, first - row), min(batch.num_rows, end - row)):
                        value = columns[content][at].as_py()
                        yield _row(split, row + at, value, columns[url][at].as_py() if url else "", largest)
                row += batch.num_rows


def _columns(source: str, names: Sequence[str]) -> tuple[str, str, list[str]]:
    by_lower = {name.lower(): name for name in names}
    content = next((by_lower[name] for name in _CONTENT if name in by_lower), "")
    url = next((by_lower[name] for name in _URL if name in by_lower), "")
    if not content:
        raise InputError(
            f"{source} has no column of pages: one of {', '.join(_CONTENT)}; it has {printable(', '.join(names), 200)}"
        )
    return content, url, [content, *([url] if url else [])]


def _row(split: InputSplit, number: int, value: Any, url: Any, largest: int) -> PageRecord:
    content = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value or b""
    page_record = partial(
        PageRecord, url or "", source=split.source, offset=number, place=(number, 0), next=(number + 1, 0)
    )
    if not isinstance(content, bytes):
        return page_record(content=b"", status="error", reason=f"the column of pages holds {type(value).__name__}")
    if len(content) > largest:
        return page_record(content=b"", status="refused", reason=_too_long(len(content), largest), length=len(content))
    return page_record(content=content, content_type="text/html; charset=utf-8" if isinstance(value, str) else "")


# -- CDX --------------------------------------------------------------------------------------------------------------


def _cdx(split: InputSplit, place: Place, largest: int) -> Iterator[PageRecord]:
    """Yield the pages to which the lines of a CDX index point, by file, offset and length."""
    with files.open_file(split.source) as file, _ArchiveParts(split.allow) as ranges:
        lines: Any = gzip.open(file) if split.source.lower().endswith(".gz") else file  # noqa: SIM115
        number = -1
        while line := lines.readline(_MOST_LINE):
            number += 1
            if number < max(split.start, place[0]) or not line.strip() or line.startswith((b" CDX", b"!")):
                continue
            try:
                url, name, offset, length = cdx_line(line)
                address = files.join(split.base, name) if split.base else name
                piece = ranges.read(address, offset, min(length, largest + _MOST_LINE))
                yield _indexed(url, address, offset, piece, largest, number)
            except TidingsError as error:
                yield PageRecord(
                    "",
                    b"",
                    split.source,
                    number,
                    status="error",
                    reason=f"line {number + 1}: {error}",
                    place=(number, 0),
                    next=(number + 1, 0),
                )


class _ArchiveParts:
    """Reads parts of archives: from local files, or by HTTP range requests that obey rate limits."""

    def __init__(self, allow: Sequence[str]) -> None:
        self._allow = allow
        self._opened: tuple[str, BinaryIO] | None = None
        self._runner: asyncio.Runner | None = None
        self._live: Live | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._opened is not None:
            self._opened[1].close()
        if self._runner is not None and self._live is not None:
            self._runner.run(self._live.aclose())
            self._runner.close()

    def read(self, address: str, offset: int, length: int) -> bytes:
        """Return bytes of an archive from an offset.

        Raises:
            TidingsError: the bytes cannot be read.
        """
        if address.startswith(("http://", "https://")):
            return self._fetched(address, offset, length)
        if self._opened is None or self._opened[0] != address:
            if self._opened is not None:
                self._opened[1].close()
            self._opened = (address, files.open_file(address))
        self._opened[1].seek(offset)
        return self._opened[1].read(length)

    def _fetched(self, address: str, offset: int, length: int) -> bytes:
        if self._runner is None or self._live is None:
            self._runner = asyncio.Runner()
            self._live = Live(guard=Guard.allowing(self._allow))
        byte_range = f"bytes={offset}-{offset + length - 1}"
        request = Request(address, headers=(("Range", byte_range), ("Accept-Encoding", "identity")))
        answer = require(self._runner.run(self._live.fetch(request)))
        if answer.status != 206:
            raise InputError(f"{address}: the server sends whole files, not {byte_range}: fetch the archive first")
        return answer.body


def _indexed(url: str, address: str, offset: int, piece: bytes, largest: int, number: int) -> PageRecord:
    alone = InputSplit("warc", address, size=len(piece))
    source = RecordFile(BytesIO(piece), RecordPlace(0), f"{address} from byte {offset:,} on")
    head = source.head()
    if head is None:
        raise BadArchive(f"{address} has no record at byte {offset:,}")
    block = source.block(head) if head.length <= largest + _MOST_LINE else b""
    page_record = _record(alone, head, source, block, largest)
    return replace(page_record, url=page_record.url or url, offset=offset, place=(number, 0), next=(number + 1, 0))


def cdx_line(line: bytes) -> tuple[str, str, int, int]:
    """Parse a line of a CDX index into URL, archive, offset and length: CDXJ (SURT, time, JSON) or the eleven fields of
    CDX.

    Raises:
        InputError: the line has neither format.
    """
    text = line.decode("utf-8", "replace").strip()
    try:
        if "{" in text:
            values = json.loads(text[text.index("{") :])
            return str(values.get("url", "")), str(values["filename"]), int(values["offset"]), int(values["length"])
        fields = text.split()
        return fields[2], fields[10], int(fields[9]), int(fields[8])
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise InputError(f"no line of a CDX: {printable(text, 80)}") from error


def _call(split: InputSplit, place: Place, largest: int) -> Iterator[PageRecord]:
    """Yield the pages that a function returns, which is called with source, start, end and the size limit."""
    module, _, name = split.base.partition(":")
    function: Callable[..., Iterator[PageRecord]] = getattr(import_module(module), name)
    return function(split.source, max(split.start, place[0]), split.end, largest)


_READERS: Final[dict[str, Callable[[InputSplit, Place, int], Iterator[PageRecord]]]] = {
    "warc": _warc,
    "files": _files,
    "tar": _tar,
    "parquet": _parquet,
    "cdx": _cdx,
    "call": _call,
}


def moment(seconds: float | None) -> datetime | None:
    """Convert seconds since 1970 to a UTC time."""
    return None if not seconds else datetime.fromtimestamp(seconds, UTC)
