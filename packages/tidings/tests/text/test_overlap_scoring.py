"""OSM and the aggregate of TitleFinder.

Chapter 5 of the DANA thesis prints the equations and no worked figures; those below are worked by hand.
"""

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.text import (
    FloatArray,
    Vectors,
    aggregate_score,
    aggregate_scores,
    count_against,
    overlap_score,
    overlap_scores,
    terms,
)

Scores = Callable[[Vectors, Vectors], FloatArray]
TERMS = st.lists(st.sampled_from("abcdef"), max_size=12)
COLLECTION = [["a", "b"], ["a", "c", "c"], ["d"]]
QUERY = ["a", "b"]


def test_overlap_scoring_by_hand() -> None:
    """DANA thesis eq. 5.2. N = 3, df a = 2, b = 1: query weights ln 1.5 and ln 3; lengths √2, √5, 1."""
    expected = [(math.log(1.5) + math.log(3)) / math.sqrt(2), math.log(1.5) / math.sqrt(5), 0]
    assert overlap_scores(*count_against(QUERY, COLLECTION)) == pytest.approx(expected)
    assert [overlap_score(QUERY, text, COLLECTION) for text in COLLECTION] == pytest.approx(expected)


def test_aggregate_by_hand() -> None:
    """DANA thesis eq. 5.3: cosine on tf, cosine on tf-idf, OSM, added."""
    a, b, c = math.log(1.5), math.log(3), math.log(3)
    on_tf = [1, 1 / math.sqrt(10), 0]
    # The second text: tf by eq. 2.7 is 1/2 for a and 1 for c.
    on_tf_idf = [1, (a * a / 2) / (math.hypot(a, b) * math.hypot(a / 2, c)), 0]
    scores = overlap_scores(*count_against(QUERY, COLLECTION))
    expected = [sum(parts) for parts in zip(on_tf, on_tf_idf, scores.tolist(), strict=True)]
    assert aggregate_scores(*count_against(QUERY, COLLECTION)) == pytest.approx(expected)
    assert [aggregate_score(QUERY, text, COLLECTION) for text in COLLECTION] == pytest.approx(expected)


@pytest.mark.parametrize("scores", [overlap_scores, aggregate_scores])
def test_the_headline_wins_although_the_title_names_the_site(scores: Scores) -> None:
    """DANA thesis 5.3: the title element is the query and usually holds the site's name too."""
    fragments = [
        "Home News Sport Weather",
        "Harbour bridge reopens after repair",
        "The harbour was busy when the bridge reopened on Monday morning after two years of repair work.",
        "Most read",
    ]
    query = terms("Harbour bridge reopens after repair | The Coast Post", "en", stemmed=False)
    texts = [terms(fragment, "en", stemmed=False) for fragment in fragments]
    assert scores(*count_against(query, texts)).argmax() == 1


@given(query=TERMS, texts=st.lists(TERMS, max_size=6))
def test_one_against_many_is_the_plain_form(query: list[str], texts: list[list[str]]) -> None:
    counted = count_against(query, texts)
    assert overlap_scores(*counted) == pytest.approx([overlap_score(query, text, texts) for text in texts])
    assert aggregate_scores(*counted) == pytest.approx([aggregate_score(query, text, texts) for text in texts])


@given(query=TERMS, texts=st.lists(TERMS, max_size=6))
def test_scores_are_never_negative_and_zero_without_common_terms(query: list[str], texts: list[list[str]]) -> None:
    scores = overlap_scores(*count_against(query, texts)).tolist()
    for score, text in zip(scores, texts, strict=True):
        assert score >= 0
        assert score == 0 or set(query) & set(text)
