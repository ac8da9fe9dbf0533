"""Text that is in the source but that nobody sees.

Marked by what the tag itself says: the `hidden` attribute, `aria-hidden`, inline styles that take the element away
(no display, invisible, transparent, zero size, off screen, white on white), and the class names under which style
sheets keep text for screen readers only. Style sheets themselves are not read.
"""

from __future__ import annotations

import re
from bisect import bisect
from itertools import accumulate
from typing import Final

import numpy as np

from tidings.page import tags
from tidings.page.attributes import attributes
from tidings.page.cut import Cut
from tidings.page.flow import Bools, among, tag_set
from tidings.page.start_tags import StartTags
from tidings.page.tree import Tree

_HIDDEN_TAGS: Final = tag_set(tags.HIDDEN)
#: Raw text has no start tag of its own in the cut, and a page hidden as a whole (until its script has run) is shown.
_NEVER_ASKED: Final = tag_set(tags.RAW | tags.numbers("html body svg") | {0})
_DIALOG, _TEMPLATE = tags.NUMBERS["dialog"], tags.NUMBERS["template"]

# A cheap search over all tags at once; the tags it finds are then looked at properly.
_STYLE: Final = b"style"
_SUSPICIOUS: Final = (b"hidden", b"sr-only", b"screen", _STYLE)
_SUSPICIOUS_STYLE: Final = re.compile(rb"none|visib|opacity|font-size\s*:\s*0|:\s*-\d\d\d|clip|background")

_SCREEN_READER_CLASSES: Final = frozenset(
    "sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only screenreader-only".split()
)
_ZERO = r"0+(?:\.0+)?(?:px|em|rem|pt|%)?(?=[\s;!]|$)"
#: A thousand pixels are off screen; less only moves a box, as when a page is centred.
_FAR = r"-(?:\d{4,}|999|\d{3,}(?=\.?\d*r?em))"
_UNSEEN_STYLE: Final = re.compile(
    rf"""(?:^|[;\s])(?:
        display\s*:\s*none
        | visibility\s*:\s*(?:hidden|collapse)
        | opacity\s*:\s*{_ZERO}
        | font-size\s*:\s*{_ZERO}
        | (?:left|top|right|bottom|margin-left|margin-top|text-indent)\s*:\s*{_FAR}
        | clip\s*:\s*rect\(\s*(?:0|1px)
        | clip-path\s*:\s*inset\(\s*(?:50|100)%
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_COLOURS: Final = re.compile(r"(?:^|[;\s])(color|background|background-color)\s*:\s*([^;!]+)", re.IGNORECASE)
_WHITE: Final = {"#fff": "white", "#ffffff": "white", "rgb(255,255,255)": "white"}


def is_hidden(attribute: dict[str, str]) -> bool:
    """Whether an element with these attributes is out of a reader's sight."""
    hidden = attribute.get("hidden")
    if hidden is not None and hidden.lower() != "until-found":
        return True
    if attribute.get("aria-hidden", "").strip().lower() == "true":
        return True
    style = attribute.get("style")
    if style and (_UNSEEN_STYLE.search(style) or _same_colours(style)):
        return True
    classes = attribute.get("class")
    return classes is not None and not _SCREEN_READER_CLASSES.isdisjoint(classes.lower().split())


def _same_colours(style: str) -> bool:
    said = {}
    for name, value in _COLOURS.findall(style):
        colour = "".join(value.lower().split())
        said[name.lower()] = _WHITE.get(colour, colour)
    ink = said.get("color")
    ground = said.get("background-color", said.get("background"))
    return ink is not None and ink == ground and ink not in ("inherit", "transparent", "currentcolor")


def hidden_elements(cut: Cut, tree: Tree, start_tags: StartTags, holds_text: Bools) -> Bools:
    """Which elements are hidden by themselves (what they hold is hidden with them); asked of those with text only."""
    hidden = among(tree.tag, _HIDDEN_TAGS) & holds_text
    asked = np.flatnonzero(holds_text & ~among(tree.tag, _NEVER_ASKED))
    spellings, spelling = start_tags.of(asked)
    unseen = [place for place in _suspects(spellings) if is_hidden(attributes(spellings[place]))]
    if unseen:
        is_unseen = np.zeros(len(spellings), np.bool_)
        is_unseen[unseen] = True
        hidden[asked[is_unseen[spelling]]] = True
    for element in np.flatnonzero(hidden & ((tree.tag == _DIALOG) | (tree.tag == _TEMPLATE))).tolist():
        found = attributes(cut.tag(tree.opened[element]))
        if "open" in found or "shadowrootmode" in found:  # an open dialog, a shadow root: both are shown
            hidden[element] = is_hidden(found)
    return hidden


def _suspects(start_tags: list[str]) -> set[int]:
    """The places of tags that hold a word with which an element can be hidden."""
    # ASCII keeps lengths, so that a place in the joined tags tells which tag it is in.
    joined = "".join(start_tags).encode("ascii", "replace").lower()
    ends: list[int] = []
    found: set[int] = set()
    for word in _SUSPICIOUS:
        place = joined.find(word)
        while place >= 0:
            ends = ends or list(accumulate(map(len, start_tags)))
            tag = bisect(ends, place)
            if word != _STYLE or _SUSPICIOUS_STYLE.search(joined, place, ends[tag]):
                found.add(tag)
            place = joined.find(word, ends[tag])
    return found
