"""An article: its text, clean; where it came from; the story it belongs to and what is like it."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse

from tidings.news.accounts.read_tracking import beacon_mark
from tidings.news.reader.appearance import CHOICES, look_of
from tidings.news.store.records_of_articles import KeptArticle
from tidings.news.web.app_state import app_of
from tidings.news.web.content import body, lead
from tidings.news.web.errors import HttpProblem
from tidings.news.web.pages import PageView, next_unread, number_asked, reading_languages
from tidings.news.web.session import visit_of

_SIMILAR: Final = 6
#: Words that people read in a minute (238: Brysbaert 2019, silent reading of non-fiction in English).
_WORDS_A_MINUTE: Final = 238


def article(request: Request) -> PageView | RedirectResponse:
    """The page of an article."""
    app = app_of(request)
    kept = article_asked(request)
    one = kept.headline
    visit = visit_of(request)
    story = app.store.story(one.story) if one.story is not None else None
    return PageView(
        "article.html",
        {
            "one": one,
            "article": kept.article,
            "body": body(app, kept.article),
            "lead": lead(app, kept.article),
            "minutes": max(1, round(one.words / _WORDS_A_MINUTE)),
            "versions": one.versions,
            "story": story if story is not None and story.size > 1 else None,
            "similar": app.store.similar(one.id, limit=_SIMILAR),
            "is_saved": visit.person is not None and app.store.is_saved(one.id, visit.person),
            "is_unread": visit.person is not None and one.id in app.store.unread_among(visit.person, [one.id]),
            "next_unread": next_unread(app, visit.person, one.id, reading_languages(request)),
            "look": look_of(request),
            "choices": CHOICES,
            "mark": beacon_mark(app, one.id, visit.visitor),
        },
    )


def article_asked(request: Request) -> KeptArticle:
    """The article that an address names.

    Raises:
        Problem: there is none.
    """
    number = number_asked(request)
    kept = app_of(request).store.article(number) if number is not None else None
    if kept is None:
        raise HttpProblem(404, "no_article")
    return kept
