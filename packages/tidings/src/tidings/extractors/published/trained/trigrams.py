"""Tags and words of a page as numbers, and a naive Bayes classifier over three of them in a row.

DANA thesis 3.3.1.4; Pasternack and Roth 2009. Scripts and style sheets are gone, words are stemmed, all numbers are
one token. A token's features are the trigram that begins with it and the tag around it.

Stemming happens when weights are learned: the vocabulary has every known form of a word under the number of its stem.
A word outside of it is the token "some word", so that running text in a language never seen has trigrams too. A trigram
that was never seen counts as its shape does, the same trigram with "some word" for its words, and if that was never
seen it says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.hashed_words import Hashes, hashed_words
from tidings.extractors.model_files import Arrays, fit_together
from tidings.extractors.published.bte import PageTokens, counted_tags, tokens
from tidings.page import Page, tags
from tidings.page.columns import Bools, Ints, sums
from tidings.page.counts import DIGIT, PLANE, characters, word_classes

Floats = NDArray[np.float64]

#: Weights are stored as whole steps of this size, in a byte each.
STEP: Final = 1 / 16
#: The number of any word that is not in the vocabulary; tags come behind it, then the one number, then words.
SOME_WORD: Final = 0


@dataclass(frozen=True, slots=True, eq=False)
class TokenRow:
    """The tokens of a page before a vocabulary numbers them."""

    tokens: PageTokens
    tag: Ints  # of each token: the tag's number, with a minus for end tags; 0 for words
    word: Hashes  # of the tokens that are words
    is_number: Bools  # of those
    parent: Ints  # of each token: the tag of the element it stands in


@cache
def _digits() -> Bools:
    """Return which code points of the basic plane are digits."""
    return np.asarray(characters() & DIGIT, np.bool_)


def token_row(page: Page) -> TokenRow:
    """Return the tags and visible words of a page in their order."""
    row = tokens(page)
    counted = np.flatnonzero(counted_tags(page))
    words = hashed_words(page.text_codes)
    codes = page.text_codes
    letters = sums((word_classes(codes) > 0) & ~_digits()[np.minimum(codes, PLANE - 1)])
    ends = np.append(words.start[1:], len(codes))
    which = np.searchsorted(words.start, row.word_at)
    tag, parent = np.zeros(row.size, np.int64), np.empty(row.size, np.int64)
    is_tag = row.is_tag()
    tag[is_tag] = page.cut.codes[counted]
    # A piece of text stands before each tag: what is open there is open where the tag stands.
    elements = page.elements
    parent[is_tag] = elements.tag[page.owner[counted]]
    parent[row.place] = elements.tag[page.runs.element[row.word_run]]
    return TokenRow(row, tag, words.number[which], (letters[ends] == letters[words.start])[which], parent)


@dataclass(frozen=True, slots=True, eq=False)
class TokenVocabulary:
    """Known words by the leading half of their number, sorted, and the token that each form is."""

    form: NDArray[np.uint32]
    token: Ints
    tags: tuple[str, ...] = tags.NAMES

    def __post_init__(self) -> None:
        fit_together(
            len(self.form) == len(self.token)
            and bool((self.form[1:] > self.form[:-1]).all())
            and (not len(self.token) or int(self.token.min()) >= self.first_word),
            "the vocabulary",
        )

    @property
    def number(self) -> int:
        """The token that all numbers are."""
        return 2 * len(self.tags) + 3

    @property
    def first_word(self) -> int:
        """The first token that is a known word."""
        return self.number + 1

    @property
    def size(self) -> int:
        """Tokens there are."""
        return max(int(self.token.max(initial=0)) + 1, self.first_word)

    def __call__(self, row: TokenRow) -> Ints:
        """Return the tokens of a page."""
        found = 1 + 2 * self.tag_numbers(np.abs(row.tag)) + (row.tag < 0)
        form = halves(row.word)
        place = np.minimum(np.searchsorted(self.form, form), max(len(self.form) - 1, 0))
        known = self.form[place] == form if len(self.form) else np.zeros(len(form), np.bool_)
        words = np.where(known, self.token[place], SOME_WORD) if len(self.form) else np.zeros(len(form), np.int64)
        found[row.tokens.place] = np.where(row.is_number, self.number, words)
        return found

    def shapes(self, found: Ints) -> Ints:
        """Return the same tokens with "some word" for every known word: what is left if words are not read."""
        return np.where(found >= self.first_word, SOME_WORD, found)

    def tag_numbers(self, tag: Ints) -> Ints:
        """Return tags of this version of the page by the order of names that the vocabulary was made with."""
        return _table(self.tags).take(tag, mode="clip")


@cache
def _table(names: tuple[str, ...]) -> Ints:
    """For each tag number its place among the names; one place behind them for all others."""
    places = {name: place for place, name in enumerate(names)}
    found = np.array([places.get(name, len(names)) for name in (*tags.NAMES, "")], np.int64)
    found[-1] = len(names)
    return found


def halves(numbers: Hashes) -> NDArray[np.uint32]:
    """Return the leading half of each number."""
    return (numbers >> np.uint64(32)).astype(np.uint32)


def trigrams(found: Ints, size: int) -> Ints:
    """For each token the number of the trigram that begins with it; behind the end stands "some word"."""
    ahead = np.concatenate((found, (SOME_WORD, SOME_WORD)))
    return np.asarray((found * size + ahead[1:-1]) * size + ahead[2:], np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class TrigramBayes:
    """Logarithms of how much more likely a trigram, and a tag around a token, is in content than elsewhere."""

    vocabulary: TokenVocabulary
    trigram: Ints  # known ones and their shapes, sorted
    weight: Floats
    parent: Floats  # by tag; one more for tags outside the standard
    prior: float

    def __post_init__(self) -> None:
        fit_together(
            len(self.trigram) == len(self.weight)
            and bool((self.trigram[1:] > self.trigram[:-1]).all())
            and len(self.parent) == len(self.vocabulary.tags) + 1,
            "the trigrams",
        )

    def chances(self, row: TokenRow) -> Floats:
        """For each token the chance to be content."""
        found, size = self.vocabulary(row), self.vocabulary.size
        odds = self._looked_up(trigrams(self.vocabulary.shapes(found), size), np.zeros(len(found)))
        odds = self._looked_up(trigrams(found, size), odds)
        odds += self.parent[self.vocabulary.tag_numbers(row.parent)] + self.prior
        return np.asarray(1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0))), np.float64)

    def _looked_up(self, wanted: Ints, otherwise: Floats) -> Floats:
        """Return the weights of known trigrams, and for the others what is given."""
        if not len(self.trigram):
            return otherwise
        place = np.minimum(np.searchsorted(self.trigram, wanted), len(self.trigram) - 1)
        return np.where(self.trigram[place] == wanted, self.weight[place], otherwise)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the weights; sorted numbers as differences, which pack well."""
        return {
            "tags": np.array(self.vocabulary.tags),
            "form": np.diff(self.vocabulary.form, prepend=np.uint32(0)),
            "token": self.vocabulary.token.astype(np.uint16),
            "trigram": np.diff(self.trigram, prepend=0),
            "weight": np.round(self.weight / STEP).astype(np.int8),
            "parent": self.parent.astype(np.float32),
            "prior": np.array(self.prior, np.float32),
        }

    @classmethod
    def of_arrays(cls, arrays: Arrays) -> Self:
        """From stored arrays."""
        form = np.cumsum(arrays["form"], dtype=np.uint32)
        vocabulary = TokenVocabulary(form, arrays["token"].astype(np.int64), tuple(map(str, arrays["tags"].tolist())))
        weight = arrays["weight"].astype(np.float64) * STEP
        trigram = np.cumsum(arrays["trigram"], dtype=np.int64)
        return cls(vocabulary, trigram, weight, arrays["parent"].astype(np.float64), float(arrays["prior"]))
