"""The 41 features of each element (memory-based thesis, chapter 5 and table 6.10).

Features of the element and its neighbours in document order are: the tag (5 before, 5 after), the lengths of its text
and tail (3 before, 3 after; a tail is the text that directly follows the element), and whether text and tail end with a
final mark like a sentence (3 and 3). Features of the element alone are whether more than 70 % of the letters of its
text, and of its tail, are capitals. Beyond the ends of the page there are elements with the tag `#` and no text.

Lengths and capitals are numbers, tags and marks are symbols. All are computed for the whole page at once.
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
#: The share of capital letters above which a text is in capitals.
CAPITALS: Final = 0.7
#: The tag beyond the ends of a page.
OUTSIDE: Final = "#"
#: The spelling of a mark: the text does not end, or ends like a sentence.
MARKS: Final = ("-", ".")

_UPPER, _LETTER, _FINAL, _SPACE = 1, 2, 4, 8
#: The thesis has the dot, question mark, exclamation mark and quotation mark; here with those of other scripts.
_FINAL_MARKS: Final = ".!?…‥‼⁇⁈⁉‽\"'“”„«»‹›‘’。．！？｡؟۔।॥։።」』"


def _window_names(name: str, reach: int) -> tuple[str, ...]:
    return tuple(f"{name} {place:+d}" if place else name for place in range(-reach, reach + 1))


#: Names of the features, in the order of table 6.10.
NAMES: Final = (
    *_window_names("tag", TAGS_AROUND),
    *_window_names("text length", TEXTS_AROUND),
    *_window_names("tail length", TEXTS_AROUND),
    "text capitals",
    "tail capitals",
    *_window_names("text mark", TEXTS_AROUND),
    *_window_names("tail mark", TEXTS_AROUND),
)
#: Whether each feature is numeric.
NUMERIC: Final = tuple("length" in name or "capitals" in name for name in NAMES)
#: The columns of tags, which share one vocabulary.
TAG_PLACES: Final = slice(0, 2 * TAGS_AROUND + 1)


#: Whether each feature is a length.
LENGTHS: Final = np.array(["length" in name for name in NAMES])
#: Steps of a logarithmic length per doubling.
STEPS: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class ElementRows:
    """A row of 41 values for each element. A tag is a position in `tags`; a mark is 1 or 0; the rest are numbers."""

    values: Values
    tags: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, slots=True, eq=False)
class TextRanges:
    """The ranges of the elements' texts and tails in the page's text; empty ones are 0 … 0."""

    text_start: Ints
    text_end: Ints
    tail_start: Ints
    tail_end: Ints


def parts(page: Page) -> TextRanges:
    """Return the ranges of text and tail of each element. A tail is the text that directly follows the element."""
    texts, runs = text_and_tail(page), page.runs
    ranges = []
    for first, last in ((texts.text_first, texts.text_last), (texts.tail_first, texts.tail_last)):
        is_filled = first < last
        start, end = np.zeros(len(first), np.int64), np.zeros(len(first), np.int64)
        start[is_filled], end[is_filled] = runs.text_start[first[is_filled]], runs.text_end[last[is_filled] - 1]
        ranges += [start, end]
    return TextRanges(*ranges)


def rows(page: Page) -> ElementRows:
    """Return the features of all elements of a page."""
    place, kinds = parts(page), _kinds(page.text_codes)
    letters, capitals = sums(kinds & _LETTER != 0), sums(kinds & _UPPER != 0)
    columns = []
    for start, end in ((place.text_start, place.text_end), (place.tail_start, place.tail_end)):
        in_capitals = capitals[end] - capitals[start] > CAPITALS * (letters[end] - letters[start])
        columns.append((end - start, in_capitals, _ends_with_mark(kinds, start, end)))
    (text_length, text_in_capitals, text_mark), (tail_length, tail_in_capitals, tail_mark) = columns
    tags = (*page.tag_names, OUTSIDE)
    return ElementRows(
        np.column_stack(
            (
                _window(page.elements.tag, TAGS_AROUND, len(tags) - 1),
                _window(text_length, TEXTS_AROUND),
                _window(tail_length, TEXTS_AROUND),
                text_in_capitals,
                tail_in_capitals,
                _window(text_mark, TEXTS_AROUND),
                _window(tail_mark, TEXTS_AROUND),
            )
        ).astype(np.int32),
        tags,
    )


def logarithmic(values: Values) -> Values:
    """Return the features with lengths on a logarithmic scale, four steps per doubling.

    The thesis uses plain lengths. Relative to the range of all lengths, which a single page with a very long text
    determines, most texts are then equal; as symbols, which they are for IGTREE, no two are.
    """
    scaled = values.copy()
    scaled[:, LENGTHS] = np.ceil(STEPS * np.log2(1 + values[:, LENGTHS])).astype(np.int32)
    return scaled


def _window(column: NDArray[np.generic], reach: int, outside: int = 0) -> Ints:
    """Return for each element the values from `reach` before it to `reach` after it."""
    padded = np.full(len(column) + 2 * reach, outside, np.int64)
    padded[reach : reach + len(column)] = column
    return np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1)


def _ends_with_mark(kinds: NDArray[np.uint8], start: Ints, end: Ints) -> Bools:
    """Return for each range of text whether its last character other than white space is a final mark."""
    visible = np.arange(len(kinds))
    visible[kinds & _SPACE != 0] = -1
    last = np.append(np.maximum.accumulate(visible), -1)[end - 1]  # end 0 looks at the appended -1
    return np.asarray((start < end) & (last >= start) & (kinds[last] & _FINAL != 0)) if len(kinds) else start < end


def _kinds(codes: Codes) -> NDArray[np.uint8]:
    return _table()[np.minimum(codes, PLANE - 1)]


@cache
def _table() -> NDArray[np.uint8]:
    """Return a table of bit sets (letter, capital, digit, mark) for the characters of Unicode's basic plane; others
    count as letters without case.
    """
    classes = characters()
    letter = np.where(classes & UPPER, _LETTER | _UPPER, _LETTER)
    table = np.where(classes & ALPHABETIC, letter, np.where(classes & SPACE, _SPACE, 0)).astype(np.uint8)
    table[[ord(mark) for mark in _FINAL_MARKS]] |= _FINAL
    table[PLANE - 1] = _LETTER
    table.setflags(write=False)
    return table
