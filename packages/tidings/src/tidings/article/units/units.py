"""Units: parts of a page that are kept or left out as a whole, such as code, formulas, notes, tables, callouts and
embeds.

Words in start tags show which units a page may have; most pages have few or none. Of the runs of a unit, only the first
stays selected. The plain blocks then have one block in its position, which is replaced by the unit. So the unit gets
the list and quote depth of that block.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from tidings.article.model.blocks import Block
from tidings.article.model.inlines import Style
from tidings.article.units.article_tables import UNIT_WORDS, WORDS
from tidings.article.units.places import HALF, StoryPlaces
from tidings.page import Page, Spans, tags
from tidings.page.attributes import attributes
from tidings.page.columns import Bools
from tidings.page.tag_sets import among, tag_set

_BITS: Final = {name: sum(UNIT_WORDS.bit[word] for word in words) for name, words in WORDS.items()}
PARAGRAPHS: Final = tags.numbers("p")
#: Elements that are the usual neighbours of a callout in a text.
FLOW: Final = PARAGRAPHS | tags.HEADINGS | tags.numbers("ul ol dl pre blockquote table figure")
_RAW: Final = tag_set(frozenset(tags.RAW))
#: Empty elements next to a unit that are skipped.
_NEAREST: Final = 16
#: Up to this number, reading elements one by one is faster than reading them at once.
_FEW: Final = 8
#: Characters of a start tag that are read; longer ones hold data for scripts.
LONGEST_TAG: Final = 4000


class Special(NamedTuple):
    """Replacement text and additional formatting for a text run inside a line. If `text` is None, the run keeps its
    text.
    """

    text: str | None
    style: Style


class Loose(NamedTuple):
    """An inline that is not in any text run of the page: the element that it stands for, its text and its
    formatting.
    """

    element: int
    text: str
    style: Style


class UnitRange(NamedTuple):
    """A range of text runs that forms a unit, such as a quote or callout, and the function that changes its blocks.
    `change` receives and returns pairs of a block and the index of its first run.
    """

    first: int
    last: int
    change: Callable[[list[tuple[Block, int]]], list[tuple[Block, int]]]


@dataclass(slots=True)
class FoundUnits:
    """The units (such as code, formulas, notes and tables) that were detected on a page, and how they change the
    article's text runs and blocks.
    """

    page: Page
    base: str
    visible: Spans
    places: StoryPlaces  # of the visible selection before units are applied
    chosen: Bools  # by run
    blocks: dict[int, Block] = field(default_factory=dict)  # what the block that begins with a run becomes
    inserted: list[tuple[int, Block]] = field(default_factory=list)  # before the block of a run
    specials: dict[int, Special] = field(default_factory=dict)
    loose: list[Loose] = field(default_factory=list)
    ranges: list[UnitRange] = field(default_factory=list)
    alone: set[int] = field(default_factory=set)  # inline runs that form their own block
    flat: set[int] = field(default_factory=set)  # units for which the quote around their run does not count
    continuing: set[int] = field(default_factory=set)  # runs that continue the previous line despite a break
    tail: list[Block] = field(default_factory=list)  # appended at the end
    outside: set[str] = field(default_factory=set)  # labels of notes outside the selected text
    is_changed: bool = False  # whether the selection of runs has changed
    has_tex: bool = False  # the text may contain formulas between dollar signs
    claimed: Bools = field(init=False)  # runs that belong to a unit

    def __post_init__(self) -> None:
        self.claimed = np.zeros(len(self.chosen), np.bool_)

    @property
    def is_inline(self) -> bool:
        """Return whether there are units (such as formulas) inside lines of text."""
        return bool(self.specials or self.loose or self.alone or self.continuing)

    @property
    def makes_blocks(self) -> bool:
        """Return whether units become blocks, or move or change blocks."""
        return bool(self.blocks or self.inserted or self.ranges or self.tail or self.has_tex or self.outside)

    def runs(self, element: int) -> tuple[int, int]:
        """Return the range of runs of an element: the first, and one past the last."""
        return self.page.elements.first.item(element), self.page.elements.last.item(element)

    def share(self, first: int, last: int) -> float:
        """Return the selected share of the visible text of some runs, 0 to 1."""
        flags = self.chosen[first:last].tobytes()
        if b"\1" not in flags:
            return 0.0
        runs = self.page.runs
        if b"\0" not in flags:
            return 0.0 if runs.hidden[first:last].all() else 1.0
        size = (runs.text_end[first:last] - runs.text_start[first:last]) * ~runs.hidden[first:last]
        whole = int(size.sum())
        return int(size[self.chosen[first:last]].sum()) / whole if whole else 0.0

    def is_within(self, first: int, last: int) -> bool:
        """Return whether the visible runs directly before and after some runs are selected."""
        hidden = self.page.runs.hidden
        before, behind = first - 1, last
        while before >= 0 and hidden[before]:
            before -= 1
        while behind < len(hidden) and hidden[behind]:
            behind += 1
        inside = before >= 0 and bool(self.chosen[before])
        return inside and behind < len(hidden) and bool(self.chosen[behind])

    def is_kept(self, first: int, last: int, root: int = 0, neighbours: frozenset[int] = PARAGRAPHS) -> bool:
        """Return whether to keep a unit.

        A unit is kept if half of it is selected, or if the text around it is selected and either part of the unit is
        selected or its neighbours are of the expected types.

        Args:
            first: the first run.
            last: one past the last run.
            root: the element of the unit.
            neighbours: tags of the expected neighbours of the element.
        """
        share = self.share(first, last)
        return share >= HALF or (
            self.is_within(first, last) and (share > 0 or self.is_among_paragraphs(root, neighbours))
        )

    def is_among_paragraphs(self, root: int, neighbours: frozenset[int] = PARAGRAPHS) -> bool:
        """Return whether the neighbours of an element inside its parent are paragraphs or other expected elements.

        Boxes that hold only the element are skipped.
        """
        page = self.page
        parent, tag = page.elements.parent, page.elements.tag
        parent_element = parent.item(root) if root > 0 else 0
        while parent_element > 0 and self.runs(parent_element) == self.runs(root):
            root, parent_element = parent_element, parent.item(parent_element)
        if parent_element <= 0:
            return False
        behind, end = inside(page, root).stop, inside(page, parent_element).stop
        before = root - 1
        for _ in range(_NEAREST):
            if behind < end and self.runs(behind)[0] >= self.runs(behind)[1]:
                behind = inside(page, behind).stop
            while before > parent_element and parent.item(before) != parent_element:
                before = parent.item(before)
            if before > parent_element and self.runs(before)[0] >= self.runs(before)[1]:
                before -= 1
        return (
            all(element < end and tag.item(element) in neighbours for element in (behind, before))
            and before > parent_element
        )

    def leave(self, first: int, last: int) -> None:
        """Deselect the text runs from `first` to `last` (exclusive), so that they are not in the article."""
        self.chosen[first:last] = False

    def becomes(self, first: int, last: int, block: Block) -> None:
        """Replace the text runs from `first` to `last` (exclusive) by one block; insert the block before `first` if the
        range is empty.
        """
        if first >= last:
            self.inserted.append((first, block))
            return
        self.leave(first, last)
        self.chosen[first] = True
        self.claimed[first:last] = True
        self.blocks[first] = block

    def says(self, first: int, last: int, text: str, style: Style) -> None:
        """Replace the text runs from `first` to `last` (exclusive), which are inside a line, by one formatted text."""
        self.leave(first, last)
        self.chosen[first] = True
        self.claimed[first:last] = True
        self.specials[first] = Special(text, style)


def named(units: FoundUnits, name: str) -> list[int]:
    """Return the elements whose start tags contain a word of the given unit types."""
    bits = _BITS[name]
    if not units.places.words & bits:
        return []
    flags = units.chosen.tobytes()
    begin, end = flags.find(1), flags.rfind(1) + 1
    if not end:
        return []
    telling = zip(*[iter(units.places.unit_elements)] * 4, strict=True)
    return [one for one, words, first, last in telling if words & bits and last >= begin and first <= end]


def says_any(units: FoundUnits, *words: str) -> bool:
    """Return whether any start tag of the page contains a word of the given unit types."""
    return units.places.words & sum(UNIT_WORDS.bit[word] for word in words) != 0


def present(places: StoryPlaces) -> set[str]:
    """Return the names of the unit types (such as code or notes) that may occur on the page, judged by words in its
    tags.
    """
    words = places.words
    return {name for name, own in _BITS.items() if words & own} if words else set()


# -- reading elements ---------------------------------------------------------------------------------------


def children(page: Page, element: int) -> list[int]:
    """Return the child elements of an element."""
    elements = []
    descendants = inside(page, element)
    element_at = descendants.start
    while element_at < descendants.stop:
        elements.append(element_at)
        element_at = inside(page, element_at).stop
    return elements


def inside(page: Page, element: int) -> range:
    """Return the descendants of an element."""
    behind: list[int] | dict[int, int] | None = page.memo.get(inside)
    if behind is None:
        behind = page.memo[inside] = {}
    if isinstance(behind, dict) and element not in behind:
        start, end = page.elements.start, page.elements.end
        if len(behind) < _FEW:
            behind[element] = int(start.searchsorted(end[element]))
        else:  # of all elements at once: some are asked for thousands of times
            behind = page.memo[inside] = start.searchsorted(end).tolist()
    return range(element + 1, max(behind[element], element + 1))


def tag_of(page: Page, element: int) -> str:
    """Return the tag name of an element."""
    return page.tag_names[page.elements.tag.item(element)]


def start_tag(page: Page, element: int) -> str:
    """Return the start tag of an element, for scripts and the like without the content."""
    if element <= 0:
        return ""
    bounds = page.cut.bounds
    at = 2 * page.opened.item(element) + 1
    start = bounds.item(at)
    tag = page.source[start : min(bounds.item(at + 1), start + LONGEST_TAG)]
    return tag if page.elements.tag.item(element) not in tags.RAW else tag[: tag.find(">") + 1]


def start_tags(page: Page, elements: Sequence[int]) -> list[str]:
    """Return the start tags of several elements, for scripts and the like without the content."""
    if len(elements) < _FEW:
        return [start_tag(page, element) for element in elements]
    selection = slice(elements.start, elements.stop) if isinstance(elements, range) else list(elements)
    places = 2 * page.opened[selection] + 1
    source, bounds = page.source, page.cut.bounds
    starts, ends = bounds[places], bounds[places + 1]
    ends = np.minimum(ends, starts + LONGEST_TAG)
    tags_read = [source[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    for place in np.flatnonzero(among(page.elements.tag[selection], _RAW)).tolist():
        tags_read[place] = tags_read[place][: tags_read[place].find(">") + 1]
    return tags_read


@lru_cache(maxsize=2048)
def _attributes(tag: str) -> dict[str, str]:
    return attributes(tag)


def attributes_of(page: Page, element: int) -> dict[str, str]:
    """Return the attributes of an element, ignoring the end of overlong start tags. Do not change the result."""
    return _attributes(start_tag(page, element)[:LONGEST_TAG]) if element > 0 else {}


def classes_of(page: Page, element: int) -> str:
    """Return the class names of an element in lower case, each surrounded by spaces."""
    return f" {attributes_of(page, element).get('class', '').lower()} "


def is_longer(page: Page, element: int, most: int) -> bool:
    """Return whether the text of an element is longer than a limit, without reading long texts."""
    first, last = page.elements.first.item(element), page.elements.last.item(element)
    if first >= last:
        return False
    size = page.runs.text_end.item(last - 1) - page.runs.text_start.item(first)
    # Only preformatted text has white space to fold.
    return size > 8 * most or (size > most and len(text_of(page, element)) > most)


def text_of(page: Page, element: int) -> str:
    """Return the text of an element on one line, including hidden text."""
    first, last = page.elements.first.item(element), page.elements.last.item(element)
    if first >= last:
        return ""
    return " ".join(page.text[page.runs.text_start.item(first) : page.runs.text_end.item(last - 1)].split())
