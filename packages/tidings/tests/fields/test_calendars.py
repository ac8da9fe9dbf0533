"""Jalali and Hijri dates: known days, and that the calendars have no gaps."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.fields.date_parsing.calendars import hijri, jalali

#: Official new years of Iran, and days everybody knows.
JALALI = [
    ((1357, 11, 22), date(1979, 2, 11)),  # the revolution
    ((1375, 12, 30), date(1997, 3, 20)),  # last day of a leap year
    ((1399, 12, 30), date(2021, 3, 20)),
    ((1400, 1, 1), date(2021, 3, 21)),
    ((1403, 1, 1), date(2024, 3, 20)),
    ((1403, 12, 30), date(2025, 3, 20)),
    ((1404, 1, 1), date(2025, 3, 21)),
]
#: The tabular civil calendar: its epoch, a new century, and days of this one.
HIJRI = [
    ((1, 1, 1), date(622, 7, 19)),  # 16 July Julian
    ((1400, 1, 1), date(1979, 11, 21)),
    ((1445, 9, 1), date(2024, 3, 11)),
    ((1446, 1, 1), date(2024, 7, 8)),
]


@pytest.mark.parametrize(("told", "expected"), JALALI)
def test_known_jalali_days(told: tuple[int, int, int], expected: date) -> None:
    assert jalali(*told) == expected


@pytest.mark.parametrize(("told", "expected"), HIJRI)
def test_known_hijri_days(told: tuple[int, int, int], expected: date) -> None:
    assert hijri(*told) == expected


@pytest.mark.parametrize("calendar", [jalali, hijri])
@pytest.mark.parametrize("told", [(1403, 0, 1), (1403, 13, 1), (1403, 1, 0), (1403, 1, 32), (0, 1, 1), (99999, 1, 1)])
def test_days_that_do_not_exist(calendar: object, told: tuple[int, int, int]) -> None:
    assert callable(calendar)
    assert calendar(*told) is None


def test_last_day_of_a_common_year() -> None:
    assert jalali(1402, 12, 29) == date(2024, 3, 19)
    assert jalali(1402, 12, 30) is None
    assert hijri(1446, 12, 30) is None
    assert hijri(1445, 12, 30) == date(2024, 7, 7)


@given(st.integers(1, 3176))
def test_every_jalali_year_is_followed_by_the_next(year: int) -> None:
    first, last = jalali(year, 1, 1), jalali(year, 12, 30) or jalali(year, 12, 29)
    assert first is not None
    assert last is not None
    assert (last - first).days in {364, 365}
    following = jalali(year + 1, 1, 1)
    assert following in {None, last + timedelta(days=1)}
    assert first.month == 3
    assert 18 <= first.day <= 24


@given(st.integers(1, 8999), st.integers(1, 12))
def test_every_hijri_month_is_followed_by_the_next(year: int, month: int) -> None:
    last = hijri(year, month, 30) or hijri(year, month, 29)
    assert last is not None
    following = hijri(year, month + 1, 1) if month < 12 else hijri(year + 1, 1, 1)
    assert following == last + timedelta(days=1)


@given(st.integers(1, 270))
def test_thirty_hijri_years_have_eleven_leap_days(year: int) -> None:
    first, later = hijri(year, 1, 1), hijri(year + 30, 1, 1)
    assert first is not None
    assert later is not None
    assert (later - first).days == 30 * 354 + 11
