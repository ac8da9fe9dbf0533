"""The heuristic half of Content-Seeker (DANA thesis 3.2.6; Louvan 2009)."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tidings.errors import BadParameter
from tidings.extractors.published.content_seeker import ContentSeeker, Segments, segments
from tidings.page import Page

LONG = "word " * 60
POST = "A post with quite a few words in it, such as people write. " * 2


def text(source: str, extractor: ContentSeeker | None = None) -> str:
    page = Page(source)
    return (extractor or ContentSeeker())(page).text(page)


# -- segments ---------------------------------------------------------------------------------------------------


def test_a_segment_is_the_text_of_an_element_of_layout() -> None:
    """ "A segment with good granularity … represents a uniform semantic unit" (3.2.6): paragraphs do not part it."""
    page = Page("<body><div><h1>Title</h1><p>one <b>two</b></p><div>inner<ul><li>item</ul></div>three</div>rest</body>")
    found, row = segments(page)
    names = [page.tag_names[page.elements.tag[element]] for element in found.element]
    assert names == ["body", "div", "div"]
    assert found.words.tolist() == [1, 4, 2]
    assert row.tolist() == [1, 1, 1, 2, 2, 1, 0]


def test_features_of_segments() -> None:
    """ "Number of images, number of frames, number of links, position in DOM tree" (3.2.6)."""
    page = Page("<body><div>a <a href=x>b c</a> <img><iframe></iframe><div>d <img></div></div></body>")
    found, _ = segments(page)
    assert found.words.tolist() == [3, 1]
    assert found.link_words.tolist() == [2, 0]
    assert found.links.tolist() == [1, 0]
    assert found.images.tolist() == [1, 1]
    assert found.frames.tolist() == [1, 0]
    assert found.depth.tolist() == [2, 3]
    assert found.order.tolist() == [0, 1]


def test_hidden_text_makes_no_segment() -> None:
    page = Page("<div hidden>no</div><div>yes</div>")
    found, row = segments(page)
    assert len(found) == 1
    assert row.tolist() == [-1, 0]


# -- the two heuristics -----------------------------------------------------------------------------------------


def test_the_largest_block_of_text() -> None:
    """ "More appropriate for web pages and weblogs: identify … the Largest Block of Text String" (3.2.6)."""
    source = f"<div>Menu of the day</div><div><h1>Title</h1><p>{LONG}</p><p>End.</p></div><div>{'foot ' * 9}</div>"
    assert text(source) == f"Title\n{LONG.strip()}\nEnd."


def test_of_equals_the_first() -> None:
    assert text("<div>one two</div><section>three four</section>") == "one two"


def test_links_are_noise_however_many_there_are() -> None:
    links = "<a href=x>many linked words</a> " * 50
    assert text(f"<div>{links}</div><div>The story.</div>") == "The story."
    assert text(f"<div>{links}</div><div>The story.</div>", ContentSeeker(noise=1.0)).startswith("many")


@pytest.mark.parametrize(
    ("before", "post", "after"),
    [
        ("<table>", "<tr><td>{}</td></tr>", "</table>"),
        ("<table>", "<tr><td><div>{}</div></td></tr>", "</table>"),
        ("<div>", "<div><div>{}</div></div>", "</div>"),
        ("<main>", "<article>{}</article>", "</main>"),
    ],
    ids=["table", "table with div", "div", "article"],
)
def test_the_table_pattern_of_posts(before: str, post: str, after: str) -> None:
    """ "Usually applied for web forums … by identification of Table Pattern used in forum posts" (3.2.6)."""
    source = f"<div>{LONG}</div>{before}{post.format(POST) * 4}{after}"
    assert text(source) == "\n".join([POST.strip()] * 4)
    assert text(source, ContentSeeker(levels=0)) == LONG.strip()
    assert text(source, ContentSeeker(members=5)) == LONG.strip()


def test_cells_with_other_paths_are_not_in_the_pattern() -> None:
    rows = f"<tr><td>{POST}</td><th>author name</th></tr>" * 4
    assert text(f"<table>{rows}</table>") == "\n".join([POST.strip()] * 4)


def test_texts_that_hang_by_other_elements_are_not_in_the_pattern() -> None:
    posts = f"<section><div>{POST}</div></section>" * 4 + "<aside><div>A note of few words</div></aside>" * 4
    assert text(f"<main>{posts}</main>") == "\n".join([POST.strip()] * 4)


def test_a_pattern_with_as_many_words_as_the_largest_text_is_not_taken() -> None:
    rows = f"<tr><td>{'post ' * 20}</td></tr>" * 3
    assert text(f"<div>{LONG}</div><table>{rows}</table>") == LONG.strip()
    assert text(f"<div>{LONG}</div><table>{rows}<tr><td>post</td></tr></table>").startswith("post")


def test_one_large_text_among_small_ones_is_no_pattern() -> None:
    source = f"<div>Menu of the day</div><div>{LONG}</div><div>All rights reserved</div>"
    assert text(source) == LONG.strip()
    assert text(source, ContentSeeker(largest=1.0)).startswith("Menu")


def test_a_pattern_is_found_only_so_many_levels_up() -> None:
    deep = "<div>" * 3 + POST + "</div>" * 3
    source = f"<div>{LONG}</div><section>{deep * 4}</section>"
    assert text(source, ContentSeeker(levels=2)) == LONG.strip()
    assert text(source, ContentSeeker(levels=3)) == "\n".join([POST.strip()] * 4)


# -- the seam for the learned half ------------------------------------------------------------------------------


def without_images(segments: Segments) -> NDArray[np.bool_]:
    return np.equal(segments.images, 0)


def test_a_classifier_takes_the_place_of_the_rule_for_noise() -> None:
    """ "Content classification … classifies the segment as either main content or noisy content" (3.2.6)."""
    source = f"<div>{LONG}<img></div><div><a href=x>A linked line</a></div>"
    assert text(source) == LONG.strip()
    assert text(source, ContentSeeker(classifier=without_images)) == "A linked line"


def test_a_block_is_graded_by_the_words_of_its_segment() -> None:
    page = Page("<div>one<p>two three</p></div><div><a href=x>four five</a></div><div hidden>six</div>")
    assert ContentSeeker().score(page).tolist() == [3.0, 3.0, 0.0, 0.0]


def test_where_all_is_noise_nothing_is_content() -> None:
    assert text("<div><a href=x>one</a></div>") == ""


@pytest.mark.parametrize(
    "wrong", [ContentSeeker(members=1), ContentSeeker(levels=-1), ContentSeeker(noise=2), ContentSeeker(largest=-1)]
)
def test_parameters_out_of_range_are_an_error(wrong: ContentSeeker) -> None:
    with pytest.raises(BadParameter):
        wrong(Page("<p>x"))
