"""Digests of all columns, recorded for the newspaper and for small documents of odd markup.

`python -m tests.page.test_columns` records them anew. Look at the difference of `columns.json` before you commit it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from tests.page.documents import DOCUMENTS
from tidings import Page, newspaper
from tidings.page.columns import Columns

RECORDED: Final = Path(__file__).with_name("columns.json")


def columns(page: Page) -> Iterator[tuple[str, object]]:
    """Yield every column of a page with its name."""
    yield "text", page.text
    for name in ("codes", "names", "bounds", "is_short"):
        yield f"cut.{name}", getattr(page.cut, name)
    for name in ("opened", "closed", "owner", "piece", "source_of_text"):
        yield name, getattr(page, name)
    for name in ("words", "element", "in_link", "hidden", "start", "end", "text_start", "text_end", "block"):
        yield f"runs.{name}", getattr(page.runs, name)
    tables: dict[str, Columns] = {"elements": page.elements, "blocks": page.blocks}
    for title, table in tables.items():
        for name, column in vars(table).items():
            yield f"{title}.{name}", column
    yield "start_tags.spellings", page.start_tags.spellings
    yield "start_tags.number", page.start_tags.number
    yield "revealed", page.revealed.starts


def digest(data: bytes | str) -> str:
    """Return a digest of the columns of a page."""
    state = hashlib.sha256()
    for name, column in columns(Page(data)):
        content = column.tolist() if isinstance(column, np.ndarray) else column
        state.update(f"{name} {content!r}\n".encode("utf-8", "surrogatepass"))
    return state.hexdigest()[:16]


def samples() -> dict[str, bytes | str]:
    """Return the pages of the newspaper and the documents, by name."""
    stories = {f"newspaper {page.url}": page.html for page in newspaper.pages()}
    return {**stories, **DOCUMENTS}


@pytest.mark.parametrize("name", samples())
def test_columns_are_those_recorded(name: str) -> None:
    assert digest(samples()[name]) == json.loads(RECORDED.read_text(encoding="utf-8"))[name]


def test_every_digest_belongs_to_a_sample() -> None:
    assert list(json.loads(RECORDED.read_text(encoding="utf-8"))) == list(samples())


if __name__ == "__main__":
    digests = {name: digest(data) for name, data in samples().items()}
    RECORDED.write_text(json.dumps(digests, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
