"""A part of a page: the same coordinates, only this part of the text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.page import Page, Spans

PAGE = Page(
    "<h1>Head line</h1><div><p>One <a href=x>two three</a> four &amp; five</p><p hidden>six</p><ul><li>seven<li>eight"
    "</ul></div><p>nine ten</p><pre>eleven\n  twelve</pre>"
)
SIZE = len(PAGE.text)
parts = st.lists(st.tuples(st.integers(0, SIZE), st.integers(0, SIZE)), max_size=4).map(
    lambda ranges: Spans.of([(min(pair), max(pair)) for pair in ranges], SIZE)
)


def in_runs(page: Page) -> Spans:
    """The text of a page without what stands between runs."""
    return Spans.union(page.runs.text_start, page.runs.text_end, SIZE)


@given(parts)
def test_text_and_source_stay_as_they_are(part: Spans) -> None:
    inside = PAGE.within(part)
    assert (inside.text, inside.source, inside.scope) == (PAGE.text, PAGE.source, part)


@given(parts)
def test_its_runs_are_the_runs_cut_to_the_part(part: Spans) -> None:
    assert in_runs(PAGE.within(part)) == in_runs(PAGE) & part


@given(parts)
def test_each_run_keeps_its_element_and_its_place_in_the_source(part: Spans) -> None:
    runs = PAGE.within(part).runs
    whole = np.searchsorted(PAGE.runs.text_start, runs.text_start, side="right") - 1
    assert (runs.element == PAGE.runs.element[whole]).all()
    assert (runs.hidden == PAGE.runs.hidden[whole]).all()
    assert (runs.in_link == PAGE.runs.in_link[whole]).all()
    assert (runs.start >= PAGE.runs.start[whole]).all()
    assert (runs.end <= PAGE.runs.end[whole]).all()
    for start, end, text_start, text_end in zip(runs.start, runs.end, runs.text_start, runs.text_end, strict=True):
        if "&" not in PAGE.source[start:end]:
            assert PAGE.source[start:end] == PAGE.text[text_start:text_end]


@given(parts, parts)
def test_a_part_of_a_part_is_what_both_have(one: Spans, other: Spans) -> None:
    nested, direct = PAGE.within(one).within(other), PAGE.within(one & other)
    assert nested.scope == direct.scope
    for name in ("start", "end", "text_start", "text_end", "element"):
        assert getattr(nested.runs, name).tolist() == getattr(direct.runs, name).tolist()


@given(parts)
def test_its_blocks_hold_its_runs(part: Spans) -> None:
    inside = PAGE.within(part)
    blocks = inside.blocks
    assert blocks.words.sum() == inside.runs.words.sum()
    assert [run for first, last in zip(blocks.first, blocks.last, strict=True) for run in range(first, last)] == list(
        range(len(inside.runs))
    )


@given(parts)
def test_its_elements_hold_only_its_runs(part: Spans) -> None:
    inside = PAGE.within(part)
    elements = inside.elements
    assert elements.tag.tolist() == PAGE.elements.tag.tolist()
    assert (elements.first[0], elements.last[0]) == (0, len(inside.runs))
    held = elements.last - elements.first
    assert (held >= 0).all()
    assert (held <= len(inside.runs)).all()


@given(parts)
def test_its_lines_hold_its_text(part: Spans) -> None:
    inside = PAGE.within(part)
    counts = inside.lines(20).text_sums(np.arange(SIZE + 1))
    # The white space before a run counts with it, where it is one character.
    assert in_runs(inside).characters <= counts.sum() <= in_runs(inside).characters + len(inside.runs)


def test_all_of_a_page_is_the_page() -> None:
    inside = PAGE.within(Spans.all(SIZE))
    assert inside.runs.start.tolist() == PAGE.runs.start.tolist()
    assert inside.visible == PAGE.visible


def test_nothing_of_a_page_has_no_runs() -> None:
    inside = PAGE.within(Spans.none(SIZE))
    assert (len(inside.runs), len(inside.blocks), inside.visible.characters) == (0, 0, 0)


def test_another_pages_spans_are_refused() -> None:
    with pytest.raises(ValueError, match="different texts"):
        PAGE.within(Spans.all(SIZE + 1))
