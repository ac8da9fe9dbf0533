"""Which pages may be learned from: one rule for training and for studies."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tidings.errors import InputError
from tidings_lab.corpora import load
from tidings_lab.training.samples import samples_of

PAGE = "<h1>Seals</h1><p>Grey seals are back in the estuary, and the wardens counted forty pups.</p>"


def corpus(folder: Path, pages: dict[str, tuple[str, str]]) -> Path:
    """A corpus with a page for each id, of the part and the licence that are given."""
    folder.joinpath("html").mkdir(parents=True)
    rows = []
    for name, (part, licence) in pages.items():
        folder.joinpath(f"html/{name}.html").write_text(PAGE)
        gold = {"title": "Seals", "text": "Grey seals are back in the estuary, and the wardens counted forty pups."}
        rows.append({"id": name, "corpus": part, "site": f"{name}.example", "lang": "en", "page_type": "article",
                     "html_file": f"html/{name}.html", "licence": licence, "gold": gold})  # fmt: skip
    folder.joinpath("pages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_training_and_studies_take_the_same_pages(tmp_path: Path) -> None:
    folder = corpus(
        tmp_path / "mixed",
        {"free": ("mine", "CC-BY-4.0"), "kept": ("mine", "MIT; local evaluation only"), "peer": ("trafilatura", "MIT")},
    )
    assert [sample.id for sample in samples_of([str(folder)])] == ["free"]
    assert [sample.id for sample in load(folder) if sample.may_teach] == ["free"]


def test_a_corpus_for_measuring_only_is_refused(tmp_path: Path) -> None:
    folder = corpus(tmp_path / "measured", {"kept": ("mine", "local evaluation only")})
    with pytest.raises(InputError, match="for measuring only: none of its 1 pages may be learned from"):
        samples_of([str(folder)])


@pytest.mark.shared
def test_the_rule_is_that_of_the_shared_corpora(shared_data: Path) -> None:
    """Every row of the table of corpora with pages and gold: "may be used to"."""
    checked = 0
    for row in shared_data.joinpath("README.md").read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        if len(cells) != 6 or cells[5] not in ("train and measure", "measure only") or not cells[1].isdigit():
            continue
        name, _, parts = cells[0].partition(" (")
        wanted = set(re.split(r", ", parts.rstrip(")"))) if parts else None
        pages = load(shared_data / name, needs=None)
        samples = [sample for sample in pages if wanted is None or sample.corpus in wanted]
        assert samples, row
        assert {sample.may_teach for sample in samples} == {cells[5] == "train and measure"}, row
        checked += len(samples)
    assert checked > 2000
