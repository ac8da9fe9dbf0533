"""Form parsing: read a posted form within limits, check its CSRF token, and return its fields."""

from __future__ import annotations

import re
from typing import Final

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from tidings_portal.web.app_state import app_of
from tidings_portal.web.csrf import has_valid_token, is_same_origin
from tidings_portal.web.errors import HttpProblem

_MAX_FIELDS: Final = 100
_MAX_DIGITS: Final = 15

#: A path from the root: no second slash or backslash (another host), no control sign (browsers drop tabs and newlines).
_LOCAL_PATH: Final = re.compile(r"/(?![/\\])[!-\[\]-~]{0,1999}")


async def posted_form(request: Request) -> FormData:
    """Return the form of a POST request.

    Raises:
        HttpProblem: 403 if the form was sent from another site or has no valid CSRF token; 413 if it is too large.
    """
    if not is_same_origin(request):
        raise HttpProblem(403, "forged")
    limit = app_of(request).settings.forms_bytes
    try:
        form = await request.form(max_files=1, max_fields=_MAX_FIELDS, max_part_size=limit)
    except HTTPException as error:
        if isinstance(error.__cause__, HttpProblem):
            raise error.__cause__ from None
        raise HttpProblem(413, "large", str(error.detail)) from error
    if any(isinstance(value, str) and len(value) > limit for value in form.values()):
        raise HttpProblem(413, "large")
    if not has_valid_token(request, form):
        await form.close()  # deletes the temporary files of uploads
        raise HttpProblem(403, "forged")
    return form


def text(form: FormData, name: str, max_length: int = 2000) -> str:
    """Return a text field, stripped and cut to `max_length`, or an empty string if the form does not have it."""
    value = form.get(name)
    return value.strip()[:max_length] if isinstance(value, str) else ""


def number_in(form: FormData, name: str) -> int:
    """Return a field as a non-negative integer.

    Raises:
        HttpProblem: 400 if the field is not a number.
    """
    value = text(form, name)
    if not (value.isascii() and value.isdigit() and len(value) <= _MAX_DIGITS):
        raise HttpProblem(400, "request")
    return int(value)


async def upload(form: FormData, name: str) -> bytes:
    """Return the content of an uploaded file, or empty bytes if the form does not have it."""
    value = form.get(name)
    if not isinstance(value, UploadFile):
        return b""
    try:
        return await value.read()
    finally:
        await value.close()


def local_path(path: str, default: str = "/") -> str:
    """Return `path` if it leads to a page of this portal, else `default`. Prevents open redirects."""
    return path if _LOCAL_PATH.fullmatch(path) else default
