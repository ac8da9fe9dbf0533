"""Lists as units, and the numbers that a page shows before items of ordered ones (HTML standard 4.4.5 and 4.4.8)."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

import numpy as np

from tidings.article.units import FoundUnits
from tidings.page import Page, tags
from tidings.page.columns import any_set
from tidings.page.flow import tag_set

ORDERED: Final = tags.NUMBERS["ol"]
_ITEM: Final = tags.NUMBERS["li"]
#: What items are items of, besides lists of terms.
LISTS: Final = tags.numbers("ol ul menu dir")
_LISTS: Final = tag_set(LISTS)
#: As the standard reads integers: white space, a sign, digits, then anything. Nine digits: a browser's are 32 bits.
_LONGEST: Final = 9
_INTEGER: Final = re.compile(r"[ \t\n\f\r]*([+-]?[0-9]{1,9})(?![0-9])")


def integer(text: str | None) -> int | None:
    """The whole number that an attribute begins with."""
    if text and len(text) <= _LONGEST and text.isascii() and text.isdigit():  # as nearly all are
        return int(text)
    match = _INTEGER.match(text) if text else None
    return int(match[1]) if match else None


def numbers(page: Page) -> dict[int, int]:
    """For each item of an ordered list its number."""
    elements = page.elements
    if not any_set(elements.tag == ORDERED):
        return {}
    items = np.flatnonzero(elements.tag == _ITEM)
    owners = page.nearest(_LISTS)[elements.parent[items]]
    ordered = elements.tag[owners] == ORDERED
    pairs = list(zip(items[ordered].tolist(), owners[ordered].tolist(), strict=True))
    sizes = Counter(owner for _, owner in pairs)
    following: dict[int, tuple[int, int]] = {}
    for owner, size in sizes.items():
        found = page.attributes(owner)
        step = -1 if "reversed" in found else 1
        start = integer(found.get("start"))
        following[owner] = (start if start is not None else size if step < 0 else 1, step)
    answer: dict[int, int] = {}
    for item, owner in pairs:
        number, step = following[owner]
        told = "value" in page.cut.tag(page.opened[item]).lower()
        own = integer(page.attributes(item).get("value")) if told else None
        answer[item] = number if own is None else own
        following[owner] = (answer[item] + step, step)
    return answer


def find_lists(units: FoundUnits) -> None:
    """A list of which half is chosen is in with all its items; so is one of terms that stands between paragraphs."""
    hidden = units.page.runs.hidden
    for element in units.places.lists:  # on most pages none
        begin, end = units.runs(element)
        if units.taken[begin:end].any():
            continue
        if units.is_within(begin, end) and units.is_among_paragraphs(element):
            units.chosen[begin:end] |= ~hidden[begin:end]
