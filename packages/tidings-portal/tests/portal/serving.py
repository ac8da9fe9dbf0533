"""`tidings serve` in a process of its own, as people run it, and a small news site on loopback for it to read."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


@dataclass(frozen=True)
class Served:
    """A portal that is open."""

    host: str
    port: int
    process: subprocess.Popen[str]
    setup: str = ""  # the token with which the first account is opened

    @property
    def address(self) -> str:
        return f"http://{self.host}:{self.port}"


@contextmanager
def served(path: Path, *options: str, files: int = 0) -> Iterator[Served]:
    """Open a portal over a store, on a free port; each of its processes may have so many open files."""
    command = [sys.executable, "-m", "tidings", "serve", "--port", "0", "--store", str(path), *options]
    environment = {**os.environ, "COLUMNS": "300", "NO_COLOR": "1"}
    if files:
        command = ["/bin/sh", "-c", f'ulimit -n {files}; exec "$@"', "sh", *command]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stderr is not None
            said = ""
            while "runs at" not in said:
                line = process.stderr.readline()
                assert line, said
                said += line
            found = re.search(r"http://([\d.]+):(\d+)/", said)
            assert found, said
            setup = re.search(r"the setup token ([0-9a-f]+)", said)
            yield Served(found[1], int(found[2]), process, setup[1] if setup else "")
        finally:
            process.kill()


@contextmanager
def site(pages: dict[str, tuple[str, str]]) -> Iterator[str]:
    """A web server on loopback that has some pages: media type and text by path. `{here}` in a text is its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, text = pages.get(self.path, ("text/plain", ""))
            body = text.replace("{here}", here).encode()
            self.send_response(200 if self.path in pages else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        here = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield here
        finally:
            server.shutdown()
