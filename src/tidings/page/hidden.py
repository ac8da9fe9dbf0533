"""Text that is in the source but that nobody sees.

Text that a person cannot see must not reach whoever reads the article, least of all a language model. What hides it is
found by the compiled core (`core/src/hidden.rs`): attributes, the cascade of the style sheets that stand on the page,
and class names that mean the same wherever they are used. What only a script or a style sheet elsewhere hides is not
known.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.page import tags
from tidings.page.columns import Ints
from tidings.page.cut import Cut
from tidings.page.flow import Bools, among, cover, tag_set
from tidings.page.style_sheet import NO_STYLES, StyleSheet, sheet_of_elements
from tidings.page.tree import Tree

#: Ways to be hidden that `Page.ways_of` returns, as bits (`core/src/styles.rs`).
GONE, VISIBILITY = 1, 2

#: Raw text has no start tag of its own in the cut, and a page hidden as a whole (until its script has run) is shown.
NEVER_ASKED: Final = tags.RAW | tags.numbers("html body svg") | {0}
#: Style sheets in these hold under a condition that a reader does not meet, or for a part of the page only.
ELSEWHERE: Final = tags.numbers("noscript template")
_ELSEWHERE: Final = tag_set(ELSEWHERE)
_STYLE, _LINK = tags.NUMBERS["style"], tags.NUMBERS["link"]
#: What a tag that hides its element holds, in lower case: an attribute, or a word of a class name. References may stand
#: for anything.
_MAY_HIDE: Final = re.compile(
    r"style|hidden|hide|popover|color|sr-?only|-sr|screen|-none|no-display|invisible|assistive|&"
)
_NAME: Final = re.compile(r"<([a-zA-Z][^\s/>]*+)", re.ASCII)


class Unseen(NamedTuple):
    """Which pieces of the cut nobody sees."""

    text: Bools  # for each piece
    box: Bools  # as a box: what hides letters only does not hide pictures
    revealed: list[int]  # elements that are seen though their tags say otherwise, for a script will show them

    @classmethod
    def of_flags(cls, flags: NDArray[np.uint8], revealed: Ints) -> Unseen:
        """Return them from bits, 1 for text and 2 for boxes."""
        return cls((flags & 1).view(np.bool_), flags > 1, revealed.tolist())


def tag_name(start_tag: str) -> str:
    """Return the name of a start tag, in lower case."""
    match = _NAME.match(start_tag)
    return match[1].lower() if match else ""


def may_hide(text: str) -> bool:
    """Return whether the text of tags, in lower case, holds a word with which an element can be hidden."""
    return _MAY_HIDE.search(text) is not None


def styles_of(cut: Cut, tree: Tree) -> StyleSheet:
    """Return the style sheets that stand on a page which Python has scanned."""
    places = np.flatnonzero((cut.codes == _STYLE) | (cut.codes == _LINK))
    elsewhere = cover(tree, among(tree.tag, _ELSEWHERE)) if len(places) else np.zeros(0, np.int64)
    elements, is_whole = [], True
    for place in places.tolist():
        element = cut.tag(place)
        is_link = cut.codes[place] == _LINK
        if is_link and "stylesheet" not in element.lower():
            continue
        if is_link and "data:" not in element.lower():
            is_whole = False
        elif elsewhere[place] == 0:
            elements.append(element)
    if is_whole:
        return StyleSheet(tuple(elements), is_whole=True)
    return sheet_of_elements(elements) if elements else NO_STYLES
