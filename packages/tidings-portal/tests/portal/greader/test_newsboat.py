"""Newsboat, a feed reader of others, against a portal that is open: it takes 500 articles, and marks go both ways."""

from __future__ import annotations

import os
import pty
import re
import shutil
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest

from tests.portal.serving import Served, served
from tests.portal.store.made import NOON, new
from tidings_portal import store as stores
from tidings_portal.store.records_of_people import LOCAL, Scope
from tidings_portal.store.records_of_work import NewSource
from tidings_portal.web.access import make_token

pytestmark = [
    pytest.mark.gate,
    pytest.mark.skipif(shutil.which("newsboat") is None, reason="newsboat is not installed: scripts/system-packages"),
]
ARTICLES = 500


@pytest.fixture
def portal(tmp_path: Path) -> Iterator[tuple[Served, Path, str]]:
    """A portal with 500 articles of two feeds, and a token to it."""
    path = tmp_path / "news.tidings"
    made = make_token("newsboat", frozenset({Scope.READ, Scope.WRITE}))
    with stores.open(path) as kept:
        feeds = kept.add_sources(
            [NewSource(f"https://{name}.example/feed", title=name, folder="Press") for name in ("harbour", "hill")],
            NOON,
        )
        kept.keep(
            [
                new(
                    number,
                    f"Story {number}",
                    f"Text of {number}.",
                    sources=(feeds[number % 2],),
                    at=NOON + timedelta(minutes=number),
                )
                for number in range(1, ARTICLES + 1)
            ]
        )
        assert kept.add_token(made.record, LOCAL, NOON)
    with served(path, "--no-watch", "--no-sample") as opened:
        yield opened, path, made.secret


def configured(folder: Path, portal: Served, secret: str) -> list[str]:
    """The command that runs newsboat against a portal, with its files in a folder."""
    folder.mkdir(exist_ok=True)
    (folder / "config").write_text(
        f"""urls-source "feedhq"
feedhq-url "{portal.address}/api/greader.php"
feedhq-login "me"
feedhq-password "{secret}"
feedhq-min-items 1000
feedhq-show-special-feeds no
"""
    )
    (folder / "urls").touch()
    return ["newsboat", "-C", str(folder / "config"), "-u", str(folder / "urls"), "-c", str(folder / "cache.db")]


def unread(folder: Path) -> int:
    with sqlite3.connect(folder / "cache.db") as cache:
        found: int = cache.execute("SELECT count(*) FROM rss_item WHERE unread = 1").fetchone()[0]
    return found


def pressed(command: list[str], folder: Path, *keys: str) -> str:
    """What newsboat draws while somebody presses keys."""
    environment = {
        **os.environ,
        "HOME": str(folder),
        "TERM": "xterm",
        "LANG": "C.UTF-8",
        "LINES": "30",
        "COLUMNS": "100",
    }
    ours, theirs = pty.openpty()
    drawn: list[bytes] = []

    def read() -> None:
        with suppress(OSError):
            while data := os.read(ours, 65_536):
                drawn.append(data)

    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        threading.Thread(target=read, daemon=True).start()
        for key in keys:
            time.sleep(2)
            os.write(ours, key.encode())
        try:
            process.wait(60)
        finally:
            process.kill()
    os.close(ours)
    return b"".join(drawn).decode("utf-8", "replace")


def test_newsboat_takes_500_articles_and_marks_them_both_ways(portal: tuple[Served, Path, str], tmp_path: Path) -> None:
    opened, path, secret = portal
    folder = tmp_path / "newsboat"
    command = configured(folder, opened, secret)
    environment = {**os.environ, "HOME": str(folder)}
    done = subprocess.run(
        [*command, "-x", "reload", "print-unread"],
        capture_output=True,
        text=True,
        timeout=120,
        env=environment,
        check=False,
    )
    assert re.search(rf"\b{ARTICLES}\b", done.stdout), done.stdout + done.stderr
    assert unread(folder) == ARTICLES
    with stores.open(path) as kept:
        kept.mark_read(LOCAL, list(range(1, 101)))
    subprocess.run([*command, "-x", "reload"], capture_output=True, timeout=120, env=environment, check=False)
    assert unread(folder) == ARTICLES - 100
    pressed(command, folder, "A", "q")  # everything of the first feed is read
    with stores.open(path) as kept:
        left = kept.count_unread(LOCAL).number
    assert left == unread(folder) == 200
