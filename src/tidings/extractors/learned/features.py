"""What a block classifier is told of each block: some hundred numbers, all found for the whole page at once.

Nothing here knows a language: size, links, marks, place, tags, repetition, neighbours, and how like the title and the
rest of the page the words are. What class names and cue words say is learned (`lexicon`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.learned.hashed_words import HashedWords, Hashes, hashed_words
from tidings.extractors.learned.lexicon import Lexicon, Names, names
from tidings.page import Page, tags
from tidings.page.columns import Bools, Ints
from tidings.page.counts import code_points
from tidings.page.flow import among, tag_set

Floats = NDArray[np.float32]

_PLANE: Final = 0x10000
_COMMA, _STOP, _COLON, _DIGIT, _UPPER, _QUOTE, _BAR, _OTHER = 1, 2, 4, 8, 16, 32, 64, 128
_LAYOUT: Final = tag_set(
    tags.numbers(
        "html body div center form fieldset table thead tbody tfoot tr td th ul ol dl "
        "article section main aside nav header footer figure details blockquote"
    )
)
#: Tags of the block itself, each a column.
_OWN: Final = {
    name: tag_set(tags.numbers(names))
    for name, names in {
        "p": "p", "div": "div", "li": "li", "cell": "td th", "h1": "h1", "h2": "h2", "h3": "h3", "h456": "h4 h5 h6",
        "quote": "blockquote", "caption": "figcaption caption", "pre": "pre listing xmp", "definition": "dt dd",
        "control": "button option label legend summary select textarea",
    }.items()
}  # fmt: skip
#: Tags somewhere around the block, each a column.
_AROUND: Final = {
    name: tag_set(tags.numbers(names))
    for name, names in {
        "article": "article", "main": "main", "nav": "nav menu", "header": "header", "footer": "footer",
        "aside": "aside", "form": "form", "list": "ul ol", "table": "table", "figure": "figure", "section": "section",
        "details": "details dialog", "quotation": "blockquote", "code": "pre code",
    }.items()
}  # fmt: skip
_INLINE: Final = {
    name: tag_set(tags.numbers(names))
    for name, names in {
        "strong": "b strong", "emphasis": "em i", "span": "span font", "small": "small sub sup", "time": "time",
    }.items()
}  # fmt: skip
_HEADINGS: Final = tag_set(tags.HEADINGS)
_H1: Final = tags.NUMBERS["h1"]
_LONG: Final = 15  # words that make a block a paragraph rather than a label


@cache
def _marks() -> NDArray[np.uint8]:
    """For each code point of the basic plane what kinds of mark it is."""
    marks = np.zeros(_PLANE, np.uint8)
    for kind, characters in (
        (_COMMA, ",،、，;；·"),
        (_STOP, ".!?。！？؟।۔…"),
        (_COLON, ":："),
        (_QUOTE, "\"'“”„«»‘’「」『』"),
        (_BAR, "|•›»→/©·"),
    ):
        marks[[ord(character) for character in characters]] |= kind
    for code in range(_PLANE):
        character = chr(code)
        if character.isdigit():
            marks[code] |= _DIGIT
        elif character.isupper():
            marks[code] |= _UPPER
    return marks


@dataclass(frozen=True, slots=True, eq=False)
class BlockFeatures:
    """The visible blocks of a page and a row of numbers for each feature."""

    blocks: Ints  # indices into `page.blocks`
    names: tuple[str, ...]
    rows: Floats  # a row a feature, a column a block
    words: Ints  # of each block, for decisions over the page
    low: Ints  # element e holds the blocks low[e] … high[e] - 1 of these
    high: Ints
    boxes: tuple[Ints, ...]  # for each block the elements of layout around it, from the nearest outwards
    groups: tuple[Ints, ...]  # for each block the number of its path of tags: short paths, long paths

    def row(self, name: str) -> Floats:
        """The feature of that name."""
        row: Floats = self.rows[self.names.index(name)]
        return row


def seen_blocks(page: Page) -> Ints:
    """Blocks that have words and that a reader can see."""
    return np.flatnonzero(~page.blocks.hidden & (page.blocks.words > 0))


def features(page: Page, lexicon: Lexicon, called: Names | None = None) -> BlockFeatures:
    """The features of every visible block; the names of classes may be at hand already."""
    build = _Build(page, lexicon, called or names(page))
    columns = build.columns()
    rows = np.empty((len(columns), len(build.seen)), np.float32)
    for row, column in zip(rows, columns.values(), strict=True):
        row[:] = column
    return BlockFeatures(
        build.seen, tuple(columns), rows, build.words, build.low, build.high, tuple(build.boxes), tuple(build.groups)
    )


def _prefix(values: NDArray[np.generic]) -> NDArray[np.float64]:
    out = np.zeros(len(values) + 1)
    np.cumsum(values, out=out[1:])
    return out


class _Build:
    """The intermediate columns of one page; each method adds features of one sort."""

    def __init__(self, page: Page, lexicon: Lexicon, called: Names) -> None:
        blocks, elements, runs = page.blocks, page.elements, page.runs
        self.page, self.lexicon, self.called = page, lexicon, called
        self.seen = seen_blocks(page)
        seen = self.seen
        self.start, self.end = blocks.text_start[seen], blocks.text_end[seen]
        self.first, self.last = blocks.first[seen], blocks.last[seen]
        self.words, self.links = blocks.words[seen], blocks.link_words[seen]
        self.chars = (self.end - self.start).astype(np.float64)
        self.element = blocks.element[seen]
        self.inner = runs.element[self.first]
        self.tag = elements.tag[self.element]
        self.link_share = self.links / np.maximum(self.words, 1)
        self.plain = self.words - self.links  # words outside links
        self.long = np.where((self.words >= _LONG) & (self.link_share < 0.4), self.plain, 0)
        # Element e holds the seen blocks low[e] … high[e] - 1.
        order = np.searchsorted(self.first, elements.first), np.searchsorted(self.first, elements.last)
        self.low, self.high = order
        self.word_sum, self.link_sum = _prefix(self.words), _prefix(self.links)
        self.long_sum, self.long_count = _prefix(self.long), _prefix(self.long > 0)
        self.total = max(float(self.word_sum[-1]), 1.0)
        self.total_long = max(float(self.long_sum[-1]), 1.0)
        self.count = len(seen)

    def columns(self) -> dict[str, NDArray[np.generic]]:
        """All features by name."""
        found: dict[str, NDArray[np.generic]] = {}
        for part in (
            self._size(),
            self._marks(),
            self._dates(),
            self._place(),
            self._tags(),
            self._containers(),
            self._main_container(),
            self._learned_words(),
            self._repetition(),
            self._likeness(),
            self._headings(),
        ):
            found |= part
        return found | self._neighbours(found)

    def _size(self) -> dict[str, NDArray[np.generic]]:
        return {
            "words": np.log1p(self.words),
            "chars": np.log1p(self.chars),
            "word_length": self.chars / np.maximum(self.words, 1),
            "link_share": self.link_share,
            "links": np.log1p(self.links),
            "plain": np.log1p(self.plain),
            "runs": np.log1p(self.last - self.first),
        }

    def _marks(self) -> dict[str, NDArray[np.generic]]:
        codes = self.page.text_codes
        marks = _marks()[np.minimum(codes, _PLANE - 1)]
        length = np.maximum(self.chars, 1)

        places = np.flatnonzero(marks)
        kinds = marks[places]
        block = np.searchsorted(self.start, places, side="right") - 1
        inside = places < np.append(self.end, 0)[block]  # -1: before the first block
        kinds, block = kinds[inside], block[inside]

        def held(kind: int) -> NDArray[np.int64]:
            return np.bincount(block[(kinds & kind) != 0], minlength=self.count)

        digits, colons = held(_DIGIT), held(_COLON)
        # A short block with a date or a time: over an article there is one, over comments and lists there are many.
        self.dated = (self.words <= 15) & (digits >= 3) & ((colons > 0) | (digits >= 6))
        last = marks[self.end - 1]
        stops, commas = held(_STOP), held(_COMMA)
        self.stops = stops
        quoted_last = marks[np.maximum(self.end - 2, 0)]
        return {
            "stops": np.log1p(stops),
            "commas": np.log1p(commas),
            "stop_share": stops / np.maximum(self.words, 1),
            "comma_share": commas / np.maximum(self.words, 1),
            "digit_share": digits / length,
            "upper_share": held(_UPPER) / length,
            "quotes": held(_QUOTE) / length,
            "bars": held(_BAR) / np.maximum(self.words, 1),
            "ends_stop": ((last & _STOP) != 0) | (((last & _QUOTE) != 0) & ((quoted_last & (_STOP | _COMMA)) != 0)),
            "ends_colon": (last & _COLON) != 0,
            "begins_upper": (marks[self.start] & _UPPER) != 0,
        }

    def _dates(self) -> dict[str, NDArray[np.generic]]:
        """Blocks with a date or a time before and around this one."""
        dates = _prefix(self.dated)
        rank = np.arange(self.count)
        found: dict[str, NDArray[np.generic]] = {
            "dated": self.dated,
            "dates_before": np.log1p(dates[:-1]),
            "dates_behind": np.log1p(dates[-1] - dates[1:]),
        }
        for reach in (3, 12):
            low, high = np.maximum(rank - reach, 0), np.minimum(rank + reach + 1, self.count)
            found[f"dates_near{reach}"] = dates[high] - dates[low]
        return found

    def _place(self) -> dict[str, NDArray[np.generic]]:
        rank = np.arange(self.count)
        return {
            "place": rank / max(self.count, 1),
            "rank": np.log1p(rank),
            "rank_end": np.log1p(self.count - 1 - rank),
            "before": self.word_sum[:-1] / self.total,
            "long_before": self.long_sum[:-1] / self.total_long,
            "long_behind": (self.total_long - self.long_sum[1:]) / self.total_long,
            "depth": self.page.elements.depth[self.element],
        }

    def _tags(self) -> dict[str, NDArray[np.generic]]:
        page, elements = self.page, self.page.elements
        found: dict[str, NDArray[np.generic]] = {}
        for name, chosen in _OWN.items():
            found[f"is_{name}"] = among(self.tag, chosen)
        inner_tag = elements.tag[self.inner]
        nowhere, runs = np.zeros(self.count), len(page.runs) + 1
        for name, chosen in _INLINE.items():
            found[f"inline_{name}"] = among(inner_tag, chosen)
        for name, chosen in _AROUND.items():
            which = np.flatnonzero(among(elements.tag, chosen))
            if not len(which):
                found[f"in_{name}"] = nowhere
                continue
            held = np.bincount(elements.first[which], minlength=runs) - np.bincount(
                elements.last[which], minlength=runs
            )
            found[f"in_{name}"] = np.minimum(np.cumsum(held)[self.first], 3)
        return found

    def _containers(self) -> dict[str, NDArray[np.generic]]:
        """The boxes around the block, from the nearest outwards: how large, how full of links, how many blocks."""
        page, elements = self.page, self.page.elements
        nearest = page.nearest(_LAYOUT)
        box = nearest[self.element]
        found: dict[str, NDArray[np.generic]] = {}
        self.boxes = [box]
        for level in range(1, 6):
            low, high = self.low[box], self.high[box]
            words = self.word_sum[high] - self.word_sum[low]
            links = self.link_sum[high] - self.link_sum[low]
            long = self.long_sum[high] - self.long_sum[low]
            found |= {
                f"box{level}_words": np.log1p(words),
                f"box{level}_share": words / self.total,
                f"box{level}_links": links / np.maximum(words, 1),
                f"box{level}_long": long / self.total_long,
                f"box{level}_mean": np.log1p(words / np.maximum(high - low, 1)),
                f"box{level}_paragraphs": np.log1p(self.long_count[high] - self.long_count[low]),
            }
            box = nearest[np.maximum(elements.parent[box], 0)]
            self.boxes.append(box)
        # Own text of the nearest box: paragraphs that hang directly in it.
        own = np.bincount(self.boxes[0], self.long, len(elements))
        found["box_own"] = np.log1p(own[self.boxes[0]])
        found["box_own_share"] = own[self.boxes[0]] / self.total_long
        self.own_long = own
        return found

    def _main_container(self) -> dict[str, NDArray[np.generic]]:
        """How far the block is from the box with most text of its own, and from boxes that hold most of the text."""
        elements = self.page.elements
        long = self.long_sum[self.high] - self.long_sum[self.low]
        found: dict[str, NDArray[np.generic]] = {}
        best = int(np.argmax(self.own_long)) if self.count else 0
        path = [best]
        while path[-1] > 0 and len(path) < 8:
            path.append(int(elements.parent[path[-1]]))
        distance = np.full(self.count, len(path) + 1)
        for steps in range(len(path) - 1, -1, -1):
            low, high = int(self.low[path[steps]]), int(self.high[path[steps]])
            distance[low:high] = steps
        found["main_distance"] = distance
        low, high = int(self.low[best]), int(self.high[best])
        rank = np.arange(self.count)
        found["main_side"] = np.sign(np.where(rank < low, rank - low, np.maximum(rank - high + 1, 0)))
        found["main_gap"] = np.log1p(np.where(rank < low, low - rank, np.maximum(rank - high + 1, 0)))
        # The smallest element that holds most of the paragraphs.
        for share in (0.5, 0.8):
            held = np.flatnonzero(long >= share * self.total_long) if self.long_sum[-1] else np.zeros(0, np.int64)
            chosen = int(held[np.argmax(elements.depth[held])]) if len(held) else 0
            low, high = int(self.low[chosen]), int(self.high[chosen])
            found[f"holder{int(share * 100)}"] = (rank >= low) & (rank < high)
            found[f"holder{int(share * 100)}_share"] = np.full(
                self.count, (self.word_sum[high] - self.word_sum[low]) / self.total
            )
        return found

    def _learned_words(self) -> dict[str, NDArray[np.generic]]:
        """What class and id names around the block, and cue words in it, have meant on other pages."""
        told = self.lexicon.of_names(self.page, self.called, self.element, self.inner)
        return told | self.lexicon.of_cues(self._hashed(), self.start, self.end)

    def _hashed(self) -> HashedWords:
        if not hasattr(self, "_kept"):
            self._kept = hashed_words(self.page.text_codes)
        return self._kept

    def _repetition(self) -> dict[str, NDArray[np.generic]]:
        """Blocks that hang by the same path of tags: how many, how long, how linked."""
        elements = self.page.elements
        path = elements.tag[self.element].astype(np.uint64)
        above = self.element
        found: dict[str, NDArray[np.generic]] = {}
        self.groups = []
        for level in range(1, 7):
            above = np.maximum(elements.parent[above], 0)
            path = path * np.uint64(1000003) + elements.tag[above].astype(np.uint64)
            if level not in (2, 6):
                continue
            group = np.unique(path, return_inverse=True)[1]
            self.groups.append(group)
            size = np.bincount(group)
            words, links = np.bincount(group, self.words), np.bincount(group, self.links)
            long = np.bincount(group, self.long)
            found |= {
                f"path{level}_count": np.log1p(size)[group],
                f"path{level}_mean": np.log1p(words / size)[group],
                f"path{level}_links": (links / np.maximum(words, 1))[group],
                f"path{level}_long": (long / self.total_long)[group],
                f"path{level}_dated": (np.bincount(group, self.dated) / size)[group],
            }
        return found

    def _likeness(self) -> dict[str, NDArray[np.generic]]:
        """How like the title, and like the other paragraphs of the page, the words of a block are."""
        hashed = self._hashed()
        low, high = np.searchsorted(hashed.start, self.start), np.searchsorted(hashed.start, self.end)
        title = np.unique(hashed_words(code_points(self.page.signals.title)).number)
        counts = _prefix(_among_sorted(hashed.number, title))
        size = np.maximum(high - low, 1)
        in_title = counts[high] - counts[low]
        # Of the words of each block, which are words of long blocks elsewhere.
        block = np.repeat(np.arange(self.count), high - low)
        places = _ranges(low, high)
        numbers, word = np.unique(hashed.number[places], return_inverse=True)
        in_long = (self.long > 0)[block]
        holders = np.bincount(word[in_long], minlength=len(numbers))
        own = np.bincount(word, minlength=len(numbers))
        rare = own <= max(3, self.total / 200)
        shared = _prefix((holders[word] > in_long) & rare[word])
        bounds = np.concatenate(([0], np.cumsum(high - low)))
        common = _prefix(holders[word] > in_long)
        return {
            "title_share": in_title / size,
            "title_cover": in_title / max(len(title), 1),
            "shared": (common[bounds[1:]] - common[bounds[:-1]]) / size,
            "shared_rare": (shared[bounds[1:]] - shared[bounds[:-1]]) / size,
        }

    def _headings(self) -> dict[str, NDArray[np.generic]]:
        """Where the block stands to the headline and to the heading before it."""
        rank = np.arange(self.count)
        heading = among(self.tag, _HEADINGS)
        last = np.maximum.accumulate(np.where(heading, rank, -1))
        level = np.where(heading, self.tag, 0)
        h1 = np.flatnonzero(self.tag == _H1)
        first = int(h1[0]) if len(h1) else -1
        return {
            "since_heading": np.log1p(rank - last),
            "heading_links": np.where(last >= 0, self.link_share[last], -1),
            "heading_words": np.where(last >= 0, self.words[last], -1),
            "heading_level": np.where(last >= 0, self._order(level[last]), 9),
            "after_h1": np.where(first >= 0, np.sign(rank - first), -2),
            "since_h1": np.where(first >= 0, np.sign(rank - first) * np.log1p(np.abs(rank - first)), -9),
        }

    def _order(self, tag: Ints) -> Ints:
        order = np.full(len(tags.NAMES) + 1, 9)
        order[[tags.NUMBERS[name] for name in ("h1", "h2", "h3", "h4", "h5", "h6")]] = range(6)
        return order.take(tag, mode="clip")

    def _neighbours(self, found: dict[str, NDArray[np.generic]]) -> dict[str, NDArray[np.generic]]:
        """The same of the blocks before and after, and sums over windows."""
        names = ("words", "link_share", "stops", "class_sum", "ends_stop", "box1_long", "title_share", "cue")
        told: dict[str, NDArray[np.generic]] = {}
        for name in names:
            column = np.asarray(found[name], np.float32)
            padded = np.concatenate((np.full(2, -1, np.float32), column, np.full(2, -1, np.float32)))
            told |= {
                f"{name}_m2": padded[: self.count],
                f"{name}_m1": padded[1 : self.count + 1],
                f"{name}_p1": padded[3 : self.count + 3],
                f"{name}_p2": padded[4:],
            }
        rank = np.arange(self.count)
        for reach in (3, 8):
            low, high = np.maximum(rank - reach, 0), np.minimum(rank + reach + 1, self.count)
            words = self.word_sum[high] - self.word_sum[low]
            told |= {
                f"near{reach}_long": np.log1p(self.long_sum[high] - self.long_sum[low]),
                f"near{reach}_links": (self.link_sum[high] - self.link_sum[low]) / np.maximum(words, 1),
                f"ahead{reach}_long": np.log1p(self.long_sum[high] - self.long_sum[rank + 1]),
                f"back{reach}_long": np.log1p(self.long_sum[rank] - self.long_sum[low]),
            }
        return told


def _ranges(low: Ints, high: Ints) -> Ints:
    """The numbers low[0] … high[0] - 1, low[1] … high[1] - 1 and so on."""
    size = high - low
    return np.arange(int(size.sum())) + np.repeat(low - np.concatenate(([0], np.cumsum(size)[:-1])), size)


def _among_sorted(numbers: Hashes, chosen: Hashes) -> Bools:
    """Which numbers are among some sorted ones."""
    if not len(chosen):
        return np.zeros(len(numbers), np.bool_)
    return np.asarray(chosen[np.minimum(np.searchsorted(chosen, numbers), len(chosen) - 1)] == numbers)
