"""What is fetched, kept: every answer that comes through goes into a WARC file, and `replay` gives it back.

Bodies are kept as they were read, decompressed, and the headers that speak of their compression are renamed, as
archives of what a browser saw do. Failures are not kept: there is nothing of the web in them.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self

from tidings.errors import BadArchive, FetchError
from tidings.fetch.agent import our_version
from tidings.fetch.exchange import Fetcher, Outcome, Request, Response, phrase
from tidings.fetch.warc import record

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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
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
