"""The whole house as one application: portal, reader, API, accounts, pictures, with the same walls around all."""

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
from tidings.news.accounts.door import Door
from tidings.news.accounts.reception import reception
from tidings.news.api import routes as api
from tidings.news.portal import feeds
from tidings.news.portal import routes as portal
from tidings.news.reader import routes as reader
from tidings.news.web import files, health, metrics, pictures
from tidings.news.web.answering import answer
from tidings.news.web.bounds import Bounds
from tidings.news.web.headers import Headers
from tidings.news.web.house import House
from tidings.news.web.mistakes import Mistakes
from tidings.news.web.origins import Origins
from tidings.news.web.problems import Problem
from tidings.news.web.proxy_headers import ProxyHeaders
from tidings.news.web.visit import Visits

_ROUTES: Final[tuple[list[BaseRoute], ...]] = (
    list(accounts.ROUTES),
    list(portal.ROUTES),
    list(reader.ROUTES),
    list(pictures.ROUTES),
    list(files.ROUTES),
    list(feeds.ROUTES),
    list(api.ROUTES),
    list(health.ROUTES),
    list(metrics.ROUTES),
)
#: The outermost first.
_WALLS: Final = (ProxyHeaders, metrics.Measured, Headers, Mistakes, Bounds, Origins, Visits, Door)


Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]


def application(house: House | None = None, lifespan: Lifespan | None = None) -> Starlette:
    """The application over a house; one that opens its house itself calls `attach` then."""
    handlers = dict.fromkeys((HTTPException, TidingsError, Problem), _problem)
    app = Starlette(
        routes=[route for part in _ROUTES for route in part],
        middleware=[Middleware(wall) for wall in _WALLS],
        exception_handlers=handlers,
        lifespan=lifespan,
    )
    if house is not None:
        attach(app, house)
    return app


def attach(app: Starlette, house: House) -> None:
    """Let an application answer for a house."""
    app.state.house = house
    app.state.reception = reception(house)


def _problem(request: Request, error: Exception) -> Response:
    return answer(request, error)
