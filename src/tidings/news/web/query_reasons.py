"""Why a query cannot be read, in the language of the reader.

The parser says it in English; the English words of the portal are the same sentences, with names where they differ, so
that each is known again and said in another language. One that is not known stays as it is.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from tidings.news.web.words import FIRST, Words, words

_KEYS: Final = tuple(
    f"query.{name}"
    for name in (
        "long", "empty", "no_letter", "no_letter_here", "unreadable", "open_quote", "missing_end", "closes_nothing",
        "deep", "open_bracket", "nothing_before", "between", "many", "no_field_near", "no_field", "after_field",
        "one_field", "of_what", "story", "no_day",
    )
)  # fmt: skip


def in_words(said: Words, reason: str) -> str:
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
