"""Thresholds of the default extractor, each with the measurement that it comes from, if one is recorded.

Limits of single rules (comment headings, lists of stories, tooltips, consent dialogues) are next to these rules in
`ending`, `boilerplate` and `removal`.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Thresholds(NamedTuple):
    """Probabilities, shares and numbers of words by which the stages decide."""

    # Kind of page. Kinds were learned from English pages, so other languages need more evidence against an article.
    # From a sweep on half of the sites of wcxb-dev, checked on news in other languages.
    likely_article: float = 0.5  # the article expert decides; below, both experts are asked
    other_kind: float = 0.3  # the other expert decides alone: probability of the other kind, on English pages
    other_kind_abroad: float = 0.7  # the same in other languages
    # The same for forums, which stories with comments of readers resemble. From four folds (97 forums, 75 stories).
    sure_forum: float = 0.75
    sure_forum_abroad: float = 0.95
    expert_tolerance: float = 0.1  # the article expert wins if its expected F is at most this much worse

    # A page whose text the article expert selects better is still reported as a list if it is less probably an article
    # than this, and lists are at least this many times as probable. From four folds: 488 lists and 3,007 stories.
    article_in_list: float = 0.4
    list: float = 0.6

    # A page that is less surely an article, on which the article expert expects less: both experts are mixed. From half
    # of the sites of wcxb-dev; on the other half each page that changes gains, and no news page of five corpora loses.
    sure_article: float = 0.8
    sufficient_expected: float = 0.7

    # The weight of the expert for forums beside the expert for all kinds. From two of four folds of wcxb-dev: 0.822
    # without it, 0.838 with 0.5, 0.843 with 0.7, 0.840 alone (55 forums).
    forum_share: float = 0.65

    # Selection. The odds of the blocks of an article are multiplied by the root of its expected words over
    # `middling_words`, at most `long_words`: a short story needs surer blocks. Chosen by folds of sites on six corpora
    # and on the segments of trafilatura-eval; 400 to 800 words do nearly as well.
    middling_words: float = 500.0
    long_words: float = 1350.0

    # A single block between two selected blocks is selected with at least this many words and this probability.
    line_words: int = 3
    line_probability: float = 0.3
    line_linked: float = 0.5  # greatest share of its words in links

    # End of story. An area of comments is only removed if this many characters remain; otherwise it is the story. The
    # source of the value is not recorded.
    least_story: int = 100

    # Pages without a story. The source of the values is not recorded.
    least_expected: float = 0.5  # a selection with a lower expected F …
    few_words: int = 40  # … and fewer words is rejected
    notice_words: int = 120  # a shorter selection on an error, login or consent page is its notice

    # Confidence. Blocks up to the first probability are surely out, from the second on surely in. The source of the
    # values is not recorded; the weights of the signals made of them are learned (`tidings lab train confidence`).
    surely_out: float = 0.2
    surely_in: float = 0.8
    paragraph_words: int = 15
    low_confidence: float = 0.7  # lower values have a reason
    # Of pages that are no articles, 5 % with a higher expected F have less than 0.7 (three seeds, 812 pages).
    most_other_confidence: float = 0.89


THRESHOLDS: Final = Thresholds()
