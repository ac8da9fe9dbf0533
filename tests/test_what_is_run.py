"""What `make test` leaves out, and what brings it back."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import conftest


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.delenv("TIDINGS_NO_SKIP", raising=False)
    monkeypatch.setattr(conftest, "LAB_PASSED", tmp_path / "lab")
    conftest.unread_by_the_lab.cache_clear()
    yield
    conftest.unread_by_the_lab.cache_clear()


def repository(monkeypatch: pytest.MonkeyPatch, *changed: str, made: str = "") -> None:
    answers = {"merge-base": "a", "rev-parse": "b", "diff": "\n".join(changed), "ls-files": made}
    monkeypatch.setattr(conftest, "_git", lambda *words: answers[words[0]])


@pytest.mark.parametrize(
    ("changed", "left_out"),
    [
        ("docs/index.md", True),
        ("packages/tidings-portal/src/tidings_portal/web/pages.py", True),
        ("packages/tidings-portal/src/tidings_portal/stories/tracker.py", False),
        ("packages/tidings-lab/src/tidings_lab/gate/judge.py", False),
        ("packages/tidings/src/tidings/page/page.py", False),
        ("core/src/scan.rs", False),
        ("packages/tidings-lab/tests/lab/test_gate.py", False),
    ],
)
def test_the_laboratory_waits_for_a_change_of_what_it_reads(
    changed: str, left_out: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository(monkeypatch, "README.md", changed)
    assert conftest.unread_by_the_lab() is left_out


def test_what_it_has_passed_with_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    repository(monkeypatch, "packages/tidings-lab/src/tidings_lab/gate/judge.py")
    conftest.LAB_PASSED.write_text("as it was before")
    assert not conftest.unread_by_the_lab()
    conftest.unread_by_the_lab.cache_clear()
    conftest.LAB_PASSED.write_text(conftest.lab_digest())
    assert conftest.unread_by_the_lab()
    monkeypatch.setenv("TIDINGS_NO_SKIP", "1")
    conftest.unread_by_the_lab.cache_clear()
    assert not conftest.unread_by_the_lab()


def test_a_new_file_is_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    repository(monkeypatch, made="packages/tidings/src/tidings/extractors/published/new.py")
    assert not conftest.unread_by_the_lab()


def test_in_ci_and_without_a_repository_everything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: str) -> str:
        raise subprocess.CalledProcessError(128, "git")

    monkeypatch.setattr(conftest, "_git", fails)
    assert not conftest.unread_by_the_lab()
    conftest.unread_by_the_lab.cache_clear()
    repository(monkeypatch, "README.md")
    monkeypatch.setenv("TIDINGS_NO_SKIP", "1")
    assert not conftest.unread_by_the_lab()
