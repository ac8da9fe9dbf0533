"""The page of an article."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse

from tidings.article import Article
from tidings.fields.urls.sanitise import safe_picture
from tidings.sources import Enclosure
from tidings.text import fold_space
from tidings_portal.accounts.read_tracking import beacon_mark
from tidings_portal.reader.article_view import CHOICES, look_of
from tidings_portal.store.records_of_articles import KeptArticle
from tidings_portal.web.app_state import app_of
from tidings_portal.web.article_html import body, lead
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.pages import PageView, minutes_of, next_unread, number_in_path
from tidings_portal.web.sessions import visit_of

_SIMILAR: Final = 6
#: The summary is looked for in this many first characters of the text, plus twice its length.
_OPENING: Final = 600


def article(request: Request) -> PageView | RedirectResponse:
    """Return the page of an article."""
    app = app_of(request)
    stored = requested_article(request)
    headline = stored.headline
    visit = visit_of(request)
    story = app.store.story(headline.story) if headline.story is not None else None
    media = [file for file in app.store.enclosures(headline.id) if _plays(file)]
    return PageView(
        "article.html",
        plays=bool(media),
        values={
            "one": headline,
            "article": stored.article,
            "body": body(app, stored.article),
            "lead": lead(app, stored.article),
            "standfirst": _standfirst(stored.article),
            "minutes": minutes_of(headline.words),
            "versions": headline.versions,
            "story": story if story is not None and story.size > 1 else None,
            "similar": app.store.similar(headline.id, limit=_SIMILAR),
            "is_hidden": visit.person is not None and bool(app.store.hidden_among(visit.person, [headline.id])),
            "is_saved": visit.person is not None and app.store.is_saved(headline.id, visit.person),
            "is_unread": visit.person is not None
            and headline.id in app.store.unread_among(visit.person, [headline.id]),
            "next_unread": next_unread(app, visit.person, headline.id),
            "media": media,
            "targets": () if visit.person is None else app.store.targets(visit.person),
            "labels": ()
            if visit.person is None
            else app.store.reader_marks(visit.person, [headline.id])[headline.id].labels,
            "all_labels": () if visit.person is None else tuple(app.store.labels(visit.person)),
            "note": "" if visit.person is None else app.store.note(headline.id, visit.person),
            "look": look_of(request),
            "choices": CHOICES,
            "mark": beacon_mark(app, headline.id, visit.visitor),
        },
    )


def _standfirst(article: Article) -> str:
    """Return the summary of an article; empty if the text begins with it, as that of a feed item often does."""
    summary = fold_space(article.summary)
    opening = fold_space(article.text[: 2 * len(article.summary) + _OPENING])
    return "" if summary.rstrip(" .…[]") in opening else article.summary


def _plays(file: Enclosure) -> bool:
    return file.plays and safe_picture(file.address) is not None


def requested_article(request: Request) -> KeptArticle:
    """Return the article whose id is in the URL path of a request.

    Raises:
        HttpProblem: 404 if it does not exist.
    """
    number = number_in_path(request)
    stored = app_of(request).store.article(number) if number is not None else None
    if stored is None:
        raise HttpProblem(404, "no_article")
    return stored
