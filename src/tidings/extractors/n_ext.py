"""N-EXT: the block that is large and like the title, then sentence by sentence.

Uçar; N-EXT thesis, chapter 4. Six stages, each a function here:

1. The title of the story (4.1.1): the feed's title or description from the page's hints, else its own headline.
2. Leaf blocks (4.1.2): DIV and TABLE elements with no DIV or TABLE inside.
3. Cleaning (4.1.3): text of links is dropped. It is under one percent of a story and most of what surrounds it (6.2.1.1).
4. The news block (4.1.4): the one with most weight by size and likeness to the title (eq. 4.1).
5. Its sentences (4.1.5): those at least as like the block as the harmonic mean of all.
6. Sentences of other blocks (4.1.6) that are more like it than that.

Texts are compared by relative term frequencies, stop words out, stemmed (4.1.4). Decided here, where the thesis is
silent: sentences that share no term with the block have no part in the mean (it would be 0); if none has one, the
block is kept whole and nothing added; if no block resembles the title, size alone counts; a page with neither DIV nor
TABLE is one block; sentences do not run from one paragraph into the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np

from tidings.errors import BadParameter
from tidings.extractors.largest_block import DIV, TABLE, leaf_blocks, owners, sizes
from tidings.extractors.registry import register
from tidings.fields import read
from tidings.fields.headline import headline_text
from tidings.page import Page, Spans
from tidings.page.columns import Bools, Ints
from tidings.page.counts import code_points
from tidings.text import FloatArray, Measure, sentence_spans, similarities, terms

_BLOCKING: Final = frozenset({DIV, TABLE})
_SPACE, _PARAGRAPH = 0x20, 0x2029
#: The harmonic mean of equal values may differ from them in the last digits.
_EQUAL: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Sentences:
    """Sentences of some runs of a page: ranges of its text, and the first run of each."""

    starts: Ints
    ends: Ints
    runs: Ints
    texts: tuple[str, ...]  # without what is not in the runs

    def __len__(self) -> int:
        return len(self.texts)


def title(page: Page, language: str) -> str:
    """Stage 1: what the story is called, by the feed or by the page."""
    return page.hints.title or page.hints.description or headline_text(page, language)


def cleaned(page: Page, link_text: bool = False) -> Bools:
    """Stage 3: which runs are text of the page, seen by a reader and (unless wanted) no link."""
    return ~page.runs.hidden if link_text else ~(page.runs.hidden | page.runs.in_link)


def sentences(page: Page, kept: Bools, language: str) -> Sentences:
    """The sentences of the kept runs. What is dropped leaves a blank, so that places in the text stay as they are."""
    runs = page.runs
    steps = np.zeros(len(page.text) + 1, np.int8)
    steps[runs.text_start[kept]] += 1
    steps[runs.text_end[kept]] -= 1
    blank = np.cumsum(steps[:-1], dtype=np.int8) == 0
    codes = code_points(page.text).copy()
    codes[blank] = _SPACE
    begins = runs.text_start[np.flatnonzero(np.diff(runs.block, prepend=-1))]
    codes[begins[begins > 0] - 1] = _PARAGRAPH  # in place of the line break before a block
    text = codes.tobytes().decode("utf-32-le", "surrogatepass")
    found = sentence_spans(text, language)
    places = np.array(found, np.int64).reshape(-1, 2)
    starts, ends = places[:, 0], places[:, 1]
    first = np.searchsorted(runs.text_start, starts, side="right") - 1
    return Sentences(starts, ends, first, tuple(text[start:end] for start, end in found))


def block_weights(words: Ints, likeness: FloatArray, beta: float = 0.6) -> FloatArray:
    """Stage 4: the weight of each block by its size and its likeness to the title (eq. 4.1)."""
    most_words, most_like = words.max(initial=0), likeness.max(initial=0.0)
    by_size = words / most_words if most_words > 0 else np.zeros(len(words))
    if most_like <= 0:
        return by_size
    weights: FloatArray = beta * by_size + (1 - beta) * (likeness / most_like)
    return weights


def threshold(likeness: FloatArray) -> float | None:
    """Stage 5: the harmonic mean of the positive ones; None if there is none."""
    positive = likeness[likeness > 0]
    return len(positive) / float((1 / positive).sum()) if len(positive) else None


def related(likeness: FloatArray, in_news_block: Bools) -> Bools:
    """Stages 5 and 6: the news block's sentences from the threshold on, those of other blocks above it."""
    limit = threshold(likeness[in_news_block])
    if limit is None:
        return in_news_block
    return np.where(in_news_block, likeness >= limit - _EQUAL, likeness > limit + _EQUAL)


@register("n-ext", "N-EXT thesis ch. 4; Uçar 2012")
@dataclass(frozen=True, slots=True)
class NEXT:
    """The block that is large and like the title, cleared of unrelated sentences; related ones from elsewhere."""

    beta: float = 0.6  # share of the size in a block's weight: thesis 6.2.1, table 6.2
    measure: Measure = Measure.DICE  # best in tables 6.3 and 6.6
    link_text: bool = False  # dropped: table 6.5, 0.959 against 0.856
    stemmed: bool = True  # table 6.6

    def __call__(self, page: Page, /) -> Spans:
        """All six stages."""
        if not 0 <= self.beta <= 1:
            raise BadParameter(f"beta is {self.beta}; it shares a weight between size and likeness, so 0 to 1")
        language = read(page).language
        leaves = leaf_blocks(page, _BLOCKING)
        owner = owners(page, _BLOCKING)
        in_leaf = np.zeros(len(page.elements), np.bool_)
        in_leaf[leaves] = True
        kept = cleaned(page, self.link_text) & in_leaf[owner]

        found = sentences(page, kept, language)
        if not len(found):
            return Spans.none(len(page.text))
        words = [terms(text, language, stemmed=self.stemmed) for text in found.texts]
        blocks, block = np.unique(owner[found.runs], return_inverse=True)
        block_words: list[list[list[str]]] = [[] for _ in blocks]
        for place, sentence in zip(block.tolist(), words, strict=True):
            block_words[place].append(sentence)
        block_terms = [list(chain.from_iterable(several)) for several in block_words]

        asked = terms(title(page, language), language, stemmed=self.stemmed)
        likeness = similarities(asked, block_terms, self.measure)
        weights = block_weights(sizes(page, owner, kept)[blocks], likeness, self.beta)
        news = int(np.argmax(weights))
        chosen = related(similarities(block_terms[news], words, self.measure), block == news)
        spans = Spans.union(found.starts[chosen], found.ends[chosen], len(page.text))
        return page.shown(spans - Spans.of_runs(page, ~kept))
