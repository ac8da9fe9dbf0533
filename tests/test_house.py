"""A class name is one class, and no module imports itself by way of others."""

from __future__ import annotations

import re
import runpy
from typing import Any

import pytest

from tests.support import ROOT

MEASURES = runpy.run_path(str(ROOT / "scripts" / "house"))

#: Names that are two classes for a reason: at most fifteen.
EXCEPTIONS: dict[str, str] = {
    "Article": "ours, and newspaper's under its own name: one changed import",
    "Document": "as trafilatura and readability call what they give",
    "Entry": "of a list, and of the table of extractors: the word of both",
    "FeedFormat": "what a command offers, and what the service writes: the command is loaded without the service",
    "Kind": "of a block, and of what is fetched: `article.Kind` and `fetch.Kind`, as they were in 0.1",
    "Learned": "the default extractor under its name, and what learning a site gives",
    "Names": "of elements: as features of the default, and as fields look them up",
    "Place": "of text in an article, and in an XPath",
    "Style": "of an inline, and of a box that a browser drew",
}
#: Names that are still two classes. None is ever added.
STILL: set[str] = set()


@pytest.fixture(scope="module")
def house() -> Any:
    return MEASURES["House"].at(ROOT)


def test_a_class_name_is_one_class(house: Any) -> None:
    repeated = house.repeated_classes
    assert {name: repeated[name] for name in set(repeated) - set(STILL) - set(EXCEPTIONS)} == {}
    assert len(EXCEPTIONS) <= 15
    assert all(EXCEPTIONS.values()), "a reason each"


def test_no_module_imports_itself_by_way_of_others(house: Any) -> None:
    assert house.cycles == []
    assert house.package_cycles == []


def _house(**sources: str) -> Any:
    modules = {
        name.replace("__", "."): MEASURES["Module"](name.replace("__", "."), f"{name}.py", source, name == "a")
        for name, source in sources.items()
    }
    return MEASURES["House"](modules)


def test_code_lines_are_without_blank_ones_comments_and_docstrings() -> None:
    source = '"""Of two\n\nlines."""\n\n# why\nclass A:\n    """What."""\n\n    b = """x\n\n    y"""  # so\n'
    assert MEASURES["Module"]("a", "a.py", source, package=False).code_lines == 4


def test_importers_are_counted_once_a_module_wherever_they_import() -> None:
    house = _house(a="", a__b="from a import c", a__c="", a__d="def f():\n    from .b import x\n    from .c import y")
    assert house.importers == {"a.c": {"a.b", "a.d"}, "a.b": {"a.d"}}
    assert house.with_one_importer == ["a.b"]


def test_cycles_are_seen_through_functions_and_not_through_types() -> None:
    types = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a.b import x"
    assert _house(a="", a__b="from a import c", a__c=types).cycles == []
    house = _house(a="", a__b="from a import c", a__c="def f():\n    from a.d import x", a__d="import a.b")
    assert house.cycles == [["a.b", "a.c", "a.d"]]


def test_cycles_of_packages_are_seen_where_no_module_is_in_one() -> None:
    house = _house(a="", a__b__x="import a.c.x", a__c__x="", a__c__y="import a.b.y", a__b__y="")
    assert house.cycles == []
    assert house.package_cycles == [["a.b", "a.c"]]


def test_a_name_with_an_underscore_before_it_is_the_same_name() -> None:
    assert _house(a__b="class Task: ...", a__c="class _Task: ...").repeated_classes == {"Task": ["a.b", "a.c"]}


def test_the_tests_of_the_library_need_no_other_package() -> None:
    imports = re.compile(r"^\s*(?:from|import) tidings_(?:portal|lab)\b", re.MULTILINE)
    paths = [*(ROOT / "packages/tidings/tests").rglob("*.py")]
    assert len(paths) > 100
    assert [str(path) for path in paths if imports.search(path.read_text(encoding="utf-8"))] == []
