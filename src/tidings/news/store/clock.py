"""Times as the databases hold them: whole microseconds since 1970 in UTC. And places: a time and a number in one.

A place is what every list is sorted by and every cursor points at: the seconds of an article's (or story's) time, then
its number, in one integer of 63 bits. One comparison of integers then asks for "older than this one", in an index, in
the full-text table of SQLite (whose row numbers places are) and in PostgreSQL alike.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
#: 29 bits: half a milliard articles. 34 bits of seconds: from 1901 to 2446.
NUMBER_BITS: Final = 29
_FIRST_SECOND: Final = -(1 << 31)
_SECONDS: Final = (1 << 34) - 1


def micros(moment: datetime) -> int:
    """A moment as a whole number; one without a zone counts as universal time."""
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return (aware - _EPOCH) // _MICROSECOND


def maybe_micros(moment: datetime | None) -> int | None:
    """As `micros`; None stays None."""
    return None if moment is None else micros(moment)


def moment(number: int) -> datetime:
    """The moment of a number, in UTC."""
    return _EPOCH + timedelta(microseconds=number)


def maybe_moment(number: int | None) -> datetime | None:
    """As `moment`; None stays None."""
    return None if number is None else moment(number)


def told_micros(told: datetime | date | None) -> int | None:
    """What an article tells of its time; a day alone is its beginning. None where there is no such time in UTC."""
    try:
        if told is None or isinstance(told, datetime):
            return maybe_micros(told)
        return micros(datetime.combine(told, time.min, UTC))
    except OverflowError:  # the year 1 east of Greenwich
        return None


def sort_micros(told: datetime | date | None, first_seen: int) -> int:
    """The time to sort an article by: when it was published, or first seen where that is not told or yet to come.

    A day without an hour counts as its last moment: news is read on the day it is from.
    """
    published = told_micros(told)
    if published is None:
        return first_seen
    if not isinstance(told, datetime):
        published += 24 * 3600 * 1_000_000 - 1
    return min(published, first_seen)


def place(time_in_micros: int, number: int) -> int:
    """Where something of this time and number stands among all others."""
    if not 0 <= number < 1 << NUMBER_BITS:
        raise OverflowError(f"a store holds at most {(1 << NUMBER_BITS) - 1:,} articles")
    seconds = min(max(time_in_micros // 1_000_000 - _FIRST_SECOND, 0), _SECONDS)
    return seconds << NUMBER_BITS | number


def place_moment(number: int) -> datetime:
    """The time of a place, to the second."""
    return _EPOCH + timedelta(seconds=(number >> NUMBER_BITS) + _FIRST_SECOND)


def places(since: datetime | None, until: datetime | None) -> tuple[int | None, int | None]:
    """The first and the last place of a stretch of time, both included; None is open."""
    first = None if since is None else place(-(-micros(since) // 1_000_000) * 1_000_000, 0)
    last = None if until is None else place(micros(until), (1 << NUMBER_BITS) - 1)
    return first, last
