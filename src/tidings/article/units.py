"""What a page writes as one thing and is kept or left out as one: code, formulas, notes, tables, callouts, embeds.

The words of start tags say on which pages there is anything to look for; most
have nothing but a few tables. A unit keeps the first run that it holds among the chosen, the others go: the ordinary
blocks then have one block in its place, which becomes the unit. So its depth in lists and quotes is theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from tidings.article.article_tables import UNIT_WORDS, WORDS
from tidings.article.blocks import Block
from tidings.article.inlines import Style
from tidings.article.places import HALF, StoryPlaces
from tidings.page import Page, Spans, tags
from tidings.page.attributes import attributes
from tidings.page.columns import Bools
from tidings.page.tag_sets import among, tag_set

_BITS: Final = {name: sum(UNIT_WORDS.bit[word] for word in words) for name, words in WORDS.items()}
PARAGRAPHS: Final = tags.numbers("p")
#: What stands beside callouts in a text.
FLOW: Final = PARAGRAPHS | tags.HEADINGS | tags.numbers("ul ol dl pre blockquote table figure")
_RAW: Final = tag_set(frozenset(tags.RAW))
#: Elements without text beside a unit that are passed by.
_NEAREST: Final = 16
#: So few are read one by one in less time than together.
_FEW: Final = 8
#: Characters of a start tag that are read: what is longer holds data for scripts.
LONGEST_TAG: Final = 4000


class Special(NamedTuple):
    """What stands for a run inside a line: another text, and more formatting."""

    text: str | None
    style: Style


class Loose(NamedTuple):
    """What stands in a line and holds no run: its element, its text and formatting."""

    element: int
    text: str
    style: Style


class UnitRange(NamedTuple):
    """Runs whose blocks are parts of something: what is to be done to them, given each block and its first run."""

    first: int
    last: int
    change: Callable[[list[tuple[Block, int]]], list[tuple[Block, int]]]


@dataclass(slots=True)
class FoundUnits:
    """What was found on a page, and what it means for the blocks."""

    page: Page
    base: str
    shown: Spans
    places: StoryPlaces  # of what was shown at first
    chosen: Bools  # by run
    blocks: dict[int, Block] = field(default_factory=dict)  # what the block that begins with a run becomes
    inserted: list[tuple[int, Block]] = field(default_factory=list)  # before the block of a run
    specials: dict[int, Special] = field(default_factory=dict)
    loose: list[Loose] = field(default_factory=list)
    ranges: list[UnitRange] = field(default_factory=list)
    alone: set[int] = field(default_factory=set)  # runs that are a block of their own, though they stand in a line
    flat: set[int] = field(default_factory=set)  # units for which the quote around their run does not count
    joined: set[int] = field(
        default_factory=set
    )  # runs that stand in the line before them, though the page breaks there
    tail: list[Block] = field(default_factory=list)  # behind all others
    outside: set[str] = field(default_factory=set)  # labels of notes that are not in the chosen text
    is_changed: bool = False  # other runs are chosen than at first
    has_tex: bool = False  # formulas may stand in the text between dollar signs
    taken: Bools = field(init=False)  # runs that belong to a unit

    def __post_init__(self) -> None:
        self.taken = np.zeros(len(self.chosen), np.bool_)

    @property
    def is_inline(self) -> bool:
        """Whether something stands inside lines."""
        return bool(self.specials or self.loose or self.alone or self.joined)

    def runs(self, element: int) -> tuple[int, int]:
        """Return the runs of an element, first and one behind the last."""
        return self.page.elements.first.item(element), self.page.elements.last.item(element)

    def share(self, first: int, last: int) -> float:
        """Return how much of what is seen of some runs is chosen, 0 to 1."""
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
        """Return whether what is seen right before and right behind some runs is chosen."""
        hidden = self.page.runs.hidden
        before, behind = first - 1, last
        while before >= 0 and hidden[before]:
            before -= 1
        while behind < len(hidden) and hidden[behind]:
            behind += 1
        inside = before >= 0 and bool(self.chosen[before])
        return inside and behind < len(hidden) and bool(self.chosen[behind])

    def is_kept(self, first: int, last: int, root: int = 0, beside: frozenset[int] = PARAGRAPHS) -> bool:
        """Return whether a unit is kept: half of it is chosen, or all around it and some of it, or its neighbours are.

        Neighbours of the element that is the unit are the paragraphs, or what else may stand beside it, right before
        and behind it in the same element.
        """
        share = self.share(first, last)
        return share >= HALF or (self.is_within(first, last) and (share > 0 or self.is_among_paragraphs(root, beside)))

    def is_among_paragraphs(self, root: int, beside: frozenset[int] = PARAGRAPHS) -> bool:
        """Return whether an element stands between paragraphs of the element around it, but for boxes that hold it
        alone.
        """
        page = self.page
        parent, tag = page.elements.parent, page.elements.tag
        around = parent.item(root) if root > 0 else 0
        while around > 0 and self.runs(around) == self.runs(root):
            root, around = around, parent.item(around)
        if around <= 0:
            return False
        behind, end = inside(page, root).stop, inside(page, around).stop
        before = root - 1
        for _ in range(_NEAREST):
            if behind < end and self.runs(behind)[0] >= self.runs(behind)[1]:
                behind = inside(page, behind).stop
            while before > around and parent.item(before) != around:
                before = parent.item(before)
            if before > around and self.runs(before)[0] >= self.runs(before)[1]:
                before -= 1
        return all(one < end and tag.item(one) in beside for one in (behind, before)) and before > around

    def leave(self, first: int, last: int) -> None:
        """Leave out some runs."""
        self.chosen[first:last] = False

    def becomes(self, first: int, last: int, block: Block) -> None:
        """Some runs become one block."""
        if first >= last:
            self.inserted.append((first, block))
            return
        self.leave(first, last)
        self.chosen[first] = True
        self.taken[first:last] = True
        self.blocks[first] = block

    def says(self, first: int, last: int, text: str, style: Style) -> None:
        """Some runs inside a line become one text."""
        self.leave(first, last)
        self.chosen[first] = True
        self.taken[first:last] = True
        self.specials[first] = Special(text, style)


def named(units: FoundUnits, name: str) -> list[int]:
    """Return the elements from the first chosen text to the last whose start tags tell of a sort of units."""
    bits = _BITS[name]
    if not units.places.words & bits:
        return []
    flags = units.chosen.tobytes()
    begin, end = flags.find(1), flags.rfind(1) + 1
    if not end:
        return []
    telling = zip(*[iter(units.places.telling)] * 4, strict=True)
    return [one for one, words, first, last in telling if words & bits and last >= begin and first <= end]


def says_any(units: FoundUnits, *words: str) -> bool:
    """Return whether the start tag of any element of the page holds one of some of the words."""
    return units.places.words & sum(UNIT_WORDS.bit[word] for word in words) != 0


def present(places: StoryPlaces) -> set[str]:
    """What sorts of units there may be on a page."""
    words = places.words
    return {name for name, own in _BITS.items() if words & own} if words else set()


# -- reading elements ---------------------------------------------------------------------------------------


def children(page: Page, element: int) -> list[int]:
    """Return the elements right inside an element."""
    found = []
    within = inside(page, element)
    at = within.start
    while at < within.stop:
        found.append(at)
        at = inside(page, at).stop
    return found


def inside(page: Page, element: int) -> range:
    """Return the elements inside an element, at any depth."""
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
    """Return the name of an element's tag."""
    return page.tag_names[page.elements.tag.item(element)]


def start_tag(page: Page, element: int) -> str:
    """Return the start tag of an element; of a script or the like without its content."""
    if element <= 0:
        return ""
    bounds = page.cut.bounds
    at = 2 * page.opened.item(element) + 1
    start = bounds.item(at)
    tag = page.source[start : min(bounds.item(at + 1), start + LONGEST_TAG)]
    return tag if page.elements.tag.item(element) not in tags.RAW else tag[: tag.find(">") + 1]


def start_tags(page: Page, elements: Sequence[int]) -> list[str]:
    """Return the start tags of several elements; of a script or the like without its content."""
    if len(elements) < _FEW:
        return [start_tag(page, element) for element in elements]
    some = slice(elements.start, elements.stop) if isinstance(elements, range) else list(elements)
    places = 2 * page.opened[some] + 1
    source, bounds = page.source, page.cut.bounds
    starts, ends = bounds[places], bounds[places + 1]
    ends = np.minimum(ends, starts + LONGEST_TAG)
    found = [source[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    for place in np.flatnonzero(among(page.elements.tag[some], _RAW)).tolist():
        found[place] = found[place][: found[place].find(">") + 1]
    return found


@lru_cache(maxsize=2048)
def _attributes(tag: str) -> dict[str, str]:
    return attributes(tag)


def attributes_of(page: Page, element: int) -> dict[str, str]:
    """Return the attributes of an element, as far as its start tag is of a usual length; not to be changed."""
    return _attributes(start_tag(page, element)[:LONGEST_TAG]) if element > 0 else {}


def classes_of(page: Page, element: int) -> str:
    """Return the class names of an element with a space around each, in small letters."""
    return f" {attributes_of(page, element).get('class', '').lower()} "


def is_longer(page: Page, element: int, most: int) -> bool:
    """Return whether an element says more than so many characters. Long texts are not read."""
    first, last = page.elements.first.item(element), page.elements.last.item(element)
    if first >= last:
        return False
    size = page.runs.text_end.item(last - 1) - page.runs.text_start.item(first)
    # Only preformatted text has white space to fold.
    return size > 8 * most or (size > most and len(text_of(page, element)) > most)


def text_of(page: Page, element: int) -> str:
    """What an element says, on one line, hidden or not."""
    first, last = page.elements.first.item(element), page.elements.last.item(element)
    if first >= last:
        return ""
    return " ".join(page.text[page.runs.text_start.item(first) : page.runs.text_end.item(last - 1)].split())
