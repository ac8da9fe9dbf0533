"""Words in start tags: which of some words stand in the start tag of each element; and words in all of the source.

Fields look for elements that say in an attribute what they hold: authors, dates, comments. All words that are asked for
on every page (`TELLING`) are looked for at once; what is then left to be read are the few tags that hold one.
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

#: For each element the words in its start tag, a bit each.
Held = NDArray[np.uint64]

#: What no part of a page is called after: text inside a line, and what holds all.
_INLINE: Final = tag_set(
    frozenset(range(len(tags.NAMES))) - tags.BLOCK | tags.HEADINGS | tags.numbers("html body head p hr button option")
)
_SHORTEST, _MOST = 3, 64


def _fits(word: str) -> bool:
    return len(word) >= _SHORTEST and word.isascii() and "\n" not in word and word == word.lower()


class TagWords:
    """Words to be looked for together, at most 64. Case does not count in the tags, as far as letters are ASCII.

    Args:
        words: each of at least three characters of ASCII, in small letters.
        beside: other words, with which these are looked for at the same time.

    Raises:
        ValueError: there are too many words, or one of them does not fit.
    """

    def __init__(self, words: tuple[str, ...], beside: TagWords | None = None) -> None:
        if len(words) > _MOST or not all(map(_fits, words)):
            raise ValueError(f"words that cannot be looked for in start tags: {words}")
        self.companion: TagWords | None = beside
        if beside is not None:
            beside.companion = self
        self.bit = {word: 1 << place for place, word in enumerate(words)}
        self._bits: dict[tuple[str, ...], np.uint64 | None] = {}

    def bits(self, words: tuple[str, ...]) -> np.uint64 | None:
        """Return the bits of some of the words; None if one of them is none of these."""
        if words not in self._bits:
            is_all = all(word in self.bit for word in words)
            self._bits[words] = np.uint64(sum(self.bit[word] for word in set(words))) if is_all else None
        return self._bits[words]

    @cached_property
    def compiled(self) -> core.CoreMemory:
        """The words as the core holds them."""
        return core.tag_words(tuple(self.bit))


#: What is asked for on every page.
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
    """Return words to be looked for together, those of earlier pages held ready."""
    return TagWords(words)


class HeldWords:
    """Words in the start tags of a page."""

    def __init__(self, columns: core.PageColumns) -> None:
        self._columns = columns
        self._known: dict[TagWords, Held] = {}

    def held(self, words: TagWords) -> Held:
        """For each element which of the words stand in its start tag, by their bits."""
        known = self._known
        if words not in known:
            sets = [words] if words.companion is None else [words, words.companion]
            held = scanner().tag_words(self._columns, [one.compiled for one in sets])
            known.update(zip(sets, held, strict=True))
        return known[words]

    def holding(self, words: tuple[str, ...], tag: int) -> Ints:
        """Return the elements, or those with one tag, that have one of the words in their start tags."""
        bits = TELLING.bits(words)
        if bits is None:
            return scanner().tag_words(self._columns, [tag_words(words).compiled], tag)[0].nonzero()[0]
        where, some, words_of_all = self.telling
        if not words_of_all & int(bits):  # as most that are asked for
            return where[:0]
        found = where[(some & bits) > 0]
        return found[self._columns.tag[found] == tag] if tag else found

    @kept
    def _found(self) -> core.ElementsWithWords:
        beside = TELLING.companion
        others = beside.compiled if beside is not None else None
        found, held = scanner().elements_with_words(self._columns, TELLING.compiled, others, _INLINE.tobytes())
        if beside is not None:
            self._known[beside] = held
        return found

    @property
    def telling(self) -> tuple[Ints, Held, int]:
        """The elements that have words of `TELLING` in their start tags, which ones, and which the page has at all."""
        return self._found.elements, self._found.words, self._found.all

    @property
    def boxes(self) -> tuple[Ints, Held]:
        """Those of them that are boxes which hold text that a reader sees."""
        return self._found.boxes, self._found.words_of_boxes


def are_boxes(page: Page, found: Ints) -> Bools:
    """Return which elements are boxes that hold text a reader sees."""
    elements, shown = page.elements, sums(~page.runs.hidden)
    is_seen = shown[elements.last[found]] > shown[elements.first[found]]
    return np.asarray(is_seen & ~among(elements.tag[found], _INLINE))


def places_in_source(page: Page, words: tuple[str, ...], most: int) -> Sequence[int]:
    """Return where words of ASCII stand in the source, word by word, of each the first few, one behind the other."""
    return scanner().places(page.compiled, words, most)
