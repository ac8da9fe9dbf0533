"""Forms: read within bounds, and only those that this portal gave to this visitor (HOSTILE 25)."""

from __future__ import annotations

import re
from hmac import compare_digest
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from tidings.news.web.app_state import app_of
from tidings.news.web.errors import HttpProblem
from tidings.news.web.session import visit_of

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
    own = {request.headers.get("host", ""), urlsplit(app_of(request).settings.address).netloc} - {""}
    return site in {"same-origin", "none"} and (not origin or urlsplit(origin).netloc in own)
