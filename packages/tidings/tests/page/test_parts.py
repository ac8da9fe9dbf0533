"""The columns of a part of a page, from the columns of the whole page by their definition."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.page import soup
from tests.support import ROOT
from tidings import newspaper
from tidings.core import PageColumns
from tidings.page import Page, Spans, tags
from tidings.page.counts import begun_before

SAME = "bounds codes tag parent depth opened closed owner element_start element_end revealed".split()


def check_part(page: Page, part: Page) -> None:
    """Assert that a part has the columns that its scope leaves of the columns of the whole page."""
    whole, columns = page.compiled, part.compiled
    for name in SAME:
        assert np.array_equal(getattr(columns, name), getattr(whole, name)), name
    assert (columns.text, columns.tag_names, columns.sheet) == (whole.text, whole.tag_names, whole.sheet)
    assert np.array_equal(columns.hidden_pieces, whole.hidden_pieces)

    words = begun_before(page.text_classes)
    origin, rows, run_of = page.source_of_text, [], []
    ranges = list(zip(part.scope.starts.tolist(), part.scope.ends.tolist(), strict=True))
    for run, (start, end) in enumerate(zip(whole.text_start.tolist(), whole.text_end.tolist(), strict=True)):
        for first, last in ranges:
            low, high = max(start, first), min(end, last)
            if low < high:
                source_start = whole.run_start[run] if low == start else origin[low]
                source_end = whole.run_end[run] if high == end else origin[high]
                rows.append((low, high, source_start, source_end, words[high] - words[low]))
                run_of.append(run)
    found = (columns.text_start, columns.text_end, columns.run_start, columns.run_end, columns.run_words)
    assert list(zip(*(column.tolist() for column in found), strict=True)) == rows
    for name in ("piece", "run_elements", "in_link", "hidden"):
        assert np.array_equal(getattr(columns, name), getattr(whole, name)[run_of]), name

    for element in range(len(whole.tag)):
        inside = [piece for piece in columns.piece.tolist() if whole.opened[element] < piece <= whole.closed[element]]
        first = sum(piece <= whole.opened[element] for piece in columns.piece.tolist())
        assert (columns.first[element], columns.last[element]) == (first, first + len(inside))
        number = columns.spelling[element]
        assert (number >= 0) == (bool(inside) and whole.spelling[element] >= 0)
        if number >= 0:
            assert part.start_tags.spelling(number) == page.start_tags.spelling(whole.spelling[element])

    old = whole.block[run_of].tolist()
    numbers = {block: number for number, block in enumerate(dict.fromkeys(old))}
    assert columns.block.tolist() == [numbers[block] for block in old]
    for block, number in numbers.items():
        runs = [run for run, of in enumerate(old) if of == block]
        assert (columns.block_first[number], columns.block_last[number]) == (runs[0], runs[-1] + 1)
        assert columns.block_words[number] == columns.run_words[runs].sum()
        assert columns.block_link_words[number] == columns.run_words[runs] @ columns.in_link[runs]
        element = columns.run_elements.item(runs[0])
        while element and whole.tag[element] not in tags.BLOCK:
            element = whole.parent.item(element)
        assert columns.block_element[number] == element
    assert len(columns.block_first) == len(numbers)


def some_text(page: Page, borders: list[int]) -> Spans:
    """The text between borders, taken in pairs; they are places of a text of 100 characters."""
    size = len(page.text)
    places = sorted(border * size // 100 for border in borders)
    return Spans.of(list(zip(places[::2], places[1::2], strict=False)), size)


PIECES = (
    *soup.tagged(soup.FLOW),
    *soup.tagged(soup.INLINE),
    soup.hiding(soup.FLOW),
    st.sampled_from(soup.REFERENCES),
    st.sampled_from(("one", "two words", " ", "<a href=x>", "中文")),
)
borders = st.lists(st.integers(0, 100), max_size=8)


@given(
    soup.soup(
        *soup.tagged(soup.FLOW), *soup.tagged(soup.INLINE), soup.hiding(soup.FLOW), st.sampled_from(soup.REFERENCES)
    ),
    borders,
    borders,
)
def test_a_part_has_what_its_scope_leaves_of_the_columns(html: str, some: list[int], others: list[int]) -> None:
    page = Page(f"{html} x")
    part = page.within(some_text(page, some))
    check_part(page, part)
    again = part.within(some_text(page, others))
    check_part(page, again)


def test_a_part_of_each_page_of_the_newspaper() -> None:
    for number, sample in enumerate(newspaper.pages()):
        page = Page(sample.html)
        check_part(page, page.within(some_text(page, [number % 50, 40, 60, 100 - number % 30])))


def test_a_part_says_what_the_page_declares_and_hides() -> None:
    page = Page(
        "<title>t</title><style>.a{display:none}</style><p>one <i>two</i> <b class=a>three</b> four <img class=a>"
    )
    part = page.within(Spans.of([(2, 12)], len(page.text)))
    assert part.signals == page.signals
    images = part.holding(("img",))
    assert (part.unseen(images.tolist()), part.visible) == ([True], page.visible & part.scope)


def test_columns_are_declared_in_the_order_of_the_core() -> None:
    source = (ROOT / "core" / "src" / "columns.rs").read_text(encoding="utf-8")
    declared = source.partition("\ncolumns! {")[2].partition("\n}")[0]
    assert re.findall(r"^    (\w+),$", declared, re.MULTILINE) == PageColumns.names
    assert len(PageColumns.names) == PageColumns.COUNT
