"""A page scanned by the compiled core, in the same columns as `cut`, `grow` and `flow` make.

What the core must know of tags comes from here, from `tags` and `tree`, so that it is said once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from html.entities import html5
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings import core
from tidings.page import cut, tags, tree
from tidings.page.columns import Bools, Elements, Ints
from tidings.page.counts import Codes, character_classes, lower_cases
from tidings.page.cut import Cut, blunt_foreign
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
_CLOSES_ITSELF: Final = 3  # the refusal of a page with raw text elements that close themselves


@cache
def scanner() -> core.Scanner | None:
    """The compiled scanner, where there is one."""
    if not core.state().is_compiled:
        return None
    count = len(tags.NAMES)
    flags, end_stops = np.zeros(count, np.uint32), np.full(count, _SPECIAL, np.uint32)
    for bit, numbers in enumerate(_SETS):
        flags[list(numbers)] |= np.uint32(1 << bit)
    for number, stops in tree.END_STOPS.items():
        end_stops[number] = 1 << _SETS.index(stops) if stops else 0
    starts = np.array([0, *tags.STARTS.values()], np.uint8)
    known = (tags.NAMES, starts, flags, end_stops, html5, character_classes(), lower_cases(), tree.MAX_DEPTH)
    try:
        return core.Scanner(*known)
    except RuntimeError as error:  # a core that knows other tags
        import logging  # noqa: PLC0415  # a page is read without

        logging.getLogger("tidings.core").debug("pages are scanned in Python: %s", error)
        return None


class RunColumns(NamedTuple):
    """Columns of `tidings.page.runs.Runs`."""

    words: Ints
    element: Ints
    in_link: Bools


class BlockColumns(NamedTuple):
    """Columns of `tidings.page.columns.Blocks`."""

    element: Ints
    words: Ints
    link_words: Ints


class CompiledScan(NamedTuple):
    """A page in columns."""

    cut: Cut
    tree: Tree
    flow: Flow
    elements: Elements
    runs: RunColumns
    blocks: BlockColumns
    start_tags: StartTags
    codes: Codes
    sheet: int  # the style sheets of the page
    hidden: Bools | None  # by run; None where Python has to look
    unseen: tuple[NDArray[np.uint8], Ints] | None  # what `Unseen` is made of
    memory: core.CoreMemory

    def names(self) -> tuple[Ints, NDArray[np.uint64]] | None:
        """Words of the names in start tags: the spelling each is in, its number; None where Python has to look."""
        compiled = scanner()
        return None if compiled is None else compiled.names(self.memory)

    def ways_of(self, start_tags: list[str]) -> list[tuple[int, int]] | None:
        """As `hidden.ways_of_tags`, under the style sheets of this page; None where Python has to look."""
        compiled = scanner()
        return None if compiled is None or not self.sheet else compiled.ways(self.sheet, start_tags)


def scan(source: str, width: int = 0, around: StyleSheet | None = None) -> CompiledScan | None:
    """The columns of a page, or None where there is no core, or one that leaves this page to Python.

    `width` are the bytes in which the source holds each of its characters, where that is known. `around` are the style
    sheets of the page that this is a fragment of.
    """
    compiled = scanner()
    if compiled is None:
        return None
    sheet = None if around is None else around.compiled
    scanned = compiled.scan(source, cut.MAX_TAGS, width=width, around=sheet)
    if scanned == _CLOSES_ITSELF:
        source = blunt_foreign(source)
        scanned = compiled.scan(source, cut.MAX_TAGS, is_blunt=True, around=sheet)
    if isinstance(scanned, int):
        return None
    found = _of(scanned, source)
    if around is None:
        return found
    if sheet is None:  # sheets that Python has to read
        return found._replace(sheet=0, hidden=None, unseen=None)
    return found._replace(sheet=sheet.handle)


def holding(scanned: CompiledScan, sets: Sequence[TagWords], tag: int = 0) -> NDArray[np.uint64] | None:
    """The words in the start tag of each element of a page (`tag_words.holding`), a row for each of at most two sets.

    None where Python has to look.
    """
    compiled, held = scanner(), [one for one in (words.compiled for words in sets) if one is not None]
    if compiled is None or len(held) < len(sets):
        return None
    return compiled.holding(scanned.memory, len(scanned.tree.tag), held, tag)


def _of(scanned: core.Scanned, source: str) -> CompiledScan:
    (
        bounds, codes, tag, parent, depth, opened, closed, owner, start, end, first, last,
        piece, run_start, run_end, text_start, text_end, block, words, block_first, block_element, block_words,
        block_link_words, spelling, spelled, revealed, element, block_last,
    ) = scanned.columns  # fmt: skip
    grown = Tree(tag, parent, depth, opened, closed, owner)
    flow = Flow(scanned.text, piece, run_start, run_end, text_start, text_end, block, block_first, block_last)
    return CompiledScan(
        Cut(source, codes, tags.NAMES + scanned.names, bounds, len(codes) > cut.MAX_TAGS),
        grown,
        flow,
        Elements.over(tag=tag, parent=parent, depth=depth, start=start, end=end, first=first, last=last),
        RunColumns(words, element, scanned.in_link),
        BlockColumns(block_element, block_words, block_link_words),
        StartTags.at(source, spelled.reshape(-1, 2), spelling),
        scanned.codes,
        scanned.sheet,
        scanned.hidden,
        None if scanned.unseen is None else (scanned.unseen, revealed),
        scanned.memory,
    )
