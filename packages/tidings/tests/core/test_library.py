"""Loading the compiled core: a library that cannot be used is an error of one line."""

from __future__ import annotations

import os
import pickle
import re
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from tests.support import ROOT, missing
from tidings import Page, core, extract
from tidings.core import Handle
from tidings.errors import CoreError, CoreMissing, PageError
from tidings.page.compiled import scanner


@pytest.mark.soak
@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc for the size of the process")
def test_memory_is_flat_over_many_small_reads() -> None:
    """What stays behind from page to page would show: 50 bytes each are 4.5 MB."""
    command = [sys.executable, "-m", "benchmarks.memory", "small", "100000"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert core.state().reason in ran.stdout
    grown = re.search(r"growth after the first 10,000: (\S+) MB", ran.stdout)
    assert grown, ran.stdout
    assert float(grown[1]) < 4, ran.stdout


def _state_of(code: str, **environment: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, **environment}
    )
    return ran.stdout.strip()


SAMPLE = "<title>Seals</title><h1>Seals are back</h1><p>In the <b>estuary</b>, said&nbsp;the warden.<pre> 1\n 2</pre>"


def _summed(path: Path, content: bytes) -> None:
    """A library with a sum that is right."""
    path.write_bytes(content)
    path.with_suffix(".sum").write_text(f"{len(content)} {zlib.crc32(content):08x}\n")


def _damage(path: Path, damage: str) -> None:  # noqa: C901  # one case each
    """Put a library that is no good where `core` looks for it."""
    real = Path(core.state().reason)
    content = real.read_bytes()
    shutil.copyfile(real, path)
    shutil.copyfile(real.with_suffix(".sum"), path.with_suffix(".sum"))
    match damage:
        case "missing":
            path.unlink()
        case "cut off":
            path.write_bytes(content[: len(content) // 2])
        case "one bit changed":
            middle = len(content) // 2
            path.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
        case "a sum that is no text":
            path.with_suffix(".sum").write_bytes(b"\xff\xfe")
        case "empty":
            _summed(path, b"")
        case "not a library":
            _summed(path, b"x" * 5000)
        case "of another machine":  # e_machine of the ELF header: an architecture that nobody has
            _summed(path, content[:18] + b"\x01\xf0" + content[20:])
        case "without a function":
            _summed(path, content.replace(b"tidings_language", b"tidings_langvage"))
        case "without a sum and not a library":
            path.write_bytes(b"\x7fELF" + b"x" * 5000)
            path.with_suffix(".sum").unlink()
        case "a folder":
            path.unlink()
            path.mkdir()
        case "unreadable":
            path.chmod(0)


DAMAGES = {
    "missing": "is missing",
    "cut off": "damaged",
    "one bit changed": "damaged",
    "a sum that is no text": "cannot be loaded",
    "empty": "cannot be loaded",
    "not a library": "cannot be loaded",
    "of another machine": "cannot be loaded",
    "without a function": "tidings_language",
    "without a sum and not a library": "cannot be loaded",
    "a folder": "cannot be loaded",
    "unreadable": "cannot be loaded",
    "of another version": f"another version (interface {core.native.INTERFACE}, not 999)",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_library_that_cannot_be_used_is_an_error_of_one_line(damage: str, tmp_path: Path) -> None:
    if damage == "of another machine" and sys.platform != "linux":
        missing("writes into the header of an ELF file")
    _damage(tmp_path / Path(core.state().reason).name, damage)
    code = f"""
import logging, os, sys
logging.basicConfig(level=logging.DEBUG, stream=sys.stdout, format="%(name)s: %(message)s")
from tidings import core, Page
from tidings.errors import CoreMissing
if {damage!r} == "of another version":
    core.native.INTERFACE = 999
core.native.__file__ = {str(tmp_path / "__init__.py")!r}
if {damage!r} == "unreadable" and os.geteuid() == 0:
    os.seteuid(65534)  # root reads everything
    core.state()
    os.seteuid(0)
for page in ({SAMPLE!r}, {SAMPLE!r}.encode(), "Größe".encode("cp1252")):
    try:
        Page(page)
    except CoreMissing as error:
        print(error)
"""
    log, *errors = _state_of(code).splitlines()
    assert log.startswith("tidings.core: ")
    assert DAMAGES[damage] in log
    assert len(errors) == 3
    assert all("apt install cargo" in error for error in errors)
    assert all(error.startswith("the compiled core cannot be used: ") and DAMAGES[damage] in error for error in errors)


def test_the_version_says_in_one_line_why_there_is_no_core(tmp_path: Path) -> None:
    _damage(tmp_path / Path(core.state().reason).name, "cut off")
    code = f"""
import sys
from tidings import core
core.native.__file__ = {str(tmp_path / "__init__.py")!r}
sys.argv = ["tidings", "--version"]
from tidings.cli import main
main()
"""
    (told,) = _state_of(code).splitlines()
    assert "no compiled core: " in told
    assert "damaged" in told


@pytest.mark.parametrize("damage", ["missing", "cut off", "of another machine", "of another version"])
def test_a_command_without_a_usable_core_says_what_to_install_and_exits_with_2(damage: str, tmp_path: Path) -> None:
    if damage == "of another machine" and sys.platform != "linux":
        missing("writes into the header of an ELF file")
    _damage(tmp_path / Path(core.state().reason).name, damage)
    page = tmp_path / "page.html"
    page.write_text(SAMPLE)
    code = f"""
import sys
from tidings import core
if {damage!r} == "of another version":
    core.native.INTERFACE = 999
core.native.__file__ = {str(tmp_path / "__init__.py")!r}
sys.argv = ["tidings", "extract", {str(page)!r}]
from tidings.cli import main
main()
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stdout == ""
    (line,) = ran.stderr.splitlines()
    assert DAMAGES[damage] in line
    assert "apt install cargo" in line


def test_import_does_not_load_the_core() -> None:
    code = "import tidings\nfrom tidings import core\nprint(core.native._library.cache_info().currsize)"
    assert _state_of(code) == "0"


def test_a_core_that_knows_other_tags_cannot_be_used() -> None:
    code = """
from tidings.page import tags
tags.NAMES = tuple("paragraph" if name == "p" else name for name in tags.NAMES)
from tidings import Page
from tidings.errors import CoreMissing
try:
    Page("<p>x")
except CoreMissing as error:
    print(error)
"""
    assert "it knows other tags" in _state_of(code)


def test_a_failure_in_the_core_costs_the_page_and_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    scan = scanner()._scan

    def scan_too_much(tables: int, source: bytes, size: int, *rest: object) -> int:
        return int(scan(tables, source, 2**31, *rest))  # the core refuses this size as it answers a panic

    monkeypatch.setattr(scanner(), "_scan", scan_too_much)
    before = core.failures["tidings_scan"]
    for _ in range(2):
        with pytest.raises(CoreError, match="tidings_scan") as caught:
            extract(SAMPLE)
        assert caught.value.function == "tidings_scan"
    assert isinstance(caught.value, PageError)
    assert core.failures["tidings_scan"] == before + 2
    monkeypatch.undo()
    assert "estuary" in Page(SAMPLE).text


def test_errors_of_the_core_survive_another_process() -> None:
    for error in (CoreError("tidings_scan"), CoreMissing("it is not there")):
        again = pickle.loads(pickle.dumps(error))  # noqa: S301  # our own
        assert type(again) is type(error)
        assert str(again) == str(error)


def test_types_of_handles_are_those_of_the_core() -> None:
    source = (ROOT / "core" / "src" / "boundary" / "handles.rs").read_text(encoding="utf-8")
    declared = re.findall(r"^pub const (\w+): c_int = (\d+);$", source, re.MULTILINE)
    assert [(name, int(number)) for name, number in declared] == [(kind.name, int(kind)) for kind in Handle]
    freed = re.findall(r"^        (\w+) => ", source, re.MULTILINE)
    assert sorted(freed) == [*sorted(kind.name for kind in Handle), "_"]
