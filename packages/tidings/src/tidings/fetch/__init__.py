"""All network access: everything that Tidings reads from the web comes through a `Fetcher`.

`Live` reads the web, `replay` a WARC file or a folder, and `Browser` a page after its scripts have run; `Recording`
stores what passes through. All return a `Response` or, as a value, a `FetchError`. `get` fetches a single page and
raises errors.

>>> from tidings import fetch
"""

from __future__ import annotations

from tidings.fetch.agent import Agent
from tidings.fetch.browser import Browser
from tidings.fetch.guard import Guard, why_refused
from tidings.fetch.limits import Cap, Limits, Over
from tidings.fetch.live import Live, aget, get
from tidings.fetch.messages import Fetcher, Kind, Outcome, Redirect, Request, Response, Validators, require
from tidings.fetch.pace import HostState, HostStates, Pace
from tidings.fetch.recording import Recording
from tidings.fetch.redirects import Following
from tidings.fetch.replay import Archive, Folder, replay

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
