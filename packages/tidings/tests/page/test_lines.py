"""Lines of even length: all code and all text, once, and no word broken (DANA thesis 4.3.1)."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.errors import BadParameter, EmptyPage
from tidings.page import Page
from tidings.page.columns import sums

from . import soup

lengths = st.integers(1, 120)
SOUP = soup.soup(
    *soup.tagged(soup.FLOW),
    *soup.tagged(soup.INLINE),
    st.sampled_from(["a long sentence with several words in it. ", "<br>", "<pre>a b\n c</pre>", "x" * 50]),
    *map(st.sampled_from, (soup.COMMENTS, soup.RAW, soup.ODD_TAGS)),
    size=20,
)


def page_of(source: str) -> Page | None:
    try:
        return Page(source)
    except EmptyPage:
        return None


@given(SOUP, lengths)
def test_text_ranges_partition_the_text_of_the_runs(source: str, line_length: int) -> None:
    page = page_of(source)
    if page is None:
        return
    lines = page.lines(line_length)
    ranges = lines.text_ranges((line, line) for line in range(len(lines)))
    text = "".join(page.text[start:end] for start, end in ranges)
    assert text.split() == page.text.split()
    assert all(ranges[line][1] == ranges[line + 1][0] for line in range(len(ranges) - 1))


@given(SOUP, lengths)
def test_no_word_is_broken(source: str, line_length: int) -> None:
    page = page_of(source)
    if page is None:
        return
    inside_runs = {
        place
        for start, end in zip(page.runs.text_start.tolist(), page.runs.text_end.tolist(), strict=True)
        for place in range(start + 1, end)
    }
    for start in page.lines(line_length).text.tolist():
        if start in inside_runs:
            assert page.text[start - 1] == " "


@given(SOUP, lengths)
def test_sums_add_up(source: str, line_length: int) -> None:
    page = page_of(source)
    if page is None:
        return
    lines = page.lines(line_length)
    letters = sums(np.array([not character.isspace() for character in page.text], np.bool_))
    assert lines.text_sums(letters).sum() == letters[-1]
    assert lines.code_sums().sum() == lines.tag_start[-1]
    doubled = 2 * np.diff(lines.tag_start)
    assert lines.code_sums(doubled).sum() == 2 * lines.tag_start[-1]
    assert (lines.code_sums() >= 0).all()
    assert (lines.text_sums(letters) >= 0).all()


@given(SOUP, lengths)
def test_the_same_lengths_of_tags_give_the_same_lines(source: str, line_length: int) -> None:
    page = page_of(source)
    if page is not None:
        lines = page.lines(line_length)
        assert lines.code_sums(np.diff(lines.tag_start)).tolist() == lines.code_sums().tolist()


def test_all_lines_of_code_but_the_last_are_as_long_as_asked() -> None:
    page = Page("<img src=a>" * 40 + "<p>x")
    assert set(page.lines(80).code_sums()[:-1].tolist()) == {80}


def test_lines_of_text_are_about_as_long_as_asked() -> None:
    page = Page("<p>" + "seven to " * 200)
    held = page.lines(80).text_sums(np.arange(len(page.text) + 1))
    assert ((held[1:-1] >= 72) & (held[1:-1] <= 88)).all()


@pytest.mark.parametrize("gone", ["<script>var a = 'b';</script>", "<style>p { x: y }</style>", "<!-- a comment -->"])
def test_scripts_styles_and_comments_are_taken_out(gone: str) -> None:
    """Thesis 4.3.1. Where they stood, and how long they were, tells nothing."""
    html = "<div class=a><p>One two three.</p>{}<p>Four five six.</p></div>"
    plain, full = Page(html.format("")).lines(20), Page(html.format(gone * 9)).lines(20)
    assert full.code_sums().tolist() == plain.code_sums().tolist()
    assert full.text.tolist() == plain.text.tolist()


def test_how_the_source_was_laid_out_does_not_matter() -> None:
    html = "<div><p>One two three four.</p><p>Five six seven.</p></div>"
    wide = html.replace("><", ">\n\n   <").replace(" ", "\n  ")
    assert wide != html
    assert Page(wide).lines(10).text.tolist() == Page(html).lines(10).text.tolist()


def test_code_is_the_length_of_the_tags() -> None:
    html = '<div id="a"><p>One <b>two</b></p><!-- c --></div>'
    assert Page(html).lines(1000).code_sums().tolist() == [sum(map(len, re.findall(r"</?\w[^>]*>", html)))]


@pytest.mark.parametrize("line_length", [0, -1])
def test_a_line_has_at_least_one_character(line_length: int) -> None:
    with pytest.raises(BadParameter, match=f"line_length is {line_length}; a line has at least one character"):
        Page("<p>x").lines(line_length)


def test_lines_are_worked_out_once() -> None:
    page = Page("<p>x")
    assert page.lines(40) is page.lines(40)
    assert page.lines(40) is not page.lines(41)
