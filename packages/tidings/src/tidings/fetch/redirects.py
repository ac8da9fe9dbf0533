"""Redirects, followed one by one: each is checked by the SSRF guard, rate-limited, and counted against one deadline."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from tidings.errors import DeadlineExceeded, FetchError, TooManyRedirects
from tidings.fetch.deadline import Deadline
from tidings.fetch.limits import Limits
from tidings.fetch.messages import REDIRECTS, Fetcher, Outcome, Redirect, Request, as_value
from tidings.urls import URL

#: Headers that may be sent to other hosts. All others, user name and password are only for the requested host, scheme
#: and port (RFC 9110, 15.4).
_HARMLESS: Final = frozenset(("accept", "accept-language"))


@dataclass(frozen=True, slots=True)
class Following:
    """A fetcher that follows redirects and records them in the response.

    Args:
        inner: the fetcher for single requests.
        most: largest number of redirects.
        seconds: time limit for all hops, if the request has none.
    """

    inner: Fetcher
    most: int = Limits().redirects
    seconds: float = Limits().deadline

    async def fetch(self, request: Request) -> Outcome:
        """Fetch a resource, following redirects."""
        deadline = request.deadline or Deadline.after(request.seconds, self.seconds)
        hops: list[Redirect] = []
        next_request = replace(request, deadline=deadline)
        elapsed = 0.0
        while True:
            outcome = await self.inner.fetch(next_request)
            if isinstance(outcome, FetchError):
                return outcome
            elapsed += outcome.elapsed
            location = outcome.header("location")
            if outcome.status not in REDIRECTS or not location or request.data is not None:
                return replace(outcome, redirects=tuple(hops), elapsed=elapsed) if hops else outcome
            try:
                source = URL.parse(outcome.url)
                target = source.join(location)
            except FetchError as error:
                return as_value(error)
            hops.append(Redirect(outcome.url, outcome.status, target.url))
            if any(target.url == hop.url for hop in hops):
                return TooManyRedirects(hops[0].url, f"leads in a circle: {target.url} sends us back to itself")
            if len(hops) > self.most:
                return TooManyRedirects(hops[0].url, f"is refused: it was redirected more than {self.most} times")
            if not deadline.remaining:
                reason = f"took longer than {deadline}, redirects and all; try again later, or allow more"
                return DeadlineExceeded(target.url, reason)
            next_request = _redirected(next_request, source, target)


def _redirected(request: Request, source: URL, target: URL) -> Request:
    """Return the request for the target of a redirect, without private headers if the origin changes."""
    if target.origin == source.origin:
        # Ignore a user name that the server added to the URL.
        before = URL.parse(request.url)
        user = f"{before.userinfo}@" if before.userinfo and before.origin == target.origin else ""
        return replace(request, url=target.url.replace("://", f"://{user}", 1))
    headers = tuple((name, value) for name, value in request.headers if name.lower() in _HARMLESS)
    return replace(request, url=target.url, headers=headers)
