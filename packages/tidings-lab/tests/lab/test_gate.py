"""The gate: floors held on the bundled newspaper, and a gate that closes when something gets worse."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tidings import extractors, newspaper
from tidings.cli import main
from tidings.errors import InputError, MissingExtra
from tidings.extractors import Entry, entries, registry
from tidings.page import Page, Spans
from tidings_lab.gate.floors import FLOORS, Floor, Key, Lowering, read_floors, write_floors
from tidings_lab.gate.measure import SAMPLED, GateFigure, items, measure_page, plan, tally
from tidings_lab.gate.verdicts import FloorStanding, GateRow, judge, revise

TODAY = date(2026, 11, 16)
KEY = Key("pages", "default", "words")

STORY = "The seals are back in the estuary after thirty-eight years, and the town has come out to look at them. " * 4
MORE = "Wardens count the pups at dawn and at dusk, when the tide leaves the sandbank and the ferries lie still. " * 4
PAGE = """<!DOCTYPE html><html lang="en"><head><title>Seals are back</title><meta name="author" content="Ada Quill">
<meta property="article:published_time" content="2024-05-12T10:00:00Z"></head><body>
<nav><a href="/">Home</a> <a href="/sport">Sport and more</a> <a href="/harbour">Harbour life</a></nav>
<main><article><h1>Seals are back</h1><p>{story}</p><p>{more}</p></article></main>
<footer><a href="/imprint">Imprint</a> <a href="/contact">Contact us</a> <a href="/terms">Terms of use</a></footer>
</body></html>"""

Corpus = Callable[..., Path]


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    """Writes a small corpus."""

    def write(*golds: dict[str, Any], name: str = "pages") -> Path:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        gold = {"title": "Seals are back", "authors": ["Ada Quill"], "date": "2024-05-12", "text": STORY + MORE}
        lines = []
        for number, one in enumerate(golds or [gold, gold]):
            file = folder / f"{number}.html"
            file.write_text(PAGE.format(story=STORY, more=MORE), encoding="utf-8")
            row = {"id": f"{number}", "site": f"{number}.example", "lang": "en", "page_type": "article"}
            lines.append(json.dumps({**row, "html_file": file.name, "gold": one}))
        folder.joinpath("pages.jsonl").write_text("\n".join(lines), encoding="utf-8")
        return folder

    return write


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., Any]:
    """Return a function that runs `tidings lab gate` with floors in a temporary file: exit code and output."""
    monkeypatch.setenv("NO_COLOR", "1")

    def call(*arguments: str | Path) -> tuple[int, str]:
        own = ["--floors", tmp_path / "floors.jsonl", "--jobs", "1"]
        monkeypatch.setattr(sys, "argv", ["tidings", "lab", "gate", *map(str, [*own, *arguments])])
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
        return code, "".join(capfd.readouterr())

    return call


def nothing(page: Page, /) -> Spans:
    """An extractor that got worse."""
    return Spans.none(len(page.text))


def broken(page: Page, /) -> Spans:
    raise RuntimeError("a bug")


def worsen(monkeypatch: pytest.MonkeyPatch, name: str, by: Callable[[Page], Spans]) -> None:
    monkeypatch.setitem(registry._ENTRIES, name, Entry(name, lambda: by, ""))


# What `make test` guards.


def test_the_floors_of_the_newspaper_hold() -> None:
    """If a figure fell: find out why. If it may fall: `tidings lab gate --lower WHY`. New ones: `… --update`."""
    tested = plan([newspaper.path()])
    measured = tally(mark for item in items(tested) for mark in measure_page(item))
    digests = tested[0].digests()
    rows = judge(read_floors(FLOORS)[0], measured, {key: digests[key.extractor == "default"] for key in measured})
    assert [
        (*row.key, row.measured and row.measured.value) for row in rows if row.standing is not FloorStanding.HELD
    ] == []
    assert {key.measure for key in measured if key.extractor == "default"} == {"words", "headline", "authors", "date"}
    assert {key.extractor for key in measured} == {"default", *(entry.name for entry in entries())}
    assert not any(figure.failed for figure in measured.values())


def test_every_floor_in_the_file_says_when_and_on_what() -> None:
    floors, history = read_floors(FLOORS)
    assert floors
    for floor in floors:
        assert date.fromisoformat(floor.date) > date(2026, 1, 1)
        assert len(floor.digest) == 64
        assert floor.note
    assert all(one.why for one in history)


# A gate that closes.


def test_a_worse_default_closes_the_gate(
    gate: Callable[..., tuple[int, str]], corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = corpus()
    code, output = gate("--corpus", folder)
    assert code == 0
    assert "no floor" in output
    assert gate("--corpus", folder, "--update")[0] == 0
    code, output = gate("--corpus", folder)
    assert (code, "below" in output) == (0, False)
    monkeypatch.setattr(extractors, "DEFAULT", "everything")
    code, output = gate("--corpus", folder)
    assert code == 1
    assert [line.split()[:3] for line in output.splitlines() if line.endswith("below")] == [
        ["pages", "default", "words"]
    ]


def test_a_worse_extractor_closes_the_gate_and_only_a_reason_opens_it(
    gate: Callable[..., tuple[int, str]], corpus: Corpus, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = corpus()
    gate("--corpus", folder, "--update")
    worsen(monkeypatch, "bte", nothing)
    before = tmp_path.joinpath("floors.jsonl").read_text(encoding="utf-8")
    for arguments in ((), ("--update",), ("--lower", " ")):
        code, output = gate("--corpus", folder, *arguments)
        assert code == 1
        assert "bte" in output
        assert tmp_path.joinpath("floors.jsonl").read_text(encoding="utf-8") == before
    assert gate("--corpus", folder, "--lower", "bte is given up")[0] == 0
    floors, history = read_floors(tmp_path / "floors.jsonl")
    assert next(floor.floor for floor in floors if floor.extractor == "bte") == 0.0
    assert [(one.extractor, one.after, one.why) for one in history] == [("bte", 0.0, "bte is given up")]
    assert history[0].before > 0.9
    monkeypatch.undo()
    assert gate("--corpus", folder, "--update")[0] == 0
    floors, history = read_floors(tmp_path / "floors.jsonl")
    assert next(floor.floor for floor in floors if floor.extractor == "bte") > 0.9
    assert len(history) == 1, "the line stays"


def test_an_extractor_that_raises_has_found_nothing_and_is_counted(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    worsen(monkeypatch, "bte", broken)
    measured = tally(mark for item in items(plan([corpus()])) for mark in measure_page(item))
    assert measured[Key("pages", "bte", "words")] == GateFigure(0.0, 2, failed=2)
    assert measured[Key("pages", "dsc", "words")].failed == 0
    monkeypatch.setattr(extractors, "DEFAULT", "bte")
    measured = tally(mark for item in items(plan([corpus()])) for mark in measure_page(item))
    assert measured[Key("pages", "default", "words")] == GateFigure(0.0, 2, failed=2)
    assert measured[Key("pages", "default", "headline")].value == 0.0


def test_what_is_not_installed_is_no_figure(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    def needs(page: Page, /) -> Spans:
        raise MissingExtra("a model", "lab")

    worsen(monkeypatch, "bte", needs)
    with pytest.raises(MissingExtra, match=r"tidings\[lab\]"):
        measure_page(next(items(plan([corpus()]))))


def test_a_page_that_cannot_be_read_counts_against_all(corpus: Corpus) -> None:
    folder = corpus()
    folder.joinpath("1.html").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 100)
    measured = tally(mark for item in items(plan([folder])) for mark in measure_page(item))
    assert measured[KEY].failed == 1
    assert measured[KEY].pages == 2
    assert measured[KEY].value < 0.6


def test_a_changed_corpus_is_named(gate: Callable[..., tuple[int, str]], corpus: Corpus) -> None:
    folder = corpus()
    gate("--corpus", folder, "--update")
    page = folder / "0.html"
    page.write_text(page.read_text(encoding="utf-8").replace("Harbour life", "Harbour lives"), encoding="utf-8")
    code, output = gate("--corpus", folder)
    assert code == 1
    assert "corpus changed" in output
    assert gate("--corpus", folder, "--update")[0] == 0
    assert gate("--corpus", folder)[0] == 0


def test_segments_are_measured_where_gold_has_no_text(corpus: Corpus) -> None:
    folder = corpus({"with": ["The seals are back"], "without": ["Imprint"]}, {"links": []}, {"text": ""})
    tested = plan([folder])
    assert [sample.id for sample in tested[0].samples] == ["0", "2"]
    measured = tally(mark for item in items(tested) for mark in measure_page(item))
    assert measured[Key("pages", "everything", "segments")].value == pytest.approx(2 / 3)
    assert {key.measure for key in measured} == {"segments"}, "empty gold is in no mean"


def test_the_sample_is_fixed(corpus: Corpus) -> None:
    folder = corpus(*[{"text": STORY}] * (SAMPLED + 20))
    (tested,) = plan([folder])
    assert (len(tested.samples), len(tested.sampled)) == (SAMPLED + 20, SAMPLED)
    assert [bool(item.names) for item in items([tested])].count(True) == SAMPLED
    (fewer,) = plan([corpus(*[{"text": STORY}] * (SAMPLED + 19))])
    assert len({one.id for one in tested.sampled} & {one.id for one in fewer.sampled}) >= SAMPLED - 1


def test_bad_corpora(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no page with gold"):
        plan([corpus({"title": "x"})])
    twin = tmp_path / "twin"
    twin.mkdir()
    corpus(name="twin/pages")
    with pytest.raises(InputError, match="the same"):
        plan([corpus(), tmp_path / "twin" / "pages"])


# Judging and revising, on their own.


def row(value: float | None, floor: float | None, *, digest: str = "d") -> GateRow:
    measured = None if value is None else GateFigure(value, 10)
    return GateRow(KEY, measured, None if floor is None else Floor(*KEY, floor, "d", "2026-01-01", "mine"), digest)


@pytest.mark.parametrize(
    ("value", "floor", "digest", "standing", "fails"),
    [
        (0.9, 0.9, "d", FloorStanding.HELD, False),
        (0.9, 0.89, "d", FloorStanding.HELD, False),
        (0.8999, 0.9, "d", FloorStanding.BELOW, True),
        (0.9, None, "d", FloorStanding.NEW, False),
        (0.95, 0.9, "other", FloorStanding.CHANGED, True),
        (None, 0.9, "d", FloorStanding.GONE, True),
    ],
)
def test_standings(value: float | None, floor: float | None, digest: str, standing: FloorStanding, fails: bool) -> None:
    assert row(value, floor, digest=digest).standing is standing
    assert standing.fails is fails


@pytest.mark.parametrize(
    ("value", "floor", "digest", "update", "lower", "after"),
    [
        (0.95, 0.90, "d", False, "", 0.90),  # nothing asked
        (0.95, 0.90, "d", True, "", 0.948),  # up
        (0.9505, 0.9490, "d", True, "", 0.949),  # within the slack nothing moves
        (0.95, None, "d", True, "", 0.948),  # new
        (0.95, None, "d", False, "why", None),  # lowering sets no new floors
        (0.85, 0.90, "d", True, "", 0.90),  # never down by an update
        (0.85, 0.90, "d", False, "why", 0.848),  # down, with a reason
        (0.85, 0.90, "other", True, "", 0.90),  # nor by an update of other pages
        (0.91, 0.90, "other", True, "", 0.908),
        (0.901, 0.90, "other", True, "", 0.90),
        (None, 0.90, "d", True, "", 0.90),  # nor away
        (None, 0.90, "d", False, "why", None),  # away, with a reason
        (0.001, 0.90, "d", False, "why", 0.0),
    ],
)
def test_floors_go_up_by_themselves_and_down_by_a_reason(
    value: float | None, floor: float | None, digest: str, update: bool, lower: str, after: float | None
) -> None:
    one = row(value, floor, digest=digest)
    floors, history = revise([one.floor] if one.floor else [], [one], update=update, lower=lower, today=TODAY)
    assert [new.floor for new in floors] == ([] if after is None else [after])
    down = floor is not None and (after is None or after < floor)
    assert [(line.before, line.after, line.why) for line in history] == ([(floor, after, "why")] if down else [])
    if floors and update and value is not None and value >= (floor or 0):
        assert floors[0].digest == digest


def test_the_note_says_what_was_the_default() -> None:
    floors, _ = revise([], [row(0.95, None)], update=True, lower="", today=TODAY, default="learned")
    assert floors[0].note == "0.9500 on 10 pages by learned"
    assert floors[0].date == "2026-11-16"


def test_floors_of_corpora_that_are_not_measured_are_left_alone() -> None:
    other = Floor("elsewhere", "bte", "words", 0.5, "d", "2026-01-01")
    assert judge([other], {KEY: GateFigure(0.9, 1)}, {KEY: "d"}) == [GateRow(KEY, GateFigure(0.9, 1), None, "d")]
    floors, history = revise([other], [row(0.9, None)], update=True, lower="why", today=TODAY)
    assert other in floors
    assert history == []


# The file.


def test_floors_come_back_as_they_were_written(tmp_path: Path) -> None:
    floors = [
        Floor("b", "bte", "words", 0.5, "d", "2026-01-01", "« note »"),
        Floor("b", "default", "words", 0.6, "d", "2026-01-01"),
    ]
    history = [Lowering("2026-01-02", "b", "bte", "words", 0.6, None, "why")]
    path = tmp_path / "floors.jsonl"
    write_floors(path, floors, history)
    back, told = read_floors(path)
    assert back == [floors[1], floors[0]], "the default first"
    assert told == history
    assert len(path.read_text(encoding="utf-8").splitlines()) == 3
    assert read_floors(tmp_path / "none.jsonl") == ([], [])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "line 2 is neither"),
        ("[]", "line 2 is neither"),
        ('{"corpus": "b"}', "line 2 is neither"),
        ('{"lowered": "2026"}', "line 2 is neither"),
        (
            '{"corpus": "b", "extractor": "c", "measure": "d", "floor": "high", "digest": "", "date": ""}',
            "line 2 is neither",
        ),
        ('{"corpus": "b", "extractor": "c", "measure": "d", "floor": 85, "digest": "", "date": ""}', "between 0 and 1"),
        ('{"corpus": "a", "extractor": "c", "measure": "d", "floor": 0.8, "digest": "", "date": ""}', "keep one"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "floors.jsonl"
    good = '{"corpus": "a", "extractor": "c", "measure": "d", "floor": 0.5, "digest": "", "date": ""}'
    path.write_text(f"{good}\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=reason):
        read_floors(path)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--floors"):
        write_floors(tmp_path / "no" / "floors.jsonl", [], [])
