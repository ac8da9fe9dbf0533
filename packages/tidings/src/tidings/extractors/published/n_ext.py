"""N-EXT: the block that is large and like the title, then sentence by sentence.

N-EXT thesis, chapter 4. Six stages, each a function here:

1. The title of the story (4.1.1): the feed's title or description from the page's hints, else its own headline.
2. Blocks (4.1.2): DIV and TABLE elements, each without the ones inside it; with no DIV or TABLE inside as printed
   (`PrintedNEXT`), which loses the story where an advertisement stands between its paragraphs.
3. Cleaning (4.1.3): text of links is dropped; it is "less than one percent" of a story and much of the rest (6.2.1.1).
4. The news block (4.1.4): the one with most weight by size and likeness to the title (eq. 4.1).
5. Its sentences (4.1.5): those at least as like the block as the harmonic mean of all.
6. Sentences of other blocks (4.1.6) that are more like it than that.

Texts are compared by relative term frequencies, stop words out, stemmed (4.1.4). Decided here, where the thesis is
silent: sentences that share no term with the block have no part in the mean (it would be 0); if none shares one, the
block is kept whole and nothing added; if no block resembles the title, size alone counts; a page with neither DIV nor
TABLE is one block; what stands outside all blocks is one where no other is larger; of equal blocks the earliest counts;
a sentence does not run from one paragraph into the next.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np

from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.extractors.published.largest_block import DIV, TABLE, BlockKind, blocks, cleaned, owners, sizes
from tidings.fields import read
from tidings.fields.headline import headline_text
from tidings.page import Page, Spans
from tidings.page.columns import Bools, Ints
from tidings.text import FloatArray, Measure, sentence_spans, similarities, terms

_BLOCKING: Final = frozenset({DIV, TABLE})
_SPACE, _PARAGRAPH = 0x20, 0x2029
#: The harmonic mean of equal values may differ from them in the last digits.
_EQUAL: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Sentences:
    """Sentences of some runs of a page: ranges of its text, and the run each begins in."""

    starts: Ints
    ends: Ints
    runs: Ints
    texts: tuple[str, ...]  # blanks where something in the range is not in the runs

    def __len__(self) -> int:
        return len(self.texts)


def sentences(page: Page, kept: Bools, language: str) -> Sentences:
    """Return the sentences of the kept runs. What is dropped leaves a blank, so that places in the text stay as they
    are.
    """
    runs = page.runs
    steps = np.zeros(len(page.text) + 1, np.int8)
    steps[runs.text_start[kept]] += 1
    steps[runs.text_end[kept]] -= 1
    codes = page.text_codes.copy()
    codes[np.cumsum(steps[:-1], dtype=np.int8) == 0] = _SPACE
    begins = runs.text_start[np.flatnonzero(np.diff(runs.block, prepend=-1))]
    codes[begins[begins > 0] - 1] = _PARAGRAPH  # in place of the line break before a block
    text = codes.tobytes().decode("utf-32-le", "surrogatepass")
    found = sentence_spans(text, language)
    places = np.array(found, np.int64).reshape(-1, 2)
    starts, ends = places[:, 0], places[:, 1]
    first = np.searchsorted(runs.text_start, starts, side="right") - 1
    return Sentences(starts, ends, first, tuple(text[start:end] for start, end in found))


def stemmed_terms(texts: Iterable[str], language: str, stemmed: bool = True) -> list[list[str]]:
    """Return the terms of each text, stop words out, as stems unless that is not wanted."""
    return [terms(text, language, stemmed=stemmed) for text in texts]


def title(page: Page, language: str) -> str:
    """Stage 1: what the story is called, by the feed or by the page."""
    return page.hints.title or page.hints.description or headline_text(page, language)


def block_weights(words: Ints, likeness: FloatArray, beta: float = 0.6) -> FloatArray:
    """Stage 4: the weight of each block by its size and its likeness to the title (eq. 4.1)."""
    most_words, most_like = words.max(initial=0), likeness.max(initial=0.0)
    by_size: FloatArray = words / max(most_words, 1)
    return beta * by_size + (1 - beta) * (likeness / most_like) if most_like > 0 else by_size


def threshold(likeness: FloatArray) -> float | None:
    """Stage 5: the harmonic mean of the positive ones; None if there is none."""
    positive = likeness[likeness > 0]
    return len(positive) / float((1 / positive).sum()) if len(positive) else None


def related(likeness: FloatArray, in_news_block: Bools) -> Bools:
    """Return stages 5 and 6: sentences of the news block from the threshold on, those of other blocks above it."""
    limit = threshold(likeness[in_news_block])
    if limit is None:
        return in_news_block
    return np.where(in_news_block, likeness >= limit - _EQUAL, likeness > limit + _EQUAL)


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """What stages 1 to 4 find: sentences in blocks, and what each block weighs."""

    sentences: Sentences
    terms: list[list[str]]  # of each sentence
    block: Ints  # of each sentence, an index of the following
    blocks: Ints  # elements with text, in document order
    block_terms: list[list[str]]
    weights: FloatArray

    @property
    def news(self) -> int:
        """The index of the news block."""
        return int(np.argmax(self.weights))


@checked
@dataclass(frozen=True, slots=True)
class NEXT:
    """The block that is large and like the title, without unrelated sentences; related ones from elsewhere."""

    beta: float = 0.6  # share of the size in a block's weight: thesis 6.2.1, table 6.2
    measure: Measure = Measure.DICE  # best in tables 6.3 and 6.6
    link_text: bool = False  # table 6.5: 0.959 of the blocks right without, 0.856 with
    stemmed: bool = True  # table 6.6: a little better
    blocks: BlockKind = BlockKind.OWN_TEXT  # leaf blocks, as printed, lose the story on today's pages

    def __call__(self, page: Page, /) -> Spans:
        """Return all six stages."""
        kept, owner = self._kept(page)
        found = self.rank(page, kept, owner)
        if not len(found.blocks):
            return Spans.none(len(page.text))
        likeness = similarities(found.block_terms[found.news], found.terms, self.measure)
        chosen = related(likeness, found.block == found.news)
        spans = Spans.union(found.sentences.starts[chosen], found.sentences.ends[chosen], len(page.text))
        return page.shown(page.limited(spans) - Spans.of_runs(page, ~kept))

    def score(self, page: Page, /) -> FloatArray:
        """For each block of the page the weight of the leaf block around it (eq. 4.1); 0 outside."""
        kept, owner = self._kept(page)
        found = self.rank(page, kept, owner)
        weights = np.zeros(len(page.elements))
        weights[found.blocks] = found.weights
        return weights[owner[page.blocks.first]]

    def rank(self, page: Page, kept: Bools, owner: Ints) -> Ranking:
        """Return stages 1 to 4, given the runs to look at and the block that each stands in."""
        if not 0 <= self.beta <= 1:
            raise BadParameter(f"beta is {self.beta}; it shares a weight between size and likeness, so 0 to 1")
        language = read(page).language
        found = sentences(page, kept, language)
        asked, *words = stemmed_terms((title(page, language), *found.texts), language, self.stemmed)
        elements, block = np.unique(owner[found.runs], return_inverse=True)
        grouped: list[list[list[str]]] = [[] for _ in elements]
        for place, sentence in zip(block.tolist(), words, strict=True):
            grouped[place].append(sentence)
        block_terms = [list(chain.from_iterable(several)) for several in grouped]
        likeness = similarities(asked, block_terms, self.measure)
        weights = block_weights(sizes(page, owner, kept)[elements], likeness, self.beta)
        return Ranking(found, words, block, elements, block_terms, weights)

    def _kept(self, page: Page) -> tuple[Bools, Ints]:
        """Return stages 2 and 3: the runs of leaf blocks that are left after cleaning, and the block of every run."""
        owner = owners(page, _BLOCKING)
        is_block = np.zeros(len(page.elements), np.bool_)
        is_block[blocks(page, _BLOCKING, self.blocks)] = True
        kept = cleaned(page, self.link_text) & is_block[owner]
        words = sizes(page, owner, kept)
        if words[0] < words.max(initial=0):  # what stands outside all blocks is one only where most of the text does
            kept &= owner != 0
        return kept, owner


@checked
@dataclass(frozen=True, slots=True)
class PrintedNEXT(NEXT):
    """The same with leaf blocks, as printed: DIV and TABLE elements with no DIV or TABLE inside."""

    blocks: BlockKind = BlockKind.LEAVES
