"""Block features of the hybrid approach, for all blocks of a page at once.

Source: Uzun, Agun and Yerlikaya 2013, section 4.3, tables 3 to 5. The features are words, links, words in links, words
per link, the share of words in links, and the density of text in the markup. Each is computed for the whole content of
a block and again **after extraction**, without the inner DIV and TD. Further features are the name of the tag and
whether it has an id and a class. A wrapper around the whole page has as many words as the story, but none of its own
after extraction.

The content of an element is a difference of prefix sums. The content to be subtracted is that of the layout elements
inside it without another layout element between. Sorted by their nearest outer layout element and by position, the ones
inside an element are contiguous, so they too are a difference of prefix sums.

The publication does not define density: here it is characters of visible text divided by characters of source without
scripts and styles. A link has one link, itself.
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
    """The role of a block for a reader."""

    MAIN = 0  # the DIV or TD with the story
    HEADLINE = 1
    INFORMATION = 2  # summary, author, date, captions, comments
    UNINFORMATIVE = 3  # advertisements, links, menus, and boxes around other blocks

    @property
    def label(self) -> str:
        """Return the name of the class for tables."""
        return _LABELS[self]


_LABELS = {
    BlockClass.MAIN: "main",
    BlockClass.HEADLINE: "headline",
    BlockClass.INFORMATION: "article information",
    BlockClass.UNINFORMATIVE: "uninformative",
}


Floats = NDArray[np.float64]

#: Layout tags, which main blocks have (section 3).
LAYOUT: Final = ("div", "td")
#: Tags of headlines and of article information (section 4.3), then those that current pages use instead.
OTHERS: Final = (
    "h1", "h2", "h3", "h4", "h5", "h6", "p", "font", "a", "span", "em", "ul", "li", "strong",
    "article", "section", "main", "header", "aside", "footer", "nav", "ol", "dd", "dt", "figcaption", "time", "address",
    "b", "i", "small", "cite", "blockquote", "th", "label",
)  # fmt: skip
TAGS: Final = LAYOUT + OTHERS

#: The numeric features: short names of tables 3 and 4, and their meanings.
COUNTED: Final = {
    "wf": "words",
    "lf": "links",
    "wf_l": "words in links",
    "a_wf_l": "words for each link",
    "r_wf_l_aw": "share of words in links",
    "d_html": "density of text in the markup",
}
AFTER: Final = tuple(f"{name}_ae" for name in COUNTED)
#: All features in order; the last three are nominal (table 5).
FEATURES: Final = (*COUNTED, *AFTER, "tn", "id", "class")
_TAG: Final = FEATURES.index("tn")

_LAYOUT: Final = tag_set(tags.numbers(" ".join(LAYOUT)))
_BLOCK: Final = tag_set(tags.numbers(" ".join(TAGS)))
_RAW: Final = tag_set(tags.RAW | tags.numbers("svg"))
_LINK: Final = tags.NUMBERS["a"]
_PLACE: Final = np.zeros(len(tags.NAMES) + 1, np.int64)  # position of a tag in TAGS
_PLACE[[tags.NUMBERS[name] for name in TAGS]] = range(len(TAGS))


@dataclass(frozen=True, slots=True, eq=False)
class PageBlocks:
    """The blocks of a page with their features: elements of `TAGS` with visible text, in document order."""

    element: Ints
    rows: Floats  # a row per block, a column per feature of `FEATURES`; a tag is its position in `TAGS`

    def tag(self, block: int) -> str:
        """Return the tag name of a block."""
        return TAGS[int(self.rows[block, _TAG])]

    @property
    def layout(self) -> Bools:
        """Return which blocks are DIV or TD, and so can be the main block."""
        return np.asarray(self.rows[:, _TAG] < len(LAYOUT))


def features(page: Page) -> PageBlocks:
    """Return the blocks of a page and their features."""
    elements = page.elements
    whole = _element_counts(page)
    after = np.maximum(whole - _inner_layout_counts(page, whole), 0)
    block = np.flatnonzero(among(elements.tag, _BLOCK) & (whole[0] > 0))
    flags = [_has_id_and_class(page, element) for element in block.tolist()]
    names = np.array(flags, np.float64).reshape(len(block), 2)
    place = _PLACE[elements.tag[block]]
    rows = np.column_stack([*_numeric_features(whole[:, block]), *_numeric_features(after[:, block]), place, names])
    return PageBlocks(block, rows)


def next_outside(page: Page) -> Ints:
    """Return for each element the index of the first later element that is not inside it."""
    elements = page.elements
    inside = np.arange(1, len(elements) + 1)
    return np.maximum(np.searchsorted(elements.start, elements.end, side="left"), inside)


def _element_counts(page: Page) -> Ints:
    """Return five rows of counts per element: words, links, words in links, characters of text, characters of
    markup.
    """
    elements, runs = page.elements, page.runs
    visible = ~runs.hidden
    of_runs = [sums(column * visible) for column in (runs.words, runs.words * runs.in_link, runs.chars)]
    words, linked, text = (column[elements.last] - column[elements.first] for column in of_runs)
    here, end = np.arange(len(elements)), next_outside(page)
    links, raw = sums(elements.tag == _LINK), sums((elements.end - elements.start) * among(elements.tag, _RAW))
    markup = elements.end - elements.start - (raw[end] - raw[here])
    return np.stack([words, links[end] - links[here], linked, text, markup])


def _inner_layout_counts(page: Page, counts: Ints) -> Ints:
    """Return for each element the counts of the DIV and TD elements nearest to it in its content."""
    elements, size = page.elements, len(page.elements)
    layout = among(elements.tag, _LAYOUT)
    nearest_layout = page.nearest_of(layout)
    inner = np.flatnonzero(layout)
    owner = np.where(elements.parent[inner] < 0, 0, nearest_layout[np.maximum(elements.parent[inner], 0)])
    key = owner * (size + 1) + inner
    order = np.argsort(key, kind="stable")
    first = np.searchsorted(key[order], nearest_layout * (size + 1) + np.arange(1, size + 1))
    last = np.maximum(np.searchsorted(key[order], nearest_layout * (size + 1) + next_outside(page)), first)
    totals = []
    for column in counts:
        before = sums(column[inner[order]])
        totals.append(before[last] - before[first])
    return np.stack(totals)


def _numeric_features(counts: Ints) -> list[Floats]:
    words, links, linked, text, markup = counts.astype(np.float64)
    return [
        words,
        links,
        linked,
        linked / np.maximum(links, 1),
        linked / np.maximum(words, 1),
        text / np.maximum(markup, 1),
    ]


def _has_id_and_class(page: Page, element: int) -> tuple[bool, bool]:
    """Return whether an element has an id, and whether it has a class."""
    attributes = page.attributes(element)
    return bool(attributes.get("id", "").strip()), bool(attributes.get("class", "").strip())
