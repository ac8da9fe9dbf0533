"""Polling intervals: every two hours at first (N-EXT thesis 4.1.1 and 7), then by how often a source has news.

Pure functions. The wishes of a feed (ttl, updatePeriod, skipHours, skipDays) apply unless the user has set an interval.
A failing source is polled less and less often, down to once a day, and after two weeks once a week.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from tidings.sources import Schedule
from tidings_portal.store.records_of_work import TWO_HOURS, Source
from tidings_portal.watch.poll_report import PollReport

#: The limits of adapted intervals; an interval set by a user may exceed them.
QUICKEST: Final = timedelta(minutes=15)
SLOWEST: Final = timedelta(days=1)
#: A source that has failed for this long is polled once a week.
_DEAD: Final = timedelta(days=14)
_WEEK: Final = timedelta(days=7)
#: The maximum delay of a source beyond its interval: a week if it is dead, and then up to the next hour that its feed
#: allows, which is searched for eight days.
LONGEST: Final = _WEEK + timedelta(days=9)
#: Without publication times: shorten by a third after news, else lengthen by a third.
_FASTER, _SLOWER = 2 / 3, 4 / 3
#: The least number of publication times for a frequency.
_FEWEST: Final = 3


def pace_after(source: Source, report: PollReport, now: datetime) -> timedelta:
    """Return the interval of a source after a successful poll."""
    if source.settings.interval is not None:
        return source.settings.interval
    pace = _between(source.pace or TWO_HOURS)
    gap = publication_gap(report.published, now)
    was_polled = source.last_success is not None
    if was_polled and report.links and report.new >= report.links:
        pace = pace / 2  # all links are new: some may have been missed
    elif gap is not None:
        # The geometric mean, so that one busy morning does not determine the night.
        pace = timedelta(seconds=math.sqrt(pace.total_seconds() * _between(gap).total_seconds()))
    elif was_polled:
        pace = pace * (_FASTER if report.new else _SLOWER)
    return _declared(_between(pace), report.schedule)


def publication_gap(published: Sequence[datetime], now: datetime) -> timedelta | None:
    """Return the mean time between publications, including the time since the last one; None if too few are known."""
    times = sorted((time for time in published if time <= now), reverse=True)
    if len(times) < _FEWEST:
        return None
    return (now - times[-1]) / len(times)


def pause_after_failure(source: Source, now: datetime) -> timedelta:
    """Return the delay after a failure, doubled with each failure in a row."""
    alive = source.last_success or source.added
    most = _WEEK if source.failures and now - alive > _DEAD else SLOWEST
    usual = source.settings.interval or min(source.pace or TWO_HOURS, TWO_HOURS)
    return min(usual * (1 << min(source.failures, 12)), max(most, usual))


def next_poll(now: datetime, pace: timedelta, schedule: Schedule) -> datetime:
    """Return the time of the next poll, outside the hours and days that the feed excludes.

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


def _declared(pace: timedelta, schedule: Schedule) -> timedelta:
    return pace if schedule.bounded is None else max(pace, schedule.bounded)
