"""Pages that are here already, as something to fetch: their own addresses answer, and nothing else does.

A browser that shows a saved page asks for its styles, scripts and pictures; none of them may lead to the network.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tidings.errors import NotRecorded
from tidings.fetch.exchange import Outcome, Request, Response

#: Where saved pages are shown (RFC 2606, 2): their own addresses may be anything, or unknown.
HERE: Final = "http://saved.invalid/"


@dataclass(frozen=True, slots=True)
class SavedPages:
    """Pages by the address where they are shown, and no web around them."""

    sources: Mapping[str, str]  # HTML, decoded

    async def fetch(self, request: Request) -> Outcome:
        """The page, if it is one that is asked for."""
        source = self.sources.get(request.url.partition("#")[0])
        if source is None:
            return NotRecorded(request.url, "a saved page is shown without what it would load")
        headers = (("content-type", "text/html; charset=utf-8"),)
        return Response(request.url, 200, headers, source.encode("utf-8", "replace"), request.kind)
