"""A fetcher for saved pages without network: it answers only requests for their URLs.

A browser that renders a saved page requests its styles, scripts and pictures; none of these requests may reach the
network.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tidings.errors import NotRecorded
from tidings.fetch.messages import Outcome, Request, Response

#: The URL under which saved pages are rendered (RFC 2606, 2), because their own may be invalid or unknown.
HERE: Final = "http://saved.invalid/"


@dataclass(frozen=True, slots=True)
class SavedPages:
    """A fetcher with saved pages by URL and no network."""

    sources: Mapping[str, str]  # HTML, decoded

    async def fetch(self, request: Request) -> Outcome:
        """Return the saved page of a URL, or an error."""
        source = self.sources.get(request.url.partition("#")[0])
        if source is None:
            return NotRecorded(request.url, "a saved page is rendered without the resources it would load")
        headers = (("content-type", "text/html; charset=utf-8"),)
        return Response(request.url, 200, headers, source.encode("utf-8", "replace"), request.kind)
