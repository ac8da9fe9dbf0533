"""The examples in the documentation are run; every command, option and extractor is documented."""

from __future__ import annotations

import configparser
import doctest
import json
import re
import runpy
import shlex
import socket
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
import yaml
from typer.testing import CliRunner

from tests.support import ROOT, needs
from tidings import errors, newspaper
from tidings.errors import FetchError
from tidings.extractors import entries, registry
from tidings.extractors.parameters import checked
from tidings.page import Page, Spans

PAGES = sorted((ROOT / "docs").rglob("*.md"))
FRONT = [ROOT / "README.md", ROOT / "SECURITY.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("packages/*/README.md"))]
#: The generated parts of the reference, by the name in their marker.
REFERENCE = runpy.run_path(str(ROOT / "scripts/docs_reference.py"))["PARTS"]
#: How many words of prose the documentation may have.
MOST_WORDS = 45_000
#: Pages whose examples need what only `make gate` installs.
GATED = ("frameworks.md",)
EXAMPLES = [
    pytest.param(page, marks=[pytest.mark.gate, pytest.mark.filterwarnings("ignore")] if page.name in GATED else [])
    for page in [*PAGES, *FRONT]
    if ">>>" in page.read_text(encoding="utf-8")
]
#: Pages with Python that has no prompt.
SCRIPTS = [page for page in PAGES if re.search(r"^ *```python\n(?! *>>>)", page.read_text("utf-8"), re.MULTILINE)]
#: Languages of blocks that other tests run, or that show output or the configuration of another program.
LANGUAGES = ("python", "pycon", "console", "text", "sh", "nginx")


def write_example_files(folder: Path) -> None:
    """Write the files that examples read: saved pages and a list of them."""
    story = next(newspaper.pages("gazette", page_type="article"))
    for name in ("page.html", "story.html", "front.html", "saved.html", "pages/one.html", "pages/two.html"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(story.html)
    (folder / "urls.txt").write_text("page.html\n")


def code_blocks(page: Path) -> Iterator[tuple[str, str]]:
    """Yield the language and the text of each fenced block."""
    for block in re.finditer(r"^( *)```(\w*)\n(.*?)^\1```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        yield block[2], textwrap.dedent(block[3])


@pytest.mark.parametrize("page", EXAMPLES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_example_files(tmp_path)
    monkeypatch.chdir(tmp_path)
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


@pytest.mark.parametrize("page", SCRIPTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_scripts_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of Python without a prompt. There is no network: a page that is fetched may be unreachable."""
    write_example_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(socket, "getaddrinfo", _no_network)
    names: dict[str, Any] = {}
    blocks = [text for language, text in code_blocks(page) if language == "python" and ">>>" not in text]
    for text in blocks:
        with suppress(FetchError):
            exec(compile(text, str(page), "exec"), names)  # noqa: S102  # our own documentation
    assert blocks


def _no_network(*_: Any, **__: Any) -> Any:
    raise socket.gaierror(socket.EAI_NONAME, "there is no network")


def test_the_extractor_of_contributing_runs() -> None:
    (code,) = (text for language, text in code_blocks(ROOT / "CONTRIBUTING.md") if language == "python")
    names: dict[str, Any] = {"checked": checked, "dataclass": dataclass, "np": np, "Page": Page, "Spans": Spans}
    exec(code, names)  # noqa: S102  # our own documentation
    page = Page(next(newspaper.pages("gazette", page_type="article")).html)
    assert 0 < len(names["FirstScreen"]()(page).words(page)) < len(page.visible.words(page))


def test_files_in_the_documentation_can_be_parsed() -> None:
    parsers: dict[str, Callable[[str], Any]] = {
        "toml": tomllib.loads,
        "json": json.loads,
        "yaml": yaml.safe_load,
        "ini": lambda text: configparser.RawConfigParser(strict=False).read_string(text),
    }
    parsed = 0
    for page in PAGES:
        for language, text in code_blocks(page):
            assert language in {*parsers, *LANGUAGES}, f"{page.relative_to(ROOT)}: a block in {language!r}"
            if language in parsers:
                parsers[language](text)
                parsed += 1
    assert parsed > 10


@pytest.mark.parametrize("name", ["configure", "accounts", "digest"])
def test_configuration_files_are_accepted(name: str, tmp_path: Path) -> None:
    from tidings.cli.app import app

    files = [text for language, text in code_blocks(ROOT / f"docs/how-to/{name}.md") if language == "toml"]
    assert files
    for text in files:
        (tmp_path / "tidings.toml").write_text(text, "utf-8")
        result = CliRunner().invoke(app, ["--config", str(tmp_path / "tidings.toml"), "config"])
        assert result.exit_code == 0, result.output


def test_filters_queries_and_recipes_are_accepted(tmp_path: Path) -> None:
    from tidings import sources
    from tidings.cli.app import app
    from tidings_portal.stories.trends.finder import read_queries

    def files(name: str) -> list[str]:
        return [text for language, text in code_blocks(ROOT / f"docs/how-to/{name}.md") if language == "toml"]

    assert [len(sources.read_chain(text).filters) for text in files("find-links")] == [4]
    assert [len(read_queries(text)) for text in files("find-trends")] == [2]
    (recipe,) = files("recipes")
    (tmp_path / "river-papers.toml").write_text(recipe, "utf-8")
    result = CliRunner().invoke(app, ["recipes", str(tmp_path / "river-papers.toml")])
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("module", ["tidings", "tidings.newspaper"])
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


def _documented_commands() -> Iterator[tuple[str, str]]:
    """Yield every `tidings …` command line of the README and the documentation, with the file and line it is in."""
    for page in (*FRONT, *PAGES):
        if "design" in page.parts:
            continue
        text = re.sub(r"\\\n\s*", " ", page.read_text(encoding="utf-8"))
        for block in re.finditer(r"^```(?:console|text|sh|bash|shell)?\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            for line in block[1].splitlines():
                for command in re.split(r"\s(?:\||&&|;)\s", line):
                    match = re.match(r"\s*(?:\$ |# )?(?:sudo )?(?:[A-Z_]+=\S+ )*(?:\S*/)?tidings ([a-z-].*)", command)
                    if match:
                        yield f"{page.relative_to(ROOT)}: {line.strip()}", match[1]
        prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
        for code in re.finditer(r"`tidings ([a-z-][^`\n]*)`", prose):
            yield f"{page.relative_to(ROOT)}: {code[0]}", code[1]


def test_every_command_in_the_documentation_is_accepted() -> None:
    """Each is parsed as if it were run: a name, option, choice or argument that does not exist fails."""
    import click
    from typer.main import get_command

    from tidings.cli.app import app

    failures, count = [], 0
    for place, text in _documented_commands():
        words = shlex.split(re.sub(r"\s#\s.*| [<>]+ ?\S+| &$", "", text), comments=True)
        if "…" in text or any(word in ("--help", "-h", "--version") for word in words):
            continue
        count += 1
        try:
            _parse(get_command(app), words)
        except click.exceptions.Exit:
            continue
        except Exception as error:  # whatever it is, it is named with its place
            if not re.search(
                "does not exist|is a (?:file|directory)|[Mm]issing|requires an argument", str(error)
            ):  # of an example
                failures.append(f"{place}: {getattr(error, 'message', error)}")
    assert not failures, "\n".join(failures)
    assert count > 100


def _parse(command: Any, words: list[str], parent: Any = None) -> None:
    while words and words[0].startswith("-") and hasattr(command, "commands"):  # options of all commands
        words = words[2 if words[0] == "--config" else 1 :]
    if not hasattr(command, "commands"):
        command.make_context(command.name, list(words), parent=parent)
        return
    if not words:  # a group, named in prose
        return
    if words[0] not in command.commands:
        raise ValueError(f"there is no command {words[:1]}")
    _parse(command.commands[words[0]], words[1:], parent)


def test_every_command_and_option_is_documented() -> None:
    from tidings.cli.app import app

    text = REFERENCE["command-line"]()
    missing = []
    for name, command in _commands("", typer.main.get_command(app)):
        if f"### `tidings {name}`" not in text:
            missing.append(name)
        options = [option for parameter in command.params for option in parameter.opts if option.startswith("--")]
        missing += [f"{name} {option}" for option in options if option != "--help" and f"`{option}" not in text]
    assert not missing


def test_every_extractor_is_documented() -> None:
    text = REFERENCE["extractors"]()
    assert [entry.name for entry in entries(laid_out=True) if f"`{entry.name}`" not in text] == []


def test_links_between_pages_lead_somewhere() -> None:
    broken = []
    for page in [*PAGES, *FRONT]:
        for target, anchor in re.findall(r"\]\(([^)#:]+)(?:#([^)]*))?\)", page.read_text(encoding="utf-8")):
            path = page.parent / target
            # MkDocs checks the anchors of the pages under docs.
            if not path.exists() or (page in FRONT and anchor and anchor not in anchors(path)):
                broken += [f"{page.relative_to(ROOT)}: {target} {anchor}"]
    assert not broken


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as MkDocs and forges make them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


@pytest.mark.parametrize(
    "task",
    [
        "extract Markdown from a list of URLs",
        "follow 20 feeds on a server",
        "replace trafilatura",
        "measure your own extractor",
        "process a WARC on Ray or Spark",
    ],
)
def test_common_tasks_are_one_click_from_the_landing_page(task: str) -> None:
    assert f"[{task}](" in (ROOT / "docs/index.md").read_text("utf-8")


def test_the_errors_of_troubleshooting_exist() -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / "docs/troubleshooting.md").read_text("utf-8"), re.MULTILINE)
    names = [name for heading in headings for name in re.findall(r"`([A-Z]\w+)`", heading)]
    assert len(names) > 3
    assert [name for name in names if not hasattr(errors, name)] == []


@pytest.mark.parametrize("name", ["how-to/use-the-portal", "how-to/reader", "how-to/sending", "tutorial/first-portal"])
def test_buttons_and_links_of_the_portal_exist(name: str) -> None:
    """Bold text in these guides is the text of a button or link."""
    web = ROOT / "packages/tidings-portal/src/tidings_portal"
    texts: set[str] = set()
    for file in (web / "web/translations/en").glob("*.toml"):
        texts |= set(re.findall(r'"((?:[^"\\]|\\.)*)"', file.read_text("utf-8")))
    extension = json.loads((web / "reader/extension/_locales/en/messages.json").read_text("utf-8"))
    texts |= {message["message"] for message in extension.values()}
    labels = re.findall(r"\*\*(.+?)\*\*", (ROOT / f"docs/{name}.md").read_text("utf-8"))
    assert len(labels) > 2
    assert [label for label in labels if label not in texts] == []


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert [str(page) for page in PAGES if str(page.relative_to(ROOT / "docs")) not in navigation] == []


def test_every_public_name_is_in_the_reference() -> None:
    import tidings
    from tidings import bulk

    for part, module in (("python-library", tidings), ("python-bulk", bulk)):
        blocks = re.findall(rf"^::: {module.__name__}\n.*\n      members: \[(.*)\]", REFERENCE[part](), re.MULTILINE)
        assert set(module.__all__) - {"__version__"} == set(blocks[0].replace(" ", "").split(","))


def test_every_generated_part_is_on_one_page() -> None:
    markers = [name for page in PAGES for name in re.findall(r"<!-- reference: (.*) -->", page.read_text("utf-8"))]
    assert sorted(markers) == sorted(REFERENCE)


def words_of_prose(text: str) -> int:
    """Count the words of a page outside code blocks and HTML comments."""
    prose = re.sub(r"^( *)```.*?^\1```|<!--.*?-->", "", text, flags=re.MULTILINE | re.DOTALL)
    return sum(any(character.isalnum() for character in word) for word in prose.split())


def test_the_documentation_is_short() -> None:
    assert sum(words_of_prose(page.read_text("utf-8")) for page in [*PAGES, *FRONT]) <= MOST_WORDS


def test_words_of_code_and_comments_are_not_counted() -> None:
    assert words_of_prose("Two words.\n\n```text\nnot these\n```\n<!-- nor these -->\n| a | - |\n") == 3


@pytest.mark.gate
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    needs("mkdocstrings")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    subprocess.run(command, cwd=ROOT, check=True)
    import tidings
    from tidings import bulk

    for page, module in (("python", tidings), ("python-bulk", bulk)):
        built = (tmp_path / "site/reference" / page / "index.html").read_text("utf-8")
        names = [f"{module.__name__}.{name}" for name in module.__all__ if name != "__version__"]
        assert [name for name in names if f'id="{name}"' not in built] == []
