"""Dates as pages write them: ISO 8601 and its relatives, RFC 2822, words and numbers of some fifty languages.

Nothing is completed: a date without a day, a year of two digits before a name of a month, or a day that the calendar
does not have is no date. A time is kept when it is told with the date, a zone when it is told with the time.

The two other calendars of news pages: Jalali (Iran, Afghanistan) and Hijri, turned into Gregorian dates.

Jalali: Borkowski, "The Persian calendar for 3000 years" (Earth, Moon and Planets 74, 1996): leap years by a table of
the years in which the 33-year cycle breaks; it agrees with the official, astronomical calendar for all of its table.

Hijri: the tabular civil calendar (30 years of 354 days and 11 leap days, epoch 16 July 622 Julian). The calendar of
the day goes by sight of the moon or, in Saudi Arabia, by tables of its own, and may be a day or two off.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from functools import cache
from itertools import repeat
from pathlib import Path
from typing import Final

from tidings.text import base_language
from tidings.text.patterns import late_pattern

_BREAKS: Final = (
    -61, 9, 38, 199, 426, 686, 756, 818, 1111, 1181, 1210, 1635, 2060, 2097, 2192, 2262, 2324, 2394, 2456, 3178,
)  # fmt: skip
_JALALI_YEARS: Final = range(1, _BREAKS[-1])
#: Day 0 of the tabular calendar, 15 July 622 Julian, as an ordinal of the Gregorian calendar.
_HIJRI_EPOCH: Final = 227014


def jalali(year: int, month: int, day: int) -> date | None:
    """Return the Gregorian date of a Jalali one; None if there is no such day."""
    if year not in _JALALI_YEARS or not 1 <= month <= 12:
        return None
    new_year, leap = _new_year(year)
    days = 31 if month <= 6 else 30 if month < 12 or leap else 29
    if not 1 <= day <= days:
        return None
    passed = 31 * (month - 1) - max(month - 7, 0) + day - 1
    return new_year + timedelta(days=passed)


def _new_year(year: int) -> tuple[date, bool]:
    """1 Farvardin of a year, and whether the year is a leap year."""
    leaps = -14
    begin = _BREAKS[0]
    jump = 0
    for end in _BREAKS[1:]:
        jump = end - begin
        if year < end:
            break
        leaps += jump // 33 * 8 + jump % 33 // 4
        begin = end
    at = year - begin
    leaps += at // 33 * 8 + (at % 33 + 3) // 4
    if jump % 33 == 4 and jump - at == 4:
        leaps += 1
    gregorian = year + 621
    march = 20 + leaps - (gregorian // 4 - (gregorian // 100 + 1) * 3 // 4 - 150)
    if jump - at < 6:
        at = at - jump + (jump + 4) // 33 * 33
    rest = ((at + 1) % 33 - 1) % 4
    return date(gregorian, 3, march), rest == 0


def hijri(year: int, month: int, day: int) -> date | None:
    """Return the Gregorian date of a Hijri one by the tabular calendar; None if there is no such day."""
    if not 1 <= year <= 9000 or not 1 <= month <= 12:
        return None
    leap = (11 * year + 14) % 30 < 11
    if not 1 <= day <= (30 if month % 2 or (month == 12 and leap) else 29):
        return None
    passed = (year - 1) * 354 + (3 + 11 * year) // 30 + 29 * (month - 1) + month // 2 + day
    return date.fromordinal(_HIJRI_EPOCH + passed)


Moment = datetime | date

#: The web's first page is of 1991; newspapers put older stories in their archives, but none from before print.
FIRST_YEAR: Final = 1800

#: No date is shorter. A line with a date is shorter than the other; of more only the beginning is read.
_SHORTEST, _LONGEST = 6, 300
_DIGITS: Final = str.maketrans(
    "۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩०१२३४५६७८९০১২৩৪৫৬৭৮৯๐๑๒๓๔๕๖๗๘๙０１２３４５６７８９", "0123456789" * 6
)
#: Numbers; of a text that is split there every other piece is one.
_NUMBER: Final = late_pattern(r"(\d\d*)")
#: Pieces of a text with two numbers in it, and with four.
_TWO, _FOUR = 5, 9
#: No number in a date has so many digits, unless two stick together; so many have a day and a year that do.
_LONG, _GLUED_SIZES = 5, range(5, 7)
#: Characters between two numbers with the name of a month between them at least, and with a sign at most.
_NAMED, _PARTED = 4, 3
#: A year to which the next number sticks, as where a page puts a reading time behind the date: "Mar 27, 20255 mins".
_GLUED: Final = late_pattern(r"([ ./-](?:19|20)\d\d)(?=\d{1,2}(?:[:.]\s?[\d\w]|\s?[Mm]in))")
_JOINED: Final = late_pattern(r"(\d{4})(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)?)?(?:Z|\+\d{4})?$")
_YEAR_FIRST: Final = late_pattern(
    r"(\d{4})\s?[-/.年년]\s?(\d{1,2})\s?[-/.月월]\s?(\d{1,2})(?!\d)(?:\s?[日일.])?"
    r"(?:(?:T|\s{0,2}[,(]?\s{0,2}(?:[^\W\d]{1,3}\)\s{0,2})?)"
    r"(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?\s?(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?"
)
_RFC: Final = late_pattern(
    r"(\d{1,2})[ -]([A-Za-z]{3,9})[ -](\d{4})\s+(\d{1,2}):(\d\d)(?::(\d\d))?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?|"
    r"([A-Z][a-z]{2}) (\d{1,2}) (\d\d):(\d\d):(\d\d) (?:([A-Z]{3,4}) )?(\d{4})"
)
# A pattern that begins with a kind of characters, and looks back only then, is sooner through with all others.
_DAY_FIRST: Final = late_pattern(r"(\d(?<!\d\d)\d?)\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{4}|\d\d)(?![\d/])")
_DAY_NAME: Final = late_pattern(
    r"(\d(?<![\d.:]\d)\d?)(?:st|nd|rd|th|er|º|ª|°|-?го|-е|η)?[.,]?(?:\s+(?:de|of|del|d’|d'|da|din))?[\s-]+(?:ב)?"
    r"([^\W\d_][^\s\d,/()|:]{1,15}(?:[\s-](?:الأول|الثاني|الثانی|الآخر|الآخرة|الأولى|القعدة|الحجة|الاول"
    r"|الثانية))?)[.,’']*"
    r"(?:\s+(?:de|del|of|g\.|год))?[,\s/-]+(\d{4})(?!\d)"
)
_NAME_DAY: Final = late_pattern(
    r"([^\W\d_](?<!\w[^\W\d_])[^\s\d,/()|:]{1,12})[.]?\s+(\d{1,2})(?:st|nd|rd|th)?\s*(?:,|\.)?\s*(\d{4})(?!\d)"
)
_YEAR_NAME: Final = late_pattern(
    r"(\d(?<!\d\d)\d{3})(?:\.|\s?m\.|,)?\s+([^\W\d_][^\s\d,/()|:.]{1,14})\.?\s+(\d{1,2})(?!\d)"
)
_VIETNAMESE: Final = late_pattern(r"(?:ngày\s+)?(\d{1,2})\s+tháng\s+(\d{1,2})(?:,|\s+năm)?\s+(\d{4})")
_TIME: Final = late_pattern(
    r"[\s,T|·•–—@()-]{0,4}(?:at|um|à|a las|às|alle|kl\.?|om|-|ore|klo|в|о|ساعت"
    r"|os)?\s{0,2}(\d{1,2})[:.h](\d\d)(?::\d\d)?\s?([ap]\.?m\.?)?(?!\d)",
    re.IGNORECASE,
)


@cache
def _months() -> dict[str, dict[str, int]]:
    """For each name of a month the languages that use it and the month it is there."""
    found: dict[str, dict[str, int]] = {}
    for line in Path(__file__).with_name("months.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            language, *groups = line.split()
            for number, group in enumerate(groups, start=1):
                for name in group.split("/"):
                    found.setdefault(name.replace("-", " ").casefold(), {})[language] = number
    return found


def month(name: str, language: str = "") -> tuple[int, str] | None:
    """Return the number of a month and the calendar or language it is of, by its name; None if the name is none.

    The language of the page goes first, then English; a name that means different months elsewhere is none.
    """
    told = _months().get(name.casefold().replace("-", " ").rstrip(".’'"))
    if not told:
        return None
    for one in (base_language(language), "en"):
        if one in told:
            return told[one], one
    numbers = set(told.values())
    return (numbers.pop(), next(iter(told))) if len(numbers) == 1 else None


def read(text: str, language: str = "", *, month_first: bool | None = None) -> Moment | None:
    """Return the first date in a text, with time and zone where they are told.

    Args:
        text: a declared value or a line of the page.
        language: the page's, for names of months and the order of day and month.
        month_first: whether 3/4/2026 is in March; by the language if None.
    """
    found = find(text, language, month_first=month_first)
    return found[0] if found else None


def find(text: str, language: str = "", *, month_first: bool | None = None) -> tuple[Moment, int, int] | None:
    """As `read`, with the range of the text that the date takes."""
    text = text[:_LONGEST].strip()
    if len(text) < _SHORTEST:
        return None
    if not text.isascii():
        text = text.translate(_DIGITS)
    quick = _iso(text)
    if quick is not None:
        return quick, 0, len(text)
    pieces = _NUMBER.split(text)
    if len(pieces) < _TWO and (len(pieces) == 1 or len(pieces[1]) < _LONG):  # as mostly
        return None
    if max(map(len, pieces[1::2])) >= _LONG:
        text = _GLUED.sub(r"\1 ", text)
        pieces = _NUMBER.split(text)
    best = _earliest(text, _places(text, pieces), language, month_first)
    if best is not None and not isinstance(best[0], datetime):
        return _with_time(best[0], text, best[1], best[2])
    return best


def _earliest(
    text: str, places: Iterable[tuple[_Rule, Sequence[int] | None]], language: str, month_first: bool | None
) -> tuple[Moment, int, int] | None:
    """Return the date that stands first, and where, given rules and the places at which each may find one."""
    best: tuple[Moment, int, int] | None = None
    for (pattern, read_by), begins in places:
        if best is not None and not best[1]:  # none stands before it
            break
        matches = pattern.finditer(text) if begins is None else map(pattern.match, repeat(text), begins)
        behind = 0
        for match in matches:
            if match is None or match.start() < behind:
                continue
            start, behind = match.span()
            if best is not None and start >= best[1]:
                break
            if (moment := read_by(match, language, month_first)) is not None:
                best = moment, start, behind
                break
    return best


def _places(text: str, pieces: Sequence[str]) -> list[tuple[_Rule, Sequence[int] | None]]:
    """Return the rules by which a text may hold a date, in order, each with where that may begin; None if anywhere.

    Numbers and what lies between them tell that sooner than the patterns do.

    Args:
        text: the text.
        pieces: the same, split at its numbers.
    """
    small, large, is_named, is_timed = _sorted_out(pieces)
    found: list[tuple[_Rule, Sequence[int] | None]] = []
    if large and (places := [at for at, _, gap, more in large if more and gap <= _PARTED]):
        found.append((_RULES[0], places))
    if len(pieces) >= _FOUR and ":" in text and (is_timed or text.count(":") > 1):
        found.append((_RULES[1], None))
    if small and large and (places := [at for at, size, gap, _ in small if size == 4 and gap >= _NAMED]):
        found.append((_RULES[2], places))
    if is_named:
        found.append((_RULES[3], None))
    if small and large and (places := [at for at, size, gap, _ in large if 0 < size <= 2 and gap >= _NAMED]):
        found.append((_RULES[4], places))
    if "á" in text:
        found.append((_RULES[5], None))
    if small and (places := [at for at, size, gap, more in small if more and size <= 2 and gap <= _PARTED]):
        found.append((_RULES[6], places))
    return found


#: Numbers: where each begins, the size of the next one and of what lies between, and whether a third follows.
_Numbers = list[tuple[int, int, int, bool]]


def _sorted_out(pieces: Sequence[str]) -> tuple[_Numbers, _Numbers, bool, bool]:
    """What may be days and months, what may end in a year, whether words may stand before and a time behind."""
    small: _Numbers = []
    large: _Numbers = []
    is_named = is_timed = False
    start, last = len(pieces[0]), len(pieces) - 2
    for at in range(1, last + 1, 2):
        size, gap = len(pieces[at]), pieces[at + 1]
        following = len(pieces[at + 2]) if at < last else 0
        if size <= 2:
            small.append((start, following, len(gap), at + 2 < last))
            is_named = is_named or (following == 4 and pieces[at - 1][-1:].isspace())
        elif size >= 4:
            large.append((start + size - 4, following if size == 4 else 0, len(gap), at + 2 < last))
            is_named = is_named or (size in _GLUED_SIZES and pieces[at - 1][-1:].isspace())
            is_timed = is_timed or gap.isspace()
        start += size + len(gap)
    return small, large, is_named, is_timed


def _iso(text: str) -> Moment | None:
    """What a declaration should be, and mostly is."""
    if len(text) < 8 or not text[:4].isdigit():
        return _epoch(text)
    try:
        if text[4] == "-" and int(text[:4]) >= FIRST_YEAR:
            return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
    except ValueError:
        pass
    if match := _JOINED.match(text):
        year, mon, day, hour, minute, second = (int(part or 0) for part in match.groups())
        return _dated(year, mon, day, hour, minute, second) if match[4] else _day(year, mon, day)
    return _epoch(text)


def _epoch(text: str) -> Moment | None:
    """Return seconds or milliseconds since 1970."""
    if text.isdigit() and len(text) in {10, 13}:
        return datetime.fromtimestamp(int(text[:10]), UTC)
    return None


def _day(year: int, mon: int, day: int) -> date | None:
    try:
        return date(year, mon, day) if year >= FIRST_YEAR else None
    except ValueError:
        return None


def _dated(
    year: int, mon: int, day: int, hour: int, minute: int, second: int = 0, zone: str | None = None
) -> Moment | None:
    whole = _day(year, mon, day)
    if whole is None or not (hour < 24 and minute < 60 and second < 60):
        return whole
    return datetime(year, mon, day, hour, minute, second, tzinfo=_zone(zone))


def _zone(told: str | None) -> timezone | None:
    if not told:
        return None
    if told[0] not in "+-":
        return UTC
    hours, minutes = int(told[1:3]), int(told[-2:])
    if hours > 14 or minutes > 59:
        return None
    away = timedelta(hours=hours, minutes=minutes)
    return timezone(-away if told[0] == "-" else away)


def _year_first(match: re.Match[str], language: str, _month_first: bool | None) -> Moment | None:
    year, mon, day = int(match[1]), int(match[2]), int(match[3])
    if 1300 <= year <= 1500:
        return _eastern(year, mon, day, language)
    if 2400 <= year <= 2600 and base_language(language) == "th":
        year -= 543
    if match[4]:
        return _dated(year, mon, day, int(match[4]), int(match[5]), int(match[6] or 0), match[7])
    return _day(year, mon, day)


def _eastern(year: int, mon: int, day: int, language: str) -> date | None:
    """Return a year of the 14th or 15th century in numbers: Jalali on Persian pages, Hijri on Arabic ones."""
    code = base_language(language)
    if code in {"fa", "ps", "ku", "tg"}:
        return jalali(year, mon, day)
    return hijri(year, mon, day) if code in {"ar", "ur"} and year >= 1400 else None


def _rfc(match: re.Match[str], language: str, _month_first: bool | None) -> Moment | None:
    if match[8]:
        told = month(match[8], "en")
        return (
            _dated(
                int(match[14]),
                told[0],
                int(match[9]),
                int(match[10]),
                int(match[11]),
                int(match[12]),
                match[13] if match[13] in {"UTC", "GMT"} else None,
            )
            if told
            else None
        )
    told = month(match[2], language)
    return (
        _dated(int(match[3]), told[0], int(match[1]), int(match[4]), int(match[5]), int(match[6] or 0), match[7])
        if told
        else None
    )


def _day_first(match: re.Match[str], language: str, month_first: bool | None) -> Moment | None:
    first, second, year = int(match[1]), int(match[3]), int(match[4])
    if len(match[4]) == 2:
        if match[2] == "-" or base_language(language) in {"zh", "ja", "ko"}:
            return None
        year += 2000
    if 1300 <= year <= 1500:
        return _eastern(year, second, first, language)
    if month_first is None:
        month_first = match[2] != "." and _is_month_first(language)
    if (month_first and first <= 12) or second > 12:
        first, second = second, first
    return _day(year, second, first)


def _is_month_first(language: str) -> bool:
    """Only English as it is written in the United States, which is also English without a country."""
    code, _, region = language.replace("_", "-").partition("-")
    return code.lower() == "en" and region.upper() in {"", "US", "PH", "CA"}


def _named(year: int, name: str, day: int, language: str) -> date | None:
    told = month(name, language)
    if told is None:
        return None
    if told[1] == "jalali":
        return jalali(year, told[0], day) if year > 1200 and year < 1600 else None
    if told[1] == "hijri":
        return hijri(year, told[0], day) if year > 1300 and year < 1600 else None
    if 2400 <= year <= 2600 and told[1] == "th":
        year -= 543
    return _day(year, told[0], day)


_Rule = tuple[re.Pattern[str], Callable[[re.Match[str], str, bool | None], Moment | None]]

#: Patterns of dates and what reads them; where each may begin is told by `_places`.
_RULES: Final[tuple[_Rule, ...]] = (
    (_YEAR_FIRST, _year_first),
    (_RFC, _rfc),
    (_DAY_NAME, lambda match, language, _: _named(int(match[3]), match[2], int(match[1]), language)),
    (_NAME_DAY, lambda match, language, _: _named(int(match[3]), match[1], int(match[2]), language)),
    (_YEAR_NAME, lambda match, language, _: _named(int(match[1]), match[2], int(match[3]), language)),
    (_VIETNAMESE, lambda match, _, __: _day(int(match[3]), int(match[2]), int(match[1]))),
    (_DAY_FIRST, _day_first),
)


def _with_time(day: date, text: str, start: int, end: int) -> tuple[Moment, int, int]:
    match = _TIME.match(text, end)
    if match is None:
        return day, start, end
    hour, minute = int(match[1]), int(match[2])
    if match[3]:
        if not 1 <= hour <= 12:
            return day, start, end
        hour = hour % 12 + (12 if match[3][0] in "pP" else 0)
    if hour > 23 or minute > 59:
        return day, start, end
    return datetime(day.year, day.month, day.day, hour, minute), start, match.end()
