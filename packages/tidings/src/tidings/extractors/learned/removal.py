"""A guard that limits how much of a selection a rule may remove.

A rule looks at one sign: a heading above comments, a second headline, a list of links. If a page uses the sign for
something else, the rule would remove most of its story. So every rule removes text through `Removal`, which refuses to
remove more than a third of the words that the model is sure of, unless the remaining text contains the words of the
headline. `tidings explain` names the rule that removed a block.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.learned.blocks import VisibleBlocks, declared_headline
from tidings.fields import language
from tidings.fields.declared import declared
from tidings.page import Page, Spans
from tidings.page.columns import Bools, Ints
from tidings.text import characters, count_words, stop_words
from tidings.text import words as words_of
from tidings.text.patterns import late_pattern

#: The least probability of a sure block, and the share of the words in such blocks that a rule may remove.
_SURE: Final = 0.9
_MOST: Final = 1 / 3
#: If sure blocks have less than this share of the selected words, all selected blocks are protected in their place.
_UNSURE: Final = 0.5
#: The share of the headline's words that the rest has to contain, and the least words of a paragraph that counts. A
#: paragraph needs `_OTHERS` further words, because a repeated headline also contains its own words.
_CONTAINED: Final = 0.4
_PARAGRAPH: Final = 8
_OTHERS: Final = 3
#: Shorter words are ignored. Of longer words only the first letters are compared, because endings are inflected.
_SHORT: Final = 3
_STEM: Final = 5
_LONGEST: Final = 400  # characters of a headline that are read
#: Separators between the headline and the site or section in a title; parts with fewer words are ignored.
_SEPARATOR: Final = late_pattern(r"\s+[|–—·:»«-]+\s+|\s*[()]\s*")
_PART: Final = 3


class RemovalRule(StrEnum):
    """A rule that removes selected text; the value is its description in `tidings explain`."""

    COMMENTS_HEADING = "behind a line over comments"
    COMMENT_COUNT = "a count of comments"
    ANOTHER_STORY = "behind the headline of another story"
    STORY_LIST = "a list of other stories"
    DATA = "data of a script"
    REPEATED = "repeats a run of blocks before it"
    CARD = "a card that a pointer opens"
    CONSENT = "a dialogue that asks for consent to cookies"
    COMMENTS = "part of the comments"
    BEFORE_TITLE = "before the headline that led to the page"
    DECLARED_BODY = "not in the declared body"
    NO_STORY = "the page has no story"


class Removal:
    """The selected blocks of a page, from which rules remove text; a guard refuses to remove too much of the likely
    story.

    Args:
        page: the page.
        blocks: its visible blocks.
        probability: the probability of each block.
        selected: which blocks the model selects; rules change it in place.
        headline: the headline of the story; the declared one if empty.
    """

    def __init__(
        self,
        page: Page,
        blocks: VisibleBlocks,
        probability: NDArray[np.float64],
        selected: Bools,
        headline: str = "",
    ) -> None:
        self._page, self._blocks, self.probability, self._headline = page, blocks, probability, headline
        self.selected = selected
        self._by_block: list[tuple[RemovalRule, Bools]] = []
        self._by_text: list[tuple[RemovalRule, Spans]] = []

    @property
    def has_removed(self) -> bool:
        """Return whether rules have removed blocks."""
        return bool(self._by_block)

    def remove(self, rule: RemovalRule, blocks: Bools) -> bool:
        """Remove blocks from the selection unless the guard refuses; return whether anything was removed."""
        blocks = blocks & self.selected
        if not blocks.any() or not self._is_allowed(np.where(blocks, self._blocks.words, 0)):
            return False
        self.selected &= ~blocks
        self._by_block.append((rule, blocks))
        return True

    def remove_text(self, rule: RemovalRule, text: Spans, story: Spans) -> Spans:
        """Return the story without some text; the story is unchanged if the guard refuses.

        Args:
            rule: the rule that removes the text.
            text: the ranges to remove.
            story: the ranges of the story.
        """
        removed = text & story if text else text
        if not removed or not self._is_allowed(self._words_in(removed)):
            return story
        self._by_text.append((rule, removed))
        return story - removed

    def replace(self, rule: RemovalRule, story: Spans, other: Spans) -> Spans:
        """Return other text in place of the story; if the guard refuses, return the union of both.

        Args:
            rule: the rule that replaces the story.
            story: the ranges of the story.
            other: the ranges to return.
        """
        removed = story - other
        if not removed:
            return other
        if not self._is_allowed(self._words_in(removed), other):
            return story | other
        self._by_text.append((rule, removed))
        return other

    def reject(self, story: Spans) -> None:
        """Record that the page has no story: the selection is an error, a wall, or too little text.

        This decision is about the whole page, so the guard does not apply.
        """
        self._by_text.append((RemovalRule.NO_STORY, story))

    def reasons(self) -> dict[int, RemovalRule]:
        """Return the rule that removed each block, by block number; the last one if several did."""
        reasons = {}
        for rule, blocks in self._by_block:
            reasons.update(dict.fromkeys(self._blocks.blocks[blocks].tolist(), rule))
        for rule, spans in self._by_text:
            blocks_of_runs = self._page.runs.block[spans.runs(self._page)]
            reasons.update(dict.fromkeys(blocks_of_runs.tolist(), rule))
        return reasons

    def _words_in(self, text: Spans) -> Ints:
        """Return for each visible block how many of its words are in the given ranges of text."""
        runs = self._page.runs
        inside = text.runs(self._page)
        words = np.bincount(runs.block[inside], runs.words[inside], minlength=len(self._page.blocks))
        return np.minimum(words[self._blocks.blocks], self._blocks.words).astype(np.int64)

    def _is_allowed(self, removed: Ints, other: Spans | None = None) -> bool:
        """Return whether a removal leaves enough of the likely story.

        Args:
            removed: the number of words to remove from each visible block.
            other: text that is selected in place of the removed words.
        """
        words, is_sure = self._blocks.words, self.probability >= _SURE
        if words[is_sure].sum() < _UNSURE * words[self.selected].sum():
            is_sure = self.selected | (removed > 0)  # the model is not sure of this page
        if removed[is_sure].sum() <= _MOST * words[is_sure].sum():
            return True
        page, blocks = self._page, self._blocks
        rest = blocks.blocks[self.selected & (blocks.words - removed >= _PARAGRAPH)]
        starts, ends = page.blocks.text_start[rest].tolist(), page.blocks.text_end[rest].tolist()
        texts = [page.text[start:end] for start, end in zip(starts, ends, strict=True)]
        if other is not None:
            texts.append(other.text(page))
        spoken = language.find(page, None, declared(page))
        stopped = stop_words("en" if spoken is None else spoken.value)
        return contains_headline(texts, self._headline or declared_headline(page), stopped)


def contains_headline(paragraphs: Sequence[str], headline: str, stopped: Collection[str] = ()) -> bool:
    """Return whether paragraphs contain enough words of a headline, or of one part of a title.

    Stop words are ignored, unless the headline consists of stop words.
    """
    headline = headline[:_LONGEST]
    parts = [part for part in _SEPARATOR.split(headline) if count_words(part) >= _PART]
    return any(_contains(paragraphs, part, stopped) for part in parts or [headline])


def _contains(paragraphs: Sequence[str], headline: str, stopped: Collection[str]) -> bool:
    spaced = words_of(headline)
    if count_words(headline) >= 2 * max(len(spaced), 1):  # a script without spaces
        stems = set(characters(headline))
        texts = (set(paragraph.lower()) for paragraph in paragraphs)
    else:
        stems = _stems(spaced, stopped) or _stems(spaced, ())
        texts = (_stems(words_of(text), stopped) for text in paragraphs)
    contained = {word for text in texts if len(text - stems) >= _OTHERS for word in stems & text}
    return bool(stems) and len(contained) >= _CONTAINED * len(stems)


def _stems(words: Sequence[str], stopped: Collection[str]) -> set[str]:
    return {word[:_STEM] for word in words if len(word) >= _SHORT and word not in stopped}
