"""The part of docs/reference/api.md that follows from the code: every operation, parameter, body and record.

python -m tests.news.api.reference_page    # writes it anew; a test says when that is needed
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tidings.news.api.openapi import OPERATIONS, document
from tidings.news.api.operations import Operation
from tidings.news.web.access import Access

PAGE = Path(__file__).resolve().parents[3] / "docs/reference/api.md"
BEGIN = "<!-- From here on the page is made from the code: see tests/news/api/reference_page.py. -->\n"
_NEEDS = {
    Access.READING: "",
    Access.TOKEN: "Needs a token.",
    Access.OWN: "Needs a token that may write.",
    Access.HOUSE: "Needs a token that may write, of somebody who runs the portal.",
}
_SIMPLE = {"string": "text", "integer": "number", "number": "number", "boolean": "true or false", "object": "an object"}


def made() -> str:
    """The part as it should be."""
    told = document(OPERATIONS)
    records = told["components"]["schemas"]
    chapters = dict.fromkeys(one.tag for one in OPERATIONS)
    parts = [BEGIN]
    for chapter in chapters:
        parts.append(f"## {chapter[0].upper()}{chapter[1:]}\n")
        for one in OPERATIONS:
            if one.tag == chapter:
                parts += _operation(one, told["paths"][one.address][one.method.lower()], records)
    parts.append("## Records\n\nWhat answers and bodies are made of. Parts of articles (`Block`, `Cell`, `Comment`,")
    parts.append("`Image`, `Inline`, `Item`) leave out what has its usual value.\n")
    for name, schema in records.items():
        parts.append(f"### {name} {{ #record-{name.lower()} }}\n\n{schema['description']}\n")
        parts += _table("field", _fields(schema))
    return "\n".join(parts).rstrip() + "\n"


def _operation(one: Operation, told: Mapping[str, Any], records: Mapping[str, Any]) -> Iterator[str]:
    yield f"### `{one.method} {one.address}`\n"
    yield " ".join(f"{one.summary} {one.description} {_NEEDS[one.access]}".split()) + "\n"
    if told.get("parameters"):
        rows = [(p["name"], p["schema"], p["description"], p.get("required", False)) for p in told["parameters"]]
        yield from _table("parameter", rows)
    if one.body:
        yield f"Body: {_media(told['requestBody']['content'])}.\n"
    answer = told["responses"][str(one.status)].get("content")
    yield f"Answer: {one.status}" + (f", {_media(answer)}" if answer else "") + ".\n"


def _media(content: Mapping[str, Any]) -> str:
    shown = []
    for name, told in content.items():
        kind = _kind(told["schema"]) if "$ref" in str(told["schema"]) else ""
        shown.append(f"`{name}`" + (f" ({kind})" if kind else ""))
    return ", ".join(shown)


def _fields(schema: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any], str, bool]]:
    asked = schema.get("additionalProperties") is False
    required = schema.get("required", ()) if asked else ()
    return [(name, one, one.get("description", ""), name in required) for name, one in schema["properties"].items()]


def _table(head: str, rows: Iterable[tuple[str, Mapping[str, Any], str, bool]]) -> Iterator[str]:
    yield f"| {head} | | |\n| --- | --- | --- |"
    for name, schema, about, required in rows:
        kind = _kind(schema) + _bounds(schema) + ("; required" if required else "")
        yield f"| `{name}` | {kind} | {about} |"
    yield ""


def _kind(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#record-{name.lower()})"
    kinds = schema.get("type", "")
    null = " or null" if isinstance(kinds, list) else ""
    kind = kinds[0] if isinstance(kinds, list) else kinds
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"] if one is not None) + null
    if "anyOf" in schema and "type" not in schema:
        return " or ".join(filter(None, map(_kind, schema["anyOf"])))
    if kind == "array":
        return "a pair of numbers" if "prefixItems" in schema else f"list of {_kind(schema['items'])}"
    times = {"date-time": "a moment", "date": "a day"}
    if schema.get("format") in times or "anyOf" in schema:
        return ("a day or a moment" if "anyOf" in schema else times[schema["format"]]) + null
    return "null" if kind == "null" else _SIMPLE.get(kind, "") + null


def _bounds(schema: Mapping[str, Any]) -> str:
    told = ""
    if schema.get("maximum", 1 << 40) < 1 << 40:
        told = f" from {schema['minimum']:,} to {schema['maximum']:,}"
    elif "minimum" in schema:
        told = f" from {schema['minimum']:,}"
    elif "maxLength" in schema:
        told = f", {schema['maxLength']:,} characters at most"
    elif "maxItems" in schema and "prefixItems" not in schema:
        told = f", {schema['maxItems']:,} at most"
    return told + (f"; else `{str(schema['default']).lower()}`" if "default" in schema else "")


def written() -> str:
    """The part as it is."""
    return BEGIN + PAGE.read_text(encoding="utf-8").partition(BEGIN)[2]


if __name__ == "__main__":
    head = PAGE.read_text(encoding="utf-8").partition(BEGIN)[0]
    PAGE.write_text(head + made(), encoding="utf-8")
