"""All of the service as one application: portal, reader, API, accounts, pictures, with the same walls around all."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from tidings.errors import TidingsError
from tidings.news.accounts import routes as accounts
from tidings.news.accounts.current_user import LoginRequired
from tidings.news.accounts.sessions import sessions
from tidings.news.api import routes as api
from tidings.news.greader import routes as greader
from tidings.news.logs import RequestLog
from tidings.news.portal import feeds
from tidings.news.portal import routes as portal
from tidings.news.reader import pages as reader
from tidings.news.web import icons, metrics, pages, pictures
from tidings.news.web.app_state import App
from tidings.news.web.errors import HttpProblem
from tidings.news.web.headers import CrossOrigin, ProxyHeaders, SecurityHeaders
from tidings.news.web.limits import RequestLimits
from tidings.news.web.pages import ErrorPages, answer
from tidings.news.web.session import VisitMiddleware

_ROUTES: Final[tuple[list[BaseRoute], ...]] = (
    list(accounts.ROUTES),
    list(portal.ROUTES),
    list(reader.ROUTES),
    list(pictures.ROUTES),
    list(icons.ROUTES),
    list(pages.ROUTES),
    list(feeds.ROUTES),
    list(api.ROUTES),
    list(greader.ROUTES),
    list(metrics.ROUTES),
)
#: The outermost first.
_WALLS: Final = (
    ProxyHeaders,
    RequestLog,
    metrics.MeasuredRequests,
    SecurityHeaders,
    ErrorPages,
    RequestLimits,
    CrossOrigin,
    VisitMiddleware,
    LoginRequired,
)


Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]


def application(app: App | None = None, lifespan: Lifespan | None = None) -> Starlette:
    """The application over an `App`; one that makes it itself, in its lifespan, calls `attach` then."""
    handlers = dict.fromkeys((HTTPException, TidingsError, HttpProblem), _problem)
    asgi = Starlette(
        routes=[route for part in _ROUTES for route in part],
        middleware=[Middleware(wall) for wall in _WALLS],
        exception_handlers=handlers,
        lifespan=lifespan,
    )
    if app is not None:
        attach(asgi, app)
    return asgi


def attach(asgi: Starlette, app: App) -> None:
    """Let an application answer with an `App`."""
    asgi.state.tidings = app
    asgi.state.sessions = sessions(app)
    asgi.state.counting = asgi.state.sessions.counting


def _problem(request: Request, error: Exception) -> Response:
    return answer(request, error)
