"""Marks without page text: they come back with the pages, and a page that changed is named, not used."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tidings import newspaper
from tidings.errors import InputError
from tidings.page import Page
from tidings_lab.annotate.project import PageDescription, Project
from tidings_lab.annotation.marks import UnitMark
from tidings_lab.corpora import CorpusProblem, CorpusTrouble, Sample, load, marked, read, write
from tidings_lab.corpora.marked import PageMarks, Pass, marked_samples, page_kinds, read_record, record, write_record
from tidings_lab.training.samples import samples_of

NAMES = ("title", "text", "paragraphs", "headings", "captions", "comments", "lead", "notes", "authors", "date")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the corpus `gazette`: three pages of the sample newspaper, without their ground truth."""
    folder = tmp_path_factory.mktemp("corpora")
    pages = [page for page in load(newspaper.path(), "article") if page.site == "gazette"][:3]
    assert write([replace(page, gold={}, corpus="gazette") for page in pages], folder / "gazette") == []
    return folder


@pytest.fixture(scope="module")
def annotated(root: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Sample]:
    """The same pages, annotated: every kind of mark occurs."""
    samples = read(root / "gazette").samples
    out = tmp_path_factory.mktemp("annotated")
    project = Project(samples, out)
    for number in range(len(samples)):
        held = project.open_page(number)
        page, cut = held.page, held.units
        for unit in range(len(cut)):
            tag = page.tag_names[page.elements.tag[cut.element[unit]]]
            mark = {"h1": UnitMark.TITLE, "p": UnitMark.BODY, "h2": UnitMark.HEADING}.get(tag, UnitMark.NONE)
            project.mark(number, [unit], mark)
        paragraphs = [unit for unit in range(len(cut)) if project.history(number).marks[unit] == UnitMark.BODY]
        for unit, mark in zip(paragraphs, (UnitMark.LEAD, UnitMark.NOTE, UnitMark.CAPTION), strict=False):
            project.mark(number, [unit], mark)
        project.describe(number, PageDescription("collection", "en", is_sure=number > 0))
        project.save(number)
    project.close()
    return list(read(out).samples)


@pytest.fixture
def file(annotated: list[Sample], tmp_path: Path) -> Path:
    write_record(map(record, annotated), tmp_path / "record.jsonl")
    return tmp_path / "record.jsonl"


def test_marks_come_back_with_the_pages(root: Path, annotated: list[Sample], file: Path) -> None:
    samples = list(marked_samples(root, read_record(file)))
    assert len(samples) == 3
    for sample, expected in zip(samples, annotated, strict=True):
        assert isinstance(sample, Sample)
        assert {name: sample.gold[name] for name in NAMES if sample.gold.get(name)} == {
            name: expected.gold[name] for name in NAMES if expected.gold.get(name)
        }
        assert sample.gold["lead"]
        assert sample.gold["notes"]
        assert (sample.page_type, sample.lang, sample.gold_kind) == ("collection", "en", "annotators")
        assert sample.more["sure"] == expected.more["sure"]
        assert sample.corpus == "gazette"


def test_the_record_holds_no_text(annotated: list[Sample], file: Path) -> None:
    content = file.read_text()
    for sample in annotated:
        for paragraph in (sample.gold["title"], *sample.gold["paragraphs"]):
            assert paragraph not in content


def test_fields_of_the_corpus_count_more_than_a_marked_line(root: Path, annotated: list[Sample]) -> None:
    dated = {**annotated[0].gold, "date": "Tuesday, 3 pm"}
    pages = [record(replace(annotated[0], gold=dated))]
    index = root / "gazette/pages.jsonl"
    before = index.read_text()
    rows = [json.loads(line) for line in before.splitlines()]
    index.write_text("".join(json.dumps({**row, "gold": {"date": "2026-03-03"}}) + "\n" for row in rows))
    (sample,) = marked_samples(root, pages)
    index.write_text(before)
    assert isinstance(sample, Sample)
    assert sample.gold["date"] == "2026-03-03"


def problems(root: Path, pages: list[PageMarks]) -> list[CorpusTrouble]:
    return [found.trouble for found in marked_samples(root, pages) if isinstance(found, CorpusProblem)]


@pytest.mark.parametrize("field", ["html_sha1", "text_sha1", "marked_sha1"])
def test_a_digest_that_differs_is_reported(root: Path, annotated: list[Sample], field: str) -> None:
    pages = [record(sample) for sample in annotated]
    assert problems(root, pages) == []
    other: Any = {field: "0" * 40}
    changed = replace(pages[0], **other)
    assert problems(root, [changed, *pages[1:]]) == [CorpusTrouble.CHANGED]
    assert sum(isinstance(found, Sample) for found in marked_samples(root, [changed, *pages[1:]])) == 2


def test_a_page_that_changed_or_is_gone_is_reported(root: Path, annotated: list[Sample], tmp_path: Path) -> None:
    pages = [record(sample) for sample in annotated]
    samples = list(read(root / "gazette").samples)
    assert write([replace(sample, corpus="gazette") for sample in samples[:2]], tmp_path / "gazette") == []
    page = next(tmp_path.joinpath("gazette/html").glob("*.gz"))
    page.write_bytes(gzip.compress(gzip.decompress(page.read_bytes()) + b"<p>More"))
    assert Counter(problems(tmp_path, pages)) == {CorpusTrouble.CHANGED: 1, CorpusTrouble.NO_PAGE: 1}
    other = replace(pages[0], corpus="herald")
    assert problems(root, [other, *pages[1:]]) == [CorpusTrouble.NO_PAGE]
    with pytest.raises(InputError, match="none of the marked corpora"):
        list(marked_samples(tmp_path / "nowhere", pages))


def test_pages_for_measuring_only_do_not_teach(root: Path, annotated: list[Sample], tmp_path: Path) -> None:
    restricted = [replace(sample, more={"licence": "local evaluation only"}) for sample in annotated[:1]]
    assert write([*restricted, *annotated[1:]], tmp_path / "gazette") == []
    found = list(marked_samples(tmp_path, [record(sample) for sample in annotated]))
    assert [isinstance(sample, Sample) and sample.may_teach for sample in found] == [False, True, True]


def test_marked_is_a_corpus_of_the_commands(
    root: Path, annotated: list[Sample], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(marked.join, "read_record", lambda: read_record(file))
    folder = f"{marked.PREFIX}{root}"
    assert [sample.id for sample in load(Path(folder))] == [sample.id for sample in annotated]
    assert len(samples_of([folder])) == len(samples_of([f"{folder}#gazette"])) == 3


def test_passes_and_kinds(root: Path, annotated: list[Sample]) -> None:
    settled, second = record(annotated[0]), record(annotated[1], Pass.SECOND)
    kind_only = PageMarks("gazette", "judged", "", "ranking", "en", is_sure=True)
    pages = [settled, second, kind_only]
    ids = [
        [found.id for found in marked_samples(root, pages, one) if isinstance(found, Sample)]
        for one in (Pass.SETTLED, Pass.SECOND)
    ]
    assert ids == [[annotated[0].id], [annotated[1].id]]
    assert page_kinds(pages) == {("gazette", annotated[0].id): "collection", ("gazette", "judged"): "ranking"}


@pytest.mark.parametrize(
    "change",
    [{"spans": {"content": [1]}}, {"spans": {"content": [-1, 2]}}, {"spans": {"poem": [1, 2]}}, {"pass": "third"}],
)
def test_a_broken_record_names_its_line(file: Path, change: dict[str, object]) -> None:
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    file.write_text("".join(json.dumps(row) + "\n" for row in (rows[0], {**rows[1], **change})))
    with pytest.raises(InputError, match="line 2"):
        read_record(file)
    with pytest.raises(InputError, match="cannot be read"):
        read_record(file.with_name("none"))


def test_what_the_record_cannot_express_is_refused(annotated: list[Sample]) -> None:
    page = Page(annotated[0].html)
    start = page.source.index("<h1")
    wrong = {**annotated[0].gold, "marks": [["body", start, page.source.index("</h1>")]]}
    with pytest.raises(ValueError, match="heading element"):
        record(replace(annotated[0], gold=wrong))
    with pytest.raises(ValueError, match="no marks"):
        record(replace(annotated[0], gold={}))


def test_the_committed_record_is_sound() -> None:
    pages = read_record()
    settled = [page for page in pages if page.pass_ is Pass.SETTLED and page.spans is not None]
    assert len(settled) >= 240
    assert sum(page.lang != "en" for page in settled) >= len(settled) / 2
    assert len({(page.corpus, page.id, page.pass_) for page in pages}) == len(pages)
    both = [{page.id for page in pages if page.pass_ is one} for one in (Pass.FIRST, Pass.SECOND)]
    assert both[0] == both[1]
    assert len(both[0]) == 40


@pytest.mark.shared
def test_the_marked_pages_are_unchanged(shared_data: Path) -> None:
    assert [str(found) for found in marked_samples(shared_data) if isinstance(found, CorpusProblem)] == []
