"""`tidings links`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tidings import newspaper
from tidings.cli.app import app
from tidings.errors import BadFilter, InputError

FEEDS = newspaper.path() / "feeds"
FRONT = newspaper.path() / "html" / "gazette" / "index.html"
HOME = "https://gazette.example/"


def run(*words: str, code: int = 0, data: bytes | None = None) -> list[str]:
    done = CliRunner().invoke(app, ["links", *words], input=data, catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done.stdout.splitlines()


def test_a_feed() -> None:
    lines = run(str(FEEDS / "gazette.xml"))
    assert len(lines) == 9
    assert lines[0].split("\t") == [
        "https://gazette.example/weekend/nine-walks-on-the-estuary",
        "2026-03-19T06:30:00+01:00",
        "Nine walks for the first warm weekend",
    ]


def test_a_front_page_as_json() -> None:
    records = [json.loads(line) for line in run(str(FRONT), "--url", HOME, "-f", "jsonl")]
    assert len(records) == 9
    assert any(record.get("verify") for record in records)
    dropped = [json.loads(line) for line in run(str(FRONT), "--url", HOME, "-f", "jsonl", "--dropped")]
    assert {"https://gazette.example/login"} <= {record["url"] for record in dropped}
    assert all(record["dropped"] for record in dropped)
    assert len(run(str(FRONT), "--url", HOME, "--lbnest")) > 9


@pytest.mark.parametrize(("file", "count"), [("gazette-sitemap.xml", 9), ("outlets.opml", 10), ("almanac.json", 4)])
def test_other_sources(file: str, count: int) -> None:
    assert len(run(str(FEEDS / file))) == count


def test_standard_input_and_what_is_no_source() -> None:
    assert run("-", data=b"%PDF-1.7", code=3) == []
    assert run("-", "--as", "feed", data=FRONT.read_bytes(), code=3) == []
    assert len(run("-", "--as", "front", "--url", HOME, data=FRONT.read_bytes())) == 9


def test_a_declared_chain(tmp_path: Path) -> None:
    chain = tmp_path / "filters.toml"
    chain.write_text('[[filter]]\nname = "url"\naccept = ["/sport/"]', encoding="utf-8")
    assert [
        line.split("\t")[0] for line in run(str(FRONT), "--url", HOME, "--chain", str(chain)) if "rovers" in line
    ] == ["https://gazette.example/sport/rovers-win-the-cup"]
    chain.write_text('[[filter]]\nname = "utl"', encoding="utf-8")
    with pytest.raises(BadFilter, match="did you mean url"):
        run(str(FRONT), "--chain", str(chain))
    with pytest.raises(InputError):
        run(str(FRONT), "--chain", str(tmp_path / "none.toml"))


def test_a_title_cannot_move_the_cursor(tmp_path: Path) -> None:
    feed = tmp_path / "f.xml"
    feed.write_text(
        "<rss><channel><item><title>a&#27;[2Jb</title><link>http://a.example/1</link></item></channel></rss>".replace(
            "&#27;", "&amp;#27;"
        )
    )
    assert "\x1b" not in "".join(run(str(feed)))
