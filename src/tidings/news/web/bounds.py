"""What is too much is refused at once, before anybody reads it (HOSTILE 26), and so is a name that is not ours.

What a proxy before us may have read in another way than we do is refused too, and the connection with it: what follows
may be part of it or another one's request (HOSTILE 40; RFC 9112, 6.1 and 3.2).

A page of another site whose name was made to lead here (DNS rebinding) would otherwise be of our own origin.
"""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tidings.news.web.answering import answer
from tidings.news.web.house import house_of
from tidings.news.web.problems import Problem

LONGEST_PATH: Final = 4000
LONGEST_QUERY: Final = 8000
MOST_PARAMETERS: Final = 100
LONGEST_HEAD: Final = 32_000


class Bounds:
    """Lets through what is of a usual size and meant for this house."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        most = house_of(request).terms.upload_bytes
        wrong = _wrong(request, most)
        if wrong is not None:
            await answer(request, wrong)(scope, receive, send)
            return
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise Problem(413, "large")
            return message

        await self._app(scope, counted, send)


def _wrong(request: Request, most: int) -> Problem | None:
    if _has_two_readings(request):
        return Problem(400, "request", headers={"Connection": "close"})
    if (large := _too_large(request, most)) is not None:
        return large
    if request.scope["query_string"].count(b"&") >= MOST_PARAMETERS:
        return Problem(400, "request")
    return None if house_of(request).terms.answers_to(request.headers.get("host", "")) else Problem(421, "host")


def _has_two_readings(request: Request) -> bool:
    """Whether it has two lengths, or a Host without a name. Several of either the server refuses itself."""
    headers = request.headers
    return ("content-length" in headers and "transfer-encoding" in headers) or not headers.get("host", "none").strip()


def _too_large(request: Request, most: int) -> Problem | None:
    path, query = request.scope.get("raw_path") or request.scope["path"], request.scope["query_string"]
    if len(path) > LONGEST_PATH or len(query) > LONGEST_QUERY:
        return Problem(414, "large")
    if sum(len(name) + len(value) for name, value in request.scope["headers"]) > LONGEST_HEAD:
        return Problem(431, "large")
    length = request.headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()):
        return Problem(400, "request")
    return Problem(413, "large") if len(length) > 18 or int(length) > most else None
