"""BTE: the equation of the thesis (3.3), reached in linear time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.extractors import extractor
from tidings.extractors.published.bte import BTE, best_stretch, tokens
from tidings.page import Page, Spans
from tidings.page.columns import Ints

Row = list[int]  # the token vector B of the thesis: 1 for a tag, 0 for a word
rows = st.lists(st.integers(0, 1), min_size=1, max_size=14)
MENU = "<ul>" + "<li><a href=x>item</a></li>" * 10 + "</ul>"


def equation(row: Row, i: int, j: int) -> int:
    """T(i, j), eq. 3.3: tags before i, words from i to j, tags behind j."""
    return sum(row[:i]) + sum(1 - token for token in row[i : j + 1]) + sum(row[j + 1 :])


def cubic(row: Row) -> tuple[int, int]:
    """Every i and j tried; of equals the earliest, then the longest."""
    pairs = [(i, j) for i in range(len(row)) for j in range(i, len(row))]
    return max(pairs, key=lambda pair: (equation(row, *pair), -pair[0], pair[1]))


def algorithm_5(row: Row) -> tuple[int, int]:
    """The thesis's pseudo-code, which counts a tag at i or at j on both sides."""
    best, found = 0, (0, len(row) - 1)
    for i in range(len(row)):
        for j in range(i, len(row)):
            value = sum(row[: i + 1]) + sum(row[j:]) + sum(1 - token for token in row[i : j + 1])
            if value > best:
                best, found = value, (i, j)
    return found


def places(row: Row) -> Ints:
    return np.flatnonzero(np.array(row) == 0)


def page_of(row: Row) -> Page:
    return Page(" ".join("<i>" if token else "word" for token in row) + "<!-- -->")


@given(rows.filter(lambda row: 0 in row))
def test_linear_time_reaches_the_maximum_of_equation_3_3(row: Row) -> None:
    """Thesis 3.3.1.1, eq. 3.3; SPEC 2, row BTE."""
    first, last = best_stretch(places(row))
    assert (places(row)[first], places(row)[last]) == cubic(row)


@given(rows)
def test_the_tokens_of_a_page_are_its_tags_and_words(row: Row) -> None:
    assert tokens(page_of(row)).is_tag().tolist() == [bool(token) for token in row]


@given(rows.filter(lambda row: 0 in row))
def test_the_text_is_the_words_of_the_best_stretch(row: Row) -> None:
    page = page_of(row)
    i, j = cubic(row)
    assert BTE()(page).words(page) == ["word"] * row[i : j + 1].count(0)


def test_the_equation_is_followed_and_not_algorithm_5() -> None:
    """Algorithm 5 counts a tag at i as before i and as behind j, and so takes a lone tag here and no word."""
    row = [1, 0, 1]
    assert algorithm_5(row) == (0, 0)
    assert [equation(row, 0, 0), equation(row, 1, 1)] == [1, 3]
    assert cubic(row) == (1, 1)
    assert best_stretch(places(row)) == (0, 0)  # the first word is token 1


def test_of_equals_the_earliest_then_the_longest() -> None:
    """SPEC 2, row BTE."""
    assert best_stretch(places([0, 0, 1, 1, 1, 0, 0])) == (0, 1)
    assert best_stretch(places([0, 0, 1, 0, 1, 1])) == (0, 2)
    assert best_stretch(places([0, 1, 0, 1, 1, 0])) == (0, 1)


def test_comments_scripts_and_styles_are_no_tokens() -> None:
    page = Page("<!DOCTYPE html><p>one <!-- two --> three<script>four</script><style>five {}</style> six</p>")
    assert tokens(page).is_tag().tolist() == [True, False, False, False, True]


def test_hidden_words_are_no_tokens() -> None:
    page = Page("<div hidden>" + "unseen " * 50 + "</div><p>to be seen</p>")
    assert len(tokens(page).place) == 3
    assert BTE()(page).text(page) == "to be seen"


def test_the_stretch_with_few_tags_in_it_is_found_among_menus() -> None:
    """Thesis 3.3.1.1: many text tokens in the zone, more tags before and behind it."""
    page = Page(f"{MENU}<h1>A head line</h1><p>{'Word ' * 60}<b>bold</b> end.</p>{MENU}")
    assert BTE()(page).text(page) == "A head line\n" + "Word " * 60 + "bold end."


def test_of_a_story_in_several_parts_one_is_found() -> None:
    """Thesis 3.3.1.1, the main drawback: only the part for which eq. 3.3 is greater."""
    page = Page(f"<p>{'first ' * 40}</p>{MENU * 4}<p>{'second ' * 50}</p>")
    assert set(BTE()(page).words(page)) == {"second"}


def test_a_story_with_few_tags_between_its_parts_is_found_whole() -> None:
    page = Page(f"<p>{'first ' * 40}</p><figure><img src=x></figure><p>{'second ' * 50}</p>{MENU}")
    assert set(BTE()(page).words(page)) == {"first", "second"}


def test_without_a_word_there_is_nothing() -> None:
    for source in ("<p></p>", "<p>—</p>", "<!-- only -->", "<script>x</script>"):
        page = Page(source)
        assert not BTE()(page)
        assert not BTE().score(page).any()
        assert len(BTE().picture(page).series[0][1]) == tokens(page).size


def test_part_of_a_page() -> None:
    page = Page(f"<p>{'first ' * 40}</p>{MENU}<p>{'second ' * 50}</p>")
    part = Spans.of([(0, 100)], len(page.text))
    assert BTE()(page.within(part)) <= part
    assert BTE()(page.within(part)).text(page) == ("first " * 40)[:100]
    assert not BTE()(page.within(Spans.none(len(page.text))))


def test_blocks_in_the_stretch_score_one_and_the_others_less() -> None:
    page = Page(f"{MENU}<p>{'word ' * 60}</p>{MENU}")
    inside = BTE()(page).blocks(page)
    scores = BTE().score(page)
    assert scores[inside] == pytest.approx(1.0)
    assert (scores[~inside] < 1.0).all()


def test_the_picture_is_figure_3_5() -> None:
    """The number of tags never falls, and the curve is flatter in the selected part than elsewhere."""
    picture = BTE().picture(Page(f"{MENU}<p>{'word ' * 60}</p>{MENU}"))
    curve = picture.series[0][1]
    assert picture.chosen is not None
    assert (np.diff(curve) >= 0).all()
    assert np.diff(curve)[picture.chosen[1:]].mean() < np.diff(curve).mean()


def test_it_is_registered() -> None:
    assert extractor("bte") == BTE()
