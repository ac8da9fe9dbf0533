"""What is released says one version everywhere, and its changelog begins with it."""

from __future__ import annotations

import re
import tomllib
from itertools import chain

from tests.support import ROOT
from tidings import __version__


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_one_version_everywhere() -> None:
    for name in ("tidings", "tidings-portal", "tidings-lab"):
        project = tomllib.loads(_text(f"packages/{name}/pyproject.toml"))["project"]
        assert project["version"] == __version__
        wanted = [*project["dependencies"], *chain(*project.get("optional-dependencies", {}).values())]
        ours = {version for one in wanted for version in re.findall(r"^tidings-?\w*(?:\[[\w,]*\])?==(.+)", one)}
        assert ours <= {__version__}
    assert tomllib.loads(_text("core/Cargo.toml"))["package"]["version"] == __version__
    assert set(re.findall(r"^tidings (\d[\w.]*) \(", _text("docs/how-to/install.md"), re.MULTILINE)) == {__version__}


def test_the_changelog_begins_with_what_is_released() -> None:
    """The version is that of the first heading, or of the release that "Unreleased" will become."""
    first, second = re.findall(r"^## (.+)$", _text("CHANGELOG.md"), re.MULTILINE)[:2]
    latest = second if first == "Unreleased" else first
    released, _ = re.fullmatch(r"(\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)", latest).groups()  # type: ignore[union-attr]
    assert (released < __version__) if first == "Unreleased" else (released == __version__)
    section = _text("CHANGELOG.md").partition(f"## {latest}\n")[2]
    assert section.lstrip().startswith("### In short\n")
