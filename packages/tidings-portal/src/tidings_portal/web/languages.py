"""Localisation: names and directions of languages, formats of dates and times, and translation of query errors.

The query parser reports errors in English. They are translated by matching them with the portal's English messages,
whose placeholders become groups of a pattern. Unknown errors stay in English.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from functools import cache
from typing import Final

from tidings.article.direction import is_written_leftwards
from tidings_portal.web.translations import FIRST, Translation, words

#: Native names of languages. Other codes are displayed unchanged.
_NAMES: Final = {
    "ar": "العربية", "az": "Azərbaycanca", "bg": "Български", "bn": "বাংলা", "ca": "Català", "ckb": "کوردی",
    "cs": "Čeština", "da": "Dansk", "de": "Deutsch", "el": "Ελληνικά", "en": "English", "es": "Español",
    "et": "Eesti", "eu": "Euskara", "fa": "فارسی", "fi": "Suomi", "fr": "Français", "ga": "Gaeilge",
    "he": "עברית", "hi": "हिन्दी", "hr": "Hrvatski", "hu": "Magyar", "id": "Bahasa Indonesia", "is": "Íslenska",
    "it": "Italiano",
    "ja": "日本語", "ka": "ქართული", "ko": "한국어", "ku": "Kurdî", "lt": "Lietuvių", "lv": "Latviešu",
    "ms": "Bahasa Melayu", "nb": "Norsk", "nl": "Nederlands", "no": "Norsk", "pl": "Polski", "ps": "پښتو",
    "pt": "Português", "ro": "Română", "ru": "Русский", "sk": "Slovenčina", "sl": "Slovenščina", "sq": "Shqip",
    "sr": "Српски", "sv": "Svenska", "sw": "Kiswahili", "ta": "தமிழ்", "th": "ไทย", "tr": "Türkçe",
    "ug": "ئۇيغۇرچە", "uk": "Українська", "ur": "اردو", "vi": "Tiếng Việt", "yi": "ייִדיש", "zh": "中文",
}  # fmt: skip


def language_name(code: str) -> str:
    """Return the native name of a language."""
    return _NAMES.get(code.split("-", maxsplit=1)[0].lower(), code)


def direction_of(code: str) -> str:
    """Return the writing direction of a language: `ltr` or `rtl`."""
    return "rtl" if is_written_leftwards(code) else "ltr"


_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


def ago(words: Translation, time: datetime, now: datetime) -> str:
    """Return a relative time for the last week, else the date."""
    seconds = (now - time).total_seconds()
    if seconds < _MINUTE:
        return words("time.now") if seconds > -_MINUTE else day(words, time)
    if seconds < _HOUR:
        return words("time.minutes", n=int(seconds // _MINUTE))
    if seconds < _DAY:
        return words("time.hours", n=int(seconds // _HOUR))
    if seconds < 7 * _DAY:
        return words("time.days", n=int(seconds // _DAY))
    return day(words, time)


def day(words: Translation, time: date) -> str:
    """Return a date: 16 November 2026."""
    if isinstance(time, datetime):
        time = local_time(time)
    month = words("time.months").split()[time.month - 1]
    return words("time.date", day=str(time.day), month=month, year=str(time.year))


def long_day(words: Translation, time: date, now: datetime | None = None) -> str:
    """Return a date with its weekday: Monday, 16 November 2026. With `now`, return "Today" or "Yesterday" if it is."""
    if isinstance(time, datetime):
        time = local_time(time).date()
    days_ago = (local_time(now).date() - time).days if now is not None else None
    if days_ago in {0, 1}:
        return words("time.yesterday" if days_ago else "time.today")
    return words("time.long_day", weekday=words("time.weekdays").split()[time.weekday()], day=day(words, time))


def moment(words: Translation, time: date) -> str:
    """Return a date and, for a datetime, the time."""
    if not isinstance(time, datetime):
        return day(words, time)
    local = local_time(time)
    return f"{day(words, local)}, {local:%H:%M}"


def clock(time: datetime) -> str:
    """Return the time: 7:10."""
    local = local_time(time)
    return f"{local.hour}:{local:%M}"


def local_time(time: datetime) -> datetime:
    """Return a time in the time zone of this machine, or unchanged if it is out of range."""
    try:
        return time.astimezone()
    except (OverflowError, OSError):  # the first hours of the year 1, the last ones of 9999; Windows before 1970
        return time


_KEYS: Final = tuple(
    f"query.{name}"
    for name in (
        "long", "empty", "no_letter", "no_letter_here", "unreadable", "open_quote", "missing_end", "closes_nothing",
        "deep", "open_bracket", "nothing_before", "between", "many", "no_field_near", "no_field", "after_field",
        "one_field", "of_what", "story", "no_day", "reader",
    )
)  # fmt: skip


def translated_reason(words: Translation, reason: str) -> str:
    """Return a query error in a language."""
    if words.language == FIRST:
        return reason
    for key in _KEYS:
        match = _pattern(key).fullmatch(reason[:1000])
        if match is not None:
            return words(key, **match.groupdict())
    return reason


def is_translatable(reason: str) -> bool:
    """Return whether a query error has translations."""
    return any(_pattern(key).fullmatch(reason) for key in _KEYS)


@cache
def _pattern(key: str) -> re.Pattern[str]:
    parts = re.split(r"\{([a-z]+)\}", words(FIRST).texts[key])
    names: set[str] = set()
    pattern = ""
    for place, part in enumerate(parts):
        if place % 2 == 0:
            pattern += re.escape(part)
        else:
            pattern += f"(?P={part})" if part in names else f"(?P<{part}>.+?)"
            names.add(part)
    return re.compile(pattern, re.DOTALL)
