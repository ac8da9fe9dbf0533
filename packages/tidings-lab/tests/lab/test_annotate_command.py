"""`tidings lab annotate` as a process that is killed, and the script that installs the browser."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tidings.cli.app import app
from tidings.errors import InputError


def start(page: Path, out: Path) -> tuple[subprocess.Popen[str], str]:
    words = ["lab", "annotate", str(page), "--no-open", "--port", "0", "--out", str(out)]
    process = subprocess.Popen(
        [sys.executable, "-m", "tidings", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    return process, process.stdout.readline().strip()


def ask(url: str, body: dict[str, Any] | None = None) -> Any:
    parts = urlsplit(url)
    assert parts.hostname
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
    data = None if body is None else json.dumps(body).encode()
    connection.request("POST" if data else "GET", parts.path, data, {"Content-Type": "application/json"})
    with connection.getresponse() as answer:
        said = json.load(answer)
    connection.close()
    return said


def test_kill_nine_and_go_on(tmp_path: Path) -> None:
    page, out = tmp_path / "page.html", tmp_path / "out"
    page.write_text("<h1>Head</h1><p>Some text of it.</p>")
    process, url = start(page, out)
    ask(f"{url}page/0/mark", {"units": [0], "mark": "caption"})
    ask(f"{url}page/0/mark", {"units": [1], "mark": "comment"})
    process.kill()
    process.communicate()
    process, again = start(page, out)
    assert again != url
    said = ask(f"{again}page/0")
    assert (said["marks"], said["undo"], said["state"]) == ([6, 7], 2, "begun")
    ask(f"{again}page/0/save", {})
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 0
    assert "1 of 1 pages saved" in errors


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>Some text of it.</p>")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        words = ["lab", "annotate", str(page), "--no-open", "--port", port, "--out", str(tmp_path / "out")]
        with pytest.raises(InputError, match=f"port {port} cannot be used"):
            app(words, standalone_mode=False)
