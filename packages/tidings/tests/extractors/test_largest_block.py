"""Largest block, the baseline of the N-EXT thesis, and the leaf blocks that N-EXT takes over."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.extractors.published.largest_block import (
    DIV,
    TABLE,
    BlockKind,
    LargestBlock,
    blocking_tag,
    blocks,
    owners,
    sizes,
)
from tidings.page import Page, Spans

BOTH = frozenset({DIV, TABLE})
#: Seven blocks of which 3 to 7 are leaves; DIV and TABLE both, with segments (P) that are no blocks.
FIGURE_3_2 = """<body>
<div id=1><div id=2><div id=3>menu</div><table id=4><tr><td>date</table></div>
<div id=5><p>description</p><p>text</p></div><div id=6>related</div></div><table id=7><tr><td>comments</table>"""


def ids(page: Page, elements: np.typing.NDArray[np.int64]) -> list[str]:
    return [page.attributes(element).get("id", "") for element in elements.tolist()]


def test_leaf_blocks() -> None:
    """N-EXT thesis 3.2, figure 3.2: "among these nodes, 3, 4, 5, 6 and 7 are the leaf block nodes"."""
    page = Page(FIGURE_3_2)
    assert ids(page, blocks(page, BOTH)) == ["3", "4", "5", "6", "7"]


def test_segments_inside_do_not_make_a_block_less_of_a_leaf() -> None:
    """N-EXT thesis 3.1: leaf blocks "may have children nodes other than block nodes"."""
    page = Page("<div id=1><section><article><ul><li>text</ul></article></section></div>")
    assert ids(page, blocks(page, BOTH)) == ["1"]


@pytest.mark.parametrize(
    ("body", "tag"),
    [
        ("<div>a</div><div>b</div><table><tr><td>c</table>", DIV),
        ("<div>a</div><table><tr><td>b</table><table><tr><td>c</table>", TABLE),
        ("<div>a</div><table><tr><td>b</table>", DIV),
        ("<p>a</p>", DIV),
    ],
)
def test_more_frequent_tag_is_the_blocking_tag(body: str, tag: int) -> None:
    """N-EXT thesis 1.4: the one "with the highest frequency"; DIV where they are equal."""
    assert blocking_tag(Page(body)) == tag


def test_page_is_divided_by_its_blocking_tag_only() -> None:
    """N-EXT thesis 1.4: a DIV does not part a page that is laid out by tables."""
    page = Page(
        "<table><tr><td>one two<div>three</div>four</table>"
        "<table><tr><td>one two three</table><table><tr><td>one</table>"
    )
    assert LargestBlock()(page).text(page).split() == ["one", "two", "three", "four"]


def test_block_with_most_words() -> None:
    """N-EXT thesis chapter 2: the size is the number of words, not of characters."""
    page = Page("<div>incomprehensibilities notwithstanding</div><div>a b c</div><div>a b</div>")
    assert LargestBlock()(page).text(page) == "a b c"


def test_long_comments_mislead_it() -> None:
    """N-EXT thesis 4.1.4: it "fails when another block … contain more number of words than the actual news block"."""
    page = Page("<div><p>The story in six words here.</p></div><div>" + "<p>A comment of a reader.</p>" * 3 + "</div>")
    assert "comment" in LargestBlock()(page).text(page)


def test_of_equal_blocks_the_earliest() -> None:
    page = Page("<div>a b</div><div>c d</div>")
    assert LargestBlock()(page).text(page) == "a b"


def test_page_without_blocking_tags_is_one_block() -> None:
    page = Page("<p>one</p><p>two</p>")
    assert LargestBlock()(page).text(page) == "one\ntwo"


def test_text_of_links_can_be_left_out() -> None:
    """N-EXT thesis, table 6.5: the baseline with and without hyperlink texts."""
    page = Page("<div><a href=x>five words in a link</a></div><div>four words <a href=x>or</a> so</div>")
    assert LargestBlock()(page).text(page) == "five words in a link"
    assert LargestBlock(link_text=False)(page).text(page) == "four words so"


def test_hidden_words_neither_count_nor_come_out() -> None:
    page = Page("<div><p hidden>one two three four</p>five</div><div>six seven</div>")
    assert LargestBlock()(page).text(page) == "six seven"


def test_part_of_a_page_keeps_its_gaps() -> None:
    page = Page("<div><p>one</p><p>two</p><p>three</p></div>")
    part = page.within(Spans.of_runs(page, [0, 2]))
    assert LargestBlock()(part) == part.scope


def test_own_text_is_found_around_a_block() -> None:
    page = Page("<div><p>one two three</p><div>advertisement</div><p>four</p></div><div>five six</div>")
    assert LargestBlock()(page).text(page) == "five six"
    assert LargestBlock(blocks=BlockKind.OWN_TEXT)(page).text(page).split() == ["one", "two", "three", "four"]


def test_score_is_the_size_of_the_block_around() -> None:
    page = Page("<div><p>one</p><p>two</p></div><p>outside of all</p><div>three</div>")
    assert LargestBlock().score(page).tolist() == [2, 2, 0, 1]


markup = st.lists(
    st.sampled_from(["<div>", "</div>", "<table><tr><td>", "</table>", "<p>", "a b ", "c ", "<a>"]), max_size=30
)


@given(markup)
def test_leaves_are_the_blocks_that_no_block_has_for_an_ancestor(parts: list[str]) -> None:
    page = Page("x" + "".join(parts))
    elements = page.elements
    every = [place for place, tag in enumerate(elements.tag.tolist()) if tag in BOTH]
    ancestors: set[int] = set()
    for place in every:
        outer = int(elements.parent[place])
        while outer >= 0:
            ancestors.add(outer)
            outer = int(elements.parent[outer])
    assert blocks(page, BOTH).tolist() == ([place for place in every if place not in ancestors] or [0])


@given(markup)
def test_leaves_own_all_their_words(parts: list[str]) -> None:
    page = Page("x" + "".join(parts))
    everything = np.ones(len(page.runs), np.bool_)
    size = sizes(page, owners(page, BOTH), everything)
    for leaf in blocks(page, BOTH).tolist():
        if leaf:
            first, last = page.elements.first[leaf], page.elements.last[leaf]
            assert size[leaf] == page.runs.words[first:last].sum()
    assert size.sum() == page.runs.words.sum()
