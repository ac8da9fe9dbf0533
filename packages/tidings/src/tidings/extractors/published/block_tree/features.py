"""The features of a block in the hybrid approach, for every block of a page at once.

Uzun, Agun and Yerlikaya 2013, section 4.3, tables 3 to 5: words, links, words in links, words for each link, the share
of words in links and the density of text in the markup; each once for all that the block holds and once **after
extraction**, when the DIV and TD inside are taken out; besides these the tag's name and whether it has an id and a
class. A wrapper of the whole page has as many words as the story, but after extraction none of its own.

What an element holds is a difference of prefix sums. What is to be taken out of it are the layout elements inside it
that have no other layout element between: ordered by the layout element next around them and by place, those of one
element stand together, so that they too are a difference of prefix sums.

The publication does not say how density is counted: here characters of visible text over characters of source, scripts
and styles left out. A link is one link to itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.page import Page, tags
from tidings.page.columns import Bools, Ints, sums
from tidings.page.tag_sets import among, tag_set


class BlockClass(IntEnum):
    """What a block is to a reader."""

    MAIN = 0  # the DIV or TD that holds the story
    HEADLINE = 1
    INFORMATION = 2  # summary, author, date, captions, comments
    UNINFORMATIVE = 3  # advertisements, links, menus, and boxes around other blocks

    @property
    def label(self) -> str:
        """In words, as tables have it."""
        return _LABELS[self]


_LABELS = {
    BlockClass.MAIN: "main",
    BlockClass.HEADLINE: "headline",
    BlockClass.INFORMATION: "article information",
    BlockClass.UNINFORMATIVE: "uninformative",
}


Floats = NDArray[np.float64]

#: The tags that lay out a page, and that main blocks have (section 3).
LAYOUT: Final = ("div", "td")
#: Those of headlines and of article information (section 4.3), then what pages of today have in their place.
OTHERS: Final = (
    "h1", "h2", "h3", "h4", "h5", "h6", "p", "font", "a", "span", "em", "ul", "li", "strong",
    "article", "section", "main", "header", "aside", "footer", "nav", "ol", "dd", "dt", "figcaption", "time", "address",
    "b", "i", "small", "cite", "blockquote", "th", "label",
)  # fmt: skip
TAGS: Final = LAYOUT + OTHERS

#: The features that are counted, by the short names of tables 3 and 4 and what they stand for.
COUNTED: Final = {
    "wf": "words",
    "lf": "links",
    "wf_l": "words in links",
    "a_wf_l": "words for each link",
    "r_wf_l_aw": "share of words in links",
    "d_html": "density of text in the markup",
}
AFTER: Final = tuple(f"{name}_ae" for name in COUNTED)
#: All features in their order; the last three are names, not numbers (table 5).
FEATURES: Final = (*COUNTED, *AFTER, "tn", "id", "class")
_TAG: Final = FEATURES.index("tn")

_LAYOUT: Final = tag_set(tags.numbers(" ".join(LAYOUT)))
_BLOCK: Final = tag_set(tags.numbers(" ".join(TAGS)))
_RAW: Final = tag_set(tags.RAW | tags.numbers("svg"))
_LINK: Final = tags.NUMBERS["a"]
_PLACE: Final = np.zeros(len(tags.NAMES) + 1, np.int64)  # of a tag in TAGS
_PLACE[[tags.NUMBERS[name] for name in TAGS]] = range(len(TAGS))


@dataclass(frozen=True, slots=True, eq=False)
class PageBlocks:
    """The blocks of a page: elements of `TAGS` with text to be seen, in document order, and the features of each."""

    element: Ints
    rows: Floats  # a row a block, a column a feature of `FEATURES`; a tag is its place in `TAGS`

    def tag(self, block: int) -> str:
        """Return the name of a block's tag."""
        return TAGS[int(self.rows[block, _TAG])]

    @property
    def layout(self) -> Bools:
        """Which blocks are DIV or TD, and so can be main."""
        return np.asarray(self.rows[:, _TAG] < len(LAYOUT))


def features(page: Page) -> PageBlocks:
    """Return the blocks of a page and their features."""
    elements = page.elements
    whole = _held(page)
    after = np.maximum(whole - _taken_out(page, whole), 0)
    block = np.flatnonzero(among(elements.tag, _BLOCK) & (whole[0] > 0))
    named = [_named(page, element) for element in block.tolist()]
    names = np.array(named, np.float64).reshape(len(block), 2)
    place = _PLACE[elements.tag[block]]
    rows = np.column_stack([*_counted(whole[:, block]), *_counted(after[:, block]), place, names])
    return PageBlocks(block, rows)


def behind(page: Page) -> Ints:
    """For each element the number of the first one behind it that is not inside."""
    elements = page.elements
    inside = np.arange(1, len(elements) + 1)
    return np.maximum(np.searchsorted(elements.start, elements.end, side="left"), inside)


def _held(page: Page) -> Ints:
    """Return words, links, words in links, characters of text and of markup that each element holds, a row each."""
    elements, runs = page.elements, page.runs
    seen = ~runs.hidden
    of_runs = [sums(column * seen) for column in (runs.words, runs.words * runs.in_link, runs.chars)]
    words, linked, text = (column[elements.last] - column[elements.first] for column in of_runs)
    here, end = np.arange(len(elements)), behind(page)
    links, raw = sums(elements.tag == _LINK), sums((elements.end - elements.start) * among(elements.tag, _RAW))
    markup = elements.end - elements.start - (raw[end] - raw[here])
    return np.stack([words, links[end] - links[here], linked, text, markup])


def _taken_out(page: Page, held: Ints) -> Ints:
    """Of each count what stands in the layout elements inside an element, those nearest to it counted once."""
    elements, count = page.elements, len(page.elements)
    layout = among(elements.tag, _LAYOUT)
    around = page.nearest_of(layout)
    inner = np.flatnonzero(layout)
    owner = np.where(elements.parent[inner] < 0, 0, around[np.maximum(elements.parent[inner], 0)])
    key = owner * (count + 1) + inner
    order = np.argsort(key, kind="stable")
    first = np.searchsorted(key[order], around * (count + 1) + np.arange(1, count + 1))
    last = np.maximum(np.searchsorted(key[order], around * (count + 1) + behind(page)), first)
    taken = []
    for column in held:
        before = sums(column[inner[order]])
        taken.append(before[last] - before[first])
    return np.stack(taken)


def _counted(held: Ints) -> list[Floats]:
    words, links, linked, text, markup = held.astype(np.float64)
    return [
        words,
        links,
        linked,
        linked / np.maximum(links, 1),
        linked / np.maximum(words, 1),
        text / np.maximum(markup, 1),
    ]


def _named(page: Page, element: int) -> tuple[bool, bool]:
    """Return whether an element has an id and a class."""
    found = page.attributes(element)
    return bool(found.get("id", "").strip()), bool(found.get("class", "").strip())
