"""Search, with the places where the query was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from tidings.news.api import answers
from tidings.news.api.about import About, Cursor, Limit
from tidings.news.api.answers import Hits
from tidings.news.api.filters import Filters
from tidings.news.api.operation import JSON, Call, Operation
from tidings.news.store.query import LONGEST_QUERY
from tidings.news.store.records_of_articles import SearchOrder

Query = Annotated[
    str,
    About(
        'Words, "phrases", AND, OR, NOT, title:, author:, site:, lang:, since: …',
        shortest=1,
        longest=LONGEST_QUERY,
        example="seal OR title:harbour",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAsked(Filters):
    """What is searched for, and where."""

    q: Query
    order: Annotated[SearchOrder, About("The best first, or the newest.")] = SearchOrder.RELEVANCE
    limit: Limit = 20
    cursor: Cursor = None


def search_articles(call: Call, asked: SearchAsked) -> Hits:
    """Articles that a query finds.

    The language of queries is that of `tidings search`. A query that cannot be read is answered with 400 and the place
    where it goes wrong.
    """
    found = call.store.search(asked.q, asked.only, order=asked.order, limit=asked.limit, after=asked.cursor)
    count = found.count or call.store.count(asked.q, asked.only)
    return Hits(tuple(map(answers.hit, found.items)), count.number, count.at_least, found.after)


OPERATIONS: Final = (Operation("GET", "/search", search_articles, "search", SearchAsked, gives={JSON: Hits}),)
