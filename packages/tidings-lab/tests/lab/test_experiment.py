"""The runner: one row for each system on each page, kept by content, whatever goes wrong."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from tidings.errors import InputError
from tidings_lab.corpora import Sample, load
from tidings_lab.experiment.cache import FILE, Cache, default_folder
from tidings_lab.experiment.examiner import Examiner
from tidings_lab.experiment.rows import ResultRow, StepOutcome, from_record, to_record
from tidings_lab.experiment.run import run
from tidings_lab.experiment.speed import ReadingPace, Timing, spread, time_in_turn
from tidings_lab.experiment.system_names import find
from tidings_lab.experiment.systems import Document, Reading
from tidings_lab.experiment.worker_speed import by_workers
from tidings_lab.metrics.fields import FieldVerdict
from tidings_lab.metrics.page_scores import text_score

STORY = "The seals of the estuary have come back after many years, and people come to see them."


def corpus(folder: Path, *stories: str) -> list[Sample]:
    """A corpus of pages written by hand."""
    folder.joinpath("html").mkdir(parents=True, exist_ok=True)
    lines = []
    for number, story in enumerate(stories):
        page = f"<html><title>Seals {number}</title><body><h1>Seals {number}</h1><p>{story}</p></body></html>"
        folder.joinpath(f"html/{number}.html").write_text(page)
        gold = {"title": f"Seals {number}", "text": story, "authors": [], "with": [story[:20]], "without": ["cookies"]}
        about = {"id": f"page-{number}", "site": f"site-{number}", "lang": "en", "page_type": "article"}
        lines.append(json.dumps({**about, "html_file": f"html/{number}.html", "gold": gold}))
    folder.joinpath("pages.jsonl").write_text("\n".join(lines))
    return load(folder)


def test_what_raises_hangs_or_dies_is_listed_and_the_run_finishes(tmp_path: Path) -> None:
    samples = corpus(tmp_path, STORY, f"{STORY} PLEASE RAISE", f"{STORY} PLEASE HANG", f"{STORY} PLEASE DIE")
    names = ["Raises", "Hangs", "Dies"]
    systems = find(["everything", *(f"tests.lab.misbehaving:{name}" for name in names), "lqf-50"])
    reports: list[tuple[int, int]] = []
    with Cache(tmp_path / "cache") as cache:
        rows = list(
            run(
                systems,
                samples,
                cache=cache,
                jobs=2,
                timeout=4,
                progress=lambda done, total: reports.append((done, total)),
            )
        )
        assert reports[-1] == (20, 20)
        assert {(row.system.rpartition(":")[2], row.sample.id): row.outcome for row in rows if row.failed} == {
            ("Raises", "page-1"): StepOutcome.RAISED,
            ("Hangs", "page-2"): StepOutcome.KILLED,
            ("Dies", "page-3"): StepOutcome.DIED,
        }
        assert all(row.f1("words") == 0 and row.f1("lcs") == 0 for row in rows if row.failed)
        assert all((row.f1("words") or 0) > 0.8 for row in rows if not row.failed)
        raised = next(row for row in rows if row.outcome is StepOutcome.RAISED)
        assert raised.reason == "ZeroDivisionError: as the page asked"
        assert raised.measured.segments is not None
        assert raised.measured.segments.fn == 1
        # What hung is not waited for again; what raised or died gets another chance.
        again = [row for row in run(systems, samples, cache=cache, timeout=4) if not row.cached]
        assert {row.outcome for row in again} == {StepOutcome.RAISED, StepOutcome.DIED}
        assert len(again) == 2
    read = next(row for row in rows if row.system == "everything" and row.sample.id == "page-0")
    assert read.measured.headline is FieldVerdict.RIGHT
    assert read.measured.authors is FieldVerdict.NONE
    assert read.bytes == len(samples[0].html)
    assert read.page_seconds > 0


def test_only_what_changed_is_computed_again(tmp_path: Path) -> None:
    samples = corpus(tmp_path, STORY, STORY + " Twice.", STORY + " Thrice.")

    def fresh(*names: str) -> list[tuple[str, str]]:
        found = load(tmp_path)
        with Cache(tmp_path / "cache") as cache:
            return sorted((row.system, row.sample.id) for row in run(find(names), found, cache=cache) if not row.cached)

    assert len(fresh("n-ext", "dana")) == 6
    assert fresh("n-ext", "dana") == []
    assert fresh("n-ext(beta=0.4)", "dana") == [("n-ext(beta=0.4)", f"page-{number}") for number in range(3)]
    samples[1].file.write_text(samples[1].file.read_text().replace("Twice", "Once more"))
    assert fresh("n-ext", "dana") == [("dana", "page-1"), ("n-ext", "page-1")]
    index = tmp_path / "pages.jsonl"
    index.write_text(index.read_text().replace("Thrice", "Three times"))
    assert fresh("dana") == [("dana", "page-2")]


def test_methods_that_compare_pages_get_those_of_the_site(tmp_path: Path) -> None:
    """Text on all pages of a site is its template; the row of a site's only page says so."""
    promise = "Our readers keep this newspaper independent, please think of a subscription."
    stories = ("Grey pups rest on sandbanks.", "Council votes on bridge.", "Fishermen ask for lower fees.", STORY)
    corpus(tmp_path, *(f"{promise}</p><div><p>{story}</p></div><p>" for story in stories))
    index = tmp_path / "pages.jsonl"
    index.write_text(index.read_text().replace("site-1", "site-0").replace("site-2", "site-0"))

    def fresh() -> list[ResultRow]:
        with Cache(tmp_path / "cache") as cache:
            return sorted(
                run(find(["block-entropy", "everything"]), load(tmp_path), cache=cache),
                key=lambda row: (row.system, row.sample.id),
            )

    rows = fresh()
    assert [row.outcome for row in rows[:4]] == [StepOutcome.READ] * 3 + [StepOutcome.RAISED]
    assert "compares pages of a site" in rows[3].reason
    assert all(row.measured.words < rows[-1].measured.words for row in rows[:3])
    assert [row.cached for row in fresh()] == [True] * 3 + [False] + [True] * 4
    changed = tmp_path / "html/1.html"
    changed.write_text(changed.read_text().replace("Council", "Mayor"))
    again = [(row.system, row.sample.id) for row in fresh() if not row.cached]
    assert again == [("block-entropy", f"page-{number}") for number in range(4)] + [("everything", "page-1")]


def test_a_run_that_was_ended_goes_on(tmp_path: Path) -> None:
    samples = corpus(tmp_path, *(f"{STORY} {number}" for number in range(4)))
    with Cache(tmp_path / "cache") as cache:
        ended = run(find(["everything"]), samples, cache=cache)
        first = [next(ended), next(ended)]
        ended.close()
    with Cache(tmp_path / "cache") as cache:
        rows = list(run(find(["everything"]), samples, cache=cache))
    assert {row.sample.id for row in rows if row.cached} == {row.sample.id for row in first}
    assert len(rows) == 4
    assert [row.measured for row in rows if row.cached] == [row.measured for row in first]


def test_rows_come_back_from_disk_as_they_were(tmp_path: Path) -> None:
    samples = corpus(tmp_path, STORY)
    (row,) = run(find(["everything"]), samples, measures=("words", "lcs", "shingles", "characters", "word-set"))
    assert from_record(json.loads(json.dumps(to_record(row))), row.system, row.sample) == replace(row, cached=True)
    assert set(row.measured.scores) == {"words", "lcs", "shingles", "characters", "word-set"}


def test_a_page_that_is_gone_or_no_page_is_a_row_that_says_so(tmp_path: Path) -> None:
    samples = corpus(tmp_path, STORY, STORY, STORY)
    samples[0].file.unlink()
    samples[1].file.write_bytes(b"%PDF-1.7 \0\1\2")
    rows = {row.sample.id: row for row in run(find(["everything"]), samples)}
    assert rows["page-0"].reason.startswith("InputError: the page page-0 cannot be read")
    assert rows["page-1"].reason.startswith("NotHTML: ")
    assert not rows["page-2"].failed


def test_two_systems_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="same name"):
        list(run([*find(["dana"]), *find(["dana"])], corpus(tmp_path, STORY)))


def test_a_file_that_is_no_cache_is_named(tmp_path: Path) -> None:
    tmp_path.joinpath(FILE).write_text("this is a letter, not a database, and it is long enough to be read as one")
    with pytest.raises(InputError, match=r"rows\.sqlite cannot be used"):
        Cache(tmp_path)


def test_a_damaged_record_is_measured_again(tmp_path: Path) -> None:
    samples = corpus(tmp_path, *(f"{STORY} {number}" for number in range(5)))
    with Cache(tmp_path / "cache") as cache:
        assert len(list(run(find(["everything"]), samples, cache=cache))) == 5
    base = sqlite3.connect(tmp_path / "cache" / FILE)
    keys = [key for (key,) in base.execute("SELECT key FROM rows")]
    for key, damage in zip(keys, ('{"scores": 3}', "[", "[]", "{}"), strict=False):
        base.execute("UPDATE rows SET record = ? WHERE key = ?", (damage, key))
    base.commit()
    base.close()
    with Cache(tmp_path / "cache") as cache:
        rows = list(run(find(["everything"]), samples, cache=cache))
    assert sum(row.cached for row in rows) == 1
    assert not any(row.failed for row in rows)


def test_the_cache_is_where_the_platform_wants_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "tidings" / "lab"


def test_systems_are_timed_in_turn_and_whole(tmp_path: Path) -> None:
    samples = corpus(tmp_path, STORY, f"{STORY} PLEASE RAISE", STORY)
    timings = time_in_turn(find(["everything", "tests.lab.misbehaving:Raises"]), samples)
    assert [timing.id for timing in timings] == ["page-0", "page-1", "page-2"]
    assert [sorted(timing.seconds) for timing in timings][1] == ["everything"]
    assert all(time > 0 for timing in timings for time in timing.seconds.values())


def test_pace() -> None:
    timings = [
        Timing("a", 1_000_000, {"ours": 0.1, "theirs": 0.4}),
        Timing("b", 3_000_000, {"ours": 0.3, "theirs": 0.4}),
        Timing("c", 9_000_000, {"theirs": 5.0}),
    ]
    ours = ReadingPace.of("ours", timings, "theirs")
    assert ours is not None
    assert ours.pages == 2
    assert [ours.median, ours.mean] == pytest.approx([200, 200])
    assert ours.pages_per_second == pytest.approx(5)
    assert ours.megabytes_per_second == pytest.approx(10)
    assert ours.ratio == pytest.approx(2)  # over the pages that both read
    assert ReadingPace.of("nobody", timings, "theirs") is None
    alone = ReadingPace.of("ours", timings, "nobody")
    assert alone is not None
    assert alone.ratio is None


def test_pages_are_taken_evenly(tmp_path: Path) -> None:
    samples = corpus(tmp_path, *(f"{STORY} {number}" for number in range(10)))
    assert [sample.id for sample in spread(samples, 3)] == ["page-0", "page-3", "page-6"]
    assert spread(samples, 10) == spread(samples, 99) == samples


def test_throughput_by_workers(tmp_path: Path) -> None:
    samples = corpus(tmp_path, *(f"{STORY} {number}" for number in range(6)))
    samples[2].file.write_bytes(b"%PDF-1.7 \0\1\2")
    one, two = by_workers(find(["everything"])[0], samples, (1, 2), rounds=2)
    assert (one.workers, two.workers) == (1, 2)
    assert [shift.pages for shift in one.rounds] == [5, 5]  # one cannot be read
    assert len(two.pages_per_second) == 2
    assert min(two.pages_per_second) > 0


def test_a_row_knows_its_score() -> None:
    sample = Sample("a", "s", "en", "article", Path("none"), {})
    from tidings_lab.experiment.rows import RowMeasures

    row = ResultRow("x", sample, StepOutcome.READ, RowMeasures({"words": None}))
    assert row.f1("words") is None
    assert row.f1("lcs") is None


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_examiner_scores_as_the_measures_do(lang: str) -> None:
    gold = {"title": "Seals are back", "text": STORY if lang == "en" else "海豹回到了河口。人们很高兴。"}
    measures = ("words", "word-set", "shingles", "lcs", "characters")
    for in_text in (True, False):
        sample = Sample("a", "s", lang, "article", Path("none"), gold, headline_in_text=in_text)
        examine = Examiner(sample, measures)
        for reading in (Reading(gold["text"], "Other"), Reading("Menu " + gold["text"][:9]), Reading("")):
            wanted = {name: text_score(sample, reading.text, reading.title, name) for name in measures}
            assert examine(reading).scores == wanted
    assert Examiner(replace(sample, gold={"text": " "}), ("words",))(Reading("seals")).scores == {"words": None}
    assert Examiner(replace(sample, gold={}), ("words",))(Reading("seals")).scores == {}


@pytest.mark.parametrize(
    ("labels", "day"), [("published", "2026-03-14"), ("updated", "2026-03-15"), ("published updated", "2026-03-14")]
)
def test_the_one_date_of_a_page(labels: str, day: str) -> None:
    """Gold and peers have one date: the date of publication, or else that of the last change."""
    lines = {"published": "<p>14 March 2026</p>", "updated": "<p>Updated: 15 March 2026</p>"}
    dates = "".join(lines[word] for word in labels.split())
    page = f"<html lang='en'><title>Seals</title><body><h1>Seals</h1>{dates}<p>{STORY * 5}</p></body></html>"
    assert find(["default"])[0](Document(page.encode())).date == day
