"""Generate the reference pages of the documentation from the code. A hook of MkDocs (see `mkdocs.yml`).

A page asks for a generated part with a marker, `<!-- reference: NAME -->`; `PARTS` has the names. Nothing that is
generated is committed.
"""

from __future__ import annotations

import ast
import inspect
import re
import runpy
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any, Final

sys.path[:0] = map(str, Path(__file__).resolve().parents[1].glob("packages/*/src"))

MARKER: Final = re.compile(r"<!-- reference: ([\w-]+) -->")
#: Modules whose public names are documented, by the page they are on. Names behind a colon limit a module to these.
LIBRARY: Final = ("tidings", "tidings.second_opinion", "tidings.newspaper", "tidings.errors")
ARTICLE: Final = ("tidings.article",)
EXTRACTORS: Final = ("tidings.extractors",)
WEB: Final = ("tidings.fetch", "tidings.sources", "tidings.sites")
ADAPTERS: Final = (
    "tidings.adapters.trafilatura", "tidings.adapters.readability", "tidings.adapters.newspaper",
    "tidings.adapters.scrapy", "tidings.adapters.web_poet", "tidings.adapters.datatrove",
    "tidings.adapters.nemo_curator", "tidings.adapters.langchain", "tidings.adapters.llama_index",
    "tidings.adapters.haystack", "tidings.adapters.duckdb", "tidings.adapters.polars",
)  # fmt: skip
BULK: Final = ("tidings.bulk",)
PORTAL: Final = (
    "tidings_portal.store", "tidings_portal.store.records_of_articles",
    "tidings_portal.store.records_of_work", "tidings_portal.feeds", "tidings_portal.exports",
)  # fmt: skip
LAB: Final = (
    "tidings_lab.corpora", "tidings_lab.metrics.score", "tidings_lab.metrics.texts", "tidings_lab.metrics.fields",
    "tidings_lab.metrics.units", "tidings_lab.metrics.structure", "tidings_lab.statistics.bootstrap",
    "tidings_lab.statistics.paired_tests", "tidings_lab.statistics.anova", "tidings_lab.statistics.scheffe",
    "tidings_lab.annotate.agreement",
    "tidings_lab.experiment.systems:Document,Reading,System",
    "tidings_lab.experiment.run:run", "tidings_lab.experiment.comparison",
)  # fmt: skip


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace the markers of a page (an event of MkDocs)."""
    return MARKER.sub(lambda match: PARTS[match[1]](), markdown)


# -- Python ----------------------------------------------------------------------------------------------------------


def public_names(module: str) -> list[str]:
    """Return the public names of a module: its `__all__`, else the classes and functions that it defines.

    The source is read, not imported: some adapters need a library that is not installed.
    """
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(module)
    body = ast.parse(Path(spec.origin).read_text(encoding="utf-8")).body
    for node in body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
            return [name for name in ast.literal_eval(node.value) if name != "__version__"]
    definitions = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return [node.name for node in body if isinstance(node, definitions) and not node.name.startswith("_")]


def python(modules: Iterable[str]) -> str:
    """Return blocks that mkdocstrings renders: one for each module, with its public names."""
    parts = []
    for entry in modules:
        module, _, listed = entry.partition(":")
        members = listed or ",".join(public_names(module))
        inherited = "      inherited_members: true\n" if module == "tidings_portal.store" else ""  # its verbs
        parts.append(f"## `{module}`\n\n::: {module}\n    options:\n      members: [{members}]\n{inherited}")
    return "\n".join(parts)


# -- Command line ----------------------------------------------------------------------------------------------------


def commands(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    """Yield all commands with the words that are typed for them, without the name of the program."""
    if hasattr(command, "commands"):
        for name, inner in command.commands.items():
            yield from commands(f"{path} {name}".strip(), inner)
    else:
        yield path, command


def command_line() -> str:
    """Return a section for each command: its help, arguments and options."""
    from typer.main import get_command

    from tidings.cli.app import app

    root = get_command(app)
    panels: dict[str, list[tuple[str, Any]]] = {}
    for name, command in commands("", root):
        top = root.commands[name.split()[0]]
        panel = getattr(top, "rich_help_panel", None)
        panels.setdefault(panel if isinstance(panel, str) else "Other commands", []).append((name, command))
    parts = ["## Options of all commands\n", *_options(root)]
    for panel, entries in panels.items():
        parts.append(f"## {panel}\n")
        for name, command in entries:
            parts += [f"### `tidings {name}`\n", _usage(name, command), _help(command.help or ""), *_options(command)]
    return "\n".join(parts)


def _usage(name: str, command: Any) -> str:
    words = [f"tidings {name}", "[OPTIONS]"]
    for parameter in command.params:
        if not _is_option(parameter):
            word = (parameter.metavar or parameter.name).upper() + ("…" if parameter.nargs == -1 else "")
            words.append(word if parameter.required else f"[{word}]")
    return f"```text\n{' '.join(words)}\n```\n"


def _help(text: str) -> str:
    """Return a help text as Markdown: indented lines are examples."""
    parts = []
    for paragraph in inspect.cleandoc(text.replace("\b", "")).split("\n\n"):
        lines = paragraph.splitlines()
        if lines and all(line.startswith("  ") for line in lines):
            parts.append("```text\n" + "\n".join(line[2:] for line in lines) + "\n```")
        else:
            parts.append(" ".join(line.strip() for line in lines).replace("<", "&lt;"))
    return "\n\n".join(parts) + "\n"


def _options(command: Any) -> Iterator[str]:
    visible = [parameter for parameter in command.params if not getattr(parameter, "hidden", False)]
    for heading, parameters in (
        ("argument", [parameter for parameter in visible if not _is_option(parameter)]),
        ("option", [parameter for parameter in visible if _is_option(parameter)]),
    ):
        if parameters:
            yield f"| {heading} | | default |\n| --- | --- | --- |"
            for parameter in parameters:
                yield f"| {_names(parameter)} | {_cell(parameter.help or '')} | {_default(parameter)} |"
            yield ""


def _is_option(parameter: Any) -> bool:
    return str(parameter.opts[0]).startswith("-")


def _names(parameter: Any) -> str:
    if not _is_option(parameter):
        return f"`{(parameter.metavar or parameter.name).upper()}`"
    value = f" {parameter.metavar}" if parameter.metavar else ""
    return ", ".join(f"`{name}{value}`" for name in (*parameter.opts, *parameter.secondary_opts))


def _default(parameter: Any) -> str:
    value = parameter.default
    if isinstance(value, bool):
        return "yes" if value else ""
    if value is None or value == "" or callable(value) or value in ([], ()):
        return "required" if parameter.required else ""
    return f"`{value.value if isinstance(value, Enum) else value}`"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


# -- HTTP API --------------------------------------------------------------------------------------------------------

_NAMES_OF_TYPES: Final = {
    "string": "text", "integer": "number", "number": "number", "boolean": "true or false", "object": "an object",
}  # fmt: skip


def http_api() -> str:
    """Return every operation, parameter, body and record of the HTTP API, from its OpenAPI description."""
    from tidings_portal.api.openapi import OPERATIONS, document

    described = document(OPERATIONS)
    records = described["components"]["schemas"]
    parts = []
    for chapter in dict.fromkeys(operation.tag for operation in OPERATIONS):
        parts.append(f"## {chapter[0].upper()}{chapter[1:]}\n")
        for operation in OPERATIONS:
            if operation.tag == chapter:
                parts += _operation(operation, described["paths"][operation.address][operation.method.lower()])
    parts.append("## Records\n\nParts of articles (`Block`, `Cell`, `Comment`, `Image`, `Inline`, `Item`) leave out")
    parts.append("fields that have their usual value.\n")
    for name, schema in records.items():
        parts.append(f"### {name} {{ #record-{name.lower()} }}\n\n{schema['description']}\n")
        parts += _table("field", _fields(schema))
    return "\n".join(parts)


def _operation(operation: Any, described: Mapping[str, Any]) -> Iterator[str]:
    from tidings_portal.web.access import Access

    access = {
        Access.READING: "",
        Access.TOKEN: "Needs a token.",
        Access.OWN: "Needs a token that may write.",
        Access.HOUSE: "Needs a token that may write, of an administrator.",
    }
    yield f"### `{operation.method} {operation.address}`\n"
    yield " ".join(f"{operation.summary} {operation.description} {access[operation.access]}".split()) + "\n"
    if described.get("parameters"):
        rows = [(p["name"], p["schema"], p["description"], p.get("required", False)) for p in described["parameters"]]
        yield from _table("parameter", rows)
    if operation.body:
        yield f"Body: {_media(described['requestBody']['content'])}.\n"
    response = described["responses"][str(operation.status)].get("content")
    yield f"Response: {operation.status}" + (f", {_media(response)}" if response else "") + ".\n"


def _media(content: Mapping[str, Any]) -> str:
    parts = []
    for name, media in content.items():
        type_ = _type(media["schema"]) if "$ref" in str(media["schema"]) else ""
        parts.append(f"`{name}`" + (f" ({type_})" if type_ else ""))
    return ", ".join(parts)


def _fields(schema: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any], str, bool]]:
    required = schema.get("required", ()) if schema.get("additionalProperties") is False else ()
    return [
        (name, field, field.get("description", ""), name in required) for name, field in schema["properties"].items()
    ]


def _table(head: str, rows: Iterable[tuple[str, Mapping[str, Any], str, bool]]) -> Iterator[str]:
    yield f"| {head} | | |\n| --- | --- | --- |"
    for name, schema, description, required in rows:
        type_ = _type(schema) + _bounds(schema) + ("; required" if required else "")
        yield f"| `{name}` | {type_} | {description} |"
    yield ""


def _type(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#record-{name.lower()})"
    types = schema.get("type", "")
    null = " or null" if isinstance(types, list) else ""
    type_ = types[0] if isinstance(types, list) else types
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"] if value is not None) + null
    if "anyOf" in schema and "type" not in schema:
        return " or ".join(filter(None, map(_type, schema["anyOf"])))
    if type_ == "array":
        return "a pair of numbers" if "prefixItems" in schema else f"list of {_type(schema['items'])}"
    times = {"date-time": "a time", "date": "a day"}
    if schema.get("format") in times or "anyOf" in schema:
        return ("a day or a time" if "anyOf" in schema else times[schema["format"]]) + null
    return "null" if type_ == "null" else _NAMES_OF_TYPES.get(type_, "") + null


def _bounds(schema: Mapping[str, Any]) -> str:
    text = ""
    if schema.get("maximum", 1 << 40) < 1 << 40:
        text = f" from {schema['minimum']:,} to {schema['maximum']:,}"
    elif "minimum" in schema:
        text = f" from {schema['minimum']:,}"
    elif "maxLength" in schema:
        text = f", at most {schema['maxLength']:,} characters"
    elif "maxItems" in schema and "prefixItems" not in schema:
        text = f", at most {schema['maxItems']:,}"
    return text + (f"; default `{str(schema['default']).lower()}`" if "default" in schema else "")


# -- Tables of the code ----------------------------------------------------------------------------------------------


def extractors() -> str:
    """Return a table of all extractors: name, description, parameters, publication."""
    from tidings.extractors import entries

    rows = ["| name | what it keeps | parameters | publication |", "| --- | --- | --- | --- |"]
    for entry in entries(laid_out=True):
        extractor = entry.make()
        parameters = [
            (field.name, getattr(extractor, field.name))
            for field in (fields(extractor) if is_dataclass(extractor) else ())
            if field.init and not field.name.startswith("_") and field.default is not MISSING
        ]
        defaults = ", ".join(
            f"{name}={value}" if isinstance(value, str | int | float) else name for name, value in parameters
        )
        rows.append(f"| `{entry.name}` | {_cell(entry.summary)} | {_cell(defaults)} | {_cell(entry.citation)} |")
    return "\n".join(rows) + "\n"


def features() -> str:
    """Return a table for each group of features of the default extractor."""
    from tidings.extractors.learned.features import table

    parts = []
    for group, group_features in groupby(table(), key=lambda feature: feature.group):
        rows = "".join(f"| `{feature.name}` | {feature.meaning} | {feature.formula} |\n" for feature in group_features)
        parts.append(f"## {group.capitalize()}\n\n| name | meaning | formula |\n| --- | --- | --- |\n{rows}")
    return "\n".join(parts)


def export_columns() -> str:
    """Return the columns of an export."""
    from tidings_portal.exports.columns import COLUMNS

    rows = [f"| `{column.name}` | {column.type.value} | {column.meaning} |" for column in COLUMNS]
    return "\n".join(["| column | type | meaning |", "| --- | --- | --- |", *rows]) + "\n"


def store_tables() -> str:
    """Return the tables of the store with their columns, as a new SQLite store has them."""
    import sqlite3

    from tidings_portal.store import migrations

    connection = sqlite3.connect(":memory:")
    for step in migrations.steps(0, "sqlite", migrations.SQLITE):
        connection.executescript(step)
    rows = ["| table | columns |", "| --- | --- |"]
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    for (name,) in connection.execute(tables).fetchall():
        if not re.search(r"_(?:data|idx|content|docsize|config)$", name):  # FTS5's own tables
            columns = connection.execute(f"SELECT name FROM pragma_table_info('{name}')").fetchall()  # noqa: S608
            rows.append(f"| `{name}` | {', '.join(f'`{column}`' for (column,) in columns)} |")
    connection.close()
    return "\n".join(rows) + "\n"


def code_walks() -> str:
    """Return the files that a page passes through."""
    script = runpy.run_path(str(Path(__file__).with_name("code_walks.py")))
    return str(script["markdown"]())


PARTS: Final[dict[str, Callable[[], str]]] = {
    "python-library": lambda: python(LIBRARY),
    "python-article": lambda: python(ARTICLE),
    "python-extractors": lambda: python(EXTRACTORS),
    "python-web": lambda: python(WEB),
    "python-adapters": lambda: python(ADAPTERS),
    "python-bulk": lambda: python(BULK),
    "python-portal": lambda: python(PORTAL),
    "python-lab": lambda: python(LAB),
    "command-line": command_line,
    "http-api": http_api,
    "extractors": extractors,
    "features": features,
    "export-columns": export_columns,
    "store-tables": store_tables,
    "code-walks": code_walks,
}
