"""The API of `tidings serve` itself, over TCP: the real guard, the real server, and bytes that no client would send."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.portal.api.conftest import PAGE
from tests.portal.serving import Served, served, site

pytestmark = pytest.mark.gate

Answer = tuple[int, dict[str, str], bytes]
_END = b"Connection: close\r\n\r\n"


@dataclass(frozen=True)
class Open:
    """A portal that is open, a token to it, and a site that it may read."""

    portal: Served
    secret: str
    site: str

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        connection = HTTPConnection(self.portal.host, self.portal.port, timeout=30)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, named)
            answer = connection.getresponse()
            told = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, told, answer.read()
        finally:
            connection.close()

    def raw(self, data: bytes) -> bytes:
        with socket.create_connection((self.portal.host, self.portal.port), timeout=30) as connection:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            found = b""
            while piece := connection.recv(65_536):
                found += piece
            return found


@pytest.fixture(scope="module")
def opened(stocked: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    where = shutil.copy(stocked, tmp_path_factory.mktemp("wire") / "news.tidings")
    command = [sys.executable, "-m", "tidings", "token", "new", "--write", "--store", str(where)]
    secret = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    with site({"/seals": ("text/html", PAGE)}) as here:
        allowed = here.removeprefix("http://")
        with served(Path(where), "--no-watch", "--no-sample", "--allow-host", allowed) as portal:
            yield Open(portal, secret, here)


def test_a_page_is_read_through_the_guard(opened: Open) -> None:
    status, _, body = opened.ask("GET", f"/api/v1/read?url={quote(opened.site)}/seals")
    assert status == 200
    assert json.loads(body)["title"] == "Seals return"
    for refused in ("http://127.0.0.1:22/", "http://localhost:9/", "http://[::1]/", "http://169.254.169.254/latest/"):
        status, headers, body = opened.ask("GET", f"/api/v1/read?url={quote(refused)}")
        assert (status, headers["content-type"]) == (403, "application/problem+json")
        assert json.loads(body)["code"] == "refused"
    status, _, body = opened.ask("GET", f"/api/v1/read?url={quote(opened.site)}/none")
    assert status == 502


def test_tokens_and_heads(opened: Open) -> None:
    bearer = f"Bearer {opened.secret}"
    body = json.dumps({"address": "https://a.example/feed", "kind": "feed"}).encode()
    kind = "application/json"
    assert opened.ask("POST", "/api/v1/sources", body, Content_Type=kind)[0] == 401
    status, _, told = opened.ask("POST", "/api/v1/sources", body, Content_Type=kind, Authorization=bearer)
    assert status == 201
    number = json.loads(told)["items"][0]["id"]
    assert opened.ask("DELETE", f"/api/v1/sources/{number}", Authorization=bearer)[::2] == (204, b"")
    status, headers, told = opened.ask("HEAD", "/api/v1/articles")
    assert (status, told) == (200, b"")
    assert opened.ask("GET", "/api/v1/articles", If_None_Match=headers["etag"])[::2] == (304, b"")


def test_metrics_trust_nobody(opened: Open) -> None:
    assert b"tidings_articles 7.0" in opened.ask("GET", "/metrics")[2]
    assert opened.ask("GET", "/metrics", X_Forwarded_For="127.0.0.1")[0] == 401
    assert opened.ask("GET", "/metrics", X_Forwarded_For="127.0.0.1", Authorization=f"Bearer {opened.secret}")[0] == 200


@pytest.mark.parametrize(
    "data",
    [
        b"GET /api/v1/articles/\xff\xfe HTTP/1.1\r\nHost: localhost\r\n" + _END,
        b"GET /api/v1/articles/%00 HTTP/1.1\r\nHost: localhost\r\n" + _END,
        b"GET /api/v1/articles?category=%ff%00&limit=%ff HTTP/1.1\r\nHost: localhost\r\n" + _END,
        b"GET /api/v1/articles HTTP/1.1\r\n" + _END,
        b"GET /api/v1/articles HTTP/1.1\r\nHost: evil.example\r\n" + _END,
        b"GET /api/v1/articles HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \xff\xfe\x01\r\n" + _END,
        b"GET http://evil.example/api/v1/sources/99 HTTP/1.1\r\nHost: evil.example\r\n" + _END,
        b"POST /api/v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\nx",
        b"POST /api/v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\nx",
        b"POST /api/v1/extract HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n" + _END + b"zz\r\n",
        b"GET /api/v1/" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n" + _END,
        b"GET /api/v1/articles?" + b"a=1&" * 10_000 + b" HTTP/1.1\r\nHost: localhost\r\n" + _END,
        b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03",
    ],
    ids=range(13),
)
def test_bytes_that_no_client_would_send(opened: Open, data: bytes) -> None:
    answer = opened.raw(data)
    assert answer == b"" or answer.startswith(b"HTTP/1.1 4"), answer[:200]
    assert opened.ask("GET", "/healthz")[0] == 200


def test_a_version_that_there_is_not_yet_is_answered_as_the_newest_or_refused(opened: Open) -> None:
    answer = opened.raw(b"GET /api/v1/articles HTTP/9.9\r\nHost: localhost\r\n" + _END)
    # nothing, where the server sees first that the client has closed its side
    assert answer == b"" or answer.startswith((b"HTTP/1.1 200", b"HTTP/1.1 4", b"HTTP/1.1 505")), answer[:200]


_NEXT = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + _END


@pytest.mark.parametrize(
    "data",
    [
        b"GET /healthz HTTP/1.1\r\nHost:\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: \t \r\n\r\n",
        b"GET /healthz HTTP/1.0\r\nHost:\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost : localhost\r\n\r\n",
        (
            b"POST /api/v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\n"
            b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n0\r\n\r\n"
        ),
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n0\r\n\r\n",
        b"POST /api/v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n<p>",
        b"POST /api/v1/extract HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    ],
    ids=range(11),
)
def test_what_can_be_read_in_two_ways_is_refused_and_nothing_after_it_is_read(opened: Open, data: bytes) -> None:
    """HOSTILE 40: a proxy may have taken what follows for part of it, or the other way round."""
    answer = opened.raw(data + _NEXT)
    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n"), answer[:200]
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b"connection: close" in answer.partition(b"\r\n\r\n")[0].lower()


@pytest.mark.skipif(sys.platform == "win32", reason="ends the portal by a signal")
def test_uploads_that_are_broken_off_fill_no_log(stocked: Path, tmp_path: Path) -> None:
    forms = ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/html")
    uploads = [("/api/v1/extract", forms[2]), ("/beacon", forms[0]), ("/preferences", forms[0]), ("/sources", forms[1])]
    with served(Path(shutil.copy(stocked, tmp_path / "news.tidings")), "--no-watch", "--no-sample") as portal:
        for path, kind in uploads:
            head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\nContent-Length: 50000\r\n\r\n"
            for is_reset in (False, True):
                with socket.create_connection((portal.host, portal.port), timeout=30) as connection:
                    connection.sendall(head.encode() + b"--x\r\n")
                    time.sleep(0.3)  # it is being read
                    if is_reset:
                        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        time.sleep(0.3)
        portal.process.send_signal(signal.SIGTERM)
        assert portal.process.stderr is not None
        assert portal.process.stderr.read() == ""
