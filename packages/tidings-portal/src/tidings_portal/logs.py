"""Logging of requests and polls.

Lines have no private data. URLs are logged without their query, names of sources without passwords.
"""

from __future__ import annotations

import logging
import time
from typing import Any, Final

from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from tidings_portal.log_lines import DETAILS, one_line
from tidings_portal.selection import source_name
from tidings_portal.watch.events import ArticleStored, Event, Polled, Postponed, SetAside
from tidings_portal.web.app_state import HttpMiddleware
from tidings_portal.web.proxies import address_of

REQUESTS: Final = logging.getLogger("tidings.requests")
WATCH: Final = logging.getLogger("tidings.watch")


class RequestLog(HttpMiddleware):
    """Middleware that logs each request after its response was sent."""

    async def pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and log its status, size and duration."""
        if not REQUESTS.isEnabledFor(logging.INFO):
            await self._app(scope, receive, send)
            return
        begun, status, size = time.perf_counter(), 0, 0

        async def sent(message: Message) -> None:
            nonlocal status, size
            status = message.get("status", status)
            size += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, sent)
        finally:
            spent = round((time.perf_counter() - begun) * 1000)
            _request_line(scope, status, size, spent)


def _request_line(scope: Scope, status: int, size: int, spent: int) -> None:
    visitor = address_of(Request(scope)) if scope.get("client") else ""
    details = {
        "method": scope["method"],
        "path": one_line(scope["path"]),
        "status": status,
        "bytes": size,
        "ms": spent,
        "visitor": visitor,
    }
    line = f"{details['method']} {details['path']} {status} {size} bytes {spent} ms {visitor}"
    REQUESTS.info("%s", line, extra={DETAILS: details})


def log_event(event: Event) -> None:
    """Log an event of the watcher, as a warning if it is a failure."""
    level = logging.DEBUG
    if isinstance(event, Polled):
        level = logging.WARNING if event.poll.failed else logging.INFO
    elif not isinstance(event, ArticleStored | Postponed):
        level = logging.WARNING
    if WATCH.isEnabledFor(level):
        WATCH.log(level, "%s", line_of(event), extra={DETAILS: _details(event)})


def line_of(event: Event) -> str:
    """Return an event of the watcher as a line of text."""
    if isinstance(event, Polled):
        wrong = f": {event.poll.problem}" if event.poll.problem else ""
        return one_line(f"polled {source_name(event.source)}: {event.poll.state}, {event.new} new{wrong}")
    if isinstance(event, ArticleStored):
        return one_line(f"{event.fate.value} {event.address} {event.title or event.reason}")
    if isinstance(event, SetAside):
        return one_line(f"set aside {event.address}: {event.reason}")
    if isinstance(event, Postponed):
        return one_line(f"later {event.address}: {event.reason}")
    return one_line(event.sentence or "it goes on")


def _details(event: Event) -> dict[str, Any]:
    if isinstance(event, Polled):
        return {"source": event.source.id, "state": event.poll.state, "new": event.new, "failed": event.poll.failed}
    if isinstance(event, ArticleStored):
        return {"address": one_line(event.address), "fate": event.fate.value}
    return {"address": one_line(event.address)} if isinstance(event, SetAside | Postponed) else {}
