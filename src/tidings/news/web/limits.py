"""What is too much: requests of one visitor, and what one request may hold.

How often somebody may ask for what costs is a bucket of turns that fills again with time. What is too large is refused
at once, before anybody reads it (HOSTILE 26), and so is a name that is not ours: a page of another site whose name was
made to lead here (DNS rebinding) would otherwise be of our own origin. What a proxy before us may have read in another
way than we do is refused too, and the connection with it: what follows may be part of it or another one's request
(HOSTILE 40; RFC 9112, 6.1 and 3.2).
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from tidings.news.web.app_state import App, HttpMiddleware, app_of
from tidings.news.web.errors import HttpProblem, as_json
from tidings.news.web.pages import answer
from tidings.news.web.proxies import address_of

#: What turns are counted by: questions of any kind, and pages that are fetched or read, whichever way they come in.
READS: Final = "reads"
FETCHES: Final = "fetch"


def take(app: App, purpose: str, visitor: str, per_minute: int) -> dict[str, str]:
    """Take a turn; how many are left, as headers.

    Raises:
        Problem: 429, there is none.
    """
    turn = app.turns.take(purpose, visitor, per_minute)
    policy, now = f'"{purpose}";q={per_minute};w=60', f'"{purpose}";r={turn.left};t={turn.wait}'
    rates = {"RateLimit-Policy": policy, "RateLimit": now}
    if turn.wait:
        detail = f"{per_minute:,} a minute are allowed; try again in {turn.wait} s"
        raise HttpProblem(429, "often", detail, rates | {"Retry-After": str(turn.wait)})
    return rates


def take_turn(request: Request, purpose: str = FETCHES, per_minute: int | None = None) -> None:
    """Take one of the visitor's turns; visitors are told apart by the network, not by what they say of themselves.

    Raises:
        Problem: 429, there is none left.
    """
    app = app_of(request)
    wait = app.turns.take(purpose, address_of(request), per_minute or app.settings.minute_fetches).wait
    if wait:
        raise HttpProblem(429, "often", headers={"Retry-After": str(wait)})


LONGEST_PATH: Final = 4000
LONGEST_QUERY: Final = 8000
MOST_PARAMETERS: Final = 100
LONGEST_HEAD: Final = 32_000


class RequestLimits(HttpMiddleware):
    """Lets through what is of a usual size and meant for this portal."""

    async def pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        request = Request(scope)
        most = app_of(request).settings.upload_bytes
        wrong = _wrong(request, most)
        if wrong is not None and wrong.status == HTTPStatus.REQUEST_URI_TOO_LONG:  # a page would repeat the path
            await as_json(wrong)(scope, receive, send)
            return
        if wrong is not None:
            await answer(request, wrong)(scope, receive, send)
            return
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise HttpProblem(413, "large")
            return message

        await self._app(scope, counted, send)


def _wrong(request: Request, most: int) -> HttpProblem | None:
    if _has_two_readings(request):
        return HttpProblem(400, "request", headers={"Connection": "close"})
    if (large := _too_large(request, most)) is not None:
        return large
    if request.scope["query_string"].count(b"&") >= MOST_PARAMETERS:
        return HttpProblem(400, "request")
    return None if app_of(request).settings.answers_to(request.headers.get("host", "")) else HttpProblem(421, "host")


def _has_two_readings(request: Request) -> bool:
    """Whether it has two lengths, or a Host without a name. Several of either the server refuses itself."""
    headers = request.headers
    return ("content-length" in headers and "transfer-encoding" in headers) or not headers.get("host", "none").strip()


def _too_large(request: Request, most: int) -> HttpProblem | None:
    path, query = request.scope.get("raw_path") or request.scope["path"], request.scope["query_string"]
    if len(path) > LONGEST_PATH or len(query) > LONGEST_QUERY:
        return HttpProblem(414, "large")
    if sum(len(name) + len(value) for name, value in request.scope["headers"]) > LONGEST_HEAD:
        return HttpProblem(431, "large")
    length = request.headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()):
        return HttpProblem(400, "request")
    return HttpProblem(413, "large") if len(length) > 18 or int(length) > most else None
