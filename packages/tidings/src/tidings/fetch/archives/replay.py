"""Replay: responses from a WARC file or a folder instead of the network.

This is not only for tests: stored pages can be read again by better rules. Redirects in the file are returned as
redirects, so `Following(Archive.of(path))` behaves like the live web did. Size limits apply too.
"""

from __future__ import annotations

import mimetypes
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from tidings.errors import BadArchive, FetchError, InputError, InvalidURL, NotRecorded, Undecodable
from tidings.fetch.archives import warc
from tidings.fetch.archives.warc import MAX_HEAD, Head, fields_of
from tidings.fetch.bodies.decompress import PIECE
from tidings.fetch.bodies.response_body import ResponseBody, read_body
from tidings.fetch.limits import Limits
from tidings.fetch.messages import REDIRECTS, Outcome, Request, Response, Validators, as_value
from tidings.fetch.redirects import Following
from tidings.urls import URL

_HTTP: Final = b"HTTP/"


def replay(path: Path | str, limits: Limits | None = None) -> Following:
    """Return a fetcher for a WARC file (.warc, .warc.gz) or a folder that follows redirects.

    Raises:
        InputError: there is no such file or folder.
        BadArchive: the file is not a WARC file.
    """
    source = Path(path)
    limits = limits or Limits()
    if source.is_dir():
        return Following(Folder(source, limits), limits.redirects)
    if not source.is_file():
        raise InputError(f"there is no WARC file or folder called {source}")
    return Following(Archive.of(source, limits), limits.redirects)


@dataclass(frozen=True, slots=True)
class Archive:
    """A fetcher for the responses in a WARC file; the last one counts for each URL. Create it with `Archive.of`."""

    path: Path
    heads: Mapping[str, Head]  # by URL
    limits: Limits = field(default_factory=Limits)

    @classmethod
    def of(cls, path: Path, limits: Limits | None = None) -> Archive:
        """Index the records of a WARC file.

        Raises:
            BadArchive: the file is not a WARC file, or damaged.
        """
        heads_by_url: dict[str, Head] = {}
        for head in warc.heads(path):
            if head.kind in ("response", "resource"):
                with suppress(InvalidURL):  # such a URL could not be requested anyway
                    heads_by_url[URL.parse(head.url).url] = head
        return cls(path, heads_by_url, limits or Limits())

    async def fetch(self, request: Request) -> Outcome:
        """Return the recorded response to a request."""
        try:
            url = URL.parse(request.url).url
            head = self.heads.get(url)
            if head is None:
                return NotRecorded(url, f"{self.path} has no answer for this address")
            with closing(warc.block(self.path, head)) as pieces:
                return await self._answer(pieces, head, url, request)
        except FetchError as error:
            return as_value(error)
        except BadArchive as error:  # the rest of the file may be intact
            return Undecodable(url, f"cannot be read: {error}")

    async def _answer(self, pieces: Iterator[bytes], head: Head, url: str, request: Request) -> Outcome:
        if head.kind == "resource":
            headers: tuple[tuple[str, str], ...] = (("content-type", head.fields.get("content-type", "")),)
            status, rest = 200, b""
        else:
            status, headers, rest = _http_head(self.path, pieces)
        header_values = dict(headers)
        if is_unchanged(header_values, request.validators):
            return Response(url, 304, headers, kind=request.kind, fetched_at=head.date)
        if status in REDIRECTS and "location" in header_values:
            return Response(url, status, headers, kind=request.kind, fetched_at=head.date)
        body = _chain(rest, pieces)
        if "chunked" in header_values.get("transfer-encoding", "").lower():
            body = dechunked(body)
        read = await _read(body, url, header_values.get("content-encoding", ""), request, self.limits)
        return Response(url, status, headers, read.data, request.kind, read.truncated, fetched_at=head.date)


@dataclass(frozen=True, slots=True)
class Folder:
    """A fetcher for files laid out as a copy of the web: `folder/host/path`, with `index.html` for paths that end in
    a slash.
    """

    path: Path
    limits: Limits = field(default_factory=Limits)

    async def fetch(self, request: Request) -> Outcome:
        """Return the file for a URL."""
        try:
            address = URL.parse(request.url)
        except FetchError as error:
            return as_value(error)
        try:
            file = self._file(address)
            if file is None:
                return NotRecorded(address.url, f"the folder {self.path} has no file for this address")
            kind = mimetypes.guess_type(file.name.removesuffix(".gz"))[0] or "text/html"
            with file.open("rb") as stream:
                pieces = iter(lambda: stream.read(PIECE), b"")
                read = await _read(pieces, address.url, "", request, self.limits)
            when = file.stat().st_mtime
        except FetchError as error:
            return as_value(error)
        except OSError as error:
            return NotRecorded(address.url, f"its file cannot be read: {error.strerror}")
        headers = (("content-type", kind),)
        return Response(address.url, 200, headers, read.data, request.kind, read.truncated, fetched_at=when)

    def _file(self, address: URL) -> Path | None:
        home = self.path.joinpath(address.authority).resolve()
        path, mark, query = address.target.partition("?")
        for name in (unquote(path) + mark + query, unquote(path)):
            endings = ("index.html",) if name.endswith("/") else ("", ".html", "/index.html")
            for ending in endings:
                if "\0" in name:
                    return None
                file = home.joinpath(name.lstrip("/") + ending).resolve()
                if file.is_relative_to(home) and file.is_file():
                    return file
        return None


def is_unchanged(headers: dict[str, str], validators: Validators) -> bool:
    """Return whether the stored response matches the caller's validators (RFC 9110, 13.1.2 and 13.1.3)."""
    if validators.etag:
        return headers.get("etag", "").removeprefix("W/") == validators.etag.removeprefix("W/")
    return bool(validators.last_modified) and headers.get("last-modified") == validators.last_modified


async def _read(pieces: Iterable[bytes], url: str, coding: str, request: Request, limits: Limits) -> ResponseBody:
    cap = limits.cap(request.kind)

    async def chunks() -> AsyncIterator[bytes]:
        for piece in pieces:
            yield piece

    return await read_body(chunks(), url, coding, request.kind, cap)


def _http_head(path: Path, pieces: Iterator[bytes]) -> tuple[int, tuple[tuple[str, str], ...], bytes]:
    """Return status and headers of a recorded response, and the bytes after them in the last piece."""
    buffer = b""
    for piece in pieces:
        buffer += piece
        ends = [buffer.find(end) + len(end) for end in (b"\r\n\r\n", b"\n\n") if end in buffer]
        if ends:
            head, rest = buffer[: min(ends)], buffer[min(ends) :]
            first, _, lines = head.partition(b"\n")
            words = first.split()
            if not first.startswith(_HTTP) or len(words) < 2 or not words[1].isdigit():
                break
            return int(words[1]), tuple(fields_of(lines)), rest
        if len(buffer) > MAX_HEAD:
            break
    raise BadArchive(f"{path} has a record that holds no HTTP answer")


def _chain(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def dechunked(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Decode a chunked body (RFC 9112, 7.1). A body that is not chunked passes unchanged."""
    buffer, remaining, has_begun = b"", 0, False
    for piece in pieces:
        buffer += piece
        while buffer:
            if remaining:
                part, buffer = buffer[:remaining], buffer[remaining:]
                remaining -= len(part)
                yield part
                continue
            line, end, after = buffer.lstrip(b"\r\n").partition(b"\n")
            if not end and len(buffer) < 1024:
                break
            try:
                remaining = int(line.partition(b";")[0].strip(), 16)
            except ValueError:
                if has_begun:
                    return
                yield buffer
                yield from pieces
                return
            has_begun, buffer = True, after
            if not remaining:
                return
