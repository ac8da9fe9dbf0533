"""`tidings edition`: a page, a text, a feed, and a letter to a server on loopback."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from email import message_from_bytes, policy
from pathlib import Path

import feedparser
import pytest

from tests.cli.test_commands import Tidings, tidings
from tests.portal.conftest import HOSTILE, fill
from tests.portal.pages.looked_at import harm
from tidings_portal import store as stores
from tidings_portal.cli.edition import _until
from tidings_portal.store.records_of_articles import StoryDraft

__all__ = ["tidings"]
MAIL = ("--to", "smtp", "--smtp-security", "none", "--sender", "paper@example.org", "--recipient", "ann@example.org")


class MailSession(socketserver.StreamRequestHandler):
    """As much of a mail server (RFC 5321) as a letter needs."""

    def handle(self) -> None:
        self._say("220 here")
        while line := self.rfile.readline():
            verb = line[:4].upper()
            if verb == b"DATA":
                self._say("354 go on")
                lines = []
                while (part := self.rfile.readline()) != b".\r\n":
                    lines.append(part.removeprefix(b".") if part.startswith(b"..") else part)
                self.server.letters.append(b"".join(lines))  # type: ignore[attr-defined]
            elif verb == b"RCPT" and b"nobody@" in line:
                self._say("550 there is nobody")
                continue
            elif verb == b"QUIT":
                self._say("221 bye")
                return
            self.server.said.append(line)  # type: ignore[attr-defined]
            self._say("250 ok")

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


@contextmanager
def mail_server() -> Iterator[tuple[str, list[bytes], list[bytes]]]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), MailSession) as server:
        server.letters, server.said = [], []  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}", server.letters, server.said  # type: ignore[attr-defined]
        finally:
            server.shutdown()


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "news.tidings"
    monkeypatch.setenv("TIDINGS_STORE", str(path))
    with stores.open(path) as kept:
        fill(kept)
        kept.save_stories([StoryDraft((4,), HOSTILE, HOSTILE, "en"), StoryDraft((2,), "Işıklar", "Söndü.", "tr")])
    return path


def harmful(page: str) -> list[str]:
    """What could do harm; programs for letters know no style sheets, so that styles of our own are in the page."""
    return [one for one in harm(page) if " style=" not in one]


def test_a_page_a_text_and_a_feed(tidings: Tidings, store: Path, tmp_path: Path) -> None:
    page = tidings("edition", "--address", "https://news.example/").output
    assert "The coast this week" in page
    assert 'href="https://news.example/story/' in page
    assert not harmful(page)
    assert "<script" not in page
    run = tidings("edition", "--out", tmp_path / "paper.txt", "--language", "tr", "--words", "tr")
    assert run.code == 0, run.errors
    text = (tmp_path / "paper.txt").read_text("utf-8")
    assert "Işıklar" in text
    assert "The coast" not in text
    tidings("edition", "--to", "feed", "--out", tmp_path / "paper.rss")
    feed = feedparser.parse((tmp_path / "paper.rss").read_bytes())
    assert not feed.bozo
    assert {one.title for one in feed.entries} >= {"The coast this week", "Işıklar"}


def test_a_letter(tidings: Tidings, store: Path) -> None:
    with mail_server() as (where, letters, said):
        run = tidings("edition", *MAIL, "--smtp", where, "--recipient", "ben@example.org")
        assert run.code == 0, run.errors
    told = message_from_bytes(letters[0], policy=policy.default)
    assert told["To"] == "ann@example.org, ben@example.org"
    assert str(told["Subject"]).startswith("Tidings – ")
    kinds = [part.get_content_type() for part in told.walk()]
    assert kinds == ["multipart/alternative", "text/plain", "text/html"]
    assert "The coast this week" in told.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert not harmful(told.get_body(("html",)).get_content())  # type: ignore[union-attr]
    assert sum(line.upper().startswith(b"RCPT") for line in said) == 2


@pytest.mark.parametrize(
    "wrong",
    [
        ("--recipient", "ann@example.org\r\nBcc: all@example.org"),
        ("--recipient", "ann@example.org, ben@example.org"),
        ("--recipient", "nobody at all"),
        ("--recipient", "ann@exam\nple.org"),
        ("--sender", "me@example.org\nX: y"),
        ("--smtp", "nothing:x"),
        ("--smtp", "127.0.0.1:0"),
        ("--at", "25:00"),
        ("--words", "xx"),
    ],
)
def test_what_cannot_be_a_letter_is_refused(tidings: Tidings, store: Path, wrong: tuple[str, str]) -> None:
    with mail_server() as (where, letters, _):
        run = tidings("edition", *MAIL, "--smtp", where, *wrong)
        assert run.code == 2
    assert letters == []


def test_a_name_with_a_line_break_begins_no_header(tidings: Tidings, store: Path) -> None:
    with mail_server() as (where, letters, _):
        run = tidings("edition", *MAIL, "--smtp", where, "--name", "News\r\nBcc: all@example.org")
        assert run.code == 0
    told = message_from_bytes(letters[0], policy=policy.default)
    assert told["Bcc"] is None
    assert "Bcc: all@example.org" in str(told["Subject"])


def test_a_server_that_refuses_is_told_of_without_the_password(tidings: Tidings, store: Path) -> None:
    with mail_server() as (where, _, _):
        refused = tidings("edition", *MAIL, "--smtp", where, "--recipient", "nobody@example.org")
        login = tidings("edition", *MAIL, "--smtp", where, "--smtp-user", "me", "--smtp-password", "very secret")
        assert refused.code in {0, 2}
        assert login.code == 2
        assert "secret" not in login.errors
    gone = tidings("edition", *MAIL, "--smtp", where)
    assert gone.code == 2
    assert "did not take the letter" in gone.errors
    assert tidings("edition", "--to", "smtp").code == 2


def test_daily_at_a_time() -> None:
    assert _until("7:00", datetime(2026, 3, 20, 6, 30)) == 1800
    assert _until("7:00", datetime(2026, 3, 20, 7, 0)) == 24 * 3600
