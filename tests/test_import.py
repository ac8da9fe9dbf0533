"""What `import tidings` loads, and what the package promises to export."""

from __future__ import annotations

import subprocess
import sys

import tidings

# What may be loaded beside the standard library, NumPy and the parts of Tidings that hold a page.
ALLOWED = {"numpy", "tidings"}


def modules_after(statement: str) -> set[str]:
    code = f"import sys; before = set(sys.modules); {statement}; print('\\n'.join(set(sys.modules) - before))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(answer.stdout.split())


def test_import_loads_no_optional_dependency() -> None:
    loaded = {name.partition(".")[0] for name in modules_after("import tidings")}
    outside = {name for name in loaded if name not in sys.stdlib_module_names and not name.startswith("_")}
    assert outside <= ALLOWED


def test_import_loads_only_what_holds_a_page() -> None:
    parts = {name for name in modules_after("import tidings") if name.startswith("tidings.")}
    assert {name.split(".")[1] for name in parts} == {"core", "page", "errors"}


def test_an_extraction_needs_no_optional_dependency() -> None:
    loaded = {
        name.partition(".")[0] for name in modules_after("import tidings; tidings.extract('<p>Seals are back.</p>')")
    }
    assert loaded.isdisjoint({"matplotlib", "lxml", "selectolax", "rapidfuzz", "typer", "rich", "jinja2"})


def test_the_exported_names() -> None:
    names = ["Article", "Hints", "Page", "Reader", "Spans", "__version__", "aread", "extract", "extractor", "read"]
    assert tidings.__all__ == names
    for name in tidings.__all__:
        assert getattr(tidings, name)
