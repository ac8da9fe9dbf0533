"""LBNEST, the DOM method: paragraphs whose sentences resemble the headline.

Layout Based News Extraction and Syndication, II.C and III. The text of a page are its P elements. Each sentence is
compared with what led to the page, the anchor text or the teaser (II.C.2.iv), by pairs of letters (III.A), common words
taken out and words stemmed; from 0.20 on the two are related, and so is a sentence whose neighbours are (III.B).

Decided here: without an anchor or teaser, the feed's title or the page's own headline asks; the neighbours of a
sentence are the ones before and after it in the text of all P elements, and both must be related by themselves (at
the ends, the one there is); a page where nothing asks keeps all its paragraphs.

The layout method (IV) runs this one inside the box that a browser finds: `LBNEST().extract(page, box)`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.errors import BadParameter
from tidings.extractors.n_ext import sentences
from tidings.extractors.registry import register
from tidings.fields import read
from tidings.fields.headline import headline_text
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools
from tidings.page.flow import tag_set
from tidings.text import FloatArray, letter_pair_similarities, terms

_P: Final = tag_set(tags.numbers("p"))


def query(page: Page, language: str) -> str:
    """What led to the page: anchor text or teaser; else its headline, by the feed or by the page."""
    hints = page.hints
    return hints.anchor or hints.teaser or hints.title or headline_text(page, language)


def related(likeness: FloatArray, similarity: float = 0.20) -> Bools:
    """Sentences that are like the query, and those that stand between such (III.B)."""
    alike = likeness >= similarity
    if len(alike) < 2:
        return alike
    before, after = np.append(True, alike[:-1]), np.append(alike[1:], True)
    return alike | (before & after)


@register("lbnest", "LBNEST II.C, III (the DOM method)")
@dataclass(frozen=True, slots=True)
class LBNEST:
    """Sentences of the P elements that resemble the headline, letter pair by letter pair, or stand between such."""

    similarity: float = 0.20  # III.B: "greater than 20% is sufficient for two sentences to be related"
    filtered: bool = True  # stop words out and words stemmed (III.B); table III tries both

    def __call__(self, page: Page, /) -> Spans:
        """The method on the whole page."""
        return self.extract(page)

    def extract(self, page: Page, box: Collection[int] = ()) -> Spans:
        """The method inside some elements, such as the box that a browser draws the story in; none: everywhere."""
        if not 0 <= self.similarity <= 1:
            raise BadParameter(f"similarity is {self.similarity}; letter pairs give 0 to 1")
        language = read(page).language
        kept = (page.nearest(_P)[page.runs.element] > 0) & ~page.runs.hidden
        if box:
            kept &= Spans.of_elements(page, np.array(sorted(box), np.int64)).runs(page)
        found = sentences(page, kept, language)
        asked = self._prepared(query(page, language), language)
        texts = [self._prepared(text, language) for text in found.texts]
        chosen = (
            related(letter_pair_similarities(asked, texts), self.similarity) if asked else np.full(len(found), True)
        )
        spans = Spans.union(found.starts[chosen], found.ends[chosen], len(page.text))
        return page.shown(spans - Spans.of_runs(page, ~kept))

    def _prepared(self, text: str, language: str) -> str:
        return " ".join(terms(text, language)) if self.filtered else text
