"""What is released says one version everywhere, and its changelog begins with it."""

from __future__ import annotations

import re
import tomllib

from tests.conftest import ROOT
from tidings import __version__


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_one_version_everywhere() -> None:
    assert tomllib.loads(_text("pyproject.toml"))["project"]["version"] == __version__
    assert tomllib.loads(_text("core/Cargo.toml"))["package"]["version"] == __version__
    assert set(re.findall(r"^tidings (\d[\w.]*) \(", _text("docs/how-to/install.md"), re.MULTILINE)) == {__version__}


def test_the_changelog_begins_with_what_is_released() -> None:
    """Either what is not released yet, or the version of this day with what a user wants to know of it first."""
    first, second = re.findall(r"^## (.+)$", _text("CHANGELOG.md"), re.MULTILINE)[:2]
    latest = second if first == "Unreleased" else first
    assert re.fullmatch(rf"{re.escape(__version__)} \(\d{{4}}-\d\d-\d\d\)", latest)
    section = _text("CHANGELOG.md").partition(f"## {latest}\n")[2]
    assert section.lstrip().startswith("### In short\n")
