"""Complete partly selected lists, and parse integers of attributes."""

from __future__ import annotations

import re
from typing import Final

from tidings.article.units.units import FoundUnits

#: HTML's rules for parsing integers. At most nine digits, because browsers use 32 bits.
_LONGEST: Final = 9
_INTEGER: Final = re.compile(r"[ \t\n\f\r]*([+-]?[0-9]{1,9})(?![0-9])")


def integer(text: str | None) -> int | None:
    """Return the integer at the start of an attribute; None if there is none."""
    if text and len(text) <= _LONGEST and text.isascii() and text.isdigit():  # as nearly all are
        return int(text)
    match = _INTEGER.match(text) if text else None
    return int(match[1]) if match else None


def find_lists(units: FoundUnits) -> None:
    """Select whole lists of which half is selected, and definition lists between paragraphs."""
    hidden = units.page.runs.hidden
    for element in units.places.lists:  # on most pages none
        begin, end = units.runs(element)
        if units.claimed[begin:end].any():
            continue
        if units.is_within(begin, end) and units.is_among_paragraphs(element):
            units.chosen[begin:end] |= ~hidden[begin:end]
