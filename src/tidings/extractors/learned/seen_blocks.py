"""The visible blocks of a page, in columns, and what the features of each are made of beyond the block itself.

All features together are 668 bytes a block, so they are worked out for some blocks at a time (`features`). What one of
them needs of the whole page (sums up to each block, boxes, paths, words) is found here, once.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.hashed_words import KnownWords, hashed_words
from tidings.extractors.learned.story import StoryPlace
from tidings.extractors.learned.trees import slices
from tidings.page import Page, counts, tags
from tidings.page.columns import Ints, distinct, ranges
from tidings.page.counts import code_points
from tidings.page.flow import among, tag_set

Numbers = NDArray[np.int32]  # where many are held: no page has two thousand million of anything

COMMA, STOP, COLON, DIGIT, UPPER, QUOTE, BAR = 1, 2, 4, 8, 16, 32, 64
#: The kinds of mark that are counted, in this order.
_COUNTED: Final = (STOP, COMMA, COLON, DIGIT, UPPER, QUOTE, BAR)
LAYOUT: Final = tag_set(
    tags.numbers(
        "html body div center form fieldset table thead tbody tfoot tr td th ul ol dl "
        "article section main aside nav header footer figure details blockquote"
    )
)
#: Tags somewhere around the block, each a column.
AROUND: Final = {
    name: tags.numbers(names)
    for name, names in {
        "article": "article", "main": "main", "nav": "nav menu", "header": "header", "footer": "footer",
        "aside": "aside", "form": "form", "list": "ul ol", "table": "table", "figure": "figure", "section": "section",
        "details": "details dialog", "quotation": "blockquote", "code": "pre code",
    }.items()
}  # fmt: skip
SORT: Final = np.full(len(tags.NAMES) + 1, len(AROUND))
for _place, _numbers in enumerate(AROUND.values()):
    SORT[list(_numbers)] = _place
_HEADINGS: Final = tag_set(tags.HEADINGS)
_H1: Final = tags.NUMBERS["h1"]
_LONG: Final = 15  # words that make a block a paragraph rather than a label
BOXES: Final = 5
PATHS: Final = (2, 6)
SHARES: Final = (50, 80)
#: Counts for runs and kinds of elements that are held at the same time: 8 MB.
_TOGETHER: Final = 1 << 20


@cache
def mark_kinds() -> NDArray[np.uint8]:
    """For each code point of the basic plane what kinds of mark it is."""
    said = counts.characters()
    marks = np.where(said & counts.DIGIT, DIGIT, np.where(said & counts.UPPER, UPPER, 0)).astype(np.uint8)
    for kind, characters in (
        (COMMA, ",،、，;；·"),
        (STOP, ".!?。！？؟।۔…"),
        (COLON, ":："),
        (QUOTE, "\"'“”„«»‘’「」『』"),
        (BAR, "|•›»→/©·"),
    ):
        marks[[ord(character) for character in characters]] |= kind
    return marks


@cache
def _mark_sorts() -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """A number for each combination of kinds that a mark can be, and which of `_COUNTED` kinds that combination is."""
    found = np.unique(mark_kinds())
    sorts = np.zeros(256, np.uint8)
    sorts[found] = np.arange(len(found))
    return sorts, ((found[:, None] & np.array(_COUNTED, np.uint8)) != 0).astype(np.float64)


def _prefix(values: NDArray[np.generic]) -> NDArray[np.float64]:
    out = np.zeros(len(values) + 1)
    np.cumsum(values, out=out[1:])
    return out


class VisibleBlocks(NamedTuple):
    """The visible blocks of a page, as decisions over the page need them."""

    blocks: Ints  # indices into `page.blocks`
    words: Ints
    dates: NDArray[np.float64]  # how many blocks with a date stand before each, and in all


class SeenBlocks:
    """The visible blocks of a page, and what of the page as a whole their features are made of.

    Columns are narrow where they can be: a page may have some hundred thousand blocks.
    """

    def __init__(self, page: Page) -> None:
        blocks, elements = page.blocks, page.elements
        self.page = page
        self.blocks = seen = page.blocks.seen
        self.count = len(seen)
        self.words, links = blocks.words[seen], blocks.link_words[seen]
        self.element = blocks.element[seen]
        is_long = (self.words >= _LONG) & (links / np.maximum(self.words, 1) < 0.4)
        self.long = np.where(is_long, self.words - links, 0)
        # Element e holds the seen blocks low[e] … high[e] - 1.
        first = blocks.first[seen]
        self.low, self.high = np.searchsorted(first, elements.first), np.searchsorted(first, elements.last)
        self.word_sum, self.link_sum = _prefix(self.words), _prefix(links)
        self.long_sum, self.long_count = _prefix(self.long), _prefix(self.long > 0)
        self.total = max(float(self.word_sum[-1]), 1.0)
        self.total_long = max(float(self.long_sum[-1]), 1.0)
        self.hashed = hashed_words(page.text_codes, page.text_classes)
        self.first_word, self.last_word = np.searchsorted(
            self.hashed.start, (blocks.text_start[seen], blocks.text_end[seen])
        )
        self._count_marks()
        self._find_around(first)
        self._find_boxes()
        self._find_main()
        self._find_paths(links)
        self._find_likeness()
        heading = among(elements.tag[self.element], _HEADINGS)
        self.heading = np.maximum.accumulate(np.where(heading, np.arange(self.count, dtype=np.int32), np.int32(-1)))
        h1 = np.flatnonzero(elements.tag[self.element] == _H1)
        self.h1 = int(h1[0]) if len(h1) else None
        self.story = StoryPlace(self)

    def _count_marks(self) -> None:
        """How many marks of each kind a block has, and whether it has a date."""
        blocks, codes = self.page.blocks, self.page.text_codes
        sorts, member = _mark_sorts()
        size = len(member)
        self.marks = np.empty((len(_COUNTED), self.count), np.float32)
        self.dated = np.empty(self.count, np.bool_)
        for first, last in slices(self.count):
            some = self.blocks[first:last]
            start, end = blocks.text_start[some], blocks.text_end[some]
            begin = int(start[0])
            marks = mark_kinds().take(codes[begin : int(end[-1])], mode="clip")
            places = np.flatnonzero(marks)
            low, high = np.searchsorted(places, (start - begin, end - begin))
            kind = sorts.take(marks[places[ranges(low, high)]])
            block = np.repeat(np.arange(last - first), high - low)
            held = np.bincount(block * size + kind, minlength=(last - first) * size).reshape(-1, size) @ member
            self.marks[:, first:last] = held.T
            _, _, colons, digits, *_ = held.T
            # A short block with a date or a time: over an article there is one, over comments and lists there are many.
            words = self.words[first:last]
            self.dated[first:last] = (words <= 15) & (digits >= 3) & ((colons > 0) | (digits >= 6))
        self.dates = _prefix(self.dated)

    def _find_around(self, first: Ints) -> None:
        """In how many elements of telling tags a block stands, at most three."""
        elements, runs = self.page.elements, len(self.page.runs) + 1
        sort = SORT.take(elements.tag, mode="clip")
        self.around = np.zeros((len(AROUND), self.count), np.int8)
        together = max(1, _TOGETHER // runs)  # all of them on usual pages
        for low in range(0, len(AROUND), together):
            some = min(together, len(AROUND) - low)
            which = np.flatnonzero((sort >= low) & (sort < low + some))
            place, size = (sort[which] - low) * runs, some * runs
            depth = np.bincount(place + elements.first[which], minlength=size)
            depth -= np.bincount(place + elements.last[which], minlength=size)
            depth = depth.reshape(some, runs).cumsum(axis=1)
            self.around[low : low + some] = np.minimum(depth[:, first], 3)

    def _find_boxes(self) -> None:
        """The boxes around a block, from the nearest outwards, and how much hangs directly in each."""
        elements = self.page.elements
        nearest = self.page.nearest(LAYOUT)
        around = nearest[np.maximum(elements.parent, 0)]
        self.boxes = np.empty((BOXES + 1, self.count), np.int32)
        self.boxes[0] = nearest[self.element]
        for level in range(BOXES):
            self.boxes[level + 1] = around[self.boxes[level]]
        self.own_long = np.bincount(self.boxes[0], self.long, len(elements))

    def _find_main(self) -> None:
        """The box with most text of its own and those around it, and the smallest that hold most of the text."""
        elements = self.page.elements
        best = int(np.argmax(self.own_long)) if self.count else 0
        path = [best]
        while path[-1] > 0 and len(path) < 8:
            path.append(int(elements.parent[path[-1]]))
        self.main = [(int(self.low[one]), int(self.high[one])) for one in path]
        long = self.long_sum[self.high] - self.long_sum[self.low]
        self.holders: list[tuple[int, int]] = []
        for share in SHARES:
            held = np.flatnonzero(long >= share / 100 * self.total_long) if self.long_sum[-1] else long[:0]
            chosen = int(held[np.argmax(elements.depth[held])]) if len(held) else 0
            self.holders.append((int(self.low[chosen]), int(self.high[chosen])))

    def _find_paths(self, links: Ints) -> None:
        """Blocks that hang by the same path of tags: how many, how long, how linked."""
        elements = self.page.elements
        tag, parent = elements.tag.astype(np.uint64), np.maximum(elements.parent, 0)
        path, above = tag[self.element], self.element
        self.groups: list[NDArray[np.int32]] = []
        self.of_groups: list[NDArray[np.float64]] = []
        for level in range(1, PATHS[-1] + 1):
            above = parent[above]
            path = path * np.uint64(1000003) + tag[above]
            if level not in PATHS:
                continue
            group = np.unique(path, return_inverse=True)[1]
            size = np.bincount(group)
            words, linked = np.bincount(group, self.words), np.bincount(group, links)
            self.of_groups.append(
                np.stack(
                    (
                        size,
                        words / size,
                        linked / np.maximum(words, 1),
                        np.bincount(group, self.long) / self.total_long,
                        np.bincount(group, self.dated) / size,
                    )
                )
            )
            self.groups.append(group.astype(np.int32))

    def _find_likeness(self) -> None:
        """How like the title, and like the other paragraphs of the page, the words of a block are."""
        numbers, low, high = self.hashed.number, self.first_word, self.last_word
        title = distinct(hashed_words(code_points(self.page.signals.title)).number)
        told = np.zeros(len(numbers), np.bool_)
        told[KnownWords(title).find(numbers)[0]] = True
        counts = _prefix(told)
        size = np.maximum(high - low, 1)
        in_title = counts[high] - counts[low]
        self.likeness = np.empty((4, self.count), np.float32)
        self.likeness[0] = in_title / size
        self.likeness[1] = in_title / max(len(title), 1)
        # Of the words of each block, which are words of long blocks elsewhere.
        found, word = np.unique(numbers[ranges(low, high)], return_inverse=True)
        in_long = np.repeat(self.long > 0, high - low)
        holders = np.bincount(word[in_long], minlength=len(found))
        rare = np.bincount(word, minlength=len(found)) <= max(3, self.total / 200)
        elsewhere = holders[word] > in_long
        bounds = np.concatenate(((0,), np.cumsum(high - low)))
        self.likeness[2] = np.diff(_prefix(elsewhere)[bounds]) / size
        self.likeness[3] = np.diff(_prefix(elsewhere & rare[word])[bounds]) / size
