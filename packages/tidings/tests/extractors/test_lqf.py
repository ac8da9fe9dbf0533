"""The link quota filter (DANA thesis 3.2.4, Algorithm 3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.errors import BadParameter
from tidings.extractors.published.lqf import LQF, LQF25, LQF50, LQF75, link_quota
from tidings.page import Page, Spans, tags

#: Own text of the div: 8 characters, 4 of them linked; of the first p: 4 and 4; of the second: 12 and 3.
SMALL_TREE = (
    "<body><div>abcd <a href=x>efgh</a><p><a href=x>link</a></p><p>fortytwo <a href=x>abc</a> x</p></div></body>"
)


def text(extractor: LQF, source: str) -> list[str]:
    page = Page(source)
    return extractor(page).words(page)


def quota_of(source: str, name: str) -> list[float]:
    page = Page(source)
    quota, _ = link_quota(page)
    return [float(one) for one in quota[page.elements.tag == tags.NUMBERS[name]]]


def test_quotas_of_a_small_tree() -> None:
    """Link text over all text of an element, blocks inside it left to themselves (Algorithm 3)."""
    assert quota_of(SMALL_TREE, "div") == [4 / 8]
    assert quota_of(SMALL_TREE, "p") == [4 / 4, 3 / 12]
    assert quota_of(SMALL_TREE, "body") == [0]


def test_each_text_counts_once() -> None:
    """Printed, Algorithm 3 would count "cd" for the span and for the b (SPEC 2)."""
    assert quota_of("<p><span>ab <b>cd</b></span> <a href=x>ef</a></p>", "p") == [pytest.approx(2 / 6)]
    assert quota_of("<p><a href=x><b>ab</b> <i>cd</i></a> efgh</p>", "p") == [0.5]


def test_a_quota_above_the_threshold_goes_and_one_at_it_stays() -> None:
    """ "If the value of the calculated ratio is greater than the threshold … the DOM node will be deleted" (3.2.4)."""
    assert text(LQF25(), SMALL_TREE) == ["fortytwo", "abc", "x"]
    assert text(LQF50(), SMALL_TREE) == ["abcd", "efgh", "fortytwo", "abc", "x"]
    assert text(LQF75(), SMALL_TREE) == text(LQF50(), SMALL_TREE)
    assert "link" in text(LQF(1.0), SMALL_TREE)


def test_a_deleted_element_leaves_the_blocks_inside_it() -> None:
    page = "<body><a href=#main>Skip</a><main>The story <a href=x>is</a> here to be read.</main></body>"
    assert text(LQF50(), page) == ["The", "story", "is", "here", "to", "be", "read."]


def test_header_and_footer_without_links_stay() -> None:
    """ "It fails to achieve the desired results against … header and footer since not many hyperlinks" (3.2.4)."""
    page = (
        "<header>The Gazette</header><ul><li><a href=x>Home</a></ul><p>Story.</p><footer>All rights reserved</footer>"
    )
    assert text(LQF25(), page) == ["The", "Gazette", "Story.", "All", "rights", "reserved"]


def test_hidden_text_does_not_count() -> None:
    page = "<p>ab<span hidden>a long text that nobody sees</span> <a href=x>cd</a></p>"
    assert quota_of(page, "p") == [0.5]
    assert text(LQF75(), page) == ["ab", "cd"]


PIECES = st.sampled_from(["<p>", "</p>", "<div>", "</div>", "<a href=x>", "</a>", "<b>", "</b>", "word ", "two words "])


@given(st.lists(PIECES, min_size=1))
def test_a_higher_threshold_keeps_more(pieces: list[str]) -> None:
    """Recall rises and precision falls from LQF-25 to LQF-75 (tables 4.4, 4.5): each keeps what the one before does."""
    page = Page("".join(["x", *pieces]))
    few, some, many = (extractor(page) for extractor in (LQF25(), LQF50(), LQF75()))
    assert few <= some <= many <= page.visible


def test_a_block_is_graded_by_what_is_outside_links() -> None:
    page = Page(SMALL_TREE)
    assert LQF50().score(page).tolist() == [0.5, 0.0, 0.75]


@pytest.mark.parametrize("threshold", [-0.1, 1.5])
def test_a_threshold_is_a_share(threshold: float) -> None:
    with pytest.raises(BadParameter, match="between 0 and 1"):
        LQF(threshold)(Page("<p>x"))


def test_in_a_part_only_the_part_counts() -> None:
    page = Page("<p>plain text <a href=x>linked</a></p>")
    part = page.within(Spans.of([(11, 17)], len(page.text)))
    assert LQF50()(page).words(page) == ["plain", "text", "linked"]
    assert not LQF50()(part)
