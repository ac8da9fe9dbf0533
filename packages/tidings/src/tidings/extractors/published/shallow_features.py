"""Shallow text features of blocks: lengths, densities, capitals, marks, dates, and the same of the neighbours.

Source: Kohlschütter, Fankhauser and Nejdl 2010; DANA thesis 3.3.2.1. Words are those of `page.runs`: a word of a script
without spaces is one character, and "don't" is two words (in boilerpipe one).
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.page import Page, tags
from tidings.page.columns import Bools, Ints, sums
from tidings.page.counts import LOWER, PLANE, UPPER, characters, words_before

Floats = NDArray[np.float64]
#: Line width for wrapping a block to compute its text density (Kohlschütter et al. 2010).
WIDTH: Final = 80
#: Years, months of English, times of day, days of the form 1/2/2003: date and time tokens.
_DATE_OR_TIME: Final = re.compile(
    r"\b(?:(?:19|20)\d\d|\d{1,2}:\d\d(?::\d\d)?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)[a-z]{0,6}|may|[ap]m)\b",
    re.IGNORECASE,
)
_STOPS: Final = np.array([ord(mark) for mark in ".!?。！？؟।۔"], np.uint32)
_ENCLOSING: Final = ("p", "div", "h1", "h2", "h3", "h4", "h5", "h6")


@cache
def _cases() -> NDArray[np.uint8]:
    """Return for each character of Unicode's basic plane 1 for upper case, 2 for lower case, 0 for neither."""
    kinds = characters()
    return np.asarray((kinds & UPPER != 0) + 2 * (kinds & LOWER != 0), np.uint8)


def wrapped(page: Page, before: Ints) -> tuple[Ints, Ints]:
    """Return the number of full lines of each block wrapped at `WIDTH`, and the words on them; a single line counts as
    full.

    `before` is the number of words that begin before each position. A line breaks before the word that exceeds the
    width. The last line does not count, because the width did not end it.
    """
    blocks = page.blocks
    starts = np.flatnonzero(np.diff(before))  # beginnings of words
    ends = np.append(starts[1:], len(page.text) + 1) - 1  # including punctuation, without the space
    # For each word the first word of the next line if this word begins a line.
    following = np.searchsorted(ends, starts + WIDTH, side="right")
    following = np.maximum(following, np.arange(1, len(starts) + 1)).tolist()
    lines = np.ones(len(blocks), np.int64)
    words = before[blocks.text_end] - before[blocks.text_start]
    long = np.flatnonzero(blocks.text_end - blocks.text_start > WIDTH)
    limits = before[blocks.text_end].tolist()
    for block, first in zip(long.tolist(), before[blocks.text_start[long]].tolist(), strict=True):
        word, count, limit = first, 0, limits[block]
        while word < limit and (after := following[word]) < limit:
            word, count = after, count + 1
        if count:
            lines[block], words[block] = count, word - first
    return lines, words


def features(page: Page) -> dict[str, Floats]:
    """Return the shallow text features by name, one row for each of the page's blocks.

    Each column except the positions has two more, `prev_…` and `next_…`: the same feature of the previous and the next
    block, 0 at the ends. Hidden blocks have 0 in all columns and are skipped as neighbours.
    """
    hidden = page.blocks.hidden
    columns = with_neighbours(page, basic_features(page) | text_density(page) | _further(page))
    columns["position"] = np.where(hidden, 0.0, np.cumsum(~hidden) - 1.0)
    columns["relative_position"] = columns["position"] / max(int((~hidden).sum()) - 1, 1)
    return columns


def with_neighbours(page: Page, own: dict[str, Floats]) -> dict[str, Floats]:
    """Add the columns `prev_…` and `next_…` of the neighbouring visible blocks."""
    hidden = page.blocks.hidden
    visible = np.flatnonzero(~hidden)
    columns = {name: np.where(hidden, 0.0, values) for name, values in own.items()}
    for name, values in list(columns.items()):
        before, after = np.zeros(len(hidden)), np.zeros(len(hidden))
        before[visible[1:]], after[visible[:-1]] = values[visible[:-1]], values[visible[1:]]
        columns[f"prev_{name}"], columns[f"next_{name}"] = before, after
    return columns


def basic_features(page: Page) -> dict[str, Floats]:
    """Return number of words and link density, which suffice for the rule of `shallow-2`."""
    blocks = page.blocks
    return {
        "words": blocks.words.astype(np.float64),
        "link_density": blocks.link_words / np.maximum(blocks.words, 1),
    }


def text_density(page: Page) -> dict[str, Floats]:
    """Return the number of words per full line."""
    lines, words = wrapped(page, words_before(page.text_codes))
    return {"text_density": words / lines}


def _further(page: Page) -> dict[str, Floats]:
    """Return the remaining shallow features of blocks: lengths, capitals, marks, dates, enclosing element."""
    blocks, text = page.blocks, page.text
    codes = page.text_codes
    words = np.maximum(blocks.words, 1)

    def counts_in_blocks(flags: Bools) -> Ints:
        counts = sums(flags)
        return counts[blocks.text_end] - counts[blocks.text_start]

    begins = np.diff(words_before(codes)) > 0
    case = _cases()[np.minimum(codes, PLANE - 1)]
    shouted = np.zeros(len(text), np.bool_)
    if begins.any():
        starts = np.flatnonzero(begins)
        lower, upper = (np.add.reduceat((case == kind).astype(np.int64), starts) for kind in (2, 1))
        shouted[starts[(lower == 0) & (upper > 1)]] = True  # without the single letters "I" and "A"
    ends = np.isin(codes, _STOPS)
    ends[:-1] &= (codes[1:] <= 32) | (codes[:-1] > 0x3000)  # a point inside a number is no full stop
    dates = np.zeros(len(text), np.bool_)
    dates[[match.start() for match in _DATE_OR_TIME.finditer(text)]] = True
    counted = {
        "capitalised": counts_in_blocks(begins & (case == 1)),
        "upper_case": counts_in_blocks(shouted),
        "full_stops": counts_in_blocks(codes == ord(".")),
        "dates": counts_in_blocks(dates),
        "bars": counts_in_blocks(codes == ord("|")),
    }
    tag = page.elements.tag[blocks.element]
    return {
        "word_length": counts_in_blocks(codes > 32) / words,
        "sentence_length": blocks.words / np.maximum(counts_in_blocks(ends), 1),
        **{name: count.astype(np.float64) for name, count in counted.items()},
        **{f"{name}_share": count / words for name, count in counted.items()},
        **{f"in_{name}": (tag == tags.NUMBERS[name]).astype(np.float64) for name in _ENCLOSING},
    }
