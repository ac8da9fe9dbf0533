"""`tidings lab annotate` as a process that is killed, and the script that installs the browser."""

from __future__ import annotations

import http.client
import json
import os
import shutil
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

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "system-packages"


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


def tool_box(folder: Path, **programs: str) -> dict[str, str]:
    """An environment with only these programs, besides what the script itself uses."""
    folder.mkdir()
    for name in ("bash", "sed", "timeout"):
        (folder / name).symlink_to(shutil.which(name) or name)
    for name, script in programs.items():
        (folder / name).write_text(f"#!{shutil.which('bash')}\n{script}\n")
        (folder / name).chmod(0o755)
    return {"PATH": str(folder)}


def install(environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", str(SCRIPT)], env=environment, capture_output=True, text=True, check=True)


@pytest.mark.skipif(os.name != "posix", reason="a script for Debian")
def test_packages_are_installed_where_they_can_be(tmp_path: Path) -> None:
    log = tmp_path / "log"
    others = {"cargo": "", "fc-list": "echo a font", "java": "", "newsboat": "", "pg_ctl": "", "timbl": "", "weka": ""}
    assert install(tool_box(tmp_path / "all", chromium="", **others)).stdout == ""
    alone = install(tool_box(tmp_path / "none", id="echo 1000", **others))
    assert alone.stdout == "skipped until they are installed: tests in a real browser (package chromium)\n"
    apt = f'echo "$1" >> {log}'
    assert (
        install(tool_box(tmp_path / "works", **others, **{"id": "echo 0", "apt-get": apt})).stdout
        == "installing chromium …\n"
    )
    assert log.read_text().split() == ["install"]
    log.unlink()
    fails = install(tool_box(tmp_path / "fails", **others, **{"id": "echo 0", "apt-get": f'{apt}; [ "$1" = update ]'}))
    assert "could not be installed" in fails.stdout
    assert log.read_text().split() == ["install", "update", "install"]
    without = install(tool_box(tmp_path / "without", id="echo 1000", chromium="", **{**others, "fc-list": ""}))
    assert "Japanese, Chinese and Korean letters in pictures of pages (package fonts-noto-cjk)" in without.stdout
