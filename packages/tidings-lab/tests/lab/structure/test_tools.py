"""Whole pages as the tools of today write them, read by the default from end to end.

Each file of `tools` has its gold first, a unit a line (its kind, then JSON), and below an empty line the page, with all
that stands around a text. The gold was written before the pages were read for the first time: 272 of 315 units were
right then (docs/reference/measures.md says which). Here stand the floors for what was mended since.
"""

from __future__ import annotations

import json
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.lab.structure.test_structure import read_by_default, score, units
from tests.lab.structure.written import WrittenPage
from tidings.article import article_from_json, render

#: How many units may be lost, by kind; the reasons stand in docs/reference/measures.md.
LOST = {"quote": 7, "table": 3, "code": 4, "callout": 1, "item": 5, "link": 1, "details": 1, "absent": 2}


@cache
def pages() -> tuple[WrittenPage, ...]:
    """The pages with their units."""
    found = []
    for file in sorted(Path(__file__).with_name("tools").glob("*.txt")):
        gold, _, html = file.read_text(encoding="utf-8").partition("\n\n")
        told = [line.split(" ", 1) for line in gold.splitlines()]
        found.append(WrittenPage(file.stem, html, [(kind, _unit(kind, json.loads(said))) for kind, said in told]))
    return tuple(found)


def _unit(kind: str, content: Any) -> Any:
    return tuple(content) if isinstance(content, list) and kind != "table" else content


@cache
def lost() -> dict[str, list[str]]:
    """By kind the units that are not exact."""
    result: dict[str, list[str]] = defaultdict(list)
    for page in pages():
        article = read_by_default(page.html)
        have = units(article)
        text = " ".join(block.text for block in article.blocks)
        for kind, gold in page.units:
            if kind == "absent":
                kept = gold not in text
            elif kind == "code":
                kept = gold in have[kind]  # with its language
            else:
                kept = score(kind, gold, have[kind]) == 1
            if not kept:
                result[kind].append(f"{page.name}: {gold}")
    return result


def test_there_are_forty_pages_of_forty_tools() -> None:
    assert len(pages()) == 40
    assert sum(len(page.units) for page in pages()) == 315


@pytest.mark.parametrize("kind", sorted({kind for page in pages() for kind, _ in page.units}))
def test_units_of_tools_are_kept(kind: str) -> None:
    assert len(lost().get(kind, [])) <= LOST.get(kind, 0), lost()[kind]


def test_pages_of_tools_are_read_back() -> None:
    for page in pages():
        article = read_by_default(page.html)
        assert article_from_json(render(article, "json")) == article, page.name
