"""Forms: read within bounds, and only those that this house gave to this visitor (HOSTILE 25)."""

from __future__ import annotations

from hmac import compare_digest
from urllib.parse import urlsplit

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from tidings.news.web.house import house_of
from tidings.news.web.problems import Problem
from tidings.news.web.visit import visit_of

#: The field that carries the token.
TOKEN = "token"  # noqa: S105  # a name
_MOST_FIELDS = 100


async def posted(request: Request) -> FormData:
    """The fields of a form that somebody sent.

    Raises:
        Problem: it is none of our forms, or too large.
    """
    if not is_from_here(request):
        raise Problem(403, "forged")
    house = house_of(request)
    try:
        form = await request.form(max_files=1, max_fields=_MOST_FIELDS, max_part_size=house.terms.forms_bytes)
    except HTTPException as error:
        if isinstance(error.__cause__, Problem):
            raise error.__cause__ from None
        raise Problem(413, "large", str(error.detail)) from error
    if any(isinstance(value, str) and len(value) > house.terms.forms_bytes for value in form.values()):
        raise Problem(413, "large")
    token = form.get(TOKEN)
    expected = visit_of(request).token(house)
    if not isinstance(token, str) or not compare_digest(token.encode(), expected.encode()):
        await form.close()  # files that came with it
        raise Problem(403, "forged")
    return form


def text(form: FormData, name: str, most: int = 2000) -> str:
    """A field as a line of text; empty where there is none."""
    value = form.get(name)
    return value.strip()[:most] if isinstance(value, str) else ""


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
    """Whether a browser says that a page of this house sent the request; older ones say nothing."""
    site = request.headers.get("sec-fetch-site", "same-origin")
    origin = request.headers.get("origin", "")
    own = {request.headers.get("host", ""), urlsplit(house_of(request).terms.address).netloc} - {""}
    return site in {"same-origin", "none"} and (not origin or urlsplit(origin).netloc in own)
