"""Names of corpora on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tidings import newspaper
from tidings_lab.corpora.files import corpus_folder


def test_the_newspaper_is_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert corpus_folder(Path("newspaper")) == newspaper.path()
    (tmp_path / "newspaper").mkdir()  # no corpus, as in a checkout of Tidings
    assert corpus_folder(Path("newspaper")) == newspaper.path()
    (tmp_path / "newspaper" / "pages.jsonl").touch()
    assert corpus_folder(Path("newspaper")) == Path("newspaper")
