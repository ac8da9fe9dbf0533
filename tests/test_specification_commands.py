"""The commands that the specification names are commands of Tidings."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from tidings.cli.app import app
from tidings_lab.studies import STUDIES

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "design" / "specification.md").read_text(encoding="utf-8").partition("## 10.")[2]
COMMANDS = sorted(set(re.findall(r"`tidings ([^`]+)`", TEXT)))
EXTRACTIONS = [command for command in COMMANDS if command.startswith("extract PAGE --with ")]
STORY = "<p>The harbour bridge carried cars again on Tuesday, after two years of work on its piers.</p>" * 5
PAGE = (
    f"<html lang=en><title>Harbour bridge open again</title><h1>Harbour bridge open again</h1><div>{STORY}</div></html>"
)


def test_the_specification_names_commands() -> None:
    assert len(EXTRACTIONS) > 40
    assert len(COMMANDS) > 60


@pytest.mark.parametrize("command", EXTRACTIONS)
def test_extractor_of_the_specification_reads_a_page(command: str, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(PAGE)
    result = CliRunner().invoke(app, [str(path) if word == "PAGE" else word for word in shlex.split(command)])
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("command", [command for command in COMMANDS if command not in EXTRACTIONS])
def test_command_of_the_specification_exists(command: str) -> None:
    words = shlex.split(command)
    group, place = get_command(app), 0
    while place < len(words) and words[place] in getattr(group, "commands", {}):
        group = group.commands[words[place]]  # type: ignore[attr-defined]
        place += 1
    assert place, f"there is no command {words[0]}"
    options = {option for parameter in group.params for option in parameter.opts}
    assert {word for word in words[place:] if word.startswith("-")} <= options
    if words[:2] == ["lab", "study"]:
        assert words[2] in STUDIES
