"""Errors as HTTP responses: the exception `HttpProblem`, and the status and message of each Tidings error.

Browsers get a translated HTML page. API clients get a problem document (RFC 9457).
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field
from http import HTTPStatus
from math import ceil
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from tidings import errors
from tidings.article.formats.characters import legal

LOG: Final = logging.getLogger("tidings")
#: Values of `Retry-After` in seconds: while the store is busy, and while all extraction workers are.
_STORE_RETRY: Final = 5
_WORKER_RETRY: Final = 30


@dataclass
class HttpProblem(Exception):
    """An error that is sent as a response.

    `key` selects the translated message: `problem.KEY.title` and `problem.KEY.text`.
    """

    status: int
    key: str
    detail: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__(self.status, self.key, self.detail)


#: Status and message key by exception class. The first match counts, so subclasses come before their base classes.
_BY_CLASS: Final[tuple[tuple[type[errors.TidingsError], int, str], ...]] = (
    (errors.InvalidURL, 400, "address"),
    (errors.RefusedAddress, 403, "refused"),
    (errors.RobotsDisallowed, 403, "robots"),
    (errors.DeadlineExceeded, 504, "slow"),
    (errors.NotNow, 503, "later"),
    (errors.BrowserFailed, 502, "browser"),
    (errors.FetchError, 502, "fetch"),
    (errors.NotHTML, 415, "not_html"),
    (errors.PageTooLarge, 413, "large"),
    (errors.PageTooCostly, 413, "costly"),
    (errors.PageError, 422, "page"),
    (errors.ReadersBusy, 503, "reading_slow"),
    (errors.ReaderDied, 503, "reader_died"),
    (errors.BadQuery, 400, "query"),
    (errors.StoreBusy, 503, "busy"),
    (errors.StoreReadOnly, 503, "read_only"),
    (errors.StoreError, 503, "store"),
    (errors.MissingExtra, 501, "missing"),
    (errors.ExtractorError, 400, "input"),
    (errors.InputError, 400, "input"),
    (errors.TidingsError, 400, "input"),
)
_KEY_BY_STATUS: Final = {
    400: "request",
    401: "sign_in",
    403: "forbidden",
    404: "missing_page",
    405: "method",
    413: "large",
    414: "large",
    415: "not_html",
    429: "often",
}


def problem_of(error: Exception) -> HttpProblem:
    """Return the problem that describes an exception; log those that are a fault of the server."""
    if isinstance(error, HttpProblem):
        return error
    if isinstance(error, HTTPException):
        key = _KEY_BY_STATUS.get(error.status_code, "server" if error.status_code >= 500 else "request")
        return HttpProblem(error.status_code, key, headers=dict(error.headers or {}))
    if isinstance(error, ClientDisconnect):  # the client has gone: nothing to report
        LOG.debug("client disconnected before the request was complete")
        return HttpProblem(400, "request")
    for kind, status, key in _BY_CLASS:
        if isinstance(error, kind):
            return HttpProblem(status, key, _detail(error), _retry_after(error, status))
    LOG.error("unexpected error while handling a request", exc_info=error)
    return HttpProblem(500, "server")


def _detail(error: Exception) -> str:
    """Return the message of an error for the client. Messages of the store contain file paths and are only logged."""
    if not isinstance(error, errors.StoreError) or isinstance(error, errors.BadQuery):
        return str(error)
    LOG.warning("%s", error)
    return (type(error).__doc__ or "").strip()


def _retry_after(error: Exception, status: int) -> dict[str, str]:
    if status != HTTPStatus.SERVICE_UNAVAILABLE:
        return {}
    seconds = error.until - time.time() if isinstance(error, errors.NotNow) else _STORE_RETRY
    if isinstance(error, errors.ReadersBusy):
        seconds = _WORKER_RETRY
    return {"Retry-After": str(max(1, ceil(seconds)))}


def problem_response(problem: HttpProblem) -> Response:
    """Return a problem as an `application/problem+json` response."""
    title = HTTPStatus(problem.status).phrase
    document = {"type": "about:blank", "title": title, "status": problem.status, "code": problem.key}
    if problem.detail:
        document["detail"] = legal(problem.detail)  # a detail may quote a lone surrogate, which cannot be encoded
    return JSONResponse(document, problem.status, problem.headers, media_type="application/problem+json")


def wants_json(request: Request) -> bool:
    """Return whether the client is a program: it calls the API or accepts JSON but not HTML."""
    accepted = request.headers.get("accept", "")
    return request.url.path.startswith("/api/") or ("json" in accepted and "html" not in accepted)
