"""Times as people say them, in the language of the reader."""

from __future__ import annotations

from datetime import date, datetime

from tidings.news.web.words import Words

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


def ago(words: Words, time: datetime, now: datetime) -> str:
    """How long ago, for what is younger than a week; else the day."""
    seconds = (now - time).total_seconds()
    if seconds < _MINUTE:
        return words("time.now") if seconds > -_MINUTE else day(words, time)
    if seconds < _HOUR:
        return words("time.minutes", n=int(seconds // _MINUTE))
    if seconds < _DAY:
        return words("time.hours", n=int(seconds // _HOUR))
    if seconds < 7 * _DAY:
        return words("time.days", n=int(seconds // _DAY))
    return day(words, time)


def day(words: Words, time: date) -> str:
    """A day: 16 November 2026."""
    if isinstance(time, datetime):
        time = here(time)
    month = words("time.months").split()[time.month - 1]
    return f"{time.day} {month} {time.year}"


def long_day(words: Words, time: date, now: datetime | None = None) -> str:
    """A day with its name: Monday, 16 November 2026. Today and yesterday, where it is told what day it is."""
    if isinstance(time, datetime):
        time = here(time).date()
    past = (here(now).date() - time).days if now is not None else None
    if past in {0, 1}:
        return words("time.yesterday" if past else "time.today")
    return words("time.long_day", weekday=words("time.weekdays").split()[time.weekday()], day=day(words, time))


def moment(words: Words, time: date) -> str:
    """A day and, where it is known, the minute."""
    if not isinstance(time, datetime):
        return day(words, time)
    local = here(time)
    return f"{day(words, local)}, {local:%H:%M}"


def here(time: datetime) -> datetime:
    """A time as the clock of this machine shows it; where its calendar does not reach, as it is."""
    try:
        return time.astimezone()
    except (OverflowError, OSError):  # the first hours of the year 1, the last ones of 9999; Windows before 1970
        return time
