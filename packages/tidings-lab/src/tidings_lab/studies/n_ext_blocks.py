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

#: Weights of a page's blocks that have been worked out already, by setting.
Weights = dict[NEXT, FloatArray]
_BLOCKING: Final = frozenset({DIV, TABLE})


@dataclass(frozen=True, slots=True)
class Detection:
    """What N-EXT did on one page with one setting."""

    right: bool  # whether its news block is the one nearest to gold
    text: float  # word-set F of its text (thesis 5.2)


def detect(sample: Sample, page: Page, settings: tuple[NEXT, ...]) -> list[Detection]:
    """The news block and the text for each setting; settings that differ in beta alone share the work."""
    owner = owners(page, _BLOCKING)
    gold = str(sample.gold["text"])
    units = units_for(gold, sample.lang)
    wanted = {which: gold_block(page, owner, gold, sample.lang, which) for which in {one.blocks for one in settings}}
    found: list[Detection] = []
    texts: dict[tuple[NEXT, int], float] = {}
    known: Weights = {}
    for setting in settings:
        block = news_block(page, owner, setting, known)
        alike = replace(setting, beta=0.0), block
        if alike not in texts:
            texts[alike] = word_set_score(setting(page).text(page), gold, units).f1
        found.append(Detection(block == wanted[setting.blocks], texts[alike]))
    return found


def news_block(page: Page, owner: Ints, setting: NEXT, known: Weights) -> int:
    """The element that N-EXT takes for the news block; -1 on a page without text.

    A weight is `beta` times what it is for size alone and the rest times what it is for likeness alone (eq. 4.1), so
    two rankings serve every beta, and the one by size every measure; `known` keeps them.
    """
    by_likeness = _weights(page, replace(setting, beta=0.0), known)
    by_size = _weights(page, replace(setting, beta=1.0, measure=Measure.DICE, stemmed=False), known)
    weights = setting.beta * by_size + (1 - setting.beta) * by_likeness
    if not weights.any():
        return -1
    return int(owner[page.blocks.first[int(np.argmax(weights))]])


def gold_block(page: Page, owner: Ints, gold: str, language: str, which: BlockKind) -> int:
    """Of the elements that may be the news block, the one whose own words are nearest to gold; -1 if none has any."""
    units = units_for(gold, language)
    shown = cleaned(page, link_text=True)
    best, nearest = -1, 0.0
    for element in np.intersect1d(owner[shown], blocks_of(page, _BLOCKING, which)).tolist():
        text = Spans.of_runs(page, (owner == element) & shown).text(page)
        score = word_set_score(text, gold, units).f1
        if score > nearest:
            best, nearest = element, score
    return best


def _weights(page: Page, setting: NEXT, known: Weights) -> FloatArray:
    if setting not in known:
        known[setting] = setting.score(page)
    return known[setting]
