"""The 41 features of each element (memory-based thesis, chapter 5 and table 6.10).

Of the element and its neighbours in document order: the tag (5 before, 5 behind), the length of its text and that of
its tail (3 before, 3 behind), whether the text and the tail end with a mark as sentences do (3 and 3); and of the
element alone whether more than 70 % of the letters of its text, and of its tail, are capitals. Beyond the ends of the
page stands the tag `#`, with nothing in it.

Lengths and capitals are numbers, tags and marks are symbols. All are worked out for the whole page at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.page import Page
from tidings.page.columns import Bools, Ints, sums
from tidings.page.counts import ALPHABETIC, PLANE, SPACE, UPPER, Codes, characters
from tidings.page.text_and_tail import text_and_tail

Values = NDArray[np.int32]

TAGS_AROUND: Final = 5
TEXTS_AROUND: Final = 3
#: More than this share of the letters makes a text one in capitals.
CAPITALS: Final = 0.7
#: The tag beyond the ends of a page.
OUTSIDE: Final = "#"
#: What a mark is written as: the text ends like a sentence, or it does not, or there is none.
MARKS: Final = ("-", ".")

_UPPER, _LETTER, _FINAL, _SPACE = 1, 2, 4, 8
#: The thesis names dot, question mark, exclamation mark and quotation mark; here with those of other scripts.
_FINAL_MARKS: Final = ".!?…‥‼⁇⁈⁉‽\"'“”„«»‹›‘’。．！？｡؟۔।॥։።」』"


def _around(name: str, reach: int) -> tuple[str, ...]:
    return tuple(f"{name} {place:+d}" if place else name for place in range(-reach, reach + 1))


#: Names of the features, in the order of table 6.10.
NAMES: Final = (
    *_around("tag", TAGS_AROUND),
    *_around("text length", TEXTS_AROUND),
    *_around("tail length", TEXTS_AROUND),
    "text capitals",
    "tail capitals",
    *_around("text mark", TEXTS_AROUND),
    *_around("tail mark", TEXTS_AROUND),
)
#: Which of them are numbers.
NUMERIC: Final = tuple("length" in name or "capitals" in name for name in NAMES)
#: Which of them are tags, by place: all of these share one vocabulary.
TAG_PLACES: Final = slice(0, 2 * TAGS_AROUND + 1)


#: Where the lengths are.
LENGTHS: Final = np.array(["length" in name for name in NAMES])
#: Steps of a logarithmic length to each doubling.
STEPS: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class ElementRows:
    """A row of 41 values for each element. A tag is a place in `tags`; a mark is 1 or 0; the rest are numbers."""

    values: Values
    tags: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, slots=True, eq=False)
class TextRanges:
    """Where the texts and the tails of the elements stand in the page's text; empty ones begin and end at 0."""

    text_start: Ints
    text_end: Ints
    tail_start: Ints
    tail_end: Ints


def parts(page: Page) -> TextRanges:
    """Return ranges of the page's text, for each element."""
    found, runs = text_and_tail(page), page.runs
    ranges = []
    for first, last in ((found.text_first, found.text_last), (found.tail_first, found.tail_last)):
        some = first < last
        start, end = np.zeros(len(first), np.int64), np.zeros(len(first), np.int64)
        start[some], end[some] = runs.text_start[first[some]], runs.text_end[last[some] - 1]
        ranges += [start, end]
    return TextRanges(*ranges)


def rows(page: Page) -> ElementRows:
    """Return the features of all elements of a page."""
    place, kinds = parts(page), _kinds(page.text_codes)
    letters, capitals = sums(kinds & _LETTER != 0), sums(kinds & _UPPER != 0)
    columns = []
    for start, end in ((place.text_start, place.text_end), (place.tail_start, place.tail_end)):
        shouted = capitals[end] - capitals[start] > CAPITALS * (letters[end] - letters[start])
        columns.append((end - start, shouted, _ends_with_mark(kinds, start, end)))
    (text_length, text_shouted, text_mark), (tail_length, tail_shouted, tail_mark) = columns
    tags = (*page.tag_names, OUTSIDE)
    return ElementRows(
        np.column_stack(
            (
                _window(page.elements.tag, TAGS_AROUND, len(tags) - 1),
                _window(text_length, TEXTS_AROUND),
                _window(tail_length, TEXTS_AROUND),
                text_shouted,
                tail_shouted,
                _window(text_mark, TEXTS_AROUND),
                _window(tail_mark, TEXTS_AROUND),
            )
        ).astype(np.int32),
        tags,
    )


def logarithmic(values: Values) -> Values:
    """Return the same features with lengths on a logarithmic scale, four steps to each doubling.

    The thesis has plain lengths. Over the range of all lengths, which one page with a very long text decides, most
    texts are then the same; as symbols, which they are to IGTREE, no two are.
    """
    scaled = values.copy()
    scaled[:, LENGTHS] = np.ceil(STEPS * np.log2(1 + values[:, LENGTHS])).astype(np.int32)
    return scaled


def _window(column: NDArray[np.generic], reach: int, outside: int = 0) -> Ints:
    """For each element the values from `reach` before it to `reach` behind it."""
    padded = np.full(len(column) + 2 * reach, outside, np.int64)
    padded[reach : reach + len(column)] = column
    return np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1)


def _ends_with_mark(kinds: NDArray[np.uint8], start: Ints, end: Ints) -> Bools:
    """Return whether the last character that is no white space is a final mark."""
    shown = np.arange(len(kinds))
    shown[kinds & _SPACE != 0] = -1
    last = np.append(np.maximum.accumulate(shown), -1)[end - 1]  # end 0 looks at the appended -1
    return np.asarray((start < end) & (last >= start) & (kinds[last] & _FINAL != 0)) if len(kinds) else start < end


def _kinds(codes: Codes) -> NDArray[np.uint8]:
    return _table()[np.minimum(codes, PLANE - 1)]


@cache
def _table() -> NDArray[np.uint8]:
    """For each code point of the basic plane what it is; beyond the plane there are letters without case."""
    said = characters()
    letter = np.where(said & UPPER, _LETTER | _UPPER, _LETTER)
    table = np.where(said & ALPHABETIC, letter, np.where(said & SPACE, _SPACE, 0)).astype(np.uint8)
    table[[ord(mark) for mark in _FINAL_MARKS]] |= _FINAL
    table[PLANE - 1] = _LETTER
    table.setflags(write=False)
    return table
