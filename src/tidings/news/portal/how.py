"""How an article was extracted: where each field came from, the page with what was taken marked, earlier versions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from tidings import Hints, extractors
from tidings.article import Article, Image
from tidings.errors import ExtractorError, PageError
from tidings.news.portal.article import article_asked
from tidings.news.portal.differences import Changed, changes
from tidings.news.portal.other_methods import Others, others
from tidings.news.reader.reduced import marked
from tidings.news.store.records_of_articles import KeptArticle
from tidings.news.store.verbs.pages import KeptPage
from tidings.news.web import times
from tidings.news.web.headers import SANDBOX
from tidings.news.web.house import House, house_of
from tidings.news.web.problems import Problem
from tidings.news.web.reading_pool import SentPage
from tidings.news.web.showing import Shown
from tidings.news.web.taking_turns import take_turn
from tidings.news.web.visit import visit_of
from tidings.news.web.words import Words

#: Versions that are compared, the latest ones.
_VERSIONS: Final = 10
#: Characters of a value that are shown.
_SHOWN: Final = 400
#: Seconds that a drawing or a comparison is kept; a page never changes.
_KEPT: Final = 3600.0


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an article: its value, and where it came from."""

    key: str
    value: str
    told_by: str


@dataclass(frozen=True, slots=True)
class Version:
    """A version, and what changed since the one before; None for the first one that is shown."""

    kept: KeptArticle
    changed: Changed | None


def how(request: Request) -> Shown:
    """The page that tells how an article was extracted."""
    house, words = house_of(request), visit_of(request).words
    kept = article_asked(request)
    page = house.store.page_of(kept.headline.id)
    told = None
    if page is not None and request.query_params.get("others") == "yes":
        told = _others(request, house, kept, page)
    return Shown(
        "how.html",
        {
            "one": kept.headline,
            "kept": kept,
            "fields": fields(kept.article, words),
            "has_page": page is not None,
            "fetched": None if page is None else page.page.fetched,
            "versions": versions(house, kept),
            "method": method_of(kept),
            "others": told,
        },
    )


def drawn(request: Request) -> Response:
    """The page with what was taken marked, for a frame: it runs in no origin and loads nothing."""
    house = house_of(request)
    kept = article_asked(request)
    page = _page(house, kept)

    def make() -> bytes:
        return house.reading.wait(marked, sent_page(page), extractors.extractor(method_of(kept)))

    body = house.shown.get(("drawn", page.hash, method_of(kept)), make, _KEPT)
    headers = {
        "content-security-policy": SANDBOX,
        "cache-control": "private, max-age=600",
        "referrer-policy": "no-referrer",
    }
    return Response(body, headers=headers, media_type="text/html")


def saved(request: Request) -> Response:
    """The page as it was sent, to be kept as a file: for annotating, or for another program."""
    kept = article_asked(request)
    page = _page(house_of(request), kept)
    headers = {
        "content-security-policy": SANDBOX,
        "content-disposition": f'attachment; filename="article-{kept.headline.id}.html"',
        "cache-control": "private, max-age=600",
    }
    return Response(page.page.content, headers=headers, media_type="application/octet-stream")


def fields(article: Article, words: Words) -> list[Field]:
    """The fields of an article that something told."""
    return [
        Field(name, told(getattr(article, "text" if name == "body" else name, ""), words), said)
        for name, said in article.provenance.items()
    ]


def told(value: object, words: Words) -> str:
    """A value as a line of text."""
    if isinstance(value, tuple):
        line = ", ".join(told(one, words) for one in value[:20])
    elif isinstance(value, Image):
        line = value.src
    elif isinstance(value, (date, datetime)):
        line = times.moment(words, value)
    else:
        line = " ".join(str(value or "").split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def versions(house: House, kept: KeptArticle) -> list[Version]:
    """The latest versions, the newest first, each with what changed."""
    if kept.headline.versions < 2:
        return []
    every = house.store.versions(kept.headline.id)[-_VERSIONS - 1 :]
    shown = [Version(one, changes(before.article, one.article)) for before, one in pairwise(every)]
    first = [Version(every[0], None)] if every and len(every) <= _VERSIONS else []
    return [*first, *shown][::-1]


def method_of(kept: KeptArticle) -> str:
    """The extractor that the page is drawn with: the one that read it, else the usual one."""
    name = kept.article.provenance.get("body", "")
    try:
        extractors.extractor(name)
    except ExtractorError:
        return extractors.DEFAULT
    return name


def sent_page(page: KeptPage) -> SentPage:
    """A kept page, on its way to where it is read."""
    return SentPage(page.page.content, page.page.address, Hints(content_type=page.page.content_type or None))


def compared(page: SentPage, own: str) -> Others:
    """What other methods than one's own take of a page.

    Raises:
        PageError: there is no page.
    """
    return others(page.page(), own)


def _page(house: House, kept: KeptArticle) -> KeptPage:
    page = house.store.page_of(kept.headline.id)
    if page is None:
        raise Problem(404, "missing_page")
    return page


def _others(request: Request, house: House, kept: KeptArticle, page: KeptPage) -> Others | None:
    """What other methods would have taken; this costs, so a visitor has only so many turns."""
    key = ("others", page.hash, method_of(kept))
    known: Others | None = house.shown.peek(key, _KEPT)
    if known is not None:
        return known
    take_turn(request)
    try:
        found = house.reading.wait(compared, sent_page(page), method_of(kept))
    except PageError:
        return None
    house.shown.put(key, found)
    return found
