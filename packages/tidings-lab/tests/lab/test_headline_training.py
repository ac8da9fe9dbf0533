"""Learning the weights of the headline's choice (`tidings_lab.learners.headline`)."""

from __future__ import annotations

import pytest

from tidings.fields.titles.choice import choose
from tidings.page import Page
from tidings_lab.learners.headline import HeadlineLesson, accuracy, lesson, train

STORY = "<p>After two years the harbour carries cars again.</p>" * 3


def taught(count: int, right: str = "Bridge reopens {}") -> list[HeadlineLesson]:
    """Pages on which the h1 is right and the title element, which differs, is wrong."""
    lessons = []
    for at in range(count):
        page = Page(f"<title>Other words {at}</title><h1>Bridge reopens {at}</h1>{STORY}")
        one = lesson(page, right.format(at))
        assert one is not None
        lessons.append(one)
    return lessons


def test_learns_whom_to_believe() -> None:
    weights = train(taught(20))
    assert weights["h1"] > 0 > weights["title"]
    assert accuracy(taught(3), weights) == 1


def test_learns_the_contrary_from_the_contrary() -> None:
    weights = train(taught(20, "Other words {}"))
    assert weights["title"] > 0 > weights["h1"]


def test_pages_that_agree_are_no_lessons() -> None:
    page = Page(f'<meta property="og:title" content="Bridge"><h1>Bridge</h1>{STORY}')
    assert lesson(page, "Bridge") is None


def test_nothing_right_teaches_nothing() -> None:
    assert train(taught(3, "Nowhere on the page {}")) == {}
    assert accuracy([], {}) == 0


def test_the_same_lessons_give_the_same_weights() -> None:
    assert train(taught(5)) == train(taught(5))


def test_a_weight_counts_like_so_many_pages() -> None:
    one = taught(1)[0]
    heavy = HeadlineLesson(one.candidates, one.rows, one.right, weight=3.0)
    assert train([heavy]) == pytest.approx(train([one] * 3), abs=0.01)


def test_a_stronger_penalty_gives_smaller_weights() -> None:
    lessons = taught(5)
    assert abs(train(lessons, penalty=100.0)["h1"]) < abs(train(lessons, penalty=1.0)["h1"])


def test_ties_go_to_the_first() -> None:
    one = taught(1)[0]
    assert choose(list(one.candidates), list(one.rows), {}) is one.candidates[0]
