"""Redirects: followed one by one, so that every hop is guarded, polite, and counted against one deadline."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from tidings.errors import DeadlineExceeded, FetchError, TooManyRedirects
from tidings.fetch.addresses import Address
from tidings.fetch.deadline import Deadline
from tidings.fetch.exchange import REDIRECTS, Fetcher, Outcome, Redirect, Request, as_value
from tidings.fetch.limits import Limits

#: Headers that say nothing about who asks. Whatever else a caller sends is for the host it named, as are user name
#: and password: they are not sent on to another host, scheme or port (RFC 9110, 15.4).
_HARMLESS: Final = frozenset(("accept", "accept-language"))


@dataclass(frozen=True, slots=True)
class Following:
    """Follows what another fetcher is told to follow. Answers know the way they came by.

    Args:
        inner: does the single exchanges.
        most: hops before it gives up.
        seconds: for all hops together, where the request does not say.
    """

    inner: Fetcher
    most: int = Limits().redirects
    seconds: float = Limits().deadline

    async def fetch(self, request: Request) -> Outcome:
        """Get what is at the end of the redirects."""
        deadline = request.deadline or Deadline.after(request.seconds, self.seconds)
        hops: list[Redirect] = []
        asked = replace(request, deadline=deadline)
        elapsed = 0.0
        while True:
            outcome = await self.inner.fetch(asked)
            if isinstance(outcome, FetchError):
                return outcome
            elapsed += outcome.elapsed
            location = outcome.header("location")
            if outcome.status not in REDIRECTS or not location:
                return replace(outcome, redirects=tuple(hops), elapsed=elapsed) if hops else outcome
            try:
                here = Address.parse(outcome.url)
                there = Address.parse(location, here)
            except FetchError as error:
                return as_value(error)
            hops.append(Redirect(outcome.url, outcome.status, there.url))
            if any(there.url == hop.url for hop in hops):
                return TooManyRedirects(hops[0].url, f"leads in a circle: {there.url} sends us back to itself")
            if len(hops) > self.most:
                return TooManyRedirects(hops[0].url, f"is refused: it was redirected more than {self.most} times")
            if not deadline.left:
                reason = f"took longer than {deadline}, redirects and all; try again later, or allow more"
                return DeadlineExceeded(there.url, reason)
            asked = _sent_on(asked, here, there)


def _sent_on(request: Request, here: Address, there: Address) -> Request:
    """The same request to the next host, which learns nothing that was meant for the last one."""
    if there.origin == here.origin:
        # A user name that the server put into the address is not one that the user gave.
        before = Address.parse(request.url)
        user = f"{before.user}@" if before.user and before.origin == there.origin else ""
        return replace(request, url=there.url.replace("://", f"://{user}", 1))
    kept = tuple((name, value) for name, value in request.headers if name.lower() in _HARMLESS)
    return replace(request, url=there.url, headers=kept)
