"""Turns that are taken, and how many are left, as draft-ietf-httpapi-ratelimit-headers tells it."""

from __future__ import annotations

from typing import Final

from tidings.news.web.house import House
from tidings.news.web.problems import Problem

#: What turns are counted by: questions of any kind, and pages that are fetched or read, whichever way they come in.
READS: Final = "reads"
FETCHES: Final = "fetch"


def take(house: House, purpose: str, visitor: str, per_minute: int) -> dict[str, str]:
    """Take a turn; how many are left, as headers.

    Raises:
        Problem: 429, there is none.
    """
    turn = house.turns.take(purpose, visitor, per_minute)
    policy, now = f'"{purpose}";q={per_minute};w=60', f'"{purpose}";r={turn.left};t={turn.wait}'
    rates = {"RateLimit-Policy": policy, "RateLimit": now}
    if turn.wait:
        detail = f"{per_minute:,} a minute are allowed; try again in {turn.wait} s"
        raise Problem(429, "often", detail, rates | {"Retry-After": str(turn.wait)})
    return rates
