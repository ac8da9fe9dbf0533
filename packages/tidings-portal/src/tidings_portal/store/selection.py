"""Queries as SQL conditions: one walk of the tree for both databases, which supply the conditions on words.

Every condition is about `a`, the article, and is never NULL, so that NOT negates it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tidings.article.formats.characters import legal
from tidings.text import base_language
from tidings_portal.store.query import READER_TABLES, And, DayRange, Is, Not, Or, Property, Query, SearchedWords
from tidings_portal.store.records_of_work import places
from tidings_portal.store.search_words import fold, one_letter, search_words, word_stems

#: The maximum length of a name. PostgreSQL indexes 2,700 bytes.
_LONGEST_KEY: Final = 200

#: The numbers of the sources that a word in a query names.
Sources = Callable[[str], Sequence[int]]


@dataclass(frozen=True, slots=True)
class SqlCondition:
    """An SQL condition on an article, with its values."""

    sql: str
    values: tuple[str | int, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """A search query as SQL: a full-text match that selects rows, if the query has one, and further conditions."""

    match: str | None
    where: SqlCondition
    rank: str | None = None  # words to rank by


@dataclass(frozen=True, slots=True)
class TokenPattern:
    """Tokens to look for in the index: consecutive ones, or any of several single ones."""

    tokens: tuple[str, ...]
    instead: tuple[str, ...] = ()  # alternatives to a single token
    prefix: bool = False  # the last token is a prefix


@lru_cache(maxsize=1024)
def pattern(words: SearchedWords, languages: tuple[str, ...]) -> TokenPattern:
    """Return the tokens to look for, for words of a query.

    The last letter of a clause without spaces is left out, because the clause may continue in an article; a single
    letter matches any pair that begins with it.
    """
    tokens = search_words(words.text)
    prefix = words.prefix
    if one_letter(tokens[-1]):
        if len(tokens) > 1 and tokens[-2].endswith(tokens[-1]) and not one_letter(tokens[-2]):
            tokens.pop()
            prefix = False
        else:
            prefix = True
    plain = len(tokens) == 1 and not (prefix or words.exact)
    return TokenPattern(tuple(tokens), tuple(word_stems(words.text, languages)) if plain else (), prefix)


@dataclass(frozen=True, slots=True)
class Writer(ABC):
    """Base class for writing search queries as SQL."""

    languages: tuple[str, ...]  # of the stored articles: words are stemmed in these
    sources: Sources

    @abstractmethod
    def selection(self, query: Query) -> Selection:
        """Return the selection for a whole query."""

    @abstractmethod
    def words(self, words: SearchedWords) -> SqlCondition:
        """Return the SQL condition that an article contains words in order."""

    def condition(self, query: Query) -> SqlCondition:
        """Return the SQL condition for any query."""
        match query:
            case SearchedWords():
                return self.words(query)
            case Is():
                return self.property(query)
            case DayRange():
                return within(*places(*query.moments()))
            case And(parts):
                return combined(" AND ", [self.condition(part) for part in parts])
            case Or(parts):
                return combined(" OR ", [self.condition(part) for part in parts])
            case Not(part):
                inner = self.condition(part)
                return SqlCondition(f"NOT ({inner.sql})", inner.values)

    def property(self, condition: Is) -> SqlCondition:
        """Return the SQL condition for a property of an article."""
        value = condition.value
        match condition.name:
            case Property.LANGUAGE | Property.CATEGORY | Property.TOPIC:
                column, convert = _COLUMNS[condition.name]
                return SqlCondition(f"a.{column} = ?", (convert(value),))
            case Property.IS:
                table = READER_TABLES[value]
                return SqlCondition(
                    f"a.id IN (SELECT h.article FROM {table} h WHERE h.person = ?)", (condition.reader,)
                )
            case Property.SITE:
                host = value.lower().removeprefix("www.")
                ending = host.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
                forms = [f"%.{ending}"] if ":" in host else [f"%.{ending}", f"{ending}:%", f"%.{ending}:%"]  # any port
                likes = " OR a.site LIKE ? ESCAPE '\\'" * len(forms)
                return SqlCondition(f"(a.site = ?{likes})", (host, *forms))
            case Property.STORY:
                return SqlCondition("(a.story IS NOT NULL AND a.story = ?)", (int(value),))
            case Property.SOURCE:
                numbers = tuple(self.sources(value))
                marks = ",".join("?" * len(numbers)) or "NULL"
                inner = f"SELECT 1 FROM article_source s WHERE s.article = a.id AND s.source IN ({marks})"
                return SqlCondition(f"EXISTS ({inner})" if numbers else "1 = 0", numbers)


def name_key(name: str) -> str:
    """Return the lookup key of a category or person: without case, accents and signs."""
    text = legal(name[:400])
    return (" ".join(search_words(text)) or fold(" ".join(text.split())))[:_LONGEST_KEY]


_COLUMNS: Final[Mapping[Property, tuple[str, Callable[[str], str]]]] = {
    Property.LANGUAGE: ("language", base_language),
    Property.CATEGORY: ("category_key", name_key),
    Property.TOPIC: ("topic", str.lower),
}


def combined(operator: str, conditions: Sequence[SqlCondition]) -> SqlCondition:
    """Return conditions combined by an operator."""
    if not conditions:
        return SqlCondition("1 = 1")
    if len(conditions) == 1:
        return conditions[0]
    sql = operator.join(f"({condition.sql})" for condition in conditions)
    return SqlCondition(sql, tuple(value for condition in conditions for value in condition.values))


def within(first: int | None, last: int | None) -> SqlCondition:
    """Return the SQL condition that a place (sort key of lists) is between `first` and `last`; None is open."""
    conditions = [SqlCondition("a.place >= ?", (first,))] if first is not None else []
    conditions += [SqlCondition("a.place <= ?", (last,))] if last is not None else []
    return combined(" AND ", conditions)
