"""Letter pairs: LBNEST's similarity of headlines and sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.text import letter_pair_similarities, letter_pair_similarity
from tidings.text.letter_pairs import letter_pairs

TEXTS = st.text(alphabet="abAB éß.東京", max_size=20)


def test_france_and_french() -> None:
    """LBNEST III.A: {FR, RA, AN, NC, CE} and {FR, RE, EN, NC, CH} share two pairs: 2·2 / (5 + 5) = 0.4."""
    assert letter_pairs("France") == ["FR", "RA", "AN", "NC", "CE"]
    assert letter_pairs("French") == ["FR", "RE", "EN", "NC", "CH"]
    assert letter_pair_similarity("France", "French") == pytest.approx(0.4)
    assert letter_pair_similarities("France", ["French", "France"]) == pytest.approx([0.4, 1.0])


def test_pairs_do_not_cross_words_and_word_order_does_not_matter() -> None:
    """LBNEST III.A asks for "a robustness to change of word order"."""
    assert letter_pairs("ab, cd") == ["AB", "CD"]
    assert letter_pair_similarity("United Kingdom", "Kingdom United") == 1


def test_repeated_pairs_count_as_often_as_both_have_them() -> None:
    assert letter_pair_similarity("aaaa", "aa") == pytest.approx(2 * 1 / (3 + 1))


def test_any_script() -> None:
    """LBNEST III.A asks for language independence; 東京都 and 東京 share one of three pairs."""
    assert letter_pair_similarity("東京都", "東京") == pytest.approx(2 / 3)
    assert letter_pair_similarity("हिन्दी", "हिन्दी") == 1


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [("a", "A", 1), ("a", "b", 0), ("", "", 0), ("a b", "b a", 0), ("ab", "", 0)],
)
def test_texts_without_pairs(first: str, second: str, expected: float) -> None:
    assert letter_pair_similarity(first, second) == expected


@given(TEXTS, st.lists(TEXTS, max_size=5))
def test_one_against_many_is_the_plain_form(query: str, texts: list[str]) -> None:
    expected = [letter_pair_similarity(query, text) for text in texts]
    assert letter_pair_similarities(query, texts) == pytest.approx(expected)


@given(TEXTS, TEXTS)
def test_symmetric_in_range_and_blind_to_case(first: str, second: str) -> None:
    found = letter_pair_similarity(first, second)
    assert 0 <= found <= 1
    assert found == letter_pair_similarity(second, first)
    assert found == letter_pair_similarity(first.upper(), second)


@given(TEXTS.filter(lambda text: any(char.isalnum() for char in text)))
def test_a_text_is_wholly_similar_to_itself(text: str) -> None:
    assert letter_pair_similarity(text, text) == 1
