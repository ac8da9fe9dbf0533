"""What version 0.1 wrote is read, and its calls still call: stores, files of sites, exported rules, commands.

The files were made by version 0.1 from nine articles of the Gazette of the sample newspaper: four of them in the store
with their stories and one source, all of them learned from, in the store and in a file of sites; `sites show` wrote the
rules. `commands.json` lists every command of 0.1 with its options.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import typer

from tidings import newspaper
from tidings.cli.app import app
from tidings.sites import Reader, SiteMemory
from tidings_portal import store
from tidings_portal.store import parse

HERE = Path(__file__).parent


def unpacked(name: str, folder: Path) -> Path:
    path = folder / name
    path.write_bytes(gzip.decompress((HERE / f"{name}.gz").read_bytes()))
    return path


def test_a_store_opens_with_all_that_is_in_it(tmp_path: Path) -> None:
    with store.open(unpacked("news.tidings", tmp_path)) as kept:
        totals = kept.totals()
        assert (totals.articles, totals.stories, totals.sources) == (4, 4, 1)
        assert kept.check() == []
        (source,) = kept.sources()
        assert source.settings.title == "The Gazette"
        found = kept.search(parse("seals"))
        assert found.items
        article = kept.article(1)
        assert article is not None
        assert article.article.text


@pytest.mark.parametrize("where", ["sites", "news.tidings"])
def test_learned_sites_serve(where: str, tmp_path: Path) -> None:
    path = unpacked(where, tmp_path)
    page = [page for page in newspaper.pages("gazette") if page.page_type == "article"][-1]
    if where == "sites":
        _serves(SiteMemory(path), page)
        return
    from tidings_portal.watch.worker import WatchWorkerSetup

    worker = WatchWorkerSetup(path).open()
    try:
        assert worker._learning is not None
        _serves(worker._learning.memory, page)
    finally:
        worker.close()


def _serves(memory: SiteMemory, page: newspaper.SamplePage) -> None:
    assert memory.names() == ["gazette.example"]
    article = Reader(memory).cut((newspaper.path() / page.html_file).read_bytes(), page.url)
    assert article is not None
    assert article.title == page.gold["title"]


@pytest.mark.parametrize("form", ["xml", "text", "json"])
def test_exported_rules_are_taken(form: str, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    file = tmp_path / "sites"
    call = ["sites", "learn", "gazette.example", "--rules", str(HERE / f"rules.{form}"), "--sites", str(file)]
    answer = CliRunner().invoke(app, call)
    assert answer.exit_code == 0, answer.output
    memory = SiteMemory(file)
    assert memory.names() == ["gazette.example"]
    memory.close()


def commands() -> dict[str, list[str]]:
    """Every command there is, with its options."""
    named: dict[str, list[str]] = {}

    def walk(command: Any, name: str) -> None:
        if hasattr(command, "list_commands"):
            context = typer.Context(command)
            for each in command.list_commands(context):
                walk(command.get_command(context, each), f"{name} {each}".strip())
        options = {one for each in command.params for one in (*each.opts, *each.secondary_opts) if one[0] == "-"}
        named[name] = sorted(options)

    walk(typer.main.get_command(app), "")
    return named


def test_every_call_of_version_0_1_still_calls() -> None:
    now = commands()
    before: dict[str, list[str]] = json.loads((HERE / "commands.json").read_text(encoding="utf-8"))
    gone = {name: sorted(set(options) - set(now.get(name, ()))) for name, options in before.items()}
    assert {name: options for name, options in gone.items() if options or name not in now} == {}
