"""What to do about a source, and about a page that could not be had: facts in, intents out.

No clock, no network, no store, no chance: `watching` brings the facts and carries the intents out.
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
from tidings.fetch.deadline import retry_after
from tidings.fetch.exchange import phrase
from tidings.fetch.pace import SKEW, TIRED
from tidings.news.store.records_of_work import Poll, Source
from tidings.news.watch import health, interval
from tidings.news.watch.poll_report import PollReport
from tidings.sources import Schedule

#: A page that could not be had is tried so often, the pauses doubling from ten minutes.
TRIES: Final = 5
_FIRST_PAUSE: Final = timedelta(minutes=10)
#: The page of an item that is stored as a teaser because of a final failure is tried again after 1, 4, 12 and 12 hours.
_FIRST_TEASER_PAUSE: Final = timedelta(hours=1)
_LONGEST_PAUSE: Final = timedelta(hours=12)
#: Leases of one page that ended without a word: whoever had it was killed, perhaps by it.
MOST_LEASES: Final = 20
#: Failures that trying again does not mend.
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
#: A page or a host is never put off for longer; the clocks of two machines may differ a little.
LONGEST: Final = max(_LONGEST_PAUSE, _LONGEST_WISH) + timedelta(seconds=SKEW)


@dataclass(frozen=True, slots=True)
class Again:
    """Poll it, or fetch it, at that time."""

    at: datetime


@dataclass(frozen=True, slots=True)
class SlowDown:
    """As `Again`, and leave the whole host alone until then: it asked for that."""

    at: datetime


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Never again: the source said 410, or the page cannot be had."""

    why: str


Intent: TypeAlias = Again | SlowDown | GiveUp


@dataclass(frozen=True, slots=True)
class SourceDecision:
    """What to do about a source, what to write down, and where it lives from now on if it has moved."""

    intent: Intent
    poll: Poll
    moved_to: str | None = None


def after_poll(source: Source, outcome: Outcome, told: PollReport | None, now: datetime) -> SourceDecision:
    """What to do about a source after it was asked for.

    Args:
        source: as the store has it.
        outcome: what came back.
        told: what was read from it; None where there was nothing to read.
        now: the time.
    """
    if isinstance(outcome, FetchError) or not outcome.ok:
        return _after_failure(source, outcome, now)
    if outcome.not_modified:
        told = PollReport(kind="unchanged")
        known = not source.failures and source.state not in ("new", health.OK)
        # What was wrong with it before is still wrong with it: it has not changed.
        how = health.SourceHealth(source.state, source.problem) if known else health.SourceHealth()
    else:
        told = told or PollReport()
        how = health.of_told(source, told)
    validators = outcome.validators
    if how.failed:
        at = interval.next_poll(now, interval.pause_after_failure(source, now), told.schedule)
        pace = source.told.interval or source.pace
        poll = Poll(source.id, now, at, pace, how.state, how.sentence, failed=True, etag="", last_modified="")
        return SourceDecision(Again(at), poll)
    pace = interval.pace_after(source, told, now)
    at = interval.next_poll(now, pace, told.schedule)
    poll = Poll(
        source.id,
        now,
        at,
        pace,
        how.state,
        how.sentence,
        etag=None if outcome.not_modified else validators.etag or "",
        last_modified=None if outcome.not_modified else validators.last_modified or "",
        title=told.title,
    )
    moved = outcome.moved_to if outcome.moved_to != source.told.address else None
    return SourceDecision(Again(at), poll, moved)


def _after_failure(source: Source, outcome: Outcome, now: datetime) -> SourceDecision:
    how = health.of_outcome(outcome)
    if isinstance(outcome, Response) and outcome.gone:
        poll = Poll(source.id, now, now, source.pace, how.state, how.sentence, failed=True, gone=True)
        return SourceDecision(GiveUp(how.sentence), poll)
    pace = source.told.interval or source.pace
    pause = interval.next_poll(now, interval.pause_after_failure(source, now), Schedule())
    wish = asked_for(outcome, now)
    if wish is None:
        poll = Poll(source.id, now, pause, pace, how.state, how.sentence, failed=True)
        return SourceDecision(Again(pause), poll)
    if isinstance(outcome, Response) and source.told.interval is None:
        pace = min(pace * 2, interval.SLOWEST)  # it was asked too often
    at = max(wish, now) if isinstance(outcome, NotNow) else max(wish, pause)
    return SourceDecision(SlowDown(wish), Poll(source.id, now, at, pace, how.state, how.sentence, failed=True))


def asked_for(outcome: Outcome, now: datetime) -> datetime | None:
    """Until when a host wants to be left alone, if it says so."""
    if isinstance(outcome, NotNow):
        return min(datetime.fromtimestamp(max(outcome.until, 0.0), UTC), now + _LONGEST_WISH)
    if isinstance(outcome, FetchError) or outcome.status not in TIRED:
        return None
    wait = retry_after(outcome.header("retry-after"), now.timestamp())
    return None if wait is None else now + min(timedelta(seconds=min(wait, 1e6)), _LONGEST_WISH)


def after_page(outcome: Outcome, attempts: int, now: datetime) -> Intent:
    """What to do about a page that could not be had, after so many attempts."""
    wish = asked_for(outcome, now)
    if isinstance(outcome, NotNow) and wish is not None:
        return SlowDown(wish)  # nothing was tried, so nothing is given up
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
    """Return when to fetch the page of a teaser-only item again, after so many attempts; None: never."""
    if attempts >= TRIES:
        return None
    return now + min(_FIRST_TEASER_PAUSE * (1 << 2 * max(attempts - 1, 0)), _LONGEST_PAUSE)
