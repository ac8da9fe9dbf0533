"""JSON Schemas (2020-12, as in OpenAPI 3.1) of typed records.

Schemas of requests allow no unknown fields. Schemas of responses do, so that later versions can add fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, TypeAlias, Union, get_args, get_origin

from tidings.article import Article
from tidings.article.formats.as_json import SPARSE
from tidings.article.model.article import field_types
from tidings_portal.responses import FieldDoc, field_name

#: SQLite and PostgreSQL count no further.
LARGEST: Final = (1 << 63) - 1
#: Items in one answer.
MOST_ITEMS: Final = 100


Number = Annotated[int, FieldDoc("Id in the store.", least=1, most=LARGEST)]
Limit = Annotated[int, FieldDoc("Maximum number of results.", least=1, most=MOST_ITEMS)]
Cursor = Annotated[str | None, FieldDoc("`next` of the previous page.", longest=200)]
Topic = Annotated[str | None, FieldDoc("Only this topic: world, politics, economy, sport, …", longest=30)]
Copies = Annotated[bool, FieldDoc("Include articles with the same text as another.")]
Category = Annotated[str | None, FieldDoc("Only this category.", longest=200)]
Language = Annotated[str | None, FieldDoc("Only this language: en, tr, ar …", longest=35)]
Since = Annotated[datetime | None, FieldDoc("Earliest time: a date or date-time in ISO 8601; default time zone: UTC.")]
Until = Annotated[datetime | None, FieldDoc("Latest time; a date includes the whole day.")]
Site = Annotated[str | None, FieldDoc("Only this host, without www.", longest=300)]
Author = Annotated[str | None, FieldDoc("Only this author.", longest=300)]
SourceNumber = Annotated[int | None, FieldDoc("Only articles of this source, by id.", least=1, most=LARGEST)]
StoryNumber = Annotated[int | None, FieldDoc("Only articles of this story, by id.", least=1, most=LARGEST)]
Muted = Annotated[bool, FieldDoc("Include muted articles.")]


Schema: TypeAlias = dict[str, Any]

_PLAIN: Final[Mapping[Any, Schema]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    object: {},
    bytes: {},  # as it is (OpenAPI 3.1, 4.8.14.3)
    datetime: {"type": "string", "format": "date-time"},
    date: {"type": "string", "format": "date"},
    Decimal: {"type": "string", "pattern": r"^\d+(\.\d+)?$"},
}


@dataclass(slots=True)
class Schemas:
    """A builder of JSON Schemas. Schemas of records have names, for `$ref`."""

    records: dict[str, Schema] = field(default_factory=dict)

    def of(self, kind: Any, *, is_request: bool = False) -> Schema:
        """Return the schema of a type.

        Args:
            kind: a type annotation.
            is_request: whether the type is part of a request; else of a response.
        """
        if get_origin(kind) is Annotated:
            inner, *annotations = get_args(kind)
            schema = self.of(inner, is_request=is_request)
            for one in annotations:
                if isinstance(one, FieldDoc):
                    schema = _with(schema, one)
            return schema
        if is_dataclass(kind) and isinstance(kind, type):
            return self._record(kind, is_request)
        if isinstance(kind, type) and issubclass(kind, Enum):
            return {"type": "string", "enum": [one.value for one in kind]}
        return dict(_PLAIN[kind]) if kind in _PLAIN else self._several(kind, is_request)

    def _several(self, kind: Any, is_request: bool) -> Schema:
        origin, inner = get_origin(kind), get_args(kind)
        if origin in (Union, UnionType):
            return self._union(inner, is_request)
        if origin is Literal:
            return {"type": "string", "enum": list(inner)}
        if origin is tuple and len(inner) == 2 and inner[1] is Ellipsis:
            return {"type": "array", "items": self.of(inner[0], is_request=is_request)}
        if origin is tuple:
            items = [self.of(one, is_request=is_request) for one in inner]
            return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(inner[1], is_request=is_request)}
        raise TypeError(f"there is no schema for {kind!r}")

    def _union(self, kinds: tuple[Any, ...], is_request: bool) -> Schema:
        if {date, datetime} <= set(kinds):  # some pages tell no hour, some no zone
            schema: Schema = {"type": "string", "description": "A day, or a moment in ISO 8601."}
            rest = [one for one in kinds if one not in (date, datetime)]
            return schema | {"type": ["string", "null"]} if NoneType in rest else schema
        parts = [self.of(one, is_request=is_request) for one in kinds]
        if len(parts) == 2 and parts[-1] == _PLAIN[NoneType] and isinstance(parts[0].get("type"), str):
            nullable = parts[0] | {"type": [parts[0]["type"], "null"]}
            return nullable | {"enum": [*nullable["enum"], None]} if "enum" in nullable else nullable
        return {"anyOf": parts}

    def _record(self, kind: type[Any], is_request: bool) -> Schema:
        name = kind.__name__
        if name not in self.records:
            self.records[name] = {}  # so that a record may hold others of its kind
            hints = field_types(kind)
            schema: Schema = {
                "type": "object",
                "description": (kind.__doc__ or "").strip().partition("\n")[0],
                "properties": {
                    field_name(one): self.of(hints[one.name], is_request=is_request) for one in fields(kind)
                },
            }
            if kind is Article:  # what its JSON holds besides (`as_json.as_dict`)
                schema["properties"]["text"] = {"type": "string", "description": "The whole text, plain."}
            required = [
                field_name(one) for one in fields(kind) if not (_has_default(one) and (is_request or kind in SPARSE))
            ]
            if required:
                schema["required"] = required
            if is_request:
                schema["additionalProperties"] = False
            self.records[name] = schema
        return {"$ref": f"#/components/schemas/{name}"}


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _with(schema: Schema, about: FieldDoc) -> Schema:
    """Return a schema with the description, limits and example of a field."""
    kinds = schema.get("type", "")
    bounds: Schema = {}
    if "integer" in kinds or "number" in kinds:
        bounds = {"minimum": about.least, "maximum": about.most}
    elif "array" in kinds:
        bounds = {"minItems": about.least, "maxItems": about.most}
    elif "string" in kinds and "enum" not in schema:
        bounds = {"minLength": about.shortest or None, "maxLength": about.longest, "format": about.format or None}
    additions = {"description": about.text, **bounds, "examples": None if about.example is None else [about.example]}
    return schema | {name: value for name, value in additions.items() if value is not None}
