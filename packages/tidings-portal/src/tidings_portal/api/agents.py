"""Endpoints compatible with other extraction APIs for language models.

`GET /r/URL` returns Markdown, as Jina Reader does. `POST /v2/scrape` accepts `formats` and `onlyMainContent`, as
Firecrawl does. Both share the URL guard, rate limits and access rules of `extraction`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tidings import Hints
from tidings.article.formats.characters import legal
from tidings.fetch import Request as Asked
from tidings.fetch import Response as Fetched
from tidings.fetch import require
from tidings_portal.api.extraction import WantedArticle, written
from tidings_portal.api.formats import ArticleFormat, Shape
from tidings_portal.web.access import Access, admit, caller_of
from tidings_portal.web.app_state import App, app_of
from tidings_portal.web.csrf import is_same_origin
from tidings_portal.web.errors import HttpProblem, problem_of
from tidings_portal.web.headers import is_allowed_origin
from tidings_portal.web.limits import FETCHES, READS, take
from tidings_portal.web.pages import error_response
from tidings_portal.web.reading_pool import SentPage, asked_extractor

_PATIENCE: Final = 20.0
_LONGEST: Final = 4000
_FORMATS: Final = ("markdown", "html", "rawHtml", "links")
_EVERYTHING: Final = "everything"


async def markdown(request: Request) -> Response:
    """Return the article at a URL as Markdown."""
    query = request.url.query
    address = request.path_params["address"] + (f"?{query}" if query else "")
    try:
        app = await _admitted(request)
        page = await _fetched(app, address)
        body = await _written(app, page, ArticleFormat.MARKDOWN)
    except Exception as error:  # what is unexpected is logged there
        return error_response(request, error)
    return Response(body, media_type="text/markdown", headers={"cache-control": "private, no-cache"})


async def scrape(request: Request) -> Response:
    """Return the article at a URL in the requested formats."""
    try:
        app = await _admitted(request)
        scrape = _parsed_body(await request.body())
        page = await _fetched(app, scrape["url"])
        data = await _data(app, page, scrape["formats"], scrape["only_main"])
    except Exception as error:
        told = problem_of(error)
        why = legal(told.detail or told.key)
        return JSONResponse({"success": False, "error": why, "code": told.key}, told.status, told.headers)
    return JSONResponse({"success": True, "data": data})


async def _admitted(request: Request) -> App:
    """Check access and the rate limit of a request; return the state of the application."""
    app = app_of(request)
    caller = await run_in_threadpool(caller_of, request, app)
    if caller.token is None and not (is_same_origin(request) or is_allowed_origin(request)):
        raise HttpProblem(403, "forged", "a page of another site may not have pages fetched here")
    await run_in_threadpool(take, app, READS, caller.name, app.settings.minute_reads)
    await run_in_threadpool(take, app, FETCHES, caller.name, app.settings.minute_fetches)
    admit(app, caller, Access.READING)
    return app


def _parsed_body(body: bytes) -> dict[str, Any]:
    """Return the parsed body of a scrape request.

    Raises:
        HttpProblem: 400 if it is invalid.
    """
    try:
        request_body = json.loads(body)
    except (ValueError, RecursionError):
        raise HttpProblem(400, "input", "the body is JSON, as {url: …, formats: [markdown]}") from None
    if (
        not isinstance(request_body, Mapping)
        or not isinstance(request_body.get("url"), str)
        or len(request_body["url"]) > _LONGEST
    ):
        raise HttpProblem(400, "input", "url is an address of at most 4,000 characters")
    formats = request_body.get("formats", ["markdown"])
    names = [one.get("type") if isinstance(one, Mapping) else one for one in formats] if _is_list(formats) else [None]
    wrong = next((one for one in names if one not in _FORMATS), "") if names else None
    if wrong != "":
        raise HttpProblem(400, "input", f"formats are some of {', '.join(_FORMATS)}")
    only_main = request_body.get("onlyMainContent", True)
    if not isinstance(only_main, bool):
        raise HttpProblem(400, "input", "onlyMainContent is true or false")
    return {"url": request_body["url"], "formats": names, "only_main": only_main}


def _is_list(value: object) -> bool:
    return isinstance(value, list) and len(value) <= len(_FORMATS) * 2


async def _fetched(app: App, address: str) -> Fetched:
    app.reading.prepare()
    return require(await app.fetcher.fetch(Asked(address, seconds=_PATIENCE)))


async def _written(app: App, response: Fetched, form: ArticleFormat, extractor: str = "") -> bytes:
    hints = Hints(content_type=response.content_type, is_cut=response.truncated)
    page = SentPage(response.body, response.url, hints)
    wanted = WantedArticle(form, Shape.ARTICLE, "", 0)
    return await app.reading.run(written, page, asked_extractor(extractor, None), wanted)


async def _data(app: App, page: Fetched, formats: list[str], only_main: bool) -> dict[str, Any]:
    extractor = "" if only_main else _EVERYTHING
    told = json.loads(await _written(app, page, ArticleFormat.JSON, extractor))
    data: dict[str, Any] = {}
    if "markdown" in formats:
        data["markdown"] = (await _written(app, page, ArticleFormat.MARKDOWN, extractor)).decode("utf-8", "replace")
    if "html" in formats:
        data["html"] = (await _written(app, page, ArticleFormat.HTML, extractor)).decode("utf-8", "replace")
    if "rawHtml" in formats:
        data["rawHtml"] = page.body.decode("utf-8", "replace")
    if "links" in formats:
        data["links"] = list(dict.fromkeys(_links(told)))
    data["metadata"] = {
        "title": told.get("title") or "",
        "description": told.get("summary") or "",
        "language": told.get("language") or "",
        "author": ", ".join(told.get("authors") or ()),
        "publishedTime": told.get("published"),
        "sourceURL": page.url,
        "url": told.get("canonical") or page.url,
        "statusCode": page.status,
    }
    return data


def _links(data: object) -> list[str]:
    """Return the `href` values in an article's JSON."""
    if isinstance(data, Mapping):
        own = [data["href"]] if isinstance(data.get("href"), str) else []
        return own + [one for value in data.values() for one in _links(value)]
    return [one for value in data for one in _links(value)] if isinstance(data, list) else []


ROUTES: Final[list[BaseRoute]] = [
    Route("/r/{address:path}", markdown),
    Route("/v2/scrape", scrape, methods=["POST"]),
]
