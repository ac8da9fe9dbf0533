"""Text that is in the source but that nobody sees.

Text that a person cannot see must not reach whoever reads the article, least of all a language model. What hides it is
found by the compiled core (`core/src/hidden.rs`): attributes, the cascade of the style sheets that stand on the page,
and class names that mean the same wherever they are used. What only a script or a style sheet elsewhere hides is not
known.
"""

from __future__ import annotations

import re
from typing import Final

from tidings.page import tags

#: Ways to be hidden that `Page.ways_of` returns, as bits (`core/src/styles.rs`).
GONE, VISIBILITY = 1, 2
#: Bit of `PageColumns.hidden_pieces`: hidden as a box. What hides letters only does not hide pictures.
HIDDEN_BOX: Final = 2

#: Raw text has no start tag of its own in the cut, and a page hidden as a whole (until its script has run) is shown.
NEVER_ASKED: Final = tags.RAW | tags.numbers("html body svg") | {0}
#: Style sheets in these hold under a condition that a reader does not meet, or for a part of the page only.
ELSEWHERE: Final = tags.numbers("noscript template")
#: What a tag that hides its element holds, in lower case: an attribute, or a word of a class name. References may stand
#: for anything.
_MAY_HIDE: Final = re.compile(
    r"style|hidden|hide|popover|color|sr-?only|-sr|screen|-none|no-display|invisible|assistive|&"
)
_NAME: Final = re.compile(r"<([a-zA-Z][^\s/>]*+)", re.ASCII)


def tag_name(start_tag: str) -> str:
    """Return the name of a start tag, in lower case."""
    match = _NAME.match(start_tag)
    return match[1].lower() if match else ""


def may_hide(text: str) -> bool:
    """Return whether the text of tags, in lower case, holds a word with which an element can be hidden."""
    return _MAY_HIDE.search(text) is not None
