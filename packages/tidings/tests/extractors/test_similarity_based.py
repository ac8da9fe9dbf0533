"""Similarity-based extraction: a paragraph against the sum of the others."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scores import word_score
from tidings import newspaper
from tidings.errors import BadParameter
from tidings.extractors.published.similarity_based import (
    SimilarityBased,
    TermWeighting,
    TextComparison,
    likeness_to_others,
    similar,
)
from tidings.page import Page
from tidings.text import count_terms

texts = st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), min_size=1, max_size=7)
STORY = [
    "The harbour bridge carried cars again on Tuesday.",
    "Engineers had closed the bridge in spring, when the harbour froze.",
    "Cars took the ferry while engineers worked on the bridge.",
]


def page(*paragraphs: str) -> Page:
    return Page('<html lang="en"><body>' + "".join(f"<p>{text}</p>" for text in paragraphs))


def all_pairs(rows: list[list[str]], weighting: TermWeighting, comparison: TextComparison) -> list[float]:
    """The definition: the sum of the other rows, computed anew for each row."""
    held_by = {term: sum(term in row for row in rows) for row in rows for term in row}
    idf = {
        term: math.log(len(rows) / count) if weighting is TermWeighting.TF_IDF else 1.0
        for term, count in held_by.items()
    }
    result = []
    for place, row in enumerate(rows):
        other_terms: dict[str, float] = {}
        for other in rows[:place] + rows[place + 1 :]:
            for term in other:
                other_terms[term] = other_terms.get(term, 0.0) + idf[term]
        own = {term: row.count(term) * (idf[term] if comparison is TextComparison.COSINE else 1.0) for term in row}
        product = sum(weight * other_terms.get(term, 0.0) for term, weight in own.items())
        length = math.sqrt(sum(weight**2 for weight in own.values()))
        if comparison is TextComparison.COSINE:
            length *= math.sqrt(sum(weight**2 for weight in other_terms.values()))
        result.append(product / length if length > 1e-9 else 0.0)
    return result


@pytest.mark.parametrize("weighting", TermWeighting)
@pytest.mark.parametrize("comparison", TextComparison)
@given(texts)
def test_one_pass_is_the_definition(
    weighting: TermWeighting, comparison: TextComparison, rows: list[list[str]]
) -> None:
    """DANA thesis 7.2.3, "tf or tf-idf", "cosine similarity or overlap scoring similarity" (eq. 2.6, 5.2)."""
    found = likeness_to_others(count_terms(rows), weighting, comparison)
    assert found == pytest.approx(all_pairs(rows, weighting, comparison), abs=1e-6)


def test_likeness_by_hand() -> None:
    """a b against 2a + c: 2 / (√2 · √5); with length 1 and the other rows unchanged: 2 / √2."""
    rows = count_terms([["a", "b"], ["a"], ["a", "c"]])
    assert likeness_to_others(rows, TermWeighting.TF, TextComparison.COSINE)[0] == pytest.approx(2 / math.sqrt(10))
    assert likeness_to_others(rows, TermWeighting.TF, TextComparison.OVERLAP)[0] == pytest.approx(2 / math.sqrt(2))


@given(texts)
def test_cosine_lies_between_0_and_1(rows: list[list[str]]) -> None:
    for weighting in TermWeighting:
        found = likeness_to_others(count_terms(rows), weighting, TextComparison.COSINE)
        assert (found >= 0).all()
        assert (found <= 1 + 1e-6).all()


def test_kept_from_a_share_of_the_mean_on() -> None:
    """The mean weighs by size: (0.4 · 9 + 0.1 · 1) / 10 = 0.37, half of which is 0.185."""
    assert similar(np.array([0.4, 0.1]), np.array([9.0, 1.0])).tolist() == [True, False]
    assert similar(np.array([0.4, 0.1]), np.array([1.0, 9.0])).tolist() == [True, True]
    assert similar(np.array([0.4, 0.1]), np.array([9.0, 1.0]), share=0.2).tolist() == [True, True]
    assert similar(np.zeros(3), np.ones(3), share=0).tolist() == [False, False, False]


@pytest.mark.parametrize("weighting", TermWeighting)
@pytest.mark.parametrize("comparison", TextComparison)
def test_foreign_paragraph_is_dropped(weighting: TermWeighting, comparison: TextComparison) -> None:
    """DANA thesis 7.2.3: paragraphs of the main content are "similar to each other", whatever the markup."""
    document = page("Subscribe to newsletters", *STORY, "Copyright reserved")
    found = SimilarityBased(weighting, comparison)(document)
    assert found.text(document) == "\n".join(STORY)


def test_stop_words_do_not_make_paragraphs_alike() -> None:
    """DANA thesis 7.2.3: "by removing stopwords and running of stemming algorithms"."""
    document = page(*STORY, "It was the and of in to a there.")
    assert SimilarityBased()(document).text(document) == "\n".join(STORY)


def test_stems_make_paragraphs_alike() -> None:
    document = page("Bridge closed", "Closing bridges", "Weather")
    assert SimilarityBased()(document).text(document) == "Bridge closed\nClosing bridges"


def test_page_of_one_paragraph_resembles_nothing() -> None:
    document = page(STORY[0])
    assert not SimilarityBased()(document)


def test_hidden_paragraphs_have_no_say() -> None:
    document = Page("<p>ferry</p><p hidden>ferry</p>")
    assert not SimilarityBased()(document)


def test_share_out_of_range() -> None:
    with pytest.raises(BadParameter, match="share"):
        SimilarityBased(share=-1)(page(*STORY))


def test_score_has_one_value_for_each_block() -> None:
    found = SimilarityBased().score(page(*STORY, "Copyright"))
    assert len(found) == 4
    assert (found[:3] > 0).all()
    assert found[3] == 0


def test_newspaper() -> None:
    """Mean recall on the articles 0.89, precision 0.42, where all visible text has 0.36."""
    scores = []
    for sample in newspaper.pages(page_type="article"):
        document = Page(sample.html, sample.url)
        scores.append(word_score(SimilarityBased()(document).text(document), sample.gold["text"]))
    assert np.mean([score.recall for score in scores]) > 0.85
    assert np.mean([score.precision for score in scores]) > 0.39
