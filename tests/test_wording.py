"""`scripts/wording` finds what it counts."""

from __future__ import annotations

import ast
import runpy

import pytest

from tests.support import ROOT

WORDING = runpy.run_path(str(ROOT / "scripts" / "wording"))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def read(found): ...", [("names", 1, "found")]),
        ("found: int = 1", [("names", 1, "found")]),
        ("def read(page): ...\nfound = 1", []),
        ('"""A table, and what stands beside it."""', [("docstrings", 1, "A table, and what stands beside it.")]),
        ('"""A table.\n\nIt has what stands beside it."""', []),  # the first paragraph alone
        ('"""Links: what a page names.\n\nTables: rows of text."""', [("glued", 1, "Tables: rows of text.")]),
        ('"""Return `page`, not `pgae`."""\npage = 1', [("stale", 1, "`pgae`")]),
    ],
)
def test_hits(source: str, expected: list[tuple[str, int, str]]) -> None:
    tree = ast.parse(source)
    assert list(WORDING["hits"](tree, WORDING["existing_words"]({ROOT / "module.py": tree}))) == expected
