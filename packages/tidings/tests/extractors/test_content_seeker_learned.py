"""The learned half of Content-Seeker: what can be a segment, and what becomes one (DANA thesis 3.2.6; Louvan 2009)."""

from __future__ import annotations

import numpy as np
import pytest

from tidings.errors import BadModel
from tidings.extractors.published.content_seeker import segments
from tidings.extractors.published.content_seeker_learned import (
    ContentSeekerLearned,
    SegmentClassifier,
    SegmentSelection,
    candidates,
    element_features,
    outermost,
    segment_features,
    segment_owners,
)
from tidings.page import Page
from tidings.page.columns import Ints

LONG = "The council voted on Tuesday to reopen the harbour bridge, which had been closed since the storm. " * 4
MENU = "<ul>" + "<li><a href=x>Topic of the day</a></li>" * 15 + "</ul>"


def names(page: Page, elements: Ints) -> list[str]:
    return [page.tag_names[tag] for tag in page.elements.tag[elements].tolist()]


def test_of_elements_with_the_same_text_the_innermost_can_be_a_segment() -> None:
    page = Page("<body><div><section><p>one two</p></section></div><div>three <p>four</p></div></body>")
    assert names(page, candidates(page)) == ["body", "p", "div", "p"]


def test_hidden_and_inline_elements_are_no_candidates() -> None:
    page = Page("<div hidden>no</div><div>yes <b>bold</b></div>")
    assert names(page, candidates(page)) == ["div"]


def test_the_outermost_of_the_chosen() -> None:
    page = Page("<div><p>one</p></div><section><p>two</p></section><p>three</p>")
    div, first, section, second, third = range(1, 6)
    found = outermost(page, np.array([div, first, second]))
    assert found.tolist() == [-1, div, div, -1, second, -1]
    assert outermost(page, np.zeros(0, np.int64)).tolist() == [-1] * 6
    assert names(page, np.array([section, third])) == ["section", "p"]


def test_text_in_no_good_element_belongs_to_the_nearest_that_could_be_one() -> None:
    page = Page("<body>a<div>b<p>c</p></div><p>d</p></body>")
    element = candidates(page)
    assert names(page, element) == ["body", "div", "p", "p"]
    good = np.array([False, True, True, False])
    found, row = segments(page, segment_owners(page, element, good))
    assert names(page, found.element) == ["body", "div", "p"]
    assert row.tolist() == [0, 1, 1, 2]
    assert found.words.tolist() == [1, 2, 1]


def test_features_of_an_element_are_of_all_that_is_in_it() -> None:
    """ "Number of images, number of frames, number of links, position in DOM tree …, number of stopwords" (3.2.6)."""
    source = "<body><div>the <a href=x>harbour</a><img><p>and <img> <iframe></iframe>bridge</p></div><p>x</p></body>"
    page = Page(source)
    div = candidates(page)[1:2]
    told = {name: column.item() for name, column in element_features(page, div).items()}
    assert names(page, div) == ["div"]
    counted = {
        name: round(float(np.expm1(told[name]))) for name in ("words", "links", "images", "frames", "stop_words")
    }
    assert counted == {"words": 4, "links": 1, "images": 2, "frames": 1, "stop_words": 2}
    assert told["link_share"] == 0.25
    assert told["share_of_page"] == 0.8
    assert told["depth"] == page.elements.depth[div[0]]
    assert told["is_div"]
    assert not told["is_p"]


def test_every_feature_has_a_row_for_each_segment() -> None:
    page = Page(f"<div>{MENU}</div><div>{LONG}</div>")
    found, _ = segments(page)
    columns = segment_features(page, found)
    assert {len(column) for column in columns.values()} == {len(found)}
    assert all(np.isfinite(np.asarray(column, np.float64)).all() for column in columns.values())


@pytest.mark.parametrize("by", SegmentClassifier)
def test_each_classifier_keeps_the_story_and_drops_the_menu(by: SegmentClassifier) -> None:
    page = Page(f"<body><nav>{MENU}</nav><article><p>{LONG}</p><p>{LONG}</p><p>{LONG}</p></article></body>")
    found = ContentSeekerLearned(classifier=by)(page).text(page)
    assert found.count("harbour") == 12
    assert "Topic" not in found


def test_the_heuristics_take_the_largest_of_what_is_content() -> None:
    page = Page(f"<body><div><p>{LONG}</p></div><section><div><p>{LONG}{LONG}</p></div></section></body>")
    everything = ContentSeekerLearned(selection=SegmentSelection.ALL)(page)
    assert ContentSeekerLearned(selection=SegmentSelection.LARGEST, levels=0)(page) <= everything


def test_a_block_is_graded_by_its_segment() -> None:
    page = Page(f"<nav>{MENU}</nav><article><p>{LONG}</p><p>{LONG}</p></article><p hidden>no</p>")
    scores = ContentSeekerLearned().score(page)
    assert len(scores) == len(page.blocks)
    assert scores[-1] == 0
    assert scores[15] > 0.5 > scores[0]


def test_weights_of_another_extractor_are_refused() -> None:
    with pytest.raises(BadModel):
        ContentSeekerLearned(model="no such file.npz")(Page("<p>x"))
