"""The largest text box, LBNEST's hybrid and correlation clustering, on boxes written by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tidings.errors import BadParameter
from tidings.extractors import extractor
from tidings.extractors.explain import name_of
from tidings.extractors.published.layout.boxes import boxes_of
from tidings.extractors.published.layout.choice import Choosing
from tidings.extractors.published.layout.correlation import LayoutCorrelation, backgrounds, sizes_of
from tidings.extractors.published.layout.figure import figure, size_of
from tidings.extractors.published.layout.lbnest import LayoutLBNEST, grown, same_column
from tidings.extractors.published.layout.text_box import LargestTextBox, text_areas
from tidings.extractors.published.lbnest import LBNEST
from tidings.page import Page

from .drawn import by_hand

MENU = (
    '<ul box="0 0 1000 60"><li box="0 0 1000 30"><a box="0 0 90 30" display="inline">Home</a>'
    '<li box="0 30 1000 30"><a box="0 30 90 30" display="inline">Sport</a></ul>'
)
HEAD = '<h1 box="0 100 600 40" type="32 700">Harbour bridge reopens</h1>'
FOOT = '<p box="0 1900 1000 40">The bridge of the harbour reopens: all rights of this sentence are reserved.</p>'


def paragraphs(top: float, count: int, text: str = "The harbour bridge reopens.", left: float = 0) -> str:
    return "".join(
        f'<p box="{left} {top + 60 * place} 600 50">{text} Cars crossed the harbour bridge again.</p>'
        for place in range(count)
    )


STORY = by_hand(
    f'<html box="0 0 1000 2000"><body box="0 0 1000 2000">{MENU}{HEAD}'
    f'<div box="0 150 600 640">{paragraphs(160, 6)}</div>'
    f'<aside box="650 150 350 300"><p box="650 150 350 100">Seals, walks and weather.</p></aside>{FOOT}</body></html>'
)


def element(page: Page, name: str, place: int = 0) -> int:
    return [one for one in range(len(page.elements)) if page.tag_names[page.elements.tag[one]] == name][place]


# -- the largest text box ------------------------------------------------------------------------------------


def test_a_line_counts_for_its_block_and_the_one_around_and_half_further_out() -> None:
    page = by_hand(
        '<body box="0 0 9 9"><main box="0 0 9 9"><div box="0 0 9 9">'
        '<p box="0 0 10 10">x<b box="0 0 5 2" display="inline">y</b></p>'
        '<p box="0 0 10 10"><a box="0 0 10 10" display="inline">only a link</a></p></div></main></body>'
    )
    areas = text_areas(page, boxes_of(page), 0.5)
    told = {page.tag_names[page.elements.tag[one]]: areas[one] for one in np.flatnonzero(areas)}
    assert told == {"p": 110, "div": 110, "main": 55, "body": 27.5}  # the line in bold is one of the paragraph's


def test_the_largest_box_away_from_the_corner() -> None:
    """LBNEST IV: the largest single visual block with text, its corner distant from (0, 0)."""
    found = LargestTextBox().choose(STORY)
    assert list(found.chosen) == [(0, 150, 600, 790)]
    assert found.spans.text(STORY).count("harbour bridge") == 12
    assert "rights" not in found.spans.text(STORY)
    assert "Seals" not in found.spans.text(STORY)
    assert "150 px from the page's corner" in found.reason
    assert (650.0, 150.0, 1000.0, 450.0) in found.candidates


def test_at_the_corner_the_whole_page_is_taken() -> None:
    """LBNEST IV: "the whole webpage will be sent to the DOM based technique"."""
    page = by_hand(f'<body box="0 0 1000 900"><div box="10 20 600 640">{paragraphs(30, 6)}</div>{FOOT}</body>')
    found = LargestTextBox().choose(page)
    assert not found.chosen
    assert "rights" in found.spans.text(page)
    assert "only 22 px" in found.reason
    assert LargestTextBox(corner=20)(page) != found.spans


def test_nothing_drawn_is_nothing_chosen() -> None:
    page = by_hand("<body><p>Nobody sees this.</p></body>")
    assert not LargestTextBox()(page)
    assert "nothing with text" in LargestTextBox().choose(page).reason


def test_boxes_off_the_page_and_of_any_size() -> None:
    """Negative coordinates are no distance from the corner; a huge box around everything is not the largest text."""
    page = by_hand(
        '<body box="-500000 -500000 1000000 1000000"><p box="-9999 -9999 10 10">Off the page.</p>'
        f'<div box="0 300 600 640">{paragraphs(300, 6)}</div></body>'
    )
    assert LargestTextBox().choose(page).chosen == ((0, 300, 600, 940),)


@pytest.mark.parametrize("wrong", [{"share": -0.1}, {"share": 1.5}, {"corner": -1.0}])
def test_parameters_out_of_range(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadParameter, match="share is"):
        LargestTextBox(**wrong)(STORY)


# -- the hybrid ----------------------------------------------------------------------------------------------


def test_the_dom_method_inside_the_box() -> None:
    """LBNEST VI.C: footers, which the DOM method alone takes for the story, do not come into it."""
    alone, hybrid = LBNEST()(STORY).text(STORY), LayoutLBNEST()(STORY).text(STORY)
    assert "rights" in alone
    assert "rights" not in hybrid
    assert hybrid.count("harbour bridge") == 12


def test_if_the_condition_fails_nothing_is_lost() -> None:
    """LBNEST IV: then the DOM method has the whole page."""
    page = by_hand(f'<body box="0 0 1000 900"><div box="0 0 600 640">{HEAD}{paragraphs(30, 6)}</div>{FOOT}</body>')
    found = LayoutLBNEST().choose(page)
    assert found.spans == LBNEST()(page)
    assert not found.chosen


def test_if_the_box_has_no_paragraph_nothing_is_lost() -> None:
    plain = "The harbour bridge reopens and this is no paragraph. " * 5
    page = by_hand(
        f'<body box="0 0 1000 900">{HEAD}<ul box="0 140 1000 400"><li box="0 140 1000 200">'
        f'<a box="0 140 1000 200" display="inline">Menu</a></ul>'
        f'<section box="0 600 600 700"><div box="0 600 600 700">{plain}</div></section>'
        f'<ol box="0 1300 1000 600"><li box="0 1300 1000 600"><a box="0 1300 1000 600" display="inline">Links</a></ol>'
        f"{FOOT}</body>"
    )
    found = LayoutLBNEST().choose(page)
    assert found.spans == LBNEST()(page)
    assert "no paragraph" in found.reason


def test_a_story_in_several_boxes_of_one_column() -> None:
    sections = "".join(
        f'<div box="0 {top} 600 400"><section box="0 {top} 600 400">{paragraphs(top, count)}</section></div>'
        for top, count in ((150, 6), (600, 4), (1000, 1))
    )
    teaser = f'<div box="650 150 300 400"><section box="650 150 300 400">{paragraphs(150, 5, left=650)}</section></div>'
    page = by_hand(f'<body box="0 0 1000 2000">{HEAD}{sections}{teaser}</body>')
    boxes = boxes_of(page)
    areas = text_areas(page, boxes, 0.5)
    largest = int(np.argmax(areas))
    found = same_column(boxes, areas, largest, 0.2)
    assert found.tolist() == [largest, element(page, "div", 1)]  # the third is too small, the teaser elsewhere


def test_a_box_grows_until_links_come_in() -> None:
    page = by_hand(
        '<body box="0 0 1000 2000"><main box="0 60 1000 1000"><article box="0 100 600 800">'
        f'<p box="0 100 600 40">A lead.</p><div box="0 150 600 640">{paragraphs(160, 6)}</div></article>'
        '<nav box="650 60 300 900"><a box="650 60 300 900" display="inline">links</a></nav></main></body>'
    )
    boxes, inner = boxes_of(page), element(page, "div")
    assert grown(page, boxes, np.array([inner]), 1.0, 50.0).tolist() == [element(page, "article")]
    assert grown(page, boxes, np.array([inner]), 20.0, 50.0).tolist() == [element(page, "main")]  # the body is a corner
    assert grown(page, boxes, np.array([inner]), 20.0, 0.0).tolist() == [element(page, "body")]


@pytest.mark.parametrize("wrong", [{"column": 0.0}, {"column": 2.0}, {"links": -1.0}])
def test_parameters_of_the_hybrid(wrong: dict[str, float]) -> None:
    with pytest.raises(BadParameter):
        replace(LayoutLBNEST(), **wrong)(STORY)  # type: ignore[arg-type]  # both are numbers


# -- correlation clustering ----------------------------------------------------------------------------------


def test_real_sizes_and_styles_are_compared() -> None:
    page = by_hand(
        '<body box="0 0 1000 900" back="white"><div box="0 0 600 90" back="navy"><p box="5 6 70 80" type="20 700">Seals'
        "</p></div></body>"
    )
    boxes = boxes_of(page)
    sizes, p = sizes_of(page, boxes), element(page, "p")
    assert (sizes.left[p], sizes.top[p], sizes.width[p], sizes.height[p]) == (5, 6, 70, 80)
    assert sizes.styles[p] == {
        "color": "black",
        "font-size": "20",
        "font-weight": "700",
        "font-family": "serif",
        "background-color": "navy",  # of the nearest element around it that has one
    }
    assert backgrounds(page, boxes)[element(page, "body")] == "white"


def test_alike_neighbours_are_the_story() -> None:
    found = LayoutCorrelation().choose(STORY)
    text = found.spans.text(STORY)
    assert text.count("harbour bridge") == 12
    assert "Home" not in text
    assert "Seals" not in text
    assert len(found.chosen) == 6
    assert "clusters" in found.reason
    assert not LayoutCorrelation()(by_hand("<body><p>Nobody sees this.</p></body>"))


# -- what all have -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["layout-largest", "layout-lbnest", "layout-vips", "layout-correlation"])
def test_each_is_known_by_its_name_and_tells_its_choice(name: str) -> None:
    method = extractor(name)
    assert isinstance(method, Choosing)
    assert name_of(method) == name
    found = method.choose(STORY)
    assert found.spans == method(STORY)
    assert found.spans.text(STORY).count("harbour bridge") == 12
    assert all(left <= right and top <= bottom for left, top, right, bottom in (*found.chosen, *found.candidates))


def test_layout_methods_work_in_combinations() -> None:
    vote = extractor("vote(layout-largest, layout-vips, layout-correlation)")
    assert vote(STORY).text(STORY).count("harbour bridge") == 12
    assert extractor("layout-vips(share=0.5)") != extractor("layout-vips")


# -- the figure ----------------------------------------------------------------------------------------------

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (1280).to_bytes(4) + (900).to_bytes(4)


def test_the_figure_shows_boxes_and_corner() -> None:
    """LBNEST, figures 1 and 2."""
    drawn = figure(LargestTextBox().choose(STORY), "layout-largest", PNG, 'A "page" <b>')
    assert size_of(PNG) == (1280, 900)
    assert 'width="600.0" height="640.0"' in drawn  # the chosen box
    assert ">150 px<" in drawn
    assert "A &quot;page&quot; &lt;b&gt;" in drawn
    assert "data:image/png;base64,iVBOR" in drawn


def test_a_figure_without_a_box_or_a_picture() -> None:
    nothing = LargestTextBox().choose(by_hand("<body><p>Nobody sees this.</p></body>"))
    assert "<rect" not in figure(nothing, "layout-largest", PNG)
    assert size_of(b"GIF89a") == (0, 0)
    assert "<svg" in figure(nothing, "layout-largest", b"")
