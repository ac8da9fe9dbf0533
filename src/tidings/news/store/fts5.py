"""Words in SQLite: its FTS5 table holds our tokens and no text.

The table is contentless: it keeps the index alone. To take an article out again FTS5 must be told the very tokens that
went in, so they lie beside it, compressed. The tokeniser is told to split at ASCII signs only; our tokens have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tidings.news.store.query_tree import And, Field, Not, Or, Query, Words
from tidings.news.store.selection import Condition, Pattern, Selection, Writer, joined, pattern

_COLUMNS: Final = {Field.TITLE: "title", Field.AUTHOR: "author", Field.TEXT: "text"}


@dataclass(frozen=True, slots=True)
class FTS5Writer(Writer):
    """Writes a query so that the full-text table leads wherever it can: it finds its rows in the order of time."""

    def selection(self, query: Query) -> Selection:
        """Words that must be there, and words that must not, become one match; the rest are conditions."""
        parts = query.parts if isinstance(query, And) else (query,)
        wanted = [self.expression(part) for part in parts if _is_words(part)]
        barred = [part for part in parts if wanted and isinstance(part, Not) and _is_words(part.part)]
        rest = [part for part in parts if not _is_words(part) and part not in barred]
        where = joined(" AND ", [self.condition(part) for part in rest])
        if not wanted:
            return Selection(None, where)
        match = " AND ".join(wanted)
        if barred:
            match = f"({match}) NOT ({' OR '.join(self.expression(part.part) for part in barred)})"
        return Selection(match, where, match)

    def condition(self, query: Query) -> Condition:
        """Words under one another are asked for at once."""
        if not isinstance(query, Words) and _is_words(query):
            return self._found(self.expression(query))
        return Writer.condition(self, query)

    def words(self, words: Words) -> Condition:
        """The places at which the words are."""
        return self._found(self.expression(words))

    def expression(self, query: Query) -> str:
        """Words, and their ANDs and ORs, in FTS5's own language."""
        match query:
            case Words():
                found = _match(pattern(query, self.languages))
                return found if query.field is None else f"{_COLUMNS[query.field]} : {found}"
            case And(parts):
                return _both(" AND ", [self.expression(part) for part in parts])
            case Or(parts):
                return _both(" OR ", [self.expression(part) for part in parts])
            case _:
                raise TypeError(f"no words: {query}")  # nothing that `_is_words` lets through

    @staticmethod
    def _found(expression: str) -> Condition:
        return Condition("a.place IN (SELECT rowid FROM words WHERE words MATCH ?)", (expression,))


def _is_words(query: Query) -> bool:
    return isinstance(query, Words) or (isinstance(query, (And, Or)) and all(map(_is_words, query.parts)))


def _both(operator: str, parts: Sequence[str]) -> str:
    return "(" + operator.join(parts) + ")"


def _match(found: Pattern) -> str:
    phrase = '"' + " ".join(found.tokens) + '"'
    if found.prefix:
        return phrase + " *"
    if found.instead:
        return _both(" OR ", [phrase, *(f'"{other}"' for other in found.instead)])
    return phrase
