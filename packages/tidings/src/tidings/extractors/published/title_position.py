"""Title and position: find the headline by the feed's title, and the story below it by the title's keywords.

Source: Han, Noro, Tokuda 2009, as described in the N-EXT thesis (2.4): the title comes from a feed; its keywords locate
it on the page; all paragraphs of the story are found from that position and by the keywords.

Decided here, because the thesis is short: the keywords are the stems of the title without stop words. The title is the
block with the greatest share of them. Of several such blocks the one whose path of elements leads to the title on most
other pages of the site (`Hints.siblings`) wins, without siblings the first. A paragraph is a block of at least eight
words with at most half of them in links. Below the title, the element whose paragraphs weigh most contains the story: a
paragraph weighs its words, doubled if it has a keyword, and the weight shrinks with the distance of the first paragraph
from the title. The story extends from its first paragraph to its last, including headings and short blocks between
them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.fields import read
from tidings.fields.titles.title_finder import headline_text
from tidings.page import Page, Spans
from tidings.page.columns import Bools, Ints
from tidings.text import FloatArray, terms

_KEY: Final = "places of the title"
#: The least score of a block that is the title.
_LEAST: Final = 0.5


def title_scores(title: list[str], blocks: list[list[str]]) -> FloatArray:
    """Return the similarity of each block to the title: common keywords divided by all keywords of both (Jaccard
    index).
    """
    keywords = set(title)
    return np.array([len(keywords & set(words)) / max(len(keywords | set(words)), 1) for words in blocks])


def path_of(page: Page, element: int) -> str:
    """Return the tags and classes from the document down to an element, as text."""
    steps: list[str] = []
    parent = page.elements.parent
    while element > 0 and len(steps) < 50:
        steps.append(f"{page.tag_names[page.elements.tag[element]]}.{page.attributes(element).get('class', '')}")
        element = int(parent[element])
    return "/".join(reversed(steps))


@dataclass(frozen=True, slots=True)
class TitlePlaces:
    """The keywords of a page's title, and the blocks that may be the headline, with their paths of tags and classes."""

    keywords: frozenset[str]
    blocks: tuple[int, ...]
    paths: tuple[str, ...]


def title_places(page: Page) -> TitlePlaces:
    """Return the keywords of a page's title and the blocks that may be the headline. Memoised, because sibling pages
    need them too.
    """
    cached = page.memo.get(_KEY)
    if cached is None:
        language, blocks = read(page).language, page.blocks
        keywords = terms(page.hints.title or page.hints.description or headline_text(page, language), language)
        texts = [
            terms(page.text[start:end], language) if words <= 40 and not hidden else []
            for start, end, words, hidden in zip(
                blocks.text_start.tolist(), blocks.text_end.tolist(), blocks.words.tolist(), blocks.hidden, strict=True
            )
        ]
        scores = title_scores(keywords, texts)
        best = float(scores.max(initial=0.0))
        candidates = np.flatnonzero(scores >= best - 1e-9).tolist() if keywords and best >= _LEAST else []
        paths = tuple(path_of(page, int(blocks.element[block])) for block in candidates)
        cached = page.memo[_KEY] = TitlePlaces(frozenset(keywords), tuple(candidates), paths)
    return cached


def title_block(page: Page) -> int:
    """Return the block that is the headline; -1 if it is not on the page."""
    places = title_places(page)
    if not places.blocks:
        return -1
    votes = Counter(path for sibling in page.hints.siblings for path in set(title_places(sibling).paths))
    best = max(range(len(places.blocks)), key=lambda at: (votes[places.paths[at]], -at))
    return places.blocks[best]


@checked
@dataclass(frozen=True, slots=True)
class TitlePosition:
    """Paragraphs below the title, around those with its keywords."""

    words: int = 8  # of a paragraph
    links: float = 0.5  # share of its words in links, at most
    keyword: float = 2.0  # weight of a paragraph with a keyword, relative to others

    def __call__(self, page: Page, /) -> Spans:
        """Return the text from the first paragraph of the story to its last."""
        paragraphs, holder, weights = self._weights(page)
        if not weights.any():
            return Spans.none(len(page.text))
        story = np.flatnonzero(paragraphs & (holder == np.argmax(weights)))
        blocks, at = page.blocks, np.arange(len(page.blocks))
        between = (at >= story[0]) & (at <= story[-1]) & (2 * blocks.link_words <= blocks.words)
        element = int(np.argmax(weights))
        inside = (blocks.first >= page.elements.first[element]) & (blocks.last <= page.elements.last[element])
        return page.shown(Spans.of_blocks(page, between & inside))

    def score(self, page: Page, /) -> FloatArray:
        """Return for each paragraph the weight of the element that contains it, by its keywords; 0 for other blocks."""
        paragraphs, holder, weights = self._weights(page)
        return np.where(paragraphs, weights[holder], 0.0)

    def _weights(self, page: Page) -> tuple[Bools, Ints, FloatArray]:
        """Return which blocks are paragraphs below the headline, the element of each, and the weights of these
        elements.
        """
        if self.words < 1 or not 0 <= self.links <= 1 or self.keyword < 0:
            raise BadParameter("words is 1 or more, links from 0 to 1, keyword 0 or more")
        blocks = page.blocks
        holder = np.maximum(page.elements.parent[blocks.element], 0)
        paragraphs = (blocks.words >= self.words) & ~blocks.hidden & (blocks.link_words <= self.links * blocks.words)
        title = title_block(page)
        if title >= 0 and paragraphs[title + 1 :].any():
            paragraphs[: title + 1] = False
        keywords = title_places(page).keywords
        language = read(page).language
        weights, first = np.zeros(len(page.elements)), {}  # type: FloatArray, dict[int, int]
        place = 0
        for block in np.flatnonzero(paragraphs).tolist():
            element, text = int(holder[block]), page.text[blocks.text_start[block] : blocks.text_end[block]]
            has_keyword = not keywords.isdisjoint(terms(text, language))
            weights[element] += blocks.words[block] * (self.keyword if has_keyword else 1.0)
            first.setdefault(element, place)
            place += 1
        for element, count in first.items():
            weights[element] /= 1 + count / max(place, 1)
        return paragraphs, holder, weights
