"""Trigrams of tags and words, and a naive Bayes classifier over them.

Source: DANA thesis 3.3.1.4; Pasternack and Roth 2009. Scripts and style sheets are removed, words are stemmed, and all
numbers are one token. The features of a token are the trigram that begins with it and the tag around it.

Stemming happens at training time: the vocabulary maps every known form of a word to the token of its stem. Unknown
words share the token "some word", so that text in an unknown language has trigrams too. An unknown trigram is replaced
by its shape, the same trigram with "some word" for its words; if the shape is unknown too, its weight is 0.
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

#: Weights are stored as multiples of this step, in a byte each.
STEP: Final = 1 / 16
#: The token of words outside the vocabulary; then follow the tokens of tags, of numbers, and of words.
SOME_WORD: Final = 0


@dataclass(frozen=True, slots=True, eq=False)
class TokenRow:
    """The tags and words of a page in order, as tag numbers and word hashes."""

    tokens: PageTokens
    tag: Ints  # tag number of each token, negative for end tags; 0 for words
    word: Hashes  # of the tokens that are words
    is_number: Bools  # of the tokens that are words
    parent: Ints  # tag number of the element around each token


@cache
def _digits() -> Bools:
    """Return which characters of Unicode's basic plane are digits."""
    return np.asarray(characters() & DIGIT, np.bool_)


def token_row(page: Page) -> TokenRow:
    """Return the tags and visible words of a page in order."""
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
    # The element around a tag is the owner of the text before it.
    elements = page.elements
    parent[is_tag] = elements.tag[page.owner[counted]]
    parent[row.place] = elements.tag[page.runs.element[row.word_run]]
    return TokenRow(row, tag, words.number[which], (letters[ends] == letters[words.start])[which], parent)


@dataclass(frozen=True, slots=True, eq=False)
class TokenVocabulary:
    """The numbering of tokens: known words by hash, one token for all numbers, one for all unknown words, and tags.

    Inflected forms of a word have the same number.
    """

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
        """Return the token that stands for all numbers."""
        return 2 * len(self.tags) + 3

    @property
    def first_word(self) -> int:
        """Return the first token of a known word."""
        return self.number + 1

    @property
    def size(self) -> int:
        """Return how many different tokens there are."""
        return max(int(self.token.max(initial=0)) + 1, self.first_word)

    def __call__(self, row: TokenRow) -> Ints:
        """Convert the tags and words of a page to token numbers."""
        result = 1 + 2 * self.tag_numbers(np.abs(row.tag)) + (row.tag < 0)
        form = halves(row.word)
        place = np.minimum(np.searchsorted(self.form, form), max(len(self.form) - 1, 0))
        is_known = self.form[place] == form if len(self.form) else np.zeros(len(form), np.bool_)
        words = np.where(is_known, self.token[place], SOME_WORD) if len(self.form) else np.zeros(len(form), np.int64)
        result[row.tokens.place] = np.where(row.is_number, self.number, words)
        return result

    def shapes(self, row_tokens: Ints) -> Ints:
        """Replace every known word by the token of unknown words."""
        return np.where(row_tokens >= self.first_word, SOME_WORD, row_tokens)

    def tag_numbers(self, tag: Ints) -> Ints:
        """Convert tag numbers of this version to those of the version that created the vocabulary."""
        return _table(self.tags).take(tag, mode="clip")


@cache
def _table(names: tuple[str, ...]) -> Ints:
    """Return for each tag number its position in `names`; `len(names)` for other tags."""
    places = {name: place for place, name in enumerate(names)}
    table = np.array([places.get(name, len(names)) for name in (*tags.NAMES, "")], np.int64)
    table[-1] = len(names)
    return table


def halves(numbers: Hashes) -> NDArray[np.uint32]:
    """Return the upper 32 bits of each hash."""
    return (numbers >> np.uint64(32)).astype(np.uint32)


def trigrams(row_tokens: Ints, size: int) -> Ints:
    """Return for each token the number of the trigram that begins with it; after the last token follow unknown
    words.
    """
    ahead = np.concatenate((row_tokens, (SOME_WORD, SOME_WORD)))
    return np.asarray((row_tokens * size + ahead[1:-1]) * size + ahead[2:], np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class TrigramBayes:
    """Log-likelihood ratios, content against other text, of trigrams and of the tags around tokens."""

    vocabulary: TokenVocabulary
    trigram: Ints  # known trigrams and their shapes, sorted
    weight: Floats
    parent: Floats  # by tag, and one for tags outside the standard
    prior: float

    def __post_init__(self) -> None:
        fit_together(
            len(self.trigram) == len(self.weight)
            and bool((self.trigram[1:] > self.trigram[:-1]).all())
            and len(self.parent) == len(self.vocabulary.tags) + 1,
            "the trigrams",
        )

    def probabilities(self, row: TokenRow) -> Floats:
        """Return for each token the probability to be content."""
        row_tokens, size = self.vocabulary(row), self.vocabulary.size
        odds = self._weights_of(trigrams(self.vocabulary.shapes(row_tokens), size), np.zeros(len(row_tokens)))
        odds = self._weights_of(trigrams(row_tokens, size), odds)
        odds += self.parent[self.vocabulary.tag_numbers(row.parent)] + self.prior
        return np.asarray(1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0))), np.float64)

    def _weights_of(self, numbers: Ints, default: Floats) -> Floats:
        """Return the weight of each trigram; the value in `default` for trigrams that the model does not contain."""
        if not len(self.trigram):
            return default
        place = np.minimum(np.searchsorted(self.trigram, numbers), len(self.trigram) - 1)
        return np.where(self.trigram[place] == numbers, self.weight[place], default)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the weights as arrays. Sorted numbers are stored as differences, which compress well."""
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
        """Create a classifier from stored arrays."""
        form = np.cumsum(arrays["form"], dtype=np.uint32)
        vocabulary = TokenVocabulary(form, arrays["token"].astype(np.int64), tuple(map(str, arrays["tags"].tolist())))
        weight = arrays["weight"].astype(np.float64) * STEP
        trigram = np.cumsum(arrays["trigram"], dtype=np.int64)
        return cls(vocabulary, trigram, weight, arrays["parent"].astype(np.float64), float(arrays["prior"]))
