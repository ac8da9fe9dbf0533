"""From operations to endpoints: who asks, how often, for what; then the handler; then an answer that says what is left.

Handlers that are plain functions run in a thread, for the store waits for its disk. Answers to GET have an ETag
(RFC 9110, 8.8.3).
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Sequence
from hashlib import blake2b
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tidings.news.api import given
from tidings.news.api.operation import JSON, Call, Given, Operation
from tidings.news.api.written import as_json
from tidings.news.web.access import Caller, admit, caller_of
from tidings.news.web.answering import answer
from tidings.news.web.forms import is_from_here
from tidings.news.web.house import House, house_of
from tidings.news.web.origins import is_named
from tidings.news.web.problems import Problem
from tidings.news.web.proxies import address_of
from tidings.news.web.rates import FETCHES, READS, take
from tidings.news.web.showing import is_known


def routes(operations: Iterable[Operation]) -> list[Route]:
    """The routes of operations: one for each path, so that 405 names all methods there are."""
    by_path: dict[str, list[Operation]] = {}
    for one in operations:
        by_path.setdefault(one.address, []).append(one)
    return [
        Route(path, endpoint(several), methods=[one.method for one in several]) for path, several in by_path.items()
    ]


def endpoint(operations: Sequence[Operation]) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of the operations of one path."""
    by_method = {one.method: one for one in operations}

    async def respond(request: Request) -> Response:
        house = house_of(request)
        operation = by_method["GET" if request.method == "HEAD" else request.method]  # type: ignore[index]
        rates: dict[str, str] = {}
        try:
            caller = await _caller(request, house)
            rates = await run_in_threadpool(_take_turns, house, caller, operation, request)
            admit(house, caller, operation.access)
            response = await _made(Call(request, house, caller), operation)
        except Exception as error:  # what is unexpected is logged there, and answered as such
            response = answer(request, error)
        for name, value in rates.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "private, no-cache")
        response.headers.setdefault("Vary", "Accept, Authorization, Cookie")
        return response

    return respond


async def _caller(request: Request, house: House) -> Caller:
    try:
        return await run_in_threadpool(caller_of, request, house)
    except Problem:
        # Guessing costs a turn too.
        await run_in_threadpool(take, house, READS, address_of(request), house.terms.minute_reads)
        raise


def _take_turns(house: House, caller: Caller, operation: Operation, request: Request) -> dict[str, str]:
    rates = take(house, READS, caller.name, house.terms.minute_reads)
    if operation.costs:
        if caller.token is None and not (is_from_here(request) or is_named(request)):
            raise Problem(403, "forged", "a page of another site may not have pages fetched here")
        rates = take(house, FETCHES, caller.name, house.terms.minute_fetches)
    return rates


async def _made(call: Call, operation: Operation) -> Response:
    request = call.request
    arguments: list[Any] = [call]
    query = request.query_params.multi_items()
    if operation.takes is not None:
        arguments.append(given.parameters(operation.takes, request.path_params, query))
    elif query:
        given.refuse(400, "this takes no parameters")
    if operation.body:
        arguments.append(await _body(request, operation))
    if inspect.iscoroutinefunction(operation.does):
        told = await operation.does(*arguments)
    else:
        told = await run_in_threadpool(operation.does, *arguments)
    return told if isinstance(told, Response) else _sent(request, told, operation.status)


async def _body(request: Request, operation: Operation) -> Any:
    said = request.headers.get("content-type", "")
    kind = operation.body.get(said.partition(";")[0].strip().lower())
    if kind is None:
        detail = f"the body is one of {', '.join(operation.body)}, and Content-Type says which"
        raise Problem(415, "not_html", detail, {"Accept": ", ".join(operation.body)})
    data = await request.body()
    return Given(data, said) if kind is bytes else await run_in_threadpool(given.body, kind, data)


def _sent(request: Request, told: object, status: int) -> Response:
    if told is None:
        return Response(status_code=status)
    return tagged(request, as_json(told), JSON, status)


def tagged(request: Request, data: bytes, media_type: str, status: int = 200, policy: str = "") -> Response:
    """An answer with an ETag, or 304 for those who have it.

    Args:
        request: what was asked.
        data: the answer.
        media_type: what it is.
        status: of the answer.
        policy: the Content-Security-Policy of what came from elsewhere.
    """
    headers = {"content-security-policy": policy} if policy else {}
    if request.method in {"GET", "HEAD"} and status == 200:
        headers["etag"] = f'"{blake2b(media_type.encode() + data, digest_size=12).hexdigest()}"'
        if is_known(request, headers["etag"]):
            return Response(status_code=304, headers=headers)
    return Response(data, status, headers, media_type=media_type)
