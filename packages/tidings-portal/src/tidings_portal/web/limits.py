"""Rate limits per client, and limits on the size of a request.

Rate limits are token buckets. Requests that are too large (uploads, forms, URLs, headers) are refused before their body
is read (HOSTILE 26). So are requests with an unknown Host header, which may come from DNS rebinding. A request whose
length a proxy may have read differently (request smuggling) is refused and its connection closed (HOSTILE 40; RFC 9112,
6.1 and 3.2).
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from tidings_portal.web.app_state import App, HttpMiddleware, app_of
from tidings_portal.web.errors import HttpProblem, problem_response
from tidings_portal.web.pages import error_response
from tidings_portal.web.proxies import address_of

#: Purposes of rate limits: requests of any kind, and requests that fetch or extract a page.
READS: Final = "reads"
FETCHES: Final = "fetch"


def take(app: App, purpose: str, client: str, per_minute: int) -> dict[str, str]:
    """Count a request and return the `RateLimit` headers.

    Raises:
        HttpProblem: 429 if the rate limit is exceeded.
    """
    turn = app.turns.take(purpose, client, per_minute)
    policy, now = f'"{purpose}";q={per_minute};w=60', f'"{purpose}";r={turn.left};t={turn.wait}'
    rates = {"RateLimit-Policy": policy, "RateLimit": now}
    if turn.wait:
        detail = f"{per_minute:,} a minute are allowed; try again in {turn.wait} s"
        raise HttpProblem(429, "often", detail, rates | {"Retry-After": str(turn.wait)})
    return rates


def take_turn(request: Request, purpose: str = FETCHES, per_minute: int | None = None) -> None:
    """Count a request of a client, identified by its IP address.

    Raises:
        HttpProblem: 429 if the rate limit is exceeded.
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
    """Middleware that refuses requests that are too large, ambiguous or addressed to another host."""

    async def pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        request = Request(scope)
        max_bytes = app_of(request).settings.upload_bytes
        problem = _problem_of(request, max_bytes)
        if (
            problem is not None and problem.status == HTTPStatus.REQUEST_URI_TOO_LONG
        ):  # an HTML page would repeat the path
            await problem_response(problem)(scope, receive, send)
            return
        if problem is not None:
            await error_response(request, problem)(scope, receive, send)
            return
        received = 0

        async def counting_receive() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > max_bytes:
                raise HttpProblem(413, "large")
            return message

        await self._app(scope, counting_receive, send)


def _problem_of(request: Request, max_bytes: int) -> HttpProblem | None:
    if _is_ambiguous(request):
        return HttpProblem(400, "request", headers={"Connection": "close"})
    if (large := _too_large(request, max_bytes)) is not None:
        return large
    if request.scope["query_string"].count(b"&") >= MOST_PARAMETERS:
        return HttpProblem(400, "request")
    return None if app_of(request).settings.answers_to(request.headers.get("host", "")) else HttpProblem(421, "host")


def _is_ambiguous(request: Request) -> bool:
    """Return whether a request has two lengths or an empty Host. Repeated headers are refused by the server itself."""
    headers = request.headers
    return ("content-length" in headers and "transfer-encoding" in headers) or not headers.get("host", "none").strip()


def _too_large(request: Request, max_bytes: int) -> HttpProblem | None:
    path, query = request.scope.get("raw_path") or request.scope["path"], request.scope["query_string"]
    if len(path) > LONGEST_PATH or len(query) > LONGEST_QUERY:
        return HttpProblem(414, "large")
    if sum(len(name) + len(value) for name, value in request.scope["headers"]) > LONGEST_HEAD:
        return HttpProblem(431, "large")
    length = request.headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()):
        return HttpProblem(400, "request")
    return HttpProblem(413, "large") if len(length) > 18 or int(length) > max_bytes else None
