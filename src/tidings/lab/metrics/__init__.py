"""Measures: how near a result is to gold. One module an idea; docs/reference/measures.md says when to use which.

>>> word_score("the seals are back again", "the seals are back").precision
0.8
"""

from tidings.lab.metrics.classes import ClassMeans, Confusion, b_cubed, macro, micro, news_block_accuracy, pair_counts
from tidings.lab.metrics.fields import (
    FieldScore,
    FieldVerdict,
    author_counts,
    authors_verdict,
    date_verdict,
    headline_verdict,
    same_headline,
)
from tidings.lab.metrics.score import Counts, PageScore, Score, Summary, Throughput, summarise
from tidings.lab.metrics.texts import (
    MEASURES,
    Measure,
    Units,
    both_sides,
    character_score,
    gold_segments,
    is_empty,
    is_spaceless,
    kept_share,
    lcs_score,
    left_out_share,
    segment_counts,
    shingle_score,
    text_score,
    units_for,
    with_headline,
    word_score,
    word_set_score,
)
from tidings.text import characters, words

__all__ = [
    "MEASURES",
    "ClassMeans",
    "Confusion",
    "Counts",
    "FieldScore",
    "FieldVerdict",
    "Measure",
    "PageScore",
    "Score",
    "Summary",
    "Throughput",
    "Units",
    "author_counts",
    "authors_verdict",
    "b_cubed",
    "both_sides",
    "character_score",
    "characters",
    "date_verdict",
    "gold_segments",
    "headline_verdict",
    "is_empty",
    "is_spaceless",
    "kept_share",
    "lcs_score",
    "left_out_share",
    "macro",
    "micro",
    "news_block_accuracy",
    "pair_counts",
    "same_headline",
    "segment_counts",
    "shingle_score",
    "summarise",
    "text_score",
    "units_for",
    "with_headline",
    "word_score",
    "word_set_score",
    "words",
]
