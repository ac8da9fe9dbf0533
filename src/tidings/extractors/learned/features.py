"""What a block classifier is told of each block: some hundred numbers, all found for the whole page at once.

Nothing here knows a language: size, links, marks, place, tags, repetition, neighbours, and how like the title and the
rest of the page the words are. What class names and cue words say is learned (`lexicon`).

Counts are told as they are: trees only ask whether a number is above another, so a logarithm would change nothing, and
without one the same page has the same features on every machine. `core/src/look.rs` works out the same numbers.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.learned import story
from tidings.extractors.learned.lexicon import Lexicon, Names, names
from tidings.extractors.learned.seen_blocks import (
    AROUND,
    BOXES,
    COLON,
    COMMA,
    PATHS,
    QUOTE,
    SHARES,
    STOP,
    UPPER,
    SeenBlocks,
    mark_kinds,
)
from tidings.page import Page, tags
from tidings.page.columns import Ints
from tidings.page.flow import tag_set

Floats = NDArray[np.float32]

#: Tags of the block itself, each a column.
_OWN: Final = {
    name: tag_set(tags.numbers(names))
    for name, names in {
        "p": "p", "div": "div", "li": "li", "cell": "td th", "h1": "h1", "h2": "h2", "h3": "h3", "h456": "h4 h5 h6",
        "quote": "blockquote", "caption": "figcaption caption", "pre": "pre listing xmp", "definition": "dt dd",
        "control": "button option label legend summary select textarea",
    }.items()
}  # fmt: skip
_INLINE: Final = {
    name: tag_set(tags.numbers(names))
    for name, names in {
        "strong": "b strong", "emphasis": "em i", "span": "span font", "small": "small sub sup", "time": "time",
    }.items()
}  # fmt: skip
#: The same as tables to index by tag number: a row for each column, and which of the tags around it a tag is.
OWN: Final = np.stack([*_OWN.values()])
INLINE: Final = np.stack([*_INLINE.values()])
ORDER: Final = np.full(len(tags.NAMES) + 1, 9)
ORDER[[tags.NUMBERS[name] for name in ("h1", "h2", "h3", "h4", "h5", "h6")]] = range(6)
_REACHES: Final = (3, 8)
_DATE_REACHES: Final = (3, 12)
#: What stands for "there is none" where the distance to the headline is told: further than any block is.
NO_HEADLINE: Final = -float(1 << 24)
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
    "around": tuple(f"in_{name}" for name in AROUND),
    "boxes": tuple(
        f"box{level}_{what}"
        for level in range(1, BOXES + 1)
        for what in ("words", "share", "links", "long", "mean", "paragraphs")
    ),
    "own box": ("box_own", "box_own_share"),
    "main": ("main_distance", "main_side", "main_gap"),
    "holders": tuple(name for share in SHARES for name in (f"holder{share}", f"holder{share}_share")),
    "names": tuple("class_own class_sum class_min class_max class_near".split()),
    "cue": ("cue",),
    "paths": tuple(f"path{level}_{what}" for level in PATHS for what in ("count", "mean", "links", "long", "dated")),
    "likeness": ("title_share", "title_cover", "shared", "shared_rare"),
    "headings": tuple("since_heading heading_links heading_words heading_level after_h1 since_h1".split()),
    "neighbours": tuple(f"{name}_{side}" for name in _NEIGHBOURLY for side in ("m2", "m1", "p1", "p2")),
    "near": tuple(
        f"{what}{reach}_{which}"
        for reach in _REACHES
        for what, which in (("near", "long"), ("near", "links"), ("ahead", "long"), ("back", "long"))
    ),
    "story": story.NAMES,
}
NAMES: Final = tuple(name for names in _SECTIONS.values() for name in names)
_ROW: Final = {name: row for row, name in enumerate(NAMES)}
_ROWS: Final = {section: slice(_ROW[names[0]], _ROW[names[-1]] + 1) for section, names in _SECTIONS.items()}
_NEIGHBOURLY_ROWS: Final = [_ROW[name] for name in _NEIGHBOURLY]


class BlockFeatures(NamedTuple):
    """The visible blocks of a page and a row of numbers for each feature."""

    blocks: Ints  # indices into `page.blocks`
    names: tuple[str, ...]
    rows: Floats  # a row a feature, a column a block
    words: Ints  # of each block, for decisions over the page
    low: Ints  # element e holds the blocks low[e] … high[e] - 1 of these
    high: Ints
    boxes: tuple[NDArray[np.integer], ...]  # for each block the elements of layout around it, from the nearest outwards
    groups: tuple[NDArray[np.integer], ...]  # for each block the number of its path of tags: short paths, long paths

    def row(self, name: str) -> Floats:
        """The feature of that name."""
        row: Floats = self.rows[self.names.index(name)]
        return row


def features(page: Page, lexicon: Lexicon) -> BlockFeatures:
    """The features of every visible block."""
    seen = SeenBlocks(page)
    rows = LearnedWords(PlainFeatures(seen), lexicon, names(page)).rows(0, seen.count)
    return BlockFeatures(
        seen.blocks, NAMES, rows, seen.words, seen.low, seen.high, tuple(seen.boxes), tuple(seen.groups)
    )


class PlainFeatures:
    """The features of visible blocks, but for those of learned words and of neighbours."""

    def __init__(self, seen: SeenBlocks) -> None:
        self.seen = seen
        self._kept: tuple[int, int, Floats] | None = None  # the rows that were asked for last

    def rows(self, first: int, last: int) -> Floats:
        """Those of the blocks first … last - 1."""
        if self._kept is None or self._kept[:2] != (first, last):
            self._kept = None
            self._kept = (first, last, _SomeBlocks(self.seen, first, last).rows)
        return self._kept[2]


class LearnedWords:
    """What a lexicon says of the visible blocks of a page, and with it all features of some of them."""

    def __init__(self, plain: PlainFeatures, lexicon: Lexicon, called: Names) -> None:
        self._plain = plain
        seen = plain.seen
        inner = seen.page.runs.element[seen.page.blocks.first[seen.blocks]]
        self._names: Floats = lexicon.of_names(seen.page, called, seen.element, inner).astype(np.float32)
        self._cue: Floats = lexicon.of_cues(seen.hashed, seen.first_word, seen.last_word).astype(np.float32)

    def rows(self, first: int, last: int) -> Floats:
        """All features of the visible blocks first … last - 1."""
        before, behind = max(first - 2, 0), min(last + 2, self._plain.seen.count)
        rows = self._plain.rows(before, behind).copy()
        rows[_ROWS["names"]] = self._names[:, before:behind]
        rows[_ROWS["cue"]] = self._cue[before:behind]
        padded = np.full((len(_NEIGHBOURLY), last - first + 4), -1, np.float32)
        padded[:, before - first + 2 : behind - first + 2] = rows[_NEIGHBOURLY_ROWS]
        rows = rows[:, first - before : last - before]
        neighbours = rows[_ROWS["neighbours"]].reshape(len(_NEIGHBOURLY), 4, last - first)
        for side, offset in enumerate((0, 1, 3, 4)):
            neighbours[:, side] = padded[:, offset : offset + last - first]
        return rows


class _SomeBlocks:
    """The features of some of the visible blocks of a page; each method adds one sort."""

    def __init__(self, seen: SeenBlocks, first: int, last: int) -> None:
        blocks = seen.page.blocks
        self.seen = seen
        self.some = slice(first, last)
        self.behind = slice(first + 1, last + 1)
        self.count = last - first
        which = seen.blocks[self.some]
        self.rank = np.arange(first, last)
        self.start, self.end = blocks.text_start[which], blocks.text_end[which]
        self.first, self.last = blocks.first[which], blocks.last[which]
        self.words, self.links = seen.words[self.some], blocks.link_words[which]
        self.chars = (self.end - self.start).astype(np.float64)
        self.element = seen.element[self.some]
        self.tag = seen.page.elements.tag[self.element]
        self.link_share = self.links / np.maximum(self.words, 1)
        self.rows = np.empty((len(NAMES), self.count), np.float32)
        self._size()
        self._marks()
        self._dates()
        self._place()
        self._tags()
        self._containers()
        self._main_container()
        self._repetition()
        self.rows[_ROWS["likeness"]] = seen.likeness[:, self.some]
        self._headings()
        self._near()
        self.rows[_ROWS["story"]] = seen.story.rows(first, last)

    def _put(self, section: str, *columns: NDArray[np.generic] | float) -> None:
        for row, column in zip(self.rows[_ROWS[section]], columns, strict=True):
            row[:] = column

    def _size(self) -> None:
        per_word, plain, runs = self.chars / np.maximum(self.words, 1), self.words - self.links, self.last - self.first
        self._put("size", self.words, self.chars, per_word, self.link_share, self.links, plain, runs)

    def _marks(self) -> None:
        stops, commas, _, digits, uppers, quotes, bars = self.seen.marks[:, self.some].astype(np.float64)
        codes = self.seen.page.text_codes
        first, last, before_last = mark_kinds().take(
            codes[np.stack((self.start, self.end - 1, np.maximum(self.end - 2, 0)))], mode="clip"
        )
        words, chars = np.maximum(self.words, 1), np.maximum(self.chars, 1)
        self._put(
            "marks",
            stops,
            commas,
            stops / words,
            commas / words,
            digits / chars,
            uppers / chars,
            quotes / chars,
            bars / words,
            ((last & STOP) != 0) | (((last & QUOTE) != 0) & ((before_last & (STOP | COMMA)) != 0)),
            (last & COLON) != 0,
            (first & UPPER) != 0,
        )

    def _window(self, reach: tuple[int, ...]) -> tuple[Ints, Ints]:
        """The first block and the one behind the last within each reach of each block."""
        reaches = np.array(reach)[:, None]
        return np.maximum(self.rank - reaches, 0), np.minimum(self.rank + (reaches + 1), self.seen.count)

    def _dates(self) -> None:
        """Blocks with a date or a time before and around this one."""
        dates = self.seen.dates
        low, high = self._window(_DATE_REACHES)
        before, behind = dates[self.some], dates[-1] - dates[self.behind]
        self._put("dates", self.seen.dated[self.some], before, behind, *(dates[high] - dates[low]))

    def _place(self) -> None:
        seen = self.seen
        self._put(
            "place",
            self.rank / max(seen.count, 1),
            self.rank,
            seen.count - 1 - self.rank,
            seen.word_sum[self.some] / seen.total,
            seen.long_sum[self.some] / seen.total_long,
            (seen.total_long - seen.long_sum[self.behind]) / seen.total_long,
            seen.page.elements.depth[self.element],
        )

    def _tags(self) -> None:
        page = self.seen.page
        self.rows[_ROWS["own"]] = OWN.take(self.tag, axis=1, mode="clip")
        self.rows[_ROWS["inline"]] = INLINE.take(page.elements.tag[page.runs.element[self.first]], axis=1, mode="clip")
        self.rows[_ROWS["around"]] = self.seen.around[:, self.some]

    def _containers(self) -> None:
        """The boxes around the block, from the nearest outwards: how large, how full of links, how many blocks."""
        seen = self.seen
        boxes = seen.boxes[:-1, self.some]
        low, high = seen.low[boxes], seen.high[boxes]
        words = seen.word_sum[high] - seen.word_sum[low]
        links = seen.link_sum[high] - seen.link_sum[low]
        rows = self.rows[_ROWS["boxes"]].reshape(BOXES, 6, self.count)
        rows[:, 0] = words
        rows[:, 1] = words / seen.total
        rows[:, 2] = links / np.maximum(words, 1)
        rows[:, 3] = (seen.long_sum[high] - seen.long_sum[low]) / seen.total_long
        rows[:, 4] = words / np.maximum(high - low, 1)
        rows[:, 5] = seen.long_count[high] - seen.long_count[low]
        # Own text of the nearest box: paragraphs that hang directly in it.
        own = seen.own_long[boxes[0]]
        self._put("own box", own, own / seen.total_long)

    def _main_container(self) -> None:
        """How far the block is from the box with most text of its own, and from boxes that hold most of the text."""
        seen = self.seen
        distance = np.full(self.count, len(seen.main) + 1)
        for steps in range(len(seen.main) - 1, -1, -1):
            distance[self._inside(seen.main[steps])] = steps
        low, high = seen.main[0]
        side = np.where(self.rank < low, self.rank - low, np.maximum(self.rank - high + 1, 0))
        self._put("main", distance, np.sign(side), np.abs(side))
        # The smallest element that holds most of the paragraphs.
        rows = self.rows[_ROWS["holders"]]
        rows[0::2] = 0
        for place, (low, high) in enumerate(seen.holders):
            rows[2 * place, self._inside((low, high))] = 1
            rows[2 * place + 1] = (seen.word_sum[high] - seen.word_sum[low]) / seen.total

    def _inside(self, box: tuple[int, int]) -> slice:
        """Which of these blocks stand in a box, given the blocks of the page that it holds."""
        low, high = (min(max(place - self.some.start, 0), self.count) for place in box)
        return slice(low, high)

    def _repetition(self) -> None:
        """Blocks that hang by the same path of tags: how many, how long, how linked."""
        rows = self.rows[_ROWS["paths"]].reshape(len(PATHS), 5, self.count)
        for level, (group, told) in enumerate(zip(self.seen.groups, self.seen.of_groups, strict=True)):
            rows[level] = told[:, group[self.some]]

    def _headings(self) -> None:
        """Where the block stands to the headline and to the heading before it."""
        seen, blocks = self.seen, self.seen.page.blocks
        last = seen.heading[self.some]
        under = last >= 0
        words, links = seen.words[last], blocks.link_words[seen.blocks[last]]
        level = ORDER.take(np.where(under, seen.page.elements.tag[seen.element[last]], 0), mode="clip")
        since = self.rank - seen.h1 if seen.h1 is not None else None
        side = np.sign(since) if since is not None else -2
        self._put(
            "headings",
            self.rank - last,
            np.where(under, links / np.maximum(words, 1), -1),
            np.where(under, words, -1),
            np.where(under, level, 9),
            side,
            since if since is not None else NO_HEADLINE,
        )

    def _near(self) -> None:
        """Sums over the blocks before and after."""
        seen = self.seen
        low, high = self._window(_REACHES)
        words = seen.word_sum[high] - seen.word_sum[low]
        rows = self.rows[_ROWS["near"]].reshape(len(_REACHES), 4, self.count)
        rows[:, 0] = seen.long_sum[high] - seen.long_sum[low]
        rows[:, 1] = (seen.link_sum[high] - seen.link_sum[low]) / np.maximum(words, 1)
        rows[:, 2] = seen.long_sum[high] - seen.long_sum[self.behind]
        rows[:, 3] = seen.long_sum[self.some] - seen.long_sum[low]
