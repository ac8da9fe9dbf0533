"""The compiled scanner, and the rules that say which tags implicitly close which elements (HTML standard, 13.2.6).

For example, `<li>` closes the previous `<li>`, `<div>` closes an open `<p>`, and a cell closes a cell. Intended
differences from browsers: text stays at its place in the source (a browser moves stray text out of a table); no
elements are inserted (`<tbody>`, `<head>`); formatting elements are not reopened after a misnested end; content of
`<svg>` creates no elements; nesting is limited to `MAX_DEPTH`. None of this loses words.
"""

from __future__ import annotations

from functools import cache
from html.entities import html5
from typing import Final

import numpy as np

from tidings import core
from tidings.page import cut, tags
from tidings.page.counts import character_classes, lower_cases
from tidings.page.hidden import ELSEWHERE, NEVER_ASKED
from tidings.page.style_sheet import StyleSheet
from tidings.page.tags import FORMATTING, NUMBERS, SCOPE, SPECIAL, Start, numbers

#: Browsers stop nesting at this depth too (Blink and WebKit: 512).
MAX_DEPTH: Final = 512

P_SCOPE = SCOPE | numbers("button")
LIST_SCOPE = SCOPE | numbers("ol ul")
TABLE_SCOPE = numbers("html table template")
ITEM_STOPS = SPECIAL - numbers("address div p li")
TERM_STOPS = SPECIAL - numbers("address div p dt dd")
TERMS = numbers("dt dd")
#: Parents of parts of a table: everything opened since is closed.
TABLE_CONTEXT: Final[dict[int, frozenset[int]]] = {
    int(Start.SECTION): numbers("table"),
    int(Start.ROW): numbers("table tbody thead tfoot"),
    int(Start.CELL): numbers("table tbody thead tfoot tr"),
}
OUTSIDE_TABLE = numbers("html template")
RUBY_TEXTS = numbers("rb rt rp")
_ROOTS = numbers("html head body")

#: Tags that stop the search of an end tag for its start tag on the stack of open elements.
END_STOPS: Final[dict[int, frozenset[int]]] = {
    **dict.fromkeys(SPECIAL - _ROOTS, SCOPE),
    **dict.fromkeys(FORMATTING, SCOPE),
    **dict.fromkeys(numbers("table tr td th tbody thead tfoot caption colgroup"), TABLE_SCOPE),
    NUMBERS["p"]: P_SCOPE,
    NUMBERS["li"]: LIST_SCOPE,
    **dict.fromkeys(_ROOTS, frozenset(SPECIAL)),
    NUMBERS["dialog"]: SCOPE,  # ends through blocks, though it is not special itself
    NUMBERS["template"]: frozenset(),  # ends through anything
}

#: HTML elements that end an open <svg> around them (13.2.6.5).
BREAKS_OUT = numbers(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta "
    "nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
)

#: Sets of tags in the order of their bits in the core (`core/src/tables.rs`).
_SETS: Final = (
    tags.BLOCK,
    tags.SKIPPED,
    tags.PREFORMATTED,
    tags.HEADINGS,
    tags.SCOPE,
    tags.FORMATTING,
    tags.SPECIAL,
    P_SCOPE,
    LIST_SCOPE,
    TABLE_SCOPE,
    ITEM_STOPS,
    TERM_STOPS,
    TERMS,
    RUBY_TEXTS,
    OUTSIDE_TABLE,
    TABLE_CONTEXT[tags.Start.SECTION],
    TABLE_CONTEXT[tags.Start.ROW],
    TABLE_CONTEXT[tags.Start.CELL],
    BREAKS_OUT,
    tags.RAW,
    tags.HIDDEN,
    NEVER_ASKED,
    ELSEWHERE,
)
_SPECIAL_BIT: Final = 1 << _SETS.index(tags.SPECIAL)


@cache
def scanner() -> core.Scanner:
    """Return the compiled scanner, loaded with the tag tables.

    Raises:
        CoreMissing: the core is missing, or has another table of tags.
    """
    count = len(tags.NAMES)
    flags, end_stops = np.zeros(count, np.uint32), np.full(count, _SPECIAL_BIT, np.uint32)
    for bit, chosen in enumerate(_SETS):
        flags[list(chosen)] |= np.uint32(1 << bit)
    for number, stops in END_STOPS.items():
        end_stops[number] = 1 << _SETS.index(stops) if stops else 0
    starts = np.array([0, *tags.STARTS.values()], np.uint8)
    arguments = (tags.NAMES, starts, flags, end_stops, html5, character_classes(), lower_cases(), MAX_DEPTH)
    return core.Scanner(*arguments)


def scan(source: bytes, styles: StyleSheet | None = None, *, width: int = 0, size: int = 0) -> core.PageColumns:
    """Scan a page into columns.

    Args:
        source: the page in UTF-8.
        styles: the style sheets of the original page, if this is a fragment.
        width: bytes per character in the narrowest str for the page; 0 if unknown.
        size: number of characters, if `width` is known.

    Raises:
        CoreMissing: there is no core.
        CoreError: the core failed on this page.
    """
    return scanner().scan(source, cut.MAX_TAGS, None if styles is None else styles.compiled, width=width, size=size)
