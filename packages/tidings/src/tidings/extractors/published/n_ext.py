"""N-EXT: the block that is large and similar to the title, refined by sentence.

Source: N-EXT thesis, chapter 4. Six stages:

1. The title of the story (4.1.1): the feed's title or description from the page's hints, else the page's headline.
2. Blocks (4.1.2): DIV and TABLE elements, each without the inner ones. As printed they have no DIV or TABLE inside
   (`PrintedNEXT`), which loses the story if an advertisement is between its paragraphs.
3. Cleaning (4.1.3): link text is removed; it is "less than one percent" of a story and much of the rest (6.2.1.1).
4. The news block (4.1.4): the block with the greatest weight by size and similarity to the title (eq. 4.1).
5. Its sentences (4.1.5): those whose similarity to the block is at least the harmonic mean of all.
6. Sentences of other blocks (4.1.6) with a similarity above that mean.

Texts are compared by relative term frequencies of stems without stop words (4.1.4). Decided here, because the thesis is
silent: sentences without a common term do not count in the mean (it would be 0); if no sentence has one, the whole
block is selected and nothing added; if no block resembles the title, only the size counts; a page with neither DIV nor
TABLE is one block; text outside all blocks is a block if no other is larger; of equal blocks the first wins; a sentence
ends with its paragraph.

Stage 5 drops a third of the sentences of an average story (docs/explanation/experiments.md). `SentenceFilter.WHOLE`
selects the whole news block instead; the recipe for readers uses it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from typing import Final

import numpy as np

from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.extractors.published.largest_block import DIV, TABLE, BlockKind, blocks, cleaned, owners, sizes
from tidings.fields import read
from tidings.fields.titles.title_finder import headline_text
from tidings.page import Page, Spans
from tidings.page.columns import Bools, Ints
from tidings.text import FloatArray, Measure, sentence_spans, similarities, terms

_BLOCKING: Final = frozenset({DIV, TABLE})
_SPACE, _PARAGRAPH = 0x20, 0x2029
#: Tolerance for rounding errors in the harmonic mean.
_EQUAL: Final = 1e-9


class SentenceFilter(Enum):
    """Which sentences are selected after the news block is chosen."""

    PUBLISHED = "those similar to the news block"  # stages 5 and 6
    WHOLE = "the whole news block, and similar new sentences of other blocks"  # stage 6 alone; a choice of ours
    BLOCK = "the whole news block"  # neither stage


@dataclass(frozen=True, slots=True, eq=False)
class Sentences:
    """Sentences of some runs of a page: ranges of its text, and the first run of each."""

    starts: Ints
    ends: Ints
    runs: Ints
    texts: tuple[str, ...]  # with blanks in place of other runs in the range

    def __len__(self) -> int:
        return len(self.texts)


def sentences(page: Page, selected: Bools, language: str) -> Sentences:
    """Return the sentences of the selected runs. Other text is replaced by blanks, which keeps all positions."""
    runs = page.runs
    steps = np.zeros(len(page.text) + 1, np.int8)
    steps[runs.text_start[selected]] += 1
    steps[runs.text_end[selected]] -= 1
    codes = page.text_codes.copy()
    codes[np.cumsum(steps[:-1], dtype=np.int8) == 0] = _SPACE
    begins = runs.text_start[np.flatnonzero(np.diff(runs.block, prepend=-1))]
    codes[begins[begins > 0] - 1] = _PARAGRAPH  # in place of the line break before a block
    text = codes.tobytes().decode("utf-32-le", "surrogatepass")
    ranges = sentence_spans(text, language)
    places = np.array(ranges, np.int64).reshape(-1, 2)
    starts, ends = places[:, 0], places[:, 1]
    first = np.searchsorted(runs.text_start, starts, side="right") - 1
    return Sentences(starts, ends, first, tuple(text[start:end] for start, end in ranges))


def stemmed_terms(texts: Iterable[str], language: str, stemmed: bool = True) -> list[list[str]]:
    """Return the terms of each text without stop words, stemmed by default."""
    return [terms(text, language, stemmed=stemmed) for text in texts]


def title(page: Page, language: str) -> str:
    """Return the title of the story from the feed or the page (stage 1)."""
    return page.hints.title or page.hints.description or headline_text(page, language)


def block_weights(words: Ints, likeness: FloatArray, beta: float = 0.6) -> FloatArray:
    """Return the weight of each block, by its size and its similarity to the title (stage 4, eq. 4.1).

    Args:
        words: the number of words of each block.
        likeness: the similarity of each block to the title.
        beta: the weight of the size, from 0 to 1; the similarity has the rest.
    """
    most_words, most_like = words.max(initial=0), likeness.max(initial=0.0)
    by_size: FloatArray = words / max(most_words, 1)
    return beta * by_size + (1 - beta) * (likeness / most_like) if most_like > 0 else by_size


def threshold(likeness: FloatArray) -> float | None:
    """Return the harmonic mean of the positive similarities (stage 5); None if there are none."""
    positive = likeness[likeness > 0]
    return len(positive) / float((1 / positive).sum()) if len(positive) else None


def repeated(terms: list[list[str]], in_news_block: Bools) -> Bools:
    """Return which sentences outside of the news block have the same terms as a sentence of it or an earlier one.

    An article's description is often both above its text and its first paragraph.
    """
    earlier = {tuple(words) for words, inside in zip(terms, in_news_block.tolist(), strict=True) if inside}
    copies = np.zeros(len(terms), np.bool_)
    for place in np.flatnonzero(~in_news_block).tolist():
        words = tuple(terms[place])
        copies[place] = words in earlier
        earlier.add(words)
    return copies


def related(likeness: FloatArray, in_news_block: Bools) -> Bools:
    """Return which sentences belong to the story (stages 5 and 6). The threshold is the harmonic mean of the positive
    similarities in the news block; sentences of other blocks must exceed it.

    Args:
        likeness: the similarity of each sentence to the title.
        in_news_block: whether each sentence is in the block with the largest weight.
    """
    limit = threshold(likeness[in_news_block])
    if limit is None:
        return in_news_block
    return np.where(in_news_block, likeness >= limit - _EQUAL, likeness > limit + _EQUAL)


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The results of stages 1 to 4: sentences in blocks, and the weight of each block."""

    sentences: Sentences
    terms: list[list[str]]  # of each sentence
    block: Ints  # of each sentence, an index into `blocks`
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
    """The block that is large and similar to the title, without unrelated sentences; related ones from other blocks."""

    beta: float = 0.6  # share of the size in a block's weight: thesis 6.2.1, table 6.2
    measure: Measure = Measure.DICE  # best in tables 6.3 and 6.6
    link_text: bool = False  # table 6.5: 0.959 of the blocks correct without, 0.856 with
    stemmed: bool = True  # table 6.6: slightly better
    blocks: BlockKind = BlockKind.OWN_TEXT  # leaf blocks, as printed, lose the story on current pages
    sentences: SentenceFilter = SentenceFilter.PUBLISHED

    def __call__(self, page: Page, /) -> Spans:
        """Return the text that the stages select."""
        selected, owner = self._cleaned_runs(page)
        ranking = self.rank(page, selected, owner)
        if not len(ranking.blocks):
            return Spans.none(len(page.text))
        chosen = self._sentences(ranking)
        spans = Spans.union(ranking.sentences.starts[chosen], ranking.sentences.ends[chosen], len(page.text))
        return page.shown(page.limited(spans) - Spans.of_runs(page, ~selected))

    def score(self, page: Page, /) -> FloatArray:
        """Return for each block of the page the weight of the DIV or TABLE block around it (eq. 4.1); 0 outside of
        those.
        """
        selected, owner = self._cleaned_runs(page)
        ranking = self.rank(page, selected, owner)
        weights = np.zeros(len(page.elements))
        weights[ranking.blocks] = ranking.weights
        return weights[owner[page.blocks.first]]

    def rank(self, page: Page, selected: Bools, owner: Ints) -> Ranking:
        """Return the result of stages 1 to 4, given the runs to use and the block of each run."""
        if not 0 <= self.beta <= 1:
            raise BadParameter(f"beta is {self.beta}; it shares a weight between size and likeness, so 0 to 1")
        language = read(page).language
        candidates = sentences(page, selected, language)
        title_terms, *words = stemmed_terms((title(page, language), *candidates.texts), language, self.stemmed)
        elements, block = np.unique(owner[candidates.runs], return_inverse=True)
        grouped: list[list[list[str]]] = [[] for _ in elements]
        for place, sentence in zip(block.tolist(), words, strict=True):
            grouped[place].append(sentence)
        block_terms = [list(chain.from_iterable(sentence_terms)) for sentence_terms in grouped]
        likeness = similarities(title_terms, block_terms, self.measure)
        weights = block_weights(sizes(page, owner, selected)[elements], likeness, self.beta)
        return Ranking(candidates, words, block, elements, block_terms, weights)

    def _sentences(self, ranking: Ranking) -> Bools:
        """Return which sentences are selected (stages 5 and 6)."""
        in_news_block: Bools = ranking.block == ranking.news
        if self.sentences is SentenceFilter.BLOCK:
            return in_news_block
        likeness = similarities(ranking.block_terms[ranking.news], ranking.terms, self.measure)
        chosen = related(likeness, in_news_block)
        if self.sentences is SentenceFilter.PUBLISHED:
            return chosen
        return in_news_block | (chosen & ~repeated(ranking.terms, in_news_block))

    def _cleaned_runs(self, page: Page) -> tuple[Bools, Ints]:
        """Return the runs of blocks that remain after cleaning, and the block of every run (stages 2 and 3)."""
        owner = owners(page, _BLOCKING)
        is_block = np.zeros(len(page.elements), np.bool_)
        is_block[blocks(page, _BLOCKING, self.blocks)] = True
        selected = cleaned(page, self.link_text) & is_block[owner]
        words = sizes(page, owner, selected)
        if words[0] < words.max(initial=0):  # text outside all blocks is a block only if none is larger
            selected &= owner != 0
        return selected, owner


@checked
@dataclass(frozen=True, slots=True)
class PrintedNEXT(NEXT):
    """N-EXT with leaf blocks, as printed: DIV and TABLE elements with no DIV or TABLE inside."""

    blocks: BlockKind = BlockKind.LEAVES
