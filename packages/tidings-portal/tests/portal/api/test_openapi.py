"""The document, the page made of it, and the documentation: all tell the same."""

from __future__ import annotations

import json
import re
import runpy
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

import tidings
from tests.portal.api.conftest import Visitor
from tests.support import ROOT
from tidings_portal.api.openapi import OPERATIONS, openapi
from tidings_portal.api.operations import BASE


@pytest.fixture
def document(client: TestClient) -> dict[str, Any]:
    told: dict[str, Any] = client.get("/api/openapi.json").json()
    return told


def test_the_document_has_every_operation_and_no_loose_end(document: dict[str, Any]) -> None:
    assert document["openapi"] == "3.1.0"
    told = {(method.upper(), path) for path, several in document["paths"].items() for method in several}
    assert told == {(one.method, one.address) for one in OPERATIONS}
    names = [several["operationId"] for path in document["paths"].values() for several in path.values()]
    assert len(set(names)) == len(names)
    known = set(document["components"]["schemas"])
    assert set(re.findall(r"#/components/schemas/(\w+)", str(document))) == known
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    for path in document["paths"].values():
        for one in path.values():
            assert one["summary"].endswith((".", "format."))
            for parameter in one.get("parameters", ()):
                assert parameter["description"]
                assert {"name", "in", "schema"} <= set(parameter)


def test_what_changes_anything_says_so(document: dict[str, Any]) -> None:
    for one in OPERATIONS:
        told = document["paths"][one.address][one.method.lower()]
        reads = one.method == "GET" and not one.path.startswith(("/mutes", "/tokens", "/own/"))
        assert ({} in told["security"]) == (reads or one.name == "extract")


def test_answers_are_what_the_document_says(document: dict[str, Any], keeper: Visitor) -> None:
    def check(answer: Any, schema: dict[str, Any]) -> None:
        whole = schema | {"components": document["components"]}
        Draft202012Validator(whole).validate(answer)

    for one in OPERATIONS:
        if one.method == "GET" and not {"url", "q", "site"} & {p["name"] for p in _parameters(document, one.address)}:
            told = keeper.ask("GET", one.path.replace("{id}", "1"))
            kind = told.headers["content-type"]
            if kind == "application/json":
                schema = document["paths"][one.address]["get"]["responses"]["200"]["content"][kind]["schema"]
                check(told.json(), schema)


def _parameters(document: dict[str, Any], path: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = document["paths"][path]["get"].get("parameters", [])
    return found


def test_the_page_for_people_shows_every_operation_in_both_languages(client: TestClient) -> None:
    for language, title in (("en", "Tokens"), ("tr", "Erişim anahtarları")):
        page = client.get("/api/", headers={"Accept-Language": language})
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert title in page.text
        for one in OPERATIONS:
            assert f'id="{one.name}"' in page.text
        assert "unsafe" not in page.headers["content-security-policy"]
        assert not re.search(r'(?:src|href)="(?:https?:)?//', page.text)
    for path in ("/api", "/api/v1", "/api/v1/"):
        assert client.get(path, follow_redirects=False).headers["location"] == "/api/"


def test_the_documentation_has_every_operation_parameter_and_record(document: dict[str, Any]) -> None:
    told = runpy.run_path(str(ROOT / "scripts/docs_reference.py"))["http_api"]()
    for one in OPERATIONS:
        section = told.split(f"\n### `{one.method} {one.address}`\n", 1)[1].split("\n### ", 1)[0]
        for name in [] if one.takes is None else one.takes.__dataclass_fields__:
            assert f"| `{name.rstrip('_')}` |" in section, f"{one.name} {name}"
    for name, schema in document["components"]["schemas"].items():
        section = told.split(f"\n### {name} {{", 1)[1].split("\n### ", 1)[0]
        assert [field for field in schema["properties"] if f"| `{field}` |" not in section] == [], name


def test_the_base_is_versioned() -> None:
    assert BASE == "/api/v1"


@pytest.mark.parametrize("details", [True, False])
def test_an_article_without_details_follows_the_document(details: bool) -> None:
    schema = {"$ref": "#/components/schemas/Article", "components": json.loads(openapi("x"))["components"]}
    article = tidings.extract("<p>Twelve seals came back to the estuary.", details=details)
    Draft202012Validator(schema).validate(json.loads(article.json()))
