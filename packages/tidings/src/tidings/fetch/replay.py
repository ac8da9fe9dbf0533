"""The web as it was: answers from a WARC file or from a folder instead of the network.

A sibling of `Live`, not a stand-in for tests alone: pages kept once can be read again by better rules. Redirects in
the file are answered as redirects, so `Following(Archive.of(path))` behaves as the live web did. Caps hold here too.

Pages that are here already, as something to fetch: their own addresses answer, and nothing else does.

A browser that shows a saved page asks for its styles, scripts and pictures; none of them may lead to the network.

What is fetched, kept: every answer that comes through goes into a WARC file, and `replay` gives it back.

Bodies are kept as they were read, decompressed, and the headers that speak of their compression are renamed, as
archives of what a browser saw do. Failures are not kept: there is nothing of the web in them.
"""

from __future__ import annotations

import mimetypes
import os
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final, Self
from urllib.parse import unquote

from tidings.errors import BadArchive, FetchError, InputError, InvalidURL, NotRecorded, Undecodable
from tidings.fetch import warc
from tidings.fetch.decompress import PIECE, ResponseBody, read_body
from tidings.fetch.exchange import REDIRECTS, Fetcher, Limits, Outcome, Request, Response, Validators, as_value, phrase
from tidings.fetch.live import Following
from tidings.fetch.robots import our_version
from tidings.fetch.warc import MAX_HEAD, Head, fields_of, record
from tidings.urls import URL

#: Where saved pages are shown (RFC 2606, 2): their own addresses may be anything, or unknown.
HERE: Final = "http://saved.invalid/"


@dataclass(frozen=True, slots=True)
class SavedPages:
    """Pages by the address where they are shown, and no web around them."""

    sources: Mapping[str, str]  # HTML, decoded

    async def fetch(self, request: Request) -> Outcome:
        """Return the page, if it is one that is asked for."""
        source = self.sources.get(request.url.partition("#")[0])
        if source is None:
            return NotRecorded(request.url, "a saved page is shown without what it would load")
        headers = (("content-type", "text/html; charset=utf-8"),)
        return Response(request.url, 200, headers, source.encode("utf-8", "replace"), request.kind)


#: True of the bytes that were sent, not of those that are kept.
_OF_TRANSFER: Final = frozenset(("content-encoding", "content-length", "transfer-encoding"))


class Recording:
    """Passes requests on to another fetcher and writes what comes back. Use it as `with Recording(live, path) as …`.

    Args:
        inner: who fetches.
        path: the WARC file; what is there already stays, and more is added behind it.
    """

    def __init__(self, inner: Fetcher, path: Path) -> None:
        self._inner = inner
        self._path = path
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    async def fetch(self, request: Request) -> Outcome:
        """Fetch, and keep the answer and the redirects on the way to it.

        Raises:
            BadArchive: the file cannot be written.
        """
        outcome = await self._inner.fetch(request)
        if not isinstance(outcome, FetchError) and not outcome.not_modified:
            # One write without a pause in it, so that tasks do not mix their records.
            self._write(b"".join(_records(outcome)), outcome.fetched_at)
        return outcome

    def _write(self, data: bytes, when: float) -> None:
        whole = 0
        try:
            if self._file is None:
                self._file = self._path.open("ab")
            whole = self._file.tell()
            if not whole:
                about = f"software: Tidings/{our_version()}\r\nformat: WARC File Format 1.1\r\n".encode()
                data = record("warcinfo", "", about, "application/warc-fields", when) + data
            self._file.write(data)
            self._file.flush()
        except OSError as error:
            self._give_up(whole)
            advice = "free some space or name another file"
            raise BadArchive(f"{self._path} cannot be written: {error.strerror}; {advice}") from error

    def _give_up(self, whole: int) -> None:
        """Close the file and take back half a record, behind which nothing could be read."""
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):
                file.close()
            with suppress(OSError):
                os.truncate(self._path, whole)


def _records(response: Response) -> list[bytes]:
    kind = "application/http;msgtype=response"
    hops = [
        record("response", hop.url, _message(hop.status, (("location", hop.location),), b""), kind, response.fetched_at)
        for hop in response.redirects
    ]
    body = _message(response.status, response.headers, response.body)
    return [*hops, record("response", response.url, body, kind, response.fetched_at)]


def _message(status: int, headers: tuple[tuple[str, str], ...], body: bytes) -> bytes:
    lines = [f"HTTP/1.1 {phrase(status)}"]
    for name, value in headers:
        lines.append(f"x-archive-orig-{name}: {value}" if name in _OF_TRANSFER else f"{name}: {value}")
    lines.append(f"content-length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode("utf-8") + body


_HTTP: Final = b"HTTP/"


def replay(path: Path | str, limits: Limits | None = None) -> Following:
    """What was kept in a WARC file (.warc, .warc.gz) or in a folder, redirects followed.

    Raises:
        InputError: there is no such file or folder.
        BadArchive: the file is no WARC.
    """
    kept = Path(path)
    limits = limits or Limits()
    if kept.is_dir():
        return Following(Folder(kept, limits), limits.redirects)
    if not kept.is_file():
        raise InputError(f"there is no WARC file or folder called {kept}")
    return Following(Archive.of(kept, limits), limits.redirects)


@dataclass(frozen=True, slots=True)
class Archive:
    """The answers in a WARC file; of several for one address, the last. Make it with `Archive.of`."""

    path: Path
    heads: Mapping[str, Head]  # by address
    limits: Limits = field(default_factory=Limits)

    @classmethod
    def of(cls, path: Path, limits: Limits | None = None) -> Archive:
        """Go through a file for where everything is.

        Raises:
            BadArchive: it is no WARC file, or a damaged one.
        """
        found: dict[str, Head] = {}
        for head in warc.heads(path):
            if head.kind in ("response", "resource"):
                with suppress(InvalidURL):  # one that could not be asked for anyway
                    found[URL.parse(head.url).url] = head
        return cls(path, found, limits or Limits())

    async def fetch(self, request: Request) -> Outcome:
        """What the server answered then."""
        try:
            url = URL.parse(request.url).url
            head = self.heads.get(url)
            if head is None:
                return NotRecorded(url, f"{self.path} has no answer for this address")
            with closing(warc.block(self.path, head)) as pieces:
                return await self._answer(pieces, head, url, request)
        except FetchError as error:
            return as_value(error)
        except BadArchive as error:  # the rest of the file may be whole
            return Undecodable(url, f"cannot be read: {error}")

    async def _answer(self, pieces: Iterator[bytes], head: Head, url: str, request: Request) -> Outcome:
        if head.kind == "resource":
            headers: tuple[tuple[str, str], ...] = (("content-type", head.fields.get("content-type", "")),)
            status, rest = 200, b""
        else:
            status, headers, rest = _http_head(self.path, pieces)
        known = dict(headers)
        if unchanged(known, request.validators):
            return Response(url, 304, headers, kind=request.kind, fetched_at=head.date)
        if status in REDIRECTS and "location" in known:
            return Response(url, status, headers, kind=request.kind, fetched_at=head.date)
        body = _chain(rest, pieces)
        if "chunked" in known.get("transfer-encoding", "").lower():
            body = dechunked(body)
        read = await _read(body, url, known.get("content-encoding", ""), request, self.limits)
        return Response(url, status, headers, read.data, request.kind, read.truncated, fetched_at=head.date)


@dataclass(frozen=True, slots=True)
class Folder:
    """Files laid out as a copy of the web: `folder/host/path`, `index.html` where a path ends in a slash."""

    path: Path
    limits: Limits = field(default_factory=Limits)

    async def fetch(self, request: Request) -> Outcome:
        """Return the file that stands for an address."""
        try:
            address = URL.parse(request.url)
        except FetchError as error:
            return as_value(error)
        try:
            found = self._file(address)
            if found is None:
                return NotRecorded(address.url, f"the folder {self.path} has no file for this address")
            kind = mimetypes.guess_type(found.name.removesuffix(".gz"))[0] or "text/html"
            with found.open("rb") as stream:
                pieces = iter(lambda: stream.read(PIECE), b"")
                read = await _read(pieces, address.url, "", request, self.limits)
            when = found.stat().st_mtime
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
                found = home.joinpath(name.lstrip("/") + ending).resolve()
                if found.is_relative_to(home) and found.is_file():
                    return found
        return None


def unchanged(headers: dict[str, str], asked: Validators) -> bool:
    """Return whether what the caller has is what is kept here (RFC 9110, 13.1.2 and 13.1.3)."""
    if asked.etag:
        return headers.get("etag", "").removeprefix("W/") == asked.etag.removeprefix("W/")
    return bool(asked.last_modified) and headers.get("last-modified") == asked.last_modified


async def _read(pieces: Iterable[bytes], url: str, coding: str, request: Request, limits: Limits) -> ResponseBody:
    cap = limits.cap(request.kind)

    async def chunks() -> AsyncIterator[bytes]:
        for piece in pieces:
            yield piece

    return await read_body(chunks(), url, coding, request.kind, cap)


def _http_head(path: Path, pieces: Iterator[bytes]) -> tuple[int, tuple[tuple[str, str], ...], bytes]:
    """Return status and headers of the answer in a record, and what came after them in the same piece."""
    held = b""
    for piece in pieces:
        held += piece
        ends = [held.find(end) + len(end) for end in (b"\r\n\r\n", b"\n\n") if end in held]
        if ends:
            head, rest = held[: min(ends)], held[min(ends) :]
            first, _, lines = head.partition(b"\n")
            words = first.split()
            if not first.startswith(_HTTP) or len(words) < 2 or not words[1].isdigit():
                break
            return int(words[1]), tuple(fields_of(lines)), rest
        if len(held) > MAX_HEAD:
            break
    raise BadArchive(f"{path} has a record that holds no HTTP answer")


def _chain(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def dechunked(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield a body kept as it was sent, in chunks (RFC 9112, 7.1); one that was put together before is left as it
    is.
    """
    held, left, begun = b"", 0, False
    for piece in pieces:
        held += piece
        while held:
            if left:
                part, held = held[:left], held[left:]
                left -= len(part)
                yield part
                continue
            line, end, after = held.lstrip(b"\r\n").partition(b"\n")
            if not end and len(held) < 1024:
                break
            try:
                left = int(line.partition(b";")[0].strip(), 16)
            except ValueError:
                if begun:
                    return
                yield held
                yield from pieces
                return
            begun, held = True, after
            if not left:
                return
