"""What trends are found in: texts with a time, and what could not be read as one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

_DATE: Final = re.compile(r"\s*(\d{4})(?:\s*[-/.]\s*(\d{1,2})(?!\d))?(?:\s*[-/.]\s*(\d{1,2})(?!\d))?")


@dataclass(frozen=True, slots=True)
class DatedText:
    """A text and the day it is of; where only a year or a month is known, the first day of it."""

    when: date
    text: str
    title: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Unusable:
    """A record that is no document: where it begins and what it lacks."""

    where: str
    why: str


Record = DatedText | Unusable


def document(where: str, when: str, text: str, title: str = "", language: str = "") -> Record:
    """A document, or why there is none."""
    day = day_of(when)
    if day is None:
        return Unusable(where, f"it has no date: {when.strip()[:40]!r}" if when.strip() else "it has no date")
    if not text.strip():
        return Unusable(where, "it has no text")
    return DatedText(day, text.strip(), title.strip(), language.strip())


def day_of(told: str) -> date | None:
    """The day that a date tells: 2006, 2006/03, 2006/03/15/Spring, 2006-03-15T12:00; None if it tells none."""
    match = _DATE.match(told)
    if match is None:
        return None
    year, month, day = (int(part) if part else 1 for part in match.groups())
    for parts in ((year, month, day), (year, month, 1), (year, 1, 1)):
        try:
            return date(*parts)
        except ValueError:
            continue
    return None
