"""Link clutter by its structure (DANA thesis 3.2.2; Mantratzis et al. 2005)."""

from __future__ import annotations

import pytest

from tidings.errors import BadParameter
from tidings.extractors.published.mantratzis import Mantratzis
from tidings.page import Page, tags

STORY = "<p>The council voted on Tuesday to reopen the <a href=x>harbour bridge</a>, closed since the storm.</p>"
STORY_TEXT = "The council voted on Tuesday to reopen the harbour bridge, closed since the storm."


def text(source: str, extractor: Mantratzis | None = None) -> str:
    page = Page(source)
    return (extractor or Mantratzis())(page).text(page)


def score_of(source: str, name: str) -> list[float]:
    page = Page(source)
    return [float(one) for one in Mantratzis().link_scores(page)[page.elements.tag == tags.NUMBERS[name]]]


def test_scores_by_amount_and_place() -> None:
    """Half of the text in links (amount) and one of two parts led by them (place)."""
    source = "<ul><li><a href=x>aaaa</a></li><li>bbbb</li></ul>"
    assert score_of(source, "ul") == [0.5 * 0.5]
    assert score_of(source, "li") == [1.0, 0.0]


def test_links_scattered_over_a_text_score_lower_than_links_in_parts_of_their_own() -> None:
    """The amount is the same, the place is not: the score is "based on the amount and relative location" (3.2.2)."""
    scattered = "<div><p>abcd <a href=x>abcd</a></p><p>abcd <a href=x>abcd</a></p></div>"
    apart = "<div><p>abcdabcd</p><p><a href=x>abcdabcd</a></p></div>"
    assert score_of(scattered, "div") == [0.0]
    assert score_of(apart, "div") == [0.25]


@pytest.mark.parametrize(
    "clutter",
    [
        "<ul><li><a href=x>Home</a><li><a href=x>News</a><li><a href=x>Sport</a></ul>",
        "<table><tr><td><a href=x>Home</a><td><a href=x>News</a></table>",
        "<table><tr><td><table><tr><td><a href=x>Home</a></table><td><a href=x>News</a></table>",
        "<div><div><a href=x>Home</a></div><div><a href=x>News</a></div></div>",
        "<div><span><b><a href=x>Home</a></b></span> | <span><a href=x>News</a></span></div>",
        "<dl><dt><a href=x>Home</a><dd><a href=x>News</a></dl>",
    ],
    ids=["list", "table", "nested tables", "loose list", "loose line", "definitions"],
)
def test_lists_and_tables_of_links_are_found_at_any_level(clutter: str) -> None:
    """ "Able to identify list-link structure of hyperlinks or table-links … loosely or tightly defined" (3.2.2)."""
    assert text(f"<body><div>{clutter}</div><div>{STORY}</div></body>") == STORY_TEXT


def test_a_text_with_links_stays() -> None:
    assert text(STORY) == STORY_TEXT
    assert text(f"<ul><li>{STORY_TEXT}</li><li>Another item with a <a href=x>link</a> in it.</li></ul>").startswith(
        "The"
    )


def test_the_page_itself_is_no_list() -> None:
    source = "<html><body><p>Short.</p>" + "<p><a href=x>A long line of link text here</a></p>" * 5 + "</body></html>"
    assert text(source) == "Short."


def test_a_loose_pattern_can_ask_for_more_parts() -> None:
    source = f"<div><p><a href=x>Read more</a></p>{STORY}</div>"
    assert text(source) == STORY_TEXT
    assert text(source, Mantratzis(parts=2)).startswith("Read more")


def test_a_block_is_graded_by_the_worst_pattern_around_it() -> None:
    page = Page(f"<ul><li><a href=x>aaaa</a><li>bbbb</ul>{STORY}")
    first, second, story = Mantratzis().score(page).tolist()
    assert (first, second, story) == (0.0, 0.75, 1.0 - float(Mantratzis().link_scores(page)[5]))


@pytest.mark.parametrize("wrong", [Mantratzis(tight=2), Mantratzis(loose=-1), Mantratzis(parts=0)])
def test_parameters_out_of_range_are_an_error(wrong: Mantratzis) -> None:
    with pytest.raises(BadParameter):
        wrong(Page("<p>x"))
