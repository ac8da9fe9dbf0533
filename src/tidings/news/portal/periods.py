"""Days, weeks, months and years, counted back from a day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from tidings.news.stories.trends import PeriodLength

#: So many periods are looked at: a month of days, half a year of weeks, two years of months, ten years.
HOW_MANY: Final = {PeriodLength.DAY: 30, PeriodLength.WEEK: 26, PeriodLength.MONTH: 24, PeriodLength.YEAR: 10}
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Period:
    """A period: its name, which sorts by time, and its days."""

    name: str
    first: date
    last: date

    @property
    def begin(self) -> datetime:
        """Its first moment, in universal time."""
        return datetime.combine(self.first, time.min, UTC)

    @property
    def end(self) -> datetime:
        """Its last moment."""
        return datetime.combine(self.last, time.max, UTC)


def period_of(by: PeriodLength, day: date) -> Period:
    """The period that a day belongs to."""
    if by is PeriodLength.DAY:
        first = last = day
    elif by is PeriodLength.WEEK:
        first = day - _DAY * day.weekday()
        last = first + 6 * _DAY
    elif by is PeriodLength.MONTH:
        first = day.replace(day=1)
        last = (first + 31 * _DAY).replace(day=1) - _DAY
    else:
        first, last = day.replace(month=1, day=1), day.replace(month=12, day=31)
    return Period(by.of(day), first, last)


def periods_up_to(by: PeriodLength, day: date, count: int | None = None) -> list[Period]:
    """So many periods, the earliest first; the last one is that of the day."""
    found = [period_of(by, day)]
    while len(found) < (HOW_MANY[by] if count is None else count):
        found.append(period_of(by, found[-1].first - _DAY))
    return found[::-1]
