"""Words in PostgreSQL: tsvectors written by us, token by token, and queries that its own parser never sees.

A tsvector keeps at most 256 places of a word, and none beyond the 16,383rd, so its phrases would miss some. It is asked
only which words there are and in which field (the weights A, B and D stand for title, author and text); that they
stand in a row is then looked up in the line of tokens itself.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from tidings.news.store.indexed import Indexed
from tidings.news.store.query_tree import And, Field, Not, Or, Query, Words, positive
from tidings.news.store.search_words import PART_SIGN
from tidings.news.store.selection import Condition, Pattern, Selection, Writer, joined, pattern

_WEIGHTS: Final = {Field.TITLE: "A", Field.AUTHOR: "B", Field.TEXT: "D"}
_LINES: Final = {Field.TITLE: "w.title", Field.AUTHOR: "w.author", Field.TEXT: "w.text"}
#: Times a word counts in one field for the ranking.
_COUNTED: Final = 12


@dataclass(frozen=True, slots=True)
class TsqueryWriter(Writer):
    """Writes a query as conditions on `w`, the words of an article."""

    def selection(self, query: Query) -> Selection:
        """Everything is a condition; PostgreSQL finds the way itself."""
        parts = query.parts if isinstance(query, And) else (query,)
        wanted = any(next(positive(part), None) for part in parts if not isinstance(part, Or) or _all_words(part))
        ranked = " | ".join(_asked(pattern(words, self.languages), words.field) for words in positive(query))
        return Selection(None, self.condition(query), ranked if wanted else None)

    def words(self, words: Words) -> Condition:
        """The words are there, and in their order."""
        found = pattern(words, self.languages)
        there = Condition("w.search @@ ?::tsquery", (_asked(found, words.field),))
        if len(found.tokens) == 1:
            return there
        row = " " + " ".join(found.tokens) + ("" if found.prefix else " ")
        lines = _LINES.values() if words.field is None else (_LINES[words.field],)
        in_order = joined(" OR ", [Condition(f"strpos(' ' || {line} || ' ', ?) > 0", (row,)) for line in lines])
        return joined(" AND ", [there, in_order])


def tsvector(words: Indexed) -> str:
    """The words of an article as PostgreSQL writes a tsvector. Places are made up: they only count."""
    told: dict[str, list[str]] = {}
    for field, (line, weight) in enumerate(((words.title, "A"), (words.author, "B"), (words.text, ""))):
        for token, number in Counter(line.split()).items():
            first = field * _COUNTED + 1
            told.setdefault(token, []).extend(f"{first + one}{weight}" for one in range(min(number, _COUNTED)))
    told.pop(PART_SIGN, None)
    return " ".join(f"'{token}':{','.join(places)}" for token, places in told.items())


def _all_words(query: Query) -> bool:
    match query:
        case Words():
            return True
        case And(parts) | Or(parts):
            return all(map(_all_words, parts))
        case Not(_) | _:
            return False


def _asked(found: Pattern, field: Field | None) -> str:
    weight = "" if field is None else _WEIGHTS[field]
    last = len(found.tokens) - 1
    tokens = [
        _lexeme(token, "*" if found.prefix and place == last else "", weight)
        for place, token in enumerate(found.tokens)
    ]
    others = [_lexeme(token, "", weight) for token in found.instead]
    return f"({' & '.join(tokens)})" if not others else f"({' | '.join([*tokens, *others])})"


def _lexeme(token: str, prefix: str, weight: str) -> str:
    return f"'{token}'" + (f":{prefix}{weight}" if prefix or weight else "")
