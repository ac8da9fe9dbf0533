"""`scripts/system-packages`: installs what pip cannot, where it may, and else says what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support import ROOT

SCRIPT = ROOT / "scripts" / "system-packages"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="a script for Debian")


def tool_box(folder: Path, **programs: str) -> dict[str, str]:
    """An environment with only these programs, besides what the script itself uses."""
    folder.mkdir()
    for name in ("bash", "sed", "timeout"):
        (folder / name).symlink_to(shutil.which(name) or name)
    for name, script in programs.items():
        (folder / name).write_text(f"#!{shutil.which('bash')}\n{script}\n")
        (folder / name).chmod(0o755)
    return {"PATH": str(folder)}


def install(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    run = subprocess.run(["bash", str(SCRIPT), *words], env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0 or words
    return run


def test_packages_are_installed_where_they_can_be(tmp_path: Path) -> None:
    log = tmp_path / "log"
    others = {"fc-list": "echo a font", "java": "", "newsboat": "", "pg_ctl": "", "timbl": "", "weka": ""}
    assert install(tool_box(tmp_path / "all", chromium="", **others)).stdout == ""
    alone = install(tool_box(tmp_path / "none", id="echo 1000", **others))
    assert alone.stdout == "skipped until they are installed: tests in a real browser (package chromium)\n"
    apt = f'echo "$1" >> {log}'
    assert (
        install(tool_box(tmp_path / "works", **others, **{"id": "echo 0", "apt-get": apt})).stdout
        == "installing chromium …\n"
    )
    assert log.read_text().split() == ["install"]
    log.unlink()
    fails = install(tool_box(tmp_path / "fails", **others, **{"id": "echo 0", "apt-get": f'{apt}; [ "$1" = update ]'}))
    assert "could not be installed" in fails.stdout
    assert log.read_text().split() == ["install", "update", "install"]
    without = install(tool_box(tmp_path / "without", id="echo 1000", chromium="", **{**others, "fc-list": ""}))
    assert "Japanese, Chinese and Korean letters in pictures of pages (package fonts-noto-cjk)" in without.stdout


def test_a_compiler_that_is_there_is_enough(tmp_path: Path) -> None:
    on_path = tool_box(tmp_path / "path", cargo="")
    assert install(on_path, "cargo").returncode == 0
    from_rustup = tool_box(tmp_path / "rustup")
    tool_box(tmp_path / "bin", cargo="")
    run = install(from_rustup | {"CARGO_HOME": str(tmp_path)}, "cargo")
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_a_compiler_is_installed_alone(tmp_path: Path) -> None:
    log = tmp_path / "log"
    run = install(tool_box(tmp_path / "box", **{"id": "echo 0", "apt-get": f'echo "$*" >> {log}'}), "cargo")
    assert (run.returncode, run.stdout) == (0, "installing cargo …\n")
    (command,) = log.read_text().splitlines()
    assert command.startswith("install ")
    assert command.split()[-1] == "cargo"
    assert "chromium" not in command


@pytest.mark.parametrize(
    "programs",
    [{"id": "echo 0"}, {"id": "echo 1000", "apt-get": ""}, {"id": "echo 0", "apt-get": "exit 100"}],
    ids=["no apt", "not root", "apt fails"],
)
def test_without_a_compiler_one_sentence_says_what_to_install(tmp_path: Path, programs: dict[str, str]) -> None:
    run = install(tool_box(tmp_path / "box", **programs), "cargo")
    assert run.returncode == 1
    (sentence,) = run.stderr.splitlines()
    assert sentence.startswith("Tidings needs a Rust compiler to build its core: install Rust 1.63 or later")
    assert "apt install cargo" in sentence
