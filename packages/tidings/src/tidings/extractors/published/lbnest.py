"""LBNEST, the DOM method: sentences of paragraphs that resemble the headline.

Source: Layout Based News Extraction and Syndication (LBNEST), II.C and III. The text of a page are its P elements. Each
sentence is compared with the text that led to the page, the anchor text or the teaser (II.C.2.iv). The comparison
counts common pairs of letters (III.A), after removing stop words and stemming. A sentence is related from a similarity
of 0.20 on, or if its neighbours are related (III.B). Scripts without spaces between words are compared unstemmed,
because single characters make no pairs.

Decided here: without an anchor or teaser, the query is the feed's title or the page's headline. The neighbours of a
sentence are the sentences before and after it in the text of all P elements, and both must be related by themselves (at
the ends, the only one). A page without any query keeps all paragraphs. The paper also speaks of related paragraphs:
`TextUnit.PARAGRAPH` selects a P as a whole by its most similar sentence. The layout method (IV) runs this method inside
the box in which a browser renders the story: `LBNEST().extract(page, box)`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.extractors.published.n_ext import Sentences, sentences, stemmed_terms
from tidings.fields import read
from tidings.fields.titles.title_finder import headline_text
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools
from tidings.page.tag_sets import tag_set
from tidings.text import FloatArray, letter_pair_similarities

_P: Final = tag_set(tags.numbers("p"))
_LONGEST: Final = 1000  # characters of a query: more than any headline or teaser
_WORD: Final = 2.5  # mean letters of a word below which a script has no spaces; with spaces it is about 5


class TextUnit(Enum):
    """The unit of selection."""

    SENTENCE = "sentence"  # sentence by sentence (II.C.2.iv)
    PARAGRAPH = "paragraph"  # "the relatedness of each paragraph" (III.B)


class SentenceNeighbours(Enum):
    """Which neighbouring sentences must also resemble the headline for a sentence to be selected."""

    BOTH = "both"
    EITHER = "either"
    NONE = "no neighbour counts"


def query(page: Page, language: str) -> str:
    """Return the text to compare sentences with: the text of the link to the page or its teaser, else the headline from
    the feed or the page.
    """
    hints = page.hints
    return hints.anchor or hints.teaser or hints.title or headline_text(page, language)


def related(
    likeness: FloatArray, similarity: float = 0.20, neighbours: SentenceNeighbours = SentenceNeighbours.BOTH
) -> Bools:
    """Return which sentences belong to the story: they resemble the query, or their neighbours do (III.B).

    Args:
        likeness: the similarity of each sentence to the query.
        similarity: the least similarity of a sentence that resembles the query.
        neighbours: whether one or both neighbours of another sentence must resemble the query.
    """
    direct = likeness >= similarity
    if len(direct) < 2 or neighbours is SentenceNeighbours.NONE:
        return direct
    both = neighbours is SentenceNeighbours.BOTH
    before, after = np.append(both, direct[:-1]), np.append(direct[1:], both)
    return np.asarray(direct | (before & after if both else before | after))


@checked
@dataclass(frozen=True, slots=True)
class LBNEST:
    """Sentences of P elements that resemble the headline by common letter pairs, or are between such sentences."""

    similarity: float = 0.20  # III.B: "greater than 20% is sufficient for two sentences to be related"
    filtered: bool = True  # without stop words, and stemmed (III.B); table III compares both
    unit: TextUnit = TextUnit.SENTENCE
    neighbours: SentenceNeighbours = SentenceNeighbours.BOTH

    def __call__(self, page: Page, /) -> Spans:
        """Return the related sentences of the whole page."""
        return self.extract(page)

    def extract(self, page: Page, box: Collection[int] = ()) -> Spans:
        """Return related sentences inside some elements, such as the rendered box of the story; by default of the whole
        page.
        """
        in_scope = _in_paragraphs(page)
        if box:
            in_scope &= Spans.of_elements(page, np.array(sorted(box), np.int64)).runs(page)
        sentences_in_scope, likeness = self._likeness(page, in_scope)
        if self.unit is TextUnit.PARAGRAPH:
            paragraphs, paragraph = np.unique(
                page.nearest(_P)[page.runs.element[sentences_in_scope.runs]], return_inverse=True
            )
            highest = np.zeros(len(paragraphs))
            np.maximum.at(highest, paragraph, likeness)
            chosen = related(highest, self.similarity, self.neighbours)[paragraph]
        else:
            chosen = related(likeness, self.similarity, self.neighbours)
        spans = Spans.union(sentences_in_scope.starts[chosen], sentences_in_scope.ends[chosen], len(page.text))
        return page.shown(page.limited(spans) - Spans.of_runs(page, ~in_scope))

    def score(self, page: Page, /) -> FloatArray:
        """Return for each block of the page the similarity of its most similar sentence to the headline; 0 outside of
        P.
        """
        scored, likeness = self._likeness(page, _in_paragraphs(page))
        scores = np.zeros(len(page.blocks))
        np.maximum.at(scores, page.runs.block[scored.runs], likeness)
        return scores

    def _likeness(self, page: Page, selected: Bools) -> tuple[Sentences, FloatArray]:
        """Return the sentences of some runs of text, and the similarity of each to the query; 1 for all if there is no
        query.
        """
        if not 0 <= self.similarity <= 1:
            raise BadParameter(f"similarity is {self.similarity}; letter pairs give 0 to 1")
        language = read(page).language
        candidates = sentences(page, selected, language)
        prepared_query, *texts = self._prepared((query(page, language)[:_LONGEST], *candidates.texts), language)
        if not prepared_query:
            return candidates, np.ones(len(candidates))
        return candidates, letter_pair_similarities(prepared_query, texts)

    def _prepared(self, texts: Sequence[str], language: str) -> Sequence[str]:
        """Return the stems of each text without stop words; unchanged texts if the filter of stop words is off."""
        if not self.filtered:
            return texts
        return [_comparable(*both) for both in zip(texts, stemmed_terms(texts, language), strict=True)]


def _comparable(text: str, stems: list[str]) -> str:
    """Return the stems of a text, joined by spaces.

    In scripts in which a word is often a single character and so has no letter pairs, return the text itself.
    """
    return text if stems and len("".join(stems)) < _WORD * len(stems) else " ".join(stems)


def _in_paragraphs(page: Page) -> Bools:
    """Return which runs are visible and inside P elements (II.C.2.iii)."""
    return (page.nearest(_P)[page.runs.element] > 0) & ~page.runs.hidden
