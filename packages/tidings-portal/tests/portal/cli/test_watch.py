"""The commands of the store, as a person uses them, over a real server."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.cli.test_commands import Tidings, out, tidings  # noqa: F401  # the fixture
from tests.fetch.server import Server, reply
from tidings import newspaper
from tidings.errors import InputError
from tidings_portal import store
from tidings_portal.cli.store_options import parse_duration
from tidings_portal.sending.events import begin
from tidings_portal.store.records_of_people import LOCAL
from tidings_portal.store.verbs.sending import NewTarget, ReaderRule, RuleEffect, SendingEvent, TargetKind

WEB = ("--allow-host", "localhost", "--ignore-robots")


def table(port: int) -> dict[str, bytes]:
    """The Gazette at localhost, with two stories in its feed: hosts are asked once a second."""
    found = {}
    for page in newspaper.pages("gazette"):
        html = page.html.replace(b"https://gazette.example", b"http://localhost:%d" % port)
        found[page.url.removeprefix("https://gazette.example")] = reply(html)
    for source in newspaper.sources():
        if source.outlet == "gazette" and source.kind == "rss":
            body = source.content.replace(b"https://gazette.example", b"http://localhost:%d" % port)
            items = re.findall(rb"<item>.*?</item>", body, re.DOTALL)
            chosen = [item for item in items if b"grey-seals" in item or b"storm-ilse-live" in item]
            found["/feeds/news.xml"] = reply(body[: body.index(b"<item>")] + b"".join(chosen) + b"</channel></rss>")
    return found


@pytest.fixture
def gazette(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):  # type: ignore[no-untyped-def]
    monkeypatch.setenv("TIDINGS_STORE", str(tmp_path / "news.tidings"))
    served: dict[str, bytes] = {}
    with Server(served) as server:
        served.update(table(server.port))
        served["/page"] = reply(b"<!doctype html><html><p>Nothing here.")
        yield server


def test_add_watch_status_search_read(tidings: Tidings, gazette: Server, tmp_path: Path) -> None:  # noqa: F811
    run = tidings("add", gazette.url("/feeds/news.xml"), "--folder", "local", *WEB)
    assert out(run).startswith("1\tfeed\t")
    assert tidings("add", gazette.url("/page"), *WEB).code == 3
    assert out(tidings("add", gazette.url("/broken"), "--as", "feed")).startswith("2\tfeed\t")
    assert "local" in out(tidings("list"))
    run = tidings("watch", "--once", "--no-stories", "--log", "-j", "1", *WEB)
    assert run.code == 0, run.errors
    assert "2 sources polled, 2 new articles" in run.errors
    assert "1 failing sources" in run.errors
    run = tidings("status")
    assert run.code == 1
    assert "not found" in run.output
    assert "no watcher is running" in run.errors
    rows = [json.loads(line) for line in tidings("status", "--format", "jsonl", "--check").output.splitlines()]
    assert [(row["state"], row["articles"]) for row in rows] == [("not found", 0), ("ok", 2)]
    run = tidings("search", "seals title:estuary", "-f", "jsonl")
    number = json.loads(out(run).splitlines()[0])["number"]
    assert "Grey seals are back" in out(tidings("read", str(number)))
    assert "Grey seals are back" in out(
        tidings("read", gazette.url("/environment/grey-seals-return?utm_source=x"), *WEB)
    )
    assert tidings("search", "nothingofthekind").code == 1
    assert tidings("read", "999").code == 2
    out(tidings("mute", "title:estuary"))
    assert tidings("search", "seals title:estuary").code == 1
    assert "title:estuary" in out(tidings("mute"))
    out(tidings("mute", "title:estuary", "--remove"))
    assert tidings("search", "(").code == 2
    opml = tmp_path / "feeds.opml"
    out(tidings("export", "--to", opml))
    assert b'text="local"' in opml.read_bytes()
    out(tidings("remove", "2"))
    other = str(tmp_path / "other.tidings")
    assert "2 feeds in the list, 2 of them new" in tidings("import", opml, "--store", other).errors
    assert "2 feeds in the list, 0 of them new" in tidings("import", opml, "--store", other).errors
    assert tidings("remove", "77").code == 2


def test_crawl(tidings: Tidings, gazette: Server) -> None:  # noqa: F811
    run = tidings("crawl", gazette.url("/"), "--limit", "2", "--depth", "0", "-j", "1", *WEB)
    assert run.code == 0, run.errors
    assert "2 articles found, 2 of them new" in run.errors
    assert "2 new articles" in run.errors


@pytest.mark.gate
def test_ctrl_c_ends_a_watch_cleanly(gazette: Server, tmp_path: Path) -> None:
    where = str(tmp_path / "news.tidings")
    env = os.environ | {"TIDINGS_STORE": where}
    command = [sys.executable, "-m", "tidings"]
    subprocess.run([*command, "add", gazette.url("/feeds/news.xml"), *WEB], check=True, env=env, capture_output=True)
    watching = [*command, "watch", "--log", "-j", "1", "--no-stories", *WEB]
    with subprocess.Popen(watching, stderr=subprocess.PIPE, text=True, env=env) as watcher:
        assert watcher.stderr is not None
        for line in watcher.stderr:
            if " new " in line and "polled" not in line:
                break
        watcher.send_signal(signal.SIGINT)
        _, said = watcher.communicate(timeout=60)
    assert watcher.returncode == 0, said
    assert "stopping" in said
    assert "Traceback" not in said
    with store.open(where) as kept:
        assert kept.check() == []
        assert kept.states("watcher") == []


def test_lengths() -> None:
    from datetime import timedelta

    assert parse_duration("90") == timedelta(minutes=90)
    assert parse_duration("2h") == timedelta(hours=2)
    assert parse_duration(None) is None
    for wrong in ("", "0h", "soon", "-1d"):
        with pytest.raises(InputError):
            parse_duration(wrong)


def test_the_newspaper_of_the_portal_is_well_while_the_portal_is_closed(
    tidings: Tidings,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Its hosts are made up, and it comes with the package: whoever watches has it."""
    from datetime import UTC, datetime

    from tidings_portal.portal import sample

    where = tmp_path / "news.tidings"
    monkeypatch.setenv("TIDINGS_STORE", str(where))
    with store.open(where) as kept:
        assert sample.add(kept, datetime.now(UTC))
    run = tidings("watch", "--once", "--no-stories", "-j", "1")
    assert run.code == 0, run.errors
    assert "broken" not in run.errors
    assert tidings("status", "--broken").code == 0
    with store.open(where) as kept:
        assert {one.state for one in kept.sources()} == {"ok"}
        assert kept.totals().articles > 20


def test_rules_and_messages_where_nobody_serves(tidings: Tidings, gazette: Server, tmp_path: Path) -> None:  # noqa: F811
    tidings("add", gazette.url("/feeds/news.xml"), *WEB)
    with store.open(tmp_path / "news.tidings") as kept:
        begin(kept, datetime.now(UTC))
        kept.add_rule(ReaderRule("seals", RuleEffect.STAR, person=LOCAL), datetime.now(UTC))
        for kind, address in ((TargetKind.FILE, ""), (TargetKind.MAIL, "a@b.example")):
            told = NewTarget(kind, kind.value, address, events=frozenset({SendingEvent.ARTICLE}), query="seals")
            assert kept.add_target(told, LOCAL, datetime.now(UTC))
    notes = tmp_path / "notes"
    run = tidings("watch", "--once", "--no-stories", "-j", "1", "--notes-folder", str(notes), *WEB)
    assert run.code == 0, run.errors
    (note,) = notes.iterdir()
    assert "seals" in note.read_text("utf-8").lower()
    with store.open(tmp_path / "news.tidings") as kept:
        assert len(kept.saved(LOCAL).items) == 1
        (waiting,) = (one for one in kept.targets() if one.waiting)  # nobody here can send letters: it is left
        assert (waiting.settings.kind, waiting.problem) == (TargetKind.MAIL, "")
