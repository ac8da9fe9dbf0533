"""Dates as feeds write them (HOSTILE 22)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.sources.dates import DateDoubt, read_when


@pytest.mark.parametrize(
    ("said", "moment"),
    [
        ("Sat, 07 Sep 2002 00:00:01 GMT", datetime(2002, 9, 7, 0, 0, 1, tzinfo=UTC)),
        ("7 Sep 02 9:42 PDT", datetime(2002, 9, 7, 9, 42, tzinfo=timezone(timedelta(hours=-7)))),
        ("07 Sep 99 12:00 +0530", datetime(1999, 9, 7, 12, tzinfo=timezone(timedelta(hours=5, minutes=30)))),
        (
            "Mon, 16 March 2026 10:00:00 -0330",
            datetime(2026, 3, 16, 10, tzinfo=timezone(-timedelta(hours=3, minutes=30))),
        ),
        ("2026-03-16T10:00:00.123Z", datetime(2026, 3, 16, 10, 0, 0, 123000, tzinfo=UTC)),
        ("2026-03-16", date(2026, 3, 16)),
        ("Mon, 16 Mar 2026", date(2026, 3, 16)),
        ("16 Mart 2026", date(2026, 3, 16)),
        ("31 Feb 2026 10:00 GMT", None),
        ("soon", None),
    ],
)
def test_dates(said: str, moment: datetime | date | None) -> None:
    found = read_when(said, "tr" if "Mart" in said else "en")
    assert found is not None
    assert found.moment == moment
    assert found.text == said


def test_a_weekday_that_does_not_fit_is_doubted() -> None:
    found = read_when("Fri, 16 Mar 2026 10:00:00 GMT")
    assert found is not None
    assert found.doubts == {DateDoubt.WEEKDAY}


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("۲۵ اسفند ۱۴۰۴", "fa"),
        ("1404/12/25", "fa"),
        ("27 رمضان 1447 هـ", "ar"),
        ("٢٧ رمضان ١٤٤٧", "ar"),
        ("27/09/1447", "ar"),
    ],
)
def test_jalali_and_hijri(said: str, language: str) -> None:
    found = read_when(said, language)
    assert found is not None
    assert found.moment == date(2026, 3, 16)
    assert found.text == said


@pytest.mark.parametrize("said", ["2026-13-04", "30 اسفند 1404", "1404/12/31", "31 رمضان 1447"])
def test_a_day_that_there_is_not_is_not_made_up(said: str) -> None:
    """HOSTILE 22: kept as it was said, and no day invented for it; 1404 is no leap year."""
    found = read_when(said, "ar" if "رمضان" in said else "fa")
    assert found is not None
    assert found.moment is None
    assert found.text == said


def test_the_future_is_told_by_the_clock_of_the_caller() -> None:
    now = datetime(2026, 3, 16, 12, tzinfo=UTC)
    late, soon = read_when("2026-03-17T12:00:00Z", now=now), read_when("2026-03-16T12:30:00Z", now=now)
    assert late is not None
    assert soon is not None
    assert late.doubts == {DateDoubt.FUTURE}
    assert not soon.doubts
    without = read_when("2026-03-17T12:00:00Z")
    assert without is not None
    assert not without.doubts


@given(st.text(max_size=60), st.sampled_from(["", "en", "fa", "tr", "xx"]))
def test_never_raises(said: str, language: str) -> None:
    read_when(said, language, datetime(2026, 3, 16, tzinfo=UTC))


@given(st.datetimes(datetime(1991, 1, 1), datetime(2100, 1, 1)).map(lambda one: one.replace(microsecond=0, tzinfo=UTC)))
def test_rfc_822_and_iso_8601_come_back(moment: datetime) -> None:
    for said in (moment.strftime("%a, %d %b %Y %H:%M:%S GMT"), moment.isoformat()):
        found = read_when(said)
        assert found is not None
        assert found.instant == moment
        assert not found.doubts
