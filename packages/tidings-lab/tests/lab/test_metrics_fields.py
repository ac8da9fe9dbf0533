"""Headline, authors and date against gold, and segments that must and must not come out."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.text import fold_space
from tidings_lab.metrics.fields import (
    FieldScore,
    FieldVerdict,
    author_counts,
    authors_verdict,
    date_verdict,
    headline_verdict,
)
from tidings_lab.metrics.headline_equality import same_headline
from tidings_lab.metrics.score import Counts
from tidings_lab.metrics.segments import gold_segments, kept_share, left_out_share, segment_counts


@pytest.mark.parametrize(
    ("result", "gold", "common", "strict"),
    [
        ("Seals are back", "Seals are back", True, True),
        ("  Seals\u00a0are\n back ", "Seals are back", True, True),
        ("Cafe\u0301 reopens", "Café reopens", True, True),
        ("“Seals” – they’re back…", '"Seals" - they\'re back...', True, False),
        ("Seals\u00ad are\u200b back", "Seals are back", True, False),
        ("Seals are back", "seals are back", False, False),
        ("Seals are back", "Seals are back - The Gazette", False, False),
        ("Seals are", "Seals are back", False, False),
        ("می‌روم", "میروم", False, False),
    ],
)
def test_when_headlines_are_the_same(result: str, gold: str, common: bool, strict: bool) -> None:
    assert same_headline(result, gold) is common
    assert same_headline(result, gold, strict=True) is strict


@pytest.mark.parametrize(
    ("result", "gold", "verdict"),
    [
        ("Seals", {"title": "Seals"}, FieldVerdict.RIGHT),
        ("Otters", {"title": "Seals"}, FieldVerdict.WRONG),
        (" ", {"title": "Seals"}, FieldVerdict.MISSED),
        ("Otters", {"title": ""}, FieldVerdict.INVENTED),
        ("", {"title": ""}, FieldVerdict.NONE),
        ("Otters", {}, FieldVerdict.UNSCORED),
        ("", {"title": None}, FieldVerdict.UNSCORED),
    ],
)
def test_headline_verdicts(result: str, gold: dict[str, Any], verdict: FieldVerdict) -> None:
    assert headline_verdict(result, gold) is verdict


def test_headline_measures_of_the_dana_thesis() -> None:
    """Eq. 5.4 and 5.5 by hand: of ten headlines seven are right, two are other elements, one is not found."""
    score = FieldScore.of(
        [FieldVerdict.RIGHT] * 7 + [FieldVerdict.WRONG] * 2 + [FieldVerdict.MISSED] + [FieldVerdict.UNSCORED] * 5
    )
    assert score.pages == 10
    assert score.accuracy == 0.7
    assert (score.counts.precision, score.counts.recall) == (7 / 9, 7 / 10)
    assert score.counts.f1 == pytest.approx(14 / 19)
    assert score.unscored == 5


def test_a_field_that_is_not_there_is_apart() -> None:
    score = FieldScore.of([FieldVerdict.RIGHT, FieldVerdict.INVENTED, FieldVerdict.NONE])
    assert (score.pages, score.accuracy, score.counts.precision) == (1, 1.0, 0.5)
    assert [verdict.right for verdict in FieldVerdict] == [True, False, False, None, None, None]
    assert FieldScore.of([]).accuracy == 0.0


@pytest.mark.parametrize(
    ("result", "gold", "verdict", "counts"),
    [
        (["Ada Quill", "Bo Ink"], ["Bo Ink", "Ada Quill"], FieldVerdict.RIGHT, Counts(2)),
        (["ada  QUILL", "Ada Quill"], ["Ada Quill"], FieldVerdict.RIGHT, Counts(1)),
        (["Ada Quill"], ["Ada Quill", "Bo Ink"], FieldVerdict.WRONG, Counts(1, 0, 1)),
        (["Ada Quill", "The Gazette"], ["Ada Quill"], FieldVerdict.WRONG, Counts(1, 1, 0)),
        ([], ["Ada Quill"], FieldVerdict.MISSED, Counts(0, 0, 1)),
        (["", " "], ["Ada Quill"], FieldVerdict.MISSED, Counts(0, 0, 1)),
        (["The Gazette"], [], FieldVerdict.INVENTED, Counts(0, 1, 0)),
        ([], [], FieldVerdict.NONE, Counts()),
        (["Pat O’Hara"], "Pat O'Hara", FieldVerdict.RIGHT, Counts(1)),
        (["Ada Quill"], None, FieldVerdict.UNSCORED, Counts()),
    ],
)
def test_authors(result: list[str], gold: list[str] | str | None, verdict: FieldVerdict, counts: Counts) -> None:
    told = {} if gold is None else {"authors": gold}
    assert authors_verdict(result, told) is verdict
    assert author_counts(result, told) == counts


WEST = timezone(timedelta(hours=-8))


@pytest.mark.parametrize(
    ("result", "gold", "verdict"),
    [
        (date(2024, 5, 12), "2024-05-12", FieldVerdict.RIGHT),
        (datetime(2024, 5, 12, 23, tzinfo=WEST), "2024-05-12", FieldVerdict.RIGHT),
        (datetime(2024, 5, 12, 23, tzinfo=WEST), "2024-05-13 07:00:00+00:00", FieldVerdict.RIGHT),
        (datetime(2024, 5, 12, 23), "2024-05-13 07:00:00+00:00", FieldVerdict.WRONG),
        (datetime(2024, 5, 12, 12, tzinfo=UTC), "2024-05-12 12:52:40.566000+00:00", FieldVerdict.RIGHT),
        ("2024-05-12T10:00:00Z", "2024-05-12", FieldVerdict.RIGHT),
        ("2024-05-12 around noon", "2024-05-12", FieldVerdict.RIGHT),
        (date(2024, 5, 11), "2024-05-12", FieldVerdict.WRONG),
        ("12 May", "2024-05-12", FieldVerdict.WRONG),
        ("2024-99-99 sometime", "2024-05-12", FieldVerdict.WRONG),
        (None, "2024-05-12", FieldVerdict.MISSED),
        ("", "2024-05-12", FieldVerdict.MISSED),
        (date(2024, 5, 12), "", FieldVerdict.INVENTED),
        (None, "", FieldVerdict.NONE),
        (date(2024, 5, 12), "May 2024", FieldVerdict.UNSCORED),
        (datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=9))), "9999-12-31T23:59:59-09:00", FieldVerdict.WRONG),
    ],
)
def test_dates_to_the_day(result: date | str | None, gold: str, verdict: FieldVerdict) -> None:
    assert date_verdict(result, {"date": gold}) is verdict


def test_a_date_that_gold_does_not_tell_is_not_scored() -> None:
    assert date_verdict(date(2024, 5, 12), {}) is FieldVerdict.UNSCORED


def test_segments() -> None:
    result = "The seals  are\nback. Share this story"
    counts = segment_counts(result, ["seals are back", "in spring"], ["Share this", "Cookie notice", "Subscribe"])
    assert counts == Counts(tp=1, fp=1, fn=1, tn=2)
    assert (counts.precision, counts.recall, counts.accuracy) == (0.5, 0.5, 0.6)
    assert (kept_share(counts), left_out_share(counts)) == (0.5, 2 / 3)


def test_segments_that_gold_does_not_name() -> None:
    assert gold_segments("text", {}) is None
    assert gold_segments("text", {"with": ["", " "], "without": None}) is None
    only = gold_segments("text", {"with": ["text"]})
    assert only is not None
    assert (kept_share(only), left_out_share(only)) == (1.0, None)
    assert kept_share(Counts(tn=1)) is None


@given(st.text(max_size=30), st.lists(st.text(max_size=5)), st.lists(st.text(max_size=5)))
def test_every_segment_is_counted_once(result: str, segments: list[str], unwanted: list[str]) -> None:
    counts = segment_counts(result, segments, unwanted)
    assert counts.tp + counts.fn == sum(bool(fold_space(segment)) for segment in segments)
    assert counts.fp + counts.tn == sum(bool(fold_space(segment)) for segment in unwanted)


@given(st.text(max_size=40))
def test_a_headline_is_the_same_as_itself(text: str) -> None:
    assert same_headline(text, f"\n{text} ")
    assert same_headline(text, text, strict=True)


def test_a_hostile_headline_takes_no_time() -> None:
    marks = "a" + "\u0301\u0316" * 500_000
    assert headline_verdict(marks, {"title": "Seals"}) is FieldVerdict.WRONG
    assert authors_verdict([marks], {"authors": ["Ada Quill"]}) is FieldVerdict.WRONG
