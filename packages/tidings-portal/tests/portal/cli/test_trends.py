"""`tidings trends` and `tidings lab stories` from the command line."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.portal.stories.wire import EVENTS, stream
from tidings.article import Article, Block, Inline, Kind
from tidings.cli.app import app
from tidings.errors import BadRecords, InputError
from tidings_portal import store
from tidings_portal.store.records_of_articles import NewArticle

QUERIES = 'language = "en"\n[queries]\nseals = ["seal", "skerry"]\n'


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, ["trends", *map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def files(tmp_path: Path) -> Path:
    tmp_path.joinpath("queries.toml").write_text(QUERIES)
    records = [{"year": 2000 + number % 3, "abstract": f"A seal, {number}"} for number in range(30)]
    lines = "\n".join(json.dumps(record) for record in [*records, {"year": 2001}])
    tmp_path.joinpath("some.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    tmp_path.joinpath("some.ris").write_text("TY  - JOUR\nPY  - 2001\nAB  - Seal and skerry\nER  - \n")
    return tmp_path


def test_a_table_a_csv_and_a_chart(files: Path) -> None:
    table = run(files / "queries.toml", files / "some.jsonl.gz", files / "some.ris")
    assert "2000" in table
    assert "707" in table
    written = run(files / "queries.toml", files / "some.ris", "--format", "csv", "--by", "month")
    assert written.splitlines()[1] == "seals,2001-01,1,1.000000,0.000000,0.000000,"
    for name in ("chart.svg", "chart.png"):
        run(files / "queries.toml", files / "some.jsonl.gz", "--chart", files / name)
        assert files.joinpath(name).stat().st_size > 1000


def test_the_experiment_of_the_lab(tmp_path: Path) -> None:
    """Rules gave way to neural networks in these made abstracts, and the table says so."""
    told = {1990: "A unification grammar with a lexicon and syntactic rules.", 2018: "A neural network with attention."}
    lines = [json.dumps({"year": year, "abstract": text}) for year, text in told.items() for _ in range(25)]
    documents = tmp_path / "abstracts.jsonl"
    documents.write_text("\n".join([*lines, '{"year": 1991}']))
    arguments = ["lab", "trends", str(documents), "--format", "json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    (table,) = json.loads(result.stdout)
    rows = {row["query"]: row for row in table["rows"]}
    assert rows["rules and grammars"]["1990"] > 0.5
    assert rows["rules and grammars"]["2018"] == 0.0
    assert rows["neural networks"]["in"] == "2018"
    assert rows["neural networks"]["documents without a keyword"] == pytest.approx(0.5)
    documents.write_text(lines[0])
    assert CliRunner().invoke(app, arguments).exit_code == 0  # one document is few, and no mistake
    documents.write_text("\n".join(lines * 4))
    assert CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "charts")]).exit_code == 0
    assert (tmp_path / "charts" / "trends-language.svg").stat().st_size > 1000


def test_the_experiment_needs_documents(tmp_path: Path) -> None:
    empty = tmp_path / "none.jsonl"
    empty.write_text("")
    with pytest.raises(InputError, match="no document"):
        raise CliRunner().invoke(app, ["lab", "trends", str(empty)]).exception or AssertionError("it went well")


def test_what_cannot_be_read_says_why(files: Path) -> None:
    queries = files / "queries.toml"
    with pytest.raises(InputError, match="say what it is with --as"):
        run(queries, queries)
    with pytest.raises(InputError, match="no document"):
        run(queries, queries, "--as", "ris")
    with pytest.raises(InputError, match="cannot be read"):
        run(queries, files / "none.ris")
    with pytest.raises(InputError, match="must end in"):
        run(queries, files / "some.ris", "--chart", files / "x.gif")
    with pytest.raises(BadRecords, match=r"some\.ris.*not well-formed"):
        run(queries, files / "some.ris", "--as", "xml")
    files.joinpath("bad.jsonl.gz").write_bytes(b"no gzip")
    with pytest.raises(InputError, match="cannot be read"):
        run(queries, files / "bad.jsonl.gz")


def test_clustering_is_measured(tmp_path: Path) -> None:
    topics = {event: place % 2 for place, event in enumerate(EVENTS)}
    lines = [
        json.dumps({"topic": topics[event], "event": event, "title": report.title, "text": report.text})
        for event, report in stream(24)
    ]
    file = tmp_path / "docs.jsonl"
    file.write_text("\n".join(lines))
    result = CliRunner().invoke(app, ["lab", "stories", str(file), "--format", "json"])
    assert result.exit_code == 0, result.output
    table, detection = json.loads(result.stdout)
    assert len(table["rows"]) == 5
    assert table["rows"][-1]["pair F1"] > 0.9
    assert detection["rows"][0]["first"] == 5 * sum(1 for place in topics.values() if place)
    file.write_text("{}")
    assert isinstance(CliRunner().invoke(app, ["lab", "stories", str(file)]).exception, InputError)


def test_trends_of_a_store(files: Path) -> None:
    where = files / "news.tidings"
    with store.open(where) as kept:
        for day in range(1, 29):
            words = "A seal on the skerry" if day > 14 else "A bridge over the river"
            blocks = (Block(Kind.PARAGRAPH, (Inline(f"{words}, {day}."),)),)
            article = Article(
                url=f"https://a.example/{day}",
                title="Seals",
                published=datetime(2024, 2, day, 12, tzinfo=UTC),
                language="en",
                section="nature" if day % 2 else "",
                blocks=blocks,
            )
            kept.keep([NewArticle(article, datetime(2024, 3, 1, tzinfo=UTC))])
    csv = run(files / "queries.toml", "--store", where, "--by", "day", "--format", "csv").splitlines()
    assert len(csv) == 29
    assert csv[1].startswith("seals,2024-02-01,1,0.000000")
    assert csv[-1].startswith("seals,2024-02-28,1,1.000000")
    weeks = run(files / "queries.toml", "--store", where)  # weeks, unless something else is said
    assert "2024-W06" in weeks
    assert "28" in weeks.splitlines()[-1]
    some = run(files / "queries.toml", "--store", where, "--by", "month", "--search", "skerry category:nature")
    assert some.splitlines()[1].split() == ["2024-02", "7", "1000"]
    both = run(files / "queries.toml", files / "some.ris", "--store", where, "--by", "year")
    assert "2001" in both
    assert "2024" in both
    run(files / "queries.toml", "--store", where, "--by", "day", "--chart", files / "days.svg")
    assert files.joinpath("days.svg").read_text().startswith("<?xml")


def test_trends_choose_of_a_store_only(files: Path) -> None:
    with pytest.raises(InputError, match="select articles of a store"):
        run(files / "queries.toml", files / "some.ris", "--search", "seal")
    with pytest.raises(InputError, match="tidings watch"):
        run(files / "queries.toml", "--store", files / "empty.tidings")


def test_themes_of_a_store_are_listed_and_drawn(tmp_path: Path) -> None:
    weeks = {2: ("Storm floods quay.", "Bridge toll rises."), 10: ("Storm floods bridge, toll waived.",)}
    with store.open(tmp_path / "news.tidings") as opened:
        for day, titles in weeks.items():
            for number in range(6):
                at = datetime(2026, 3, day, number, tzinfo=UTC)
                address = f"https://a.example/{day}/{number}"
                blocks = (Block(Kind.PARAGRAPH, (Inline("It happened."),)),)
                article = Article(url=address, title=titles[number % len(titles)], language="en", blocks=blocks)
                opened.keep([NewArticle(replace(article, published=at), at, keys=(address,))])
    drawing = tmp_path / "themes.svg"
    table = run("themes", "--store", tmp_path / "news.tidings", "--chart", drawing, "--format", "jsonl")
    steps = [json.loads(line) for line in table.splitlines()]
    assert [step["change"] for step in steps] == ["meets"]
    assert "→" in drawing.read_text(encoding="utf-8")
