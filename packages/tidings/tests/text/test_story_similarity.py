"""LBNEST's similarity of stories."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.text import count_against, story_similarities, story_similarity

TOKENS = st.lists(st.sampled_from("abcdef"), max_size=20)


def test_by_hand() -> None:
    """LBNEST V.C gives the steps and no figures. "town" four times and once: √(4·1) / (√5 · √2) = 2/√10."""
    first, second = ["town"] * 4 + ["mayor"], ["town", "flood"]
    assert story_similarity(first, second) == pytest.approx(2 / math.sqrt(10))
    assert story_similarities(*count_against(first, [second, first])) == pytest.approx([2 / math.sqrt(10), 1])


@given(TOKENS, st.lists(TOKENS, max_size=6))
def test_one_against_many_is_the_plain_form(query: list[str], stories: list[list[str]]) -> None:
    expected = [story_similarity(query, story) for story in stories]
    assert story_similarities(*count_against(query, stories)) == pytest.approx(expected)


@given(TOKENS, TOKENS)
def test_symmetric_and_in_range(first: list[str], second: list[str]) -> None:
    found = story_similarity(first, second)
    assert found == pytest.approx(story_similarity(second, first))
    assert 0 <= found <= 1 + 1e-12
    assert (found > 0) == bool(set(first) & set(second))


@given(TOKENS.filter(bool))
def test_a_story_is_wholly_similar_to_itself(story: list[str]) -> None:
    assert story_similarity(story, story) == pytest.approx(1)


def test_an_empty_story_is_similar_to_nothing() -> None:
    assert story_similarity([], ["a"]) == story_similarity([], []) == 0
    assert story_similarities(*count_against([], [["a"], []])).tolist() == [0, 0]
