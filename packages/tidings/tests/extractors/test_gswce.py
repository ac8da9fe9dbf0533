"""Gaussian smoothing over the node list (DANA thesis 3.2.8; Liu and Liao 2011)."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

from tidings.errors import BadParameter
from tidings.extractors.published.gswce import GSWCE, longest, smooth
from tidings.page import Page, tags

STORY = "".join(f"<p>{'The council voted on Tuesday to reopen the bridge. ' * 4}</p>" for _ in range(4))
MENU = "<ul>" + "<li><a href=x>Topic</a></li>" * 30 + "</ul>"
ARTICLE = (
    f"<head><title>Bridge reopens after storm - The Gazette</title></head><body>{MENU}<div><h1>Bridge reopens after "
    f"storm</h1><span>27 November 2013</span><div>{STORY}</div></div>{MENU}<div>Printed 1 January 1999</div></body>"
)


def test_tokens_are_tags_and_words_in_the_order_of_the_tree() -> None:
    """Figure 3.4, rows DNL and TL: nodes in preorder, a node's tag once."""
    page = Page("<div><p>one two</p><b>three</b></div>four")
    assert GSWCE().tokens(page).tolist() == [-1, -1, 0, 0, -1, 1, 2]


def test_before_smoothing_tags_are_0_and_words_1() -> None:
    """Figure 3.4, row RS: "tag tokens incorporate zero values, while text tokens show unit values"."""
    plain = GSWCE(iterations=0)
    assert plain.ratios(plain.tokens(Page("<div><p>one two</p></div>"))).tolist() == [0, 0, 1, 1]


def test_scripts_styles_and_hidden_words_are_no_tokens() -> None:
    page = Page("<style>p{}</style><p>one <b hidden>two three</b></p><script>x</script>")
    assert GSWCE().tokens(page).tolist() == [-1, 0, -1]


def test_one_round_of_smoothing_by_hand() -> None:
    """A Gaussian that ends at two standard deviations, here one token to either side."""
    side = exp(-2)
    total = 1 + 2 * side
    assert smooth(np.array([0.0, 1.0, 0.0, 1.0]), 1, 1).tolist() == [
        pytest.approx(one / total) for one in (side, 1, 2 * side, 1)
    ]


def test_smoothing_keeps_the_length_even_of_short_lists() -> None:
    for size in (0, 1, 3, 80, 81, 200):
        assert len(smooth(np.ones(size), 40, 3)) == size


def test_a_tag_among_words_gains_and_a_word_among_tags_loses() -> None:
    """ "Tag tokens are significantly important once surrounded by the text tokens … text tokens surrounded by the tag
    tokens are of little importance" (3.2.8).
    """
    words, tag_tokens = np.ones(41), np.zeros(41)
    words[20], tag_tokens[20] = 0.0, 1.0
    assert smooth(words, 10, 3)[20] > 0.9
    assert smooth(tag_tokens, 10, 3)[20] < 0.1


@pytest.mark.parametrize(
    ("flags", "expected"), [("", (0, 0)), ("...", (0, 0)), ("##.##", (0, 2)), (".#.###.##", (3, 6)), ("####", (0, 4))]
)
def test_the_longest_sequence_is_the_first_of_the_longest(flags: str, expected: tuple[int, int]) -> None:
    assert longest(np.array([flag == "#" for flag in flags], np.bool_)) == expected


def test_the_base_node_is_the_smallest_element_with_the_whole_sequence() -> None:
    page = Page(ARTICLE)
    base = GSWCE(reach=5, iterations=1).base_node(page)
    assert base is not None
    assert page.elements.tag[base] == tags.NUMBERS["div"]
    assert page.text[page.runs.text_start[page.elements.first[base]] :].startswith("The council")


def test_the_content_is_in_the_nearest_container_around_the_base_node() -> None:
    """ "PC for most web pages is included in <p>, <tr>, <td> or <div> tags" (3.2.8)."""
    words = "word " * 200
    for name in ("p", "td", "div"):
        page = Page(f"<table><tr><td><div>Aside <{name}>first <b><i>{words}</i></b> last</{name}></div></table>")
        assert GSWCE()(page).text(page) == f"first {words.strip()} last"
    page = Page(f"<div>Aside <section>first <b>{words}</b></section></div>")
    assert GSWCE()(page).text(page).startswith("Aside")


def test_menus_around_an_article_are_left_out() -> None:
    page = Page(ARTICLE)
    found = GSWCE()(page).text(page)
    assert "The council" in found
    assert "Topic" not in found


def test_without_a_word_above_the_threshold_there_is_no_content() -> None:
    page = Page(MENU)
    assert GSWCE().base_node(page) is None
    assert not GSWCE()(page)


def test_title_and_date() -> None:
    """ "This algorithm has also provided the ability to identify title and published date" (3.2.8)."""
    page = Page(ARTICLE)
    assert GSWCE().title(page).text(page) == "Bridge reopens after storm"
    assert GSWCE().date(page).text(page) == "27 November 2013"


@pytest.mark.parametrize(
    "day",
    [
        "2013-11-27",
        "27.11.2013",
        "11/27/2013",
        "27. November 2013",
        "November 27th, 2013",
        "27 نوفمبر 2013",
        "2013年11月27日",
    ],
)
def test_dates_in_many_hands(day: str) -> None:
    page = Page(ARTICLE.replace("27 November 2013", f"Published {day} by us"))
    assert GSWCE().date(page).text(page) == day


def test_no_title_element_and_no_date() -> None:
    page = Page(f"<p>{'word ' * 100}</p>")
    assert not GSWCE().title(page)
    assert not GSWCE().date(page)


def test_the_date_behind_the_title_comes_before_any_other() -> None:
    page = Page(ARTICLE.replace("<body>", "<body><p>Today is 2 February 2022</p>"))
    assert GSWCE().date(page).text(page) == "27 November 2013"


def test_the_first_of_two_titles() -> None:
    page = Page(ARTICLE + "<p>Bridge reopens after storm</p>")
    assert GSWCE().title(page).starts[0] == page.text.index("Bridge")


def test_a_hidden_date_is_not_seen() -> None:
    page = Page(ARTICLE.replace("<span>", "<span hidden>"))
    assert GSWCE().date(page).text(page) == "1 January 1999"


def test_a_block_is_graded_by_the_mean_of_its_words() -> None:
    page = Page(ARTICLE)
    score = GSWCE().score(page)
    assert score.max() <= 1
    assert score[page.blocks.words > 30].min() > GSWCE().threshold > score[:25].max()


def test_the_picture_shows_the_sequence_before_and_after() -> None:
    """Figure 3.4: ratio sequence, smoothed ratio sequence, potential content."""
    page = Page(ARTICLE)
    picture = GSWCE().picture(page)
    (_, ratio), (_, smoothed) = picture.series
    assert len(ratio) == len(smoothed) == len(GSWCE().tokens(page))
    assert picture.chosen is not None
    assert picture.chosen.sum() > 100
    assert (smoothed[picture.chosen] > 0.75).all()


@pytest.mark.parametrize("wrong", [GSWCE(reach=-1), GSWCE(iterations=-1)])
def test_parameters_out_of_range_are_an_error(wrong: GSWCE) -> None:
    with pytest.raises(BadParameter):
        wrong(Page("<p>x"))
