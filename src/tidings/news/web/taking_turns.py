"""One of a visitor's turns, taken before something that costs: `Turns` knows how many there are."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request

from tidings.news.web.house import house_of
from tidings.news.web.problems import Problem
from tidings.news.web.proxies import address_of

FETCHES: Final = "fetch"


def take_turn(request: Request, purpose: str = FETCHES, per_minute: int | None = None) -> None:
    """Take one of the visitor's turns; visitors are told apart by the network, not by what they say of themselves.

    Raises:
        Problem: 429, there is none left.
    """
    house = house_of(request)
    wait = house.turns.take(purpose, address_of(request), per_minute or house.terms.minute_fetches).wait
    if wait:
        raise Problem(429, "often", headers={"Retry-After": str(wait)})
