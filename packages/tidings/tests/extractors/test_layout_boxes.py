"""What a browser drew, carried by a page: every box at its element, whatever comes back from the browser."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.errors import NoLayout
from tidings.extractors.published.layout.boxes import boxes_of, drawn_text
from tidings.extractors.published.layout.collector import FARTHEST, MOST, collector, measured, new_mark
from tidings.page import Page

from .drawn import by_hand

MARK = "data-tidings-0123456789abcdef"
BLACK = [16, 400, "serif", "rgb(0, 0, 0)", "", "block", "static"]


def value(html: str, count: int, **changed: Any) -> dict[str, Any]:
    """Return the answer of the browser for a page of `count` boxes, each one pixel further down."""
    rows = [float(place) for place in range(count)]
    names = ("left", "top", "width", "height", "ink", "text_left", "text_top", "text_right", "text_bottom")
    columns: dict[str, list[Any]] = {name: list(rows) for name in names} | {"style": [0] * count}
    return {"html": html, "columns": columns, "styles": [BLACK], "over": 0, "width": 1280, "height": 900} | changed


def test_each_box_is_at_its_element_and_the_marks_are_gone() -> None:
    inside = f'<p class="a > b" {MARK}="3">One<b {MARK}="2">two</b></p><i>no</i>'
    html = f'<html {MARK}="0"><body {MARK}="1">{inside}</body></html>'
    page = measured(value(html, 4), MARK, "http://example.org/")
    assert page.source == '<html><body><p class="a > b">One<b>two</b></p><i>no</i></body></html>'
    assert page.url == "http://example.org/"
    boxes = boxes_of(page)
    names = [page.tag_names[tag] for tag in page.elements.tag]
    assert [(name, top) for name, top, drawn in zip(names, boxes.top, boxes.drawn, strict=True) if drawn] == [
        ("html", 0),
        ("body", 1),
        ("p", 3),
        ("b", 2),
    ]
    assert boxes.right.tolist() == (boxes.left * 2).tolist()  # as wide as it is far to the left


def test_marks_survive_what_a_parser_makes_of_the_html() -> None:
    """Scripts nest what no parser would; numbers in order would slip, marks do not."""
    inside = f'<p {MARK}="2"><p {MARK}="3">x</p></p><svg {MARK}="4"><g {MARK}="5"></g></svg><u {MARK}="6">y</u>'
    html = f'<html {MARK}="0"><body {MARK}="1">{inside}'
    boxes = boxes_of(page := measured(value(html, 7), MARK))
    drawn = {page.tag_names[page.elements.tag[one]]: boxes.top[one] for one in np.flatnonzero(boxes.drawn)}
    assert drawn == {"html": 0, "body": 1, "p": 3, "svg": 4, "u": 6}


def test_a_mark_in_the_text_of_a_page_is_another_mark() -> None:
    html = f'<html {MARK}="0"><body><script>"<p data-tidings-feed=\\"0\\">"</script><p {MARK}="1">x</p>'
    page = measured(value(html, 2), MARK)
    assert "data-tidings-feed" in page.source
    assert boxes_of(page).drawn.sum() == 2
    assert new_mark() != new_mark()
    assert MARK in collector(MARK)


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        "text",
        {},
        value("<html>", 0),
        value(f'<html {MARK}="0">', 1, styles=[]),
        value(f'<html {MARK}="0">', 1, styles=[["x"]]),
        value(f'<html {MARK}="0">', 1, styles=[[None] * 7], over=None),
        value(f'<html {MARK}="0">', 1, columns={}),
        value(f'<html {MARK}="0">', 1, columns={"left": 1}),
        value(f'<html {MARK}="7">', 1),
        value(f'<html {MARK}="0">', 1) | {"html": None},
    ],
)
def test_a_page_that_lies_has_no_layout(answer: Any) -> None:
    with pytest.raises(NoLayout, match="was shown, but"):
        measured(answer, MARK)


def test_columns_of_different_length_are_no_layout() -> None:
    told = value(f'<html {MARK}="0"><p {MARK}="1">x', 2)
    told["columns"]["top"].pop()
    with pytest.raises(NoLayout):
        measured(told, MARK)


@given(st.lists(st.one_of(st.floats(), st.integers(), st.none(), st.text(max_size=3)), min_size=3, max_size=3))
def test_whatever_the_numbers_are_the_boxes_are_bounded(numbers: list[Any]) -> None:
    told = value(f'<html {MARK}="0"><body {MARK}="1"><p {MARK}="2">x', 3)
    for name in told["columns"]:
        if name != "style":
            told["columns"][name] = numbers
    boxes = boxes_of(measured(told, MARK))
    for column in (boxes.left, boxes.top, boxes.ink):
        assert np.isfinite(column).all()
        assert np.abs(column).max() <= FARTHEST
    assert np.isfinite(boxes.area).all()


def test_no_more_boxes_than_the_cap() -> None:
    html = f'<html {MARK}="0">' + "".join(f'<p {MARK}="{place}">x</p>' for place in range(1, MOST + 500))
    told = value(html, MOST, over=499)
    page = measured(told, MARK)
    assert page.hints.layout is not None
    assert len(page.hints.layout) == MOST
    assert page.hints.layout.left_out == 499


def test_lone_surrogates_move_no_box() -> None:
    html = f'<html {MARK}="0"><body {MARK}="1"><p>\ud800 and \U0001f9ad</p><b {MARK}="2">x</b>'
    boxes = boxes_of(page := measured(value(html, 3), MARK))
    assert [page.tag_names[page.elements.tag[one]] for one in np.flatnonzero(boxes.drawn)] == ["html", "body", "b"]


def test_the_layout_travels_with_the_page_and_its_parts() -> None:
    page = by_hand('<body box="0 0 1000 900"><p box="10 100 500 40">Seals</p><div>nobody sees this</div>')
    again = pickle.loads(pickle.dumps(page))  # noqa: S301  # our own bytes
    for one in (page, again, page.within(page.scope)):
        boxes = boxes_of(one)
        assert boxes.corner(2) == pytest.approx(100.5, abs=0.1)
        assert boxes.inside(boxes.ink)[1] == 500 * 40
        assert drawn_text(one, boxes).text(one) == "Seals"


def test_a_page_without_a_layout_says_so() -> None:
    with pytest.raises(NoLayout, match="this page has none"):
        boxes_of(Page("<p>Seals</p>"))


def test_what_lies_over_the_page_is_not_part_of_it() -> None:
    """Questions about cookies stay where they are when the page is moved; a page that is one such box is kept."""
    question = '<div box="0 700 1000 {height}" position="fixed"><p box="0 700 1000 {height}">Cookies?</p></div>'
    page, whole = (
        by_hand(f'<body box="0 0 1000 900"><p box="0 100 500 40">Seals</p>{question.format(height=height)}')
        for height in (20, 200)
    )
    assert drawn_text(page, boxes_of(page)).text(page) == "Seals"
    assert drawn_text(whole, boxes_of(whole)).text(whole) == "Seals\nCookies?"
