"""Access checks for pages and forms of signed-in users, and the middleware for portals with closed reading.

Pages redirect visitors to the sign-in page and back. Forms respond with 401. Changes need POST.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Final
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from tidings_portal.accounts.sessions import sessions_of
from tidings_portal.store.records_of_people import Login, Person
from tidings_portal.web.app_state import HttpMiddleware, app_of
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.forms import local_path, posted_form, text
from tidings_portal.web.pages import PageView, error_response, respond
from tidings_portal.web.sessions import visit_of
from tidings_portal.web.settings import ReadAccess

Answer = PageView | Response
Action = Callable[[Request, FormData], Answer]
#: The status of a form that has to be filled in once more.
AGAIN: Final = 422


def action(handler: Action) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    """Return an endpoint for a form handler: it checks the CSRF token of the form and runs the handler in a thread."""

    @wraps(handler)
    async def endpoint(request: Request) -> Response:
        form = await posted_form(request)

        def work() -> Response:
            error_response = handler(request, form)
            return error_response if isinstance(error_response, Response) else respond(request, error_response)

        return await run_in_threadpool(work)

    return endpoint


def own(handler: Callable[[Request], Answer]) -> Callable[[Request], Answer]:
    """Return an endpoint for signed-in users only."""

    @wraps(handler)
    def endpoint(request: Request) -> Answer:
        if visit_of(request).person is None:
            return to_sign_in(request)
        return handler(request)

    return endpoint


def person_key(request: Request) -> str:
    """Return the key of the user whose data a request reads or changes.

    Raises:
        HttpProblem: nobody is signed in.
    """
    person = visit_of(request).person
    if person is None:
        raise HttpProblem(401, "sign_in")
    return person


def signed_in(request: Request) -> tuple[Login, Person]:
    """Return the login session and the user of a request.

    Raises:
        HttpProblem: there are no accounts here, or nobody is signed in.
    """
    with_accounts(request)
    found = sessions_of(request).login(visit_of(request).session)
    if found is None:
        raise HttpProblem(401, "sign_in")
    return found


def administrator(request: Request) -> Person:
    """Return the user of a request if they are an administrator.

    Raises:
        HttpProblem: 404 for other users, as if the page did not exist.
    """
    _, person = signed_in(request)
    if not person.settings.admin:
        raise HttpProblem(404, "missing_page")
    return person


def runs_the_house(request: Request) -> bool:
    """Return whether the user is an administrator, or the only user of a portal without accounts."""
    visit = visit_of(request)
    if visit.is_local or visit.person is None:
        return visit.is_local
    return signed_in(request)[1].settings.admin


def only_who_runs(request: Request) -> None:
    """Raise an HTTP error unless the user is an administrator.

    Raises:
        HttpProblem: the user is not an administrator.
    """
    person_key(request)
    if not runs_the_house(request):
        raise HttpProblem(403, "forbidden")


def with_accounts(request: Request) -> None:
    """Raise an HTTP error in a portal without accounts.

    Raises:
        HttpProblem: 404 if the portal has no accounts.
    """
    if not app_of(request).settings.accounts:
        raise HttpProblem(404, "missing_page")


def to_sign_in(request: Request) -> Response:
    """Return a redirect to the sign-in page, which leads back to the requested page."""
    asked = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return RedirectResponse(f"/sign-in?next={quote(local_path(asked), safe='/')}", 303)


def back(form: FormData, default: str = "/") -> Response:
    """Return the redirect after a form was processed: to the form's `next` path, or to `default`."""
    return RedirectResponse(local_path(text(form, "next"), default), 303)


def secret(form: FormData, name: str) -> str:
    """Return a password field unchanged, including white space."""
    value = form.get(name)
    return value if isinstance(value, str) else ""


_OPEN: Final = frozenset(
    {
        "/sign-in",
        "/sign-in/openid",
        "/sign-in/openid/callback",
        "/sign-up",
        "/sign-out",
        "/preferences",
        "/about",
        "/healthz",
        "/readyz",
        "/metrics",
        "/offline.js",
        "/offline",
    }
)
#: The API and the feeds have a door of their own: tokens.
_OPEN_UNDER: Final = ("/static/", "/api/", "/feeds/", "/r/", "/v2/", "/websub/", "/mail/")


class LoginRequired(HttpMiddleware):
    """Middleware for portals that only signed-in users may read; a few paths are open to all."""

    async def pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, redirect it to the sign-in page (GET and HEAD), or respond with 401."""
        if _may_enter(Request(scope)):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        sent = (
            to_sign_in(request)
            if request.method in {"GET", "HEAD"}
            else error_response(request, HttpProblem(401, "sign_in"))
        )
        await sent(scope, receive, send)


def _may_enter(request: Request) -> bool:
    settings = app_of(request).settings
    if settings.reading is ReadAccess.OPEN or not settings.accounts or visit_of(request).person is not None:
        return True
    path = request.url.path
    return path in _OPEN or path.startswith(_OPEN_UNDER)
