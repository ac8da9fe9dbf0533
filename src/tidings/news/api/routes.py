"""The addresses of the API: its operations, the document that describes them, and a page for people."""

from __future__ import annotations

from functools import cache
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from tidings.news.api import articles, extracting, own, sites, sources, stories
from tidings.news.api.openapi import chapters, document
from tidings.news.api.operations import BASE, JSON, Operation, as_json, routes, tagged
from tidings.news.web.app_state import app_of
from tidings.news.web.pages import PageView, page

OPERATIONS: Final[tuple[Operation, ...]] = (
    *extracting.OPERATIONS,
    *articles.OPERATIONS,
    *articles.SEARCH_OPERATIONS,
    *stories.OPERATIONS,
    *sources.OPERATIONS,
    *sources.OPML_OPERATIONS,
    *sites.OPERATIONS,
    *stories.TREND_OPERATIONS,
    *sources.TALLY_OPERATIONS,
    *own.MUTE_OPERATIONS,
    *own.OPERATIONS,
    *own.TOKEN_OPERATIONS,
)


@cache
def openapi(name: str) -> bytes:
    """The document of this house."""
    return as_json(document(OPERATIONS, name))


def described(request: Request) -> Response:
    """The OpenAPI document. It tells nothing of the store, so it is open wherever reading is closed."""
    return tagged(request, openapi(app_of(request).settings.name), JSON)


def reference(request: Request) -> PageView:
    """The page for people."""
    here = app_of(request).settings.address or f"{request.url.scheme}://{request.url.netloc}"
    return PageView("api.html", {"chapters": chapters(OPERATIONS), "base": BASE, "here_base": here})


def lead(request: Request) -> Response:  # noqa: ARG001  # all endpoints are called alike
    """From where people try first."""
    return RedirectResponse("/api/", 307)


ROUTES: Final[list[BaseRoute]] = [
    *routes(OPERATIONS),
    Route("/api/openapi.json", described),
    Route("/api/", page(reference)),
    Route("/api", lead),
    Route("/api/v1", lead),
    Route("/api/v1/", lead),
]
