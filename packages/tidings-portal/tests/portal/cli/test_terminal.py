"""C1 and bidirectional control characters do not reach a terminal; JSON escapes C1."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_commands import Tidings, out, tidings  # noqa: F401  # the fixture
from tests.portal.store.made import new
from tidings_portal import store

HOSTILE = "Ship \u009b2J turns \u202eback\u202c \u2066now\u2069 \u009d0;evil\u009c"
CONTROLS = set("\u009b\u009c\u009d\u202e\u202c\u2066\u2069\u200f")
PAGE = f"""<!doctype html><html lang=en><title>{HOSTILE}</title><article><h1>{HOSTILE}</h1>
<p>{HOSTILE}. The ferry to Little Wexcombe waits for the tide twice a day, and since Monday for its captain.</p>
<p>The harbour office has asked the passengers to bring a book, and has lent them some of its own books too.</p>
</article></html>"""


def on_a_terminal(*arguments: str | Path) -> str:
    """What a command writes to a terminal."""
    pty = pytest.importorskip("pty", reason="pseudo-terminals")
    parent, child = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "200"}
    command = [sys.executable, "-m", "tidings", *map(str, arguments)]
    with subprocess.Popen(command, stdout=child, stderr=child, stdin=child, env=environment) as process:
        os.close(child)
        written = b""
        while True:
            try:
                part = os.read(parent, 65_536)
            except OSError:  # Linux: the other side is closed
                break
            if not part:
                break
            written += part
        process.wait(60)
    os.close(parent)
    return written.decode("utf-8", "replace")


@pytest.fixture
def where(tmp_path: Path) -> Path:
    path = tmp_path / "news.tidings"
    with store.open(path) as opened:
        opened.keep([new(1, HOSTILE, f"{HOSTILE} and some more words of it.")])
    return path


@pytest.mark.parametrize(
    "command", [("read", "1"), ("feed",), ("search", "ship"), ("list",), ("edition",), ("export",)]
)
def test_no_command_writes_them_to_a_terminal(where: Path, command: tuple[str, ...]) -> None:
    written = on_a_terminal(*command, "--store", where)
    assert written.strip()
    assert not CONTROLS & set(written)


@pytest.mark.parametrize("form", ["text", "markdown", "json", "html"])
def test_extract_on_a_terminal(tmp_path: Path, form: str) -> None:
    file = tmp_path / "page.html"
    file.write_text(PAGE, encoding="utf-8")
    written = on_a_terminal("extract", file, "--format", form)
    assert "Little Wexcombe" in written
    assert not CONTROLS & set(written)


def test_json_escapes_c1(tidings: Tidings, tmp_path: Path) -> None:  # noqa: F811
    file = tmp_path / "page.html"
    file.write_text(PAGE, encoding="utf-8")
    for form in ("json", "jsonl"):
        written = out(tidings("extract", file, "--format", form))
        assert json.loads(written)
        assert not any("\x80" <= char <= "\x9f" for char in written)


def test_a_document_that_is_piped_stays_as_it_is(where: Path) -> None:
    command = [sys.executable, "-m", "tidings", "feed", "--store", str(where)]
    written = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    assert "back" in written
