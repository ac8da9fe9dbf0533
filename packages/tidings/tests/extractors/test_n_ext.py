"""N-EXT: each of its six stages against the thesis, and the whole."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scores import word_score
from tidings import newspaper
from tidings.errors import BadParameter
from tidings.extractors.published.largest_block import BlockKind, LargestBlock
from tidings.extractors.published.n_ext import (
    NEXT,
    SentenceFilter,
    block_weights,
    related,
    sentences,
    stemmed_terms,
    threshold,
    title,
)
from tidings.page import Hints, Page
from tidings.text import Measure, similarities

NEWS = (
    "<p>The harbour bridge carried cars again on Tuesday.</p><p>Engineers had closed the harbour bridge in spring.</p>"
    "<p>The bridge needed new piers, the engineers said.</p>"
)
COMMENTS = "<p>What a lovely picture, thank you very much for sharing it with all of us today.</p>" * 3


def page(*blocks: str, title: str = "Harbour bridge open", hints: Hints | None = None) -> Page:
    body = "".join(f"<div>{block}</div>" for block in blocks)
    return Page(f'<html lang="en"><title>{title}</title><body><h1>{title}</h1>{body}</html>', hints=hints)


# -- stage 1: the title -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hints", "expected"),
    [
        (Hints(title="by the feed", description="at length"), "by the feed"),
        (Hints(description="at length"), "at length"),
        (Hints(anchor="a link"), "Harbour bridge open"),
        (None, "Harbour bridge open"),
    ],
)
def test_title_by_the_feed_else_by_the_page(hints: Hints | None, expected: str) -> None:
    """N-EXT thesis 4.1.1 and 4.1.4: title from the feed; the description would do; without a feed, the headline."""
    assert title(page(NEWS, hints=hints), "en") == expected


# -- stage 4: the weight of a block -----------------------------------------------------------------------------


def test_block_weights() -> None:
    """N-EXT thesis eq. 4.1 with β = 0.6: 0.6 · 50/100 + 0.4 · 0.4/0.5 = 0.62, and so on."""
    found = block_weights(np.array([50, 100, 20]), np.array([0.4, 0.1, 0.5]))
    assert found == pytest.approx([0.62, 0.68, 0.52])


@pytest.mark.parametrize(("beta", "expected"), [(1.0, [0.5, 1.0]), (0.0, [1.0, 0.25])])
def test_beta_shares_between_size_and_likeness(beta: float, expected: list[float]) -> None:
    """N-EXT thesis, table 6.5: only size at 1 (the baseline), only similarity at 0."""
    assert block_weights(np.array([50, 100]), np.array([0.4, 0.1]), beta) == pytest.approx(expected)


def test_size_alone_where_nothing_resembles_the_title() -> None:
    assert block_weights(np.array([50, 100]), np.zeros(2)).tolist() == [0.5, 1.0]


@given(
    st.lists(st.tuples(st.integers(0, 500), st.floats(0, 1.2)), min_size=1, max_size=8),
    st.floats(0, 1),
)
def test_weights_lie_between_0_and_1(blocks: list[tuple[int, float]], beta: float) -> None:
    """N-EXT thesis 4.1.4: "w_i and β have a value between 0 and 1"."""
    words, likeness = (np.array(column) for column in zip(*blocks, strict=True))
    found = block_weights(words, likeness.astype(np.float64), beta)
    assert (found >= 0).all()
    assert (found <= 1 + 1e-12).all()


@pytest.mark.parametrize("beta", [-0.1, 1.1])
def test_beta_out_of_range(beta: float) -> None:
    with pytest.raises(BadParameter, match="beta"):
        NEXT(beta=beta)(page(NEWS))


def test_likeness_to_the_title_finds_the_smaller_news_block() -> None:
    """N-EXT thesis 4.1.4: comments are longer than the story; size alone fails, the weight does not."""
    document = page(NEWS, COMMENTS)
    assert "picture" in LargestBlock()(document).text(document)
    chosen = NEXT()(document).text(document)
    assert "picture" not in chosen
    assert "Engineers" in chosen


# -- stages 5 and 6: sentences ----------------------------------------------------------------------------------

#: N-EXT thesis, figure B.1: the terms of three sentences and of the document they make.
SENTENCES = [
    ["ali", "akşam", "ev", "geç", "gel"],
    ["ali", "ev", "geç", "baba", "gelme", "kız"],
    ["ali", "ev", "üzül"],
]
DOCUMENT = [term for sentence in SENTENCES for term in sentence]


def test_threshold_is_the_harmonic_mean() -> None:
    """N-EXT thesis 4.1.5: of 1/2, 1/4 and 1/6 it is 3 / (2 + 4 + 6)."""
    assert threshold(np.array([1 / 2, 1 / 4, 1 / 6])) == pytest.approx(1 / 4)


def test_sentences_that_share_nothing_have_no_part_in_it() -> None:
    assert threshold(np.array([0.0, 1 / 2, 0.0, 1 / 4])) == pytest.approx(1 / 3)
    assert threshold(np.zeros(3)) is None
    assert threshold(np.empty(0)) is None


def test_example_of_the_appendix() -> None:
    """N-EXT thesis B.1.3: Dice 0.833, 0.846 and 0.7, so the mean is 0.787 and the third sentence is dropped."""
    likeness = similarities(DOCUMENT, SENTENCES, Measure.DICE)
    assert likeness == pytest.approx([0.833, 0.846, 0.7], abs=0.001)
    assert threshold(likeness) == pytest.approx(0.787, abs=0.001)
    assert related(likeness, np.ones(3, np.bool_)).tolist() == [True, True, False]


def test_in_the_block_from_the_threshold_on_and_elsewhere_above_it() -> None:
    """N-EXT thesis 4.1.5: dropped when "less than t"; 4.1.6: added when "greater than the threshold value"."""
    likeness = np.array([0.5, 0.5, 0.5, 0.6, 0.4])
    assert related(likeness, np.array([True, True, False, False, False])).tolist() == [True, True, False, True, False]


@given(st.floats(0.001, 1), st.integers(1, 50))
def test_equal_sentences_are_all_kept(value: float, count: int) -> None:
    """Whatever the last digit of their mean."""
    assert related(np.full(count, value), np.ones(count, np.bool_)).all()


def test_block_in_which_nothing_is_alike_is_kept_whole() -> None:
    assert related(np.array([0.0, 0.0, 0.9]), np.array([True, True, False])).tolist() == [True, True, False]


def test_unrelated_sentence_of_the_news_block_is_dropped() -> None:
    """N-EXT thesis 4.1.5: the news block "may contain additional textual information", such as advertisements."""
    document = page(NEWS + "<p>Buy now.</p>")
    assert "Buy now" not in NEXT()(document).text(document)


def test_related_sentence_of_another_block_is_added_in_reading_order() -> None:
    """N-EXT thesis 4.1.6: the description may be in another block."""
    document = page("Engineers closed the harbour bridge.", "Weather: rain.", NEWS, "Engineers like a harbour.")
    assert NEXT()(document).text(document).split("\n") == [
        "Engineers closed the harbour bridge.",
        "Engineers had closed the harbour bridge in spring.",
    ]


def test_whole_news_block_is_selected_with_unrelated_sentences() -> None:
    document = page(NEWS + "<p>Buy now.</p>", "Weather: rain.")
    assert NEXT(sentences=SentenceFilter.WHOLE)(document).text(document).split("\n") == [
        "The harbour bridge carried cars again on Tuesday.",
        "Engineers had closed the harbour bridge in spring.",
        "The bridge needed new piers, the engineers said.",
        "Buy now.",
    ]


def test_whole_news_block_gets_new_related_sentences_of_other_blocks() -> None:
    """A description above the text that repeats one of its sentences is selected once."""
    own, new = "Engineers had closed the harbour bridge in spring.", "Engineers closed the harbour bridge."
    document = page(own, new, "Weather: rain.", NEWS, new)
    text = NEXT(sentences=SentenceFilter.WHOLE)(document).text(document)
    assert text.split("\n")[:2] == [new, "The harbour bridge carried cars again on Tuesday."]
    assert text.count(own) == text.count(new) == 1
    assert "rain" not in text
    assert NEXT()(document).text(document).count(own) == 2


def test_news_block_alone() -> None:
    document = page("Engineers closed the harbour bridge.", NEWS + "<p>Buy now.</p>")
    text = NEXT(sentences=SentenceFilter.BLOCK)(document).text(document)
    assert text.startswith("The harbour bridge carried")
    assert text.endswith("Buy now.")


# -- stage 3 and the text ---------------------------------------------------------------------------------------


def test_text_of_links_is_dropped() -> None:
    """N-EXT thesis 4.1.3; table 6.5 tries both ways."""
    document = page(NEWS.replace("in spring", '<a href="x">in spring</a>'))
    assert "closed the harbour bridge ." in NEXT()(document).text(document)
    assert "closed the harbour bridge in spring." in NEXT(link_text=True)(document).text(document)


def test_links_do_not_make_a_block_large() -> None:
    """N-EXT thesis 4.1.3: "the size of the texts containing hyperlinks sometimes becomes a problem"."""
    related_news = "<a href=x>Harbour bridge and many other stories of this week and the last</a> " * 10
    document = page(related_news, NEWS)
    assert "Engineers" not in NEXT(link_text=True, beta=1)(document).text(document)
    assert "Engineers" in NEXT(beta=1)(document).text(document)


def test_sentences_stand_where_the_text_says() -> None:
    document = Page("<p>One here. Two <a href=x>dropped</a> here!</p><p>no stop</p><p>Three.</p>")
    found = sentences(document, ~document.runs.in_link, "en")
    ranges = zip(found.starts.tolist(), found.ends.tolist(), strict=True)
    assert [document.text[start:end] for start, end in ranges] == [
        "One here.",
        "Two dropped here!",
        "no stop",
        "Three.",
    ]
    assert [" ".join(text.split()) for text in found.texts] == ["One here.", "Two here!", "no stop", "Three."]
    assert found.runs.tolist() == [0, 0, 3, 4]


def test_stemming_brings_word_forms_together() -> None:
    """N-EXT thesis 4.1.4, table 6.6: with and without."""
    document = page(
        "<p>Bridges closing. Closing the bridges again.</p>",
        "<p>Ferry, ferry, ferry, ferry, ferry and ferry.</p>",
        title="Bridge closed",
    )
    assert "Ferry" not in NEXT()(document).text(document)
    assert "Ferry" in NEXT(stemmed=False)(document).text(document)


def test_every_word_is_stemmed() -> None:
    """N-EXT thesis 4.1.4, however many words a page has and however rare they are."""
    rare = [f"walk{letters}s" for letters in map("".join, product("bdgmnp", repeat=4))]
    found = stemmed_terms(["closing closing", " ".join(rare), "closed closed bridges"], "en")
    assert found[0] == ["close", "close"]
    assert found[2] == ["close", "close", "bridg"]
    assert found[1] == [word.removesuffix("s") for word in rare]
    assert stemmed_terms(["the bridges"], "en", stemmed=False) == [["bridges"]]


@pytest.mark.parametrize("measure", Measure)
def test_every_measure_finds_the_story(measure: Measure) -> None:
    """N-EXT thesis eq. 4.2 to 4.5."""
    document = page(COMMENTS, NEWS)
    assert "harbour bridge" in NEXT(measure=measure)(document).text(document)


def test_page_without_blocks() -> None:
    document = Page(f'<html lang="en"><title>Harbour bridge</title>{NEWS}</html>')
    assert "Engineers" in NEXT()(document).text(document)


def test_score_is_the_weight_of_the_block_around() -> None:
    document = page(NEWS, "<p>Rain.</p>")
    found = NEXT().score(document)
    assert found[:1].tolist() == [0]  # the headline stands in no block
    assert found[1:4] == pytest.approx([1, 1, 1])
    assert 0 < found[4] < 0.5


@given(st.lists(st.sampled_from(["<div>", "</div>", "<p>", "<a href=x>", "</a>", "Bridge. ", "Rain fell on cars. "])))
def test_only_kept_text_of_leaf_blocks_comes_out(parts: list[str]) -> None:
    document = Page("<title>Bridge</title>x<div></div>" + "".join(parts))
    runs = NEXT()(document).runs(document)
    assert not (runs & document.runs.in_link).any()
    every = NEXT(blocks=BlockKind.OWN_TEXT)(document).runs(document)
    assert not (every & document.runs.in_link).any()


# -- the whole --------------------------------------------------------------------------------------------------


def test_newspaper() -> None:
    """Mean word F1 on the articles: 0.31 with leaf blocks, 0.69 with own text, 0.75 with the news block whole."""
    leaves, own_text, whole = list[float](), list[float](), list[float]()
    for sample in newspaper.pages(page_type="article"):
        document = Page(sample.html, sample.url, Hints(title=sample.gold["title"]))
        for scores, method in (
            (leaves, NEXT(blocks=BlockKind.LEAVES)),
            (own_text, NEXT()),
            (whole, NEXT(sentences=SentenceFilter.WHOLE)),
        ):
            found = method(document).text(document)
            scores.append(word_score(found, sample.gold["text"]).f1)
    assert np.mean(leaves) > 0.25
    assert np.mean(own_text) > 0.65
    assert np.mean(whole) > np.mean(own_text) + 0.04


def test_the_printed_form_has_a_name() -> None:
    from tidings import extractor

    html = "<div><p>The bridge was closed.</p><div>Advertisement</div><p>The bridge will open in May again.</p></div>"
    document = Page(f"<html lang=en><title>Bridge closed</title><body>{html}</body>")
    assert extractor("n-ext") == NEXT(blocks=BlockKind.OWN_TEXT)
    assert "bridge" in extractor("n-ext")(document).text(document)
    assert "bridge" not in extractor("n-ext-printed")(document).text(document)
