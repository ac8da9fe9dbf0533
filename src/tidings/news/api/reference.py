"""The operations as a page for people shows them: the same data as the OpenAPI document, in chapters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tidings.news.api.openapi import document
from tidings.news.api.operation import JSON, Operation


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
                tuple(_parameter(parameter) for parameter in told.get("parameters", ())),
                tuple(one.body),
                _fields(one, records),
                tuple(one.gives),
            )
        )
    return tuple(Chapter(title, tuple(shown)) for title, shown in found.items())


def _parameter(told: dict[str, Any]) -> ParameterShown:
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
