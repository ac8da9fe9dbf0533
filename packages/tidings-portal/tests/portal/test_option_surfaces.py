"""Every option of an extraction exists on every interface: the table has no hole."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer

import tidings
from tests.support import missing
from tidings import ExtractOptions
from tidings.bulk import BulkSettings
from tidings.options.model import specs
from tidings_portal.api.extraction import ExtractAsked, ReadAsked, ToExtract
from tidings_portal.recipes.loader import read_recipe

#: Options that an interface cannot have, with the reason.
EXCEPTIONS = {
    ("API", "second_opinion"): "a function; visitors name none",
    ("MCP", "second_opinion"): "a function; clients name none",
    ("recipe", "second_opinion"): "a function; a recipe is data",
    ("bulk run", "second_opinion"): "a function; a run records its settings",
    ("command bulk run", "second_opinion"): "as `bulk run`",
}
VALUES: dict[str, Any] = {"flag": False, "number": 7, "seconds": 1.5, "text": "a", "texts": ["de"]}


def _value(name: str) -> Any:
    """Return a value of an option that is not its default."""
    spec, default = specs()[name]
    if spec.choices:
        return next(choice for choice in spec.choices if choice != default)
    return not default if isinstance(default, bool) else VALUES[spec.kind]


def _takes_record(call: Callable[..., Any]) -> set[str]:
    """Return all options if a call takes `options: ExtractOptions`."""
    # A framework may replace the call of its classes, so the constructor itself is read.
    constructor: Callable[..., Any] = getattr(call, "__init__") if isinstance(call, type) else call  # noqa: B009
    parameter = inspect.signature(constructor).parameters.get("options")
    return set(specs()) if parameter is not None and "ExtractOptions" in str(parameter.annotation) else set()


def _command(module: str, name: str) -> set[str]:
    from tidings.cli.output import with_records

    command = with_records(getattr(import_module(module), name))
    return {parameter for parameter in inspect.signature(command).parameters if parameter in specs()}


def _recipe() -> set[str]:
    accepted = set()
    for name in specs():
        if specs()[name][0].kind == "function":
            continue
        value = str(_value(name)).lower() if isinstance(_value(name), bool) else repr(_value(name))
        recipe = read_recipe(f"[options]\n{name} = {value}\n", "river", lambda *_: pytest.fail("no base"))
        accepted |= set(recipe.options.as_dict())
    return accepted


def _bulk() -> set[str]:
    values = {name: _value(name) for name in specs() if specs()[name][0].kind != "function"}
    settings = BulkSettings(options=ExtractOptions.from_dict(values)).checked()
    assert BulkSettings.from_dict(settings.as_dict()) == settings
    return set(settings.as_dict()["options"])


def _mcp() -> set[str]:
    tools = import_module("tidings_portal.mcp.tools")
    values = {name: _value(name) for name in specs() if specs()[name][0].kind != "function"}
    assert all(f"{name} (" in str(tools.Options.__metadata__[0].description) for name in values)
    return set(ExtractOptions.from_dict(values).as_dict())


def _trafilatura() -> set[str]:
    adapter = import_module("tidings.adapters.trafilatura")
    return set(specs()) if "options" in adapter._KNOWN else set()


SURFACES: dict[str, Callable[[], set[str]]] = {
    "extract": lambda: _takes_record(tidings.extract),
    "extract_text": lambda: _takes_record(tidings.extract_text),
    "extract_many": lambda: _takes_record(tidings.extract_many),
    "read": lambda: _takes_record(tidings.read),
    "aread": lambda: _takes_record(tidings.aread),
    "Reader": lambda: _takes_record(tidings.Reader),
    "bulk run": _bulk,
    "command extract": lambda: _command("tidings.cli.extract", "extract"),
    "command bulk run": lambda: _command("tidings.cli.bulk", "run_"),
    "API": lambda: set.intersection(
        *({field.name for field in fields(record)} & set(specs()) for record in (ExtractAsked, ReadAsked, ToExtract))
    ),
    "MCP": _mcp,
    "recipe": _recipe,
    "adapters.trafilatura": _trafilatura,
    "adapters.readability": lambda: _takes_record(import_module("tidings.adapters.readability").Document),
    "adapters.newspaper": lambda: _takes_record(import_module("tidings.adapters.newspaper").Article),
    "adapters.duckdb": lambda: _takes_record(import_module("tidings.adapters.duckdb").register),
    "adapters.scrapy": lambda: _takes_record(import_module("tidings.adapters.scrapy").TidingsPipeline),
    "adapters.nemo_curator": lambda: _takes_record(import_module("tidings.adapters.nemo_curator").TidingsExtractor),
    "adapters.fields": lambda: _takes_record(import_module("tidings.adapters.fields").article_or_none),
}  # fmt: skip
#: Adapters whose framework may be missing.
FRAMEWORKS = {
    "langchain": ("TidingsLoader", "TidingsTransformer"),
    "llama_index": ("TidingsReader",),
    "haystack": ("TidingsConverter",),
    "datatrove": ("Tidings", "TidingsFields"),
    "polars": ("TidingsSeries.text", "TidingsSeries.article", "TidingsExpression.text", "TidingsExpression.article"),
}


@pytest.mark.parametrize("surface", SURFACES)
def test_no_interface_lacks_an_option(surface: str) -> None:
    lacking = {name for name in specs() if name not in SURFACES[surface]() and (surface, name) not in EXCEPTIONS}
    assert not lacking


@pytest.mark.parametrize("surface", sorted({surface for surface, _ in EXCEPTIONS}))
def test_exceptions_are_needed(surface: str) -> None:
    assert not {name for name in SURFACES[surface]() if (surface, name) in EXCEPTIONS}


@pytest.mark.gate  # the frameworks are installed for the gate
@pytest.mark.parametrize("adapter", FRAMEWORKS)
def test_no_adapter_of_a_framework_lacks_an_option(adapter: str) -> None:
    try:
        module = import_module(f"tidings.adapters.{adapter}")
    except ImportError:
        missing(f"{adapter} is not installed")
    for path in FRAMEWORKS[adapter]:
        call: Any = module
        for part in path.split("."):
            call = getattr(call, part)
        assert _takes_record(call) == set(specs()), path


def test_every_adapter_is_in_the_table() -> None:
    folder = Path(str(import_module("tidings.adapters").__file__)).parent
    adapters = {file.stem for file in folder.glob("*.py")} - {"__init__"}
    named = {surface.removeprefix("adapters.") for surface in SURFACES if surface.startswith("adapters.")}
    assert adapters == named | set(FRAMEWORKS) | {"web_poet"}  # a page object has `options` as a class variable


def test_switches_have_the_texts_of_the_options() -> None:
    from tidings.cli.output import with_records

    command = with_records(import_module("tidings.cli.extract").extract)
    for name, parameter in inspect.signature(command).parameters.items():
        if name in specs() and specs()[name][0].kind != "function":
            (info,) = (part for part in parameter.annotation.__metadata__ if isinstance(part, typer.models.OptionInfo))
            assert info.help == specs()[name][0].help
