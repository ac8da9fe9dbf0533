"""News block detection by N-EXT on pages without labelled blocks (N-EXT thesis 5.1).

In the thesis people marked the news block of 1,100 pages. Here the ground-truth text determines it: of all candidate
blocks, the one whose set of words is nearest to it. N-EXT chooses the block with the greatest weight.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tidings.extractors.published.largest_block import DIV, TABLE, BlockKind, cleaned, owners
from tidings.extractors.published.largest_block import blocks as blocks_of
from tidings.extractors.published.n_ext import NEXT
from tidings.page import Page, Spans
from tidings.page.columns import Ints
from tidings.text import FloatArray, Measure
from tidings_lab.corpora import Sample
from tidings_lab.metrics.texts import units_for, word_set_score

#: Memoised weights of a page's blocks by setting.
Weights = dict[NEXT, FloatArray]
_BLOCKING: Final = frozenset({DIV, TABLE})


@dataclass(frozen=True, slots=True)
class Detection:
    """The result of N-EXT on a page: whether the news block is right, and the score of the text."""

    right: bool  # whether its news block is the right one
    text: float  # word-set F of its text (thesis 5.2)


def detect(sample: Sample, page: Page, settings: tuple[NEXT, ...]) -> list[Detection]:
    """Return the news block and the text for each setting; settings that differ only in beta share work."""
    owner = owners(page, _BLOCKING)
    gold = str(sample.gold["text"])
    units = units_for(gold, sample.lang)
    gold_blocks = {
        which: gold_block(page, owner, gold, sample.lang, which) for which in {item.blocks for item in settings}
    }
    detections: list[Detection] = []
    texts: dict[tuple[NEXT, int], float] = {}
    cache: Weights = {}
    for setting in settings:
        block = news_block(page, owner, setting, cache)
        text_key = replace(setting, beta=0.0), block
        if text_key not in texts:
            texts[text_key] = word_set_score(setting(page).text(page), gold, units).f1
        detections.append(Detection(block == gold_blocks[setting.blocks], texts[text_key]))
    return detections


def news_block(page: Page, owner: Ints, setting: NEXT, cache: Weights) -> int:
    """Return the element of N-EXT's news block; -1 on a page without text.

    A weight is `beta` times the weight by size plus the rest times the weight by similarity (eq. 4.1), so two rankings
    serve every beta, and the ranking by size serves every measure; `cache` stores them.
    """
    by_likeness = _weights(page, replace(setting, beta=0.0), cache)
    by_size = _weights(page, replace(setting, beta=1.0, measure=Measure.DICE, stemmed=False), cache)
    weights = setting.beta * by_size + (1 - setting.beta) * by_likeness
    if not weights.any():
        return -1
    return int(owner[page.blocks.first[int(np.argmax(weights))]])


def gold_block(page: Page, owner: Ints, gold: str, language: str, which: BlockKind) -> int:
    """Return the candidate element whose own words are nearest to the ground truth; -1 if no candidate shares words
    with it.
    """
    units = units_for(gold, language)
    visible = cleaned(page, link_text=True)
    best, nearest = -1, 0.0
    for element in np.intersect1d(owner[visible], blocks_of(page, _BLOCKING, which)).tolist():
        text = Spans.of_runs(page, (owner == element) & visible).text(page)
        score = word_set_score(text, gold, units).f1
        if score > nearest:
            best, nearest = element, score
    return best


def _weights(page: Page, setting: NEXT, cache: Weights) -> FloatArray:
    if setting not in cache:
        cache[setting] = setting.score(page)
    return cache[setting]
