"""Documents as JSON lines: an object a line with a date, a text, and perhaps a title and a language.

The names by which articles and abstracts are given out all serve: `date`, `published` or `year`; `text` or `abstract`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Final

from tidings.news.stories.trends.document import Record, Unusable, document

#: A year may be a number; these may not.
_TEXTS: Final = ("text", "abstract", "title", "language", "lang")


def read_json_lines(lines: Iterable[str]) -> Iterator[Record]:
    """The documents of a file, line by line; empty lines are left out."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"line {number}"
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            yield Unusable(where, "it is no JSON")
            continue
        if not isinstance(told, dict):
            yield Unusable(where, "it is no object")
            continue
        wrong = next((name for name in _TEXTS if not isinstance(told.get(name) or "", str)), None)
        if wrong is not None:
            yield Unusable(where, f"its {wrong} is no text")
            continue
        yield document(
            where,
            _first(told, "published", "date", "year"),
            _first(told, "text", "abstract"),
            _first(told, "title"),
            _first(told, "language", "lang"),
        )


def _first(told: dict[str, object], *names: str) -> str:
    return next((str(told[name]) for name in names if told.get(name) not in (None, "")), "")
