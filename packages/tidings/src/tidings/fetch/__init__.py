"""All network access: everything that Tidings reads from the web comes through a `Fetcher`.

`Live` reads the web, `replay` a WARC file or a folder, and `Browser` a page after its scripts have run; `Recording`
stores what passes through. All return a `Response` or, as a value, a `FetchError`. `get` fetches a single page and
raises errors.

>>> from tidings import fetch
"""

from __future__ import annotations

from tidings.fetch.agent import Agent
from tidings.fetch.archives.recording import Recording
from tidings.fetch.archives.replay import Archive, Folder, replay
from tidings.fetch.limits import Cap, Limits, Over
from tidings.fetch.live import Live, aget, get
from tidings.fetch.messages import Fetcher, Kind, Outcome, Redirect, Request, Response, Validators, require
from tidings.fetch.network.guard import Guard, why_refused
from tidings.fetch.politeness.pace import HostState, HostStates, Pace
from tidings.fetch.redirects import Following
from tidings.fetch.rendering.browser import Browser

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
