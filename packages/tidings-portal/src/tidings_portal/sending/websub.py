"""WebSub subscriber: subscribes to the hubs of feeds, and polls a source when its hub sends a notification.

The content of a notification is not read; the source is polled at once instead. So neither a lying hub nor a guessed
URL can put anything into the store. A hub can reach only a portal with a public URL.
"""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import replace
from datetime import datetime, timedelta
from hmac import compare_digest
from hmac import new as hmac
from typing import Final
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from tidings.errors import FetchError
from tidings.fetch import Fetcher, Kind
from tidings.fetch import Request as Asked
from tidings_portal.store.verbs.sending import Hub
from tidings_portal.web.app_state import App, app_of
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.pages import number_in_path

#: The lease, the time before its end to renew it, and the delay after a hub did not respond.
_LEASE: Final = timedelta(days=7)
_BEFORE: Final = timedelta(days=1)
_PATIENCE: Final = timedelta(hours=6)
_LARGEST: Final = 2_000_000
_METHODS: Final = frozenset({"sha1", "sha256", "sha384", "sha512"})
_PURPOSE: Final = "websub"
_SECONDS: Final = 20.0


def callback(app: App, source: int) -> str:
    """Return the path to which the hub of a source sends notifications."""
    return f"/websub/{source}/{app.sign(_PURPOSE, str(source))}"


async def renew(app: App, web: Fetcher) -> int:
    """Subscribe to hubs that have not confirmed yet or whose lease ends soon; return their number."""
    store, at, home = app.store, app.now(), app.settings.address
    if not home:
        return 0
    count = 0
    for hub in await asyncio.to_thread(store.hubs):
        if not _is_due(hub, at):
            continue
        count += 1
        secret = hub.secret or secrets.token_hex(20)
        fields = {
            "hub.mode": "subscribe",
            "hub.topic": hub.topic,
            "hub.callback": home + callback(app, hub.source),
            "hub.secret": secret,
            "hub.lease_seconds": str(int(_LEASE.total_seconds())),
        }
        # Store the secret first: the hub may verify before it responds.
        await asyncio.to_thread(store.change_hub, replace(hub, secret=secret, asked=at, problem=""))
        headers = (("Content-Type", "application/x-www-form-urlencoded"),)
        request = Asked(hub.address, Kind.PAGE, headers=headers, seconds=_SECONDS, data=urlencode(fields).encode())
        outcome = await web.fetch(request)
        if isinstance(outcome, FetchError) or not 200 <= outcome.status < 300:
            why = outcome.reason if isinstance(outcome, FetchError) else f"the hub says {outcome.status}"
            now = next(
                (current for current in await asyncio.to_thread(store.hubs) if current.source == hub.source), hub
            )
            await asyncio.to_thread(store.change_hub, replace(now, problem=why))
    return count


def _is_due(hub: Hub, at: datetime) -> bool:
    if hub.asked is not None and at - hub.asked < _PATIENCE:
        return False
    return hub.expires is None or hub.expires - at < _BEFORE


def confirm(request: Request) -> Response:
    """Answer the verification request of a hub: return its challenge if the subscription is ours."""
    app, hub = app_of(request), _hub(request)
    query = request.query_params
    is_ours = hub is not None and query.get("hub.mode") == "subscribe" and query.get("hub.topic") == hub.topic
    if hub is None or not is_ours or hub.asked is None:
        raise HttpProblem(404, "missing_page")
    said = query.get("hub.lease_seconds", "")
    seconds = int(said) if said.isascii() and said.isdigit() and len(said) < 9 else int(_LEASE.total_seconds())
    lease = min(timedelta(seconds=seconds), _LEASE * 4)
    app.store.change_hub(replace(hub, expires=app.now() + lease, problem=""))
    return PlainTextResponse(query.get("hub.challenge", "")[:1000])


async def notify(request: Request) -> Response:
    """Poll the source of a notification. Requests without a valid signature are ignored."""
    hub = await run_in_threadpool(_hub, request)
    if hub is None:
        raise HttpProblem(404, "missing_page")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > _LARGEST:
            raise HttpProblem(413, "large")
    method, _, digest = request.headers.get("x-hub-signature", "").partition("=")
    if method in _METHODS and hub.secret:
        expected = hmac(hub.secret.encode(), bytes(body), method).hexdigest()
        if compare_digest(expected.encode(), digest.encode("utf-8", "replace")):
            app = app_of(request)
            await run_in_threadpool(app.store.poll_again, hub.source, app.now())
    return Response(status_code=202)  # do not reveal that a signature is wrong (WebSub, 8)


def _hub(request: Request) -> Hub | None:
    app, number = app_of(request), number_in_path(request)
    if number is None or not app.is_signed(_PURPOSE, str(number), request.path_params["mark"]):
        return None
    return next((hub for hub in app.store.hubs() if hub.source == number), None)
