"""Words in start tags: which of some words stand in the start tag of each element; and words in all of the source.

Fields look for elements that say in an attribute what they hold: authors, dates, comments. All words that are asked for
on every page (`TELLING`) are looked for at once; what is then left to be read are the few tags that hold one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from tidings import core
from tidings.core import page_questions
from tidings.page import compiled, tags
from tidings.page.columns import Bools, Ints, sums
from tidings.page.flow import among, tag_set

if TYPE_CHECKING:
    from tidings.page.page import Page

#: For each element the words in its start tag, a bit each.
Held = NDArray[np.uint64]

_RAW: Final = tag_set(tags.RAW)
#: What no part of a page is called after: text inside a line, and what holds all.
_INLINE: Final = tag_set(
    frozenset(range(len(tags.NAMES))) - tags.BLOCK | tags.HEADINGS | tags.numbers("html body head p hr button option")
)
_SHORTEST, _MOST = 3, 64
_CAPITALS: Final = re.compile("[A-Z]+")


class TagWords:
    """Words to be looked for together, at most 64. Case does not count in the tags, as far as letters are ASCII.

    Args:
        words: each in small letters, and at best of three characters of ASCII or more: others only Python looks for.
        beside: other words, with which these are looked for at the same time.
    """

    def __init__(self, words: tuple[str, ...], beside: TagWords | None = None) -> None:
        if len(words) > _MOST or not all(words):
            raise ValueError(f"words that cannot be looked for in start tags: {words}")
        self.companion: TagWords | None = beside
        if beside is not None:
            beside.companion = self
        self.bit = {word: 1 << place for place, word in enumerate(words)}
        self._bits: dict[tuple[str, ...], np.uint64 | None] = {}

    def bits(self, words: tuple[str, ...]) -> np.uint64 | None:
        """The bits of some of the words; None if one of them is none of these."""
        if words not in self._bits:
            is_all = all(word in self.bit for word in words)
            self._bits[words] = np.uint64(sum(self.bit[word] for word in set(words))) if is_all else None
        return self._bits[words]

    @cached_property
    def compiled(self) -> core.CoreMemory | None:
        """The words as the core holds them; None if they are not for it."""
        fit = all(len(word) >= _SHORTEST and word.isascii() and "\n" not in word for word in self.bit)
        return core.tag_words(tuple(self.bit)) if fit else None


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
    """Words to be looked for together, those of earlier pages held ready."""
    return TagWords(words)


class HeldWords:
    """What was found of words in the start tags of one page; parts of a page share it."""

    def __init__(self) -> None:
        self._known: dict[TagWords, Held] = {}
        self._telling: tuple[Ints, Held, int] | None = None
        self._boxes: tuple[Ints, Held] | None = None

    def held(self, page: Page, words: TagWords) -> Held:
        """For each element which of the words stand in its start tag, by their bits."""
        known = self._known
        if words not in known:
            sets = [one for one in (words, words.companion) if one is not None]
            held = compiled.holding(page.compiled, sets) if page.compiled is not None else None
            known.update({words: holding(page, words)} if held is None else zip(sets, held, strict=True))
        return known[words]

    def holding(self, page: Page, words: tuple[str, ...], tag: int) -> Ints:
        """The elements, or those with one tag, that have one of the words in their start tags."""
        bits = TELLING.bits(words)
        if bits is None:
            others = tag_words(words)
            held = compiled.holding(page.compiled, (others,), tag) if page.compiled is not None else None
            return (held[0] if held is not None else holding(page, others, tag)).nonzero()[0]
        where, some, words_of_all = self.telling(page)
        if not words_of_all & int(bits):  # as most that are asked for
            return where[:0]
        found = where[(some & bits) > 0]
        return found[page.elements.tag[found] == tag] if tag else found

    def telling(self, page: Page) -> tuple[Ints, Held, int]:
        """The elements that have words of `TELLING` in their start tags, which ones, and which the page has at all."""
        if self._telling is None:  # a few in a hundred elements
            found = compiled.telling(page.compiled, TELLING, _INLINE) if page.compiled is not None else None
            if found is None:
                every = self.held(page, TELLING)
                where = every.nonzero()[0]
                some = every[where]
                self._telling = where, some, int(np.bitwise_or.reduce(some))
            else:
                told, beside = found
                self._telling, self._boxes = (told.elements, told.words, told.all), (told.boxes, told.words_of_boxes)
                self._known.update(beside)
        return self._telling

    def boxes(self, page: Page) -> tuple[Ints, Held]:
        """Those of them that are boxes which hold text that a reader sees."""
        where, some, _ = self.telling(page)
        if page.compiled is not None and self._boxes is not None:  # and no part of a page
            return self._boxes
        is_box = are_boxes(page, where)
        return where[is_box], some[is_box]


def are_boxes(page: Page, found: Ints) -> Bools:
    """Which elements are boxes that hold text a reader sees."""
    elements, shown = page.elements, sums(~page.runs.hidden)
    is_seen = shown[elements.last[found]] > shown[elements.first[found]]
    return np.asarray(is_seen & ~among(elements.tag[found], _INLINE))


def holding(page: Page, words: TagWords, tag: int = 0) -> Held:
    """The words in the start tag of each element, or of each element with one tag."""
    elements = np.flatnonzero((page.elements.tag == tag) if tag else (page.opened >= 0))
    tags_of = page.cut.tags(page.opened[elements])
    for place in np.flatnonzero(among(page.elements.tag[elements], _RAW)).tolist():  # without what is in them
        tags_of[place] = tags_of[place].partition(">")[0]
    number = {spelled: place for place, spelled in enumerate(dict.fromkeys(tags_of))}
    joined = "\n".join((*number, ""))
    joined = joined.lower() if joined.isascii() else _CAPITALS.sub(lambda match: match[0].lower(), joined)
    ends = np.cumsum(np.fromiter(map(len, number), np.int64, len(number)) + 1)
    of_spelling = np.zeros(len(number), np.uint64)
    for word, bit in words.bit.items():
        hit = np.zeros(len(number), np.bool_)
        hit[np.searchsorted(ends, list(_places(joined, word)), side="right")] = True
        of_spelling[hit] |= np.uint64(bit)
    held = np.zeros(len(page.elements), np.uint64)
    held[elements] = of_spelling[np.fromiter(map(number.__getitem__, tags_of), np.int64, len(tags_of))]
    return held


def places_in_source(page: Page, words: tuple[str, ...], most: int) -> Sequence[int]:
    """Where words of ASCII stand in the source, word by word, of each the first few, one behind the other."""
    if page.compiled is not None and page.cut.source is page.source:
        found = page_questions.places(page.compiled.memory, words, most)
        if found is not None:
            return found
    places = []
    for word in words:
        at = page.source.find(word)
        for _ in range(most):
            if at < 0:
                break
            places.append(at)
            at = page.source.find(word, at + len(word))
    return places


def _places(joined: str, word: str) -> Iterator[int]:
    """Where a word stands, once in each tag but for those with line breaks in them."""
    at = joined.find(word)
    while at >= 0:
        yield at
        at = joined.find(word, joined.find("\n", at))
