"""Shallow text features and the two-feature rule (DANA thesis 3.3.2.1; Kohlschütter et al. 2010)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.extractors.published.shallow import Shallow2, ShallowRule, decide
from tidings.extractors.published.shallow_features import WIDTH, features, wrapped
from tidings.page import Page
from tidings.page.counts import words_before


def words(count: int) -> str:
    return " ".join(["word"] * count)


def feature(name: str, source: str, block: int = 0) -> float:
    return float(features(Page(source))[name][block])


# -- features ---------------------------------------------------------------------------------------------------


def test_link_density_is_the_share_of_words_in_links() -> None:
    """ "The number of tokens within an <a> tag divided by the total number of tokens in the block" (3.3.2.1)."""
    source = "<p>one two <a href=x>three</a> four</p>"
    assert feature("words", source) == 4
    assert feature("link_density", source) == 0.25


def test_average_lengths() -> None:
    source = "<p>Be it so. It is not 3.5 or more.</p>"
    assert feature("words", source) == 10  # 3.5 is two
    assert feature("sentence_length", source) == 10 / 2
    assert feature("word_length", "<p>abc de, f</p>") == (3 + 3 + 1) / 3


def test_capitals_full_stops_dates_and_bars() -> None:
    """The heuristic features of 3.3.2.1: upper case, full stops, date and time tokens, vertical bars."""
    source = "<p>NATO and the EU met. A | Tuesday, 27 November 2013 at 10:30 | I go</p>"
    assert feature("capitalised", source) == 6  # NATO, EU, A, Tuesday, November, I
    assert feature("upper_case", source) == 2  # NATO, EU
    assert feature("full_stops", source) == 1
    assert feature("dates", source) == 3  # November, 2013, 10:30
    assert feature("bars", source) == 2
    assert feature("capitalised_share", source) == 6 / feature("words", source)


def test_the_element_around_a_block() -> None:
    """ "The presence of a particular headline tag, a paragraph tag <P>, a division tag <DIV>" (3.3.2.1)."""
    found = features(Page("<h2>one</h2><div>two<p>three</p></div>"))
    assert found["in_h2"].tolist() == [1, 0, 0]
    assert found["in_div"].tolist() == [0, 1, 0]
    assert found["in_p"].tolist() == [0, 0, 1]


def test_position_and_neighbours() -> None:
    """ "The absolute and relative position of a text block" (3.3.2.1); hidden blocks are no neighbours."""
    found = features(Page("<p>one</p><p hidden>no no no</p><p>two words</p><p>three words here</p>"))
    assert found["words"].tolist() == [1, 0, 2, 3]
    assert found["prev_words"].tolist() == [0, 0, 1, 2]
    assert found["next_words"].tolist() == [2, 0, 3, 0]
    assert found["position"].tolist() == [0, 0, 1, 2]
    assert found["relative_position"].tolist() == [0, 0, 0.5, 1]


def test_every_column_has_a_row_for_each_block() -> None:
    for source in ("<!-- nothing -->", "x", "<p>one<p>two | 3<p><a href=x>四五</a>"):
        page = Page(source)
        found = features(page)
        assert {len(column) for column in found.values()} == {len(page.blocks)}
        assert all(column.dtype == np.float64 and np.isfinite(column).all() for column in found.values())


# -- text density -----------------------------------------------------------------------------------------------


def test_text_density_is_words_for_each_full_line() -> None:
    """16 words of 4 letters, with spaces, fill 80 columns; 40 words fill two lines and part of a third."""
    assert feature("text_density", f"<p>{words(10)}</p>") == 10  # a single line counts as it is
    assert feature("text_density", f"<p>{words(16)}</p>") == 16
    assert feature("text_density", f"<p>{words(17)}</p>") == 16  # the rest of one word does not count
    assert feature("text_density", f"<p>{words(40)}</p>") == 16


def wrapped_one_by_one(text: str) -> tuple[int, int]:
    """Full lines and the words on them, word by word, as the publication describes it."""
    lines = on_lines = on_this = column = 0
    for word in text.split():
        length = len(word)
        if column and column + 1 + length > WIDTH:
            lines, on_lines, on_this, column = lines + 1, on_lines + on_this, 0, 0
        column += length + (column > 0)
        on_this += 1
    return (lines, on_lines) if lines else (1, on_this)


@given(st.lists(st.integers(1, 100), min_size=1, max_size=120))
def test_wrapping_all_blocks_at_once_is_wrapping_them_word_by_word(lengths: list[int]) -> None:
    texts = [" ".join("x" * length for length in lengths), " ".join("y" * length for length in reversed(lengths))]
    page = Page("".join(f"<p>{text}</p>" for text in texts))
    lines, on_lines = wrapped(page, words_before(page.text_codes))
    assert [*zip(lines.tolist(), on_lines.tolist(), strict=True)] == [wrapped_one_by_one(text) for text in texts]


# -- the rules --------------------------------------------------------------------------------------------------


def decided(rule: ShallowRule, **columns: float) -> bool:
    names = ("words", "text_density", "link_density")
    row = {place + name: 0.0 for name in names for place in ("", "prev_", "next_")} | columns
    return bool(decide({name: np.array([value]) for name, value in row.items()}, rule)[0])


@pytest.mark.parametrize(
    ("link", "previous_link", "count", "following", "previous", "content"),
    [
        (0.333333, 0, 17, 0, 0, True),
        (0.34, 0, 100, 100, 100, False),
        (0, 0.555556, 16, 15, 4, False),
        (0, 0.555556, 16, 15, 5, True),
        (0, 0.555556, 16, 16, 0, True),
        (0, 0.555556, 17, 0, 0, True),
        (0, 0.56, 40, 17, 100, False),
        (0, 0.56, 40, 18, 0, True),
        (0, 0.56, 41, 0, 0, True),
    ],
)
def test_each_branch_of_the_tree_on_words(
    link: float, previous_link: float, count: int, following: int, previous: int, content: bool
) -> None:
    """The publication's tree on number of words and link density (boilerpipe: NumWordsRules), at its borders."""
    row = {"link_density": link, "prev_link_density": previous_link}
    assert decided(ShallowRule.WORDS, **row, words=count, next_words=following, prev_words=previous) is content


@pytest.mark.parametrize(
    ("link", "previous_link", "density", "following", "previous", "content"),
    [
        (0.34, 0, 100, 100, 100, False),
        (0, 0, 9, 10, 4, False),
        (0, 0, 9, 10, 4.5, True),
        (0, 0, 9, 10.5, 0, True),
        (0, 0, 9.5, 0, 10, False),
        (0, 0, 9.5, 1, 0, True),
        (0.3, 0.56, 20, 11, 20, False),
        (0.3, 0.56, 0, 11.5, 0, True),
    ],
)
def test_each_branch_of_the_tree_on_densities(
    link: float, previous_link: float, density: float, following: float, previous: float, content: bool
) -> None:
    """The publication's tree on text density and link density (boilerpipe: DensityRules), at its borders."""
    row = {"link_density": link, "prev_link_density": previous_link}
    found = decided(
        ShallowRule.DENSITY, **row, text_density=density, next_text_density=following, prev_text_density=previous
    )
    assert found is content


@pytest.mark.parametrize("rule", ShallowRule)
def test_an_article_without_its_menu(rule: ShallowRule) -> None:
    """ "Number of words and link density leads to a simple classification model" (3.3.2.1)."""
    menu = "<ul>" + "<li><a href=x>Topic</a>" * 9 + "</ul>"
    page = Page(f"{menu}<div><p>{words(60)}</p><p>{words(5)}.</p><p>{words(50)}</p></div>{menu}")
    found = Shallow2(rule)(page).words(page)
    # By density the first paragraph goes: a menu stands before it and a short paragraph behind it.
    assert len(found) == (60 + 5 + 50 if rule is ShallowRule.WORDS else 5 + 50)
    assert "Topic" not in found


def test_the_rule_sees_what_the_features_say() -> None:
    page = Page(f"<p>{words(20)}</p><p>few</p><p><a href=x>{words(20)}</a></p><p hidden>{words(50)}</p><p>few</p>")
    for rule in ShallowRule:
        expected = decide(features(page), rule) & ~page.blocks.hidden
        assert Shallow2(rule).score(page).tolist() == expected.tolist()
