"""Conversion of Jalali (Iran, Afghanistan) and Hijri dates to Gregorian dates.

Jalali: Borkowski, "The Persian calendar for 3000 years" (Earth, Moon and Planets 74, 1996). Leap years come from a
table of the years in which the 33-year cycle breaks, which agrees with the official astronomical calendar in its whole
range. Hijri: the tabular civil calendar (30 years of 354 days and 11 leap days, epoch 16 July 622 Julian). The civil
calendar follows the sighting of the moon or, in Saudi Arabia, tables of its own, and may differ by a day or two.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

_BREAKS: Final = (
    -61, 9, 38, 199, 426, 686, 756, 818, 1111, 1181, 1210, 1635, 2060, 2097, 2192, 2262, 2324, 2394, 2456, 3178,
)  # fmt: skip
_JALALI_YEARS: Final = range(1, _BREAKS[-1])
#: Day 0 of the tabular calendar, 15 July 622 Julian, as an ordinal of the Gregorian calendar.
_HIJRI_EPOCH: Final = 227014


def jalali(year: int, month: int, day: int) -> date | None:
    """Return the Gregorian date of a Jalali date; None if there is no such day."""
    if year not in _JALALI_YEARS or not 1 <= month <= 12:
        return None
    new_year, leap = _new_year(year)
    days = 31 if month <= 6 else 30 if month < 12 or leap else 29
    if not 1 <= day <= days:
        return None
    passed = 31 * (month - 1) - max(month - 7, 0) + day - 1
    return new_year + timedelta(days=passed)


def _new_year(year: int) -> tuple[date, bool]:
    """Return 1 Farvardin of a year, and whether the year is a leap year."""
    leaps = -14
    begin = _BREAKS[0]
    jump = 0
    for end in _BREAKS[1:]:
        jump = end - begin
        if year < end:
            break
        leaps += jump // 33 * 8 + jump % 33 // 4
        begin = end
    at = year - begin
    leaps += at // 33 * 8 + (at % 33 + 3) // 4
    if jump % 33 == 4 and jump - at == 4:
        leaps += 1
    gregorian = year + 621
    march = 20 + leaps - (gregorian // 4 - (gregorian // 100 + 1) * 3 // 4 - 150)
    if jump - at < 6:
        at = at - jump + (jump + 4) // 33 * 33
    rest = ((at + 1) % 33 - 1) % 4
    return date(gregorian, 3, march), rest == 0


def hijri(year: int, month: int, day: int) -> date | None:
    """Return the Gregorian date of a Hijri date by the tabular calendar; None if there is no such day."""
    if not 1 <= year <= 9000 or not 1 <= month <= 12:
        return None
    leap = (11 * year + 14) % 30 < 11
    if not 1 <= day <= (30 if month % 2 or (month == 12 and leap) else 29):
        return None
    passed = (year - 1) * 354 + (3 + 11 * year) // 30 + 29 * (month - 1) + month // 2 + day
    return date.fromordinal(_HIJRI_EPOCH + passed)
