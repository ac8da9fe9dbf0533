"""Whether the house stands (/healthz) and whether it can serve (/readyz): for whoever keeps it running.

A process that lives but has lost its store must not be ended, only left alone for a while: hence two addresses.
"""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tidings.news.store import Store
from tidings.news.web.house import house_of
from tidings.news.web.problems import as_json, problem_of

#: Items set aside that are told one by one.
_NAMED: Final = 20
_NEVER: Final = {"cache-control": "no-store"}


async def alive(request: Request) -> Response:  # noqa: ARG001  # whoever asks
    """The process answers."""
    return JSONResponse({"status": "ok"}, headers=_NEVER)


def ready(request: Request) -> Response:
    """The store answers; else 503 and why. What is set aside is told: a house can serve without it."""
    try:
        store = house_of(request).store
        store.languages()
        aside = _aside(store)
    except Exception as error:  # whatever it is, it is not ready
        told = problem_of(error)
        told.status = 503
        told.headers = {**_NEVER, "Retry-After": "5"}
        return as_json(told)
    return JSONResponse({"status": "ok", **aside}, headers=_NEVER)


def _aside(store: Store) -> dict[str, object]:
    """How much is set aside, and what, by number: names and reasons may hold what is not for everybody."""
    counts = store.quarantine_counts()
    if not counts:
        return {}
    items = [
        {"stage": entry.stage, "kind": entry.kind, "number": int(entry.item), "since": entry.since.isoformat()}
        for entry in store.quarantine(limit=_NAMED)
        if entry.item.isdigit()
    ]
    return {"set_aside": counts, "items": items}


ROUTES: Final = [Route("/healthz", alive), Route("/readyz", ready)]
