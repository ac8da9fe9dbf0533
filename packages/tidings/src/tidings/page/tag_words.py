"""Words in start tags: which elements have which words in their start tags.

Fields search for elements with telling attributes: authors, dates, comments. All words that every page needs
(`TELLING`) are searched for at once, so only the few tags with one of them have to be parsed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from tidings import core
from tidings.page import tags
from tidings.page.columns import Bools, Ints, kept, sums
from tidings.page.compiled import scanner
from tidings.page.tag_sets import among, tag_set

if TYPE_CHECKING:
    from tidings.page.page import Page

#: The words in the start tag of each element, as bits.
Held = NDArray[np.uint64]

#: Tags that are not boxes: inline text, headings, and the containers of the whole page.
_INLINE: Final = tag_set(
    frozenset(range(len(tags.NAMES))) - tags.BLOCK | tags.HEADINGS | tags.numbers("html body head p hr button option")
)
_SHORTEST, _MOST = 3, 64


def _fits(word: str) -> bool:
    return len(word) >= _SHORTEST and word.isascii() and "\n" not in word and word == word.lower()


class TagWords:
    """Up to 64 words that are searched together, ignoring ASCII case.

    Args:
        words: lower-case ASCII words of at least three characters.
        companion: other words to search at the same time.

    Raises:
        ValueError: there are too many words, or one is invalid.
    """

    def __init__(self, words: tuple[str, ...], companion: TagWords | None = None) -> None:
        if len(words) > _MOST or not all(map(_fits, words)):
            raise ValueError(f"words that cannot be looked for in start tags: {words}")
        self.companion: TagWords | None = companion
        if companion is not None:
            companion.companion = self
        self.bit = {word: 1 << place for place, word in enumerate(words)}
        self._bits: dict[tuple[str, ...], np.uint64 | None] = {}

    def bits(self, words: tuple[str, ...]) -> np.uint64 | None:
        """Return the bit set of some words; None if a word is not in this set of words."""
        if words not in self._bits:
            is_all = all(word in self.bit for word in words)
            self._bits[words] = np.uint64(sum(self.bit[word] for word in set(words))) if is_all else None
        return self._bits[words]

    @cached_property
    def compiled(self) -> core.CoreMemory:
        """Return the words in the memory of the compiled core."""
        return core.tag_words(tuple(self.bit))


#: Words that every page needs.
TELLING: Final = TagWords(
    tuple(
        "uthor yline utor uteur ublish date atum fecha imestamp "
        "omment comentario disqus respond post message msg answer repl topic entry "
        "wall piano- subscriber-only tp-modal tag next =\"? ='? itemtype itemprop itemscope caption "
        "tooltip tool-tip hovercard hover-card "
        'tion-macro ="version ="note" ="section expand-co '
        "galler galerie slide rousel swiper splide slick- glide__ flickity fotorama photos photo- photogrid "
        "egrid e-grid diaporama bilderstrecke lightbox-group image-row imagerow image-pair imagepair mosaic".split()
    )
)


@lru_cache(maxsize=64)
def tag_words(words: tuple[str, ...]) -> TagWords:
    """Return a set of words to search for. Cached for further pages."""
    return TagWords(words)


class HeldWords:
    """An index of words in the start tags of a page's elements."""

    def __init__(self, columns: core.PageColumns) -> None:
        self._columns = columns
        self._known: dict[TagWords, Held] = {}

    def bits_by_element(self, words: TagWords) -> Held:
        """Return which words occur in the start tag of each element, as bits."""
        cache = self._known
        if words not in cache:
            sets = [words] if words.companion is None else [words, words.companion]
            found_bits = scanner().tag_words(self._columns, [word_set.compiled for word_set in sets])
            cache.update(zip(sets, found_bits, strict=True))
        return cache[words]

    def holding(self, words: tuple[str, ...], tag: int) -> Ints:
        """Return the elements, optionally with one tag, that have one of the words in their start tags."""
        bits = TELLING.bits(words)
        if bits is None:
            return scanner().tag_words(self._columns, [tag_words(words).compiled], tag)[0].nonzero()[0]
        elements, bits_found, words_of_all = self.telling
        if not words_of_all & int(bits):  # the common case
            return elements[:0]
        matches = elements[(bits_found & bits) > 0]
        return matches[self._columns.tag[matches] == tag] if tag else matches

    @kept
    def _telling_elements(self) -> core.ElementsWithWords:
        companion = TELLING.companion
        other_words = companion.compiled if companion is not None else None
        telling, other_bits = scanner().elements_with_words(
            self._columns, TELLING.compiled, other_words, _INLINE.tobytes()
        )
        if companion is not None:
            self._known[companion] = other_bits
        return telling

    @property
    def telling(self) -> tuple[Ints, Held, int]:
        """Return the elements whose start tags contain words of `TELLING`, a bit set of these words for each element,
        and a bit set of all such words on the page.
        """
        return self._telling_elements.elements, self._telling_elements.words, self._telling_elements.all

    @property
    def boxes(self) -> tuple[Ints, Held]:
        """Return the elements of `telling` that are boxes with visible text, with a bit set of the words of each."""
        return self._telling_elements.boxes, self._telling_elements.words_of_boxes


def are_boxes(page: Page, candidates: Ints) -> Bools:
    """Return which elements are boxes with visible text."""
    elements, visible_before = page.elements, sums(~page.runs.hidden)
    is_seen = visible_before[elements.last[candidates]] > visible_before[elements.first[candidates]]
    return np.asarray(is_seen & ~among(elements.tag[candidates], _INLINE))


def places_in_source(page: Page, words: tuple[str, ...], most: int) -> Sequence[int]:
    """Return the first few offsets of each ASCII word in the source, word by word."""
    return scanner().places(page.compiled, words, most)
