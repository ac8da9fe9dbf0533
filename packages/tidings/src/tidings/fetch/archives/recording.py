"""Recording of responses to a WARC file, which `replay` reads.

Bodies are stored decompressed, and the headers about their compression are renamed, as web archives of browser sessions
do. Errors are not recorded.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final, Self

from tidings.errors import BadArchive, FetchError
from tidings.fetch.agent import our_version
from tidings.fetch.archives.warc import record
from tidings.fetch.messages import Fetcher, Outcome, Request, Response, phrase

#: Headers that describe the transferred bytes, not the stored ones.
_OF_TRANSFER: Final = frozenset(("content-encoding", "content-length", "transfer-encoding"))


class Recording:
    """A fetcher that records the responses of another fetcher. Use it as `with Recording(live, path) as …`.

    Args:
        inner: the other fetcher.
        path: the WARC file, to which records are appended.
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
        """Close the WARC file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    async def fetch(self, request: Request) -> Outcome:
        """Fetch a resource and record the response with its redirects.

        Raises:
            BadArchive: the file cannot be written.
        """
        outcome = await self._inner.fetch(request)
        if not isinstance(outcome, FetchError) and not outcome.not_modified:
            # A single write without awaiting, so that tasks do not mix their records.
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
        """Close the WARC file after a failed write, and remove the incomplete record, after which nothing could be
        read.
        """
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
