"""Words of a text counted for all its runs at once.

A word is a stretch of letters, digits and underscores, as in the measures; in scripts written without spaces (Han,
Hiragana, Katakana) each character counts as one.
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
#: What a character can be, as the methods of `str` tell it (`isalnum` and so on).
ALPHANUMERIC, ALPHABETIC, DIGIT, UPPER, LOWER, SPACE = 1, 2, 4, 8, 16, 32


def code_points(text: str) -> Codes:
    """Return the text as an array of code points."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


@cache
def characters() -> Classes:
    """For each code point of the basic plane the sum of what Unicode says it is: see `ALPHANUMERIC` and the others."""
    return _table("characters")


@cache
def character_classes() -> Classes:
    """For each code point of the basic plane: 0 no word character, 1 word character, 2 a word by itself."""
    classes = characters() & np.uint8(ALPHANUMERIC)  # which is 1
    classes[ord("_")] = 1
    for first, last in ((0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF)):
        classes[first : last + 1] *= 2
    classes[[0x200C, 0x200D]] = 1  # joiners stand inside words (Persian, Hindi)
    classes[0x0300:0x0370] = 1  # combining marks
    classes.setflags(write=False)
    return classes


@cache
def lower_cases() -> NDArray[np.uint16]:
    """For each code point of the basic plane that of its lower case, where that is one character."""
    cases = np.arange(PLANE, dtype=np.uint16)
    upper, lower = _table("lower_cases").T
    cases[upper] = lower
    cases.setflags(write=False)
    return cases


def _table(name: str) -> NDArray[Any]:
    """Return a file that `scripts/character-tables` has made: made here, it would follow the Python that runs."""
    table: NDArray[Any] = np.load(Path(__file__).with_name(f"{name}.npy"), allow_pickle=False)
    table.setflags(write=False)
    return table


def word_classes(codes: Codes) -> Classes:
    """For each character: 0 no word character, 1 word character, 2 a word by itself."""
    classes: Classes = character_classes().take(codes, mode="clip")
    if len(codes) and codes.max() >= PLANE:
        ideographs = (codes >= 0x20000) & (codes < 0x32000)
        classes = np.where(codes >= PLANE, np.where(ideographs, 2, 0), classes).astype(np.uint8)
    return classes


def words_before(codes: Codes) -> Ints:
    """Return how many words begin before each position of a text, the end included."""
    return begun_before(word_classes(codes))


def begun_before(classes: Classes) -> Ints:
    """Return the same, where the classes of the characters are known."""
    begins = classes == 1
    begins[1:] &= classes[:-1] != 1
    counts = np.zeros(len(classes) + 1, np.int64)
    np.cumsum(begins | (classes == 2), out=counts[1:])
    return counts
