"""Training pages: a page with its ground-truth text, and the labels and words of its blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.fields.keys import squashed
from tidings.page import Page
from tidings.page.columns import Bools, Ints
from tidings_lab.learners.gold_words import WORD, FoundWords, found_words
from tidings_lab.learners.word_weights import Bags, bags, name_words

#: The least share of the ground truth on a page. With less, the story is hidden or loaded by a script, and the words
#: found are in menus and teasers, so the page gets a small weight.
_SHOWN: Final = 0.3
_OF_OTHER_TEXT: Final = 0.05
#: A line is a headline if it has at least this share of the headline's letters, and at least this number.
_OF_HEADLINE: Final = 0.6
_LEAST_LETTERS: Final = 8
_LONGEST_LINE: Final = 400  # characters of a line that are compared with the headline


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page with its ground-truth text."""

    html: bytes
    url: str
    site: str
    gold: str
    kind: str = ""  # of page, if known
    weight: float = 1.0  # smaller if the ground truth is known to be incomplete or noisy
    lead: str = ""  # the standfirst if it is not part of `gold`; its blocks are content
    headline: str = ""  # blocks between this line and the first block of the ground truth are not judged
    unjudged: tuple[str, ...] = ()  # texts that may or may not be content: captions, notes about authors


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """The training data of a page: its visible blocks, how much of each is in the ground truth, and its words."""

    site: str
    kind: str
    blocks: Ints
    words: Ints
    share: NDArray[np.float64]
    is_judged: Bools  # blocks that count in training
    bags: Bags
    weight: float = 1.0  # of the page

    def importance(self, power: float) -> NDArray[np.float64]:
        """Return the weight of each block in training: its number of words to a power, divided by the sum over the
        page; 0 for blocks that are not judged.
        """
        weight = np.where(self.is_judged, self.words.astype(np.float64) ** power, 0.0)
        return np.asarray(weight / weight.sum())


def label(lesson: GoldPage) -> Labelled | None:
    """Compare a page with its ground truth; return its labelled blocks, or None if no block is content."""
    if not lesson.gold:
        return None
    page = Page(lesson.html, lesson.url)
    blocks = page.blocks.seen
    page_words = found_words(page, lesson.gold)
    share = _shares(page, page_words, blocks)
    if not (share > 0.5).any():
        return None
    has_story = np.count_nonzero(page_words.in_gold) >= _SHOWN * len(WORD.findall(lesson.gold))
    is_lead = np.zeros(len(share), np.bool_)
    if lesson.lead:
        is_lead = _shares(page, found_words(page, f"{lesson.lead}\n\n{lesson.gold}"), blocks) > 0.5
    is_unjudged = _before_story(page, blocks, share, lesson.headline) & ~is_lead
    for text in lesson.unjudged:
        is_unjudged |= (_shares(page, found_words(page, text), blocks) > 0.5) & (share <= 0.5)
    return Labelled(
        lesson.site,
        lesson.kind,
        blocks,
        page.blocks.words[blocks],
        np.where(is_lead, np.maximum(share, is_lead), share),
        ~is_unjudged,
        bags(page, lesson.site, blocks, name_words(page)),
        lesson.weight if has_story else lesson.weight * _OF_OTHER_TEXT,
    )


def _shares(page: Page, words: FoundWords, blocks: Ints) -> NDArray[np.float64]:
    return words.shares(page.blocks.text_start, page.blocks.text_end)[blocks]


def _before_story(page: Page, blocks: Ints, share: NDArray[np.float64], headline: str) -> Bools:
    """Return which blocks are between the headline and the first block of the ground truth."""
    is_between = np.zeros(len(blocks), np.bool_)
    title = squashed(headline)
    if not title:
        return is_between
    first = int(np.flatnonzero(share > 0.5)[0])
    before = blocks[:first]
    starts, ends = page.blocks.text_start[before].tolist(), page.blocks.text_end[before].tolist()
    lines = [squashed(page.text[start:end][:_LONGEST_LINE]) for start, end in zip(starts, ends, strict=True)]
    places = [place for place, line in enumerate(lines) if _is_headline(line, title)]
    if places:
        is_between[places[-1] + 1 : first] = True
    return is_between


def _is_headline(line: str, title: str) -> bool:
    return len(line) >= _LEAST_LETTERS and (title in line or (line in title and len(line) >= _OF_HEADLINE * len(title)))
