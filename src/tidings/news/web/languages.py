"""Languages: their own names and directions, times as people say them, the reasons why a query cannot be read.

The parser of queries says in English why one cannot be read; the English words of the portal are the same sentences,
with names where they differ, so that each is known again and said in another language. One that is not known stays.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from functools import cache
from typing import Final

from tidings.article.direction import is_written_leftwards
from tidings.news.web.translations import FIRST, Translation, words

#: Languages of news sites, by the names they have in themselves. A code that is not here is shown as it is.
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
    """What a language calls itself."""
    return _NAMES.get(code.split("-", maxsplit=1)[0].lower(), code)


def direction_of(code: str) -> str:
    """The way a language is written: ltr or rtl."""
    return "rtl" if is_written_leftwards(code) else "ltr"


_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


def ago(words: Translation, time: datetime, now: datetime) -> str:
    """How long ago, for what is younger than a week; else the day."""
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
    """A day: 16 November 2026."""
    if isinstance(time, datetime):
        time = here(time)
    month = words("time.months").split()[time.month - 1]
    return words("time.date", day=str(time.day), month=month, year=str(time.year))


def long_day(words: Translation, time: date, now: datetime | None = None) -> str:
    """A day with its name: Monday, 16 November 2026. Today and yesterday, where it is told what day it is."""
    if isinstance(time, datetime):
        time = here(time).date()
    past = (here(now).date() - time).days if now is not None else None
    if past in {0, 1}:
        return words("time.yesterday" if past else "time.today")
    return words("time.long_day", weekday=words("time.weekdays").split()[time.weekday()], day=day(words, time))


def moment(words: Translation, time: date) -> str:
    """A day and, where it is known, the minute."""
    if not isinstance(time, datetime):
        return day(words, time)
    local = here(time)
    return f"{day(words, local)}, {local:%H:%M}"


def clock(time: datetime) -> str:
    """The minute: 7:10."""
    local = here(time)
    return f"{local.hour}:{local:%M}"


def here(time: datetime) -> datetime:
    """A time as the clock of this machine shows it; where its calendar does not reach, as it is."""
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


def in_words(said: Translation, reason: str) -> str:
    """A reason in the words of a language."""
    if said.language == FIRST:
        return reason
    for key in _KEYS:
        found = _pattern(key).fullmatch(reason[:1000])
        if found is not None:
            return said(key, **found.groupdict())
    return reason


def is_known(reason: str) -> bool:
    """Whether a reason is one of those that can be said in every language."""
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
