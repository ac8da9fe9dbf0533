"""When the last news came: what is current is counted back from there, so that an old newspaper has a front page."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from tidings.news.store import Store

#: What says that it is older does not know when it is from; and weeks before the year 1 there are none.
_FIRST: Final = datetime(1970, 1, 1, tzinfo=UTC)


def last_news(store: Store, now: datetime) -> datetime:
    """The time of the latest article, not later than now; now where there is none."""
    latest = store.articles(limit=1).items
    return at_or_before(latest[0].time if latest else now, now)


def at_or_before(time: datetime, now: datetime) -> datetime:
    """A time that one can count back from."""
    return max(min(time, now), _FIRST)
