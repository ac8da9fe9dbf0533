"""What words have meant on other pages: names of classes and ids around a block, and cue words in it.

Two lists of words with weights, learned by logistic regression (`tidings.learn`). A word that is not on the list weighs
nothing, so a language whose cues were never seen is judged by everything else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.learned.hashed_words import HashedWords, Hashes, hashed_words
from tidings.page import Page
from tidings.page.columns import Ints
from tidings.page.counts import code_points
from tidings.text import words as words_of

Floats = NDArray[np.float64]

#: Attributes that name the part an element plays, as nearly all pages write them; also the end of longer names.
_NAMES: Final = ('class="', 'id="', 'role="', 'itemprop="', " class='", " id='")
#: The same without quotes.
_BARE: Final = re.compile(r" (?:class|id)=([^\s>\"']++)")
_LONGEST: Final = 300  # characters of names that are read of one tag
CUE_WORDS: Final = 25  # a block with more words than this is judged by other things


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Words, as sorted numbers, and what each weighs."""

    number: Hashes
    weight: Floats

    @classmethod
    def of(cls, words: dict[str, float]) -> Weights:
        """From words and their weights."""
        if not words:
            return cls(np.zeros(0, np.uint64), np.zeros(0))
        numbers = hashed_words(code_points(" ".join(words))).number
        order = np.argsort(numbers, kind="stable")
        return cls(numbers[order], np.array(list(words.values()))[order])

    def of_words(self, numbers: Hashes) -> Floats:
        """The weight of each word, 0 for unknown ones."""
        if not len(self.number):
            return np.zeros(len(numbers))
        place = np.minimum(np.searchsorted(self.number, numbers), len(self.number) - 1)
        return np.where(self.number[place] == numbers, self.weight[place], 0.0)


class Names(NamedTuple):
    """Elements that hold text, and what their start tags call them; equal tags share a line of `told`."""

    element: Ints
    line: Ints
    told: list[str]
    words: Hashes  # of all lines, and the line of each
    line_of_word: Ints


def names(page: Page) -> Names:
    """The names of classes and ids of all elements that hold text."""
    elements, tree, cut = page.elements, page._tree, page._cut
    holding = np.flatnonzero(elements.last > elements.first)[1:]
    lines: dict[str, int] = {}
    which = [lines.setdefault(cut.tags[at], len(lines)) for at in tree.opened[holding].tolist()]
    told = _names_in_tags(list(lines))
    words = hashed_words(code_points("\n".join(told)))
    ends = np.cumsum([len(line) + 1 for line in told])
    line_of_word = np.searchsorted(ends, words.start, side="right")
    return Names(holding, np.array(which, np.int64), told, words.number, line_of_word)


def _names_in_tags(start_tags: list[str]) -> list[str]:
    """The values of the naming attributes of each tag, with spaces between words."""
    joined = "\n".join(tag.replace("\n", " ") if "\n" in tag else tag for tag in start_tags)
    told = [""] * len(start_tags)
    for name in _NAMES:
        quote = name[-1]
        parts = joined.split(name)
        place = parts[0].count("\n")
        for part in parts[1:]:
            told[place] += part[: part.find(quote)] + " "
            place += part.count("\n")
    if any(joined.count(name) > joined.count(f'{name}"') + joined.count(f"{name}'") for name in (" class=", " id=")):
        ends = np.cumsum([len(tag) + 1 for tag in start_tags])
        for match in _BARE.finditer(joined):
            told[int(np.searchsorted(ends, match.start(), side="right"))] += match[1] + " "
    return [name[:_LONGEST].replace("_", " ") for name in told]


def path_words(page: Page) -> list[tuple[str, ...]]:
    """For each element the words of its names and of those around it; the slow form, for training."""
    called = names(page)
    told = [tuple(words_of(name)) for name in called.told]
    own = {element: told[line] for element, line in zip(called.element.tolist(), called.line.tolist(), strict=True)}
    paths: list[tuple[str, ...]] = [()]
    for element, parent in enumerate(page.elements.parent.tolist()[1:], 1):
        paths.append(paths[parent] + own.get(element, ()))
    return paths


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """Weights of names and of cue words."""

    names: Weights
    cues: Weights

    def of_names(self, page: Page, called: Names, element: Ints, inner: Ints) -> dict[str, NDArray[np.generic]]:
        """What the names around each block weigh."""
        elements = page.elements
        own = np.zeros(len(elements))
        lines = np.bincount(called.line_of_word, self.names.of_words(called.words), len(called.told))
        own[called.element] = lines[called.line]
        total, low, high, near = own.copy(), own.copy(), own.copy(), own.copy()
        step = np.maximum(elements.parent, 0)
        while step.any():  # each round doubles the distance
            total = total + total[step]
            low, high = np.minimum(low, low[step]), np.maximum(high, high[step])
            near = np.where(near == 0, near[step], near)
            step = step[step]
        return {
            "class_own": own[element],
            "class_sum": total[inner],
            "class_min": low[inner],
            "class_max": high[inner],
            "class_near": near[inner],
        }

    def of_cues(self, words: HashedWords, start: Ints, end: Ints) -> dict[str, NDArray[np.generic]]:
        """What the cue words in each block weigh."""
        low, high = np.searchsorted(words.start, start), np.searchsorted(words.start, end)
        sums = np.concatenate(([0.0], np.cumsum(self.cues.of_words(words.number))))
        return {"cue": np.where(high - low <= CUE_WORDS, sums[high] - sums[low], 0.0)}
