"""Word counts for all runs of a text at once.

A word is a sequence of letters, digits and underscores, as in the measures. In scripts without spaces (Han, Hiragana,
Katakana) each character counts as a word.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Codes = NDArray[np.uint32]
Classes = NDArray[np.uint8]

PLANE: Final = 0x10000
#: Character properties, by the methods of `str` (`isalnum` and so on).
ALPHANUMERIC, ALPHABETIC, DIGIT, UPPER, LOWER, SPACE = 1, 2, 4, 8, 16, 32


def code_points(text: str) -> Codes:
    """Return a text as an array of code points."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


@cache
def characters() -> Classes:
    """Return for each character of Unicode's basic plane the sum of its properties (see `ALPHANUMERIC` and the
    others).
    """
    return _table("characters")


@cache
def character_classes() -> Classes:
    """Return for each character of Unicode's basic plane: 0 no word character, 1 word character, 2 a word by itself."""
    classes = characters() & np.uint8(ALPHANUMERIC)  # which is 1
    classes[ord("_")] = 1
    for first, last in ((0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF)):
        classes[first : last + 1] *= 2
    classes[[0x200C, 0x200D]] = 1  # joiners are inside words (Persian, Hindi)
    classes[0x0300:0x0370] = 1  # combining marks
    classes.setflags(write=False)
    return classes


@cache
def lower_cases() -> NDArray[np.uint16]:
    """Return the lower case of each character of Unicode's basic plane, if it is a single character."""
    cases = np.arange(PLANE, dtype=np.uint16)
    upper, lower = _table("lower_cases").T
    cases[upper] = lower
    cases.setflags(write=False)
    return cases


def _table(name: str) -> NDArray[Any]:
    """Load a table of `scripts/character-tables`. Computed here, it would depend on the running Python version."""
    table: NDArray[Any] = np.load(Path(__file__).with_name(f"{name}.npy"), allow_pickle=False)
    table.setflags(write=False)
    return table


def word_classes(codes: Codes) -> Classes:
    """Return for each character: 0 no word character, 1 word character, 2 a word by itself."""
    classes: Classes = character_classes().take(codes, mode="clip")
    if len(codes) and codes.max() >= PLANE:
        ideographs = (codes >= 0x20000) & (codes < 0x32000)
        classes = np.where(codes >= PLANE, np.where(ideographs, 2, 0), classes).astype(np.uint8)
    return classes


def words_before(codes: Codes) -> Ints:
    """Return the number of words that begin before each position of a text, including the end."""
    return begun_before(word_classes(codes))


def begun_before(classes: Classes) -> Ints:
    """Return the number of words that begin before each position, given the word classes of the characters."""
    begins = classes == 1
    begins[1:] &= classes[:-1] != 1
    counts = np.zeros(len(classes) + 1, np.int64)
    np.cumsum(begins | (classes == 2), out=counts[1:])
    return counts
