"""Named queries: what trends are looked for, as sets of keywords that an expert chose (DANA thesis 6.6.2, table 6.3).

They are written in TOML:

    language = "en"                       # of the keywords and, unless it says otherwise, of a document

    [queries]
    "neural networks" = ["neural", "network", "embedding", "attention"]
    parsing = "parse parser treebank grammar constituent dependency"
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass

from tidings.errors import BadTrends
from tidings.text import terms

_MOST = 200  # queries


@dataclass(frozen=True, slots=True)
class TrendQuery:
    """A name and its keywords. A keyword of several words counts as these words, as in the thesis."""

    name: str
    keywords: tuple[str, ...]
    language: str = "en"

    @property
    def terms(self) -> list[str]:
        """The keywords as terms, repetitions included."""
        return terms(" . ".join(self.keywords), self.language)


def read_queries(text: str) -> tuple[TrendQuery, ...]:
    """The queries of a TOML text, in their order.

    Raises:
        BadTrends: it is no TOML, or a query has no keyword that is more than a stop word.
    """
    try:
        told = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits is no TOMLDecodeError
        raise BadTrends(f"the queries are no TOML: {error}") from error
    language = told.get("language", "en")
    given = told.get("queries")
    if not isinstance(given, dict) or not given or not isinstance(language, str):
        raise BadTrends('there are no queries; write them as [queries] and below it name = ["keyword", …]')
    if len(given) > _MOST:
        raise BadTrends(f"there are {len(given)} queries, and {_MOST} at most can be looked at in one go")
    return tuple(_query(name, keywords, language) for name, keywords in given.items())


def _query(name: str, keywords: object, language: str) -> TrendQuery:
    words: Iterable[object] = (
        [keywords] if isinstance(keywords, str) else keywords if isinstance(keywords, list) else []
    )
    query = TrendQuery(name, tuple(word for word in words if isinstance(word, str)), language)
    if not query.terms:
        raise BadTrends(f"the query {name!r} has no keywords; a stop word alone is none")
    return query
