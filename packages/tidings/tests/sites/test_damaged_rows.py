"""Damaged rows of `sites.db`: set aside, visible, and the site is learned again."""

from __future__ import annotations

import json
import random
import sqlite3
from pathlib import Path

from typer.testing import CliRunner

from tidings import Reader
from tidings.cli.app import app
from tidings.errors import TidingsError
from tidings.sites.storage.memory import SiteMemory


def _page(number: int) -> bytes:
    body = "".join(
        f"<p>Paragraph {number}-{line} tells what happened in the harbour on day {line}, when {number + line} boats "
        "came in and the fishermen said that all was well again.</p>"
        for line in range(8)
    )
    return (
        f"<html><head><title>Story {number} - Site</title></head><body><div class='article-body'>"
        f"<h1>Story {number} happened</h1><p class=by>By Ann Other</p>{body}</div><div class=foot>Imprint</div>"
    ).encode()


def _learned(path: Path) -> dict[tuple[str, str], bytes]:
    with Reader(path, learn_from=3, audit_every=0) as reader:
        for number in range(7):
            reader.extract(_page(number), f"https://l.example/{number}")
    with sqlite3.connect(path) as connection:
        return {
            (space, name): value for space, name, value in connection.execute("SELECT space, name, value FROM value")
        }


def _write(path: Path, rows: dict[tuple[str, str], bytes]) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM value")
        for (space, name), value in rows.items():
            connection.execute("INSERT INTO value VALUES (?, ?, 1, ?)", (space, name, value))


def _mutant(value: bytes, drawn: random.Random) -> bytes:
    at, size = drawn.randrange(len(value)), drawn.randrange(1, 9)
    match drawn.randrange(5):
        case 0:
            return value[:at]
        case 1:
            return value[:at] + drawn.randbytes(size) + value[at + size :]
        case 2:
            return value[:at] + value[at + size :]
        case 3:
            return drawn.choice([b"", b"null", b"[]", b"[1]", b'[["a","b"]]', b"{}", b'"x"', b"[" * 100_000, b"\xff"])
        case _:
            return value[:at] + value[at : at + size] * 2 + value[at + size :]


def test_four_hundred_mutants_raise_nothing_untyped_and_the_story_is_read(tmp_path: Path) -> None:
    path, drawn = tmp_path / "sites.db", random.Random(32)
    rows = _learned(path)
    refused = 0
    for number in range(400):
        _write(path, {key: _mutant(value, drawn) if drawn.random() < 0.8 else value for key, value in rows.items()})
        try:
            with Reader(path, learn_from=3, audit_every=0) as reader:
                assert "Paragraph 9-7" in reader.extract(_page(9), "https://l.example/9").text
                memory = reader.memory
                memory.log()
                [memory.site(name) for name in memory.names()]
        except TidingsError:
            refused += 1
        assert refused == 0, number


def test_a_damaged_site_is_listed_logged_and_learned_again(tmp_path: Path) -> None:
    path = tmp_path / "sites.db"
    rows = _learned(path)
    _write(path, {key: value[:-5] for key, value in rows.items()})
    with Reader(path, learn_from=3, audit_every=0) as reader:
        for number in range(10, 17):
            reader.extract(_page(number), f"https://l.example/{number}")
    memory = SiteMemory(path)
    assert memory.site("l.example").valid
    assert "quarantined" in [event.what for event in memory.log("l.example")]
    assert memory.storage.quarantined() == ["l.example"]
    memory.close()
    listed = CliRunner().invoke(app, ["sites", "list", "--sites", str(path), "--format", "jsonl"])
    assert listed.exit_code == 0, listed.output
    assert json.loads(listed.stdout)["damaged"] == "set aside"
