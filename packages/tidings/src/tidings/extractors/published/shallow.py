"""Shallow text features: how many words a block has, how many of them in links, and what its neighbours have.

Kohlschütter, Fankhauser and Nejdl 2010 ("Boilerplate detection using shallow text features"); DANA thesis 3.3.2.1. The
features of a block need no look at the page around it but for the blocks before and after. Two of them, number of
words and link density, are enough for a simple rule with competitive accuracy; text density can take the place of the
number of words.

`shallow-2` is that rule: the publication's decision tree on number of words and link density, which is boilerpipe's
NumWordsRules. Its other one, on text density and link density (DensityRules), is the other value of `ShallowRule`.

`features` has the columns that trained forms need. Words are those of `page.runs`, so a word of a script without spaces
is one character; boilerpipe counts a word like "don't" as one, here it is two.

Shallow text features with a trained decision tree, and with a trained linear support vector machine.

Kohlschütter, Fankhauser and Nejdl 2010; DANA thesis 3.3.2.1: all features of `shallow`, those of the block before and
the block behind among them, classified "using decision trees method and linear support vector machines". The rule of
two features that the publication ends with is `shallow-2`.

Learned with `tidings_lab.learners.classifiers`; docs/explanation/trainable-extractors.md has the model card.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.model_files import read
from tidings.extractors.parameters import checked
from tidings.extractors.published.trained.classifiers import BlockClassifier
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints, sums
from tidings.page.counts import LOWER, PLANE, UPPER, characters, words_before

Floats = NDArray[np.float64]

#: Columns at which a block is wrapped to tell its text density (Kohlschütter et al. 2010).
WIDTH: Final = 80

#: Years, months of English, times of day, days of the form 1/2/2003: date and time tokens.
_DATE_OR_TIME: Final = re.compile(
    r"\b(?:(?:19|20)\d\d|\d{1,2}:\d\d(?::\d\d)?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)[a-z]{0,6}|may|[ap]m)\b",
    re.IGNORECASE,
)
_STOPS: Final = np.array([ord(mark) for mark in ".!?。！？؟।۔"], np.uint32)
_ENCLOSING: Final = ("p", "div", "h1", "h2", "h3", "h4", "h5", "h6")


class ShallowRule(Enum):
    """The two decision trees of the publication, by the feature that stands beside link density."""

    WORDS = "number of words"  # boilerpipe: NumWordsRulesClassifier
    DENSITY = "text density"  # boilerpipe: DensityRulesClassifier


@cache
def _cases() -> NDArray[np.uint8]:
    """For each code point of the basic plane: 1 upper case, 2 lower case, 0 neither."""
    kinds = characters()
    return np.asarray((kinds & UPPER != 0) + 2 * (kinds & LOWER != 0), np.uint8)


def wrapped(page: Page, before: Ints) -> tuple[Ints, Ints]:
    """For each block its full lines and the words on them when it is wrapped at `WIDTH`; a single line counts as full.

    `before` are the words that begin before each position. A line is broken before the word that passes the last
    column, and the last line, which the width did not end, does not count.
    """
    blocks = page.blocks
    starts = np.flatnonzero(np.diff(before))  # where words begin
    ends = np.append(starts[1:], len(page.text) + 1) - 1  # with the marks behind the word, without the space
    # For each word the one that begins the next line if this one begins a line.
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

    Each column but the positions has two more, `prev_…` and `next_…`: the same of the block before and after, 0 at the
    ends. Hidden blocks have 0 everywhere and are nobody's neighbours.
    """
    hidden = page.blocks.hidden
    columns = _with_neighbours(page, _basic(page) | _density(page) | _further(page))
    columns["position"] = np.where(hidden, 0.0, np.cumsum(~hidden) - 1.0)
    columns["relative_position"] = columns["position"] / max(int((~hidden).sum()) - 1, 1)
    return columns


def _with_neighbours(page: Page, own: dict[str, Floats]) -> dict[str, Floats]:
    hidden = page.blocks.hidden
    seen = np.flatnonzero(~hidden)
    columns = {name: np.where(hidden, 0.0, values) for name, values in own.items()}
    for name, values in list(columns.items()):
        before, behind = np.zeros(len(hidden)), np.zeros(len(hidden))
        before[seen[1:]], behind[seen[:-1]] = values[seen[:-1]], values[seen[1:]]
        columns[f"prev_{name}"], columns[f"next_{name}"] = before, behind
    return columns


def _basic(page: Page) -> dict[str, Floats]:
    """Return the two features that are enough."""
    blocks = page.blocks
    return {
        "words": blocks.words.astype(np.float64),
        "link_density": blocks.link_words / np.maximum(blocks.words, 1),
    }


def _density(page: Page) -> dict[str, Floats]:
    lines, words = wrapped(page, words_before(page.text_codes))
    return {"text_density": words / lines}


def _further(page: Page) -> dict[str, Floats]:
    """Return the other features of a block: lengths, capitals, marks, dates, the element around it."""
    blocks, text = page.blocks, page.text
    codes = page.text_codes
    words = np.maximum(blocks.words, 1)

    def held(flags: Bools) -> Ints:
        counts = sums(flags)
        return counts[blocks.text_end] - counts[blocks.text_start]

    begins = np.diff(words_before(codes)) > 0
    case = _cases()[np.minimum(codes, PLANE - 1)]
    shouted = np.zeros(len(text), np.bool_)
    if begins.any():
        starts = np.flatnonzero(begins)
        lower, upper = (np.add.reduceat((case == kind).astype(np.int64), starts) for kind in (2, 1))
        shouted[starts[(lower == 0) & (upper > 1)]] = True  # "I" and "A" are no shouting
    ends = np.isin(codes, _STOPS)
    ends[:-1] &= (codes[1:] <= 32) | (codes[:-1] > 0x3000)  # a point inside a number ends nothing
    dates = np.zeros(len(text), np.bool_)
    dates[[match.start() for match in _DATE_OR_TIME.finditer(text)]] = True
    counted = {
        "capitalised": held(begins & (case == 1)),
        "upper_case": held(shouted),
        "full_stops": held(codes == ord(".")),
        "dates": held(dates),
        "bars": held(codes == ord("|")),
    }
    tag = page.elements.tag[blocks.element]
    return {
        "word_length": held(codes > 32) / words,
        "sentence_length": blocks.words / np.maximum(held(ends), 1),
        **{name: count.astype(np.float64) for name, count in counted.items()},
        **{f"{name}_share": count / words for name, count in counted.items()},
        **{f"in_{name}": (tag == tags.NUMBERS[name]).astype(np.float64) for name in _ENCLOSING},
    }


def decide(columns: dict[str, Floats], rule: ShallowRule) -> Bools:
    """Return which blocks are content by one of the published decision trees (branches as in boilerpipe)."""
    few_links = columns["link_density"] <= 0.333333
    after_text = columns["prev_link_density"] <= 0.555556
    if rule is ShallowRule.WORDS:
        words, previous, following = (columns[f"{place}words"] for place in ("", "prev_", "next_"))
        return few_links & np.where(
            after_text,
            (words > 16) | (following > 15) | (previous > 4),
            (words > 40) | (following > 17),
        )
    density, previous, following = (columns[f"{place}text_density"] for place in ("", "prev_", "next_"))
    return few_links & np.where(
        after_text,
        np.where(density <= 9, (following > 10) | (previous > 4), following > 0),
        following > 11,
    )


@checked
@dataclass(frozen=True, slots=True)
class Shallow2:
    """Blocks that have words and few links, or stand beside such blocks."""

    rule: ShallowRule = ShallowRule.WORDS  # the thesis names number of words and link density as the two features

    def __call__(self, page: Page, /) -> Spans:
        """Return the blocks that the rule takes for content."""
        return page.shown(Spans.of_blocks(page, self._decide(page))) & page.scope

    def score(self, page: Page, /) -> Floats:
        """1 for each block that is content, 0 for the others: the rule knows nothing in between."""
        return self._decide(page).astype(np.float64)

    def _decide(self, page: Page) -> Bools:
        own = _basic(page) if self.rule is ShallowRule.WORDS else _basic(page) | _density(page)
        return decide(_with_neighbours(page, own), self.rule) & ~page.blocks.hidden


TREE: Final = "shallow-tree"
SVM: Final = "shallow-svm"


@dataclass(frozen=True, slots=True)
class _Shallow:
    """What both have in common: blocks whose chance is above one half."""

    name: ClassVar[str]

    model: str = ""  # a file of one's own weights; empty: those that come with Tidings

    def __call__(self, page: Page, /) -> Spans:
        """Return the blocks that are taken for content."""
        return page.shown(Spans.of_blocks(page, self.score(page) > 0.5)) & page.scope

    def score(self, page: Page, /) -> Floats:
        """For each block its chance to be content, 0 for hidden ones and those without words."""
        seen = page.blocks.seen
        scores = np.zeros(len(page.blocks))
        if len(seen):
            columns = {name: column[seen] for name, column in features(page).items()}
            scores[seen] = read(BlockClassifier, self.name, self.model).chances(columns)
        return scores


@checked
@dataclass(frozen=True, slots=True)
class ShallowTree(_Shallow):
    """Blocks that a decision tree over shallow text features takes for content."""

    name: ClassVar[str] = TREE


@checked
@dataclass(frozen=True, slots=True)
class ShallowSVM(_Shallow):
    """Blocks that a linear support vector machine over shallow text features takes for content."""

    name: ClassVar[str] = SVM
