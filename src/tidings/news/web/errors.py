"""What goes wrong, as an answer: the right status, a sentence in the reader's language, and nothing that could run.

People get a page, programs (under /api/, or asking for JSON) a problem document (RFC 9457).

Forms: read within bounds, and only those that this portal gave to this visitor (HOSTILE 25).
"""

from __future__ import annotations

import logging
import re
import time
from dataclasses import dataclass, field
from hmac import compare_digest
from http import HTTPStatus
from math import ceil
from typing import Final

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from tidings import errors
from tidings.article.characters import legal
from tidings.news.web.app_state import app_of
from tidings.news.web.session import visit_of
from tidings.urls import origin_of

LOG: Final = logging.getLogger("tidings.news")
_SOON: Final = 5  # seconds after which a busy store is worth another try
_A_WHILE: Final = 30  # and a place to read pages at


@dataclass
class HttpProblem(Exception):
    """Something that a visitor is told: a status, the key of a text (`problem.KEY.title` and `.text`), its values."""

    status: int
    key: str
    detail: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__(self.status, self.key, self.detail)


#: The first class that fits tells the status and the text. More special ones come first.
_KNOWN: Final[tuple[tuple[type[errors.TidingsError], int, str], ...]] = (
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
_STATUS: Final = {
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
    """An error as what a visitor is told."""
    if isinstance(error, HttpProblem):
        return error
    if isinstance(error, HTTPException):
        key = _STATUS.get(error.status_code, "server" if error.status_code >= 500 else "request")
        return HttpProblem(error.status_code, key, headers=dict(error.headers or {}))
    if isinstance(error, ClientDisconnect):  # nobody is there to be told, and nobody made a mistake
        LOG.debug("somebody hung up before all of a request had come")
        return HttpProblem(400, "request")
    for kind, status, key in _KNOWN:
        if isinstance(error, kind):
            return HttpProblem(status, key, _detail(error), _wait(error, status))
    LOG.error("a page could not be made", exc_info=error)
    return HttpProblem(500, "server")


def _detail(error: Exception) -> str:
    """What exactly happened. Where the store lies is for whoever runs the portal: it goes to the log."""
    if not isinstance(error, errors.StoreError) or isinstance(error, errors.BadQuery):
        return str(error)
    LOG.warning("%s", error)
    return (type(error).__doc__ or "").strip()


def _wait(error: Exception, status: int) -> dict[str, str]:
    if status != HTTPStatus.SERVICE_UNAVAILABLE:
        return {}
    seconds = error.until - time.time() if isinstance(error, errors.NotNow) else _SOON
    if isinstance(error, errors.ReadersBusy):
        seconds = _A_WHILE
    return {"Retry-After": str(max(1, ceil(seconds)))}


def as_json(told: HttpProblem) -> Response:
    """A problem document; the sentence of the error itself, which names what to do."""
    title = HTTPStatus(told.status).phrase
    document = {"type": "about:blank", "title": title, "status": told.status, "code": told.key}
    if told.detail:
        document["detail"] = legal(told.detail)  # it may quote half a character, which no answer can hold
    return JSONResponse(document, told.status, told.headers, media_type="application/problem+json")


def wants_json(request: Request) -> bool:
    """Whether a program asks."""
    accepted = request.headers.get("accept", "")
    return request.url.path.startswith("/api/") or ("json" in accepted and "html" not in accepted)


#: A path from the root: no second slash or backslash (another host), no control sign (browsers drop tabs and newlines).
_LOCAL: Final = re.compile(r"/(?![/\\])[!-\[\]-~]{0,1999}")


def local(address: str, default: str = "/") -> str:
    """The address if it is a page of this house, else the default."""
    return address if _LOCAL.fullmatch(address) else default


#: The field that carries the token.
TOKEN = "token"  # noqa: S105  # a name
_MOST_FIELDS = 100
_LONGEST_NUMBER = 16


async def posted(request: Request) -> FormData:
    """The fields of a form that somebody sent.

    Raises:
        Problem: it is none of our forms, or too large.
    """
    if not is_from_here(request):
        raise HttpProblem(403, "forged")
    app = app_of(request)
    try:
        form = await request.form(max_files=1, max_fields=_MOST_FIELDS, max_part_size=app.settings.forms_bytes)
    except HTTPException as error:
        if isinstance(error.__cause__, HttpProblem):
            raise error.__cause__ from None
        raise HttpProblem(413, "large", str(error.detail)) from error
    if any(isinstance(value, str) and len(value) > app.settings.forms_bytes for value in form.values()):
        raise HttpProblem(413, "large")
    token = form.get(TOKEN)
    expected = visit_of(request).token(app)
    if not isinstance(token, str) or not compare_digest(token.encode(), expected.encode()):
        await form.close()  # files that came with it
        raise HttpProblem(403, "forged")
    return form


def text(form: FormData, name: str, most: int = 2000) -> str:
    """A field as a line of text; empty where there is none."""
    value = form.get(name)
    return value.strip()[:most] if isinstance(value, str) else ""


def number_in(form: FormData, name: str) -> int:
    """A number that a form holds.

    Raises:
        Problem: it is none.
    """
    said = text(form, name)
    if not (said.isascii() and said.isdigit() and len(said) < _LONGEST_NUMBER):
        raise HttpProblem(400, "request")
    return int(said)


async def upload(form: FormData, name: str) -> bytes:
    """A file that was sent with a form; empty where there is none."""
    value = form.get(name)
    if not isinstance(value, UploadFile):
        return b""
    try:
        return await value.read()
    finally:
        await value.close()


def is_from_here(request: Request) -> bool:
    """Whether a browser says that a page of this portal sent the request; older ones say nothing."""
    site = request.headers.get("sec-fetch-site", "same-origin")
    origin = request.headers.get("origin", "")
    hosts = {request.headers.get("host", "").lower(), origin_of(app_of(request).settings.address).partition("://")[2]}
    return site in {"same-origin", "none"} and (not origin or _host_and_port(origin) in hosts - {""})


def _host_and_port(origin: str) -> str:
    return origin.lower().partition("://")[2]
