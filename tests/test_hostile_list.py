"""`docs/design/hostile.md`, the list of what the web throws at us: each line has tests, and they exist."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.support import ROOT

LIST = (ROOT / "docs/design/hostile.md").read_text(encoding="utf-8")
#: Lines whose faults are being mended and that have `- open` among their tests; none, at a release.
OPEN: frozenset[int] = frozenset()

_HEADING = re.compile(r"^### (\d+)\. .+$", re.MULTILINE)
_TEST = re.compile(r"^- `((?:packages/[\w-]+/)?tests/[\w/]+\.py)::([\w:]+)`$", re.MULTILINE)
#: As code and tests cite it: HOSTILE 27; HOSTILE 8, 10, 16; HOSTILE 25 and 26; HOSTILE 6 to 10.
_CITED = re.compile(r"\bHOSTILE (\d+(?:(?:,| and| to) \d+)*)")


def lines() -> dict[int, str]:
    """What stands under each number."""
    parts = _HEADING.split(LIST)
    numbers = [int(number) for number in parts[1::2]]
    assert numbers == list(range(1, len(numbers) + 1)), "numbers follow one another and never change"
    return dict(zip(numbers, parts[2::2], strict=True))


@cache
def names_in(path: Path) -> frozenset[str]:
    """The tests of a file by name, those of a class with its name before."""
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        before = f"{node.name}::" if isinstance(node, ast.ClassDef) else ""
        names |= {
            before + one.name
            for one in inner
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and one.name.startswith("test_")
        }
    return frozenset(names)


def wrong(text: str) -> list[str]:
    """What is wrong with what stands under one number."""
    listed = re.findall(r"^- .*$", text, re.MULTILINE)
    named = _TEST.findall(text)
    problems = [one for one in listed if not _TEST.match(one) and one != "- open"]
    problems += [f"{file}::{name} twice" for file, name in set(named) if named.count((file, name)) > 1]
    for file, name in named:
        if not (ROOT / file).is_file() or name not in names_in(ROOT / file):
            problems.append(f"{file}::{name} does not exist")
    if not named and "- open" not in listed:
        problems.append("no test")
    return problems


def test_no_line_is_missing() -> None:
    assert len(lines()) >= 41
    for number, text in lines().items():
        assert "→" in text, f"{number} does not say what must happen"


@pytest.mark.parametrize("number", lines())
def test_every_line_has_tests_that_exist(number: int) -> None:
    text = lines()[number]
    assert wrong(text) == []
    assert "- open" not in text.splitlines() or number in OPEN


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a → b\n", "no test"),
        ("a → b\n\n- tests/x.py: something\n", "- tests/x.py: something"),
        ("a → b\n\n- `tests/nowhere/test_it.py::test_it`\n", "does not exist"),
        ("a → b\n\n- `tests/test_hostile_list.py::test_of_yesterday`\n", "does not exist"),
        ("a → b\n" + "\n- `tests/test_hostile_list.py::test_no_line_is_missing`" * 2, "twice"),
    ],
)
def test_what_is_wrong_is_noticed(text: str, problem: str) -> None:
    assert problem in str(wrong(text))


def test_every_number_that_is_cited_is_a_line() -> None:
    known, cited = set(lines()), 0
    for path in [*ROOT.glob("packages/**/*.py"), *ROOT.glob("tests/**/*.py")]:
        for numbers in _CITED.findall(path.read_text(encoding="utf-8")):
            cited += 1
            assert {int(one) for one in re.findall(r"\d+", numbers)} <= known, f"{path}: HOSTILE {numbers}"
    assert cited >= 60
