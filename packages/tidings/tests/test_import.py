"""What `import tidings` loads, and what the package promises to export."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tidings

# What may be loaded beside the standard library, NumPy and the parts of Tidings that hold a page.
ALLOWED = {"numpy", "tidings"}
# What an installation without extras has not, and what the command line alone needs.
OPTIONAL = set(
    "starlette jinja2 nh3 zstandard feedparser uvicorn argon2 prometheus_client multipart pyarrow psycopg mcp "
    "playwright matplotlib rapidfuzz scipy sklearn catboost pgmpy pycrfsuite lxml selectolax typer rich".split()
)


def modules_after(statement: str) -> set[str]:
    code = f"import sys; before = set(sys.modules); {statement}; print('\\n'.join(set(sys.modules) - before))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(answer.stdout.split())


def test_import_loads_no_optional_dependency() -> None:
    loaded = {name.partition(".")[0] for name in modules_after("import tidings")}
    outside = {name for name in loaded if name not in sys.stdlib_module_names and not name.startswith("_")}
    assert outside <= ALLOWED


def test_import_loads_nothing_and_a_page_only_what_holds_it() -> None:
    assert not {name for name in modules_after("import tidings") if name.startswith(("tidings.", "numpy"))}
    parts = {name for name in modules_after("import tidings; tidings.Page") if name.startswith("tidings.")}
    assert {name.split(".")[1] for name in parts} == {"core", "page", "errors"}


def test_the_command_line_has_no_threads_for_matrices() -> None:
    """They would spin on the other cores when NumPy is loaded; whoever wants them says so."""
    code = (
        "import os, sys; from tidings.cli import main; assert 'numpy' not in sys.modules; sys.argv[1:] = ['--version']"
    )
    asked = f"{code}; import atexit; atexit.register(lambda: print(os.environ['OPENBLAS_NUM_THREADS'])); main()"
    for given in ({}, {"OPENBLAS_NUM_THREADS": "2"}):
        setting = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"} | given
        told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True, env=setting)
        assert told.stdout.split()[-1] == given.get("OPENBLAS_NUM_THREADS", "1")


def test_an_extraction_needs_no_optional_dependency() -> None:
    loaded = {
        name.partition(".")[0] for name in modules_after("import tidings; tidings.extract('<p>Seals are back.</p>')")
    }
    assert loaded.isdisjoint(OPTIONAL)


def test_the_library_works_where_no_extra_is_installed() -> None:
    """A page becomes an article in every format, a feed is read, a site learned and kept, a body is fetched."""
    without = sorted(OPTIONAL - {"typer", "rich"})
    code = f"""
import sys
for name in {without!r}:
    sys.modules[name] = None  # as if it were not there
import tidings, tidings.fetch, tidings.sites, tidings.sources
from tidings.article import FORMATS, render
from tidings.fetch.bodies.decompress import ACCEPTED
from tidings.sites.storage.backends import SitePage, SitesFile
article = tidings.extract("<h1>Seals</h1><p>Seals are back in the estuary, after nine years.</p>")
for name in FORMATS:
    assert render(article, name)
assert ACCEPTED == "gzip, deflate, br"
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_reading_an_address_or_a_site_loads_nothing_of_the_service() -> None:
    loaded = modules_after("import tidings, tidings.read_url, tidings.browser_layout; tidings.Reader")
    assert "tidings.fetch" in loaded
    assert not [name for name in loaded if name.startswith(("tidings_portal", "tidings_lab", "tidings.cli"))]


def test_an_extraction_loads_one_extractor() -> None:
    loaded = modules_after("import tidings; tidings.extract('<p>Seals are back.</p>')")
    of_extractors = {name.split(".")[2] for name in loaded if name.startswith("tidings.extractors.")}
    assert of_extractors == set("explain hashed_words learned model_files parameters registry story_position".split())


def test_an_extraction_loads_no_format_that_nobody_asked_for() -> None:
    loaded = modules_after("import tidings; tidings.extract('<p>Seals are back.</p>').text")
    formats = {name.rpartition(".")[2] for name in loaded if name.startswith("tidings.article.formats.")}
    assert formats <= {"as_csv", "as_text", "from_json", "markup", "options", "render"}
    assert "nh3" not in loaded


def test_the_command_line_loads_no_command_before_it_is_asked_for() -> None:
    loaded = {name for name in modules_after("import tidings.cli.app") if name.startswith("tidings.")}
    assert {name for name in loaded if name.startswith("tidings.cli.")} == {
        "tidings.cli.app", "tidings.cli.output", "tidings.cli.state",
    }  # fmt: skip
    assert {name.split(".")[1] for name in loaded} == {"cli", "errors"}


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--format", "json"],
        ["--with", "dana"],
        ["--url", "https://example.org/a"],
        ["--jobs", "2", "--output", "OUTPUT"],  # in place of it the folder
    ],
)
def test_one_page_on_the_command_line_loads_what_reads_it_and_nothing_else(tmp_path: Path, options: list[str]) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>Seals are back in the estuary.</p>")
    named = ["extract", str(page), *(str(tmp_path) if one == "OUTPUT" else one for one in options)]
    loaded = modules_after(f"from tidings.cli.app import app; app({named!r}, standalone_mode=False)")
    assert "tidings.article" in loaded
    assert {name for name in loaded if name.startswith("tidings.cli.")} == {
        f"tidings.cli.{name}"
        for name in ("app", "extract", "inputs", "output", "state", "fetch_options", "option_flags")
    }
    parts = {name.split(".")[1] for name in loaded if name.startswith("tidings.")}
    drawing = {"charts"} if "dana" in options else set()  # published methods draw what they measure
    assert parts == drawing | {
        "budget",
        "urls",
        "article",
        "cli",
        "core",
        "errors",
        "extractors",
        "fields",
        "options",
        "page",
        "processes",
        "reading",
        "text",
    }
    # What else of the standard library and of others takes long to load.
    assert loaded.isdisjoint(
        ("rich", "pydantic", "asyncio", "multiprocessing", "concurrent.futures", "sqlite3", "starlette", "ssl", "lxml")
    )


def test_a_stream_of_jobs_loads_no_loop() -> None:
    loaded = modules_after("from tidings.processes import ProcessPool")
    assert loaded.isdisjoint(("asyncio", "concurrent.futures", "logging", "ssl"))


def test_the_exported_names() -> None:
    names = [
        "Article",
        "ExtractOptions",
        "Hints",
        "Page",
        "Reader",
        "Spans",
        "__version__",
        "aread",
        "extract",
        "extract_many",
        "extract_text",
        "extractor",
        "read",
    ]
    assert tidings.__all__ == names
    for name in tidings.__all__:
        assert getattr(tidings, name)
