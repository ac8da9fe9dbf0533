"""A mistake of ours is an answer like any other: a page that says so, with all headers, and a line in the log.

Starlette would answer outside of all walls, where no header is added.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tidings.news.web.answering import answer


class Mistakes:
    """Answers for those who could not."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; where nothing was answered, say what happened."""
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, sent)
        except Exception as error:
            if begun or scope["type"] != "http":
                raise
            await answer(Request(scope), error)(scope, receive, send)
