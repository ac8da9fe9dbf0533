"""Training of the naive Bayes classifier over trigrams of tags and words.

Source: Pasternack and Roth 2009; DANA thesis 3.3.1.4. A word is content if its block is; a tag is content if the words
before and after it are. Trigrams of several sites are candidates; the most decisive ones are stored, by weight times
frequency.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.errors import InputError
from tidings.extractors.hashed_words import hashed_words
from tidings.extractors.published.trained.trigrams import (
    STEP,
    TokenRow,
    TokenVocabulary,
    TrigramBayes,
    halves,
    token_row,
    trigrams,
)
from tidings.page.columns import Bools, Ints
from tidings.page.counts import code_points
from tidings.text import words as words_of
from tidings.text.stems import stems
from tidings_lab.learners.labelled_pages import GoldPage
from tidings_lab.learners.weights_learner import labels

Floats = NDArray[np.float64]
_FURTHEST: Final = 127 * STEP


@dataclass(frozen=True, slots=True, eq=False)
class TaughtTokens:
    """The training data of a page for `mss`: its tokens, its words, and which tokens are content."""

    site: str
    row: TokenRow
    words: frozenset[str]
    content: Bools

    @property
    def sides(self) -> tuple[int, int]:
        """Return the number of tokens in content, and of those outside."""
        inside = int(self.content.sum())
        return inside, len(self.content) - inside


class Counted(NamedTuple):
    """Sorted trigrams of tokens, with their frequencies inside and outside of content."""

    trigram: Ints
    inside: Floats
    outside: Floats


@dataclass(frozen=True, slots=True)
class Scoring:
    """A learner for the token scores of `mss`; the defaults were chosen on half of the sites of wcxb-dev."""

    words: int = 300  # stems in the vocabulary
    word_sites: int = 8  # least number of sites of a stem
    trigrams: int = 30_000
    trigram_sites: int = 3
    smoothing: float = 1.0  # tokens added to each count
    trust: float = 5.0  # prior tokens of a trigram, distributed like its shape

    def prepare(self, lesson: GoldPage, /) -> TaughtTokens | None:
        """Return the tokens of a page with their labels."""
        labelled = labels(lesson)
        if labelled is None:
            return None
        page = labelled.page
        row = token_row(page)
        of_block = np.zeros(len(page.blocks), np.bool_)
        of_block[labelled.blocks] = labelled.content
        content = _with_tags(of_block[page.runs.block[row.tokens.word_run]], row.tokens.place, row.tokens.size)
        return TaughtTokens(lesson.site, row, frozenset(words_of(page.text)), content)

    def fit(self, items: Sequence[TaughtTokens], /) -> TrigramBayes:
        """Train weights on the tokens of many pages."""
        inside, outside = (float(sum(side)) for side in zip(*(item.sides for item in items), strict=True))
        if not inside or not outside:
            raise InputError("learning needs pages with tokens that are content and tokens that are not")
        vocabulary = self._vocabulary(items)
        prior = float(np.log(inside / outside))
        rows = [(item, vocabulary(item.row)) for item in items]
        shapes = self._counted([(item, vocabulary.shapes(row_tokens)) for item, row_tokens in rows], vocabulary.size)
        odds = np.log(shapes.inside + self.smoothing * inside / (inside + outside))
        odds -= np.log(shapes.outside + self.smoothing * outside / (inside + outside))
        counted = self._counted(rows, vocabulary.size)
        words = ~np.isin(counted.trigram, shapes.trigram)
        counted = Counted(counted.trigram[words], counted.inside[words], counted.outside[words])
        shape_odds = odds[np.searchsorted(shapes.trigram, _shape(counted.trigram, vocabulary))]
        share = 1.0 / (1.0 + np.exp(-shape_odds))
        own = np.log(counted.inside + self.trust * share) - np.log(counted.outside + self.trust * (1.0 - share))
        deciding = np.argsort(-np.abs(own - shape_odds) * (counted.inside + counted.outside), kind="stable")
        selected = deciding[: max(self.trigrams - len(odds), 0)]
        trigram = np.concatenate((shapes.trigram, counted.trigram[selected]))
        weight = np.concatenate((odds, own[selected])) - prior
        order = np.argsort(trigram)
        weight = np.clip(np.round(weight / STEP) * STEP, -_FURTHEST, _FURTHEST)
        return TrigramBayes(vocabulary, trigram[order], weight[order], self._parents(items, vocabulary), prior)

    def _parents(self, items: Sequence[TaughtTokens], vocabulary: TokenVocabulary) -> Floats:
        """Return for each tag the log-odds that a token directly inside it is content."""
        counts = np.zeros((2, len(vocabulary.tags) + 1)) + self.smoothing
        for item in items:
            numbers = vocabulary.tag_numbers(item.row.parent)
            for side, members in enumerate((item.content, ~item.content)):
                counts[side] += np.bincount(numbers[members], minlength=counts.shape[1])
        shares = counts / counts.sum(axis=1, keepdims=True)
        return np.asarray(np.log(shares[0]) - np.log(shares[1]), np.float64)

    def _vocabulary(self, items: Sequence[TaughtTokens]) -> TokenVocabulary:
        """Return a vocabulary of the word stems that occur on most sites, with all inflected forms of each."""
        sites: dict[str, set[str]] = defaultdict(set)
        for item in items:
            for word in item.words:
                sites[word].add(item.site)
        forms = sorted(word for word in sites if not word.isdigit())
        of_stem: dict[str, set[str]] = defaultdict(set)
        for word, stem in zip(forms, stems(forms, "en"), strict=True):
            of_stem[stem].add(word)
        spread = {stem: len(set().union(*(sites[word] for word in words))) for stem, words in of_stem.items()}
        chosen = sorted((stem for stem in spread if spread[stem] >= self.word_sites), key=lambda stem_: -spread[stem_])
        first = TokenVocabulary(np.zeros(0, np.uint32), np.zeros(0, np.int64)).first_word
        token = {
            word: first + place for place, stem in enumerate(chosen[: self.words]) for word in sorted(of_stem[stem])
        }
        if not token:
            return TokenVocabulary(np.zeros(0, np.uint32), np.zeros(0, np.int64))
        number = np.array([hashed_words(code_points(word)).number[0] for word in token], np.uint64)
        form, where = np.unique(halves(number), return_index=True)
        return TokenVocabulary(form, np.array(list(token.values()), np.int64)[where])

    def _counted(self, rows: Sequence[tuple[TaughtTokens, Ints]], size: int) -> Counted:
        """Count the trigrams that occur on enough sites, inside and outside of content."""
        of_site: dict[str, list[tuple[Ints, Bools]]] = defaultdict(list)
        for item, numbers in rows:
            of_site[item.site].append((trigrams(numbers, size), item.content))
        site_trigrams = [np.unique(np.concatenate([numbers for numbers, _ in members])) for members in of_site.values()]
        common, on_sites = np.unique(np.concatenate(site_trigrams), return_counts=True)
        common = common[on_sites >= self.trigram_sites]
        counts = np.zeros((2, len(common)))
        for numbers, content in (page for members in of_site.values() for page in members):
            place = np.searchsorted(common, numbers)
            hit = np.append(common, -1)[place] == numbers
            for side, members in enumerate((content, ~content)):
                counts[side] += np.bincount(place[hit & members], minlength=len(common))
        return Counted(common, counts[0], counts[1])


def _shape(trigram: Ints, vocabulary: TokenVocabulary) -> Ints:
    """Replace every known word in trigrams by the token for any word.

    Both trigrams and results are numbers.
    """
    size = vocabulary.size
    tokens = [vocabulary.shapes(part) for part in (trigram // size**2, trigram // size % size, trigram % size)]
    return np.asarray((tokens[0] * size + tokens[1]) * size + tokens[2], np.int64)


def _with_tags(words: Bools, place: Ints, size: int) -> Bools:
    """Return which tokens are content, given the labels of words; a tag is content between two content words.

    Args:
        words: whether each word is content.
        place: the index of each word among the tokens.
        size: the number of tokens.
    """
    content = np.zeros(size, np.bool_)
    if len(place):
        before = np.searchsorted(place, np.arange(size), side="right") - 1
        after = np.searchsorted(place, np.arange(size))
        padded = np.append(words, False)  # before the first word and behind the last is nothing
        content = padded[before] & padded[after]
    return content
