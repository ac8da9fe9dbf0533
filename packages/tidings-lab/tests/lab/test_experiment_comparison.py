"""Rows summed up: means, paired differences, groups, and the tables made of them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.errors import InputError
from tidings_lab import corpora
from tidings_lab.corpora import Sample
from tidings_lab.corpora.sample import list_shapes
from tidings_lab.experiment.comparison import Comparison, check_measures, compare
from tidings_lab.experiment.rows import ResultRow, RowMeasures, StepOutcome
from tidings_lab.experiment.speed import Timing
from tidings_lab.experiment.worker_speed import Shift
from tidings_lab.metrics.fields import FieldVerdict
from tidings_lab.metrics.score import Counts, Score
from tidings_lab.metrics.throughput import Throughput
from tidings_lab.report import as_json, rows_csv, summary_csv, tables, throughput_tables


def sample(number: int, page_type: str = "article", lang: str = "en") -> Sample:
    return Sample(f"page-{number}", f"site-{number}", lang, page_type, Path(f"{number}.html"), {}, corpus="made")


def row(system: str, number: int, f1: float | None, **about: str) -> ResultRow:
    score = None if f1 is None else Score(f1, f1)
    return ResultRow(
        system,
        sample(number, **about),
        StepOutcome.READ,
        RowMeasures({"words": score}, headline=FieldVerdict.RIGHT, words=9),
    )


def compared(scores: dict[str, Sequence[float | None]]) -> Comparison:
    rows = [row(system, number, f1) for system, values in scores.items() for number, f1 in enumerate(values)]
    return compare(rows, systems=list(scores), measures=["words"])


def test_means_differences_and_order() -> None:
    found = compared({"ours": [0.9, 0.8, 1.0, 0.9], "theirs": [0.5, 0.4, 0.6, 0.5], "same": [0.9, 0.8, 1.0, 0.9]})
    assert [line.system for line in found.lines] == ["ours", "same", "theirs"]
    ours, same, theirs = found.lines
    assert ours.difference is None
    assert same.difference is not None
    assert (same.difference.mean, same.difference.p, same.difference.significant) == (0, 1, False)
    assert theirs.difference is not None
    assert theirs.difference.mean == pytest.approx(-0.4)
    assert theirs.difference.p == pytest.approx(2 / 16)  # four sites: all signs alike by chance
    assert found.pages == 4


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=8))
def test_the_difference_is_that_of_the_means(pairs: list[tuple[float, float]]) -> None:
    mine, theirs = [one for one, _ in pairs], [other for _, other in pairs]
    found = compared({"ours": mine, "theirs": theirs})
    line = next(line for line in found.lines if line.system == "theirs")
    assert line.difference is not None
    assert line.difference.mean == pytest.approx(fmean(theirs) - fmean(mine))
    assert line.summary.low - 1e-9 <= line.summary.mean <= line.summary.high + 1e-9


def test_pages_with_empty_gold_are_in_no_mean() -> None:
    found = compared({"ours": [0.5, None], "theirs": [0.7, None]})
    assert [line.summary.mean for line in found.lines] == [0.7, 0.5]
    assert found.lines[0].summary.empty_gold == 1
    assert found.lines[0].difference is not None


def test_failures_are_counted_by_kind_and_listed() -> None:
    nothing = RowMeasures({"words": Score(0, 0)})
    rows = [
        row("ours", 1, 1.0),
        ResultRow("ours", sample(2), StepOutcome.KILLED, nothing, "it took longer than 1 seconds"),
    ]
    found = compare(rows, systems=["ours"], measures=["words"])
    (line,) = found.lines
    assert (line.summary.mean, line.failed, line.outcomes[StepOutcome.KILLED]) == (0.5, 1, 1)
    assert [one.sample.id for one in found.failures] == ["page-2"]
    assert '"why": "it took longer than 1 seconds"' in as_json(found)


def test_groups_by_type_and_language() -> None:
    rows = [
        row("ours", number, 0.2 * (number % 2), page_type="forum" if number % 2 else "article") for number in range(8)
    ]
    found = compare(rows, systems=["ours"], measures=["words"])
    assert [(group.kind, group.name, group.pages) for group in found.groups] == [
        ("type", "article", 4),
        ("type", "forum", 4),
    ]  # of one language alone there is no table
    assert found.groups[1].means == {"ours": pytest.approx(0.2)}


def test_articles_that_are_lists_are_a_group_of_their_own() -> None:
    shapes = list_shapes()
    lists = [name for name, shape in shapes.items() if shape == "recipe"][:3]
    names = [*lists, *(f"page-{number}" for number in range(5))]
    rows = []
    for number, name in enumerate(names):
        measured = row("ours", number, 0.5 if name in shapes else 1.0)
        rows.append(replace(measured, sample=replace(measured.sample, id=name)))
    found = compare(rows, systems=["ours"], measures=["words"])
    assert [(group.kind, group.name, group.pages) for group in found.groups] == [
        ("story", "running text", 5),
        ("story", "a list", 3),
    ]
    assert [group.means["ours"] for group in found.groups] == pytest.approx([1.0, 0.5])


def test_the_committed_lists_are_sound() -> None:
    lines = Path(corpora.__file__).with_name("story_lists.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    assert len(list_shapes()) == len(rows) >= 200
    assert {folder for folder, _, _ in rows} == {"wcxb-dev", "news-modern", "news-rules"}
    assert {shape for _, _, shape in rows} >= {"ranking", "deals", "timetable", "recipe", "slides", "qa"}


def test_segments_stand_in_where_there_is_no_gold_text() -> None:
    rows = [
        ResultRow("ours", sample(1), StepOutcome.READ, RowMeasures(segments=Counts(tp=3, fn=1, fp=1, tn=3))),
        ResultRow("ours", sample(2), StepOutcome.READ, RowMeasures(segments=Counts(tp=1, tn=1))),
    ]
    found = compare(rows, systems=["ours"], measures=["words"])
    assert found.measure == "segments"
    assert found.lines[0].summary.mean == pytest.approx((0.75 + 1) / 2)
    assert found.lines[0].segments == Counts(4, 1, 1, 4)
    text = "".join(table.markdown() for table in tables(found))
    assert "segment F1" in text


def test_nothing_to_compare_is_said() -> None:
    with pytest.raises(InputError, match="no page was measured"):
        compare([], systems=["ours"], measures=["words"])
    with pytest.raises(InputError, match="no page has gold"):
        compared({"ours": [None]})
    with pytest.raises(InputError, match="no measure called 'wrds'"):
        check_measures(["words", "wrds"])
    assert check_measures(["lcs", "words", "lcs"]) == ("lcs", "words")


def test_tables_in_every_form() -> None:
    rows = [row(system, number, 0.5) for system in ("ours", "theirs") for number in range(3)]
    timings = [Timing("page-0", 1000, {"ours": 0.01, "theirs": 0.03})]
    found = compare(rows, timings, systems=["ours", "theirs"], measures=["words"], rival="theirs")
    speed = next(table for table in tables(found) if table.title.startswith("Speed on 1 pages"))
    assert [line[0] for line in speed.rows] == ["ours", "theirs"]
    assert speed.rows[0][-1] == pytest.approx(3)
    assert speed.columns[-1] == "times as fast as theirs"
    records = list(csv.DictReader(io.StringIO(summary_csv(found))))
    assert {record["system"]: float(record["times_as_fast"]) for record in records} == pytest.approx(
        {"ours": 3, "theirs": 1}
    )
    assert records[0]["headline"] == "1.0"
    assert "authors" not in records[0]  # gold says nothing of them
    held = json.loads(as_json(found))
    assert held["systems"][0]["f1"] == 0.5
    assert held["rival"] == "theirs"


def test_the_long_table_has_a_line_for_each_system_on_each_page() -> None:
    rows = [
        row("ours", 1, 0.5),
        ResultRow("ours", sample(2), StepOutcome.RAISED, RowMeasures({"words": None}), "=SUM(A1)"),
    ]
    lines = list(csv.DictReader(io.StringIO(rows_csv(rows, ("words",)))))
    assert [line["words_f1"] for line in lines] == ["0.5", ""]
    assert lines[1]["outcome"] == "raised"
    assert lines[1]["reason"] == "'=SUM(A1)"  # no formula


def test_worker_counts_are_compared_by_anova_and_scheffe() -> None:
    # N-EXT thesis 6.2.3: two workers differ from one; beyond the number of cores nothing is gained.
    def shift(workers: int, *seconds: float) -> Shift:
        return Shift(workers, tuple(Throughput(100, 10**6, one) for one in seconds))

    rates, pairs = throughput_tables(
        "ours", [shift(1, 10.0, 10.1, 9.9), shift(2, 5.0, 5.1, 4.9), shift(4, 5.0, 5.05, 4.95)]
    )
    assert [line[0] for line in rates.rows] == [1, 2, 4]
    assert rates.rows[0][1] == pytest.approx(10, rel=0.01)
    assert {line[0]: line[-1] for line in pairs.rows} == {"1 and 2": "yes", "1 and 4": "yes", "2 and 4": "no"}
    assert len(throughput_tables("ours", [shift(1, 10.0)])) == 1
