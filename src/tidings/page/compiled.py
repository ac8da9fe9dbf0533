"""A page scanned by the compiled core, in the same columns as `cut`, `grow` and `flow` make.

What the core must know of tags comes from here, from `tags` and `tree`, so that it is said once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from html.entities import html5
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings import core
from tidings.page import cut, tags, tree
from tidings.page.columns import Bools, Elements, Ints, kept
from tidings.page.counts import Codes, character_classes, lower_cases
from tidings.page.cut import Cut
from tidings.page.flow import Flow
from tidings.page.hidden import ELSEWHERE, NEVER_ASKED
from tidings.page.start_tags import StartTags
from tidings.page.style_sheet import StyleSheet
from tidings.page.tree import Tree

if TYPE_CHECKING:
    from tidings.page.tag_words import TagWords

#: Sets of tags by the bit that the core knows them under (`core/src/tables.rs`).
_SETS: Final = (
    tags.BLOCK,
    tags.SKIPPED,
    tags.PREFORMATTED,
    tags.HEADINGS,
    tags.SCOPE,
    tags.FORMATTING,
    tags.SPECIAL,
    tree.P_SCOPE,
    tree.LIST_SCOPE,
    tree.TABLE_SCOPE,
    tree.ITEM_STOPS,
    tree.TERM_STOPS,
    tree.TERMS,
    tree.RUBY_TEXTS,
    tree.OUTSIDE_TABLE,
    tree.TABLE_CONTEXT[tags.Start.SECTION],
    tree.TABLE_CONTEXT[tags.Start.ROW],
    tree.TABLE_CONTEXT[tags.Start.CELL],
    tree.BREAKS_OUT,
    tags.RAW,
    tags.HIDDEN,
    NEVER_ASKED,
    ELSEWHERE,
)
_SPECIAL: Final = 1 << _SETS.index(tags.SPECIAL)


@cache
def scanner() -> core.Scanner:
    """Return the compiled scanner.

    Raises:
        CoreMissing: there is no core, or it knows other tags.
    """
    count = len(tags.NAMES)
    flags, end_stops = np.zeros(count, np.uint32), np.full(count, _SPECIAL, np.uint32)
    for bit, numbers in enumerate(_SETS):
        flags[list(numbers)] |= np.uint32(1 << bit)
    for number, stops in tree.END_STOPS.items():
        end_stops[number] = 1 << _SETS.index(stops) if stops else 0
    starts = np.array([0, *tags.STARTS.values()], np.uint8)
    known = (tags.NAMES, starts, flags, end_stops, html5, character_classes(), lower_cases(), tree.MAX_DEPTH)
    return core.Scanner(*known)


class BlockColumns(NamedTuple):
    """Columns of `tidings.page.columns.Blocks`."""

    element: Ints
    words: Ints
    link_words: Ints


class CompiledScan:
    """A page in columns, which are made where they are asked for.

    Args:
        scanned: what the core found.
        source: what it was found in.
        sheet: the style sheets that hold for the page.
    """

    def __init__(self, scanned: core.Scanned, source: str, sheet: int) -> None:
        self._scanned, self._source, self.sheet = scanned, source, sheet

    @property
    def text(self) -> str:
        """The canonical text."""
        return self._scanned.text

    @property
    def memory(self) -> core.CoreMemory:
        """All of it, as the core holds it."""
        return self._scanned.memory

    @property
    def size(self) -> int:
        """How many elements there are."""
        return self._scanned.size_of(2)

    @property
    def cut(self) -> Cut:
        """The source taken apart."""
        bounds, codes = self._scanned.columns(0, 1)
        return Cut(self._source, codes, tags.NAMES + self._scanned.names, bounds, len(codes) > cut.MAX_TAGS)

    @property
    def tree(self) -> Tree:
        """Its elements."""
        return Tree(*self._scanned.columns(2, 3, 4, 5, 6, 7))

    @property
    def flow(self) -> Flow:
        """Its runs and blocks."""
        return Flow(self.text, *self._scanned.columns(12, 13, 14, 15, 16, 17, 19, 27))

    @property
    def text_ranges(self) -> tuple[Ints, Ints]:
        """Where each run begins and ends in the text."""
        start, end = self._scanned.columns(15, 16)
        return start, end

    @property
    def elements(self) -> Elements:
        """Columns of its elements."""
        tag, parent, depth, start, end, first, last = self._scanned.columns(2, 3, 4, 8, 9, 10, 11)
        return Elements.over(tag=tag, parent=parent, depth=depth, start=start, end=end, first=first, last=last)

    @property
    def start_tags(self) -> StartTags:
        """The start tags of those that hold text."""
        spelling, spelled = self._scanned.columns(23, 24)
        return StartTags.at(self._source, spelled, spelling)

    @property
    def runs(self) -> dict[str, Ints | Bools]:
        """Columns of its runs."""
        columns = self._scanned.columns(13, 14, 15, 16, 17, 18, 26)
        start, end, text_start, text_end, block, words, element = columns
        return {
            "start": start,
            "end": end,
            "text_start": text_start,
            "text_end": text_end,
            "block": block,
            "words": words,
            "element": element,
            "in_link": self._scanned.in_link,
        }

    @property
    def blocks_size(self) -> int:
        """How many blocks there are."""
        return self._scanned.size_of(21)

    @property
    def runs_size(self) -> int:
        """How many runs there are."""
        return self._scanned.runs_size

    @property
    def blocks(self) -> BlockColumns:
        """Columns of its blocks."""
        return BlockColumns(*self._scanned.columns(20, 21, 22))

    @property
    def codes(self) -> Codes:
        """The characters of the text."""
        return self._scanned.codes

    @kept
    def hidden(self) -> Bools:
        """By run whether nobody sees it."""
        return self._scanned.hidden

    @property
    def reveals(self) -> bool:
        """Whether it may be that hidden text counts as seen."""
        return self._scanned.size_of(25) > 0

    @property
    def unseen(self) -> tuple[NDArray[np.uint8], Ints]:
        """What `Unseen` is made of."""
        return self._scanned.unseen, self._scanned.columns(25)[0]

    def names(self) -> tuple[Ints, NDArray[np.uint64]]:
        """Return the words of the names in start tags: the spelling each is in, its number."""
        return scanner().names(self.memory)


def scan(source: str, width: int = 0, around: StyleSheet | None = None) -> CompiledScan:
    """Return the columns of a page.

    `width` are the bytes in which the source holds each of its characters, where that is known. `around` are the style
    sheets of the page that this is a fragment of.

    Raises:
        CoreMissing: there is no core.
        CoreError: the core failed on this page.
    """
    compiled = scanner()
    sheet = None if around is None else around.compiled
    scanned = compiled.scan(source, cut.MAX_TAGS, width=width, around=sheet)
    if around is None:
        return CompiledScan(scanned, source, scanned.sheet)
    return CompiledScan(scanned, source, sheet.handle if sheet is not None else scanned.sheet)


def holding(scanned: CompiledScan, sets: Sequence[TagWords], tag: int = 0) -> NDArray[np.uint64] | None:
    """The words in the start tag of each element of a page (`tag_words.holding`), a row for each of at most two sets.

    None where Python has to look.
    """
    held = [one for one in (words.compiled for words in sets) if one is not None]
    if len(held) < len(sets):
        return None
    return scanner().holding(scanned.memory, scanned.size, held, tag)


def telling(
    scanned: CompiledScan, words: TagWords, inline: Bools
) -> tuple[core.TellingElements, Mapping[TagWords, NDArray[np.uint64]]] | None:
    """The elements with words in their start tags (`HeldWords.telling`, `boxes`), and what is held of other words.

    None where Python has to look.
    """
    beside = words.companion
    if beside is None:
        return None
    own, others = words.compiled, beside.compiled
    if own is None or others is None:
        return None
    found = scanner().telling(scanned.memory, scanned.size, own, others, inline.tobytes())
    return None if found is None else (found[0], {beside: found[1]})
