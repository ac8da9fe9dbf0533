"""LBNEST, the DOM method: sentences of paragraphs that resemble the headline.

Layout Based News Extraction and Syndication (LBNEST), II.C and III. The text of a page are its P elements. Each
sentence is compared with what led to the page, the anchor text or the teaser (II.C.2.iv), by pairs of letters (III.A),
common words taken out and words stemmed; from 0.20 on the two are related, and so is a sentence whose neighbours are
(III.B). Scripts without spaces between words are compared as they stand, since single characters make no pairs.

Decided here: without an anchor or teaser, the feed's title or the page's own headline asks; the neighbours of a
sentence are those before and after it in the text of all P elements, and both must be related by themselves (at
the ends, the one there is); a page where nothing asks keeps all its paragraphs. The paper speaks of related paragraphs
too: `TextUnit.PARAGRAPH` keeps or drops a P as a whole, as the most similar of its sentences says.

The layout method (IV) runs this one inside the box in which a browser draws the story: `LBNEST().extract(page, box)`.

LBNEST's rule for images: walk down from each to the nearest text, and keep it when that text is in the story.

LBNEST II.C.2.v. The walk goes only downwards: thumbnails of other stories stand at the foot of a page, over their own
headlines, and the text above them is the end of the story. A picture with nothing below it belongs to nobody. The
walk is over the page as it is written, so a caption is the nearest text of its picture, and it must be in the story.

`tidings.extract` chooses its pictures otherwise (`tidings.article.pictures`: by the box they stand in, captions apart),
for on today's pages the text below a picture is often a caption, an advertisement or a button to share it. On the
sample newspaper this rule finds 17 of 45 pictures and five that are not the story's, the other one 29 and five. This is
the published one, for comparison and for whoever wants it:

    page = tidings.Page(html)
    story = tidings.extractor("lbnest")(page)
    [page.attributes(image)["src"] for image in story_images(page, story)]
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
from tidings.fields.headline import headline_text
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints
from tidings.page.tag_sets import tag_set
from tidings.text import FloatArray, letter_pair_similarities

_P: Final = tag_set(tags.numbers("p"))
_LONGEST: Final = 1000  # characters of a query: more than any headline or teaser
_WORD: Final = 2.5  # letters in a mean word, in scripts with spaces between words: twice that; without: one or two


class TextUnit(Enum):
    """What is kept or dropped as a whole."""

    SENTENCE = "sentence"  # sentence by sentence (II.C.2.iv)
    PARAGRAPH = "paragraph"  # "the relatedness of each paragraph" (III.B)


class SentenceNeighbours(Enum):
    """Which of its neighbours must be related, for a sentence that is not so by itself."""

    BOTH = "both"
    EITHER = "either"
    NONE = "no neighbour counts"


def query(page: Page, language: str) -> str:
    """What led to the page: anchor text or teaser; else its headline, by the feed or by the page."""
    hints = page.hints
    return hints.anchor or hints.teaser or hints.title or headline_text(page, language)


def related(
    likeness: FloatArray, similarity: float = 0.20, neighbours: SentenceNeighbours = SentenceNeighbours.BOTH
) -> Bools:
    """Return which are like the query, or stand beside such (III.B)."""
    alike = likeness >= similarity
    if len(alike) < 2 or neighbours is SentenceNeighbours.NONE:
        return alike
    both = neighbours is SentenceNeighbours.BOTH
    before, after = np.append(both, alike[:-1]), np.append(alike[1:], both)
    return np.asarray(alike | (before & after if both else before | after))


@checked
@dataclass(frozen=True, slots=True)
class LBNEST:
    """Sentences of the P elements that resemble the headline, letter pair by letter pair, or stand between such."""

    similarity: float = 0.20  # III.B: "greater than 20% is sufficient for two sentences to be related"
    filtered: bool = True  # stop words out and words stemmed (III.B); table III tries both
    unit: TextUnit = TextUnit.SENTENCE
    neighbours: SentenceNeighbours = SentenceNeighbours.BOTH

    def __call__(self, page: Page, /) -> Spans:
        """Return the method on the whole page."""
        return self.extract(page)

    def extract(self, page: Page, box: Collection[int] = ()) -> Spans:
        """Return the method inside some elements, such as the box that a browser draws the story in; none:
        everywhere.
        """
        kept = _in_paragraphs(page)
        if box:
            kept &= Spans.of_elements(page, np.array(sorted(box), np.int64)).runs(page)
        found, likeness = self._likeness(page, kept)
        if self.unit is TextUnit.PARAGRAPH:
            paragraphs, paragraph = np.unique(page.nearest(_P)[page.runs.element[found.runs]], return_inverse=True)
            most = np.zeros(len(paragraphs))
            np.maximum.at(most, paragraph, likeness)
            chosen = related(most, self.similarity, self.neighbours)[paragraph]
        else:
            chosen = related(likeness, self.similarity, self.neighbours)
        spans = Spans.union(found.starts[chosen], found.ends[chosen], len(page.text))
        return page.shown(page.limited(spans) - Spans.of_runs(page, ~kept))

    def score(self, page: Page, /) -> FloatArray:
        """For each block of the page how like the headline the most similar of its sentences is; 0 outside P."""
        found, likeness = self._likeness(page, _in_paragraphs(page))
        scores = np.zeros(len(page.blocks))
        np.maximum.at(scores, page.runs.block[found.runs], likeness)
        return scores

    def _likeness(self, page: Page, kept: Bools) -> tuple[Sentences, FloatArray]:
        """Return the sentences of the kept runs, and how like the query each is; wholly, where there is no query."""
        if not 0 <= self.similarity <= 1:
            raise BadParameter(f"similarity is {self.similarity}; letter pairs give 0 to 1")
        language = read(page).language
        found = sentences(page, kept, language)
        asked, *texts = self._prepared((query(page, language)[:_LONGEST], *found.texts), language)
        if not asked:
            return found, np.ones(len(found))
        return found, letter_pair_similarities(asked, texts)

    def _prepared(self, texts: Sequence[str], language: str) -> Sequence[str]:
        """What is compared of each text."""
        if not self.filtered:
            return texts
        return [_joined(*both) for both in zip(texts, stemmed_terms(texts, language), strict=True)]


def _joined(text: str, found: list[str]) -> str:
    """Return the terms of a text; itself, where every character is a word, for such words have no pairs of letters."""
    return text if found and len("".join(found)) < _WORD * len(found) else " ".join(found)


def _in_paragraphs(page: Page) -> Bools:
    """Return which runs a reader sees in P elements (II.C.2.iii)."""
    return (page.nearest(_P)[page.runs.element] > 0) & ~page.runs.hidden


_IMAGE: Final = tags.NUMBERS["img"]


def story_images(page: Page, story: Spans) -> Ints:
    """Return the IMG elements whose nearest text below is in the story, in document order."""
    runs = page.runs
    shown = np.flatnonzero(~runs.hidden & (runs.words > 0))
    images = np.flatnonzero(page.elements.tag == _IMAGE)
    below = np.searchsorted(runs.start[shown], page.elements.start[images])
    images, below = images[below < len(shown)], below[below < len(shown)]
    return images[story.runs(page)[shown[below]]]
