"""A page with its full extraction, as training data for site rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tidings.article import Article
from tidings.extractors import Extractor
from tidings.page import Page, Spans
from tidings.page.columns import Bools, Ints, sums
from tidings.reading import read_and_show
from tidings.sites.extraction.repeated_texts import hashes_of, written_of
from tidings.text import words


@dataclass(frozen=True)
class Lesson:
    """A training example for site rules: a page, the article that the full extraction returned for it, and the ranges
    of that article's text.
    """

    data: bytes  # rules are tried on the bytes
    encoding: str  # of `data`
    page: Page
    spans: Spans
    article: Article

    @classmethod
    def read(cls, data: bytes | str, url: str | None, extractor: Extractor) -> Lesson:
        """Create a training example from a page, with the article that `extractor` returns."""
        page = Page(data, url)
        article, spans = read_and_show(page, extractor)
        if isinstance(data, bytes):
            return cls(data, page.encoding, page, spans, article)
        return cls(data.encode("utf-8", "surrogatepass"), "utf-8", page, spans, article)

    @cached_property
    def visible_words(self) -> Ints:
        """Return the number of visible words of each run of text."""
        return self.page.runs.words * ~self.page.runs.hidden

    @cached_property
    def chosen(self) -> Bools:
        """Return which runs of text the full extraction selected."""
        return self.spans.runs(self.page)

    @cached_property
    def words_before(self) -> Ints:
        """Return the number of visible words before each run of text."""
        return sums(self.visible_words)

    @cached_property
    def chosen_before(self) -> Ints:
        """Return the number of selected words before each run of text."""
        return sums(self.visible_words * self.chosen)

    @cached_property
    def total_chosen(self) -> int:
        """Return the number of selected words."""
        return int(self.chosen_before[-1])

    @cached_property
    def bag(self) -> Counter[str]:
        """Return the words of the article with their counts."""
        return Counter(words(self.article.text))

    def bags(self, noise: frozenset[int]) -> list[Counter[str]]:
        """Return the word counts of the article and, if it contains texts that the site repeats (`noise`), also the
        word counts without them.
        """
        texts = [block.text for block in self.article.blocks]
        hashes = hashes_of(written_of(texts))
        if noise.isdisjoint(hashes):
            return [self.bag]
        unique_texts = [text for text, text_hash in zip(texts, hashes, strict=True) if text_hash not in noise]
        return [self.bag, Counter(words("\n".join(unique_texts)))]

    @cached_property
    def inside(self) -> tuple[Ints, Ints]:
        """Return for each element the number of visible words in it, and the number of those that are in
        the article.
        """
        first, last = self.page.elements.first, self.page.elements.last
        all_words, chosen = self.words_before, self.chosen_before
        return all_words[last] - all_words[first], chosen[last] - chosen[first]

    @cached_property
    def start_tags(self) -> list[str]:
        """Return the source of each element's start tag."""
        return ["", *self.page.cut.tags(self.page.opened[1:])]

    def tag(self, element: int) -> str:
        """Return the tag name of an element."""
        return self.page.tag_names[int(self.page.elements.tag[element])]

    def holds(self, element: int, inner: Ints) -> Bools:
        """Return for each element in `inner` whether it is inside `element`."""
        end = self.page.elements.end[element]
        return np.asarray((inner > element) & (self.page.elements.start[inner] < end))
