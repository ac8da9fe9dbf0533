"""The answer to a request that went wrong: a page for people, a problem document for programs."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from tidings.news.web.problems import as_json, problem_of, wants_json
from tidings.news.web.showing import Shown, respond


def answer(request: Request, error: Exception) -> Response:
    """The answer to a request that went wrong."""
    told = problem_of(error)
    if wants_json(request):
        return as_json(told)
    values = {"key": told.key, "detail": told.detail, "status": told.status}
    response = respond(request, Shown("problem.html", values, told.status))
    response.headers.update(told.headers)
    return response
