"""API operations as data (method, path, parameters, response, access), and the endpoint that runs them.

The endpoint authenticates the caller, counts the request against the rate limit, validates its parameters, calls the
handler and adds the rate limit headers. Plain functions run in a thread, because the store blocks on the disk.
Responses to GET have an ETag (RFC 9110, 8.8.3).
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from types import NoneType
from typing import Any, Final, Literal, TypeAlias, get_type_hints

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tidings_portal.api import requests
from tidings_portal.responses import as_json
from tidings_portal.store import Store
from tidings_portal.web.access import Access, Caller, admit, caller_of
from tidings_portal.web.app_state import App, app_of
from tidings_portal.web.csrf import is_same_origin
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.headers import is_allowed_origin
from tidings_portal.web.limits import FETCHES, READS, take
from tidings_portal.web.pages import error_response, has_current_version
from tidings_portal.web.proxies import address_of

BASE: Final = "/api/v1"
JSON: Final = "application/json"

#: What a handler gets: the call, then its parameters, then its body, where it has them; what it gives is sent.
Handler: TypeAlias = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Call:
    """A request to an operation, with its caller."""

    request: Request
    app: App
    caller: Caller

    @property
    def store(self) -> Store:
        """Return the store of the portal."""
        return self.app.store

    @property
    def now(self) -> datetime:
        """Return the current time."""
        return self.app.now()


@dataclass(frozen=True, slots=True)
class RequestBody:
    """The raw body of a request and its Content-Type."""

    data: bytes
    content_type: str


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the API: its method, path, types and access rules.

    Args:
        method: of HTTP.
        path: below /api/v1; names in braces are fields of `takes`.
        does: the handler. Its docstring is the description; the type of its parameter `params` declares the parameters.
        tag: the chapter it stands in.
        body: by media type, the record of a body in JSON, or `bytes` for one that comes as it is; where it is left out,
            the record that the handler takes as `body`.
        gives: by media type, the record that is answered, or a schema of its own; where it is left out, the record that
            the handler gives, if any.
        status: of a good answer; else 204 where nothing is given, and 200.
        access: who may.
        costs: it fetches or reads a page, or counts a lot; one visitor may ask for so many in a minute.
        problems: statuses of what can go wrong, besides those that always can, and with any body.
    """

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str
    does: Handler
    tag: str
    body: Mapping[str, Any] = field(default_factory=dict)
    gives: Mapping[str, Any] = field(default_factory=dict)
    status: int = 0
    access: Access = Access.READING
    costs: bool = False
    problems: tuple[int, ...] = ()
    takes: type[Any] | None = field(init=False)

    def __post_init__(self) -> None:
        told = get_type_hints(self.does)
        is_silent = told["return"] is NoneType
        body = self.body or ({JSON: told["body"]} if "body" in told else {})
        for name, value in (
            ("takes", told.get("params")),
            ("body", body),
            ("gives", self.gives or ({} if is_silent else {JSON: told["return"]})),
            ("status", self.status or (204 if is_silent else 200)),
            ("problems", (*self.problems, *((415, 422) if body else ()))),
        ):
            object.__setattr__(self, name, value)

    @property
    def address(self) -> str:
        """Return the full path of the operation."""
        return BASE + self.path

    @property
    def name(self) -> str:
        """Return the operation id. Generated clients use it, so it must not change."""
        return self.does.__name__.rstrip("_")

    @property
    def summary(self) -> str:
        """Return the first line of the handler's docstring."""
        return (self.does.__doc__ or "").strip().partition("\n")[0]

    @property
    def description(self) -> str:
        """Return the rest of the handler's docstring."""
        rest = (self.does.__doc__ or "").strip().partition("\n")[2]
        return "\n".join(line.strip() for line in rest.strip().splitlines())


def routes(operations: Iterable[Operation]) -> list[Route]:
    """Return routes for operations: one for each path, so that a 405 response lists all allowed methods."""
    by_path: dict[str, list[Operation]] = {}
    for one in operations:
        by_path.setdefault(one.address, []).append(one)
    return [
        Route(path, endpoint(several), methods=[one.method for one in several]) for path, several in by_path.items()
    ]


def endpoint(operations: Sequence[Operation]) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint for the operations of a path."""
    by_method = {one.method: one for one in operations}

    async def respond(request: Request) -> Response:
        app = app_of(request)
        operation = by_method["GET" if request.method == "HEAD" else request.method]  # type: ignore[index]
        rates: dict[str, str] = {}
        try:
            caller = await _caller(request, app)
            rates = await run_in_threadpool(_take_turns, app, caller, operation, request)
            admit(app, caller, operation.access)
            response = await _call_handler(Call(request, app, caller), operation)
        except Exception as error:  # what is unexpected is logged there, and answered as such
            response = error_response(request, error)
        for name, value in rates.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "private, no-cache")
        response.headers.setdefault("Vary", "Accept, Authorization, Cookie")
        return response

    return respond


async def _caller(request: Request, app: App) -> Caller:
    try:
        return await run_in_threadpool(caller_of, request, app)
    except HttpProblem:
        # Guessing costs a turn too.
        await run_in_threadpool(take, app, READS, address_of(request), app.settings.minute_reads)
        raise


def _take_turns(app: App, caller: Caller, operation: Operation, request: Request) -> dict[str, str]:
    rates = take(app, READS, caller.name, app.settings.minute_reads)
    if operation.costs:
        if caller.token is None and not (is_same_origin(request) or is_allowed_origin(request)):
            raise HttpProblem(403, "forged", "a page of another site may not have pages fetched here")
        rates = take(app, FETCHES, caller.name, app.settings.minute_fetches)
    return rates


async def _call_handler(call: Call, operation: Operation) -> Response:
    request = call.request
    arguments: list[Any] = [call]
    query = request.query_params.multi_items()
    if operation.takes is not None:
        arguments.append(requests.parameters(operation.takes, request.path_params, query))
    elif query:
        requests.refuse(400, "this takes no parameters")
    if operation.body:
        arguments.append(await _body(request, operation))
    if inspect.iscoroutinefunction(operation.does):
        result = await operation.does(*arguments)
    else:
        result = await run_in_threadpool(operation.does, *arguments)
    return result if isinstance(result, Response) else _response_of(request, result, operation.status)


async def _body(request: Request, operation: Operation) -> Any:
    said = request.headers.get("content-type", "")
    kind = operation.body.get(said.partition(";")[0].strip().lower())
    if kind is None:
        detail = f"the body is one of {', '.join(operation.body)}, and Content-Type says which"
        raise HttpProblem(415, "not_html", detail, {"Accept": ", ".join(operation.body)})
    data = await request.body()
    return RequestBody(data, said) if kind is bytes else await run_in_threadpool(requests.body, kind, data)


def _response_of(request: Request, result: object, status: int) -> Response:
    if result is None:
        return Response(status_code=status)
    return tagged(request, as_json(result), JSON, status)


def tagged(request: Request, data: bytes, media_type: str, status: int = 200, policy: str = "") -> Response:
    """Return a response with an ETag, or 304 if the client has this version.

    Args:
        request: the request.
        data: the answer.
        media_type: what it is.
        status: of the answer.
        policy: the Content-Security-Policy of what came from elsewhere.
    """
    headers = {"content-security-policy": policy} if policy else {}
    if request.method in {"GET", "HEAD"} and status == 200:
        headers["etag"] = f'"{blake2b(media_type.encode() + data, digest_size=12).hexdigest()}"'
        if has_current_version(request, headers["etag"]):
            return Response(status_code=304, headers=headers)
    return Response(data, status, headers, media_type=media_type)
