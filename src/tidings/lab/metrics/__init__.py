"""Measures: how near a result is to gold. One module an idea; docs/reference/measures.md says when to use which.

>>> word_score("the seals are back again", "the seals are back").precision
0.8
"""

from tidings.lab.metrics.classes import Confusion, Means, macro, micro, news_block_accuracy
from tidings.lab.metrics.clusters import b_cubed, pair_counts
from tidings.lab.metrics.fields import (
    FieldScore,
    Verdict,
    author_counts,
    authors_verdict,
    date_verdict,
    headline_verdict,
)
from tidings.lab.metrics.headlines import same_headline
from tidings.lab.metrics.pages import MEASURES, Measure, both_sides, is_empty, text_score, with_headline
from tidings.lab.metrics.score import Counts, Score
from tidings.lab.metrics.segments import gold_segments, kept_share, left_out_share, segment_counts
from tidings.lab.metrics.speed import Throughput
from tidings.lab.metrics.summary import PageScore, Summary, summarise
from tidings.lab.metrics.texts import (
    Units,
    character_score,
    is_spaceless,
    lcs_score,
    shingle_score,
    units_for,
    word_score,
    word_set_score,
)
from tidings.text import characters, words

__all__ = [
    "MEASURES",
    "Confusion",
    "Counts",
    "FieldScore",
    "Means",
    "Measure",
    "PageScore",
    "Score",
    "Summary",
    "Throughput",
    "Units",
    "Verdict",
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
