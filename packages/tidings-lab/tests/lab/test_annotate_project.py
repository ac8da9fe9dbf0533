"""Pages, journals and gold on disk: nothing is lost, nothing is half written."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tidings import newspaper
from tidings.errors import InputError
from tidings.page import Page
from tidings_lab.annotate import project as projects
from tidings_lab.annotate.journal import JOURNAL
from tidings_lab.annotate.pages import find_pages
from tidings_lab.annotate.project import PageDescription, PageState, Project
from tidings_lab.annotation import hra_files, marks
from tidings_lab.annotation.marks import UnitMark
from tidings_lab.corpora import CorpusLayout, CorpusTrouble, load, read, write

SOURCE = (
    "<html lang=en><title>T</title><h1>Head</h1><p>One paragraph of it.</p><p>Another one of it.</p>"
    "<footer>End</footer>"
)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "in" / "page.html"
    file.parent.mkdir()
    file.write_text(SOURCE)
    return file


def opened(page: Path, out: Path) -> Project:
    return Project(find_pages([page])[0], out)


def test_saved_gold_is_a_corpus_with_hra(page: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    project = opened(page, out)
    project.mark(0, [0], UnitMark.TITLE)
    project.mark(0, [1, 2], UnitMark.BODY)
    project.mark(0, [3], UnitMark.COMMENT)
    assert project.state(0) is PageState.BEGUN
    project.save(0)
    assert project.state(0) is PageState.SAVED
    project.close()
    corpus = read(out, check=True)
    (sample,) = corpus.samples
    assert corpus.problems == []
    assert sample.html == page.read_bytes()
    assert sample.gold["title"] == "Head"
    assert sample.gold["text"] == "One paragraph of it.\n\nAnother one of it."
    assert sample.gold["comments"] == ["End"]
    assert (sample.gold_kind, sample.lang, sample.headline_in_text) == ("annotators", "en", False)
    records, wrong = hra_files.parse((out / "hra/page.hra").read_text())
    assert wrong == []
    assert [(record.text, record.mark.letter) for record in records] == [
        ("Head", "t"),
        ("One paragraph of it.", "b"),
        ("Another one of it.", "b"),
        ("End", "g"),
    ]


def test_a_killed_server_loses_nothing(page: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    project = opened(page, out)
    project.mark(0, [0], UnitMark.TITLE)
    project.mark(0, [1], UnitMark.CAPTION)
    project.mark(0, [2], UnitMark.BODY)
    project.undo(0)
    expected, decided = project.history(0).marks.tolist(), project.history(0).decided
    project._journal.close()  # as when the process is killed: nothing else is done
    again = opened(page, out)
    assert again.history(0).marks.tolist() == expected
    assert again.history(0).decided == decided
    assert again.state(0) is PageState.BEGUN
    assert again.redo(0)
    assert again.history(0).marks[2] == UnitMark.BODY
    assert again.undo(0)
    assert again.undo(0)
    assert again.undo(0)
    assert not again.undo(0)
    again.close()


def test_the_record_of_a_page_is_saved_and_read_again(page: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    project = opened(page, out)
    assert project.record(0) is None
    project.describe(0, PageDescription("article", "de"))
    project.describe(0, PageDescription("listing", "fr", is_sure=False))
    assert project.state(0) is PageState.BEGUN
    project.save(0)
    project.close()
    (sample,) = read(out, check=True).samples
    assert (sample.page_type, sample.lang, sample.more["sure"]) == ("listing", "fr", False)
    again = opened(page, out)
    assert again.record(0) == PageDescription("listing", "fr", is_sure=False)
    again.close()


@pytest.mark.parametrize(("page_type", "lang"), [("poem", "en"), ("article", "English"), ("article", "")])
def test_a_record_that_is_none(page: Path, tmp_path: Path, page_type: str, lang: str) -> None:
    project = opened(page, tmp_path / "out")
    with pytest.raises(ValueError, match=r"page type|language"):
        project.describe(0, PageDescription(page_type, lang))
    assert project.record(0) is None
    project.close()


def test_the_journal_does_not_depend_on_the_prediction(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    project = opened(page, out)
    project.mark(0, [0], UnitMark.DATE)
    expected = project.history(0).marks.tolist()
    project.close()
    monkeypatch.setattr(projects, "predict", lambda _: np.full(4, UnitMark.COMMENT, np.int8))
    again = opened(page, out)
    assert again.history(0).marks.tolist() == expected
    again.close()


def test_undo_after_saving_and_starting_again(page: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    project = opened(page, out)
    project.save(0)
    beginning = project.history(0).marks.tolist()
    project.mark(0, [0], UnitMark.DATE)
    project.save(0)
    project.close()
    again = opened(page, out)
    assert again.history(0).marks[0] == UnitMark.DATE
    again.undo(0)
    assert again.history(0).marks.tolist() == beginning
    again.close()
    third = opened(page, out)
    assert third.history(0).marks.tolist() == beginning
    third.close()


def test_a_place_that_is_none_does_not_confuse_undo(page: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    project = opened(page, out)
    project.mark(0, [0], UnitMark.DATE)
    project.mark(0, [1], UnitMark.DATE)
    project.undo(0)
    project.close()
    start = str(SOURCE.index("One"))
    moved = (out / JOURNAL).read_text().replace(f'"starts": [{start}]', '"starts": [3]')
    (out / JOURNAL).write_text(moved)
    again = opened(page, out)
    assert again.history(0).marks[0] == UnitMark.DATE
    again.close()


def test_another_page_under_the_same_name_begins_anew(page: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    project = opened(page, out)
    project.mark(0, [0, 1, 2, 3], UnitMark.COMMENT)
    project.close()
    page.write_text(SOURCE.replace("Another", "Quite another"))
    again = opened(page, out)
    assert UnitMark.COMMENT not in again.history(0).marks
    again.close()


def test_a_journal_of_nonsense_is_passed_over(page: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    project = opened(page, out)
    project.mark(0, [0], UnitMark.DATE)
    project.close()
    entry = json.loads((out / JOURNAL).read_text().splitlines()[-1])
    odd: list[dict[str, Any]] = [
        {"act": "mark"},
        {"act": "mark", "mark": "teaser", "starts": [1]},
        {"act": "mark", "mark": "body", "starts": 7},
        {"act": "fly"},
        {"act": "start", "marks": [1]},
        {},
    ]
    with (out / JOURNAL).open("a") as stream:
        stream.write("".join(json.dumps({"page": entry["page"], "sha1": entry["sha1"], **one}) + "\n" for one in odd))
        stream.write("[]\nnull\n7\n\x00\n")
    again = opened(page, out)
    assert again.history(0).marks[0] == UnitMark.DATE
    assert len(again.history(0).done) == 1
    again.close()


def test_saving_is_whole_or_not_at_all(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    project = opened(page, out)
    project.mark(0, [0], UnitMark.TITLE)
    project.save(0)
    before = (out / "pages.jsonl").read_bytes()
    project.mark(0, [1], UnitMark.TITLE)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("tidings_lab.corpora.files.os.fsync", full)
        with pytest.raises(InputError, match="No space left"):
            project.save(0)
        with pytest.raises(InputError, match="nothing was changed"):
            project.mark(0, [2], UnitMark.TITLE)
    assert project.history(0).marks[2] != UnitMark.TITLE
    assert (out / "pages.jsonl").read_bytes() == before
    assert not list(out.rglob(".tidings-*"))
    project.save(0)
    assert load(out, needs="title")[0].gold["title"] == "Head One paragraph of it."
    project.close()


def test_earlier_gold_stays_when_more_is_saved(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write(load(newspaper.path())[:2], tmp_path / "c")
    project = opened(tmp_path / "c", out)
    project.save(0)
    project.close()
    again = opened(tmp_path / "c", out)
    assert [again.state(number) for number in (0, 1)] == [PageState.SAVED, PageState.NEW]
    again.save(1)
    again.close()
    assert [sample.id for sample in load(out)] == [sample.id for sample in load(tmp_path / "c")]
    assert read(out, check=True).problems == []


def test_lines_that_cannot_be_read_are_not_written_over(page: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "pages.jsonl").write_text('{"id": "precious, but br\n')
    with pytest.raises(InputError, match="would be lost"):
        opened(page, out)


def test_a_corpus_annotated_in_place(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    write(load(newspaper.path())[:1], folder)
    project = opened(folder, folder)
    project.save(0)
    project.close()
    corpus = read(folder, CorpusLayout.TIDINGS, check=True)
    assert (len(corpus.samples), corpus.problems) == (1, [])
    assert corpus.samples[0].gold["pictures"] == load(newspaper.path())[0].gold["pictures"]


def test_a_corpus_begins_with_its_gold(tmp_path: Path) -> None:
    sample = next(one for one in load(newspaper.path()) if one.id == "gazette/grey-seals-return")
    write([sample], tmp_path / "c")
    project = opened(tmp_path / "c", tmp_path / "out")
    gold = marks.gold(Page(sample.html), project.history(0).marks)
    assert gold["title"] == sample.gold["title"]
    assert gold["paragraphs"] == [part for part in sample.gold["text"].split("\n") if part]
    project.close()


def test_pages_are_found_and_the_unreadable_told(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "a.html").write_text(SOURCE)
    (tmp_path / "inner" / "a.html.gz").write_bytes(gzip.compress(SOURCE.encode()))
    empty, picture = tmp_path / "empty.html", tmp_path / "picture.html"
    empty.write_text("")
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    samples, problems = find_pages(
        [tmp_path / "a.html", empty, picture, tmp_path / "inner", tmp_path / "inner/a.html.gz"]
    )
    assert [sample.id for sample in samples] == ["a", "a~2", "a~3"]
    assert [(problem.trouble, problem.where) for problem in problems] == [
        (CorpusTrouble.BROKEN_PAGE, "empty"),
        (CorpusTrouble.BROKEN_PAGE, "picture"),
    ]
    assert [sample.id for sample in find_pages([tmp_path])[0]] == ["a", "empty", "inner/a", "picture"]
    (tmp_path / "nothing").mkdir()
    for nowhere, reason in (
        (empty, "no page to annotate"),
        (tmp_path / "x", "no file or"),
        (tmp_path / "nothing", "no pages"),
    ):
        with pytest.raises(InputError, match=reason):
            find_pages([nowhere])


# -- files that were changed by hand --------------------------------------------------------------------------


@pytest.fixture
def annotated(page: Path, tmp_path: Path) -> Path:
    """A folder with one saved page: title, two paragraphs, and an end that is a comment."""
    out = tmp_path / "out"
    project = opened(page, out)
    project.mark(0, [0], UnitMark.TITLE)
    project.mark(0, [1, 2], UnitMark.BODY)
    project.mark(0, [3], UnitMark.COMMENT)
    project.save(0)
    project.close()
    return out


def by_hand(out: Path, text: str, letter: str) -> Path:
    """Give a text of the annotation file another letter, as with an editor."""
    file = out / "hra/page.hra"
    lines = file.read_text().split("\n")
    head = lines.index(text) + 2
    lines[head] = lines[head][:-1] + letter
    file.write_text("\n".join(lines))
    return file


def test_an_annotation_file_that_nobody_changed_says_nothing(page: Path, annotated: Path) -> None:
    project = opened(page, annotated)
    assert project.messages == []
    project.close()


def test_a_letter_that_was_changed_by_hand_counts(page: Path, annotated: Path) -> None:
    file = by_hand(annotated, "Another one of it.", "g")
    project = opened(page, annotated)
    assert project.messages == [f"{file} was changed by hand: 1 marks were taken over"]
    assert project.history(0).marks.tolist() == [UnitMark.TITLE, UnitMark.BODY, UnitMark.NONE, UnitMark.COMMENT]
    assert project.state(0) is PageState.SAVED
    assert project.undo(0)  # it is a change like any other
    assert project.history(0).marks.tolist() == [UnitMark.TITLE, UnitMark.BODY, UnitMark.BODY, UnitMark.COMMENT]
    project.close()
    (sample,) = load(annotated)
    assert sample.gold["text"] == "One paragraph of it."
    assert sample.gold["comments"] == ["End"]  # what the file has no letter for stays as it was


def test_a_file_of_an_older_version_that_was_changed_by_hand_counts_too(page: Path, annotated: Path) -> None:
    by_hand(annotated, "One paragraph of it.", "h")
    index = annotated / "pages.jsonl"
    row = json.loads(index.read_text())
    del row["hra_sha1"]
    index.write_text(json.dumps(row) + "\n")
    project = opened(page, annotated)
    assert project.history(0).marks.tolist() == [UnitMark.TITLE, UnitMark.HEADING, UnitMark.BODY, UnitMark.COMMENT]
    project.close()


def test_where_both_were_changed_the_marks_count_and_the_file_is_kept(page: Path, annotated: Path) -> None:
    project = opened(page, annotated)
    project.mark(0, [1], UnitMark.HEADING)
    project.close()
    file = by_hand(annotated, "Another one of it.", "g")
    project = opened(page, annotated)
    (said,) = project.messages
    assert "its page was marked since it was saved" in said
    assert project.history(0).marks.tolist() == [UnitMark.TITLE, UnitMark.HEADING, UnitMark.BODY, UnitMark.COMMENT]
    project.save(0)
    project.close()
    assert "Another one of it.\n\n" in (annotated / "hra/page.by-hand.hra").read_text()
    assert file.read_text() != (annotated / "hra/page.by-hand.hra").read_text()


@pytest.mark.parametrize("edit", ["\x00", "no record at all", "Head\n\n#1 <h1> text z\n"])
def test_a_file_that_is_none_any_more_is_told(page: Path, annotated: Path, edit: str) -> None:
    annotated.joinpath("hra/page.hra").write_text(edit)
    project = opened(page, annotated)
    assert "cannot be used" in project.messages[0]
    assert project.history(0).marks.tolist() == [UnitMark.TITLE, UnitMark.BODY, UnitMark.BODY, UnitMark.COMMENT]
    project.close()
