"""The addresses of the API: its operations, the document that describes them, and a page for people."""

from __future__ import annotations

from functools import cache
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from tidings.news.api import (
    articles,
    extracting,
    mutes,
    opml,
    own,
    own_tokens,
    searching,
    sites,
    sources,
    stories,
    tallies,
    trends,
)
from tidings.news.api.endpoint import routes, tagged
from tidings.news.api.openapi import document
from tidings.news.api.operation import BASE, JSON, Operation
from tidings.news.api.reference import chapters
from tidings.news.api.written import as_json
from tidings.news.web.house import house_of
from tidings.news.web.showing import Shown, page

OPERATIONS: Final[tuple[Operation, ...]] = (
    *extracting.OPERATIONS,
    *articles.OPERATIONS,
    *searching.OPERATIONS,
    *stories.OPERATIONS,
    *sources.OPERATIONS,
    *opml.OPERATIONS,
    *sites.OPERATIONS,
    *trends.OPERATIONS,
    *tallies.OPERATIONS,
    *mutes.OPERATIONS,
    *own.OPERATIONS,
    *own_tokens.OPERATIONS,
)


@cache
def openapi(name: str) -> bytes:
    """The document of this house."""
    return as_json(document(OPERATIONS, name))


def described(request: Request) -> Response:
    """The OpenAPI document. It tells nothing of the store, so it is open wherever reading is closed."""
    return tagged(request, openapi(house_of(request).terms.name), JSON)


def reference(request: Request) -> Shown:
    """The page for people."""
    here = house_of(request).terms.address or f"{request.url.scheme}://{request.url.netloc}"
    return Shown("api.html", {"chapters": chapters(OPERATIONS), "base": BASE, "here_base": here})


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
