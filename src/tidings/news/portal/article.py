"""An article: its text, clean; where it came from; the story it belongs to and what is like it."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse

from tidings.article import Article, Options, render
from tidings.fields.addresses import safe as safe_link
from tidings.news.accounts.beacon import beacon_mark
from tidings.news.reader.look import CHOICES, look_of
from tidings.news.store.records_of_articles import KeptArticle
from tidings.news.web.content import below_title, safe
from tidings.news.web.house import House, house_of
from tidings.news.web.own_reading import next_unread
from tidings.news.web.pictures import picture_at
from tidings.news.web.problems import Problem
from tidings.news.web.showing import Shown
from tidings.news.web.visit import visit_of

_SIMILAR: Final = 6
#: Words that people read in a minute (238: Brysbaert 2019, silent reading of non-fiction in English).
_WORDS_A_MINUTE: Final = 238
_WITH_PICTURES: Final = Options(images=True)


def article(request: Request) -> Shown | RedirectResponse:
    """The page of an article."""
    house = house_of(request)
    kept = article_asked(request)
    one = kept.headline
    visit = visit_of(request)
    story = house.store.story(one.story) if one.story is not None else None
    return Shown(
        "article.html",
        {
            "one": one,
            "article": kept.article,
            "body": body(house, kept.article),
            "lead": lead(house, kept.article),
            "minutes": max(1, round(one.words / _WORDS_A_MINUTE)),
            "versions": one.versions,
            "story": story if story is not None and story.size > 1 else None,
            "similar": house.store.similar(one.id, limit=_SIMILAR),
            "is_saved": visit.person is not None and house.store.is_saved(one.id, visit.person),
            "is_unread": visit.person is not None and one.id in house.store.unread_among(visit.person, [one.id]),
            "next_unread": next_unread(house, visit.person, one.id),
            "look": look_of(request),
            "choices": CHOICES,
            "mark": beacon_mark(house, one.id, visit.visitor),
        },
    )


def article_asked(request: Request) -> KeptArticle:
    """The article that an address names.

    Raises:
        Problem: there is none.
    """
    number = number_asked(request)
    kept = house_of(request).store.article(number) if number is not None else None
    if kept is None:
        raise Problem(404, "no_article")
    return kept


def number_asked(request: Request) -> int | None:
    """The number in an address; None where it is none that anything can have."""
    said: str = request.path_params["number"]
    return int(said) if said.isascii() and said.isdigit() and len(said) < 16 else None


def body(house: House, found: Article) -> Markup:
    """The text of an article as HTML that can be put into a page."""

    def picture(address: str) -> str | None:
        return picture_at(house, address) or None

    return Markup(safe(render(below_title(found), "html", _WITH_PICTURES), link=safe_link, picture=picture))  # noqa: S704  # nh3


def lead(house: House, found: Article) -> str:
    """Where the picture above the text comes from; empty where the text shows it anyway."""
    if found.image is None:
        return ""
    inside = {one.src for one in found.images} | {one.image.src for one in found.blocks if one.image is not None}
    return "" if found.image.src in inside else picture_at(house, found.image.src)
