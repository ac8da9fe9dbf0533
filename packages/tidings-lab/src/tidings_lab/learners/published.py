"""Training of published extractors: Content Seeker, correlation clustering, maximum subsequences.

Learning Content-Seeker's two steps: which elements make a segment, and which segments are content.

Louvan 2009; DANA thesis 3.2.6. People labelled the segments there; here gold does. An element is uniform if nearly all
of its words are content, or nearly none; one of good granularity is uniform, and what is around it is not. A segment is
content if more than half of its words are. The second step learns from segments that gold makes, not from those that
the first one will find.

Learning the weights of correlation clustering from pages with gold.

LBNEST II.B.1: instead of by trial and error, weights can come from "a learning algorithm" over a labelled set whose
properties are dimensions and style rules, all as numbers. Here two neighbouring blocks of which one is content should
be together if the other is content too, and apart if it is not; of two that are no content nothing is known, for
menus and footers belong to several clusters. The weight of an edge is the chance that its ends belong together, and the
printed form of it is a sum of five properties: so the five numbers that fit best are a regression, found by least
squares. Each page counts as much as another, and on each page the pairs together as much as those apart.

Learning what trigrams of tags and words, and the tags around them, say of a token (naive Bayes).

Pasternack and Roth 2009; DANA thesis 3.3.1.4. A word is content if its block is; a tag is if the words before and
behind it are. Trigrams count that stand on several sites, and of those the ones that decide most: a trigram's weight
times how often it stands on a page.
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
from tidings.extractors.published.content_seeker import segments
from tidings.extractors.published.content_seeker_learned import (
    NamedColumns,
    SegmentClassifier,
    SegmentModels,
    candidates,
    element_features,
    segment_features,
    segment_owners,
)
from tidings.extractors.published.correlation_clustering import CorrelationClustering, NodeNeighbours
from tidings.extractors.published.node_similarity import LookWeights, compared
from tidings.extractors.published.trained.classifiers import BlockClassifier, matrix
from tidings.extractors.published.trained.trigrams import (
    STEP,
    TokenRow,
    TokenVocabulary,
    TrigramBayes,
    halves,
    token_row,
    trigrams,
)
from tidings.page.columns import Bools, Ints, sums
from tidings.page.counts import code_points
from tidings.text import FloatArray
from tidings.text import words as words_of
from tidings.text.stems import stems
from tidings_lab.learners.classifiers import ClassifierKind, grow, labels
from tidings_lab.learners.lesson import GoldPage
from tidings_lab.learners.rival_learners import TaughtPage, draw

_UNIFORM: Final = 0.1  # share of words of the other sort that a uniform element may have


@dataclass(frozen=True, slots=True, eq=False)
class TaughtSegments:
    """Elements of a page with their granularity, and the segments that gold makes."""

    site: str
    features: tuple[tuple[str, ...], tuple[str, ...]]
    elements: TaughtPage
    segments: TaughtPage


@dataclass(frozen=True, slots=True)
class Seeking:
    """The learner of both steps, with all four classifiers."""

    leaves: int = 60  # of a tree, and of each tree of a forest
    power: float = 0.75  # of an element's words in its importance: as the default has it

    def prepare(self, lesson: GoldPage, /) -> TaughtSegments | None:
        """Elements and segments of a page with their labels."""
        found = labels(lesson)
        if found is None:
            return None
        page, runs = found.page, found.page.runs
        of_block = np.zeros(len(page.blocks), np.bool_)
        of_block[found.blocks] = found.content
        seen = runs.words * ~runs.hidden
        words, inside = sums(seen), sums(seen * of_block[runs.block])
        element = candidates(page)
        share = _share(words, inside, page.elements.first, page.elements.last)
        uniform = (share <= _UNIFORM) | (share >= 1 - _UNIFORM)
        possible = np.zeros(len(uniform), np.bool_)
        possible[element] = True
        above = np.where(page.elements.parent >= 0, page.nearest_of(possible)[page.elements.parent], 0)[element]
        good = uniform[element] & ~uniform[above]
        cut, row = segments(page, segment_owners(page, element, good))
        held = np.bincount(row[row >= 0], (seen * of_block[runs.block])[row >= 0], len(cut))
        elements, parts = element_features(page, element), segment_features(page, cut)
        size = words[page.elements.last[element]] - words[page.elements.first[element]]
        return TaughtSegments(
            lesson.site,
            (tuple(elements), tuple(parts)),
            _taught(elements, good, size, self.power),
            _taught(parts, held > 0.5 * cut.words, cut.words, self.power),
        )

    def fit(self, items: Sequence[TaughtSegments], /) -> SegmentModels:
        """All classifiers of both steps."""
        names = items[0].features
        steps = []
        for step, features in enumerate(names):
            drawn = draw([item.segments if step else item.elements for item in items])
            steps.append(
                {
                    by: BlockClassifier(features, grow(ClassifierKind(by.value), drawn, self.leaves))
                    for by in SegmentClassifier
                }
            )
        return SegmentModels(*steps)


def _share(words: Ints, inside: Ints, first: Ints, last: Ints) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.asarray((inside[last] - inside[first]) / np.maximum(words[last] - words[first], 1), np.float64)


def _taught(columns: NamedColumns, content: Bools, words: Ints, power: float) -> TaughtPage:
    weight = words.astype(np.float64) ** power
    return TaughtPage(matrix(columns, tuple(columns)).T, content, weight / max(weight.sum(), 1e-9))


@dataclass(frozen=True, slots=True, eq=False)
class TaughtPairs:
    """The pairs of a page, summed up: products of the properties with each other, and with what is wanted."""

    site: str
    products: FloatArray  # 5 × 5
    wanted: FloatArray  # 5
    has_both: bool  # pairs that belong together, and pairs that do not


@dataclass(frozen=True, slots=True)
class Pairing:
    """The learner."""

    neighbours: NodeNeighbours = NodeNeighbours.TREE
    steps: int = 10  # as in the extractor
    pixels: float = 100.0
    shrinking: float = 1e-6  # so that properties which never vary get no weight

    def prepare(self, lesson: GoldPage, /) -> TaughtPairs | None:
        """The pairs of neighbouring blocks with what is wanted of them."""
        found = labels(lesson)
        if found is None:
            return None
        method = CorrelationClustering(neighbours=self.neighbours, steps=self.steps, pixels=self.pixels)
        graph = method.graph(found.page)
        content = np.isin(graph.blocks, found.blocks[found.content])
        asked = np.triu(graph.near) & (content[:, None] | content[None, :])
        together = asked & content[:, None] & content[None, :]
        rows = np.stack([column[asked] for column in compared(graph.boxes)], axis=1)
        weight = _evenly(together[asked])
        weighted = rows * weight[:, None]
        products = weighted.T @ rows
        return TaughtPairs(lesson.site, products, weighted.T @ together[asked], bool((weight > 0).any()))

    def fit(self, items: Sequence[TaughtPairs], /) -> LookWeights:
        """The five weights that fit best.

        Raises:
            InputError: no page has pairs that belong together and pairs that do not.
        """
        kept = [item for item in items if item.has_both]
        if not kept:
            raise InputError("learning needs pages with blocks of the story beside others that are not")
        products = np.sum([item.products for item in kept], axis=0)
        wanted = np.sum([item.wanted for item in kept], axis=0)
        products += self.shrinking * np.diag(np.diag(products) + 1e-12)
        height, step, width, rule, other = np.linalg.solve(products, wanted).tolist()
        return LookWeights(height, step, width, rule, other)


def _evenly(together: Bools) -> FloatArray:
    """A weight for each pair, so that both sorts weigh one half of the page; nothing where one sort is missing."""
    count = int(together.sum())
    if not 0 < count < len(together):
        return np.zeros(len(together))
    return np.where(together, 0.5 / count, 0.5 / (len(together) - count))


Floats = NDArray[np.float64]
_FURTHEST: Final = 127 * STEP


@dataclass(frozen=True, slots=True, eq=False)
class TaughtTokens:
    """The tokens of a page, its words, and which tokens are content."""

    site: str
    row: TokenRow
    words: frozenset[str]
    content: Bools

    @property
    def sides(self) -> tuple[int, int]:
        """Tokens that are content, and others."""
        inside = int(self.content.sum())
        return inside, len(self.content) - inside


class Counted(NamedTuple):
    """Trigrams, sorted, and how often each is in content and elsewhere."""

    trigram: Ints
    inside: Floats
    outside: Floats


@dataclass(frozen=True, slots=True)
class Scoring:
    """The learner, with what was chosen on half of the sites of wcxb-dev."""

    words: int = 300  # stems of the vocabulary
    word_sites: int = 8  # that a stem must stand on
    trigrams: int = 30_000
    trigram_sites: int = 3
    smoothing: float = 1.0  # tokens added to each count
    trust: float = 5.0  # tokens that a trigram's shape counts for beside its own

    def prepare(self, lesson: GoldPage, /) -> TaughtTokens | None:
        """The tokens of a page with their labels."""
        found = labels(lesson)
        if found is None:
            return None
        page = found.page
        row = token_row(page)
        of_block = np.zeros(len(page.blocks), np.bool_)
        of_block[found.blocks] = found.content
        content = _with_tags(of_block[page.runs.block[row.tokens.word_run]], row.tokens.place, row.tokens.size)
        return TaughtTokens(lesson.site, row, frozenset(words_of(page.text)), content)

    def fit(self, items: Sequence[TaughtTokens], /) -> TrigramBayes:
        """Weights from the tokens of many pages."""
        inside, outside = (float(sum(side)) for side in zip(*(item.sides for item in items), strict=True))
        if not inside or not outside:
            raise InputError("learning needs pages with tokens that are content and tokens that are not")
        vocabulary = self._vocabulary(items)
        prior = float(np.log(inside / outside))
        rows = [(item, vocabulary(item.row)) for item in items]
        shapes = self._counted([(item, vocabulary.shapes(found)) for item, found in rows], vocabulary.size)
        odds = np.log(shapes.inside + self.smoothing * inside / (inside + outside))
        odds -= np.log(shapes.outside + self.smoothing * outside / (inside + outside))
        read = self._counted(rows, vocabulary.size)
        words = ~np.isin(read.trigram, shapes.trigram)
        read = Counted(read.trigram[words], read.inside[words], read.outside[words])
        below = odds[np.searchsorted(shapes.trigram, _shape(read.trigram, vocabulary))]
        share = 1.0 / (1.0 + np.exp(-below))
        own = np.log(read.inside + self.trust * share) - np.log(read.outside + self.trust * (1.0 - share))
        deciding = np.argsort(-np.abs(own - below) * (read.inside + read.outside), kind="stable")
        kept = deciding[: max(self.trigrams - len(odds), 0)]
        trigram = np.concatenate((shapes.trigram, read.trigram[kept]))
        weight = np.concatenate((odds, own[kept])) - prior
        order = np.argsort(trigram)
        weight = np.clip(np.round(weight / STEP) * STEP, -_FURTHEST, _FURTHEST)
        return TrigramBayes(vocabulary, trigram[order], weight[order], self._parents(items, vocabulary), prior)

    def _parents(self, items: Sequence[TaughtTokens], vocabulary: TokenVocabulary) -> Floats:
        """What the tag around a token says."""
        counts = np.zeros((2, len(vocabulary.tags) + 1)) + self.smoothing
        for item in items:
            numbers = vocabulary.tag_numbers(item.row.parent)
            for side, some in enumerate((item.content, ~item.content)):
                counts[side] += np.bincount(numbers[some], minlength=counts.shape[1])
        shares = counts / counts.sum(axis=1, keepdims=True)
        return np.asarray(np.log(shares[0]) - np.log(shares[1]), np.float64)

    def _vocabulary(self, items: Sequence[TaughtTokens]) -> TokenVocabulary:
        """The stems that stand on most sites, with all their forms."""
        sites: dict[str, set[str]] = defaultdict(set)
        for item in items:
            for word in item.words:
                sites[word].add(item.site)
        forms = sorted(word for word in sites if not word.isdigit())
        of_stem: dict[str, set[str]] = defaultdict(set)
        for word, stem in zip(forms, stems(forms, "en"), strict=True):
            of_stem[stem].add(word)
        spread = {stem: len(set().union(*(sites[word] for word in some))) for stem, some in of_stem.items()}
        chosen = sorted((stem for stem in spread if spread[stem] >= self.word_sites), key=lambda one: -spread[one])
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
        """Trigrams of several sites, and how often each is in content and elsewhere."""
        of_site: dict[str, list[tuple[Ints, Bools]]] = defaultdict(list)
        for item, found in rows:
            of_site[item.site].append((trigrams(found, size), item.content))
        seen = [np.unique(np.concatenate([found for found, _ in some])) for some in of_site.values()]
        known, on_sites = np.unique(np.concatenate(seen), return_counts=True)
        known = known[on_sites >= self.trigram_sites]
        counts = np.zeros((2, len(known)))
        for found, content in (one for some in of_site.values() for one in some):
            place = np.searchsorted(known, found)
            hit = np.append(known, -1)[place] == found
            for side, some in enumerate((content, ~content)):
                counts[side] += np.bincount(place[hit & some], minlength=len(known))
        return Counted(known, counts[0], counts[1])


def _shape(trigram: Ints, vocabulary: TokenVocabulary) -> Ints:
    """The shape of each trigram."""
    size = vocabulary.size
    tokens = [vocabulary.shapes(part) for part in (trigram // size**2, trigram // size % size, trigram % size)]
    return np.asarray((tokens[0] * size + tokens[1]) * size + tokens[2], np.int64)


def _with_tags(words: Bools, place: Ints, size: int) -> Bools:
    """Labels of all tokens from those of words, which stand at these places."""
    content = np.zeros(size, np.bool_)
    if len(place):
        before = np.searchsorted(place, np.arange(size), side="right") - 1
        behind = np.searchsorted(place, np.arange(size))
        around = np.append(words, False)  # before the first word and behind the last is nothing
        content = around[before] & around[behind]
    return content
