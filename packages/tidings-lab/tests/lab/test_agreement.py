"""How far two annotators agree (hybrid rules 4.2 and 4.5), and the third who decides."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from sklearn.metrics import cohen_kappa_score

from tidings.errors import InputError
from tidings_lab.annotate.agreement import AgreementUnit, agreement, kappa
from tidings_lab.annotate.double_annotation import Opinions, read_twice
from tidings_lab.annotate.pages import find_pages
from tidings_lab.annotate.project import Project
from tidings_lab.annotation.marks import UnitMark
from tidings_lab.corpora import CorpusTrouble, load

PAGES = {
    "one": "<h1>Head of one</h1><p>First paragraph here.</p><p>Second paragraph here.</p><p>Legal notice.</p>",
    "two": "<h1>Head of two</h1><p>First <b>paragraph</b> there.</p><p hidden>Nobody sees this.</p>",
}


@pytest.mark.parametrize(
    ("confusion", "expected"),
    [
        ([[20, 5], [10, 15]], 0.4),  # P_o 0.7, P_c 0.5
        ([[45, 15], [25, 15]], 0.1304),
        ([[25, 35], [5, 35]], 0.2593),
        ([[88, 14, 18], [10, 40, 10], [2, 6, 12]], 0.4915),  # Cohen 1960, table 1, of 200: P_o 0.70, P_c 0.41
        ([[10, 0], [0, 10]], 1.0),
        ([[0, 10], [10, 0]], -1.0),
        ([[5, 5], [5, 5]], 0.0),
        ([[7, 0], [0, 0]], 1.0),
        ([[0, 0], [0, 0]], 1.0),
        ([], 1.0),
    ],
)
def test_kappa(confusion: list[list[int]], expected: float) -> None:
    assert kappa(np.array(confusion).reshape(len(confusion), len(confusion))) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize("wrong", [[[1, 2, 3], [4, 5, 6]], [1, 2], [[1, -1], [0, 2]]])
def test_what_is_no_confusion_matrix(wrong: object) -> None:
    with pytest.raises(ValueError, match="confusion matrix"):
        kappa(wrong)  # type: ignore[arg-type]  # wrong on purpose


@given(arrays.arrays(np.int64, (3, 3), elements=st.integers(0, 30)))
def test_kappa_agrees_with_another_hand(confusion: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> None:
    first, second = np.repeat(np.array(np.unravel_index(np.arange(9), (3, 3))), confusion.ravel(), axis=1)
    if len(set(first) | set(second)) < 2:
        assert kappa(confusion) == 1.0
        return
    assert kappa(confusion) == pytest.approx(cohen_kappa_score(first, second))
    assert kappa(confusion) == pytest.approx(kappa(confusion.T))
    assert -1 <= kappa(confusion) <= 1


def annotated(source: Path, out: Path, marked: dict[str, list[UnitMark]]) -> Path:
    samples = find_pages([source])[0]
    project = Project(samples, out)
    for number, sample in enumerate(samples):
        if sample.id in marked:
            for unit, mark in enumerate(marked[sample.id]):
                project.mark(number, [unit], mark)
            project.save(number)
    project.close()
    return out


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "in").mkdir()
    for name, source in PAGES.items():
        (tmp_path / f"in/{name}.html").write_text(source)
    title, body, none, caption = UnitMark.TITLE, UnitMark.BODY, UnitMark.NONE, UnitMark.CAPTION
    first = annotated(tmp_path / "in", tmp_path / "a", {"one": [title, body, body, none], "two": [title, body]})
    second = annotated(tmp_path / "in", tmp_path / "b", {"one": [title, body, caption, none], "two": [title, body]})
    return first, second


def test_agreement_over_blocks(folders: tuple[Path, Path]) -> None:
    twice, problems = read_twice(*folders)
    assert problems == []
    found = agreement(twice)
    assert (found.pages, int(found.confusion.sum())) == (2, 6)
    assert found.observed == pytest.approx(5 / 6)
    # Chance: titles 2·2, bodies 3·2, none 1·1, captions 0·1, of 36.
    assert found.kappa == pytest.approx((5 / 6 - 11 / 36) / (1 - 11 / 36))
    (difference,) = found.differences
    assert (difference.page, difference.unit, difference.text) == ("one", 2, "Second paragraph here.")
    assert (difference.first, difference.second) == ("body", "caption")
    classes = {one.name: one for one in found.classes}
    assert (classes["body"].first, classes["body"].second, classes["body"].both) == (3, 2, 2)
    assert classes["body"].f1 == pytest.approx(0.8)
    assert classes["body"].kappa == pytest.approx(kappa([[2, 1], [0, 3]]))
    assert classes["title"].kappa == 1
    assert classes["comment"].f1 == 1


def test_agreement_over_words_and_page_types(folders: tuple[Path, Path]) -> None:
    first, second = folders
    lines = (second / "pages.jsonl").read_text().replace('"page_type": "article"', '"page_type": "listing"', 1)
    (second / "pages.jsonl").write_text(lines)
    found = agreement(read_twice(first, second)[0], AgreementUnit.WORDS)
    assert found.same_type == 1
    body, caption = found.names.index("body"), found.names.index("caption")
    assert found.confusion[body, caption] == 3  # "Second paragraph here."


def test_agreement_over_elements(folders: tuple[Path, Path]) -> None:
    found = agreement(read_twice(*folders)[0], AgreementUnit.ELEMENTS)
    assert found.names == ("garbage", "title", "heading", "body")
    # Texts of four and two elements, and the bold word with its tail in the second page.
    assert int(found.confusion.sum()) == 8
    assert found.confusion[3, 0] == 1
    assert int(np.trace(found.confusion)) == 7


def test_only_common_pages_count(folders: tuple[Path, Path], tmp_path: Path) -> None:
    first, second = folders
    lines = (second / "pages.jsonl").read_text().splitlines()
    (second / "pages.jsonl").write_text(lines[0] + "\n" + lines[1].replace('"id": "two"', '"id": "three"') + "\n")
    twice, problems = read_twice(first, second)
    assert [one.sample.id for one in twice] == ["one"]
    missing = {(problem.where, problem.trouble) for problem in problems}
    assert missing == {("three", CorpusTrouble.NO_GOLD), ("two", CorpusTrouble.NO_GOLD)}
    (second / "html/one.html.gz").write_bytes((first / "html/two.html.gz").read_bytes())
    with pytest.raises(InputError, match="no page in common"):
        read_twice(first, second)


def test_a_third_annotator_decides(folders: tuple[Path, Path], tmp_path: Path) -> None:
    opinions = Opinions.of(read_twice(*folders)[0])
    assert list(opinions.pages) == ["one"]
    assert opinions.differing("one") == {2: ("body", "caption")}
    project = Project([one.sample for one in opinions.pages.values()], tmp_path / "gold", opinions)
    assert project.history(0).marks.tolist() == [UnitMark.TITLE, UnitMark.BODY, UnitMark.BODY, UnitMark.NONE]
    assert project.history(0).decided == set()
    project.mark(0, [2], UnitMark.CAPTION)
    assert project.history(0).decided == {2}
    project.save(0)
    project.close()
    (gold,) = load(tmp_path / "gold")
    assert gold.gold["captions"] == ["Second paragraph here."]
    assert gold.gold["text"] == "First paragraph here."


@pytest.fixture
def tidings(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    def run(*words: str) -> str:
        from tidings.cli.app import app

        monkeypatch.setenv("COLUMNS", "200")
        app(words, standalone_mode=False)
        return capfd.readouterr().out

    return run


def test_the_command(folders: tuple[Path, Path], tidings: Callable[..., str]) -> None:
    first, second = map(str, folders)
    shown = tidings("lab", "agreement", first, second)
    assert "κ 0.760 over 6 blocks of 2 pages; the same on 83.3%" in shown
    assert "Second paragraph here." in shown
    said = json.loads(tidings("lab", "agreement", first, second, "--format", "json", "--unit", "elements"))
    assert said["pages"] == 2
    assert [one["second"] for one in said["differences"]] == ["caption"]
    with pytest.raises(InputError, match="two annotated folders"):
        tidings("lab", "annotate", "--differences", first)


def test_pages_on_which_two_annotators_agree_are_in_the_output_of_the_third(
    folders: tuple[Path, Path], tmp_path: Path, tidings: Callable[..., str]
) -> None:
    same, out = str(folders[0]), tmp_path / "gold"
    with suppress(typer.Exit):
        tidings("lab", "annotate", "--differences", same, same, "--output", str(out), "--no-open")
    assert {sample.id for sample in load(out)} == {sample.id for sample in load(folders[0])}
    assert [sample.gold for sample in load(out)] == [sample.gold for sample in load(folders[0])]
