"""What commands write: the same words for formats and files everywhere, and tables that fit 80 columns."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.console import Console
from typer.main import get_command
from typer.testing import CliRunner

from tidings.cli.app import TASKS, app
from tidings.cli.output import coloured, table
from tidings.plugins import command_tasks
from tidings_portal import store
from tidings_portal.store.records_of_work import NewSource, Poll

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
PROBLEM = "the server answers 503 (Service Unavailable) since Tuesday; look at the site, or remove the source"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with two sources, one of them under a hostile name."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TIDINGS_STORE", str(tmp_path / "news.tidings"))
    address = "https://www.the-harbour-and-coast-gazette.example/rss/all-of-the-news/feed.xml"
    with store.open(tmp_path / "news.tidings") as opened:
        opened.add_sources(
            [
                NewSource(address, title="The Harbour and Coast Gazette", folder="coast"),
                NewSource("https://b.example/", title="=B\x1b[31m [red]"),
            ],
            NOON,
        )
    return tmp_path


def run(*words: str) -> Any:
    found = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert found.exit_code in (0, 1), found.output
    return found


@pytest.mark.parametrize("command", [("list",), ("status",)])
def test_a_list_is_a_table_csv_or_jsonl_and_goes_to_a_file(kept: Path, command: tuple[str, ...]) -> None:
    records = [json.loads(line) for line in run(*command, "--format", "jsonl").stdout.splitlines()]
    rows = list(csv.DictReader(io.StringIO(run(*command, "--format", "csv").stdout)))
    assert [row["number"] for row in rows] == [str(record["number"]) for record in records]
    assert [list(row) for row in rows] == [list(record) for record in records]
    assert {row["title"][0] for row in rows} == {"T", "'"}, "no cell is a formula"
    run(*command, "--format", "jsonl", "--output", str(kept / "out.jsonl"))
    assert [json.loads(line) for line in (kept / "out.jsonl").read_text("utf-8").splitlines()] == records
    run(*command, "-o", str(kept / "out.txt"))
    assert "The Harbour and Coast Gazette" in (kept / "out.txt").read_text("utf-8")


def test_status_fits_80_columns_and_says_below_what_is_wrong(kept: Path) -> None:
    with store.open(kept / "news.tidings") as opened:
        (source,) = [one for one in opened.sources() if one.settings.title.startswith("The")]
        opened.polled(
            Poll(source.id, NOON, NOON + timedelta(hours=3), timedelta(hours=1), "broken", problem=PROBLEM, failed=True)
        )
    said = run("status").stdout
    assert max(map(len, said.splitlines())) <= 80
    assert " ".join(said.split()).count(PROBLEM) == 1
    head = said.splitlines()[0]
    assert head.split() == ["source", "state", "last", "success", "next", "articles", "teasers"]
    assert "\x1b[31m" not in said


def test_a_table_leaves_out_empty_columns_and_puts_numbers_to_the_right() -> None:
    rows = [("a", "", 5, coloured("well", "green")), ("b", "", 12_345, coloured("[x]", "red"))]
    console = Console(file=io.StringIO(), width=80)
    console.print(table(("name", "nothing", "count", "state"), rows))
    lines = [line.rstrip() for line in console.file.getvalue().splitlines()]  # type: ignore[attr-defined]
    assert lines == ["name   count  state", "a          5  well", "b     12,345  [x]"]


def test_the_old_word_for_output_is_taken_with_a_notice(kept: Path) -> None:
    found = run("export", "--to", str(kept / "feeds.opml"))
    assert found.stderr.strip() == "tidings: --to is called --output now"
    found = run("feed", f"--out={kept / 'feed.rss'}")
    assert "tidings: --out is called --output now" in found.stderr
    assert run("feed", "-o", str(kept / "feed.rss"), "--force").stderr.count("--output") == 0
    assert (kept / "feeds.opml").is_file()


def _commands() -> dict[str, Any]:
    named: dict[str, Any] = {}

    def walk(command: Any, name: str) -> None:
        context = typer.Context(command)
        for each in command.list_commands(context) if hasattr(command, "list_commands") else ():
            walk(command.get_command(context, each), f"{name} {each}".strip())
        named[name] = command

    walk(typer.main.get_command(app), "")
    return named


def test_every_command_has_the_same_words_for_file_and_format() -> None:
    wrong = []
    for name, command in _commands().items():
        for option in command.params:
            if "--out" in option.opts or "-o" in option.opts:
                wrong += [name] if option.opts[0] != "--output" else []
            if "--format" in option.opts or "-f" in option.opts:
                wrong += [name] if option.opts != ["--format", "-f"] else []
    assert wrong == []


def test_help_of_trends_shows_the_brackets_of_toml() -> None:
    text = " ".join(run("trends", "--help").stdout.replace("│", " ").split())
    assert "[queries], name = [keywords]; or ecology" in text


def test_help_names_every_command_under_a_task() -> None:
    said = run("--help").stdout
    tasks = TASKS | command_tasks()
    assert all(task in said for task in tasks)
    panels = {name: command.rich_help_panel for name, command in get_command(app).commands.items()}  # type: ignore[attr-defined]
    assert {task: set(commands) for task, commands in tasks.items()} == {
        task: {name for name, panel in panels.items() if (panel or "") == task} for task in tasks
    }
