"""What somebody has not read yet, as lists and the head of every page show it. Nobody's, for those who are not known.

Where nobody signs in, pages are kept for some seconds, and so is the number; what is marked is counted anew at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from tidings.news.store.records_of_articles import ArticleHeadline, Count
from tidings.news.store.records_of_people import LOCAL
from tidings.news.web.house import House

#: Counted so far: a larger number tells nobody more.
MOST: Final = 999
_SECONDS: Final = 5
_KEY: Final = "unread"


def unread_in(house: House, person: str | None, articles: Iterable[ArticleHeadline | int]) -> Collection[int] | None:
    """The numbers of those of some articles that somebody has not read; None where nobody is known."""
    if person is None:
        return None
    return house.store.unread_among(person, [one if isinstance(one, int) else one.id for one in articles])


def unread_count(house: House, person: str | None) -> Count | None:
    """How much somebody has to read: of their own sources where there are any, else of all."""
    if person is None:
        return None
    if person != LOCAL:
        return _counted(house, person)
    return house.shown.get(_KEY, lambda: _counted(house, LOCAL), _SECONDS)


def next_unread(house: House, person: str | None, but: int) -> ArticleHeadline | None:
    """The latest article that somebody has not read, other than the one before them."""
    if person is None:
        return None
    found = house.store.unread(person, _sources(house, person), limit=2).items
    return next((one for one in found if one.id != but), None)


def recount(house: House, person: str) -> None:
    """Somebody has read something, or reads other sources: the number is another one at once."""
    if person == LOCAL:
        house.shown.put(_KEY, _counted(house, LOCAL))


def _counted(house: House, person: str) -> Count:
    return house.store.count_unread(person, _sources(house, person), most=MOST)


def _sources(house: House, person: str) -> list[int] | None:
    return [one.source.id for one in house.store.subscriptions(person, most_unread=0)] or None
