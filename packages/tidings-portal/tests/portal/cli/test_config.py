"""The configuration file and the environment: what is in force, where it came from, and what wrong values are told."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from tests.cli.test_commands import Run, Tidings, tidings

__all__ = ["tidings"]


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in ("TIDINGS_STORE", "TIDINGS_CONFIG"):
        monkeypatch.delenv(name, raising=False)


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "tidings.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_nothing_is_set_where_nothing_is(tidings: Tidings) -> None:
    run = tidings("config")
    assert run.code == 0
    assert "nothing is set" in run.output


def test_the_file_and_the_environment_are_shown_with_their_places(
    tidings: Tidings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(
        tmp_path,
        'store = "postgresql://me:secret@db.example/news"\nproxy = "http://proxy.example:3128"\n\n[serve]\n'
        'port = 9000\ntrusted-proxy = ["127.0.0.1"]\naccounts = true\n\n[token.new]\nwrite = true\n',
    )
    monkeypatch.setenv("TIDINGS_SERVE_HOST", "0.0.0.0")  # noqa: S104
    monkeypatch.setenv("TIDINGS_SERVE_PORT", "9100")
    monkeypatch.setenv("TIDINGS_SERVE_ANSWER_TO", "news.example, www.news.example")
    shown = tidings("--config", file, "config").output
    assert f"tidings --store = 'postgresql://db.example/news'  # {file}, line 1" in shown
    assert "secret" not in shown
    assert f"watch --proxy = 'http://proxy.example:3128'  # {file}, line 2" in shown
    assert "serve --port = '9100'  # environment, TIDINGS_SERVE_PORT" in shown
    assert "serve --answer-to = ['news.example', 'www.news.example']" in shown
    assert f"serve --trusted-proxy = ['127.0.0.1']  # {file}, line 6" in shown
    assert f"serve --accounts = True  # {file}, line 7" in shown
    assert f"token new --write = True  # {file}, line 10" in shown
    only = tidings("--config", file, "config", "serve").output
    assert "token new" not in only
    monkeypatch.setenv("TIDINGS_CONFIG", str(file))
    assert tidings("config").output == shown
    assert tidings("config", "--check").output == ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[serve]\n\nport = "x"\n', ("line 3", "'x' is not valid for serve --port", "integer")),
        ("[serve]\nport = 70000\n", ("line 2", "65535")),
        ('[serve]\nport = ["1"]\n', ("line 2", "one value is allowed")),
        ("[serve]\nprot = 1\n", ("line 2", "serve has no option 'prot'", "did you mean port")),
        ('[serve]\naccounts = "yes"\n', ("line 2", "true or false is allowed")),
        ('[serve]\nanswer-to = "one"\n', ("line 2", "a list is allowed")),
        ("\n[srve]\nport = 1\n", ("line 2", "no command 'srve'", "did you mean serve")),
        ("port = 1\n", ("line 1", "'port' is not an option of all commands", "store")),
        ("store = 7\n", ("line 1", "store must be a text")),
        ("[serve]\nport = \n", ("line 2",)),
        ('[watch]\nlog-format = "yaml"\n', ("line 2", "json")),
        ("[token]\nwrite = 1\n", ()),
    ],
)
def test_wrong_values_name_file_line_and_what_is_allowed(
    tidings: Tidings, tmp_path: Path, text: str, told: tuple[str, ...]
) -> None:
    file = written(tmp_path, text)
    run = tidings("--config", file, "config")
    if told:
        assert run.code == 2
        assert str(file) in run.errors
        assert all(word in run.errors for word in told), run.errors


def test_a_wrong_variable_is_named(tidings: Tidings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIDINGS_SERVE_PORT", "many")
    run = tidings("serve")
    assert run.code == 2
    assert "TIDINGS_SERVE_PORT" in run.errors


def test_a_file_that_is_named_and_not_there(tidings: Tidings, tmp_path: Path) -> None:
    run = tidings("--config", tmp_path / "none.toml", "list")
    assert run.code == 2
    assert "there is no configuration file" in run.errors


def added(tidings: Tidings, *options: str | Path) -> Run:
    return tidings(*options, "add", "https://harbour.example/feed", "--as", "feed")


def test_the_store_of_the_file_is_used_and_an_option_goes_before_it(
    tidings: Tidings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path, f'store = "{tmp_path}/from-file.tidings"\n')
    assert added(tidings, "--config", file).code == 0
    assert (tmp_path / "from-file.tidings").is_file()
    monkeypatch.setenv("TIDINGS_STORE", str(tmp_path / "from-environment.tidings"))
    assert added(tidings, "--config", file).code == 0
    assert (tmp_path / "from-environment.tidings").is_file()
    run = tidings("--config", file, "list", "--store", tmp_path / "from-option.tidings")
    assert run.code == 0
    assert (tmp_path / "from-option.tidings").is_file()


def test_an_option_of_a_command_is_taken_from_the_file(tidings: Tidings, tmp_path: Path) -> None:
    store = tmp_path / "news.tidings"
    file = written(tmp_path, f'store = "{store}"\n[list]\nformat = "jsonl"\n')
    added(tidings, "--config", file)
    assert tidings("--config", file, "list").output.startswith("{")
    assert not tidings("--config", file, "list", "--format", "table").output.startswith("{")


def test_the_usual_place(tidings: Tidings, tmp_path: Path) -> None:
    folder = tmp_path / "config" / "tidings"
    folder.mkdir(parents=True)
    (folder / "tidings.toml").write_text("[serve]\nport = 9001\n")
    assert "serve --port = 9001" in tidings("config").output


def every_command(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        yield (*path, name)
        if hasattr(command, "commands"):
            yield from every_command(command, (*path, name))


@pytest.mark.parametrize("is_configured", [False, True])
def test_every_command_has_a_short_help_option(is_configured: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if is_configured:
        monkeypatch.setenv("TIDINGS_WATCH_EVERY", "2h")
    app = importlib.reload(importlib.import_module("tidings.cli.app")).app
    failures = []
    for path in every_command(get_command(app)):
        result = CliRunner().invoke(app, [*path, "-h"])
        if result.exit_code or "Usage" not in result.output:
            failures.append(path)
    assert not failures
