"""A query as SQL: the tree walked once, for both databases. What words become is the database's own.

Every condition is about `a`, the article, and is never unknown (NULL), so that NOT means not.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tidings.article.characters import legal
from tidings.news.store.query import READER_TABLES, And, DayRange, Is, Not, Or, Property, Query, SearchedWords
from tidings.news.store.records_of_work import places
from tidings.news.store.search_words import fold, one_letter, search_words, word_stems
from tidings.text import base_language

#: A category or a person is not called more than this; PostgreSQL indexes 2,700 bytes.
_LONGEST_KEY: Final = 200

#: The numbers of the sources that a word in a query names.
Sources = Callable[[str], Sequence[int]]


@dataclass(frozen=True, slots=True)
class SqlCondition:
    """A piece of SQL that is true or false of an article, and its values."""

    sql: str
    values: tuple[str | int, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """How a query is asked: what the full-text table is matched with, where that can lead, and what else must hold."""

    match: str | None
    where: SqlCondition
    rank: str | None = None  # words to rank by


@dataclass(frozen=True, slots=True)
class TokenPattern:
    """What to look for in the index: tokens in a row, or any of several single ones."""

    tokens: tuple[str, ...]
    instead: tuple[str, ...] = ()  # other forms of a single token
    prefix: bool = False  # the last token may go on


@lru_cache(maxsize=1024)
def pattern(words: SearchedWords, languages: tuple[str, ...]) -> TokenPattern:
    """The tokens of a query's words.

    The last letter of a clause without spaces is left out, for in an article the clause may go on; where it is all
    there is, any pair that begins with it will do.
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
    """Writes queries as SQL."""

    languages: tuple[str, ...]  # of the articles in the store: what a word is stemmed by
    sources: Sources

    @abstractmethod
    def selection(self, query: Query) -> Selection:
        """The whole query."""

    @abstractmethod
    def words(self, words: SearchedWords) -> SqlCondition:
        """Words as a condition."""

    def condition(self, query: Query) -> SqlCondition:
        """Any query as a condition."""
        match query:
            case SearchedWords():
                return self.words(query)
            case Is():
                return self.property(query)
            case DayRange():
                return within(*places(*query.moments()))
            case And(parts):
                return joined(" AND ", [self.condition(part) for part in parts])
            case Or(parts):
                return joined(" OR ", [self.condition(part) for part in parts])
            case Not(part):
                inner = self.condition(part)
                return SqlCondition(f"NOT ({inner.sql})", inner.values)

    def property(self, asked: Is) -> SqlCondition:
        """What an article is."""
        value = asked.value
        match asked.name:
            case Property.LANGUAGE | Property.CATEGORY | Property.TOPIC:
                column, told = _COLUMNS[asked.name]
                return SqlCondition(f"a.{column} = ?", (told(value),))
            case Property.IS:
                table = READER_TABLES[value]
                return SqlCondition(f"a.id IN (SELECT h.article FROM {table} h WHERE h.person = ?)", (asked.reader,))
            case Property.SITE:
                host = value.lower().removeprefix("www.")
                ending = host.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
                forms = [f"%.{ending}"] if ":" in host else [f"%.{ending}", f"{ending}:%", f"%.{ending}:%"]  # any port
                likes = " OR a.site LIKE ? ESCAPE '\\'" * len(forms)
                return SqlCondition(f"(a.site = ?{likes})", (host, *forms))
            case Property.STORY:
                return SqlCondition("(a.story IS NOT NULL AND a.story = ?)", (int(value),))
            case Property.SOURCE:
                found = tuple(self.sources(value))
                marks = ",".join("?" * len(found)) or "NULL"
                inner = f"SELECT 1 FROM article_source s WHERE s.article = a.id AND s.source IN ({marks})"
                return SqlCondition(f"EXISTS ({inner})" if found else "1 = 0", found)


def name_key(name: str) -> str:
    """A name of a category or a person without case, accents and signs: what it is looked up by."""
    told = legal(name[:400])
    return (" ".join(search_words(told)) or fold(" ".join(told.split())))[:_LONGEST_KEY]


_COLUMNS: Final[Mapping[Property, tuple[str, Callable[[str], str]]]] = {
    Property.LANGUAGE: ("language", base_language),
    Property.CATEGORY: ("category_key", name_key),
    Property.TOPIC: ("topic", str.lower),
}


def joined(operator: str, conditions: Sequence[SqlCondition]) -> SqlCondition:
    """Several conditions as one."""
    if not conditions:
        return SqlCondition("1 = 1")
    if len(conditions) == 1:
        return conditions[0]
    sql = operator.join(f"({one.sql})" for one in conditions)
    return SqlCondition(sql, tuple(value for one in conditions for value in one.values))


def within(first: int | None, last: int | None) -> SqlCondition:
    """Places in a range, its ends included."""
    told = [SqlCondition("a.place >= ?", (first,))] if first is not None else []
    told += [SqlCondition("a.place <= ?", (last,))] if last is not None else []
    return joined(" AND ", told)
