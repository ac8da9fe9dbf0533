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

from tidings.extractors.learned.hashed_words import KnownWords, hashed_words
from tidings.extractors.learned.lexicon import Lexicon, Names, names
from tidings.page import Page, tags
from tidings.page.columns import Ints, ranges
from tidings.page.counts import code_points
from tidings.page.flow import among, tag_set

Floats = NDArray[np.float32]

_PLANE: Final = 0x10000
_COMMA, _STOP, _COLON, _DIGIT, _UPPER, _QUOTE, _BAR = 1, 2, 4, 8, 16, 32, 64
#: The kinds of mark that are counted, in this order.
_COUNTED: Final = (_STOP, _COMMA, _COLON, _DIGIT, _UPPER, _QUOTE, _BAR)
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
    name: tags.numbers(names)
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
#: The same as tables to index by tag number: a row for each column, and which of the tags around it a tag is.
_IS: Final = np.stack([*_OWN.values()])
_IN_LINE: Final = np.stack([*_INLINE.values()])
_SORT: Final = np.full(len(tags.NAMES) + 1, len(_AROUND))
for _place, _numbers in enumerate(_AROUND.values()):
    _SORT[list(_numbers)] = _place
_HEADINGS: Final = tag_set(tags.HEADINGS)
_H1: Final = tags.NUMBERS["h1"]
_ORDER: Final = np.full(len(tags.NAMES) + 1, 9)
_ORDER[[tags.NUMBERS[name] for name in ("h1", "h2", "h3", "h4", "h5", "h6")]] = range(6)
_LONG: Final = 15  # words that make a block a paragraph rather than a label
_BOXES: Final = 5
_PATHS: Final = (2, 6)
_SHARES: Final = (50, 80)
_REACHES: Final = (3, 8)
_DATE_REACHES: Final = (3, 12)
#: What is also told of the two blocks before and the two behind.
_NEIGHBOURLY: Final = ("words", "link_share", "stops", "class_sum", "ends_stop", "box1_long", "title_share", "cue")
#: The features in their order, by sort.
_SECTIONS: Final = {
    "size": tuple("words chars word_length link_share links plain runs".split()),
    "marks": tuple(
        "stops commas stop_share comma_share digit_share upper_share quotes bars ends_stop ends_colon "
        "begins_upper".split()
    ),
    "dates": ("dated", "dates_before", "dates_behind", *(f"dates_near{reach}" for reach in _DATE_REACHES)),
    "place": tuple("place rank rank_end before long_before long_behind depth".split()),
    "own": tuple(f"is_{name}" for name in _OWN),
    "inline": tuple(f"inline_{name}" for name in _INLINE),
    "around": tuple(f"in_{name}" for name in _AROUND),
    "boxes": tuple(
        f"box{level}_{what}"
        for level in range(1, _BOXES + 1)
        for what in ("words", "share", "links", "long", "mean", "paragraphs")
    ),
    "own box": ("box_own", "box_own_share"),
    "main": ("main_distance", "main_side", "main_gap"),
    "holders": tuple(name for share in _SHARES for name in (f"holder{share}", f"holder{share}_share")),
    "names": tuple("class_own class_sum class_min class_max class_near".split()),
    "cue": ("cue",),
    "paths": tuple(f"path{level}_{what}" for level in _PATHS for what in ("count", "mean", "links", "long", "dated")),
    "likeness": ("title_share", "title_cover", "shared", "shared_rare"),
    "headings": tuple("since_heading heading_links heading_words heading_level after_h1 since_h1".split()),
    "neighbours": tuple(f"{name}_{side}" for name in _NEIGHBOURLY for side in ("m2", "m1", "p1", "p2")),
    "near": tuple(
        f"{what}{reach}_{which}"
        for reach in _REACHES
        for what, which in (("near", "long"), ("near", "links"), ("ahead", "long"), ("back", "long"))
    ),
}
NAMES: Final = tuple(name for names in _SECTIONS.values() for name in names)
_ROW: Final = {name: row for row, name in enumerate(NAMES)}
_ROWS: Final = {section: slice(_ROW[names[0]], _ROW[names[-1]] + 1) for section, names in _SECTIONS.items()}
_NEIGHBOURLY_ROWS: Final = [_ROW[name] for name in _NEIGHBOURLY]


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


@cache
def _mark_sorts() -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """A number for each combination of kinds that a mark can be, and which of `_COUNTED` kinds that combination is."""
    found = np.unique(_marks())
    sorts = np.zeros(256, np.uint8)
    sorts[found] = np.arange(len(found))
    return sorts, ((found[:, None] & np.array(_COUNTED, np.uint8)) != 0).astype(np.float64)


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


def features(
    page: Page, lexicon: Lexicon, called: Names | None = None, seen: SeenBlocks | None = None
) -> BlockFeatures:
    """The features of every visible block; the names of classes, and what no lexicon is asked for, may be at hand."""
    seen = seen or SeenBlocks(page)
    rows = seen.rows.copy()
    rows[_ROWS["names"]] = lexicon.of_names(page, called or names(page), seen.element, seen.inner)
    rows[_ROWS["cue"]] = lexicon.of_cues(seen.hashed, seen.first_word, seen.last_word)
    padded = np.full((len(_NEIGHBOURLY), seen.count + 4), -1, np.float32)
    padded[:, 2:-2] = rows[_NEIGHBOURLY_ROWS]
    neighbours = rows[_ROWS["neighbours"]].reshape(len(_NEIGHBOURLY), 4, seen.count)
    for side, offset in enumerate((0, 1, 3, 4)):
        neighbours[:, side] = padded[:, offset : offset + seen.count]
    return BlockFeatures(
        seen.blocks, NAMES, rows, seen.words, seen.low, seen.high, tuple(seen.boxes), tuple(seen.groups)
    )


def _prefix(values: NDArray[np.generic]) -> NDArray[np.float64]:
    out = np.zeros(len(values) + 1)
    np.cumsum(values, out=out[1:])
    return out


class SeenBlocks:
    """The visible blocks of a page and all features but those that are learned words; each method adds one sort."""

    def __init__(self, page: Page) -> None:
        blocks, elements = page.blocks, page.elements
        self.page = page
        self.blocks = seen = seen_blocks(page)
        self.count = len(seen)
        self.rank = np.arange(self.count)
        self.start, self.end = blocks.text_start[seen], blocks.text_end[seen]
        self.first, self.last = blocks.first[seen], blocks.last[seen]
        self.words, self.links = blocks.words[seen], blocks.link_words[seen]
        self.chars = (self.end - self.start).astype(np.float64)
        self.element = blocks.element[seen]
        self.inner = page.runs.element[self.first]
        self.tag = elements.tag[self.element]
        self.link_share = self.links / np.maximum(self.words, 1)
        self.plain = self.words - self.links  # words outside links
        self.long = np.where((self.words >= _LONG) & (self.link_share < 0.4), self.plain, 0)
        # Element e holds the seen blocks low[e] … high[e] - 1.
        self.low, self.high = np.searchsorted(self.first, elements.first), np.searchsorted(self.first, elements.last)
        self.word_sum, self.link_sum = _prefix(self.words), _prefix(self.links)
        self.long_sum, self.long_count = _prefix(self.long), _prefix(self.long > 0)
        self.total = max(float(self.word_sum[-1]), 1.0)
        self.total_long = max(float(self.long_sum[-1]), 1.0)
        self.hashed = hashed_words(page.text_codes, page.text_classes)
        self.first_word, self.last_word = np.searchsorted(self.hashed.start, (self.start, self.end))
        self.rows = np.empty((len(NAMES), self.count), np.float32)
        self._size()
        self._marks()
        self._dates()
        self._place()
        self._tags()
        self._containers()
        self._main_container()
        self._repetition()
        self._likeness()
        self._headings()
        self._near()

    def _put(self, section: str, *columns: NDArray[np.generic] | float) -> None:
        for row, column in zip(self.rows[_ROWS[section]], columns, strict=True):
            row[:] = column

    def _size(self) -> None:
        words, chars, links, plain, runs = np.log1p(
            (self.words, self.chars, self.links, self.plain, self.last - self.first)
        )
        self._put("size", words, chars, self.chars / np.maximum(self.words, 1), self.link_share, links, plain, runs)

    def _marks(self) -> None:
        marks = _marks().take(self.page.text_codes, mode="clip")
        places = np.flatnonzero(marks)
        low, high = np.searchsorted(places, (self.start, self.end))
        sorts, member = _mark_sorts()
        kind = sorts.take(marks[places[ranges(low, high)]])
        block = np.repeat(self.rank, high - low)
        size = len(member)
        held = np.bincount(block * size + kind, minlength=self.count * size).reshape(self.count, size) @ member
        stops, commas, colons, digits, uppers, quotes, bars = held.T
        # A short block with a date or a time: over an article there is one, over comments and lists there are many.
        self.dated = (self.words <= 15) & (digits >= 3) & ((colons > 0) | (digits >= 6))
        last, before_last = marks[self.end - 1], marks[np.maximum(self.end - 2, 0)]
        words, chars = np.maximum(self.words, 1), np.maximum(self.chars, 1)
        self._put(
            "marks",
            *np.log1p((stops, commas)),
            stops / words,
            commas / words,
            digits / chars,
            uppers / chars,
            quotes / chars,
            bars / words,
            ((last & _STOP) != 0) | (((last & _QUOTE) != 0) & ((before_last & (_STOP | _COMMA)) != 0)),
            (last & _COLON) != 0,
            (marks[self.start] & _UPPER) != 0,
        )

    def _window(self, reach: tuple[int, ...]) -> tuple[Ints, Ints]:
        """The first block and the one behind the last within each reach of each block."""
        reaches = np.array(reach)[:, None]
        return np.maximum(self.rank - reaches, 0), np.minimum(self.rank + (reaches + 1), self.count)

    def _dates(self) -> None:
        """Blocks with a date or a time before and around this one."""
        dates = _prefix(self.dated)
        low, high = self._window(_DATE_REACHES)
        self._put("dates", self.dated, *np.log1p((dates[:-1], dates[-1] - dates[1:])), *(dates[high] - dates[low]))

    def _place(self) -> None:
        self._put(
            "place",
            self.rank / max(self.count, 1),
            *np.log1p((self.rank, self.count - 1 - self.rank)),
            self.word_sum[:-1] / self.total,
            self.long_sum[:-1] / self.total_long,
            (self.total_long - self.long_sum[1:]) / self.total_long,
            self.page.elements.depth[self.element],
        )

    def _tags(self) -> None:
        elements, runs = self.page.elements, len(self.page.runs) + 1
        self.rows[_ROWS["own"]] = _IS.take(self.tag, axis=1, mode="clip")
        self.rows[_ROWS["inline"]] = _IN_LINE.take(elements.tag[self.inner], axis=1, mode="clip")
        sort = _SORT.take(elements.tag, mode="clip")
        which = np.flatnonzero(sort < len(_AROUND))
        sort, size = sort[which] * runs, len(_AROUND) * runs
        depth = np.bincount(sort + elements.first[which], minlength=size)
        depth -= np.bincount(sort + elements.last[which], minlength=size)
        depth = depth.reshape(len(_AROUND), runs).cumsum(axis=1)
        self.rows[_ROWS["around"]] = np.minimum(depth[:, self.first], 3)

    def _containers(self) -> None:
        """The boxes around the block, from the nearest outwards: how large, how full of links, how many blocks."""
        elements = self.page.elements
        nearest = self.page.nearest(_LAYOUT)
        around = nearest[np.maximum(elements.parent, 0)]
        self.boxes = np.empty((_BOXES + 1, self.count), np.int64)
        self.boxes[0] = nearest[self.element]
        for level in range(_BOXES):
            self.boxes[level + 1] = around[self.boxes[level]]
        low, high = self.low[self.boxes[:-1]], self.high[self.boxes[:-1]]
        words = self.word_sum[high] - self.word_sum[low]
        links = self.link_sum[high] - self.link_sum[low]
        rows = self.rows[_ROWS["boxes"]].reshape(_BOXES, 6, self.count)
        rows[:, 0] = np.log1p(words)
        rows[:, 1] = words / self.total
        rows[:, 2] = links / np.maximum(words, 1)
        rows[:, 3] = (self.long_sum[high] - self.long_sum[low]) / self.total_long
        rows[:, 4] = np.log1p(words / np.maximum(high - low, 1))
        rows[:, 5] = np.log1p(self.long_count[high] - self.long_count[low])
        # Own text of the nearest box: paragraphs that hang directly in it.
        self.own_long = np.bincount(self.boxes[0], self.long, len(elements))
        own = self.own_long[self.boxes[0]]
        self._put("own box", np.log1p(own), own / self.total_long)

    def _main_container(self) -> None:
        """How far the block is from the box with most text of its own, and from boxes that hold most of the text."""
        elements = self.page.elements
        long = self.long_sum[self.high] - self.long_sum[self.low]
        best = int(np.argmax(self.own_long)) if self.count else 0
        path = [best]
        while path[-1] > 0 and len(path) < 8:
            path.append(int(elements.parent[path[-1]]))
        distance = np.full(self.count, len(path) + 1)
        for steps in range(len(path) - 1, -1, -1):
            distance[self.low[path[steps]] : self.high[path[steps]]] = steps
        low, high = int(self.low[best]), int(self.high[best])
        side = np.where(self.rank < low, self.rank - low, np.maximum(self.rank - high + 1, 0))
        self._put("main", distance, np.sign(side), np.log1p(np.abs(side)))
        # The smallest element that holds most of the paragraphs.
        rows = self.rows[_ROWS["holders"]]
        rows[0::2] = 0
        for place, share in enumerate(_SHARES):
            held = np.flatnonzero(long >= share / 100 * self.total_long) if self.long_sum[-1] else long[:0]
            chosen = int(held[np.argmax(elements.depth[held])]) if len(held) else 0
            low, high = int(self.low[chosen]), int(self.high[chosen])
            rows[2 * place, low:high] = 1
            rows[2 * place + 1] = (self.word_sum[high] - self.word_sum[low]) / self.total

    def _repetition(self) -> None:
        """Blocks that hang by the same path of tags: how many, how long, how linked."""
        elements = self.page.elements
        tag, parent = elements.tag.astype(np.uint64), np.maximum(elements.parent, 0)
        path, above = tag[self.element], self.element
        rows = self.rows[_ROWS["paths"]].reshape(len(_PATHS), 5, self.count)
        self.groups: list[Ints] = []
        for level in range(1, _PATHS[-1] + 1):
            above = parent[above]
            path = path * np.uint64(1000003) + tag[above]
            if level not in _PATHS:
                continue
            group = np.unique(path, return_inverse=True)[1]
            size = np.bincount(group)
            words, links = np.bincount(group, self.words), np.bincount(group, self.links)
            rows[len(self.groups)] = np.stack(
                (
                    np.log1p(size),
                    np.log1p(words / size),
                    links / np.maximum(words, 1),
                    np.bincount(group, self.long) / self.total_long,
                    np.bincount(group, self.dated) / size,
                )
            )[:, group]
            self.groups.append(group)

    def _likeness(self) -> None:
        """How like the title, and like the other paragraphs of the page, the words of a block are."""
        numbers, low, high = self.hashed.number, self.first_word, self.last_word
        title = np.unique(hashed_words(code_points(self.page.signals.title)).number)
        told = np.zeros(len(numbers), np.bool_)
        told[KnownWords(title).find(numbers)[0]] = True
        counts = _prefix(told)
        size = np.maximum(high - low, 1)
        in_title = counts[high] - counts[low]
        # Of the words of each block, which are words of long blocks elsewhere.
        found, word = np.unique(numbers[ranges(low, high)], return_inverse=True)
        in_long = np.repeat(self.long > 0, high - low)
        holders = np.bincount(word[in_long], minlength=len(found))
        rare = np.bincount(word, minlength=len(found)) <= max(3, self.total / 200)
        elsewhere = holders[word] > in_long
        bounds = np.concatenate(((0,), np.cumsum(high - low)))
        common, shared = _prefix(elsewhere)[bounds], _prefix(elsewhere & rare[word])[bounds]
        self._put(
            "likeness", in_title / size, in_title / max(len(title), 1), np.diff(common) / size, np.diff(shared) / size
        )

    def _headings(self) -> None:
        """Where the block stands to the headline and to the heading before it."""
        heading = among(self.tag, _HEADINGS)
        last = np.maximum.accumulate(np.where(heading, self.rank, -1))
        under = last >= 0
        level = _ORDER.take(np.where(heading, self.tag, 0), mode="clip")
        h1 = np.flatnonzero(self.tag == _H1)
        since = self.rank - h1[0] if len(h1) else None
        side = np.sign(since) if since is not None else -2
        self._put(
            "headings",
            np.log1p(self.rank - last),
            np.where(under, self.link_share[last], -1),
            np.where(under, self.words[last], -1),
            np.where(under, level[last], 9),
            side,
            side * np.log1p(np.abs(since)) if since is not None else -9,
        )

    def _near(self) -> None:
        """Sums over the blocks before and after."""
        low, high = self._window(_REACHES)
        words = self.word_sum[high] - self.word_sum[low]
        rows = self.rows[_ROWS["near"]].reshape(len(_REACHES), 4, self.count)
        rows[:, 0] = np.log1p(self.long_sum[high] - self.long_sum[low])
        rows[:, 1] = (self.link_sum[high] - self.link_sum[low]) / np.maximum(words, 1)
        rows[:, 2] = np.log1p(self.long_sum[high] - self.long_sum[1:])
        rows[:, 3] = np.log1p(self.long_sum[:-1] - self.long_sum[low])
