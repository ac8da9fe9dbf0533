"""Dates as they are written, in many languages and in numbers."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.fields.date_parsing.parsing import find, month, read

EAST = timezone(timedelta(hours=2))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-03-14", date(2026, 3, 14)),
        ("2026-03-14T08:30:00Z", datetime(2026, 3, 14, 8, 30, tzinfo=UTC)),
        ("2026-03-14T08:30:00.123+0200", datetime(2026, 3, 14, 8, 30, 0, 123000, EAST)),
        ("2026-03-14 08:30", datetime(2026, 3, 14, 8, 30)),
        ("2026/03/14 08:30:00 +0200", datetime(2026, 3, 14, 8, 30, tzinfo=EAST)),
        ("20260314", date(2026, 3, 14)),
        ("Sat, 14 Mar 2026 08:30:00 GMT", datetime(2026, 3, 14, 8, 30, tzinfo=UTC)),
        ("Sat Mar 14 08:30:00 UTC 2026", datetime(2026, 3, 14, 8, 30, tzinfo=UTC)),
        ("1773477000", datetime(2026, 3, 14, 8, 30, tzinfo=UTC)),
        ("1773477000000", datetime(2026, 3, 14, 8, 30, tzinfo=UTC)),
    ],
)
def test_declared_forms(text: str, expected: date) -> None:
    found = read(text)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("March 14th, 2026", "en"),
        ("Sat 14 March 2026", "en-GB"),
        ("Posted on Mar 14, 2026 by Ann", "en"),
        ("Samstag, 14. März 2026", "de"),
        ("14 mars 2026", "fr"),
        ("14 de marzo de 2026", "es"),
        ("14 de março de 2026", "pt"),
        ("14 marzo 2026", "it"),
        ("14 maart 2026", "nl"),
        ("14 marca 2026", "pl"),
        ("14. března 2026", "cs"),
        ("14 марта 2026", "ru"),
        ("14 березня 2026", "uk"),
        ("14 Μαρτίου 2026", "el"),
        ("14 Mart 2026", "tr"),
        ("14. maaliskuuta 2026", "fi"),
        ("2026. március 14.", "hu"),
        ("2026 m. kovo 14 d.", "lt"),
        ("14 مارس 2026", "ar"),
        ("١٤ مارس ٢٠٢٦", "ar"),
        ("14 במרץ 2026", "he"),
        ("14 मार्च 2026", "hi"),
        ("14 Maret 2026", "id"),
        ("ngày 14 tháng 3 năm 2026", "vi"),
        ("2026年3月14日", "ja"),
        ("2026년 3월 14일", "ko"),
        ("2026. 3. 14.", "ko"),
        ("14 มีนาคม 2569", "th"),
        ("۲۳ اسفند ۱۴۰۴", "fa"),
        ("۱۴۰۴/۱۲/۲۳", "fa"),
        ("23 حوت 1404", "fa"),
        ("14.03.2026", "de"),
        ("14.3.26", "de"),
    ],
)
def test_languages(text: str, language: str) -> None:
    assert read(text, language) == date(2026, 3, 14)


def test_hijri_month_names() -> None:
    assert read("1 رمضان 1445 هـ", "ar") == date(2024, 3, 11)


@pytest.mark.parametrize(
    ("language", "month_first", "expected"),
    [
        ("en-US", None, date(2026, 3, 4)),
        ("en", None, date(2026, 3, 4)),
        ("en-GB", None, date(2026, 4, 3)),
        ("fr", None, date(2026, 4, 3)),
        ("fr", True, date(2026, 3, 4)),
        ("en-US", False, date(2026, 4, 3)),
    ],
)
def test_order_of_day_and_month(language: str, month_first: bool | None, expected: date) -> None:
    """HOSTILE 22: what may be either is decided by the language or by what the caller knows."""
    assert read("3/4/2026", language, month_first=month_first) == expected


@pytest.mark.parametrize("zone", [" +00:00", "+00:00", " +0000", " UTC", "Z"])
def test_seconds_and_zone_behind_a_space_are_kept(zone: str) -> None:
    assert read(f"2011-02-12 01:30:35{zone}") == datetime(2011, 2, 12, 1, 30, 35, tzinfo=UTC)


@pytest.mark.parametrize(("text", "language"), [("14/3/2026", "en-US"), ("3/14/2026", "en-GB")])
def test_only_one_order_is_possible(text: str, language: str) -> None:
    assert read(text, language) == date(2026, 3, 14)


@pytest.mark.parametrize(
    "text",
    ["", "March 2026", "© 2026", "31/02/2026", "2026-13-40", "32 March 2026", "14 Foo 2026", "030 1234 56"],
)  # fmt: skip
def test_nothing_is_invented(text: str) -> None:
    """HOSTILE 22: what is no whole date, and days that do not exist, are no dates."""
    assert read(text, "en") is None


def test_names_that_mean_different_months() -> None:
    """Listopad is October in Croatian and November in Polish and Czech."""
    assert month("listopada", "hr") == (10, "hr")
    assert month("listopada", "pl") == (11, "pl")
    assert month("listopada") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("14 March 2026, 5:03 pm", datetime(2026, 3, 14, 17, 3)),
        ("14 March 2026 at 12:00 am", datetime(2026, 3, 14, 0, 0)),
        ("14. März 2026 um 17:03 Uhr", datetime(2026, 3, 14, 17, 3)),
        ("14 March 2026, 5 comments", date(2026, 3, 14)),
        ("14 March 2026 25:61", date(2026, 3, 14)),
    ],
)
def test_time_behind_the_date(text: str, expected: date) -> None:
    found = read(text, "de" if "ä" in text else "en")
    assert found == expected
    assert type(found) is type(expected)


def test_the_first_date_and_its_place() -> None:
    found = find("Updated 2026-03-15, first 14 March 2026", "en")
    assert found == (date(2026, 3, 15), 8, 18)


@given(st.dates(date(1900, 1, 1), date(2199, 12, 31)))
def test_iso_round_trip(day: date) -> None:
    assert read(day.isoformat()) == day
    assert read(f"{day:%Y%m%d}") == day
    assert read(f"{day.day}.{day.month}.{day.year}", "de") == day


@given(st.text(max_size=80), st.sampled_from(["", "en", "de", "fa", "ar", "th", "xx-YY"]))
def test_any_text_is_survived(text: str, language: str) -> None:
    found = find(text, language)
    assert found is None or 0 <= found[1] <= found[2]


def test_every_language_has_twelve_months() -> None:
    lines = files("tidings.fields.date_parsing").joinpath("months.txt").read_text("utf-8").splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    assert len(rows) >= 40
    for row in rows:
        assert len(row) == 13, row[0]


@pytest.mark.parametrize(
    ("text", "language"),
    [("Mar 14, 20265 mins", "en"), ("Kultur14.03.202614. März 202626:06 Min.", "de"), ("14.03.202612:30 Uhr", "de")],
)
def test_a_number_that_sticks_to_the_year(text: str, language: str) -> None:
    assert str(read(text, language))[:10] == "2026-03-14"
