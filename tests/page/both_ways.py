"""A page as the compiled core makes it and as the Python does, column by column."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import numpy as np

import tidings.page.page as page_module
from tidings import Page
from tidings.core.page_questions import CharacterTable
from tidings.errors import PageError
from tidings.page import tags
from tidings.page.columns import Columns
from tidings.page.flow import tag_set
from tidings.page.tag_words import TELLING, places_in_source

_BLOCK = tag_set(tags.BLOCK)

#: For counting characters of lines: small letters, then digits; others as the last.
LETTERS = np.zeros(128, np.uint8)
LETTERS[97:123], LETTERS[48:58], LETTERS[127] = 1, 2, 1
_TABLE = CharacterTable(LETTERS)


def in_python(data: bytes | str) -> Page:
    """The page as the Python makes it."""
    with patch.object(page_module, "scan", lambda *_: None):
        return Page(data)


def columns(page: Page, line_lengths: tuple[int, ...] = (7, 80)) -> Iterator[tuple[str, object]]:
    """Every column of a page, by name, and those of its lines."""
    runs = ("words", "element", "in_link", "chars", "hidden", "start", "end", "text_start", "text_end", "block")
    for name in ("codes", "names", "bounds", "is_short"):
        yield f"cut.{name}", getattr(page.cut, name)
    for name in ("tag", "parent", "depth", "opened", "closed", "owner"):
        yield f"tree.{name}", getattr(page._tree, name)
    yield "piece", page.piece
    for name in runs:
        yield f"runs.{name}", getattr(page.runs, name)
    held: dict[str, Columns] = {"elements": page.elements, "blocks": page.blocks}
    for title, table in held.items():
        for name, column in vars(table).items():
            yield f"{title}.{name}", column
    yield "codes", page.text_codes
    yield "spellings", tuple(page.start_tags.spellings.tolist())
    yield "spelling", page.start_tags.number
    for place, told in enumerate((*page.held_words.telling(page), *page.held_words.boxes(page))):
        yield f"elements with words in start tags {place}", told
    yield "words in start tags", page.held(TELLING)
    yield "nearest blocks", page.nearest(_BLOCK)
    yield "places in the source", places_in_source(page, ("=", "<p", "las"), 3)
    yield "signals", page.signals
    yield "text", page.text
    for length in line_lengths:
        lines = page.lines(length)
        for name in ("code", "text", "run", "tag_start", "run_from", "run_to"):
            yield f"lines.{name} {length}", getattr(lines, name)
        for place, counted in enumerate(lines.character_counts(page.text_codes, _TABLE)):
            yield f"lines.counts {length} {place}", counted
    yield "unseen text", page._unseen.text
    yield "unseen boxes", page._unseen.box
    yield "revealed", page._unseen.revealed
    yield "ways", page.ways_of(page.cut.tags(page.opened[1:]))
    yield "styles", bool(page.style_sheet)


def assert_same(data: bytes | str, line_lengths: tuple[int, ...] = (7, 80)) -> None:
    """See that every column of a page is the same both ways."""
    try:
        expected = in_python(data)
    except PageError:
        return
    found = Page(data)
    for (name, mine), (_, theirs) in zip(columns(found, line_lengths), columns(expected, line_lengths), strict=True):
        if isinstance(mine, np.ndarray):
            assert isinstance(theirs, np.ndarray)
            assert mine.dtype == theirs.dtype, name
            assert np.array_equal(mine, theirs), name
        else:
            assert mine == theirs, name
