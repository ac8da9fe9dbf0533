"""The day of publication in the data that a page's scripts work on: state of an application, data for counting visits.

Also JSON-LD that is no JSON. Such data often holds other stories too; it counts only where all of it tells one day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime
from typing import Final

from tidings.fields.found import Found
from tidings.fields.moments import Moment, read
from tidings.page import Page
from tidings.text.patterns import late_pattern

#: A quotation mark as it stands in a script, in an attribute, and in a string of a script.
_QUOTE: Final = r"(?:\\?\"|&quot;|&#34;)"
_PUBLISHED: Final = late_pattern(
    rf"{_QUOTE}(?:date_?published|(?:first|original(?:ly)?)?_?publish(?:ed)?_?(?:at|on|date|time|datetime)?"
    rf"|publication_?date(?:time)?|pub_?date){_QUOTE}\s*+:\s*+{_QUOTE}([^\"&\\<>]{{8,40}})",
    re.IGNORECASE,
)
#: What the names hold, and how much of the source around it may be name and value. One search for all of them.
_HELD: Final = ("ublish", "ublication", "ubDate", "ubdate", "ub_date")
_ANY_HELD: Final = re.compile("ub(?:" + "|".join(word.removeprefix("ub") for word in _HELD) + ")")
_BEFORE, _BEHIND = 25, 95
#: More are those of other stories.
_MOST: Final = 100
#: What programs write where there is no date.
_NEVER: Final = frozenset({date(1970, 1, 1), date(1, 1, 1)})


def in_scripts(page: Page) -> Found[Moment] | None:
    """The moment of publication that scripts tell; None if they tell none or several days."""
    found: Moment | None = None
    days: set[date] = set()
    for place in _places(page.source):
        match = _PUBLISHED.search(page.source, max(place - _BEFORE, 0), place + _BEHIND)
        if match and (moment := read(match[1])) is not None:
            found = found or moment
            days.add(moment.date() if isinstance(moment, datetime) else moment)
    return Found(found, "data of a script") if found and len(days) == 1 and days.isdisjoint(_NEVER) else None


def _places(source: str) -> Iterator[int]:
    """Where the words stand, word by word, of each the first few."""
    places: dict[str, list[int]] = {word: [] for word in _HELD}
    for match in _ANY_HELD.finditer(source):
        places[match[0]].append(match.start())
    return (place for found in places.values() for place in found[:_MOST])
