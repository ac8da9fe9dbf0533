"""Date parsing: ISO 8601 and its variants, RFC 2822, and written dates in some fifty languages.

Nothing is completed: a date without a day, with a two-digit year before a month name, or with a day that the calendar
does not have, is not a date. A time is returned only with a date, and a time zone only with a time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from functools import cache
from itertools import repeat
from pathlib import Path
from typing import Final

from tidings.fields.date_parsing.calendars import hijri, jalali
from tidings.text import base_language
from tidings.text.patterns import late_pattern

Moment = datetime | date

#: Newspaper archives on the web go back this far.
FIRST_YEAR: Final = 1800

#: Length of the shortest date, and of the part of a text that is searched.
_SHORTEST, _LONGEST = 6, 300
_DIGITS: Final = str.maketrans(
    "۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩०१२३४५६७८९০১২৩৪৫৬৭৮৯๐๑๒๓๔๕๖๗๘๙０１２３４５６７８９", "0123456789" * 6
)
#: Splits a text into pieces; every second piece is a number.
_NUMBER: Final = late_pattern(r"(\d\d*)")
#: Number of pieces of a text with two numbers, and with four.
_TWO, _FOUR = 5, 9
#: Digits of numbers that are glued together, and of a day glued to a year.
_LONG, _GLUED_SIZES = 5, range(5, 7)
#: Least number of characters of a month name between two numbers, and largest number of separators.
_NAMED, _PARTED = 4, 3
#: A year glued to the next number, such as a reading time: "Mar 27, 20255 mins".
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
# These patterns begin with a character class and look behind after it, which is faster.
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
    """Return a table with the number of each month name by language."""
    result: dict[str, dict[str, int]] = {}
    for line in Path(__file__).with_name("months.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            language, *groups = line.split()
            for number, group in enumerate(groups, start=1):
                for name in group.split("/"):
                    result.setdefault(name.replace("-", " ").casefold(), {})[language] = number
    return result


def month(name: str, language: str = "") -> tuple[int, str] | None:
    """Return the number of a month, and its calendar or language, by its name; None if the name is unknown.

    The page's language has priority, then English. Otherwise a name with different meanings is not resolved.
    """
    numbers_by_language = _months().get(name.casefold().replace("-", " ").rstrip(".’'"))
    if not numbers_by_language:
        return None
    for code in (base_language(language), "en"):
        if code in numbers_by_language:
            return numbers_by_language[code], code
    numbers = set(numbers_by_language.values())
    return (numbers.pop(), next(iter(numbers_by_language))) if len(numbers) == 1 else None


def read(text: str, language: str = "", *, month_first: bool | None = None) -> Moment | None:
    """Return the first date in a text, with its time and zone if present.

    Args:
        text: a declared value or a line of the page.
        language: the page's, for names of months and the order of day and month.
        month_first: whether 3/4/2026 is in March; by the language if None.
    """
    match = find(text, language, month_first=month_first)
    return match[0] if match else None


def find(text: str, language: str = "", *, month_first: bool | None = None) -> tuple[Moment, int, int] | None:
    """Return the first date in a text and its range there."""
    text = text[:_LONGEST].strip()
    if len(text) < _SHORTEST:
        return None
    if not text.isascii():
        text = text.translate(_DIGITS)
    quick = _iso(text)
    if quick is not None:
        return quick, 0, len(text)
    pieces = _NUMBER.split(text)
    if len(pieces) < _TWO and (len(pieces) == 1 or len(pieces[1]) < _LONG):  # the common case
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
    """Return the date that occurs first in a text, with its range, given rules and the offsets where each may match."""
    best: tuple[Moment, int, int] | None = None
    for (pattern, read_by), begins in places:
        if best is not None and not best[1]:  # none can be earlier
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
    """Return the rules that may match a text, in order, with the offsets where each may begin (None: anywhere).

    Checking the numbers and the gaps between them is faster than running the patterns.

    Args:
        text: the text.
        pieces: the same, split at its numbers.
    """
    small, large, is_named, is_timed = _classified_numbers(pieces)
    rules: list[tuple[_Rule, Sequence[int] | None]] = []
    if large and (places := [at for at, _, gap, more in large if more and gap <= _PARTED]):
        rules.append((_RULES[0], places))
    if len(pieces) >= _FOUR and ":" in text and (is_timed or text.count(":") > 1):
        rules.append((_RULES[1], None))
    if small and large and (places := [at for at, size, gap, _ in small if size == 4 and gap >= _NAMED]):
        rules.append((_RULES[2], places))
    if is_named:
        rules.append((_RULES[3], None))
    if small and large and (places := [at for at, size, gap, _ in large if 0 < size <= 2 and gap >= _NAMED]):
        rules.append((_RULES[4], places))
    if "á" in text:
        rules.append((_RULES[5], None))
    if small and (places := [at for at, size, gap, more in small if more and size <= 2 and gap <= _PARTED]):
        rules.append((_RULES[6], places))
    return rules


#: For each number its offset, the digits of the next one, the gap between, and whether a third number follows.
_Numbers = list[tuple[int, int, int, bool]]


def _classified_numbers(pieces: Sequence[str]) -> tuple[_Numbers, _Numbers, bool, bool]:
    """Return the numbers that may be days or months, the numbers that may be years, and whether words may precede or a
    time follow.
    """
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
    """Parse ISO 8601 dates, compact dates and timestamps, the most common declared forms."""
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
    """Parse seconds or milliseconds since 1970."""
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


def _zone(offset: str | None) -> timezone | None:
    if not offset:
        return None
    if offset[0] not in "+-":
        return UTC
    hours, minutes = int(offset[1:3]), int(offset[-2:])
    if hours > 14 or minutes > 59:
        return None
    delta = timedelta(hours=hours, minutes=minutes)
    return timezone(-delta if offset[0] == "-" else delta)


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
    """Return a date with a year from 1300 to 1500: Jalali on Persian pages, Hijri on Arabic ones."""
    code = base_language(language)
    if code in {"fa", "ps", "ku", "tg"}:
        return jalali(year, mon, day)
    return hijri(year, mon, day) if code in {"ar", "ur"} and year >= 1400 else None


def _rfc(match: re.Match[str], language: str, _month_first: bool | None) -> Moment | None:
    if match[8]:
        month_number = month(match[8], "en")
        return (
            _dated(
                int(match[14]),
                month_number[0],
                int(match[9]),
                int(match[10]),
                int(match[11]),
                int(match[12]),
                match[13] if match[13] in {"UTC", "GMT"} else None,
            )
            if month_number
            else None
        )
    month_number = month(match[2], language)
    return (
        _dated(
            int(match[3]), month_number[0], int(match[1]), int(match[4]), int(match[5]), int(match[6] or 0), match[7]
        )
        if month_number
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
    """Return whether the language is English of the United States, or without a country."""
    code, _, region = language.replace("_", "-").partition("-")
    return code.lower() == "en" and region.upper() in {"", "US", "PH", "CA"}


def _named(year: int, name: str, day: int, language: str) -> date | None:
    month_match = month(name, language)
    if month_match is None:
        return None
    if month_match[1] == "jalali":
        return jalali(year, month_match[0], day) if year > 1200 and year < 1600 else None
    if month_match[1] == "hijri":
        return hijri(year, month_match[0], day) if year > 1300 and year < 1600 else None
    if 2400 <= year <= 2600 and month_match[1] == "th":
        year -= 543
    return _day(year, month_match[0], day)


_Rule = tuple[re.Pattern[str], Callable[[re.Match[str], str, bool | None], Moment | None]]

#: Patterns of dates and their parsers. `_places` computes where each may begin.
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
