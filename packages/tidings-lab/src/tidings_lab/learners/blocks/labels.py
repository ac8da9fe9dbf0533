"""The class of every block of a page, from its gold (hybrid rules 4.2).

The publication had people mark blocks. Gold is text and fields, so the blocks are sought that hold them:

- main: see `main_block`;
- headline: the block whose text is the gold title;
- article information: the blocks that hold an author's name, the day of publication, the summary or a caption and
  little else. Comments are article information too, but no gold has them;
- all others are uninformative, also the boxes around a main block.

Of blocks with the same text, one inside the other, one has the class (of the outermost tags that are no layout; a
heading before all) and the others are left out, as are the blocks inside it and those around it with hardly more words:
they would be called wrong whatever is said of them. Parts of the story, its paragraphs and links, are told apart from
these: the publication's sets do not have them, but a page does.

What gold says of the blocks of a page: its text, and the fields that have blocks of their own.

Which DIV or TD is the main block of a page, by its gold text.

Hybrid rules 4.2: the largest informative block, a DIV or TD with many words. Here it is the block whose words and those
of gold agree best (F measure), of equals the innermost. Where one block does not tell the whole story, as when every
paragraph has a box of its own and adverts stand between, others are added while they explain enough of what is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.published.block_tree.features import BlockClass, PageBlocks, features
from tidings.fields.elements_by_attribute import text_of
from tidings.fields.moments import read
from tidings.page import Page
from tidings.page.columns import Bools, Ints, sums
from tidings.text import words
from tidings_lab.learners.lesson import shares


@dataclass(frozen=True, slots=True)
class PageGold:
    """What gold says of a page, as far as it is known."""

    text: str
    title: str = ""
    authors: tuple[str, ...] = ()
    day: date | None = None
    summary: tuple[str, ...] = ()
    captions: tuple[str, ...] = ()
    language: str = ""

    @classmethod
    def of(cls, gold: dict[str, Any], language: str = "") -> PageGold:
        """From the gold of a sample; what is not of the expected form is taken as not told."""
        authors, summary, images = gold.get("authors"), gold.get("summary"), gold.get("images")
        several = summary if isinstance(summary, list) else [summary]
        day = read(str(gold.get("date") or ""))
        return cls(
            str(gold.get("text") or ""),
            str(gold.get("title") or ""),
            tuple(str(one) for one in authors) if isinstance(authors, list) else (),
            day.date() if isinstance(day, datetime) else day,
            tuple(str(one) for one in several if one),
            tuple(
                str(one["caption"])
                for one in (images if isinstance(images, list) else ())
                if isinstance(one, dict) and one.get("caption")
            ),
            language,
        )


#: How much another block must add to the F measure to be a main block too.
GAIN: Final = 0.05
#: A story in more pieces than this has no main block.
MOST: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class InGold:
    """For each element how many words it holds and how many of them are of the gold text."""

    words: Ints
    gold: NDArray[np.float64]
    wanted: float  # all words of gold that are on the page

    @property
    def share(self) -> NDArray[np.float64]:
        """The share of each element's words that are of gold."""
        return self.gold / np.maximum(self.words, 1)


@dataclass(frozen=True, slots=True)
class MainBlocks:
    """The main blocks of a page, as elements, and how well they explain gold together."""

    elements: tuple[int, ...]
    f1: float


def in_gold(page: Page, gold: str) -> InGold:
    """Count gold's words in every element of a page."""
    blocks, elements = page.blocks, page.elements
    words = blocks.words * ~blocks.hidden
    found = shares(page, gold) * words
    before, wanted = sums(words), np.concatenate(([0.0], np.cumsum(found)))
    first = np.searchsorted(blocks.first, elements.first)
    last = np.maximum(np.searchsorted(blocks.last, elements.last, side="right"), first)
    return InGold(before[last] - before[first], wanted[last] - wanted[first], float(wanted[-1]))


def main_blocks(page: Page, counts: InGold, candidates: Ints) -> MainBlocks:
    """The main blocks among some elements."""
    elements = page.elements
    chosen: list[int] = []
    words, gold, best = 0.0, 0.0, 0.0
    free = candidates
    while len(free) and len(chosen) < MOST and counts.wanted > 0:
        together = 2 * (gold + counts.gold[free]) / (words + counts.words[free] + counts.wanted)
        at = len(free) - 1 - int(np.argmax(together[::-1]))  # of equals the last, which is the innermost
        if together[at] < best + (GAIN if chosen else 1e-9):
            break
        one, best = int(free[at]), float(together[at])
        chosen.append(one)
        words, gold = words + float(counts.words[one]), gold + float(counts.gold[one])
        apart = (elements.last[free] <= elements.first[one]) | (elements.first[free] >= elements.last[one])
        free = free[apart]
    return MainBlocks(tuple(sorted(chosen)), best)


#: Of a block that has no class because another one stands for it, and of one that is a part of the story.
LEFT_OUT: Final = -1
PART: Final = -2
#: The fields of article information; 0 is none of them.
FIELDS: Final = ("", "author", "date", "summary", "caption")
#: A byline or dateline has no more words than this beside the name or day.
_BESIDE: Final = 25
#: A block around another with at most so many words more is the same to a reader.
_HARDLY_MORE: Final = 6
#: A headline has at least this share of the words of gold's title, which may have the site's name behind.
_MOST_OF_TITLE: Final = 0.5

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LabelledBlocks:
    """The blocks of a page with the class of each: a `BlockClass`, `LEFT_OUT` or `PART`."""

    blocks: PageBlocks
    label: NDArray[np.int8]
    field: NDArray[np.int8]  # of article information: a place in `FIELDS`
    main: MainBlocks


def label(page: Page, gold: PageGold) -> LabelledBlocks:
    """The blocks of a page and their classes."""
    blocks = features(page)
    element = blocks.element
    counts = in_gold(page, gold.text)
    main = main_blocks(page, counts, element[blocks.layout])
    labels = np.full(len(element), BlockClass.UNINFORMATIVE, np.int8)
    fields = np.zeros(len(element), np.int8)
    in_main = _inside(page, element, main.elements)
    labels[in_main & (counts.share[element] > 0.5)] = PART  # the share of gold's words in it
    found = list(_GoldFinder(page, blocks, counts, gold, main).all())
    for _, _, at in found:
        labels[alike(page, element, int(element[at]))] = LEFT_OUT
    for kind, field, at in found:
        labels[at], fields[at] = kind, FIELDS.index(field)
    labels[np.isin(element, main.elements)] = BlockClass.MAIN
    return LabelledBlocks(blocks, labels, fields, main)


def alike(page: Page, elements: Ints, element: int) -> Bools:
    """Which elements are inside another one, or around it with hardly more words."""
    columns, count = page.elements, sums(page.runs.words * ~page.runs.hidden)
    first, last = columns.first[elements], columns.last[elements]
    words = count[last] - count[first]
    begin, end = columns.first[element], columns.last[element]
    inside = (first >= begin) & (last <= end)
    hardly_more = words <= count[end] - count[begin] + _HARDLY_MORE
    return np.asarray(inside | ((first <= begin) & (last >= end) & hardly_more))


def same_to_a_reader(page: Page, element: int, other: int) -> bool:
    """Whether one of two elements holds the other and hardly more words."""
    return bool(alike(page, np.array([element]), other)[0] and alike(page, np.array([other]), element)[0])


def _inside(page: Page, element: Ints, around: Sequence[int]) -> Bools:
    first, last = page.elements.first, page.elements.last
    inside = np.zeros(len(element), np.bool_)
    for one in around:
        inside |= (first[element] >= first[one]) & (last[element] <= last[one])
    return inside


@dataclass(frozen=True, slots=True, eq=False)
class _GoldFinder:
    """Looks for the blocks that hold a field."""

    page: Page
    blocks: PageBlocks
    counts: InGold
    gold: PageGold
    main: MainBlocks

    def all(self) -> Iterator[tuple[BlockClass, str, int]]:
        """Class, field and place of every block that has one."""
        gold, anchor = self.gold, self._start(self.main.elements[0]) if self.main.elements else 0
        headline = self._headline(words(gold.title), anchor)
        if headline is not None:
            anchor = self._start(int(self.blocks.element[headline]))
            yield BlockClass.HEADLINE, "", headline
        taken = {headline}
        for field, wanted in self._wanted():
            at = self._nearest(wanted, anchor)
            if at is not None and at not in taken:
                taken.add(at)
                yield BlockClass.INFORMATION, field, at

    def _wanted(self) -> Iterator[tuple[str, Callable[[int], bool]]]:
        """For each field that gold has, what tells its block."""
        gold = self.gold
        for name in gold.authors:
            if wanted := tuple(words(name)):
                yield "author", partial(self._holds, wanted=wanted, beside=_BESIDE)
        if gold.day is not None:
            yield "date", self._is_of_the_day
        for field, texts in (("summary", gold.summary), ("caption", gold.captions)):
            for text in texts:
                if len(wanted := tuple(words(text))) > 2:
                    yield field, partial(self._holds, wanted=wanted, beside=_HARDLY_MORE)

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

    def _holds(self, at: int, wanted: Words, beside: int) -> bool:
        """Whether a block has the words in their order, and at most so many others."""
        if self._words[at] > 2 * len(wanted) + beside:
            return False
        there = tuple(words(self._text(at)))
        if not len(wanted) <= len(there) <= len(wanted) + beside:
            return False
        return any(there[place : place + len(wanted)] == wanted for place in range(len(there) - len(wanted) + 1))

    def _is_of_the_day(self, at: int) -> bool:
        """Whether a block is a line with the day of publication."""
        if self._words[at] > _BESIDE or self.counts.share[self.blocks.element[at]] > 0.5:
            return False
        element = int(self.blocks.element[at])
        told = [self._text(at)]
        if self.blocks.tag(at) == "time":
            told.append(self.page.attributes(element).get("datetime", ""))
        for text in told:
            moment = read(text, self.gold.language)
            if moment is not None and (moment.date() if isinstance(moment, datetime) else moment) == self.gold.day:
                return True
        return False

    def _headline(self, title: Sequence[str], anchor: int) -> int | None:
        """The block with the title's words: a heading before others, the highest one, then the nearest to main."""
        wanted = tuple(title)
        count = self._words
        near = np.flatnonzero((count >= _MOST_OF_TITLE * len(wanted)) & (count <= 1.5 * len(wanted) + 2))
        found = [at for at in near.tolist() if self._is_title(tuple(words(self._text(at))), wanted)]
        if not wanted or not found:
            return None

        def rank(at: int) -> tuple[int, int]:
            tag = self.blocks.tag(at)
            level = int(tag[1]) if tag[0] == "h" and tag[1:].isdigit() else 7
            return level, abs(self._start(int(self.blocks.element[at])) - anchor)

        return self._representative(min(found, key=rank))

    @staticmethod
    def _is_title(there: Words, wanted: Words) -> bool:
        if there == wanted:
            return True
        size = len(there)
        return size >= max(3, _MOST_OF_TITLE * len(wanted)) and there in (wanted[:size], wanted[-size:])

    def _nearest(self, wanted: Callable[[int], bool], anchor: int) -> int | None:
        """Of the innermost blocks that are wanted the one nearest to a place of the text."""
        few = np.flatnonzero(self._words <= 250).tolist()  # a caption is no longer
        found = [at for at in few if wanted(at)]
        if not found:
            return None
        first, last = self._ranges
        places = np.array(found)
        innermost = [
            at
            for at in found
            if not (
                (first[places] >= first[at])
                & (last[places] <= last[at])
                & ((first[places] > first[at]) | (last[places] < last[at]))
            ).any()
        ]
        nearest = min(innermost, key=lambda at: abs(self._start(int(self.blocks.element[at])) - anchor))
        return self._representative(nearest)

    def _representative(self, at: int) -> int:
        """Of blocks with the same text the heading, else the outermost that is no layout, else the innermost."""
        first, last = self._ranges
        same = np.flatnonzero((first == first[at]) & (last == last[at])).tolist()
        tags = {one: self.blocks.tag(one) for one in same}
        headings = [one for one, tag in tags.items() if tag[0] == "h" and tag[1:].isdigit()]
        others = [one for one in same if not self.blocks.layout[one]]
        return int((headings or others or same[-1:])[0])
