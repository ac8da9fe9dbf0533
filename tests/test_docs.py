"""The examples in the documentation are run; every command, option and extractor is documented."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from tests.conftest import needs
from tidings.extractors import entries, registry

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
#: Pages whose examples need what only `make gate` installs.
GATED = ("frameworks.md",)
EXAMPLES = [
    pytest.param(page, marks=[pytest.mark.gate, pytest.mark.filterwarnings("ignore")] if page.name in GATED else [])
    for page in PAGES
    if ">>>" in page.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("page", EXAMPLES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page.name in GATED:
        monkeypatch.setenv("HAYSTACK_TELEMETRY_ENABLED", "False")  # tests ask nobody on the web
        for module in "datatrove haystack langchain_core llama_index.core scrapy_poet".split():
            needs(module)
    monkeypatch.setattr(registry, "_ENTRIES", dict(registry._ENTRIES))  # what an example registers goes with it
    failed, tried = doctest.testfile(
        str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    )
    assert tried > 0
    assert failed == 0


@pytest.mark.parametrize("module", ["tidings", "tidings.news.newspaper"])
def test_docstring_examples(module: str) -> None:
    failed, tried = doctest.testmod(__import__(module, fromlist=["_"]))
    assert tried > 0
    assert failed == 0


def _commands(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    """All commands with the words one types for them."""
    if hasattr(command, "commands"):
        for name, inner in command.commands.items():
            yield from _commands(f"{path} {name}".strip(), inner)
    else:
        yield path, command


def test_every_command_and_option_is_documented() -> None:
    from tidings.cli.app import app

    text = (ROOT / "docs/reference/command-line.md").read_text(encoding="utf-8")
    missing = []
    for name, command in _commands("", typer.main.get_command(app)):
        if f"## `tidings {name}" not in text:
            missing.append(name)
        options = [option for parameter in command.params for option in parameter.opts if option.startswith("--")]
        missing += [f"{name} {option}" for option in options if option != "--help" and f"`{option}" not in text]
    assert not missing


def test_every_extractor_is_documented() -> None:
    text = (ROOT / "docs/reference/extractors.md").read_text(encoding="utf-8")
    assert [entry.name for entry in entries(laid_out=True) if f"`{entry.name}`" not in text] == []


def test_links_between_pages_lead_somewhere() -> None:
    broken = []
    for page in [*PAGES, ROOT / "README.md", ROOT / "SECURITY.md", ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if not page.parent.joinpath(target).exists():
                broken += [f"{page.relative_to(ROOT)}: {target}"]
    assert not broken


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert [str(page) for page in PAGES if str(page.relative_to(ROOT / "docs")) not in navigation] == []
