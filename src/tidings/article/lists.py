"""Lists as units; integers of attributes."""

from __future__ import annotations

import re
from typing import Final

from tidings.article.units import FoundUnits

#: As the standard reads integers: white space, a sign, digits, then anything. Nine digits: a browser's are 32 bits.
_LONGEST: Final = 9
_INTEGER: Final = re.compile(r"[ \t\n\f\r]*([+-]?[0-9]{1,9})(?![0-9])")


def integer(text: str | None) -> int | None:
    """Return the whole number that an attribute begins with."""
    if text and len(text) <= _LONGEST and text.isascii() and text.isdigit():  # as nearly all are
        return int(text)
    match = _INTEGER.match(text) if text else None
    return int(match[1]) if match else None


def find_lists(units: FoundUnits) -> None:
    """A list of which half is chosen is in with all its items; so is one of terms that stands between paragraphs."""
    hidden = units.page.runs.hidden
    for element in units.places.lists:  # on most pages none
        begin, end = units.runs(element)
        if units.taken[begin:end].any():
            continue
        if units.is_within(begin, end) and units.is_among_paragraphs(element):
            units.chosen[begin:end] |= ~hidden[begin:end]
