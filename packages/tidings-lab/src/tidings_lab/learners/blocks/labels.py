"""The class of every block of a page, from its ground truth (hybrid rules 4.2).

In the publication people marked blocks. Here ground truth is text and fields, so blocks are located by them:

- main: see `main_blocks`;
- headline: the block whose text is the ground-truth title;
- article information: blocks that contain an author's name, the day of publication, the summary or a caption and little
  else. Comments are article information too, but no ground truth has them;
- uninformative: all others, including the boxes around a main block.

Of nested blocks with the same text, one has the class (the outermost one without layout tag; a heading before all) and
the others are left out, as are the blocks inside it and those around it with hardly more words, because any class of
theirs would count as wrong. Parts of the story, its paragraphs and links, are distinguished from these: the
publication's sets do not contain them, but pages do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.published.block_tree.features import BlockClass, PageBlocks, features
from tidings.fields.date_parsing.parsing import read
from tidings.fields.elements.by_attribute import text_of
from tidings.page import Page
from tidings.page.columns import Bools, Ints, sums
from tidings.text import words
from tidings_lab.learners.blocks.main_blocks import InGold, MainBlocks, in_gold, main_blocks
from tidings_lab.learners.blocks.page_gold import PageGold

#: The label of a block that another block represents, and of a part of the story.
LEFT_OUT: Final = -1
PART: Final = -2
#: The fields of article information; index 0 is none.
FIELDS: Final = ("", "author", "date", "summary", "caption")
#: The maximal number of further words in a byline or dateline.
_BESIDE: Final = 25
#: A block around another with at most this many more words is the same for a reader.
_HARDLY_MORE: Final = 6
#: The least share of the ground-truth title's words in a headline; the title may contain the site's name.
_MOST_OF_TITLE: Final = 0.5
Words = tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LabelledBlocks:
    """The blocks of a page with the class of each: a `BlockClass`, `LEFT_OUT` or `PART`."""

    blocks: PageBlocks
    label: NDArray[np.int8]
    field: NDArray[np.int8]  # of article information: an index in `FIELDS`
    main: MainBlocks


def label(page: Page, gold: PageGold) -> LabelledBlocks:
    """Return the blocks of a page and their classes."""
    blocks = features(page)
    element = blocks.element
    counts = in_gold(page, gold.text)
    main = main_blocks(page, counts, element[blocks.layout])
    labels = np.full(len(element), BlockClass.UNINFORMATIVE, np.int8)
    fields = np.zeros(len(element), np.int8)
    in_main = _inside(page, element, main.elements)
    labels[in_main & (counts.share[element] > 0.5)] = PART  # more than half of its words are ground truth
    fields_found = list(_GoldFinder(page, blocks, counts, gold, main).all())
    for _, _, block in fields_found:
        labels[same_or_inside(page, element, int(element[block]))] = LEFT_OUT
    for kind, field, block in fields_found:
        labels[block], fields[block] = kind, FIELDS.index(field)
    labels[np.isin(element, main.elements)] = BlockClass.MAIN
    return LabelledBlocks(blocks, labels, fields, main)


def same_or_inside(page: Page, elements: Ints, element: int) -> Bools:
    """Return which of some elements are inside `element`, or contain it with hardly any further words."""
    columns, count = page.elements, sums(page.runs.words * ~page.runs.hidden)
    first, last = columns.first[elements], columns.last[elements]
    words = count[last] - count[first]
    begin, end = columns.first[element], columns.last[element]
    inside = (first >= begin) & (last <= end)
    hardly_more = words <= count[end] - count[begin] + _HARDLY_MORE
    return np.asarray(inside | ((first <= begin) & (last >= end) & hardly_more))


def same_to_a_reader(page: Page, element: int, other: int) -> bool:
    """Return whether two elements look the same to a reader: one contains the other with hardly any further words."""
    return bool(
        same_or_inside(page, np.array([element]), other)[0] and same_or_inside(page, np.array([other]), element)[0]
    )


def _inside(page: Page, element: Ints, containers: Sequence[int]) -> Bools:
    first, last = page.elements.first, page.elements.last
    inside = np.zeros(len(element), np.bool_)
    for container in containers:
        inside |= (first[element] >= first[container]) & (last[element] <= last[container])
    return inside


@dataclass(frozen=True, slots=True, eq=False)
class _GoldFinder:
    """Finds the blocks of a page that contain the ground truth's fields, such as author and date."""

    page: Page
    blocks: PageBlocks
    counts: InGold
    gold: PageGold
    main: MainBlocks

    def all(self) -> Iterator[tuple[BlockClass, str, int]]:
        """Yield class, field and index of every block of a field."""
        gold, anchor = self.gold, self._start(self.main.elements[0]) if self.main.elements else 0
        headline = self._headline(words(gold.title), anchor)
        if headline is not None:
            anchor = self._start(int(self.blocks.element[headline]))
            yield BlockClass.HEADLINE, "", headline
        used = {headline}
        for field, matches in self._field_matchers():
            block = self._nearest(matches, anchor)
            if block is not None and block not in used:
                used.add(block)
                yield BlockClass.INFORMATION, field, block

    def _field_matchers(self) -> Iterator[tuple[str, Callable[[int], bool]]]:
        """Yield for each field of the ground truth a function that recognises its block."""
        gold = self.gold
        for name in gold.authors:
            if target := tuple(words(name)):
                yield "author", partial(self._contains, target=target, extra=_BESIDE)
        if gold.day is not None:
            yield "date", self._is_of_the_day
        for field, texts in (("summary", gold.summary), ("caption", gold.captions)):
            for text in texts:
                if len(target := tuple(words(text))) > 2:
                    yield field, partial(self._contains, target=target, extra=_HARDLY_MORE)

    @property
    def _ranges(self) -> tuple[Ints, Ints]:
        elements = self.page.elements
        return elements.first[self.blocks.element], elements.last[self.blocks.element]

    @property
    def _words(self) -> NDArray[np.float64]:
        return self.blocks.rows[:, 0]

    def _start(self, element: int) -> int:
        return int(self.page.runs.text_start[self.page.elements.first[element]])

    def _text(self, at: int) -> str:
        return text_of(self.page, int(self.blocks.element[at]))

    def _contains(self, at: int, target: Words, extra: int) -> bool:
        """Return whether a block contains the target words in order, and at most `extra` further words."""
        if self._words[at] > 2 * len(target) + extra:
            return False
        block_words = tuple(words(self._text(at)))
        if not len(target) <= len(block_words) <= len(target) + extra:
            return False
        return any(
            block_words[place : place + len(target)] == target for place in range(len(block_words) - len(target) + 1)
        )

    def _is_of_the_day(self, at: int) -> bool:
        """Return whether a block is a short line, outside the main text, with the ground truth's date."""
        if self._words[at] > _BESIDE or self.counts.share[self.blocks.element[at]] > 0.5:
            return False
        element = int(self.blocks.element[at])
        texts = [self._text(at)]
        if self.blocks.tag(at) == "time":
            texts.append(self.page.attributes(element).get("datetime", ""))
        for text in texts:
            moment = read(text, self.gold.language)
            if moment is not None and (moment.date() if isinstance(moment, datetime) else moment) == self.gold.day:
                return True
        return False

    def _headline(self, title: Sequence[str], anchor: int) -> int | None:
        """Return the block with the title's words: headings first, by level, then the one nearest to the main block."""
        target = tuple(title)
        count = self._words
        candidates = np.flatnonzero((count >= _MOST_OF_TITLE * len(target)) & (count <= 1.5 * len(target) + 2))
        matches = [at for at in candidates.tolist() if self._is_title(tuple(words(self._text(at))), target)]
        if not target or not matches:
            return None

        def rank(at: int) -> tuple[int, int]:
            tag = self.blocks.tag(at)
            level = int(tag[1]) if tag[0] == "h" and tag[1:].isdigit() else 7
            return level, abs(self._start(int(self.blocks.element[at])) - anchor)

        return self._representative(min(matches, key=rank))

    @staticmethod
    def _is_title(block_words: Words, title: Words) -> bool:
        if block_words == title:
            return True
        size = len(block_words)
        return size >= max(3, _MOST_OF_TITLE * len(title)) and block_words in (title[:size], title[-size:])

    def _nearest(self, matches: Callable[[int], bool], anchor: int) -> int | None:
        """Return the innermost matching block that is nearest to a position of the text."""
        short_blocks = np.flatnonzero(self._words <= 250).tolist()  # captions are shorter
        candidates = [at for at in short_blocks if matches(at)]
        if not candidates:
            return None
        first, last = self._ranges
        places = np.array(candidates)
        innermost = [
            at
            for at in candidates
            if not (
                (first[places] >= first[at])
                & (last[places] <= last[at])
                & ((first[places] > first[at]) | (last[places] < last[at]))
            ).any()
        ]
        nearest = min(innermost, key=lambda at: abs(self._start(int(self.blocks.element[at])) - anchor))
        return self._representative(nearest)

    def _representative(self, at: int) -> int:
        """Return the block that represents all blocks with the same text as this one.

        A heading is preferred, then the outermost block whose tag is not DIV or TD, then the innermost block.
        """
        first, last = self._ranges
        candidates = np.flatnonzero((first == first[at]) & (last == last[at])).tolist()
        tags = {block: self.blocks.tag(block) for block in candidates}
        headings = [block for block, tag in tags.items() if tag[0] == "h" and tag[1:].isdigit()]
        without_layout = [block for block in candidates if not self.blocks.layout[block]]
        return int((headings or without_layout or candidates[-1:])[0])
