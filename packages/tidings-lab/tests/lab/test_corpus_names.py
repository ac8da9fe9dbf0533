"""Names of corpora on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from tidings import newspaper
from tidings.cli.app import app
from tidings_lab.corpora.files import corpus_folder
from tidings_lab.gate.measure import plan


def test_the_newspaper_is_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert corpus_folder(Path("newspaper")) == newspaper.path()
    (tmp_path / "newspaper").mkdir()  # no corpus, as in a checkout of Tidings
    assert corpus_folder(Path("newspaper")) == newspaper.path()
    (tmp_path / "newspaper" / "pages.jsonl").touch()
    assert corpus_folder(Path("newspaper")) == Path("newspaper")


def test_gate_measures_the_newspaper_by_its_name() -> None:
    (by_name,), (by_folder,) = plan([Path("newspaper")]), plan([newspaper.path()])
    assert by_name.corpus == by_folder.corpus
    assert by_name.digests() == by_folder.digests()


def test_study_takes_the_newspaper_by_its_name() -> None:
    result = CliRunner().invoke(app, "lab study n-ext-sentences --corpus newspaper --limit 3 -j 1".split())
    assert result.exit_code == 0, result.output
    assert "without stage 5" in result.stdout
