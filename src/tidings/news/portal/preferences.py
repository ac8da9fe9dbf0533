"""Language and look: kept in the visitor's own browser, and with the account of those who have one."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tidings.news.accounts.account import keep_look
from tidings.news.web.forms import posted, text
from tidings.news.web.house import house_of
from tidings.news.web.local_address import local
from tidings.news.web.visit import LANGUAGE, THEME, THEMES, cookie, visit_of
from tidings.news.web.words import LANGUAGES


async def preferences(request: Request) -> Response:
    """Take over what a visitor likes, and lead back."""
    form = await posted(request)
    house = house_of(request)
    back = RedirectResponse(local(text(form, "next")), 303)
    language, theme = text(form, "language"), text(form, "theme")
    if language in LANGUAGES:
        back.headers.append("set-cookie", cookie(house, LANGUAGE, language))
    if theme in THEMES:
        back.headers.append("set-cookie", cookie(house, THEME, theme))
    if visit_of(request).session and language in LANGUAGES and theme in THEMES:
        await run_in_threadpool(keep_look, request, language, theme)
    return back
