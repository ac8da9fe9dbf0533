"""Training pages: a page with its ground-truth text, and the labels and words of its blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.learned.kinds import declared_words, page_figures
from tidings.page import Page
from tidings.page.columns import Ints
from tidings.text import words as words_of
from tidings_lab.learners.gold_words import WORD, found_words
from tidings_lab.learners.word_weights import Bags, bags, name_words

#: The least share of the ground truth on a page. With less, the story is hidden or loaded by a script, and the words
#: found are in menus and teasers, so the page gets a small weight.
_SHOWN: Final = 0.3
_OF_OTHER_TEXT: Final = 0.05


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page with its ground-truth text."""

    html: bytes
    url: str
    site: str
    gold: str
    kind: str = ""  # of page, if known
    weight: float = 1.0  # smaller if the ground truth is known to be incomplete


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """The training data of a page: its visible blocks, how much of each is in the ground truth, and its words."""

    site: str
    kind: str
    blocks: Ints
    words: Ints
    share: NDArray[np.float64]
    bags: Bags
    page_words: frozenset[str]  # for the kind of the page
    figures: list[float]  # for the kind of the page
    weight: float = 1.0  # of the page

    def importance(self, power: float) -> NDArray[np.float64]:
        """Return the weight of each block in training: its number of words to a power, divided by the sum over the
        page.
        """
        weight = self.words.astype(np.float64) ** power
        return np.asarray(weight / weight.sum())


def label(lesson: GoldPage) -> Labelled | None:
    """Compare a page with its ground truth; return its labelled blocks, or None if no block is content."""
    page = Page(lesson.html, lesson.url)
    blocks = page.blocks.seen
    page_words = found_words(page, lesson.gold)
    share = page_words.shares(page.blocks.text_start, page.blocks.text_end)[blocks]
    if not (share > 0.5).any():
        return None
    names = name_words(page)
    has_story = np.count_nonzero(page_words.in_gold) >= _SHOWN * len(WORD.findall(lesson.gold))
    return Labelled(
        lesson.site,
        lesson.kind,
        blocks,
        page.blocks.words[blocks],
        share,
        bags(page, lesson.site, blocks, names),
        frozenset(words_of(" ".join(declared_words(page)))).union(*names.values()),
        page_figures(page),
        lesson.weight if has_story else lesson.weight * _OF_OTHER_TEXT,
    )
