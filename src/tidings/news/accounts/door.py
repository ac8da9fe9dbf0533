"""The door of a house that is closed to strangers: they find the sign-in, and what it needs, and nothing else."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from tidings.news.accounts.who import to_sign_in
from tidings.news.web.answering import answer
from tidings.news.web.house import house_of
from tidings.news.web.problems import Problem
from tidings.news.web.terms import Reading
from tidings.news.web.visit import visit_of

_OPEN: Final = frozenset(
    {"/sign-in", "/sign-up", "/sign-out", "/preferences", "/about", "/healthz", "/readyz", "/metrics"}
)
#: The API and the feeds have a door of their own: tokens.
_OPEN_UNDER: Final = ("/static/", "/api/", "/feeds/")


class Door:
    """Lets in those who are signed in; others, where reading is open."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or lead it to the sign-in."""
        if scope["type"] != "http" or _may_enter(Request(scope)):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        sent = to_sign_in(request) if request.method in {"GET", "HEAD"} else answer(request, Problem(401, "sign_in"))
        await sent(scope, receive, send)


def _may_enter(request: Request) -> bool:
    terms = house_of(request).terms
    if terms.reading is Reading.OPEN or not terms.accounts or visit_of(request).person is not None:
        return True
    path = request.url.path
    return path in _OPEN or path.startswith(_OPEN_UNDER)
