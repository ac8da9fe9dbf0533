"""Protection against cross-site request forgery (CSRF), for forms and for cookie-authenticated API requests.

A form is accepted if the browser says that it was sent from a page of this portal, and if it carries the token of the
visitor's session (HOSTILE 25).
"""

from __future__ import annotations

from hmac import compare_digest

from starlette.datastructures import FormData
from starlette.requests import Request

from tidings.urls import origin_of
from tidings_portal.web.app_state import App, app_of
from tidings_portal.web.sessions import VisitorSession, visit_of

#: The name of the form field that carries the token.
TOKEN = "token"  # noqa: S105  # a name


def csrf_token(app: App, session: VisitorSession) -> str:
    """Return the token that every form of a session carries."""
    return app.sign("form", session.session or session.visitor)


def has_valid_token(request: Request, form: FormData) -> bool:
    """Return whether a form carries the token of the visitor's session."""
    token = form.get(TOKEN)
    expected = csrf_token(app_of(request), visit_of(request))
    return isinstance(token, str) and compare_digest(token.encode(), expected.encode())


def is_same_origin(request: Request) -> bool:
    """Return whether the request comes from a page of this portal, by its `Sec-Fetch-Site` and `Origin` headers.

    Browsers that send neither header are let through: the token still has to match.
    """
    site = request.headers.get("sec-fetch-site", "same-origin")
    origin = request.headers.get("origin", "")
    hosts = {request.headers.get("host", "").lower(), origin_of(app_of(request).settings.address).partition("://")[2]}
    return site in {"same-origin", "none"} and (not origin or _host_and_port(origin) in hosts - {""})


def _host_and_port(origin: str) -> str:
    return origin.lower().partition("://")[2]
