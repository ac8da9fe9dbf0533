"""The OpenAPI 3.1 document, made of the operations: nothing in it is written twice.

The addresses of the API: its operations, the document that describes them, and a page for people.
"""

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
from tidings.news.api import articles, extraction, personal, readers, sites, sources, stories
from tidings.news.api.operations import BASE, JSON, Operation, routes, tagged
from tidings.news.api.schema import Schema, Schemas
from tidings.news.responses import as_json, field_name
from tidings.news.web.access import Access
from tidings.news.web.app_state import app_of
from tidings.news.web.pages import PageView, page

PROBLEM: Final = "application/problem+json"
#: What any operation may be answered with: see `tidings.news.web.limits`, `access` and `endpoint`.
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
    """What went wrong (RFC 9457)."""

    type: str
    title: str
    status: int
    code: str  # the kind of problem, the same in all languages


def document(operations: Iterable[Operation], name: str = "Tidings") -> Schema:
    """The document of all operations."""
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


def _operation(one: Operation, schemas: Schemas) -> Schema:
    made: Schema = {
        "operationId": one.name,
        "summary": one.summary,
        "description": "\n\n".join(filter(None, (one.description, _ACCESS[one.access]))),
        "tags": [one.tag],
        "security": [{"token": []}] if one.access is not Access.READING else [{}, {"token": []}],
    }
    if one.takes is not None:
        hints = get_type_hints(one.takes, include_extras=True)
        told = [_parameter(one, field, hints[field.name], schemas) for field in fields(one.takes)]
        made["parameters"] = sorted(told, key=lambda parameter: not parameter.get("required"))
    if one.body:
        content = {kind: {"schema": schemas.of(told, asked=True)} for kind, told in one.body.items()}
        made["requestBody"] = {"required": True, "content": content}
    made["responses"] = _responses(one, schemas)
    return made


def _parameter(one: Operation, field: Field[Any], hint: Any, schemas: Schemas) -> Schema:
    name = field_name(field)
    in_path = f"{{{name}}}" in one.path
    schema = _without_null(schemas.of(hint, asked=True))
    description = schema.pop("description", "")
    if field.default not in (MISSING, None):
        schema["default"] = field.default.value if isinstance(field.default, Enum) else field.default
    required = field.default is MISSING and field.default_factory is MISSING
    made = {"name": name, "in": "path" if in_path else "query", "description": description, "schema": schema}
    return made | ({"required": True} if required else {})


def _without_null(schema: Schema) -> Schema:
    """What stands in an address is never null; moments may be days."""
    made = dict(schema)
    if isinstance(made.get("type"), list):
        made["type"] = next(kind for kind in made["type"] if kind != "null")
    if "enum" in made:
        made["enum"] = [one for one in made["enum"] if one is not None]
    if made.get("format") == "date-time":
        del made["format"]
        made["anyOf"] = [{"format": "date"}, {"format": "date-time"}]
    return made


def _responses(one: Operation, schemas: Schemas) -> Schema:
    good: Schema = {"description": HTTPStatus(one.status).phrase, "headers": _HEADERS}
    if one.gives:
        good["content"] = {kind: {"schema": schemas.of(told)} for kind, told in one.gives.items()}
    found: Schema = {str(one.status): good}
    if one.method == "GET":
        found["304"] = {"description": HTTPStatus.NOT_MODIFIED.phrase}
    problems = {*_ALWAYS, *one.problems, *((413,) if one.body else ())}
    content = {PROBLEM: {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}}
    for status in sorted(problems):
        found[str(status)] = {"description": HTTPStatus(status).phrase, "content": content}
    return found


_HEADERS: Final = {
    "RateLimit-Policy": {"description": "How many are allowed in how many seconds.", "schema": {"type": "string"}},
    "RateLimit": {"description": "How many are left.", "schema": {"type": "string"}},
}


@dataclass(frozen=True, slots=True)
class ParameterShown:
    """A parameter, or a field of a body."""

    name: str
    kind: str
    about: str
    required: bool


@dataclass(frozen=True, slots=True)
class OperationShown:
    """An operation."""

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
    """Operations that belong together."""

    title: str
    operations: tuple[OperationShown, ...]


def chapters(operations: Iterable[Operation]) -> tuple[Chapter, ...]:
    """All operations, in chapters."""
    several = list(operations)
    told_of_all = document(several)
    paths, records = told_of_all["paths"], told_of_all["components"]["schemas"]
    found: dict[str, list[OperationShown]] = {}
    for one in several:
        told = paths[one.address][one.method.lower()]
        found.setdefault(one.tag, []).append(
            OperationShown(
                one.name,
                one.method,
                one.address,
                one.summary,
                tuple(filter(None, told["description"].split("\n\n"))),
                tuple(_shown_parameter(parameter) for parameter in told.get("parameters", ())),
                tuple(one.body),
                _fields(one, records),
                tuple(one.gives),
            )
        )
    return tuple(Chapter(title, tuple(shown)) for title, shown in found.items())


def _shown_parameter(told: dict[str, Any]) -> ParameterShown:
    schema = told["schema"]
    return ParameterShown(told["name"], _kind(schema), told["description"], bool(told.get("required")))


def _fields(one: Operation, records: Mapping[str, Any]) -> tuple[ParameterShown, ...]:
    record = one.body.get(JSON)
    if record is None:
        return ()
    told = records[record.__name__]
    return tuple(
        ParameterShown(name, _kind(schema), schema.get("description", ""), name in told.get("required", ()))
        for name, schema in told["properties"].items()
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
