"""The one I/O seam: everything that Tidings reads from the web comes through a `Fetcher`.

`Live` reads the web, `replay` a WARC file or a folder, `Browser` the page as it is after its scripts; `Recording`
keeps what passes. All give a `Response` or, as a value, a `FetchError`. `get` is for one page and raises.

    >>> from tidings import fetch
    >>> fetch.get("http://127.1/admin")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    tidings.errors.RefusedAddress: http://127.0.0.1/admin: is refused: 127.0.0.1 is for this machine; ...
"""

from __future__ import annotations

from tidings.fetch.browser import Browser
from tidings.fetch.exchange import (
    Cap,
    Fetcher,
    Kind,
    Limits,
    Outcome,
    Over,
    Redirect,
    Request,
    Response,
    Validators,
    require,
)
from tidings.fetch.guard import Guard, why_refused
from tidings.fetch.live import Following, Live, aget, get
from tidings.fetch.pace import HostState, HostStates, Pace
from tidings.fetch.replay import Archive, Folder, Recording, replay
from tidings.fetch.robots import Agent

__all__ = [
    "Agent",
    "Archive",
    "Browser",
    "Cap",
    "Fetcher",
    "Folder",
    "Following",
    "Guard",
    "HostState",
    "HostStates",
    "Kind",
    "Limits",
    "Live",
    "Outcome",
    "Over",
    "Pace",
    "Recording",
    "Redirect",
    "Request",
    "Response",
    "Validators",
    "aget",
    "get",
    "replay",
    "require",
    "why_refused",
]
