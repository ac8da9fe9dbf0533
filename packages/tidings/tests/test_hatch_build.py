"""Building the compiled core with a fake cargo, and without one; one sentence says why a build fails."""

from __future__ import annotations

import importlib.util
import os
import sys
import zlib
from pathlib import Path
from types import ModuleType

import pytest

from tests.support import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the cargo of this test is a script of the shell")

#: A cargo that puts a text into the library of the target directory.
CARGO = """#!/bin/sh
while [ "$1" != --target-dir ]; do shift; done
{does}
"""
MAKES = 'mkdir -p "$2/release"; printf library > "$2/release/{library}"'


@pytest.fixture
def hook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """`hatch_build.py` in a checkout of its own with an older library, without cargo on the PATH or from rustup."""
    spec = importlib.util.spec_from_file_location("hatch_build_here", ROOT / "packages/tidings/hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    package = tmp_path / "package"
    for folder in (package, tmp_path / "core", tmp_path / "bin"):
        folder.mkdir()
    (package / module.LIBRARY).write_bytes(b"an older one")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "CORE", tmp_path / "core")
    monkeypatch.setattr(module, "PACKAGE", package)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("CARGO_HOME", str(tmp_path / "rustup"))
    return module


def _cargo(hook: ModuleType, monkeypatch: pytest.MonkeyPatch, does: str, folder: str = "bin") -> None:
    path = Path(hook.ROOT) / folder / "cargo"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(CARGO.format(does=does.format(library=hook.LIBRARY)))
    path.chmod(0o755)
    tools = path.parent.parent / "tools"  # what the script calls, and no cargo of this machine
    tools.mkdir()
    (tools / "mkdir").symlink_to("/bin/mkdir")
    monkeypatch.setenv("PATH", f"{Path(hook.ROOT) / 'bin'}{os.pathsep}{tools}")


def _library(hook: ModuleType) -> Path:
    return Path(hook.PACKAGE, hook.LIBRARY)


def test_what_cargo_makes_is_put_into_the_package_with_its_sum(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _cargo(hook, monkeypatch, MAKES)
    hook.build()
    assert _library(hook).read_bytes() == b"library"
    assert _library(hook).with_suffix(".sum").read_text() == f"7 {zlib.crc32(b'library'):08x}\n"
    assert len(list(Path(hook.PACKAGE).iterdir())) == 2
    assert capsys.readouterr().err == ""


def test_cargo_is_found_where_rustup_installs_it(hook: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    _cargo(hook, monkeypatch, MAKES, "rustup/bin")
    hook.build()
    assert _library(hook).read_bytes() == b"library"


@pytest.mark.parametrize(
    ("does", "reason"),
    [
        (None, "there is no Rust compiler (cargo); install Rust 1.63 or later"),
        ("exit 101", "cargo failed"),
        ("true", "cargo made no library"),
    ],
)
def test_a_build_without_a_core_fails_in_one_sentence_and_changes_nothing(
    does: str | None, reason: str, hook: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    if does is not None:
        _cargo(hook, monkeypatch, does)
    with pytest.raises(SystemExit) as failure:
        hook.build()
    (sentence,) = str(failure.value).splitlines()
    assert sentence.startswith("the compiled core of Tidings cannot be built: ")
    assert reason in sentence
    assert _library(hook).read_bytes() == b"an older one"


def test_a_package_that_cannot_be_written_to_is_one_sentence(hook: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    _cargo(hook, monkeypatch, MAKES)
    no_folder = Path(hook.ROOT) / "file"
    no_folder.write_text("")  # root could write into any folder
    monkeypatch.setattr(hook, "PACKAGE", no_folder / "package")
    with pytest.raises(SystemExit, match="cannot be written to"):
        hook.build()


def test_a_copy_of_the_package_has_the_other_library(
    hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "tidings" / "core"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / hook.LIBRARY).write_bytes(b"an older one")
    monkeypatch.setattr(hook, "PACKAGE", package)
    _cargo(hook, monkeypatch, MAKES.replace("/release", "/checked"))
    hook.build_copy(tmp_path / "copy", hook.compile_core("checked"))
    copy = tmp_path / "copy" / "tidings" / "core"
    assert (copy / hook.LIBRARY).read_bytes() == b"library"
    assert {path.name for path in copy.iterdir()} == {"__init__.py", hook.LIBRARY, Path(hook.LIBRARY).stem + ".sum"}
    assert (package / hook.LIBRARY).read_bytes() == b"an older one"


def test_a_variant_does_not_replace_the_library_of_the_usual_build(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    _cargo(hook, monkeypatch, MAKES)
    assert hook.compile_core() != hook.compile_core(variables=hook.SANITISED)
