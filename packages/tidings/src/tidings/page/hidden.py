"""Hidden text: text in the source that readers cannot see.

Invisible text must not reach the readers of an article, least of all a language model. The core finds it
(`core/src/hidden.rs`): by attributes, the cascade of the page's style sheets, and class names with the same meaning on
all sites. Text hidden by scripts or external style sheets is unknown.
"""

from __future__ import annotations

import re
from typing import Final

from tidings.page import tags

#: Ways to be hidden that `Page.ways_of` returns, as bits (`core/src/styles.rs`).
GONE, VISIBILITY = 1, 2
#: Bit of `PageColumns.hidden_pieces`: hidden as a box. What hides letters only does not hide pictures.
HIDDEN_BOX: Final = 2

#: Never checked: raw text has no start tag in the cut, and a page hidden until its script runs counts as visible.
NEVER_ASKED: Final = tags.RAW | tags.numbers("html body svg") | {0}
#: Style sheets in these elements apply under other conditions, or only to a part of the page.
ELSEWHERE: Final = tags.numbers("noscript template")
#: Substrings of tags that may hide their element: attributes, words of class names, and character references.
_MAY_HIDE: Final = re.compile(
    r"style|hidden|hide|popover|color|sr-?only|-sr|screen|-none|no-display|invisible|assistive|&"
)
_NAME: Final = re.compile(r"<([a-zA-Z][^\s/>]*+)", re.ASCII)


def tag_name(start_tag: str) -> str:
    """Return the lower-case name of a start tag."""
    match = _NAME.match(start_tag)
    return match[1].lower() if match else ""


def may_hide(text: str) -> bool:
    """Return whether tags, given in lower case, contain a substring that may hide an element."""
    return _MAY_HIDE.search(text) is not None
