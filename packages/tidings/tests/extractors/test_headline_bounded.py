"""Headline-bounded: an inner result cut above the headline and below the subtree of the story."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scores import word_score
from tidings import newspaper
from tidings.extractors.combine import Everything
from tidings.extractors.published.dana import AdDANAg
from tidings.extractors.published.headline_bounded import HeadlineBounded, smallest_subtree
from tidings.fields.titles.title_finder import Form
from tidings.page import Page, Spans

STORY = "<p>The harbour carried cars again on Tuesday, the council said.</p><p>Engineers had closed it in spring.</p>"


@dataclass(frozen=True)
class Starting:
    """Keeps the blocks that begin with one of these."""

    starts: tuple[str, ...]

    def __call__(self, page: Page, /) -> Spans:
        begin = page.blocks.text_start.tolist()
        return Spans.of_blocks(page, np.array([page.text.startswith(self.starts, place) for place in begin], np.bool_))


def page(body: str, title: str = "Bridge reopens - Gazette") -> Page:
    return Page(f'<html lang="en"><title>{title}</title><body>{body}</html>')


def test_cut_above_the_headline() -> None:
    """DANA thesis 7.2.1: "the headline of each web page can be taken as the upper limit"."""
    document = page(f"<p>Menu</p><p>Weather</p><h1>Bridge reopens</h1>{STORY}")
    found = HeadlineBounded(Everything())(document).text(document).split("\n")
    assert found[0] == "Bridge reopens"
    assert len(found) == 3


def test_cut_below_by_the_smallest_subtree() -> None:
    """DANA thesis 7.2.1: the story is a subtree, "the smallest sub-tree … which contains headlines" ends it."""
    story = f"<article><h1>Bridge reopens</h1><div>{STORY}</div><p>Corrected at noon</p></article>"
    document = page(f"<p>Menu</p>{story}<footer><p>Imprint</p></footer>")
    inner = Starting(("Menu", "The harbour", "Corrected", "Imprint"))
    assert inner(document).text(document).split("\n")[-1] == "Imprint"
    found = HeadlineBounded(inner)(document).text(document).split("\n")
    assert found == ["The harbour carried cars again on Tuesday, the council said.", "Corrected at noon"]


def test_subtree_ends_with_the_largest_region() -> None:
    document = page(f"<article><h1>Bridge reopens</h1>{STORY}</article><p>Weather</p><p>Imprint</p>")
    found = HeadlineBounded(Starting(("The", "Engineers", "Imprint")))(document).text(document)
    assert found.endswith("in spring.")


def test_subtree_reaches_up_to_the_largest_region() -> None:
    """Headline and story in different boxes: the subtree is the one around both."""
    body = f"<main><header><h1>Bridge reopens</h1><p>By us</p></header><div>{STORY}</div></main><p>Imprint</p>"
    document = page(body)
    found = HeadlineBounded(Starting(("By", "The", "Imprint")))(document).text(document)
    assert found.startswith("By us")
    assert "harbour" in found
    assert "Imprint" not in found


@pytest.mark.parametrize("title", ["", "Zeitung"])
def test_without_a_headline_nothing_is_cut(title: str) -> None:
    document = page(f"<p>Menu</p><h1>Bridge reopens</h1>{STORY}", title)
    assert HeadlineBounded(Everything())(document) == document.visible


def test_line_below_the_story_is_no_upper_limit() -> None:
    """The title again at the foot must not take the story away."""
    document = page(f"<p>Menu</p>{STORY}<p>Bridge reopens</p>")
    assert HeadlineBounded(Everything())(document) == document.visible


def test_any_form_of_headline() -> None:
    document = page(f"<h2>Menu</h2><h1>Harbour news</h1>{STORY}", "Menu")
    assert HeadlineBounded(Everything())(document).text(document).startswith("Menu")
    bounded = HeadlineBounded(Everything(), Form.LARGEST_HEADING)
    assert bounded(document).text(document).startswith("Harbour news")


def test_adds_nothing_to_an_empty_result() -> None:
    document = page(f"<h1>Bridge reopens</h1>{STORY}")
    assert not HeadlineBounded(Starting(("nowhere",)))(document)


def test_around_addanag_by_default() -> None:
    assert HeadlineBounded().inner == AdDANAg()


@pytest.mark.parametrize(
    ("first", "last", "tag"),
    [(0, 0, "h1"), (0, 1, "header"), (0, 2, "main"), (2, 1, "main"), (2, 3, "div"), (0, 4, "body")],
)
def test_smallest_subtree(first: int, last: int, tag: str) -> None:
    document = page("<main><header><h1>0</h1><p>1</p></header><div><p>2</p><p>3</p></div></main><p>4</p>")
    element = smallest_subtree(document, first, last)
    assert document.tag_names[document.elements.tag[element]] == tag


@given(
    st.lists(
        st.sampled_from(
            ["<div>", "</div>", "<h1>Bridge reopens</h1>", "<p>Rain.", "<p>" + "Bridge and ferry. " * 9, "<a>"]
        ),
        max_size=20,
    )
)
def test_never_more_than_the_inner_result(parts: list[str]) -> None:
    document = page("x" + "".join(parts))
    for inner in (Everything(), AdDANAg()):
        assert HeadlineBounded(inner)(document) <= inner(document)


def test_newspaper() -> None:
    """DANA thesis 7.2.1 expects a gain: mean word F1 on the articles 0.75, of AdDANAg alone 0.69."""
    alone, bounded = [], []
    for sample in newspaper.pages(page_type="article"):
        document = Page(sample.html, sample.url)
        alone.append(word_score(AdDANAg()(document).text(document), sample.gold["text"]).f1)
        bounded.append(word_score(HeadlineBounded()(document).text(document), sample.gold["text"]).f1)
    assert np.mean(bounded) > np.mean(alone) + 0.04
