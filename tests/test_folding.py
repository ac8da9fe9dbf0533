"""Cases that are folded into one item: each that fails is named, the others run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.support import ROOT

CONFTEST = "from tests.folding import pytest_addoption, pytest_pycollect_makeitem\n"
TESTS = """
import pytest

ran = []

@pytest.mark.parametrize("sign", "+-")
@pytest.mark.parametrize(("left", "right"), [(1, 1), pytest.param(2, 3, id="unlike"), (4, 4)])
def test_alike(left, right, sign):
    ran.append(sign)
    assert left == right

def test_all_have_run():
    assert len(ran) == 6

@pytest.mark.parametrize("number", range(3))
def test_skipped(number):
    pytest.skip("not here")

@pytest.mark.parametrize("number", range(3))
def test_with_a_folder_of_its_own(number, tmp_path):
    assert not list(tmp_path.iterdir())
    (tmp_path / "file").touch()

@pytest.mark.apart
@pytest.mark.parametrize("number", range(3))
def test_apart(number):
    pass

@pytest.mark.parametrize("number", [1, pytest.param(2, marks=pytest.mark.skip)])
def test_with_a_mark(number):
    assert number == 1
"""


def run(folder: Path, *options: str) -> str:
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_made_up.py").write_text(TESTS)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = apart: no\n")
    command = [sys.executable, "-m", "pytest", "-q", "-rfs", "--rootdir", str(folder), *options, str(folder)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=folder, env={"PYTHONPATH": str(ROOT), "PATH": ""}
    )
    return done.stdout + done.stderr


def test_every_case_that_fails_is_named_and_the_others_run(tmp_path: Path) -> None:
    said = run(tmp_path, "--fold")
    assert "2 of 6 cases failed" in said
    assert "--- unlike-'+'" in said
    assert "--- unlike-'-'" in said
    assert "assert 2 == 3" in said
    assert "1 failed, 8 passed, 2 skipped" in said, said


def test_without_it_each_is_an_item(tmp_path: Path) -> None:
    assert "2 failed, 12 passed, 4 skipped" in run(tmp_path)
