"""Decisions after polling a source or fetching a page: facts in, intents out.

Pure functions without clock, network, store or randomness. `watcher` supplies the facts and carries out the intents.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, TypeAlias

from tidings.errors import (
    DecompressionBomb,
    FetchError,
    InvalidURL,
    NotNow,
    NotRecorded,
    RefusedAddress,
    RobotsDisallowed,
    TooLarge,
    TooManyRedirects,
)
from tidings.fetch import Outcome, Response
from tidings.fetch.messages import phrase
from tidings.fetch.politeness.pace import SKEW, TIRED
from tidings.fetch.politeness.retry_after import retry_after
from tidings.sources import Schedule
from tidings_portal.store.records_of_work import Poll, Source
from tidings_portal.watch import health, interval
from tidings_portal.watch.poll_report import PollReport

#: Attempts to fetch a page, with delays doubling from ten minutes.
TRIES: Final = 5
_FIRST_PAUSE: Final = timedelta(minutes=10)
#: The page of an item that is stored as a teaser because of a final failure is tried again after 1, 4, 12 and 12 hours.
_FIRST_TEASER_PAUSE: Final = timedelta(hours=1)
_LONGEST_PAUSE: Final = timedelta(hours=12)
#: Expired leases of a page: its workers were killed, perhaps by it.
MOST_LEASES: Final = 20
#: Permanent failures.
_FINAL: Final = (
    InvalidURL,
    RefusedAddress,
    RobotsDisallowed,
    TooLarge,
    DecompressionBomb,
    TooManyRedirects,
    NotRecorded,
)
_LONGEST_WISH: Final = timedelta(days=1)
#: The maximum delay of a page or host. Clocks of machines may differ a little.
LONGEST: Final = max(_LONGEST_PAUSE, _LONGEST_WISH) + timedelta(seconds=SKEW)


@dataclass(frozen=True, slots=True)
class Again:
    """A decision: poll or fetch again at a time."""

    at: datetime


@dataclass(frozen=True, slots=True)
class SlowDown:
    """A decision: poll or fetch again at a time, and send no requests to the host until then, because it sent
    Retry-After.
    """

    at: datetime


@dataclass(frozen=True, slots=True)
class GiveUp:
    """A decision: do not poll or fetch again. The source sent 410 (gone), or the page cannot be fetched."""

    why: str


Intent: TypeAlias = Again | SlowDown | GiveUp


@dataclass(frozen=True, slots=True)
class SourceDecision:
    """The next poll of a source, its new state, and its new URL if it has moved."""

    intent: Intent
    poll: Poll
    moved_to: str | None = None


def after_poll(source: Source, outcome: Outcome, report: PollReport | None, now: datetime) -> SourceDecision:
    """Decide what to do after polling a source.

    Args:
        source: the stored source.
        outcome: the response or error.
        report: the poll report; None if there was nothing to read.
        now: the time.
    """
    if isinstance(outcome, FetchError) or not outcome.ok:
        return _after_failure(source, outcome, now)
    if outcome.not_modified:
        report = PollReport(kind="unchanged")
        was_ok = not source.failures and source.state not in ("new", health.OK)
        # Not modified, so earlier problems remain.
        how = health.SourceHealth(source.state, source.problem) if was_ok else health.SourceHealth()
    else:
        report = report or PollReport()
        how = health.of_told(source, report)
    validators = outcome.validators
    if how.failed:
        at = interval.next_poll(now, interval.pause_after_failure(source, now), report.schedule)
        pace = source.settings.interval or source.pace
        poll = Poll(source.id, now, at, pace, how.state, how.sentence, failed=True, etag="", last_modified="")
        return SourceDecision(Again(at), poll)
    pace = interval.pace_after(source, report, now)
    at = interval.next_poll(now, pace, report.schedule)
    poll = Poll(
        source.id,
        now,
        at,
        pace,
        how.state,
        how.sentence,
        etag=None if outcome.not_modified else validators.etag or "",
        last_modified=None if outcome.not_modified else validators.last_modified or "",
        title=report.title,
    )
    moved = outcome.moved_to if outcome.moved_to != source.settings.address else None
    return SourceDecision(Again(at), poll, moved)


def _after_failure(source: Source, outcome: Outcome, now: datetime) -> SourceDecision:
    how = health.of_outcome(outcome)
    if isinstance(outcome, Response) and outcome.is_gone:
        poll = Poll(source.id, now, now, source.pace, how.state, how.sentence, failed=True, gone=True)
        return SourceDecision(GiveUp(how.sentence), poll)
    pace = source.settings.interval or source.pace
    pause = interval.next_poll(now, interval.pause_after_failure(source, now), Schedule())
    wish = asked_for(outcome, now)
    if wish is None:
        poll = Poll(source.id, now, pause, pace, how.state, how.sentence, failed=True)
        return SourceDecision(Again(pause), poll)
    if isinstance(outcome, Response) and source.settings.interval is None:
        pace = min(pace * 2, interval.SLOWEST)  # polled too often
    at = max(wish, now) if isinstance(outcome, NotNow) else max(wish, pause)
    return SourceDecision(SlowDown(wish), Poll(source.id, now, at, pace, how.state, how.sentence, failed=True))


def asked_for(outcome: Outcome, now: datetime) -> datetime | None:
    """Return until when a host asks to be left alone (Retry-After), or None."""
    if isinstance(outcome, NotNow):
        return min(datetime.fromtimestamp(max(outcome.until, 0.0), UTC), now + _LONGEST_WISH)
    if isinstance(outcome, FetchError) or outcome.status not in TIRED:
        return None
    wait = retry_after(outcome.header("retry-after"), now.timestamp())
    return None if wait is None else now + min(timedelta(seconds=min(wait, 1e6)), _LONGEST_WISH)


def after_page(outcome: Outcome, attempts: int, now: datetime) -> Intent:
    """Decide what to do about a page that could not be fetched."""
    wish = asked_for(outcome, now)
    if isinstance(outcome, NotNow) and wish is not None:
        return SlowDown(wish)  # no attempt was made, so do not give up
    if isinstance(outcome, FetchError):
        reason = outcome.reason
        is_final = isinstance(outcome, _FINAL)
    else:
        reason = f"the server says {phrase(outcome.status)}"
        is_final = outcome.status not in TIRED and outcome.status not in (408, 425, 500)
    if is_final or attempts >= TRIES:
        return GiveUp(reason)
    if wish is not None:
        return SlowDown(wish)
    return Again(now + min(_FIRST_PAUSE * 2 ** max(attempts - 1, 0), _LONGEST_PAUSE))


def next_teaser_try(attempts: int, now: datetime) -> datetime | None:
    """Return when to fetch the page of a teaser-only item again; None: never."""
    if attempts >= TRIES:
        return None
    return now + min(_FIRST_TEASER_PAUSE * (1 << 2 * max(attempts - 1, 0)), _LONGEST_PAUSE)
