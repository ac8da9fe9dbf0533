"""Marks, their undoing, and the journal that loses nothing."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings import newspaper
from tidings.errors import InputError
from tidings.page import Page
from tidings_lab.annotate.history import History
from tidings_lab.annotate.journal import JOURNAL, Journal
from tidings_lab.annotate.prediction import predict
from tidings_lab.annotation import marks
from tidings_lab.annotation.marks import UnitMark
from tidings_lab.annotation.units import units

BYLINE = (
    "<h1>Head</h1><p><span>By Iris</span><time datetime='2026-03-06T07:30'>6 March</time></p>"
    "<p>A <b>bold</b> <i>word</i>."
)


def test_marks_come_and_go() -> None:
    history = History(np.zeros(4, np.int8))
    assert history.mark([1, 2], UnitMark.BODY)
    assert history.mark([2, 3], UnitMark.TITLE)
    assert history.marks.tolist() == [0, 3, 1, 1]
    assert history.undo()
    assert history.marks.tolist() == [0, 3, 3, 0]
    assert history.redo()
    assert history.marks.tolist() == [0, 3, 1, 1]
    assert not history.redo()
    assert history.undo()
    assert history.undo()
    assert not history.undo()
    assert history.marks.tolist() == [0, 0, 0, 0]
    assert history.mark([0], UnitMark.DATE)
    assert not history.redo()


def test_to_confirm_is_to_decide() -> None:
    history = History(np.array([3, 0], np.int8))
    assert history.mark([0], UnitMark.BODY)
    assert history.decided == {0}
    assert not history.mark([0], UnitMark.BODY)
    assert history.undo()
    assert history.decided == set()


@pytest.mark.parametrize("unit", [-1, 2, 10**9])
def test_there_is_no_such_unit(unit: int) -> None:
    with pytest.raises(ValueError, match="there is no unit"):
        History(np.zeros(2, np.int8)).mark([unit], UnitMark.BODY)


steps = st.one_of(
    st.tuples(st.lists(st.integers(0, 4), min_size=1, max_size=3), st.sampled_from(UnitMark)),
    st.sampled_from(["undo", "redo"]),
)


@given(st.lists(steps, max_size=30))
def test_undoing_everything_brings_back_the_beginning(drawn: list[tuple[list[int], UnitMark] | str]) -> None:
    beginning = np.array([0, 1, 2, 3, 0], np.int8)
    history = History(beginning.copy())
    for step in drawn:
        if isinstance(step, str):
            before = history.marks.copy()
            if getattr(history, step)():
                after = history.marks.copy()
                assert history.redo() if step == "undo" else history.undo()
                assert np.array_equal(history.marks, before)
                assert history.undo() if step == "undo" else history.redo()
                assert np.array_equal(history.marks, after)
        else:
            history.mark(*step)
            assert all(history.marks[unit] == step[1] for unit in step[0])
    while history.undo():
        pass
    assert np.array_equal(history.marks, beginning)


def test_a_journal_grows_and_survives(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "new")
    journal.append({"page": "a", "act": "undo"})
    journal.close()
    with (tmp_path / "new" / JOURNAL).open("ab") as stream:
        stream.write(b'{"page": "b", "act": "ma')  # the machine went down here
    again = Journal(tmp_path / "new")
    again.append({"page": "c", "act": "redo"})
    assert [entry["page"] for entry in again.entries()] == ["a", "c"]
    lines = (tmp_path / "new" / JOURNAL).read_bytes().split(b"\n")
    assert json.loads(lines[2])["page"] == "c"
    again.close()


def test_one_server_for_each_folder(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with pytest.raises(InputError, match="another tidings"):
        Journal(tmp_path)
    journal.close()
    Journal(tmp_path).close()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="cannot be written"):
        Journal(tmp_path / "file" / "inner")


def test_a_byline_is_taken_apart_and_a_paragraph_is_not() -> None:
    page = Page(BYLINE)
    cut = units(page)
    assert [cut.text(page, unit) for unit in range(len(cut))] == ["Head", "By Iris", "6 March", "A bold word."]
    assert cut.block.tolist() == [0, 1, 1, 2]
    assert cut.of_run.tolist() == [0, 1, 2, 3, 3, 3, 3]


def test_gold_of_marks() -> None:
    page = Page(BYLINE)
    gold = marks.gold(page, np.array([UnitMark.TITLE, UnitMark.AUTHOR, UnitMark.DATE, UnitMark.BODY], np.int8))
    assert gold == {
        "title": "Head",
        "authors": ["By Iris"],
        "date": "2026-03-06",
        "text": "A bold word.",
        "paragraphs": ["A bold word."],
        "headings": [],
        "captions": [],
        "comments": [],
        "lead": "",
        "notes": [],
        "marks": [
            ["title", BYLINE.index("Head"), BYLINE.index("</h1>")],
            ["author", BYLINE.index("By"), BYLINE.index("</span>")],
            ["date", BYLINE.index("6 M"), BYLINE.index("</time>")],
            ["body", BYLINE.index("A <b>"), len(BYLINE)],
        ],
    }
    assert marks.gold(page, np.array([0, 3, 3, 2], np.int8))["paragraphs"] == ["By Iris6 March", "A bold word."]


def test_a_standfirst_and_a_note_are_apart_from_the_text() -> None:
    gold = marks.gold(Page(BYLINE), np.array([UnitMark.TITLE, UnitMark.NOTE, UnitMark.LEAD, UnitMark.BODY], np.int8))
    assert (gold["lead"], gold["notes"], gold["text"]) == ("6 March", ["By Iris"], "A bold word.")


@given(st.data())
def test_kept_marks_come_back(data: st.DataObject) -> None:
    page = Page(BYLINE)
    marked = np.array([data.draw(st.integers(0, len(UnitMark) - 1)) for _ in range(4)], np.int8)
    assert marks.of_ranges(page, marks.to_ranges(page, marked)).tolist() == marked.tolist()
    plain = np.where(marked <= UnitMark.BODY, marked, 0)
    assert marks.of_classes(page, marks.element_classes(page, marked)).tolist() == plain.tolist()


WRONG = [["body"], ["teaser", 1, 2], ["body", 5, 2], ["body", -1, 2], ["body", 0, 10**6], "body", ["body", "1", 2]]


@pytest.mark.parametrize("wrong", WRONG)
def test_marks_that_are_none(wrong: object) -> None:
    with pytest.raises(ValueError, match=r"no mark|no marked range|not in the page"):
        marks.of_ranges(Page(BYLINE), [wrong])


def test_a_prediction_knows_most_of_the_newspaper() -> None:
    titles = dates = texts = 0
    samples = [sample for sample in newspaper.pages() if sample.page_type != "front"]
    for sample in samples:
        page = Page(sample.html)
        marked = predict(page)
        assert not marked[units(page).hidden].any()
        gold = marks.gold(page, marked)
        titles += gold["title"] == sample.gold["title"]
        dates += gold["date"] == sample.gold["date"]
        texts += sample.gold["paragraphs"][0] in gold["text"]
    assert min(titles, texts) > 0.85 * len(samples)
    assert dates > 0.7 * len(samples)
