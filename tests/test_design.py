"""The pages of docs/design are true: walks can be traced, citations lead somewhere, what is named exists."""

from __future__ import annotations

import importlib.util
import re
import runpy
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import ROOT

DESIGN = ROOT / "docs" / "design"
WALKS = runpy.run_path(str(ROOT / "scripts/code_walks.py"))
_SECTION = re.compile(r"^## (\d+)\. ", re.MULTILINE)
#: As code and tests cite them: SPEC 8; SPEC 2, row CETR. The hostile list has a test of its own.
_CITED = re.compile(r"\bSPEC (\d+)")
#: Files that the examples of CONTRIBUTING would make.
EXAMPLES = {
    "packages/tidings/src/tidings/extractors/published/first_screen.py",
    "packages/tidings/src/tidings/fields/dateline.py",
    "packages/tidings/tests/extractors/test_first_screen.py",
    "packages/tidings/tests/fields/test_dateline.py",
}
#: Files that are not in this repository.
_ELSEWHERE = re.compile(r"\b(SPEC|DESIGN|HOSTILE|STYLE|AUDIT|HOUSE)\.md\b")


def texts() -> Iterator[tuple[str, str]]:
    for folder in ("packages", "tests", "newspaper", "benchmarks", "core/src", "docs", "scripts"):
        for path in sorted((ROOT / folder).rglob("*")):
            is_text = path.suffix in (".py", ".rs", ".md", ".toml") or folder == "scripts"
            if path.is_file() and is_text and path != Path(__file__).resolve():
                yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["extract", "site", pytest.param("watch", marks=pytest.mark.gate)])
def test_the_code_walks_can_be_traced(name: str) -> None:
    files = WALKS["traced"](name)
    assert len(files) > 10
    assert "tidings/page/page.py" in files or name == "site"


def test_the_specification_has_what_is_cited() -> None:
    sections = set(_SECTION.findall((DESIGN / "specification.md").read_text(encoding="utf-8")))
    assert sections == {str(number) for number in range(1, 11)}
    cited = {(path, number) for path, text in texts() for number in _CITED.findall(text)}
    assert len(cited) > 5
    assert [place for place in sorted(cited) if place[1] not in sections] == []


def test_nothing_is_cited_that_is_not_in_the_house() -> None:
    assert [path for path, text in texts() if _ELSEWHERE.search(text)] == []


@pytest.mark.parametrize("page", ["docs/design/architecture.md", "docs/design/specification.md", "CONTRIBUTING.md"])
def test_what_a_page_names_exists(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    modules = set(re.findall(r"`(tidings(?:_portal|_lab)?(?:\.[a-z_]+)+)`", text)) - {"tidings.extract"}
    paths = set(re.findall(r"`((?:packages|tests|scripts|core|docs)/[\w./-]+)`", text)) - EXAMPLES
    assert [name for name in sorted(modules) if importlib.util.find_spec(name) is None] == []
    assert [name for name in sorted(paths) if not (ROOT / name).exists()] == []
    if page.endswith("architecture.md"):
        table = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
        packages = {path.name.removesuffix(".py") for path in (ROOT / "packages/tidings/src/tidings").iterdir()}
        assert set(table) <= packages


def test_every_capability_of_the_documents_has_a_place_and_a_test_or_a_reason() -> None:
    text = (DESIGN / "specification.md").read_text(encoding="utf-8").partition("## 10.")[2]
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| ") and "`tidings" in line]
    states = Counter(row[2] for row in rows)
    assert len(rows) >= 155
    assert set(states) == {"works", "in part", "missing"}
    assert f"{states['works']} work as described, {states['in part']} in part, {states['missing']} are missing" in text
    for name, _, state, _, reason in rows:
        assert "tests/" in reason if state == "works" else len(reason) > 12, name


def test_one_file_of_the_core_makes_slices_of_memory_of_the_caller() -> None:
    """An empty Python array has a null address, of which no slice may be made."""
    sources = sorted((ROOT / "core" / "src").rglob("*.rs"))
    users = {path.name for path in sources if "from_raw_parts" in path.read_text(encoding="utf-8")}
    assert users == {"slices.rs"}
