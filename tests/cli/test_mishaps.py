"""Nobody sees a traceback who has not asked for one: places that cannot be written, full disks, mistakes of ours."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_commands import PAGE, Tidings, tidings  # noqa: F401  # the fixture
from tests.extractors.test_parameters import parameters
from tidings import newspaper
from tidings.extractors import entries

NEWSPAPER = str(newspaper.path())
#: Commands that write where they are told.
WRITING = {
    "extract": ("extract", PAGE, "--output"),
    "draw": ("draw", PAGE, "--output"),
    "compare": ("compare", PAGE, "--with", "bte", "--output"),
    "lab study": ("lab", "study", "n-ext-beta", "--corpus", NEWSPAPER, "--limit", "2", "--jobs", "1", "--out"),
    "lab train": ("lab", "train", "correlation-clustering", "--corpus", NEWSPAPER, "--jobs", "1", "--out"),
    "lab run": ("lab", "run", "--corpus", NEWSPAPER, "--with", "bte", "--limit", "2", "--speed", "0", "--no-cache",
                "--format", "json", "--jobs", "1", "--out"),
}  # fmt: skip


@pytest.mark.parametrize("command", WRITING)
def test_a_place_that_cannot_be_written(tidings: Tidings, command: str, tmp_path: Path) -> None:  # noqa: F811
    file = tmp_path / "file"
    file.write_text("a file is no folder")
    run = tidings(*WRITING[command], file / "result")
    assert run.code == 2
    assert "Traceback" not in run.errors
    assert str(file) in "".join(run.errors.split("\n"))
    assert "cannot be" in run.errors


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("to_file", [True, False], ids=["a file", "standard output"])
def test_a_full_disk(to_file: bool) -> None:
    command = [sys.executable, "-m", "tidings", "extract", str(PAGE), *(("--output", "/dev/full") if to_file else ())]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_a_mistake_of_ours(tidings: Tidings, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    def broken(*_: object) -> object:
        raise ZeroDivisionError("by [/] zero")

    monkeypatch.setattr("tidings.page.draw.draw", broken)
    run = tidings("draw", PAGE)
    assert run.code == 70
    assert "ZeroDivisionError: by [/] zero" in run.errors
    assert "--debug" in run.errors
    assert "Traceback" not in run.errors
    with pytest.raises(ZeroDivisionError):
        tidings("--debug", "draw", PAGE)


@pytest.mark.parametrize("value", ["1.5", "-1", "1e999"])
def test_parameters_that_no_extractor_can_have(tidings: Tidings, value: str) -> None:  # noqa: F811
    """A sentence on what is wrong, or an article: never a mistake of ours (exit code 70), never a traceback."""
    page = b"<h1>Seals</h1><p>Grey seals are back in the estuary, and the wardens have counted forty pups there.</p>"
    for entry in entries():
        for name in parameters(entry):
            run = tidings("extract", "-", "--with", f"{entry.name}({name}={value})", stdin=page)
            assert run.code in (0, 2, 3), run.errors  # read, not understood, or of no use for the page
            assert "Traceback" not in run.errors
            assert run.code == 0 or name in run.errors or name == "model", run.errors
