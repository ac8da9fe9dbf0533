"""Events: the stories that are told now, and those that are over (N-EXT thesis fig. 1.2)."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from starlette.requests import Request

from tidings.article.characters import legal
from tidings.news.portal.front import told
from tidings.news.portal.last_news import last_news
from tidings.news.portal.lists import cursor
from tidings.news.web.house import house_of
from tidings.news.web.showing import Shown
from tidings.news.web.tongues import name_of

#: An event without news for a week is over. Where nothing came for long, counted from the last news there is.
_CURRENT: Final = timedelta(days=7)
_PAGE: Final = 24
#: Sizes that one can ask for.
SIZES: Final = (1, 2, 5, 10)


def events(request: Request) -> Shown:
    """Current or past events."""
    house = house_of(request)
    store = house.store
    given = request.query_params
    past = given.get("when") == "past"
    language = legal(given.get("language", ""))[:40]
    category = legal(given.get("category", ""))[:200]
    least = int(given["least"]) if given.get("least") in {str(size) for size in SIZES} else SIZES[0]
    border = last_news(store, house.now()) - _CURRENT
    listed = store.stories(
        category=category or None,
        language=language or None,
        since=None if past else border,
        until=border - timedelta(microseconds=1) if past else None,
        least=least,
        limit=_PAGE,
        after=cursor(request),
    )
    stories = told(house, list(listed.items))
    return Shown(
        "events.html",
        {
            "past": past,
            "stories": stories,
            "numbers": [number for one in stories for number in one.members],
            "after": listed.after,
            "first": cursor(request) is None,
            "language": language,
            "category": category,
            "least": least,
            "sizes": SIZES,
            "spoken": [(code, name_of(code)) for code in house.shown.get("languages", store.languages, 60)],
        },
    )
