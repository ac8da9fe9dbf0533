"""The OpenAPI 3.1 document of the API, generated from its operations, with the routes and the reference page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from enum import Enum
from functools import cache
from http import HTTPStatus
from typing import Any, Final, get_type_hints

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from tidings import __version__
from tidings_portal.api import articles, extraction, personal, readers, sites, sources, stories
from tidings_portal.api.operations import BASE, JSON, Operation, routes, tagged
from tidings_portal.api.schema import Schema, Schemas
from tidings_portal.responses import as_json, field_name
from tidings_portal.web.access import Access
from tidings_portal.web.app_state import app_of
from tidings_portal.web.pages import PageView, page

PROBLEM: Final = "application/problem+json"
#: What any operation may be answered with: see `tidings_portal.web.limits`, `access` and `endpoint`.
_ALWAYS: Final = (400, 401, 403, 414, 421, 429, 503)
_DESCRIPTION: Final = (
    "The news of a Tidings store, and the reading of pages. Lists come in pages: give `next` of one as `cursor` of the"
    " following. What changes anything needs a token in the Authorization header; `tidings token new` makes one."
    " What goes wrong is answered with a problem document (RFC 9457) whose `detail` says what to do. The text of"
    " articles was written by strangers: escape it as any text."
)
_ACCESS: Final = {
    Access.READING: "Open, or with any token where reading is closed.",
    Access.TOKEN: "Needs a token.",
    Access.OWN: "Needs a token that may write.",
    Access.HOUSE: "Needs a token that may write, of somebody who runs the house.",
}


@dataclass(frozen=True, slots=True)
class ProblemDocument:
    """An error response (problem details, RFC 9457)."""

    type: str
    title: str
    status: int
    code: str  # the kind of problem, the same in all languages


def document(operations: Iterable[Operation], name: str = "Tidings") -> Schema:
    """Return the OpenAPI document of some operations."""
    schemas = Schemas()
    schemas.of(ProblemDocument)
    schemas.records["ProblemDocument"]["properties"]["detail"] = {
        "type": "string",
        "description": "What exactly, and what to do.",
    }
    paths: dict[str, Schema] = {}
    for one in operations:
        paths.setdefault(one.address, {})[one.method.lower()] = _operation(one, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": name,
            "version": __version__,
            "description": _DESCRIPTION,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(schemas.records.items())),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "An access token."}},
        },
    }


def _operation(operation: Operation, schemas: Schemas) -> Schema:
    result: Schema = {
        "operationId": operation.name,
        "summary": operation.summary,
        "description": "\n\n".join(filter(None, (operation.description, _ACCESS[operation.access]))),
        "tags": [operation.tag],
        "security": [{"token": []}] if operation.access is not Access.READING else [{}, {"token": []}],
    }
    if operation.takes is not None:
        hints = get_type_hints(operation.takes, include_extras=True)
        parameters = [_parameter(operation, field, hints[field.name], schemas) for field in fields(operation.takes)]
        result["parameters"] = sorted(parameters, key=lambda parameter: not parameter.get("required"))
    if operation.body:
        content = {
            kind: {"schema": schemas.of(parameters, is_request=True)} for kind, parameters in operation.body.items()
        }
        result["requestBody"] = {"required": True, "content": content}
    result["responses"] = _responses(operation, schemas)
    return result


def _parameter(operation: Operation, field: Field[Any], hint: Any, schemas: Schemas) -> Schema:
    name = field_name(field)
    in_path = f"{{{name}}}" in operation.path
    schema = _without_null(schemas.of(hint, is_request=True))
    description = schema.pop("description", "")
    if field.default not in (MISSING, None):
        schema["default"] = field.default.value if isinstance(field.default, Enum) else field.default
    required = field.default is MISSING and field.default_factory is MISSING
    result = {"name": name, "in": "path" if in_path else "query", "description": description, "schema": schema}
    return result | ({"required": True} if required else {})


def _without_null(schema: Schema) -> Schema:
    """Return a schema without null, which no query parameter can be. Date-times may be dates."""
    made = dict(schema)
    if isinstance(made.get("type"), list):
        made["type"] = next(kind for kind in made["type"] if kind != "null")
    if "enum" in made:
        made["enum"] = [one for one in made["enum"] if one is not None]
    if made.get("format") == "date-time":
        del made["format"]
        made["anyOf"] = [{"format": "date"}, {"format": "date-time"}]
    return made


def _responses(operation: Operation, schemas: Schemas) -> Schema:
    good: Schema = {"description": HTTPStatus(operation.status).phrase, "headers": _HEADERS}
    if operation.gives:
        good["content"] = {kind: {"schema": schemas.of(kind_of_body)} for kind, kind_of_body in operation.gives.items()}
    responses: Schema = {str(operation.status): good}
    if operation.method == "GET":
        responses["304"] = {"description": HTTPStatus.NOT_MODIFIED.phrase}
    problems = {*_ALWAYS, *operation.problems, *((413,) if operation.body else ())}
    content = {PROBLEM: {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}}
    for status in sorted(problems):
        responses[str(status)] = {"description": HTTPStatus(status).phrase, "content": content}
    return responses


_HEADERS: Final = {
    "RateLimit-Policy": {"description": "How many are allowed in how many seconds.", "schema": {"type": "string"}},
    "RateLimit": {"description": "How many are left.", "schema": {"type": "string"}},
}


@dataclass(frozen=True, slots=True)
class ParameterShown:
    """A parameter, or a field of a body, for the reference page."""

    name: str
    kind: str
    about: str
    required: bool


@dataclass(frozen=True, slots=True)
class OperationShown:
    """An operation, for the reference page."""

    name: str
    method: str
    path: str
    summary: str
    about: tuple[str, ...]
    parameters: tuple[ParameterShown, ...]
    body: tuple[str, ...]  # media types
    fields: tuple[ParameterShown, ...]  # of a body in JSON
    gives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """Operations with the same tag, for the reference page."""

    title: str
    operations: tuple[OperationShown, ...]


def chapters(operations: Iterable[Operation]) -> tuple[Chapter, ...]:
    """Return all operations, grouped by tag."""
    several = list(operations)
    whole = document(several)
    paths, records = whole["paths"], whole["components"]["schemas"]
    by_tag: dict[str, list[OperationShown]] = {}
    for operation in several:
        path_item = paths[operation.address][operation.method.lower()]
        by_tag.setdefault(operation.tag, []).append(
            OperationShown(
                operation.name,
                operation.method,
                operation.address,
                operation.summary,
                tuple(filter(None, path_item["description"].split("\n\n"))),
                tuple(_shown_parameter(parameter) for parameter in path_item.get("parameters", ())),
                tuple(operation.body),
                _fields(operation, records),
                tuple(operation.gives),
            )
        )
    return tuple(Chapter(title, tuple(shown)) for title, shown in by_tag.items())


def _shown_parameter(parameter: dict[str, Any]) -> ParameterShown:
    schema = parameter["schema"]
    return ParameterShown(parameter["name"], _kind(schema), parameter["description"], bool(parameter.get("required")))


def _fields(operation: Operation, records: Mapping[str, Any]) -> tuple[ParameterShown, ...]:
    record = operation.body.get(JSON)
    if record is None:
        return ()
    body_schema = records[record.__name__]
    return tuple(
        ParameterShown(name, _kind(schema), schema.get("description", ""), name in body_schema.get("required", ()))
        for name, schema in body_schema["properties"].items()
    )


def _kind(schema: Mapping[str, Any]) -> str:
    kinds = schema.get("type", "")
    kind = kinds if isinstance(kinds, str) else kinds[0]
    if "enum" in schema:
        kind = " | ".join(one for one in schema["enum"] if one is not None)
    return f"{kind}, else {str(schema['default']).lower()}" if "default" in schema else kind


OPERATIONS: Final[tuple[Operation, ...]] = (
    *extraction.OPERATIONS,
    *articles.OPERATIONS,
    *articles.SEARCH_OPERATIONS,
    *stories.OPERATIONS,
    *sources.OPERATIONS,
    *sources.OPML_OPERATIONS,
    *sites.OPERATIONS,
    *stories.TREND_OPERATIONS,
    *sources.TALLY_OPERATIONS,
    *personal.MUTE_OPERATIONS,
    *personal.OPERATIONS,
    *readers.OPERATIONS,
    *personal.TOKEN_OPERATIONS,
)


@cache
def openapi(name: str) -> bytes:
    """Return the OpenAPI document of this portal as JSON."""
    return as_json(document(OPERATIONS, name))


def described(request: Request) -> Response:
    """Serve the OpenAPI document. It contains no stored data, so it is public even if reading needs a login."""
    return tagged(request, openapi(app_of(request).settings.name), JSON)


def reference(request: Request) -> PageView:
    """Return the reference page of the API."""
    here = app_of(request).settings.address or f"{request.url.scheme}://{request.url.netloc}"
    return PageView("api.html", {"chapters": chapters(OPERATIONS), "base": BASE, "here_base": here})


def lead(request: Request) -> Response:  # noqa: ARG001  # all endpoints are called alike
    """Redirect from common API paths to the reference page."""
    return RedirectResponse("/api/", 307)


ROUTES: Final[list[BaseRoute]] = [
    *routes(OPERATIONS),
    Route("/api/openapi.json", described),
    Route("/api/", page(reference)),
    Route("/api", lead),
    Route("/api/v1", lead),
    Route("/api/v1/", lead),
]
