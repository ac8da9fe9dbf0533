"""The whole house as one application: portal, reader, API, accounts, pictures, with the same walls around all."""

from __future__ import annotations

from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from tidings.errors import TidingsError
from tidings.publish.accounts import routes as accounts
from tidings.publish.accounts.door import Door
from tidings.publish.accounts.reception import reception
from tidings.publish.api import routes as api
from tidings.publish.portal import feeds
from tidings.publish.portal import routes as portal
from tidings.publish.reader import routes as reader
from tidings.publish.web import files, health, metrics, pictures
from tidings.publish.web.answering import answer
from tidings.publish.web.bounds import Bounds
from tidings.publish.web.headers import Headers
from tidings.publish.web.house import House
from tidings.publish.web.mistakes import Mistakes
from tidings.publish.web.origins import Origins
from tidings.publish.web.problems import Problem
from tidings.publish.web.proxy_headers import ProxyHeaders
from tidings.publish.web.visit import Visits

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


def application(house: House) -> Starlette:
    """The application over a house."""
    handlers = dict.fromkeys((HTTPException, TidingsError, Problem), _problem)
    app = Starlette(
        routes=[route for part in _ROUTES for route in part],
        middleware=[Middleware(wall) for wall in _WALLS],
        exception_handlers=handlers,
    )
    app.state.house = house
    app.state.reception = reception(house)
    return app


def _problem(request: Request, error: Exception) -> Response:
    return answer(request, error)
