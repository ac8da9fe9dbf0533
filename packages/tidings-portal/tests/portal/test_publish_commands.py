"""`tidings feed`, and articles through `tidings export` and `tidings import`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tidings.cli.app import app
from tidings.errors import ExportError, InputError, StoreError, TargetExists
from tidings.sources import read_feed
from tidings_portal import store as stores
from tidings_portal.store import Store


def run(*told: str) -> bytes:
    done = CliRunner().invoke(app, told)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout_bytes


@pytest.fixture
def where(store: Store, tmp_path: Path) -> str:
    return str(tmp_path / "news.tidings")


@pytest.mark.parametrize(("form", "kind"), [("rss", "rss 2.0"), ("atom", "atom"), ("json", "json feed 1.1")])
def test_a_feed_on_standard_output(where: str, form: str, kind: str) -> None:
    read = read_feed(
        run("feed", "--store", where, "--format", form, "--category", "Nature", "--self", "https://x.example/")
    )
    assert read.kind == kind
    assert [item.title for item in read.items] == ["Grey seals are back", "Harbour wall falls"]
    assert "They breed." in read.items[0].content
    assert read.itself == "https://x.example/"


def test_choices_and_summaries(where: str) -> None:
    read = read_feed(run("feed", "--store", where, "--source", "Gazete", "--search", "lang:tr", "--summary"))
    assert [item.title for item in read.items] == ["Işıklar İzmir'de söndü"]
    assert read.title == "Gazete – lang:tr"
    assert not read.items[0].content
    assert len(read_feed(run("feed", "--store", where, "--story", "1", "--limit", "1")).items) == 1


def test_a_feed_in_a_file(where: str, tmp_path: Path) -> None:
    out = tmp_path / "feed.xml"
    run("feed", "--store", where, "--out", str(out))
    before = out.read_bytes()
    assert len(read_feed(before).items) == 6
    with pytest.raises(TargetExists, match="--force"):
        run("feed", "--store", where, "--out", str(out), "--limit", "1")
    assert out.read_bytes() == before
    run("feed", "--store", where, "--out", str(out), "--limit", "1", "--force")
    assert len(read_feed(out.read_bytes()).items) == 1


def test_what_is_not_there(where: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no source"):
        run("feed", "--store", where, "--source", "nobody")
    with pytest.raises(StoreError, match="there is no file"):
        run("feed", "--store", str(tmp_path / "nowhere.tidings"))
    assert not (tmp_path / "nowhere.tidings").exists()


def test_articles_out_and_in(where: str, tmp_path: Path) -> None:
    out = tmp_path / "some.jsonl"
    run("export", "--store", where, "--to", str(out), "--search", "seals")
    assert [json.loads(line)["title"] for line in out.read_text("utf-8").splitlines()] == ["Grey seals are back"]
    other = str(tmp_path / "other.tidings")
    run("import", str(out), "--store", other)
    with stores.open(other) as kept:
        assert kept.totals().articles == 1
    run("export", "--store", where, "--to", str(tmp_path / "all.parquet"), "--all-versions")
    run("export", "--store", where, "--to", str(tmp_path / "notes"), "--source", "1")
    assert len(list((tmp_path / "notes").rglob("*.md"))) == 2
    run("export", "--store", where, "--to", str(tmp_path / "notes"), "--continue")
    assert len(list((tmp_path / "notes").rglob("*.md"))) == 6
    with pytest.raises(InputError, match="has no articles"):
        run("export", "--store", where, "--category", "Nature")
    with pytest.raises(ExportError):
        run("export", "--store", where, "--to", str(tmp_path / "x.jsonl"), "--continue")
