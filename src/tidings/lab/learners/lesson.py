"""A page to learn from, and what is read off it once: which blocks are content, which words stand around them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.learned.kinds import declared_words, element_counts
from tidings.extractors.learned.lexicon import names
from tidings.extractors.learned.seen_blocks import seen_blocks
from tidings.lab.learners.labels import shares
from tidings.lab.learners.lexicon import Bags, bags
from tidings.page import Page
from tidings.page.columns import Ints
from tidings.text import words as words_of


@dataclass(frozen=True, slots=True)
class Lesson:
    """One page and its gold text."""

    html: bytes
    url: str
    site: str
    gold: str
    kind: str = ""  # of page, where it is known


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """The visible blocks of a page: how many words, which share of them is content, and the words for the lexicon."""

    site: str
    kind: str
    blocks: Ints
    words: Ints
    links: Ints
    share: NDArray[np.float64]
    bags: Bags
    page_words: frozenset[str]  # and the figures beside them: what the kind of page is told by
    counts: NDArray[np.float64]

    def importance(self, power: float) -> NDArray[np.float64]:
        """How much each block counts: by its words to a power, all blocks of a page together as much as another's."""
        weight = self.words.astype(np.float64) ** power
        return np.asarray(weight / weight.sum())


def label(lesson: Lesson) -> Labelled | None:
    """The blocks of a page with their labels; None where there is nothing to learn: no text, or none of it in gold."""
    page = Page(lesson.html, lesson.url)
    blocks = seen_blocks(page)
    share = shares(page, lesson.gold)[blocks]
    if not (share > 0.5).any():
        return None
    return Labelled(
        lesson.site,
        lesson.kind,
        blocks,
        page.blocks.words[blocks],
        page.blocks.link_words[blocks],
        share,
        bags(page, lesson.site, blocks),
        frozenset(words_of(" ".join((*declared_words(page), *names(page).told)))),
        element_counts(page),
    )
