"""Building the compiled core: with a cargo of our own making, and without; one line says why there is no core."""

from __future__ import annotations

import importlib.util
import os
import sys
import zlib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the cargo of this test is a script of the shell")

#: A cargo that writes what it is told to into the library that it was asked for.
CARGO = """#!/bin/sh
while [ "$1" != --target-dir ]; do shift; done
{does}
"""
MAKES = 'mkdir -p "$2/release"; printf library > "$2/release/{library}"'


@pytest.fixture
def hook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """`hatch_build.py` in a checkout of its own, with an older library in it, and no cargo on the PATH."""
    spec = importlib.util.spec_from_file_location("hatch_build_here", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    package = tmp_path / "package"
    for folder in (package, tmp_path / "core", tmp_path / "bin"):
        folder.mkdir()
    (package / module.LIBRARY).write_bytes(b"an older one")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "PACKAGE", package)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("TIDINGS_PURE", raising=False)
    monkeypatch.delenv("TIDINGS_CORE", raising=False)
    return module


def _cargo(hook: ModuleType, monkeypatch: pytest.MonkeyPatch, does: str) -> None:
    path = Path(hook.ROOT) / "bin" / "cargo"
    path.write_text(CARGO.format(does=does.format(library=hook.LIBRARY)))
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{path.parent}{os.pathsep}/usr/bin{os.pathsep}/bin")


def _library(hook: ModuleType) -> Path:
    return Path(hook.PACKAGE, hook.LIBRARY)


def test_what_cargo_makes_is_put_into_the_package_with_its_sum(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _cargo(hook, monkeypatch, MAKES)
    assert hook.build()
    assert _library(hook).read_bytes() == b"library"
    assert _library(hook).with_suffix(".sum").read_text() == f"7 {zlib.crc32(b'library'):08x}\n"
    assert len(list(Path(hook.PACKAGE).iterdir())) == 2
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("does", "reason"),
    [
        (None, "there is no Rust compiler (cargo)"),
        ("exit 101", "cargo failed"),
        ("true", "cargo made no library"),
    ],
)
def test_without_a_core_one_line_says_why_and_an_older_one_is_not_left(
    does: str | None,
    reason: str,
    hook: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if does is not None:
        _cargo(hook, monkeypatch, does)
    assert not hook.build()
    (line,) = capsys.readouterr().err.splitlines()
    assert reason in line
    assert "the default extractor needs it" in line
    assert not _library(hook).exists()


def test_a_build_that_requires_the_core_fails_without_it(hook: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIDINGS_CORE", "required")
    with pytest.raises(SystemExit, match="there is no Rust compiler"):
        hook.compile_core()


def test_none_is_built_where_python_is_asked_for(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _cargo(hook, monkeypatch, MAKES)
    monkeypatch.setenv("TIDINGS_PURE", "1")
    assert hook.compile_core() is None
    (line,) = capsys.readouterr().err.splitlines()
    assert "TIDINGS_PURE is set" in line


def test_a_package_that_cannot_be_written_to_stops_nothing(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _cargo(hook, monkeypatch, MAKES)
    no_folder = Path(hook.ROOT) / "file"
    no_folder.write_text("")  # root could write into any folder
    monkeypatch.setattr(hook, "PACKAGE", no_folder / "package")
    assert not hook.build()
    (line,) = capsys.readouterr().err.splitlines()
    assert "cannot be written to" in line
