"""Term vectors and their weights."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.text import (
    count_against,
    count_terms,
    inverse_document_frequencies,
    maximum_frequencies,
    relative_frequencies,
    salton_weights,
    tf_idf,
)

TERMS = st.lists(st.sampled_from("abcdefg"), max_size=12)
TEXTS = st.lists(TERMS, max_size=6)


def test_counting_over_a_dictionary() -> None:
    """DANA thesis figure 6.1: abstracts as columns of counts over the query's dictionary, here its rows."""
    dictionary = ["term1", "term2", "term3", "termM"]
    first = ["term1"] * 4 + ["term3"] + ["termM"] * 5 + ["other"]
    second = ["term1"] * 3 + ["term2"]
    counted = count_terms([first, second, ["other"]], dictionary)
    assert list(counted.vocabulary) == dictionary
    assert counted.row(0) == {"term1": 4, "term3": 1, "termM": 5}
    assert counted.row(1) == {"term1": 3, "term2": 1}
    assert counted.row(2) == {}


def test_weights_of_the_dana_thesis() -> None:
    """DANA thesis eq. 2.7–2.10, by hand: N = 3; a is in two texts, b in one with f 1 of at most 2."""
    counted = count_terms([["a", "a", "b"], ["a"], ["c"]])
    assert maximum_frequencies(counted).row(0) == {"a": 1.0, "b": 0.5}
    inverse = inverse_document_frequencies(counted)
    assert inverse == pytest.approx([math.log(3 / 2), math.log(3), math.log(3)])
    assert tf_idf(counted).row(0) == pytest.approx({"a": math.log(1.5), "b": 0.5 * math.log(3)})
    weighted = salton_weights(counted.rows(0, 1), inverse)
    assert weighted.row(0) == pytest.approx({"a": math.log(1.5), "b": 0.75 * math.log(3)})


def test_a_query_keeps_terms_that_no_text_holds_but_they_have_no_idf() -> None:
    query, rows = count_against(["a", "site"], [["a"], ["b"]])
    assert query.row(0) == {"a": 1, "site": 1}
    inverse = inverse_document_frequencies(rows)
    assert inverse[query.vocabulary["site"]] == 0
    assert tf_idf(query, inverse).row(0) == pytest.approx({"a": math.log(2), "site": 0})


@given(TEXTS)
def test_relative_frequencies_sum_to_one(texts: list[list[str]]) -> None:
    """N-EXT thesis 4.1.4: the frequency of the term over the number of terms."""
    weighted = relative_frequencies(count_terms(texts))
    assert weighted.sums(weighted.weights) == pytest.approx([1.0 if text else 0.0 for text in texts])


@given(TEXTS)
def test_sums_squares_and_products_are_those_of_the_written_out_matrix(texts: list[list[str]]) -> None:
    counted = count_terms(texts)
    dense = np.array([[text.count(term) for term in counted.vocabulary] for text in texts], dtype=float)
    dense = dense.reshape(len(texts), len(counted.vocabulary))
    other = np.arange(1.0, len(counted.vocabulary) + 1)
    assert counted.total() == pytest.approx(dense.sum(axis=0))
    assert counted.squares() == pytest.approx((dense**2).sum(axis=1))
    assert counted.dot(other) == pytest.approx(dense @ other)


@given(TEXTS, st.data())
def test_a_range_of_rows_is_those_rows(texts: list[list[str]], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(texts)))
    last = data.draw(st.integers(first, len(texts)))
    whole = count_terms(texts)
    part = whole.rows(first, last)
    assert len(part) == last - first
    assert [part.row(i) for i in range(len(part))] == [whole.row(first + i) for i in range(len(part))]
