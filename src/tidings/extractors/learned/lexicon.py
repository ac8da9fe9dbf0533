"""What words have meant on other pages: names of classes and ids around a block, and cue words in it.

Two lists of words with weights, learned by logistic regression (`tidings.lab.learners`). A word that is not on the list
weighs nothing, so a language whose cues were never seen is judged by everything else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.hashed_words import (
    HashedWords,
    Hashes,
    KnownWords,
    SpelledWords,
    hashed_words,
    stored_words,
)
from tidings.fields.memo import memoized
from tidings.page import Page
from tidings.page.columns import Ints, ranges
from tidings.page.counts import Codes, code_points
from tidings.text import words as words_of
from tidings.text.patterns import late_pattern

Floats = NDArray[np.float64]

#: Attributes that name the part an element plays, as nearly all pages write them; also the end of longer names. From
#: the `=` backwards, as code points.
_SPELLED: Final = [np.array([[ord(letter)] for letter in name[::-1]]) for name in ("class", "id", "role", "itemprop")]
_BEFORE: Final = np.arange(1, max(map(len, _SPELLED)) + 1)[:, None]
#: Those that are also read in single quotes and without any, then as whole names.
_BARE_SPELLED: Final = _SPELLED[:2]
_BARE: Final = late_pattern(r" (?:class|id)=([^\s>\"'\0]++)", re.ASCII)
_LONGEST: Final = 300  # characters of names that are read of one tag
_SPACE, _UNDERSCORE, _EQUALS, _DOUBLE, _SINGLE = map(ord, " _=\"'")
CUE_WORDS: Final = 25  # a block with more words than this is judged by other things


class Weights(NamedTuple):
    """Words and what each weighs."""

    words: KnownWords
    weight: Floats
    spelled: bytes  # the words, with spaces between them, to be looked at and stored

    @classmethod
    def of(cls, words: dict[str, float]) -> Weights:
        """From words and their weights."""
        return cls._of(SpelledWords.of(list(words)), np.array(list(words.values()), np.float64))

    @classmethod
    def _of(cls, known: SpelledWords, weight: Floats) -> Weights:
        return cls(KnownWords(known.numbers), weight[known.order], known.joined)

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Weights:
        """From stored arrays."""
        return cls._of(SpelledWords.of_arrays(name, arrays), arrays[f"{name}.weight"].astype(np.float64))

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """The weights as arrays to be stored, under names that begin alike."""
        stored = stored_words(name, self.words, self.spelled)
        return stored | {f"{name}.weight": self.weight.astype(np.float32)}

    def of_words(self, numbers: Hashes) -> Floats:
        """The weight of each word, 0 for unknown ones."""
        weights = np.zeros(len(numbers))
        known, place = self.words.find(numbers)
        weights[known] = self.weight[place]
        return weights


class Names(NamedTuple):
    """Elements that hold text, and what their start tags call them; equal tags share a line."""

    element: Ints
    line: Ints
    start_tags: list[str]  # by line
    words: Hashes  # of all lines, and the line of each
    line_of_word: Ints

    @property
    def lines(self) -> int:
        """How many there are."""
        return len(self.start_tags)

    @property
    def told(self) -> list[str]:
        """The names of each line, with spaces between words."""
        told = [""] * self.lines
        joined, _, starts, ends, lines = _values(self.start_tags)
        for start, end, line in zip(starts.tolist(), ends.tolist(), lines.tolist(), strict=True):
            told[line] += joined[start:end] + " "
        return [" ".join(line.replace("_", " ").split()) for line in told]


class Values(NamedTuple):
    """Start tags one behind the other, and in them the ranges of naming values, each with the number of its tag."""

    joined: str
    codes: Codes  # of its characters
    start: Ints
    end: Ints
    tag: Ints


@memoized
def names(page: Page) -> Names:
    """The names of classes and ids of all elements that hold text."""
    elements = page.elements
    holding = np.flatnonzero(elements.last > elements.first)[1:]
    lines, line = page.start_tags.of(holding)
    scanned = page.compiled.names() if page.compiled is not None else None
    if scanned is not None:
        return Names(holding, line, lines, scanned[1], scanned[0])
    values = _values(lines)
    length = values.end - values.start + 1
    codes = values.codes[ranges(values.start, values.end + 1)]
    borders = np.cumsum(length)
    codes[borders - 1] = _SPACE
    codes[codes == _UNDERSCORE] = _SPACE
    words = hashed_words(codes)
    line_of_word = values.tag[np.searchsorted(borders, words.start, side="right")]
    return Names(holding, line, lines, words.number, line_of_word)


def _values(start_tags: list[str]) -> Values:
    """The values of the naming attributes of each tag, cut where a tag has too much of them."""
    joined = "\0".join((*start_tags, "")).replace("\n", " ")  # no source holds \0
    tag_ends = np.cumsum(np.fromiter(map(len, start_tags), np.int64, len(start_tags)) + 1)
    codes = code_points(joined)
    equals = np.flatnonzero(codes == _EQUALS)  # before the first there are a bracket and a name, behind the last a \0
    before, behind = codes.take(equals - _BEFORE, mode="clip"), codes[equals + 1]
    starts: list[Ints] = []
    ends: list[Ints] = []
    called = [(before[: len(name)] == name).all(axis=0) for name in _SPELLED]
    spaced = [is_it & (before[len(name)] == _SPACE) for is_it, name in zip(called, _BARE_SPELLED, strict=False)]
    for quote, found in ((_DOUBLE, called), (_SINGLE, spaced)):
        quoted = behind == quote
        if quoted.any():
            quotes = np.append(np.flatnonzero(codes == quote), len(codes))
            for is_it in found:
                start = equals[is_it & quoted] + 2
                if len(start):
                    starts.append(start)
                    ends.append(quotes[np.searchsorted(quotes, start)])
    unquoted = (behind != _DOUBLE) & (behind != _SINGLE)
    if any((is_it & unquoted).any() for is_it in spaced):
        bare = np.array([match.span(1) for match in _BARE.finditer(joined)], np.int64).reshape(-1, 2)
        starts.append(bare[:, 0])
        ends.append(bare[:, 1])
    if not starts:
        nowhere = np.zeros(0, np.int64)
        return Values(joined, codes, nowhere, nowhere, nowhere)
    start, end = np.concatenate(starts), np.concatenate(ends)
    tag = np.searchsorted(tag_ends, start, side="right")
    end = np.maximum(np.minimum(end, tag_ends[tag] - 1), start)  # a quote that is never closed
    order = np.argsort(tag, kind="stable")
    start, end, tag = start[order], end[order], tag[order]
    above = np.cumsum(end - start + 1) - (end - start + 1)  # characters of names before the value
    room = _LONGEST - (above - above[np.searchsorted(tag, tag)])
    return Values(joined, codes, start, np.minimum(end, start + np.maximum(room, 0)), tag)


def path_words(page: Page) -> list[tuple[str, ...]]:
    """For each element the words of its names and of those around it; the slow form, for training."""
    called = names(page)
    told = [tuple(words_of(name)) for name in called.told]
    own = {element: told[line] for element, line in zip(called.element.tolist(), called.line.tolist(), strict=True)}
    paths: list[tuple[str, ...]] = [()]
    for element, parent in enumerate(page.elements.parent.tolist()[1:], 1):
        paths.append(paths[parent] + own.get(element, ()))
    return paths


class Lexicon(NamedTuple):
    """Weights of names and of cue words."""

    names: Weights
    cues: Weights

    def of_names(self, page: Page, called: Names, element: Ints, inner: Ints) -> Floats:
        """What the names of each block and those around it weigh: its own, their sum, least, most, the nearest."""
        elements = page.elements
        own = np.zeros(len(elements))
        lines = np.bincount(called.line_of_word, self.names.of_words(called.words), called.lines)
        own[called.element] = lines[called.line]
        total, low, high, near = own.copy(), own.copy(), own.copy(), own.copy()
        step = np.maximum(elements.parent, 0)
        while step.any():  # each round doubles the distance
            total = total + total[step]
            low, high = np.minimum(low, low[step]), np.maximum(high, high[step])
            near = np.where(near == 0, near[step], near)
            step = step[step]
        return np.stack((own[element], total[inner], low[inner], high[inner], near[inner]))

    def of_cues(self, words: HashedWords, first: Ints, last: Ints) -> Floats:
        """What the cue words in each block weigh, given the words first … last - 1 of each."""
        sums = np.concatenate(([0.0], np.cumsum(self.cues.of_words(words.number))))
        return np.where(last - first <= CUE_WORDS, sums[last] - sums[first], 0.0)
