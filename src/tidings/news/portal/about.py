"""What this is, how to use it, and what it keeps of its readers."""

from __future__ import annotations

import platform

from starlette.requests import Request

from tidings.fetch.agent import our_version
from tidings.news.web.house import house_of
from tidings.news.web.showing import Shown


def about(request: Request) -> Shown:
    """The page about this site."""
    house = house_of(request)
    totals = house.shown.get("totals", house.store.totals, 60)
    return Shown("about.html", {"totals": totals, "version": our_version(), "python": platform.python_version()})
