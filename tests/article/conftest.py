"""Hypothesis strategies for articles and for pages, and the page in which every kind of block stands."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import strategies as st

from tidings.article import Article, Block, Cell, Comment, Image, Inline, Item, Kind, assemble
from tidings.page import Page, Spans

Strategy = st.SearchStrategy[Any]

#: Letters of several scripts and directions, joiners and marks of direction, and everything that some markup gives a
#: meaning to.
SIGNS = "aZ9éשمخ本\u200c\u200d\u200f\u202b“”—.,:;!?*_`~#<>&|\\/[](){}+-='\"$^@😀"
WORDS = st.one_of(
    st.text(SIGNS, min_size=1, max_size=6),
    st.sampled_from(
        ["<script>alert(1)</script>", "&amp;", "&#60;", "-", "+", "1.", "2)", "#", "---", "===", "|", ":--", "```", "~~~"]
        + ["]]>", "<!--", "-->", "![x](y)", "[a]: b", "**", "__", "https://example.org/", "می\u200cخواهم", "=1+1"]
    ),
)
TEXTS = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
HREFS = st.sampled_from(
    [None, None, None, "https://example.org/a?b=1&c=2", "http://example.org/(a)_b*c", "mailto:a@example.org"]
)


@st.composite
def inline_tuples(draw: Callable[[Strategy], Any], words: Strategy = TEXTS) -> tuple[Inline, ...]:
    """Inlines as `assemble` makes them: single spaces, none at the ends, no two neighbours of one style."""
    pieces = draw(st.lists(st.tuples(words, st.sampled_from(["", " ", " ", " ", "\n"])), min_size=1, max_size=5))
    found: list[Inline] = []
    for place, (text, gap) in enumerate(pieces):
        marks = [draw(st.integers(0, 3)) == 0 for _ in range(5)]
        inline = Inline(text, draw(HREFS), *marks)
        if place and gap:
            found.append(Inline(gap))
        if found and found[-1] == Inline(found[-1].text, inline.href, *marks):
            found[-1] = Inline(found[-1].text + inline.text, inline.href, *marks)
        else:
            found.append(inline)
    return tuple(found)


@st.composite
def block_strategy(draw: Callable[[Strategy], Any]) -> Block:
    kind = draw(st.sampled_from(list(Kind)))
    depth = draw(st.integers(0, 3))
    quote_depth = draw(st.integers(0, 2))
    item = None
    if kind is Kind.LIST_ITEM:
        depth = max(depth, 1)
        ordered = draw(st.booleans())
        item = Item(ordered, draw(st.integers(-3, 12)) if ordered else None)
    if kind is Kind.QUOTE:
        quote_depth = max(quote_depth, 1)
    rows: tuple[tuple[Cell, ...], ...] = ()
    inlines: tuple[Inline, ...] = ()
    if kind is Kind.TABLE:
        cells = st.builds(Cell, st.one_of(st.just(()), inline_tuples()), st.booleans(), st.integers(1, 3), st.integers(1, 3))
        first = st.builds(Cell, inline_tuples(), st.booleans())
        row = st.builds(lambda one, more: (one, *more), first, st.lists(cells, max_size=3))
        rows = tuple(draw(st.lists(row, min_size=1, max_size=3)))
    else:
        inlines = draw(inline_tuples())
    level = draw(st.integers(1, 6)) if kind is Kind.HEADING else None
    image = draw(st.one_of(st.none(), IMAGES)) if kind is Kind.CAPTION else None
    return Block(kind, inlines, level, depth, item, quote_depth, rows, image)


IMAGES = st.builds(
    Image,
    st.sampled_from(["https://example.org/a.png", "http://example.org/b(1).jpg"]),
    TEXTS,
    TEXTS,
    st.one_of(st.none(), st.integers(0, 5)),
)
MOMENTS = st.one_of(
    st.none(),
    st.dates(min_value=date(1900, 1, 1)),
    st.datetimes(min_value=datetime(1900, 1, 1)),  # noqa: DTZ001  # pages tell such times
    st.datetimes(
        min_value=datetime(1900, 1, 1),  # noqa: DTZ001
        timezones=st.sampled_from([UTC, timezone(timedelta(hours=3, minutes=30)), timezone(timedelta(hours=-7))]),
    ),
)
BLOCKS = st.lists(block_strategy(), max_size=6).map(tuple)
ARTICLES = st.builds(
    Article,
    url=st.sampled_from(["", "https://example.org/story"]),
    title=TEXTS,
    authors=st.lists(TEXTS, max_size=2).map(tuple),
    published=MOMENTS,
    modified=MOMENTS,
    language=st.sampled_from(["", "en", "fa", "zh-Hant"]),
    direction=st.sampled_from(["ltr", "rtl"]),
    site=TEXTS,
    canonical=st.sampled_from(["", "https://example.org/c"]),
    summary=TEXTS,
    section=TEXTS,
    tags=st.lists(TEXTS, max_size=2).map(tuple),
    image=st.one_of(st.none(), IMAGES),
    images=st.lists(IMAGES, max_size=2).map(tuple),
    blocks=BLOCKS,
    comments=st.lists(st.builds(Comment, BLOCKS, TEXTS, MOMENTS), max_size=1).map(tuple),
    kind=st.sampled_from(["article", "live"]),
    confidence=st.one_of(st.none(), st.floats(0, 1)),
    provenance=st.dictionaries(st.sampled_from(["title", "blocks"]), TEXTS, max_size=2),
)
