"""Dates of feeds and sitemaps, with the doubts about them; nothing is invented (HOSTILE 22).

RFC 822 and ISO 8601, the formats of nearly all dates in feeds, are parsed here; all others (month names of fifty
languages, Jalali, Hijri) by
`tidings.fields.date_parsing`. A doubtful date is returned with the reasons in `doubts`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from enum import Enum
from functools import partial
from typing import Final

from tidings.fields.date_parsing import parsing
from tidings.fields.date_parsing.parsing import FIRST_YEAR, Moment

_MONTHS: Final = {
    name: number for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)
}
_WEEKDAYS: Final = {name: number for number, name in enumerate("mon tue wed thu fri sat sun".split())}
_RFC: Final = re.compile(
    r"\s*(?:([A-Za-z]{3})[a-z]*,?\s+)?(\d{1,2})[\s-]([A-Za-z]{3})[a-z]*\.?[\s-](\d{4}|\d\d)"
    r"(?:,?\s+(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?)?\s*(?:([+-]\d\d):?(\d\d)|([A-Za-z]{1,4})\b)?"
)
#: RFC 822, 5.1, and other unambiguous zones. Single letters are military zones, which RFC 822 defines with the wrong
#: sign, so they are ignored.
_ZONES: Final = dict.fromkeys(("UT", "UTC", "GMT", "Z", "WET"), 0) | {
    name: int(hours)
    for name, hours in re.findall(
        r"([A-Z]+)([+-]\d)",
        "EST-5 EDT-4 CST-6 CDT-5 MST-7 MDT-6 PST-8 PDT-7 CET+1 CEST+2 MEZ+1 MESZ+2 EET+2 EEST+3 WEST+1 MSK+3 JST+9",
    )
}
_NUMBERS: Final = re.compile(r"\s*(\d{1,2})[/-](\d{1,2})[/-]\d{4}\b")
#: Older dates are default values, or from archives.
_WEB: Final = 1991
#: Tolerance for clocks that are ahead.
_AHEAD: Final = timedelta(hours=1)


class DateDoubt(Enum):
    """A reason why a date may be wrong."""

    NO_ZONE = "no zone told"
    NO_TIME = "no time told"
    FUTURE = "in the future"
    BEFORE_THE_WEB = "before the web"
    ORDER = "day and month may be swapped"
    WEEKDAY = "the weekday is another"


@dataclass(frozen=True, slots=True)
class SourceDate:
    """A date as written and as parsed; `moment` is None if it could not be parsed."""

    text: str
    moment: Moment | None
    doubts: frozenset[DateDoubt] = frozenset()

    @property
    def instant(self) -> datetime | None:
        """Return the moment in UTC if time and zone are known and it is not a default value."""
        if (
            not isinstance(self.moment, datetime)
            or self.moment.tzinfo is None
            or DateDoubt.BEFORE_THE_WEB in self.doubts
        ):
            return None
        return self.moment.astimezone(UTC)


Reader = Callable[[str], SourceDate | None]


def reader(language: str = "", now: datetime | None = None) -> Reader:
    """Return a function that parses the dates of one source, in its language. `now` is the time after which dates are
    reported as future; None for no such check.
    """
    return partial(read_when, language=language, now=now)


def read_when(text: str, language: str = "", now: datetime | None = None) -> SourceDate | None:
    """Parse a date with its doubts; None if the text is empty."""
    text = text.strip()
    if not text:
        return None
    text = text[:100]
    moment, doubts = _rfc(text)
    if moment is None:
        moment = parsing.read(text, language)
        if (numbers := _NUMBERS.match(text)) and _may_be_swapped(int(numbers[1]), int(numbers[2])):
            doubts.add(DateDoubt.ORDER)
    if moment is None:
        return SourceDate(text, None)
    return SourceDate(text, moment, frozenset(doubts | _doubts(moment, now)))


def _may_be_swapped(first: int, second: int) -> bool:
    return first <= 12 and second <= 12 and first != second


def _doubts(moment: Moment, now: datetime | None) -> set[DateDoubt]:
    doubts = set()
    if not isinstance(moment, datetime):
        doubts.add(DateDoubt.NO_TIME)
    elif moment.tzinfo is None:
        doubts.add(DateDoubt.NO_ZONE)
    if moment.year < _WEB:
        doubts.add(DateDoubt.BEFORE_THE_WEB)
    if now is not None and _is_ahead(moment, now):
        doubts.add(DateDoubt.FUTURE)
    return doubts


def _is_ahead(moment: Moment, now: datetime) -> bool:
    """Return whether a moment is in the future in every time zone."""
    now = (now if now.tzinfo else now.replace(tzinfo=UTC)) + _AHEAD
    if isinstance(moment, datetime):
        if moment.tzinfo is None:
            return moment > now.astimezone(timezone(timedelta(hours=14))).replace(tzinfo=None)
        return moment > now
    return moment > now.astimezone(timezone(timedelta(hours=14))).date()


def _rfc(text: str) -> tuple[Moment | None, set[DateDoubt]]:
    """Parse RFC 822 dates, with years by RFC 2822, 4.3; None for other formats."""
    doubts: set[DateDoubt] = set()
    match = _RFC.match(text)
    number = _MONTHS.get(match[3].lower()) if match else None
    if match is None or number is None:
        return None, doubts
    year = int(match[4])
    if year < 100:
        year += 2000 if year < 50 else 1900
    try:
        day = date(year, number, int(match[2]))
    except ValueError:
        return None, doubts
    if year < FIRST_YEAR:
        return None, doubts
    weekday = _WEEKDAYS.get((match[1] or "").lower())
    if weekday is not None and weekday != day.weekday():
        doubts.add(DateDoubt.WEEKDAY)
    if not match[5] or int(match[5]) > 23 or int(match[6]) > 59:
        return day, doubts
    second = min(int(match[7] or 0), 59)  # a leap second
    return datetime(year, number, day.day, int(match[5]), int(match[6]), second, tzinfo=_zone(match)), doubts


def _zone(match: re.Match[str]) -> timezone | None:
    if match[8]:
        hours, minutes = int(match[8]), int(match[9])
        if abs(hours) > 14 or minutes > 59:
            return None
        return timezone(timedelta(hours=hours, minutes=-minutes if match[8][0] == "-" else minutes))
    hours_ahead = _ZONES.get((match[10] or "").upper())
    return None if hours_ahead is None else timezone(timedelta(hours=hours_ahead)) if hours_ahead else UTC
