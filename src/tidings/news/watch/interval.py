"""How often a source is polled: every two hours to begin with (N-EXT thesis 4.1.1 and 7), then as often as it has news.

Pure: facts in, times out. What a feed asks for (ttl, updatePeriod, skipHours, skipDays) holds unless the reader has
named an interval; a source that fails is asked less and less often, up to once a day, and after two weeks of that once
a week.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from tidings.news.store.records_of_work import TWO_HOURS, Source
from tidings.news.watch.poll_report import PollReport
from tidings.sources import Schedule

#: Of what is learned; a reader who names an interval may go beyond both.
QUICKEST: Final = timedelta(minutes=15)
SLOWEST: Final = timedelta(days=1)
#: A source that was dead for this long is asked once a week.
_DEAD: Final = timedelta(days=14)
_WEEK: Final = timedelta(days=7)
#: A source is never put off for longer than this beyond its pace: a week where it is dead, and then to the next hour
#: that its feed wants to be polled in, which is looked for through eight days.
LONGEST: Final = _WEEK + timedelta(days=9)
#: Without times of publication: less by a third where there is news, more by a third where there is none.
_FASTER, _SLOWER = 2 / 3, 4 / 3
#: Fewer times of publication tell nothing of how often.
_FEWEST: Final = 3


def pace_after(source: Source, told: PollReport, now: datetime) -> timedelta:
    """How long to wait from now on between two polls of a source that answered."""
    if source.told.interval is not None:
        return source.told.interval
    pace = _between(source.pace or TWO_HOURS)
    gap = publication_gap(told.published, now)
    was_polled = source.last_success is not None
    if was_polled and told.shown and told.new >= told.shown:
        pace = pace / 2  # all of it is new: some may have come and gone unseen
    elif gap is not None:
        # Half of the way on a scale of ratios, so that one busy morning does not rule the night.
        pace = timedelta(seconds=math.sqrt(pace.total_seconds() * _between(gap).total_seconds()))
    elif was_polled:
        pace = pace * (_FASTER if told.new else _SLOWER)
    return _asked(_between(pace), told.schedule)


def publication_gap(published: Sequence[datetime], now: datetime) -> timedelta | None:
    """The mean time between two publications, the time since the last one counted; None where too few are known."""
    times = sorted((time for time in published if time <= now), reverse=True)
    if len(times) < _FEWEST:
        return None
    return (now - times[-1]) / len(times)


def pause_after_failure(source: Source, now: datetime) -> timedelta:
    """How long to leave a source alone that failed: twice as long with each failure in a row."""
    alive = source.last_success or source.added
    most = _WEEK if source.failures and now - alive > _DEAD else SLOWEST
    usual = source.told.interval or min(source.pace or TWO_HOURS, TWO_HOURS)
    return min(usual * (1 << min(source.failures, 12)), max(most, usual))


def next_poll(now: datetime, pace: timedelta, schedule: Schedule) -> datetime:
    """When to poll: after the pace, and not in an hour or on a day that the feed wants to be left alone.

    A feed that excludes every hour or every day excludes none.
    """
    when = now + pace
    if len(schedule.skip_hours) >= 24 or len(schedule.skip_days) >= 7:
        return when
    for _ in range(24 * 8):
        if when.hour not in schedule.skip_hours and when.weekday() not in schedule.skip_days:
            return when
        when = when.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    return now + pace


def _between(pace: timedelta) -> timedelta:
    return min(max(pace, QUICKEST), SLOWEST)


def _asked(pace: timedelta, schedule: Schedule) -> timedelta:
    return pace if schedule.bounded is None else max(pace, schedule.bounded)
